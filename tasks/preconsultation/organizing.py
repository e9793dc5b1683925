"""Takes interviews apart into clinical facts, turn by turn (spec section 2, step 3).

A turn's facts don't depend on later turns, so interviews that are cut share them.
"""

from __future__ import annotations

from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ModelFailed
from tasks.contracts.preconsultation import (
    Interview,
    Language,
    OrganizedInterview,
    Turn,
    TurnUnits,
    Unit,
)
from tasks.preconsultation.requests import organize_request
from tasks.preconsultation.shapes import OrganizeTask, UnitDraft
from tasks.preconsultation.terms import content_words
from tasks.terminology.splitting import split_words

LEAST_SAID = 0.5
"""Share of a fact's words that its turn has to hold."""

_Said = tuple[tuple[str, ...], bool]


def organize(interview: Interview, language: Language, organizer: ChatModel) -> OrganizedInterview:
    """The facts of every turn; those said before and those the turn doesn't say are left out."""
    seen: set[_Said] = set()
    found: list[TurnUnits] = []
    for turn in interview.turns:
        if not turn.question:
            found.append(TurnUnits(number=turn.number))
            continue
        task = OrganizeTask(language=language, turn=turn)
        try:
            drafts = organizer.complete(organize_request(task)).parsed.units
        except ModelFailed as failure:
            reason = f"organizer: {failure.outcome}"
            found.append(TurnUnits(number=turn.number, failed=reason))
            continue
        found.append(_sorted_out(turn, drafts, seen))
    return OrganizedInterview(pid=interview.pid, turns=tuple(found))


def is_said(statement: str, turn: Turn) -> bool:
    """Whether a turn holds at least half of the words of a fact; one without words isn't said."""
    words = set(content_words(statement))
    said = set(content_words("\n".join((turn.question, *turn.options, turn.answer))))
    return bool(words) and len(words & said) >= LEAST_SAID * len(words)


def _sorted_out(turn: Turn, drafts: tuple[UnitDraft, ...], seen: set[_Said]) -> TurnUnits:
    units: list[Unit] = []
    unsupported = duplicates = 0
    for draft in drafts:
        key = (tuple(split_words(draft.statement)), draft.is_negative)
        if not is_said(draft.statement, turn):
            unsupported += 1
        elif key in seen:
            duplicates += 1
        else:
            seen.add(key)
            units.append(
                Unit(statement=" ".join(draft.statement.split()), is_negative=draft.is_negative)
            )
    return TurnUnits(
        number=turn.number, units=tuple(units), unsupported=unsupported, duplicates=duplicates
    )
