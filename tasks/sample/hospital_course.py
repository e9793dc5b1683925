"""The Brief Hospital Course: problem by problem, each treatment with its reason."""

from __future__ import annotations

from random import Random

from tasks.sample.cultures import culture_sentences
from tasks.sample.entries import Treatment
from tasks.sample.layout import BLANK, bullets, paragraph
from tasks.sample.lookup import Catalogue
from tasks.sample.phrases import capitalize, join, pronouns, say
from tasks.sample.prescriptions import change_sentence
from tasks.sample.problems import Problem
from tasks.sample.stay_procedures import procedure_key, procedure_name, told_procedures
from tasks.sample.story import Story
from tasks.sample.streams import Stream
from tasks.sample.studies import study_sentence
from tasks.sample.timing import hospital_day, stay_days

_MOST_PROBLEMS = 6
_MOST_LASTING = 5
_MOST_PROCEDURES = 8


def hospital_course(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    """The section's lines."""
    lines = [*paragraph(_opening(story)), BLANK]
    acute = story.acute[:_MOST_PROBLEMS]
    if acute:
        lines += ["ACUTE ISSUES:", "============="]
    for index, problem in enumerate(acute):
        sentences = _problem_sentences(story, problem, index == 0, catalogue, stream)
        lines += [f"# {capitalize(problem.name)}:", *paragraph(" ".join(sentences)), BLANK]
    if not acute:
        lines += [*paragraph(" ".join(_shared_sentences(story, catalogue, stream))), BLANK]
    lines += _lasting_issues(story, catalogue, stream)
    if story.stay.died:
        rng = stream.draw("death")
        text = say(rng.choice(catalogue.wording.death), rng, pronouns(story.stay.gender))
        return [*lines, *paragraph(text)]
    return [*lines, *_transitional(story)]


def _opening(story: Story) -> str:
    words = pronouns(story.stay.gender)
    past = f" with a history of {join([_inline(p) for p in story.past[:3]])}" if story.past else ""
    lead = story.problems[0].name if story.problems else story.complaint.lower()
    return f"{words['Mr']} ___ is a ___ year old {words['man']}{past} who was admitted with {lead}."


def _inline(text: str) -> str:
    return text if text.startswith("s/p") or text[1:2].isupper() else text[:1].lower() + text[1:]


def _problem_sentences(
    story: Story, problem: Problem, is_lead: bool, catalogue: Catalogue, stream: Stream
) -> list[str]:
    rng = stream.draw("course", problem.key)
    sentences: list[str] = []
    if problem.condition is not None:
        sentences += _treatments(story, problem, rng)
    if is_lead:
        sentences += _shared_sentences(story, catalogue, stream)
    for change in story.changes:
        if change.problem == problem.key or (is_lead and not change.problem):
            sentences.append(change_sentence(change, catalogue, rng))
    if not story.stay.died and problem.condition is not None and problem.condition.recovery:
        text = rng.choice(problem.condition.recovery)
        sentences.append(say(text, rng, pronouns(story.stay.gender)))
    if not sentences:
        text = rng.choice(catalogue.wording.generic_course)
        sentences.append(say(text, rng, {"name": problem.name, "Name": capitalize(problem.name)}))
    return sentences


def _treatments(story: Story, problem: Problem, rng: Random) -> list[str]:
    """Two or three of the condition's treatments that the allergies allow, in their order."""
    if problem.condition is None or problem.kind != "acute":
        return []
    taken: list[Treatment] = []
    order = list(problem.condition.treatments)
    most = 1 if stay_days(story.stay) < 1 else rng.randint(2, 3)
    for entry in rng.sample(order, len(order)):
        clash = entry.either and any(t.either == entry.either for t in taken)
        ruled_out = set(entry.avoid) & set(story.allergy.classes) or (
            entry.after and entry.after not in story.procedures
        )
        if len(taken) < most and not clash and not ruled_out:
            taken.append(entry)
    values = {**pronouns(story.stay.gender), **dict(problem.values)}
    return [say(entry.text, rng, values) for entry in order if entry in taken]


def _shared_sentences(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    """What belongs to the stay as a whole: studies, procedures, cultures."""
    rng = stream.draw("shared")
    sentences = [study_sentence(s) for s in story.studies if not s.entry.radiology or s.is_later]
    sentences += _procedures(story, catalogue, rng)
    classes = frozenset(story.allergy.classes)
    sentences += culture_sentences(story.cultures, story.stay, catalogue, classes, rng)
    return sentences


def _procedures(story: Story, catalogue: Catalogue, rng: Random) -> list[str]:
    reasons = {
        entry.procedure: entry.because
        for problem in story.problems
        if problem.condition is not None
        for entry in problem.condition.procedures
    }
    sentences: list[str] = []
    for procedure in told_procedures(story.stay)[:_MOST_PROCEDURES]:
        because = reasons.get(procedure_key(procedure, catalogue), "")
        wording = catalogue.wording
        template = rng.choice(wording.procedure if because else wording.procedure_plain)
        early = procedure.chartdate < story.stay.admittime.date()
        values = {
            **pronouns(story.stay.gender),
            "When": "Before admission"
            if early
            else f"On {hospital_day(procedure.chartdate, story.stay)}",
            "procedure": procedure_name(procedure, catalogue),
            "because": because,
        }
        sentences.append(say(template, rng, values))
    return list(dict.fromkeys(sentences))


def _lasting_issues(story: Story, catalogue: Catalogue, stream: Stream) -> list[str]:
    lines: list[str] = []
    altered = {change.problem for change in story.changes}
    first = sorted(story.lasting, key=lambda problem: problem.key not in altered)
    for problem in first[:_MOST_LASTING]:
        rng = stream.draw("lasting", problem.key)
        changed = [c for c in story.changes if c.problem == problem.key]
        home = set(problem.condition.home) if problem.condition else set[str]()
        kept = [p for p in story.home if p.drug.key in home and p in story.discharge]
        sentences = [change_sentence(c, catalogue, rng) for c in changed]
        drugs = [p.drug.said for p in kept if all(c.before != p for c in story.changes)]
        if drugs:
            values = {"drug": drugs[0], "Drug": capitalize(drugs[0]), "problem": problem.name}
            sentences.append(say(rng.choice(catalogue.wording.continued), rng, values))
        if not sentences:
            names = {"Name": capitalize(problem.name), "name": problem.name}
            sentences.append(say(rng.choice(catalogue.wording.stable), rng, names))
        lines += [f"# {capitalize(problem.name)}:", *paragraph(" ".join(sentences)), BLANK]
    return ["CHRONIC ISSUES:", "===============", *lines] if lines else []


def _transitional(story: Story) -> list[str]:
    new = [c.drug.said for c in story.changes if c.action in ("start", "course", "replace")]
    stopped = [c.drug.said for c in story.changes if c.action == "stop"]
    held = [c.drug.said for c in story.changes if c.action == "hold"]
    replaced = [c.before.drug.said for c in story.changes if c.action == "replace" and c.before]
    items = list(story.follow_up[:2])
    if new:
        items.append(f"New medications: {join(new)}")
    if stopped or replaced:
        items.append(f"Stopped medications: {join([*stopped, *replaced])}")
    if held:
        items.append(f"Held medications: {join(held)}")
    return ["TRANSITIONAL ISSUES:", "====================", *bullets(items)]
