"""What a good language model replies to question requests, for ScriptedModel."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.contracts.questions import AdmissionQuestionsInput, Lexicon, PatientChart
from tasks.qa.admission_questions import write_admission_questions
from tasks.qa.generated.replies import (
    DraftingTask,
    HostQuestion,
    PlannedQuestion,
    QuestionDraft,
    QuestionDrafts,
    WordedQuestion,
    WordedQuestions,
    WordingTask,
)
from tasks.qa.lexicon import build_lexicon
from tests.factories.charts import make_admission, make_chart, make_fact

FIRST, SECOND = "80000001", "80000002"
NO_LEXICON = Lexicon(admissions=0, targets=())


@cache
def two_stays() -> PatientChart:
    """Two stays: turn 1 admits, 2 furosemide, 3 latex, 4 creatinine, 5 leaves."""
    stays = (
        (FIRST, "2150-06-01 09:00:00", "2150-06-05 09:00:00", "40 mg", "1.9"),
        (SECOND, "2151-03-01 09:00:00", "2151-03-04 09:00:00", "60 mg", "1.4"),
    )
    return make_chart(
        *(
            make_admission(
                hadm_id,
                start,
                end,
                [
                    make_fact(
                        "discharge_medication", 1, "furosemide", f"{dose} by mouth daily", dose=dose
                    ),
                    make_fact("allergy", 1, "latex", "rash"),
                    make_fact(
                        "lab",
                        1,
                        "admission creatinine",
                        value,
                        point="admission",
                        test="creatinine",
                    ),
                ],
            )
            for hadm_id, start, end, dose, value in stays
        )
    )


@cache
def lexicon() -> Lexicon:
    """The lexicon of the two stays and of a patient with other medicines."""
    other = make_chart(
        *(
            make_admission(
                f"8000001{stay}",
                f"215{stay}-01-01 09:00:00",
                f"215{stay}-01-05 09:00:00",
                [
                    make_fact(
                        "discharge_medication",
                        number,
                        drug,
                        f"{number}{stay} mg by mouth daily",
                        dose=f"{number}{stay} mg",
                    )
                    for number, drug in enumerate(("warfarin", "metformin"), start=1)
                ],
                subject_id="90000002",
            )
            for stay in (3, 4)
        ),
        subject_id="90000002",
    )
    return build_lexicon(lambda: [two_stays(), other])


def draft(task: DraftingTask) -> QuestionDrafts:
    """The rules' own questions, as drafts."""
    given = AdmissionQuestionsInput(
        chart=task.chart, hadm_id=task.hadm_id, lexicon=NO_LEXICON, refused=task.avoid
    )
    return QuestionDrafts(
        questions=tuple(
            QuestionDraft(
                question_type=one.question_type,
                question=one.question,
                answer=one.answer,
                cited_turns=one.evidence.turn_ids or (),
            )
            for one in write_admission_questions(given).qas
            if one.question_type in task.types
        )
    )


def word(task: WordingTask) -> WordedQuestions:
    """Planned questions as they stand, counterparts with their target replaced."""
    return WordedQuestions(
        questions=tuple(
            WordedQuestion(number=one.number, question=_worded(one)) for one in task.questions
        )
    )


def _worded(one: PlannedQuestion | HostQuestion) -> str:
    text = one.question
    for swap in one.replace if isinstance(one, HostQuestion) else ():
        text = re.sub(re.escape(swap.old), swap.new, text, flags=re.IGNORECASE)
    return text


GOOD_REPLIES: Mapping[type[BaseModel], Rules] = {QuestionDrafts: draft, WordedQuestions: word}
