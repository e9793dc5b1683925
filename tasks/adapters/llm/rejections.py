"""What to tell of a request that won't be answered: what was found, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.adapters.llm.health import Health
from tasks.adapters.llm.outcomes import Failed, Rejected
from tasks.contracts.errors import ModelFailed, ProviderUnavailable

_RESUMES = "Finished work is kept, the same command resumes"


@dataclass(frozen=True)
class Asked:
    """Who is asked, as messages name it."""

    base_url: str
    model: str
    key_variable: str


def rejection(
    rejected: Rejected, asked: Asked, health: Health
) -> ModelFailed | ProviderUnavailable:
    """The error for a request that won't succeed; ends the session where no other would either."""
    if rejected.reason == "context":
        return ModelFailed(
            f"the prompt and the reply are more than {asked.model} reads ({rejected.what})",
            "context_too_long",
        )
    if rejected.reason == "request":
        return ModelFailed(
            f"{asked.model} at {asked.base_url} can't process the request ({rejected.what}): "
            "check the settings server, family and output_tokens",
            "permanent",
        )
    return health.fail(f"{_unavailable(rejected, asked)}. {_RESUMES}")


def _unavailable(rejected: Rejected, asked: Asked) -> str:
    where, what = asked.base_url, rejected.what
    if rejected.reason == "key":
        return (
            f"{where} refuses the key ({what}): check the key in {asked.key_variable}, and that it "
            f"may use the model {asked.model}"
        )
    if rejected.reason == "missing":
        return (
            f"{where} has no model {asked.model} or is no such API ({what}): check model, "
            "deployment and base_url, which often ends in /v1"
        )
    if rejected.reason == "quota":
        return f"the account at {where} has no credit left ({what}): add some"
    return (
        f"{where} sends requests elsewhere ({what}), which is never followed: set base_url to the "
        "final address"
    )


def refused_parameter(parameter: str, asked: Asked) -> ModelFailed:
    """The error for a parameter that a model refuses in every way it can be sent."""
    return ModelFailed(
        f"{asked.model} at {asked.base_url} refuses the parameter {parameter}, also as it was "
        "adapted: check the settings server and family",
        "permanent",
    )


def given_up(
    failed: Failed, asked: Asked, seconds: float, *, others_answered: bool, health: Health
) -> ModelFailed | ProviderUnavailable:
    """The error for a request without an answer in the time allowed."""
    what = f"no reply from {asked.base_url} in {seconds:.0f} seconds ({failed.what})"
    if failed.retry_after_seconds:
        what += f", which asks to wait {failed.retry_after_seconds:.0f} seconds more"
    if others_answered:
        return ModelFailed(f"{what}, though others were answered meanwhile", "transient")
    remedy = "is the server running, and base_url right?"
    if failed.cause == "overloaded":
        remedy = "lower the concurrency, or come back later"
    return health.fail(f"{what}: {remedy} {_RESUMES}")
