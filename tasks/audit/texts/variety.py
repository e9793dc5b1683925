"""How many different things a release says, once what differs by patient is masked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable

from tasks.audit.shares import rounded, share_of
from tasks.audit.texts.copying import Copy, NoteWords
from tasks.audit.texts.masking import SLOT, Kept, Vocabulary, form_of, without_opening
from tasks.contracts.audit import AuditPatient, AuditSession, AuditVariety, FormVariety
from tasks.contracts.questions import QuestionType

QUESTION_FORM_SHARE = 0.05
"""Accepted share of one form among the questions of its type."""

TURN_SHARE = 0.005
"""Accepted share of one text, or one form, among all turns."""

FRAME_WORDS = 4
"""A turn whose frame has fewer words is no template: its text is its form."""

ALWAYS_ALLOWED = 3
"""Occurrences that are accepted however few texts there are."""

ITEMS_SHOWN = 50


class VarietyAudit:
    """Takes a release patient by patient; the order of patients doesn't matter."""

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._vocabulary = vocabulary or Vocabulary()
        self._questions: defaultdict[QuestionType, list[tuple[str, str]]] = defaultdict(list)
        self._turns: defaultdict[str, list[str]] = defaultdict(list)
        self._repeated: list[str] = []
        self._copies: dict[str, Copy] = {}

    def add(self, patient: AuditPatient) -> None:
        """Take a patient's questions and turns."""
        self._vocabulary.add(patient)
        for question in patient.questions:
            self._questions[question.question_type].append((question.question, question.qa_id))
        for session in patient.sessions:
            self._add_turns(session)
            self._add_copies(session)

    def _add_turns(self, session: AuditSession) -> None:
        said: set[str] = set()
        for line in session.lines:
            place = f"{session.hadm_id}:{line.turn_number}"
            self._turns[line.text].append(place)
            if line.text in said:
                self._repeated.append(place)
            said.add(line.text)

    def _add_copies(self, session: AuditSession) -> None:
        bundle = session.bundle
        notes = (*bundle.discharge_notes, *bundle.radiology_notes) if bundle else ()
        if not notes:
            return
        index = NoteWords(note.text for note in notes)
        for line in session.lines:
            place = f"{session.hadm_id}:{line.turn_number}"
            self._copies[place] = index.longest_copy(line.text)

    def figures(self) -> AuditVariety:
        """The figures of all patients taken so far."""
        kept = self._vocabulary.frame()
        turns = sum(map(len, self._turns.values()))
        copied = sorted(place for place, copy in self._copies.items() if copy.is_long)
        return AuditVariety(
            questions={
                kind: _variety(
                    ((text, (qa_id,)) for text, qa_id in self._questions[kind]),
                    lambda text: form_of(without_opening(text), kept),
                    QUESTION_FORM_SHARE,
                )
                for kind in QuestionType
                if self._questions.get(kind)
            },
            turn_texts=_variety(self._turns.items(), str, TURN_SHARE),
            turn_forms=_variety(
                self._turns.items(), lambda text: _turn_form(text, kept), TURN_SHARE
            ),
            recurring=share_of(
                sum(len(places) for places in self._turns.values() if len(places) > 1), turns
            ),
            repeated_in_session=share_of(len(self._repeated), turns),
            repeated_items=tuple(sorted(self._repeated)[:ITEMS_SHOWN]),
            copied=share_of(len(copied), len(self._copies)),
            longest_copy=max((copy.passage for copy in self._copies.values()), default=0),
            copied_items=tuple(copied[:ITEMS_SHOWN]),
        )


def _turn_form(text: str, kept: Kept) -> str:
    """The form of a turn; short answers, which anyone gives, have none but their text."""
    form = form_of(text, kept)
    frame = sum(token not in (SLOT, "?") for token in form.split())
    return form if frame >= FRAME_WORDS else text


def _variety(
    texts: Iterable[tuple[str, Iterable[str]]],
    form: Callable[[str], Hashable],
    accepted: float,
) -> FormVariety:
    """Counts texts by form; the items of forms that occur too often are named."""
    places: defaultdict[Hashable, list[str]] = defaultdict(list)
    for text, items in texts:
        places[form(text)].extend(items)
    counts = Counter({one: len(items) for one, items in places.items()})
    n = counts.total()
    largest = max(counts.values(), default=0)
    allowed = max(ALWAYS_ALLOWED, int(n * accepted))
    over = sorted(item for one, count in counts.items() if count > allowed for item in places[one])
    return FormVariety(
        n=n,
        distinct=len(counts),
        largest=largest,
        share=rounded(largest / n) if n else None,
        allowed=allowed,
        items=tuple(over[:ITEMS_SHOWN]),
    )
