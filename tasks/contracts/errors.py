"""Everything that can go wrong, by who can put it right.

AnamnesisError
├── UserError             exit 2: wrong use or bad input; one message, nothing written
│   ├── SettingError      a setting, option or path
│   ├── SourceError       a MIMIC file, column, record or value
│   └── ReleaseError      a release folder that can't be read
├── GateFailed            exit 1: a stage's data broke an expectation
├── RunFailed             exit 1: the machine or the program failed; the same command resumes
│   └── ServerLost        Prefect's server went away
├── TooManyFailed         exit 1: more items failed than the run allows
├── ItemFailed            exit 1: one admission's or patient's work failed; others go on
│   ├── ReplyInvalid      a model's reply broke a hard rule after every repair
│   └── ModelFailed       a request was not answered as asked; ``outcome`` names how
│       └── ReplyMalformed    the reply is not of the asked shape; it can be sent back
└── ProviderUnavailable   exit 3: the model can't be reached; the run resumes where it stopped
    └── BudgetSpent       what the user allowed to spend is spent

Messages carry ids, names, counts and remedies, never patient text.
"""

from __future__ import annotations

from typing import Literal

from tasks.contracts.build import GateResult


class AnamnesisError(Exception):
    """Base of all errors of this project; ``exit_code`` is the process's exit code."""

    exit_code = 1


class UserError(AnamnesisError):
    """Something the user can put right: the message says what, where and how."""

    exit_code = 2


class SettingError(UserError):
    """A setting, option or path can't be used."""


class SourceError(UserError):
    """A MIMIC file is missing, damaged or not shaped as documented."""


class ReleaseError(UserError):
    """A folder isn't a release, or a file in it can't be read."""


class GateFailed(AnamnesisError):
    """A stage's table broke an expectation, or the gate could not be evaluated.

    Attributes:
        result: the verdict, with the expectations that were broken.
    """

    def __init__(self, message: str, result: GateResult) -> None:
        super().__init__(message)
        self.result = result


class BadInputGateFailed(GateFailed, UserError):
    """A source or cohort gate failed: the input itself is unusable (exit 2)."""

    exit_code = 2


class RunFailed(AnamnesisError):
    """The machine or the program failed: finished work is kept, the same command resumes."""


class ServerLost(RunFailed):
    """Prefect's server went away during the run."""

    def __init__(self) -> None:
        super().__init__(
            "Prefect's server went away during the run: finished work is kept, the same command "
            "resumes"
        )


class TooManyFailed(AnamnesisError):
    """More admissions failed, or depend on a failed one, than the run allows."""


class ItemFailed(AnamnesisError):
    """One admission's or patient's work can't be done; retrying won't help."""


class ReplyInvalid(ItemFailed):
    """A reply broke a hard rule after every repair; ``violations`` name rule and turn."""

    def __init__(self, message: str, violations: tuple[str, ...]) -> None:
        super().__init__(message)
        self.violations = violations


Outcome = Literal[
    "invalid",
    "refused",
    "filtered",
    "truncated",
    "context_too_long",
    "prompt_cut",
    "transient",
    "permanent",
]
"""How a request ended that was not answered as asked."""


class ModelFailed(ItemFailed):
    """A request to a model was not answered as asked; the tokens it took are counted all the same.

    refused: the model declined · filtered: a content filter · truncated: cut at the output limit,
    also with a larger one · context_too_long: more than the model reads · prompt_cut: the server
    silently read only a part of the prompt · transient: no answer in the time allowed, though the
    provider answers others · permanent: the server can't process this request.
    """

    def __init__(self, message: str, outcome: Outcome) -> None:
        super().__init__(message)
        self.outcome = outcome


class ReplyMalformed(ModelFailed):
    """A reply that is no JSON of the asked shape.

    ``content`` is the reply as it came and ``violations`` say what is wrong with it, both for the
    model's eyes only: they may hold patient text.
    """

    def __init__(self, message: str, content: str, violations: tuple[str, ...]) -> None:
        super().__init__(message, "invalid")
        self.content = content
        self.violations = violations


class ProviderUnavailable(AnamnesisError):
    """The model provider can't be reached; finished work is kept and the run resumes."""

    exit_code = 3


class BudgetSpent(ProviderUnavailable):
    """The next request could exceed what may be spent; finished work is kept, the run resumes."""
