"""The admission's summary: one paragraph of its facts, and its problems."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.contracts.clock import format_date
from tasks.contracts.records import AdmissionSummary, Fact, FactKind
from tasks.dialogue.exchanges import Story, event_date
from tasks.dialogue.naming import joined, spoken

_MOST_PROBLEMS = 8
_MOST_NAMED = 4


def summary_of(story: Story) -> AdmissionSummary:
    """Summary of a stay; it names only what the facts name, and always at least one problem."""
    bundle = story.bundle
    return AdmissionSummary(
        admission_start=bundle.admission_start,
        admission_end=bundle.admission_end,
        summary_paragraph=" ".join(_sentences(story)),
        problems=problems_of(story),
    )


def problems_of(story: Story) -> tuple[str, ...]:
    """Diagnoses; without any what else the record names, and in the end the stay itself."""
    courses = story.facts(FactKind.COURSE)
    ranked = (
        [fact.label for fact in story.facts(FactKind.DIAGNOSIS)],
        [fact.label for fact in courses if not _is_gift(fact)],
        [fact.value for fact in story.facts(FactKind.CHIEF_COMPLAINT)],
        [fact.label for fact in story.facts(FactKind.HISTORY) if fact.value == "reported"],
        [spoken(fact.label) for fact in story.facts(FactKind.PROCEDURE)],
        [f"treatment with {fact.label}" for fact in courses if _is_gift(fact)],
        [fact.value for fact in story.facts(FactKind.IMAGING)],
        [fact.label for fact in story.facts(FactKind.PAST_CONDITION)],
        [f"the stay that began on {format_date(story.bundle.admission_start)}"],
    )
    labels = next(labels for labels in ranked if labels)
    return tuple(dict.fromkeys(labels))[:_MOST_PROBLEMS]


def _is_gift(course: Fact) -> bool:
    """Whether a course is that of a drug, which the record names without a problem."""
    return course.value.startswith("given ")


def _sentences(story: Story) -> list[str]:
    made = [
        _opening(story),
        _listed("Diagnoses: {}.", [spoken(f.label) for f in story.facts(FactKind.DIAGNOSIS)]),
        _listed("Findings: {}.", _findings(story)),
        _listed("Procedures: {}.", _dated(story.facts(FactKind.PROCEDURE))),
        _listed("Course: {}.", [f"{f.label} {f.value}" for f in story.facts(FactKind.COURSE)]),
        _listed("Treatment: {}.", [_treatment(f) for f in story.facts(FactKind.TREATMENT)]),
        _listed(
            "Medication changes: {}.",
            [f"{fact.label} {fact.value}" for fact in story.facts(FactKind.MEDICATION_CHANGE)],
        ),
        _listed("Discharge destination: {}.", [f.value for f in story.facts(FactKind.DISPOSITION)]),
        _listed(
            "Follow-up: {}.",
            [
                f"{fact.label} {fact.detail.get('when', '')}".strip()
                for fact in story.facts(FactKind.FOLLOW_UP)
            ],
        ),
    ]
    return [sentence for sentence in made if sentence]


def _opening(story: Story) -> str:
    start = format_date(story.bundle.admission_start)
    complaints = story.facts(FactKind.CHIEF_COMPLAINT)
    reason = f" with {complaints[0].value}" if complaints else ""
    length = story.stay("length of stay")
    if length is None:
        return f"Admitted on {start}{reason}."
    end = format_date(story.bundle.admission_end)
    return f"Admitted on {start}{reason} and discharged on {end} ({length.value})."


def _findings(story: Story) -> list[str]:
    events = [*story.facts(FactKind.IMAGING), *story.facts(FactKind.CULTURE)]
    events.sort(key=event_date)
    return [f"{fact.label} on {event_date(fact)}, {_result(fact)}" for fact in events]


def _result(fact: Fact) -> str:
    return spoken(fact.value) if fact.kind is FactKind.IMAGING else fact.value


def _dated(facts: Sequence[Fact]) -> list[str]:
    return [f"{spoken(fact.label)} on {event_date(fact)}" for fact in facts]


def _treatment(fact: Fact) -> str:
    link = "because" if fact.detail.get("link") == "because" else "because of"
    return f"{fact.label} {fact.detail.get('action', 'given')} {link} {fact.value}"


def _listed(sentence: str, parts: Sequence[str]) -> str:
    return sentence.format(joined(parts[:_MOST_NAMED])) if parts else ""
