"""Writes a release's README.md: what it is, how big, who may see it and how to read it."""

from __future__ import annotations

from string import Template

from tasks.contracts.build import DataClass
from tasks.contracts.release import ReleaseFacts
from tasks.contracts.statistics import Distribution, ReleaseStatistics
from tasks.release.counts import count_release

_DATA_USE: dict[DataClass, str] = {
    "synthetic": "Made from synthetic records: no real patient stands behind it, and it may be "
    "shared freely.",
    "open": "Made from openly licensed records (the MIMIC-IV demo is under the Open Data Commons "
    "Open Database License): keep the source's attribution and licence with every copy.",
    "credentialed": "Made from credentialed records: the source's data use agreement covers this "
    "release too. Keep it where the source may be kept, give it to nobody without the same "
    "credentials, and send it to no third party, hosted language models included.",
}

_GENERATOR: dict[str, str] = {
    "programmatic": "The embedded rules wrote the dialogues and questions from the records; no "
    "language model took part.",
}

_CARD = Template(
    """# $name

Doctor-patient dialogues, one for each hospital admission, joined into one long conversation for
each patient, with questions that cite the turns their answers follow from.

| | |
|---|---|
| generator | $generator |
| model | $model |
| data class | $data_class |
| recipe | `$recipe` |

$generated_by

## Size

| figure | count |
|---|---|
$counts

| a patient has | mean | median | largest |
|---|---|---|---|
$coverage

| questions | scope | count | words of an answer | turns cited |
|---|---|---|---|---|
$questions

Left out or set aside: $skipped (listed with their reasons in `manifest.json`).

## Data use

$data_use

## How to read it

- `SUBJECT/combined_conversation.json`: the patient's sessions in time order; a reader that knows
  only this file and `SUBJECT/benchmark_qa.json` has the whole benchmark.
- `SUBJECT/benchmark_qa.json`: all questions of the patient, shuffled with the subject id as seed;
  `cross_admission_qa.json` and `HADM/qa.json` hold them apart.
- `evidence.turns` names the cited turns as (`hadm_id`, `turn_number`); `evidence.turn_ids` repeats
  the numbers for questions about one admission.
- An adversarial question can't be answered from the conversation; its answer is always
  `the question is not answerable`.
- `SUBJECT/HADM/` holds what a session was made of: `formed_packet.json` (source rows),
  `prompt_record.json` (request and reply), `conversation.json`, `summary.json`.
- `stats.json`: statistics; `gates.json`: the checks it was published on; `manifest.json`: every
  file with its digest. `anamnesis verify` checks all of it again.

## Limits

- Times are MIMIC's shifted ones: intervals within a patient are real, dates are not.
- The conversations never took place; they retell records and leave out what records leave out.
- Do not use it to make decisions about patients.
"""
)


def render_card(facts: ReleaseFacts, statistics: ReleaseStatistics) -> str:
    """The card's Markdown; the same release has the same card."""
    counts = count_release(statistics)
    coverage = statistics.coverage
    return _CARD.substitute(
        name=facts.name,
        generator=facts.generator,
        model=facts.model,
        data_class=facts.data_class,
        recipe=facts.recipe,
        generated_by=_generated_by(facts),
        counts="\n".join(f"| {name.replace('_', ' ')} | {n:,} |" for name, n in counts.items()),
        coverage="\n".join(
            (
                _spread("sessions", coverage.sessions),
                _spread("turns", coverage.turns),
                _spread("tokens (o200k_base)", coverage.tokens),
                _spread("days from first to last", coverage.span_days),
            )
        ),
        questions="\n".join(
            f"| {one.question_type.replace('_', ' ')} | {one.scope.replace('_', ' ')} "
            f"| {one.questions:,} | {_number(one.mean_answer_words)} "
            f"| {_number(one.mean_cited_turns)} |"
            for one in statistics.questions
        ),
        skipped=f"{len(facts.skipped):,} {'item' if len(facts.skipped) == 1 else 'items'}",
        data_use=_DATA_USE[facts.data_class],
    )


def _generated_by(facts: ReleaseFacts) -> str:
    if facts.generator in _GENERATOR:
        return _GENERATOR[facts.generator]
    by_code, turns = facts.code_questions, facts.turn_range
    asked = f" Each dialogue was asked for with {turns[0]} to {turns[1]} turns." if turns else ""
    return (
        "A language model wrote the dialogues and questions from the records; code checked each "
        "claim and answer, worked out every question across admissions with its answer, and the "
        f"targets of unanswerable ones. {by_code.worked_out:,} questions about one admission were "
        f"worked out by code too, and {by_code.in_words_of_code:,} questions are in its words."
        f"{asked}"
    )


def _spread(name: str, figure: Distribution) -> str:
    numbers = (figure.mean, figure.median, figure.maximum)
    return f"| {name} | " + " | ".join(_number(one) for one in numbers) + " |"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f}"
