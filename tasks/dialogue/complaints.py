"""Why the patient came, in the patient's own words first: complaint and symptoms."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from tasks.contracts.clock import format_date
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.exchanges import FALL, REQUIRED, Exchange, Phase, Story, batches
from tasks.dialogue.naming import joined, spoken
from tasks.dialogue.pools import lay_words
from tasks.dialogue.turns import Turn, sources, stating
from tasks.dialogue.wording import Phrasebook

_DAYTIME_BY_HOUR = (("morning", 5, 12), ("afternoon", 12, 18), ("evening", 18, 23))
_SYMPTOMS_A_TURN = 3
_FELT = re.compile(
    r"\b(?:pain|ache|aches|headaches?|nausea|vomiting|itch\w*|pruritus|sleep|insomnia|drows\w*|"
    r"dizz\w*|lighthead\w*|cravings?|constipation|diarrhea|cough\w*|dysuria|dyspnea|palpitations|"
    r"spasms?|cramps?|numbness|tingling|low mood|anxiety|fatigue|appetite|oral intake|heartburn|"
    r"shortness of breath|wheezing|tremors?|nightmares|burning)\b",
    re.IGNORECASE,
)
_COMPLAINED_OF = re.compile(
    r"\b(?:discomfort|pressure|weakness|swelling|bleeding|fever|fall|chills|tired\w*|faint\w*|"
    r"redness|distension|stools?|urinat\w*|passing urine|unwell|malaise)\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"^(?:\w+ )?(?:falls?|seizures?|faint\w*|syncope|collapse|accident|overdose|assault)$",
    re.IGNORECASE,
)
_COUNTABLE = re.compile(
    r"\b(?:headache|wound|fall|seizure|rash|sore throat|lump|mass|bruise|cut|burn|laceration|"
    r"nosebleed|ulcer|stroke)$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\b(?:assay|level|rate|risk|signs?|scan|x-ray|culture|positive|no|without|from|with|due|"
    r"despite|suspected|possible|concern|depletion|tenderness|renal|acute|chronic|"
    r"prophyla\w*|prevent\w*)\b|\d",
    re.IGNORECASE,
)


def greeting_at(hour: int) -> str:
    """A greeting that suits an hour of the day; at night none that names it."""
    named = next((name for name, start, end in _DAYTIME_BY_HOUR if start <= hour < end), "")
    return f"good {named}" if named else "hello"


def felt(text: str, reported: Collection[str] = ()) -> bool:
    """Whether a reason is something that only the patient can tell: a symptom, not a result."""
    if _MEASURED.search(text):
        return False
    return text.casefold() in reported or _FELT.search(text) is not None


def _felt_as_well(complaint: str) -> bool:
    return _COMPLAINED_OF.search(complaint) is not None and not _MEASURED.search(complaint)


def lay(label: str) -> str:
    """A symptom in the patient's words."""
    return lay_words().get(label, label)


def some(complaint: str) -> str:
    """A complaint behind `it's`: with the article that a thing one can count takes."""
    if not _COUNTABLE.search(complaint) or re.search(r"\b(?:and|of|after|the|an?) ", complaint):
        return complaint
    return f"{'an' if complaint[0] in 'aeiou' else 'a'} {complaint}"


def complaint_exchanges(story: Story) -> list[Exchange]:
    """Greeting and complaint, then the symptoms asked for."""
    return [_opening(story), _complaint(story), *_symptoms(story)]


def _opening(story: Story) -> Exchange:
    """The greeting, and why the patient came: the chief complaint, else what was reported."""
    start = story.bundle.admission_start
    admission = story.stay("admission date")
    pool, symptoms, about = _reason_for_coming(story)

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        said = book.say("opening", greeting=greeting_at(start.hour), date=format_date(start))
        reply = book.say(pool, some=some(symptoms))
        return (
            stating("Doctor", said, [admission] if admission else []),
            Turn("Patient", reply, (), sources(about)),
        )

    return Exchange(Phase.ARRIVAL, REQUIRED, 2, write)


def _reason_for_coming(story: Story) -> tuple[str, str, Sequence[Fact]]:
    """The pool of the patient's first words, what they name and the facts behind that."""
    reported = [fact for fact in story.facts(FactKind.HISTORY) if fact.value == "reported"]
    for fact in story.facts(FactKind.CHIEF_COMPLAINT)[:1]:
        known = {*lay_words(), *(one.label for one in reported)}
        is_felt = fact.value.casefold() in known or felt(fact.value) or _felt_as_well(fact.value)
        pool = "complaint_lay" if is_felt else "complaint_named"
        happened = _HAPPENED.search(fact.value) is not None
        return "complaint_event" if happened else pool, lay(spoken(fact.value)), [fact]
    if reported:
        return "complaint_lay", joined([lay(fact.label) for fact in reported[:2]]), reported[:2]
    return "complaint_vague", "", []


def _complaint(story: Story) -> Exchange:
    """The doctor takes up the complaint, or where none is known encourages to talk."""
    complaints = story.facts(FactKind.CHIEF_COMPLAINT)[:1]

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        if not complaints:
            return (
                Turn("Doctor", book.say("complaint_open")),
                Turn("Patient", book.say("complaint_open_reply")),
            )
        value = spoken(complaints[0].value)
        named = lay(value)
        reply = book.say("complaint_reply", symptoms=named, some=some(named))
        said = book.say("complaint", value=value, some=some(value))
        touched = sources(complaints) if named.casefold() in reply.casefold() else ()
        return (
            stating("Doctor", said, complaints),
            Turn("Patient", reply, (), touched),
        )

    return Exchange(Phase.ARRIVAL, 95 if complaints else REQUIRED, 2, write)


def _symptoms(story: Story) -> list[Exchange]:
    facts = story.facts(FactKind.HISTORY)
    _, named, _ = _reason_for_coming(story)
    reported = batches([fact for fact in facts if fact.value == "reported"], _SYMPTOMS_A_TURN)
    denied = batches([fact for fact in facts if fact.value == "denied"], _SYMPTOMS_A_TURN)
    return [
        _symptom_exchange(
            reported[number] if number < len(reported) else (),
            denied[number] if number < len(denied) else (),
            78 - FALL * number,
            named,
        )
        for number in range(max(len(reported), len(denied)))
    ]


def _symptom_exchange(
    reported: Sequence[Fact], denied: Sequence[Fact], importance: int, named: str
) -> Exchange:
    """The doctor asks, the patient says yes or no, and the doctor says it back.

    What the patient ``named`` as the reason for coming isn't asked for again.
    """
    facts = [*reported, *denied]
    known = [fact for fact in reported if lay(fact.label).casefold() in named.casefold()]
    new = [fact for fact in reported if fact not in known]
    about = (new or known or denied)[0]
    pool = "history_reply" if new else "history_known_reply" if known else "history_no_reply"

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        return (
            Turn("Doctor", _question(book, [*new, *denied], named), (), sources([*new, *denied])),
            Turn("Patient", _answer(book, known, new, denied), (), sources(facts)),
            stating("Doctor", book.say("history_recap", recap=_recap(reported, denied)), facts),
            Turn("Patient", book.say(pool, symptom=lay(about.label)), (), sources([about])),
        )

    return Exchange(Phase.ARRIVAL, importance, 4, write)


def _question(book: Phrasebook, asked: Sequence[Fact], named: str) -> str:
    if not asked:
        return book.say("history_ask_open", named=_your(named))
    listed = joined([_asked(fact.label) for fact in asked], "or")
    pool = "history_ask_beside" if named and len(named.split()) <= 4 else "history_ask"
    return book.say(pool, symptoms=listed, named=_your(named))


def _answer(
    book: Phrasebook, known: Sequence[Fact], new: Sequence[Fact], denied: Sequence[Fact]
) -> str:
    slots = {
        "known": joined([lay(fact.label) for fact in known]) if known else "",
        "reported": joined([lay(fact.label) for fact in new]) if new else "",
        "denied": joined([lay(fact.label) for fact in denied], "or") if denied else "",
    }
    named = [name for name, facts in (("known", known), ("yes", new), ("no", denied)) if facts]
    return book.say(f"history_{'_'.join(named)}", **slots)


def _recap(reported: Sequence[Fact], denied: Sequence[Fact]) -> str:
    clauses: list[str] = []
    if reported:
        clauses.append(f"you reported {joined([fact.label for fact in reported])}")
    if denied:
        clauses.append(f"you denied {joined([fact.label for fact in denied], 'or')}")
    return ", and ".join(clauses)


def _asked(label: str) -> str:
    """A symptom as the doctor asks for it: in plain words."""
    return _your(lay_words().get(label, label))


def _your(plain: str) -> str:
    return re.sub(r"\bme\b|\bI\b", "you", re.sub(r"\bmy\b", "your", plain))
