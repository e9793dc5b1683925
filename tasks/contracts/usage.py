"""What a run asked of a language model, and what that took."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract


class UsageCounts(Contract):
    """Requests and tokens of one share of a run.

    Tokens and cost are those of this run's requests, whatever came of the reply: replies kept
    from before cost nothing again and are counted as replayed alone.
    """

    requests: int = Field(default=0, description="Requests that the server answered in this run")
    replayed: int = Field(default=0, description="Requests answered from replies kept before")
    failed_attempts: int = Field(
        default=0, description="HTTP requests without a usable answer, tried again or given up"
    )
    input_tokens: int = Field(default=0, description="Prompt tokens")
    cached_input_tokens: int = Field(
        default=0, description="Those of the prompt tokens that the server had cached"
    )
    output_tokens: int = Field(default=0, description="Completion tokens")
    usd: float | None = Field(default=None, description="Cost by the price table; null without one")
    estimated: int = Field(
        default=0, description="Requests whose tokens were counted here: the server named none"
    )


class UsageReport(Contract):
    """The usage of a run, in all and by what it was for."""

    total: UsageCounts = Field(default=UsageCounts(), description="All requests")
    by_stage: dict[str, UsageCounts] = Field(default={}, description="By stage of the build")
    by_patient: dict[str, UsageCounts] = Field(default={}, description="By subject_id")
    by_model: dict[str, UsageCounts] = Field(default={}, description="By model")


class RunUsage(UsageCounts):
    """The same as a run's report has it: the totals, and beside them what they were for."""

    by_stage: dict[str, UsageCounts] = Field(default={}, description="By stage of the build")
    by_patient: dict[str, UsageCounts] = Field(default={}, description="By subject_id")
    by_model: dict[str, UsageCounts] = Field(default={}, description="By model")

    kept: UsageCounts | None = Field(
        default=None,
        description="What all kept replies of this output took, in this run and those before; null "
        "where no model was asked, and while a run is going on",
    )

    @classmethod
    def of(cls, report: UsageReport, kept: UsageCounts | None = None) -> RunUsage:
        """A usage report as a run's report has it."""
        parts = report.model_dump()
        return cls.model_validate({**parts.pop("total"), **parts, "kept": kept})


Certainty = Literal["exact", "at most", "about"]
"""How near a figure is to what a run will take, if every reply is usable."""


class StageEstimate(Contract):
    """What one stage would take."""

    calls: int = Field(description="Requests")
    input_tokens: int = Field(description="Prompt tokens")
    output_tokens: int = Field(description="Tokens of the replies")
    usd: float | None = Field(description="Cost by the price table; null without one")
    input_usd: float | None = Field(default=None, description="What of it prompts cost")
    kept: int | None = Field(
        default=None,
        description="Requests answered by replies of earlier runs, not among the calls; null where "
        "nobody looked",
    )
    certainty: Certainty = Field(default="about", description="Of the requests and their prompts")


class Estimate(Contract):
    """What a run would take, before any request; repairs and new tries come on top."""

    model: str = Field(description="The model, or several")
    tokenizer: str = Field(description="Vocabulary by which prompts are counted")
    patients: int = Field(description="Patients of the cohort")
    admissions: int = Field(description="Their admissions")
    questions: int | None = Field(
        default=None, description="Questions that are there to be answered; null for a build"
    )
    replies: Certainty = Field(default="about", description="Of the tokens of replies")
    stages: dict[str, StageEstimate] = Field(
        description="dialogues, questions, in all; of an evaluation every system, judge, in all"
    )
