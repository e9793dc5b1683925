"""What checks and repairs change: the audit's figures of a model's replies and of what was taken.

    python -m tests.live.repair_figures OUT

reads the kept replies and staged dialogues of a build. It prints counts and names of rules only.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path

from tasks.adapters.files import read_model
from tasks.adapters.llm.reading import read_reply
from tasks.adapters.llm.reply_store import KeptReply
from tasks.audit.grounding.terms import ReleaseTerms, build_terms
from tasks.audit.grounding.turns import audit_turns
from tasks.contracts.audit import AuditSession
from tasks.contracts.dialogue import AdmissionDialogue, DialogueReply, SourcedLine
from tasks.contracts.errors import ReplyMalformed
from tasks.contracts.records import AdmissionRecord, AdmissionSummary
from tasks.dialogue.drafts import DialogueDraft, read_draft
from tasks.dialogue.judging import Judge
from tasks.dialogue.synthesis import dialogue_input


@dataclass(frozen=True)
class Figures:
    """What the turns of one dialogue claim, and the rules that it breaks."""

    turns: int
    claims: int
    unsupported: int
    faults: Counter[str]

    @classmethod
    def of(cls, reply: DialogueReply, judge: Judge) -> Figures:
        """The figures of a dialogue and, in its faults, of its summary too."""
        lines = tuple(one for one in reply.conversation_lines if one.turn_number > 0)
        claims, unsupported = _claims(lines, judge)
        rules = Counter(_rule(one.public) for one in judge.faults_of(reply))
        return cls(len(lines), claims, unsupported, rules)

    def __str__(self) -> str:
        told = ", ".join(f"{rule} {count}" for rule, count in sorted(self.faults.items()))
        share = f"{self.unsupported}/{self.claims}"
        return f"turns {self.turns}  unsupported {share}  faults {self.faults.total()}: {told}"


def _claims(lines: Sequence[SourcedLine], judge: Judge) -> tuple[int, int]:
    session = AuditSession.of(judge.given.record.bundle, lines)
    audited = audit_turns(session, judge.terms)
    claims = sum(sum(turn.claims.values()) for turn in audited)
    return claims, sum(len(turn.unsupported) for turn in audited)


def _rule(public: str) -> str:
    return public.split(":")[0]


def figures_of(out: Path) -> Iterator[str]:
    """A line for each whole reply in the order of asking, and for each accepted dialogue."""
    records = [read_model(path, AdmissionRecord) for path in (out / "cache/bundles").glob("*.json")]
    records.sort(key=_in_order)
    terms = build_terms(record.bundle for record in records)
    for _, of_patient in groupby(records, key=lambda record: record.bundle.subject_id):
        yield from _of_patient(out, list(of_patient), terms)


def _of_patient(
    out: Path, records: Sequence[AdmissionRecord], terms: ReleaseTerms
) -> Iterator[str]:
    drafts = list(_drafts(out / "cache/replies" / records[0].bundle.subject_id))
    previous: AdmissionSummary | None = None
    for record in records:
        stay = record.bundle
        accepted = _accepted(out, stay.hadm_id)
        judge = _judge(record, previous, accepted, terms)
        replies = [
            draft
            for draft in drafts
            if draft.summary.admission_start[:4] == str(stay.admission_start.year)
        ]
        for number, draft in enumerate(replies, start=1):
            reply, broken = read_draft(draft)
            told = Figures.of(reply, judge) if reply else f"unreadable: {len(broken)} faults"
            yield f"{stay.hadm_id} whole reply {number}: {told}"
        if accepted is not None:
            reply = accepted.prompt_record.structured_reply
            yield f"{stay.hadm_id} accepted: {Figures.of(reply, judge)}"
            yield f"{stay.hadm_id} by code: {accepted.prompt_record.mended}"
            previous = accepted.summary


def _in_order(record: AdmissionRecord) -> tuple[str, datetime, str]:
    stay = record.bundle
    return stay.subject_id, stay.admission_start, stay.hadm_id


def _drafts(folder: Path) -> Iterator[DialogueDraft]:
    kept = [read_model(path, KeptReply) for path in folder.glob("*.json")]
    for one in sorted(kept, key=lambda reply: reply.request_timestamp):
        try:
            yield read_reply(one.content, DialogueDraft)
        except ReplyMalformed:
            continue


def _accepted(out: Path, hadm_id: str) -> AdmissionDialogue | None:
    paths = sorted((out / "cache/dialogues").glob(f"dialogues.{hadm_id}.*.json"))
    return read_model(paths[-1], AdmissionDialogue) if paths else None


def _judge(
    record: AdmissionRecord,
    previous: AdmissionSummary | None,
    accepted: AdmissionDialogue | None,
    terms: ReleaseTerms,
) -> Judge:
    turns = accepted.prompt_record.recommended_turn_range if accepted else None
    return Judge(dialogue_input(record, previous, turns), terms)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Count what was wrong with a model's replies.")
    parser.add_argument("out", type=Path, help="output folder of a build by a language model")
    for line in figures_of(parser.parse_args().out):
        print(line)
