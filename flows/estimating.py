"""What a language model would be asked for a cohort, and what that costs, without asking it."""

from __future__ import annotations

from collections.abc import Iterable

from flows.build_run import BuildRun
from flows.estimates import stage_estimate
from flows.model_sessions import prices_of
from flows.table_artifacts import publish_estimate
from tasks.adapters.tokens import TOKENIZER, count_tokens
from tasks.contracts.build import CohortBuild, PatientPlan
from tasks.contracts.records import AdmissionRecord
from tasks.contracts.usage import Estimate
from tasks.dialogue.estimating import expected_request
from tasks.qa.generated.estimate import question_requests_estimate

TOKENS_A_SPOKEN_TURN = 45
"""Of a finished turn with number, time and speaker, as questions are asked about it."""

_TOKENS_A_REQUEST = 11
"""What the protocol adds to two messages."""


def estimate_requests(run: BuildRun, cohort: CohortBuild) -> Estimate:
    """Count every prompt of the cohort; the run's report shows what they come to.

    Prompts of dialogues are counted exactly but for the previous stay's summary, which a stand-in
    replaces; replies, and the conversations that questions show, are reckoned from the turns asked
    for.
    """
    dialogues, questions = (0, 0, 0), (0, 0, 0)
    with run.stage("estimate", len(cohort.patients)):
        for plan in cohort.patients:
            asked, conversations = _dialogues(plan, run)
            dialogues = _sum(dialogues, asked)
            if run.settings.until != "dialogues":
                questions = _sum(questions, question_requests_estimate(conversations))
            run.count("estimate", "computed")
    prices = prices_of(run.settings, (run.spec.model,))
    totals = {
        "dialogues": dialogues,
        "questions": questions,
        "in all": _sum(dialogues, questions),
    }
    estimate = Estimate(
        model=run.spec.model,
        tokenizer=TOKENIZER,
        patients=len(cohort.patients),
        admissions=sum(len(plan.bundles) for plan in cohort.patients),
        stages={name: stage_estimate(run.spec.model, *one, prices) for name, one in totals.items()},
    )
    run.estimate = estimate
    publish_estimate(estimate)
    return estimate


def _dialogues(plan: PatientPlan, run: BuildRun) -> tuple[tuple[int, int, int], list[int]]:
    """Calls, prompt and reply tokens of a patient's dialogues; the conversations' tokens."""
    calls, given, replied = 0, 0, 0
    conversations: list[int] = []
    for ref in plan.bundles:
        record = run.workspace.load(ref.path, ref.sha256, AdmissionRecord)
        request = expected_request(record, is_first=not calls, turns=run.spec.turns)
        calls += 1
        given += count_tokens(request.system_message) + count_tokens(request.task_message)
        given += _TOKENS_A_REQUEST
        replied += request.output_tokens
        conversations.append(request.turns * TOKENS_A_SPOKEN_TURN)
    return (calls, given, replied), conversations


def _sum(one: Iterable[int], other: Iterable[int]) -> tuple[int, int, int]:
    calls, given, replied = (a + b for a, b in zip(one, other, strict=True))
    return calls, given, replied
