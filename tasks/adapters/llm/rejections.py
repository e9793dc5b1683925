"""What to tell of a request that won't be answered: what was found, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.adapters.llm.health import Health
from tasks.adapters.llm.outcomes import Failed, Rejected
from tasks.contracts.errors import ModelFailed, ProviderUnavailable

_RESUMES = "Finished work is kept, the same command resumes"
_ONCE_RIGHT = "Finished work is kept: put it right and run again"


@dataclass(frozen=True)
class Asked:
    """Who is asked, as messages name it."""

    base_url: str
    model: str
    key_variable: str
    has_key: bool = True


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
            "check the settings server, model_family and output_tokens",
            "permanent",
        )
    return health.fail(f"{_unavailable(rejected, asked)}. {_ONCE_RIGHT}")


def _unavailable(rejected: Rejected, asked: Asked) -> str:
    where, what = asked.base_url, rejected.what
    if rejected.reason == "key" and not asked.has_key:
        return (
            f"{where} wants a key ({what}) and none was sent: {asked.key_variable} is not set; set "
            "it, or name another variable with --key-variable"
        )
    if rejected.reason == "key":
        return (
            f"{where} refuses the key ({what}): check the key in {asked.key_variable}, and that it "
            f"may use the model {asked.model}"
        )
    if rejected.reason == "missing":
        return (
            f"{where} has no model {asked.model} or is no such API ({what}): check model, "
            "azure_deployment and base_url, which often ends in /v1"
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
        "adapted: check the settings server and model_family",
        "permanent",
    )


def left_blank(asked: Asked, answers: int) -> ModelFailed:
    """The error for answers of success without a reply."""
    return ModelFailed(
        f"{asked.model} at {asked.base_url} answered {answers} times without a reply", "transient"
    )


def unlike_others(failed: Failed, asked: Asked, seconds: float) -> ModelFailed:
    """The error for a request that is not answered in time, while others are."""
    return ModelFailed(
        f"{_no_reply(failed, asked, seconds)}, though others are answered", "transient"
    )


def unreachable(
    failed: Failed, asked: Asked, seconds: float, health: Health
) -> ProviderUnavailable:
    """Ends the session: no request was answered in the time that one may take."""
    remedy = "check that the server runs and that base_url is right"
    if failed.cause == "overloaded":
        remedy = "lower the concurrency, or come back later"
    return health.fail(f"{_no_reply(failed, asked, seconds)}: {remedy}. {_RESUMES}")


def _no_reply(failed: Failed, asked: Asked, seconds: float) -> str:
    what = f"no reply from {asked.base_url} in {seconds:.0f} seconds ({failed.what}"
    if failed.retry_after_seconds:
        what += f", asks to wait {failed.retry_after_seconds:.0f} more"
    return f"{what})"
