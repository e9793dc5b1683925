"""Judges a model's dialogue in another process: what it needs is named, read there and kept."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache

from pydantic import Field

from tasks.adapters.side_processes import computed
from tasks.adapters.workspace import Workspace
from tasks.audit.grounding.terms import ReleaseTerms, build_terms
from tasks.audit.term_names import TermNames, terms_of
from tasks.contracts.base import Contract
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.dialogue import DialogueInput, DialogueReply
from tasks.contracts.records import AdmissionRecord, AdmissionSummary
from tasks.dialogue.judging import Examined, Judge
from tasks.dialogue.synthesis import dialogue_input
from tasks.dialogue.violations import Place, Violation


class Case(Contract):
    """An admission that a dialogue was asked for, by where its parts lie."""

    workspace: Workspace = Field(description="The output folder")
    bundle: BundleRef = Field(description="The admission's record")
    previous: AdmissionSummary | None = Field(description="Summary of the previous admission")
    turns: tuple[int, int] | None = Field(description="Fewest and most; null: by length of stay")
    terms: ArtifactRef | None = Field(
        description="The names that the audit of the release will know; null: this record's"
    )

    def asked(self) -> DialogueInput:
        """What the dialogue was asked for."""
        record = self.workspace.load(self.bundle.path, self.bundle.sha256, AdmissionRecord)
        return dialogue_input(record, self.previous, self.turns)


@dataclass(frozen=True)
class Apart:
    """Examines replies in another process, where this one has any; see ``Judge``."""

    case: Case
    given: DialogueInput
    urgency: float = 0.0

    def examine(self, reply: DialogueReply) -> Examined:
        """What is wrong with a reply, and what its turns state."""
        asked = _Asked(case=self.case, reply=reply).model_dump_json().encode()
        found = _Found.model_validate_json(computed(examine_reply, asked, self.urgency))
        faults = tuple(Violation(one.public, one.told, one.place) for one in found.faults)
        return Examined(faults, found.sourced)


def examine_reply(asked: bytes) -> bytes:
    """Judge a reply; both what is given and what comes back are JSON of this module's shapes."""
    given = _Asked.model_validate_json(asked)
    found = Judge(given.case.asked(), terms_behind(given.case)).examine(given.reply)
    faults = tuple(
        _Fault(public=one.public, told=one.told, place=one.place) for one in found.faults
    )
    return _Found(faults=faults, sourced=found.sourced).model_dump_json().encode()


def terms_behind(case: Case) -> ReleaseTerms:
    """What counts as a name in the claims about an admission."""
    if case.terms is None:
        return build_terms([case.asked().record.bundle])
    # A cache alone lets every thread of a run's first moment read them for itself.
    with _reading:
        return _read_terms(case.terms.path, case.terms.sha256, case.workspace.out)


_reading = threading.Lock()


@lru_cache(maxsize=1)
def _read_terms(path: str, sha256: str, out: str) -> ReleaseTerms:
    return terms_of(Workspace(out=out).load(path, sha256, TermNames))


class _Asked(Contract):
    case: Case
    reply: DialogueReply


class _Fault(Contract):
    public: str
    told: str
    place: Place


class _Found(Contract):
    faults: tuple[_Fault, ...]
    sourced: DialogueReply | None
