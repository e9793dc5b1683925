"""What a language model would be asked for a cohort, and what that costs, without asking it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from prefect.artifacts import create_table_artifact
from pydantic import Field

from flows.build_run import BuildRun
from flows.model_access import prices_of
from tasks.adapters.files import read_model, write_json
from tasks.adapters.llm.prices import PriceTable
from tasks.adapters.retrying import patiently
from tasks.adapters.tokens import TOKENIZER, count_tokens
from tasks.contracts.base import Contract
from tasks.contracts.build import CohortBuild, PatientPlan
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.estimating import expected_request
from tasks.qa.generated.estimate import question_requests_estimate

FILE = "estimate.json"
TOKENS_A_SPOKEN_TURN = 45
"""Of a finished turn with number, time and speaker, as questions are asked about it."""

_TOKENS_A_REQUEST = 11
"""What the protocol adds to two messages."""


class StageEstimate(Contract):
    """What one stage would take."""

    calls: int = Field(description="Requests")
    input_tokens: int = Field(description="Prompt tokens")
    output_tokens: int = Field(description="Tokens of the replies")
    usd: float | None = Field(description="Cost by the price table; null without one")


class Estimate(Contract):
    """What a build would take, before any request; repairs and new tries come on top."""

    model: str = Field(description="The model")
    tokenizer: str = Field(description="Vocabulary by which prompts are counted")
    patients: int = Field(description="Patients of the cohort")
    admissions: int = Field(description="Their admissions")
    stages: dict[str, StageEstimate] = Field(description="dialogues, questions, in all")


def estimate_requests(run: BuildRun, cohort: CohortBuild) -> Estimate:
    """Count every prompt of the cohort and write ``report/estimate.json``.

    Prompts of dialogues are counted exactly but for the previous stay's summary, which a stand-in
    replaces; replies, and the conversations that questions show, are reckoned from the turns asked
    for.
    """
    dialogues, questions = (0, 0, 0), (0, 0, 0)
    with run.stage("estimate", len(cohort.patients)):
        for plan in cohort.patients:
            asked, conversations = _dialogues(plan, run)
            dialogues = _sum(dialogues, asked)
            questions = _sum(questions, question_requests_estimate(conversations))
            run.count("estimate", "computed")
    prices = prices_of(run.settings)
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
        stages={name: _stage(one, run.spec.model, prices) for name, one in totals.items()},
    )
    write_json(run.workspace.report / FILE, estimate)
    patiently(lambda: _publish(estimate))
    return estimate


def read_estimate(report: Path) -> Estimate:
    """Read what ``estimate_requests`` wrote; raises OSError or pydantic.ValidationError."""
    return read_model(report / FILE, Estimate)


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


def _stage(counted: tuple[int, int, int], model: str, prices: PriceTable | None) -> StageEstimate:
    calls, given, replied = counted
    return StageEstimate(
        calls=calls,
        input_tokens=given,
        output_tokens=replied,
        usd=None if prices is None else round(prices.cost_usd(model, given, replied), 4),
    )


def _publish(estimate: Estimate) -> None:
    create_table_artifact(
        key="estimate",
        table=[{"stage": name, **one.model_dump()} for name, one in estimate.stages.items()],
        description=f"What {estimate.model} would be asked; nothing was asked",
    )
