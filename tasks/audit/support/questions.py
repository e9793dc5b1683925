"""Support of questions by what they cite: the answer follows, no turn is idle, none contradicts.

How each figure is defined, and what it can't show: docs/audits-support.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from tasks.audit.support.answerability import answered
from tasks.audit.support.belonging import Asked
from tasks.audit.support.case import Case
from tasks.audit.support.contradiction import contradictions
from tasks.audit.support.cues import PHASES
from tasks.audit.support.derivations import follows
from tasks.audit.support.ordering import asks_extreme
from tasks.audit.support.question_reading import learned_form_words, read_question
from tasks.audit.support.question_terms import Term, divided
from tasks.audit.support.record_words import Record, record_of
from tasks.audit.support.spoken import Turn, is_common, turns_of
from tasks.contracts.audit import AuditPatient, AuditSession, QuestionAudit
from tasks.contracts.questions import Question, QuestionType

_MANY_TURNS = 8
_FEW_TURNS = 3


@dataclass(frozen=True)
class PatientReading:
    """A patient with everything that its questions are judged by."""

    sessions: tuple[AuditSession, ...]
    turns: tuple[tuple[Turn, ...], ...]
    record: Record
    said: frozenset[str]
    learned: frozenset[str]
    things: tuple[Term, ...]
    pairs: frozenset[tuple[str, str]]

    def asked(self, question: Question) -> Asked:
        """A question read with all that is known of the patient."""
        reading = read_question(question, self.sessions, self.learned)
        terms = dict.fromkeys(part for term in reading.terms for part in divided(term, self.exists))
        reading = replace(reading, terms=tuple(terms))
        return Asked(reading, self.things, self.said, self.pairs)

    def exists(self, keys: tuple[str, ...]) -> bool:
        """Whether any turn or record says these words one after the other."""
        if not set(keys) <= self.said:
            return False
        return any(
            turn.text.find(keys) for session in self.turns for turn in session
        ) or self.record.has(keys)


def audit_questions(patient: AuditPatient) -> tuple[QuestionAudit, ...]:
    """Judge every question of a patient, in the benchmark's order."""
    reading = read_for_audit(patient)
    return tuple(audit_question(question, reading) for question in patient.questions)


def read_for_audit(patient: AuditPatient) -> PatientReading:
    """Read a patient once for all of its questions."""
    turns = turns_of(patient.sessions)
    record = record_of(patient.sessions)
    said = frozenset(
        key for session in turns for turn in session for key in turn.text.places
    ) | frozenset(record.words)
    answerable = [one for one in patient.questions if not _adversarial(one)]
    learned = learned_form_words(answerable, said, patient.sessions)
    reading = PatientReading(patient.sessions, turns, record, said, learned, (), record.pairs)
    things = dict.fromkeys(
        term
        for question in answerable
        for term in reading.asked(question).reading.terms
        if not all(is_common(key) for key in term.keys)
    )
    pairs = {pair for term in things for pair in pairwise(term.keys)}
    return replace(reading, things=tuple(things), pairs=record.pairs | pairs)


def audit_question(question: Question, patient: PatientReading) -> QuestionAudit:
    """Judge one question, which need not be among those that the patient was read with."""
    asked = patient.asked(question)
    cited, missing = _cited(question, patient)
    found = QuestionAudit(
        qa_id=question.qa_id,
        scope=question.scope,
        question_type=question.question_type,
        cited_turns=len(question.evidence.turns),
        missing_turns=missing,
        whole_dialogue=_whole_dialogue(question, patient),
    )
    if _adversarial(question):
        places = answered(question, asked, patient.turns, patient.record, patient.sessions)
        return found.model_copy(update={"answered": places})
    case = Case(asked, cited or _every_turn(question, patient), patient.sessions)
    if not follows(case, question.answer):
        case = replace(case, own_dates=True)
    supported = follows(case, question.answer)
    return found.model_copy(
        update={
            "supported": supported,
            "dispensable_turns": _dispensable(case, question) if supported and cited else 0,
            "contradicting_turns": contradictions(case, question.answer, patient.turns)
            if supported and cited
            else (),
        }
    )


def _adversarial(question: Question) -> bool:
    return question.question_type is QuestionType.ADVERSARIAL


def _cited(question: Question, patient: PatientReading) -> tuple[tuple[Turn, ...], int]:
    """The cited turns in time order, and how many of them don't exist."""
    wanted = {(one.hadm_id, one.turn_number) for one in question.evidence.turns}
    found = tuple(
        turn
        for session in patient.turns
        for turn in session
        if (turn.hadm_id, turn.number) in wanted
    )
    return found, len(wanted) - len({turn.place for turn in found})


def _every_turn(question: Question, patient: PatientReading) -> tuple[Turn, ...]:
    """All turns of the cited admissions, where a release cites admissions only."""
    if question.evidence.turns:
        return ()
    return tuple(
        turn
        for session in patient.turns
        for turn in session
        if turn.hadm_id in question.evidence.admissions
    )


def _whole_dialogue(question: Question, patient: PatientReading) -> bool:
    """More than eight turns of one admission, or more than half of its turns if that is over 3."""
    numbers = {session[0].hadm_id: len(session) for session in patient.turns if session}
    cited = {
        hadm_id: len({one.turn_number for one in question.evidence.turns if one.hadm_id == hadm_id})
        for hadm_id in {one.hadm_id for one in question.evidence.turns}
    }
    return any(
        count > _MANY_TURNS or (count > _FEW_TURNS and 2 * count > numbers.get(hadm_id, 0))
        for hadm_id, count in cited.items()
    )


def _dispensable(case: Case, question: Question) -> int:
    """Cited turns without which the answer still follows.

    The last turn of a stay that the question names isn't dispensable, nor is the only one that
    tells of the condition asked for, such as discharge: the answer would rest on something else.
    """
    return sum(
        not _irreplaceable(case, turn) and follows(_without(case, turn), question.answer)
        for turn in case.turns
    )


def _without(case: Case, turn: Turn) -> Case:
    return replace(case, turns=tuple(one for one in case.turns if one is not turn))


def _irreplaceable(case: Case, turn: Turn) -> bool:
    named = case.asked.reading.stays
    wanted = case.asked.reading.cues & PHASES
    if wanted & turn.cues and not any(wanted & one.cues for one in case.turns if one is not turn):
        return True
    several = len(case.cited) > 1 and asks_extreme(case)
    if several and case.named_in((turn,)):
        return len(case.within(turn.session)) == 1
    return len(named) > 1 and turn.session in named and len(case.within(turn.session)) == 1
