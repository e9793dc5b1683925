"""The wordings hold nothing clinical of their own and are many enough not to repeat."""

import re

import pytest
from pydantic import ValidationError

from tasks.dialogue.pools import Pools, Topic, expanded, followups, parts, pools, topics
from tasks.dialogue.templates import Choice, Template, choice_of, fill, parse_template
from tasks.dialogue.wording import Phrasebook

FORBIDDEN = re.compile(
    r"\d|___|\b(?:right|left|chart|charts|record|records|table|database|dataset|synthetic|"
    r"discharge note|subject|identifier|fever|cancer|pneumonia|stroke|surgery|antibiotics?|"
    r"insulin|mg|milligrams?)\b",
    re.IGNORECASE,
)
FEWEST_WORDINGS = 9
INNER_POOLS = {"change_reason", "reason", "reason_clause"}


def every_turn() -> list[tuple[str, tuple[str, ...]]]:
    """The templates of every turn, with a name."""
    named = list(pools().items())
    for name, talks in followups().items():
        for talk in talks:
            named += [(f"{name} ask", talk.ask), (f"{name} answer", talk.answer)]
            named.append((f"{name} close", talk.close))
    return named + [(topic.name, turn) for topic in topics() for turn in topic.turns]


def every_template() -> list[tuple[str, str]]:
    shared = [(name, text) for name, text in parts().items()]
    return shared + [(name, text) for name, texts in every_turn() for text in texts]


def choice(texts: tuple[str, ...]) -> Choice:
    return choice_of([parse_template(expanded(text)) for text in texts])


def covering(template: Template) -> list[str]:
    """Wordings in which every alternative of a template is used once, whatever their number."""
    most = max((covered for part in template.parts if (covered := _alternatives(part))), default=1)
    return ["".join(_nth(part, number) for part in template.parts) for number in range(most)]


def _alternatives(part: str | Choice) -> int:
    if isinstance(part, str):
        return 0
    return sum(len(covering(option)) for option in part.options)


def _nth(part: str | Choice, number: int) -> str:
    if isinstance(part, str):
        return part
    options = [text for option in part.options for text in covering(option)]
    return options[number % len(options)]


def covered(texts: tuple[str, ...]) -> list[str]:
    return [wording for text in texts for wording in covering(parse_template(expanded(text)))]


def test_wordings_say_nothing_clinical_and_name_no_document() -> None:
    allowed = {"move the table nearer"}
    found = [
        (name, match[0])
        for name, text in every_template()
        for match in FORBIDDEN.finditer(text)
        if not any(phrase in text for phrase in allowed)
    ]
    assert found == []


def test_every_turn_has_wordings_to_choose_from() -> None:
    counts = {name: choice(texts).wordings for name, texts in every_turn()}
    few = {
        name: count
        for name, count in counts.items()
        if count < FEWEST_WORDINGS and name not in INNER_POOLS
    }
    assert few == {}


def test_whatever_a_patient_may_ask_has_a_reply_that_asks_nothing_new() -> None:
    assert {f"{name}_reply" for name in followups()} <= set(pools())
    closes = [
        wording for talks in followups().values() for t in talks for wording in covered(t.close)
    ]
    assert [wording for wording in closes if "?" in wording] == []
    asks = [wording for talks in followups().values() for t in talks for wording in covered(t.ask)]
    assert [wording for wording in asks if "?" not in wording] == []


QUESTION = re.compile(
    r"^(?:do (?:you|I|they|we)|does|did|is|are|was|were|could|have you|has|which one|who) \b.*\.$",
    re.IGNORECASE,
)


def test_questions_end_with_a_question_mark() -> None:
    sentences = [
        sentence
        for _, texts in every_turn()
        for wording in covered(texts)
        for sentence in re.split(r"(?<=[.?!]) ", fill_with_words(wording))
    ]
    assert [sentence for sentence in sentences if QUESTION.search(sentence)] == []


def fill_with_words(wording: str) -> str:
    return fill(wording, {name: "word" for name in re.findall(r"\{([a-z_]+)\}", wording)})


def test_punctuation_never_doubles() -> None:
    texts = [wording for _, texts in every_turn() for wording in covered(texts)]
    assert [text for text in texts if re.search(r"[.?!,:;]\s?[.?!,;]|\s[.?,]", text)] == []


def test_topics_end_without_an_open_question() -> None:
    open_ended = [
        topic.name
        for topic in topics()
        if any(text.endswith("?") for text in covered(topic.turns[-1]))
    ]
    assert open_ended == []


def test_phrasebook_is_deterministic_and_repeats_no_sentence_while_it_can() -> None:
    first = [Phrasebook("a").say("last_words"), Phrasebook("a").say("last_words")]
    assert first[0] == first[1]
    book = Phrasebook("a")
    said = [book.say("opening", greeting="good morning", date="2150-06-01") for _ in range(3)]
    assert len(set(said)) == 3


def test_phrasebook_of_another_seed_says_other_things() -> None:
    said = {Phrasebook(str(seed)).say("complaint_vague") for seed in range(40)}
    assert len(said) > 20


def test_broken_wording_files_are_refused() -> None:
    with pytest.raises(ValidationError, match="template"):
        Pools(pools={"a": ("[b",)})
    with pytest.raises(ValidationError, match="even number"):
        Topic(name="a", turns=(("b",), ("c",), ("d",)))
