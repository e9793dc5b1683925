"""A made-up patient with three stays, told as people talk, for the audits of questions."""

from __future__ import annotations

from datetime import datetime

from tasks.contracts.audit import AuditPatient, AuditSession
from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.questions import ABSTENTION, CitedTurn, Evidence, Question, QuestionType
from tasks.contracts.records import AdmissionBundle

FIRST = (
    "D Hello, I'm glad you came. What brought you to the emergency room?",
    "P I couldn't catch my breath, and my ankles are swollen.",
    "D Which medicines were you taking at home before you came?",
    "P Lasix 20 mg every morning, and lisinopril 10 mg a day.",
    "D The chest X-ray shows fluid in both lungs, and your hemoglobin on admission is 9.8.",
    "D We gave you intravenous furosemide because of the fluid, and we stopped ibuprofen "
    "because of your kidneys.",
    "D The echocardiogram on March 3 showed an ejection fraction of 35%.",
    "P Is that bad news?",
    "D You are going home on furosemide 40 mg daily and sertraline 50 mg daily. The primary "
    "diagnosis is acute heart failure; the secondary diagnoses are gout and type 2 diabetes.",
    "D Please see the cardiology clinic within one week.",
)
SECOND = (
    "P I got dizzy and fell down.",
    "P At home I was taking furosemide 40 mg daily, as you told me.",
    "D Your hemoglobin on admission is 11.2. The echocardiogram from 2150-06-11 shows an ejection "
    "fraction of 40%.",
    "D When you leave, take furosemide 60 mg daily. Lisinopril is held because of high potassium.",
    "D The primary diagnosis is orthostatic hypotension, and acute heart failure is secondary.",
    "P I understand, thank you.",
)
THIRD = (
    "P I have had a fever and a cough, but no chest pain.",
    "D You reported fever and cough, and you denied chest pain, nausea or vomiting.",
    "D The blood culture taken on 2151-01-21 grew Escherichia coli; it is resistant to "
    "ciprofloxacin and sensitive to ceftriaxone.",
    "D Your hemoglobin on admission is 10.4.",
    "D At discharge you take furosemide 60 mg daily. Warfarin was started because of atrial "
    "fibrillation.",
    "D Your length of stay comes to 5 days.",
)
FIRST_STAY = "During the hospitalization from 2150-03-01 to 2150-03-05, "
SECOND_STAY = "During the hospitalization from 2150-06-10 to 2150-06-12, "
THIRD_STAY = "During the hospitalization from 2151-01-20 to 2151-01-25, "
STAYS = (
    ("20000001", datetime(2150, 3, 1, 10), datetime(2150, 3, 5, 12), FIRST),
    ("20000002", datetime(2150, 6, 10, 9), datetime(2150, 6, 12, 15), SECOND),
    ("20000003", datetime(2151, 1, 20, 8), datetime(2151, 1, 25, 11), THIRD),
)


def session(
    position: int,
    *,
    further: tuple[str, ...] = (),
    instead: dict[int, str] | None = None,
    bundle: AdmissionBundle | None = None,
) -> AuditSession:
    """A stay of the patient; ``further`` turns follow its own, ``instead`` replaces some."""
    hadm_id, start, end, turns = STAYS[position]
    spoken = [(instead or {}).get(n, turn) for n, turn in enumerate(turns, start=1)]
    spoken += further
    step = (end - start) / (len(spoken) + 1)
    return AuditSession(
        hadm_id=hadm_id,
        admission_start=start,
        admission_end=end,
        lines=tuple(
            ConversationLine(
                turn_number=n,
                time=(start + n * step).replace(microsecond=0),
                speaker="Doctor" if turn[0] == "D" else "Patient",
                text=turn[2:],
            )
            for n, turn in enumerate(spoken, start=1)
        ),
        bundle=bundle,
    )


def question(text: str, answer: str, *cites: str) -> Question:
    """A question citing ``stay:turn`` (stays counted from 1); adversarial if it abstains."""
    cited = tuple(
        CitedTurn(hadm_id=STAYS[int(stay) - 1][0], turn_number=int(turn))
        for stay, turn in (cite.split(":") for cite in cites)
    )
    single = text.startswith("During the hospitalization ")
    kind = QuestionType.MEDICAL_REASONING if single else QuestionType.LONGITUDINAL_PROGRESSION
    return Question(
        qa_id="10000001_q",
        scope="single_admission" if single else "cross_admission",
        question_type=QuestionType.ADVERSARIAL if answer == ABSTENTION else kind,
        question=text,
        answer=answer,
        evidence=Evidence(
            admissions=tuple(dict.fromkeys(turn.hadm_id for turn in cited)), turns=cited
        ),
    )


def patient(*questions: Question, sessions: tuple[AuditSession, ...] = ()) -> AuditPatient:
    """The patient with questions, and other sessions than its own if given."""
    return AuditPatient(
        subject_id="10000001",
        sessions=sessions or tuple(session(n) for n in range(len(STAYS))),
        questions=questions,
    )
