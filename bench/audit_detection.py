"""How many changes of one thing the audits notice, by kind of change, on a release that passes.

Takes a release, changes one thing at a time in a random turn or question, and asks the grounding,
support or answerability audit whether something is wrong now. Prints for each kind how many of the
changes were noticed, beside the false alarms on the same items unchanged.

    .venv/bin/python bench/audit_detection.py RELEASE [--trials 300] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tasks.audit.grounding.terms import ReleaseTerms, build_terms
from tasks.audit.grounding.turns import audit_turns
from tasks.audit.reading import read_patients
from tasks.audit.support.questions import PatientReading, audit_question, read_for_audit
from tasks.contracts.audit import AuditPatient, AuditSession
from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.questions import ABSTENTION, CitedTurn, Question, QuestionType
from tasks.terminology.synonyms import spellings

UNITS = {"mg": "mcg", "mcg": "mg", "units": "mg", "tablet": "capsule", "days": "weeks", "%": "mg"}
SIDES = {"left": "right", "right": "left"}
SAID = {"reported": "denied", "denied": "reported"}
ORDERED = (" versus ", " to ")


@dataclass(frozen=True)
class Spoken:
    """A turn of a session with a record."""

    session: AuditSession
    line: ConversationLine
    record: str


@dataclass(frozen=True)
class Asked:
    """An answerable question of a patient that was read."""

    question: Question
    patient: PatientReading


ChangedTurn = Callable[[random.Random, Spoken, tuple[str, ...]], str | None]
ChangedQuestion = Callable[[random.Random, Asked], Question | None]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what the audits notice.")
    parser.add_argument("release", type=Path)
    parser.add_argument("--trials", type=int, default=300, help="changes of each kind")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    patients = list(read_patients(given.release))
    draw = random.Random(given.seed)
    print(f"{'change':32} {'noticed':>8} {'of':>6} {'%':>6} {'unchanged':>10}")
    for found in (
        *measure_turns(patients, given.trials, draw),
        *measure_questions(patients, given.trials, draw),
    ):
        kind, noticed, tried, alarms = found
        share = 100 * noticed / tried if tried else 0.0
        print(f"{kind:32} {noticed:8} {tried:6} {share:6.1f} {alarms:10}")


def measure_turns(
    patients: list[AuditPatient], trials: int, draw: random.Random
) -> Iterator[tuple[str, int, int, int]]:
    """Grounding: kind, noticed, tried, and alarms on the same turns unchanged."""
    sessions = [one for patient in patients for one in patient.sessions if one.bundle]
    terms = build_terms(one.bundle for one in sessions if one.bundle)
    spoken = [
        Spoken(session, line, record_text(session))
        for session in sessions
        for line in session.lines
    ]
    names = {kind: tuple(sorted(found)) for kind, found in _named(sessions).items()}
    for kind, change in TURN_CHANGES.items():
        noticed = tried = alarms = 0
        for turn in draw.sample(spoken, len(spoken)):
            if tried == trials:
                break
            text = change(draw, turn, names.get(kind, ()))
            if text is None or text == turn.line.text:
                continue
            before = unsupported(turn, turn.line.text, terms)
            tried += 1
            alarms += bool(before)
            noticed += unsupported(turn, text, terms) > before
        yield kind, noticed, tried, alarms


def unsupported(turn: Spoken, text: str, terms: ReleaseTerms) -> int:
    """Unsupported claims of a turn if it said something else."""
    line = turn.line.model_copy(update={"text": text})
    (audit,) = audit_turns(turn.session.model_copy(update={"lines": (line,)}), terms)
    return len(audit.unsupported)


def record_text(session: AuditSession) -> str:
    """Everything a record and its previous summary say, in one line of small letters."""
    bundle = session.bundle
    assert bundle is not None
    previous = bundle.previous_admission_summary
    parts = [note.text for note in (*bundle.discharge_notes, *bundle.radiology_notes)]
    parts += [row.long_title for row in (*bundle.diagnoses, *bundle.procedures)]
    parts += [f"{row.org_name} {row.ab_name} {row.comments}" for row in bundle.microbiology]
    parts += [previous.summary_paragraph, *previous.problems] if previous else []
    return " ".join(" ".join(parts).casefold().split())


def _named(sessions: list[AuditSession]) -> dict[str, set[str]]:
    """Names of the whole release that can stand in another one's place."""
    found: dict[str, set[str]] = defaultdict(set)
    for session in sessions:
        assert session.bundle is not None
        for row in session.bundle.microbiology:
            found["organism"] |= {row.org_name.capitalize()} - {""}
            found["drug"] |= {row.ab_name.casefold()} - {""}
        for diagnosis in session.bundle.diagnoses:
            if len(diagnosis.long_title.split()) < 4:
                found["diagnosis"].add(diagnosis.long_title.casefold())
    return found


def _swapped(kind: str) -> ChangedTurn:
    """A name of the release in the place of another one that the turn says."""

    def change(draw: random.Random, turn: Spoken, names: tuple[str, ...]) -> str | None:
        said = [name for name in names if re.search(_whole(name), turn.line.text, re.IGNORECASE)]
        others = [
            name
            for name in draw.sample(names, len(names))
            if not any(one.casefold() in turn.record for one in spellings(name))
        ]
        if not said or not others:
            return None
        return re.sub(_whole(max(said, key=len)), others[0], turn.line.text, flags=re.IGNORECASE)

    change.__name__ = kind
    return change


def _whole(name: str) -> str:
    return rf"(?<!\w){re.escape(name)}(?!\w)"


def _digit(draw: random.Random, turn: Spoken, _: tuple[str, ...]) -> str | None:
    found = list(re.finditer(r"\b\d+(?:\.\d+)? (?:mg|mcg|units|mL)\b", turn.line.text))
    if not found:
        return None
    place = draw.choice(found).start()
    digit = draw.choice([one for one in "123456789" if one != turn.line.text[place]])
    return turn.line.text[:place] + digit + turn.line.text[place + 1 :]


def _date(draw: random.Random, turn: Spoken, _: tuple[str, ...]) -> str | None:
    found = list(re.finditer(r"\b\d{4}-\d\d-(\d\d)\b", turn.line.text))
    if not found:
        return None
    day = draw.choice(found)
    other = draw.choice([one for one in range(1, 29) if one != int(day[1])])
    return f"{turn.line.text[: day.start(1)]}{other:02d}{turn.line.text[day.end(1) :]}"


def _word_for_word(words: dict[str, str], before: str = "", after: str = "") -> ChangedTurn:
    """One word of a turn replaced by its counterpart."""

    def change(draw: random.Random, turn: Spoken, _: tuple[str, ...]) -> str | None:
        pattern = rf"{before}(?<!\w)({'|'.join(map(re.escape, words))})(?!\w){after}"
        found = list(re.finditer(pattern, turn.line.text))
        if not found:
            return None
        one = draw.choice(found)
        text = turn.line.text
        return text[: one.start(1)] + words[one[1]] + text[one.end(1) :]

    return change


TURN_CHANGES: dict[str, ChangedTurn] = {
    "digit of a dose": _digit,
    "unit": _word_for_word(UNITS, before=r"(?<=\d )"),
    "date": _date,
    "drug": _swapped("drug"),
    "diagnosis": _swapped("diagnosis"),
    "organism": _swapped("organism"),
    "side": _word_for_word(SIDES, after=r"(?= (?:lower|upper|middle|lung|arm|leg|foot|knee|hip))"),
    "reported and denied": _word_for_word(SAID, before=r"(?<=you )"),
}


def measure_questions(
    patients: list[AuditPatient], trials: int, draw: random.Random
) -> Iterator[tuple[str, int, int, int]]:
    """Support and answerability: kind, noticed, tried, and alarms on the same items unchanged."""
    asked = [
        Asked(question, reading)
        for reading, patient in ((read_for_audit(one), one) for one in patients)
        for question in patient.questions
        if question.question_type is not QuestionType.ADVERSARIAL
    ]
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in QUESTION_CHANGES}
    for one in draw.sample(asked, len(asked)):
        before = audit_question(one.question, one.patient).has_fault
        for kind, change in QUESTION_CHANGES.items():
            changed = change(draw, one) if counts[kind]["tried"] < trials else None
            if changed is not None:
                noticed = audit_question(changed, one.patient).has_fault
                counts[kind].update(tried=1, noticed=int(noticed), alarms=int(before))
    for kind, count in counts.items():
        yield kind, count["noticed"], count["tried"], count["alarms"]


def _with_turns(question: Question, turns: list[CitedTurn]) -> Question:
    evidence = question.evidence.model_copy(update={"turns": tuple(turns)})
    return question.model_copy(update={"evidence": evidence})


def _neighbour(draw: random.Random, asked: Asked) -> Question | None:
    turns = list(asked.question.evidence.turns)
    place = draw.randrange(len(turns))
    near = turns[place].turn_number + draw.choice([-2, 2])
    other = CitedTurn(hadm_id=turns[place].hadm_id, turn_number=max(1, near))
    return (
        None
        if other in turns
        else _with_turns(asked.question, [*turns[:place], other, *turns[place + 1 :]])
    )


def _dropped(draw: random.Random, asked: Asked) -> Question | None:
    turns = list(asked.question.evidence.turns)
    if len(turns) < 2:
        return None
    turns.pop(draw.randrange(len(turns)))
    return _with_turns(asked.question, turns)


def _added(draw: random.Random, asked: Asked) -> Question | None:
    turns = list(asked.question.evidence.turns)
    hadm_id = draw.choice(asked.question.evidence.admissions)
    session = next(one for one in asked.patient.sessions if one.hadm_id == hadm_id)
    number = draw.choice(session.lines).turn_number
    other = CitedTurn(hadm_id=hadm_id, turn_number=number)
    return None if other in turns else _with_turns(asked.question, [*turns, other])


def _swapped_order(_: random.Random, asked: Asked) -> Question | None:
    for joiner in ORDERED:
        first, found, second = asked.question.answer.partition(joiner)
        if found and first != second and joiner not in second:
            return asked.question.model_copy(update={"answer": f"{second}{joiner}{first}"})
    return None


def _miscounted(draw: random.Random, asked: Asked) -> Question | None:
    found = re.fullmatch(r"(\d+)( hospitalizations| days| different \w+)", asked.question.answer)
    if found is None:
        return None
    number = int(found[1]) + draw.choice([-1, 1])
    return asked.question.model_copy(update={"answer": f"{number}{found[2]}"})


def _another_dose(draw: random.Random, asked: Asked) -> Question | None:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)( mg| units| mL)", asked.question.answer)
    if found is None:
        return None
    number = draw.choice([one for one in ("3", "7", "35", "75", "650") if one != found[1]])
    return asked.question.model_copy(update={"answer": f"{number}{found[2]}"})


def _called_unanswerable(_: random.Random, asked: Asked) -> Question | None:
    named = asked.patient.asked(asked.question).reading.terms
    adversarial = {"question_type": QuestionType.ADVERSARIAL, "answer": ABSTENTION}
    return asked.question.model_copy(update=adversarial) if named else None


QUESTION_CHANGES: dict[str, ChangedQuestion] = {
    "neighbouring turn cited": _neighbour,
    "citation dropped": _dropped,
    "citation added": _added,
    "order of the answer swapped": _swapped_order,
    "count off by one": _miscounted,
    "another dose": _another_dose,
    "answerable called adversarial": _called_unanswerable,
}


if __name__ == "__main__":
    main()
