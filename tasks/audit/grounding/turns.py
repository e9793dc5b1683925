"""The grounding audit: what each turn says, and what of it the record doesn't bear out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tasks.audit.grounding.claims import Checked, Turn, denial_claims, side_claims, term_claims
from tasks.audit.grounding.dates import dates
from tasks.audit.grounding.days import date_claims
from tasks.audit.grounding.measures import last_medicine, number_claims
from tasks.audit.grounding.record import RecordIndex, index_record
from tasks.audit.grounding.terms import ReleaseTerms
from tasks.audit.grounding.text import turn_sentences
from tasks.contracts.audit import AuditSession, ClaimKind, TurnAudit


def audit_turns(
    session: AuditSession, terms: ReleaseTerms, texts: RecordIndex | None = None
) -> tuple[TurnAudit, ...]:
    """The claims of each turn and those that nothing bears out; none where there's no record.

    ``texts`` is what ``index_texts`` made of the record, where it is read for several sessions.
    """
    if session.bundle is None:
        return ()
    index = index_record(session.bundle, terms, texts)
    return tuple(
        _audited(session.hadm_id, Turn(line, session.bundle), index, terms)
        for line in session.lines
    )


def _audited(hadm_id: str, turn: Turn, index: RecordIndex, terms: ReleaseTerms) -> TurnAudit:
    checked = list(_claims(turn, index, terms))
    counted: Counter[ClaimKind] = Counter(one.claim.kind for one in checked)
    return TurnAudit(
        hadm_id=hadm_id,
        turn_number=turn.line.turn_number,
        claims={kind: counted[kind] for kind in sorted(counted)},
        unsupported=tuple(one.claim for one in checked if not one.supported),
    )


def _claims(turn: Turn, index: RecordIndex, terms: ReleaseTerms) -> Iterator[Checked]:
    plain, dated = dates(turn.line.text)
    sentences = [(one, terms.mentions(one)) for one in turn_sentences(plain)]
    yield from date_claims(turn, dated, sentences, index)
    carried = None
    for sentence, mentions in sentences:
        yield from term_claims(turn, sentence, mentions, index)
        yield from denial_claims(turn, sentence, mentions, index)
        yield from side_claims(turn, sentence, mentions, index)
        yield from number_claims(turn, sentence, mentions, index, carried)
        carried = last_medicine(sentence, mentions) or carried
