"""The wordings hold nothing clinical of their own and are many enough not to repeat."""

import itertools
import re

import pytest
from pydantic import ValidationError

from tasks.dialogue.templates import choice_of, parse_template
from tasks.dialogue.wording import Phrasebook, Pools, Topic, pools, question, statement, topics

FORBIDDEN = re.compile(
    r"\d|___|\b(?:right|left|chart|charts|record|records|table|database|dataset|synthetic|"
    r"discharge note|subject|identifier|fever|cancer|pneumonia|stroke|surgery|antibiotics?|"
    r"insulin|mg|milligrams?)\b",
    re.IGNORECASE,
)
FEWEST_WORDINGS = 9


def every_template() -> list[tuple[str, str]]:
    named = [(name, text) for name, texts in pools().items() for text in texts]
    return named + [
        (topic.name, text) for topic in topics() for turn in topic.turns for text in turn
    ]


def wordings(texts: tuple[str, ...]) -> list[str]:
    choice = choice_of([parse_template(text) for text in texts])
    return [choice.wording(number) for number in range(choice.wordings)]


def test_wordings_say_nothing_clinical_and_name_no_document() -> None:
    allowed = {"move the table nearer"}
    found = [
        (name, match[0])
        for name, text in every_template()
        for match in FORBIDDEN.finditer(text)
        if not any(phrase in text for phrase in allowed)
    ]
    assert found == []


def test_every_pool_but_the_inner_ones_has_wordings_to_choose_from() -> None:
    counts = {
        name: len(wordings(texts))
        for name, texts in pools().items()
        if not name.startswith("treatment_because")
    }
    assert {name: count for name, count in counts.items() if count < FEWEST_WORDINGS} == {}
    few = [
        topic.name
        for topic in topics()
        for turn in topic.turns
        if len(wordings(turn)) < FEWEST_WORDINGS
    ]
    assert few == []


def test_every_reply_with_an_answer_can_ask_and_can_refrain() -> None:
    for name, texts in pools().items():
        if f"{name.removesuffix('_reply')}_answer" in pools() and name.endswith("_reply"):
            assert any(question(wording) for wording in wordings(texts)), name
            assert any(statement(wording) for wording in wordings(texts)), name


def test_punctuation_never_doubles() -> None:
    texts = [texts for texts in pools().values()]
    texts += [turn for topic in topics() for turn in topic.turns]
    all_wordings = itertools.chain.from_iterable(map(wordings, texts))
    assert [text for text in all_wordings if re.search(r"[.?!,:;]\s?[.?!,;]|\s[.?,]", text)] == []


def test_topics_end_without_an_open_question() -> None:
    open_ended = [
        topic.name
        for topic in topics()
        if any(text.endswith("?") for text in wordings(topic.turns[-1]))
    ]
    assert open_ended == []


def test_phrasebook_is_deterministic_and_repeats_no_sentence_while_it_can() -> None:
    first = [Phrasebook("a").say("thanks"), Phrasebook("a").say("thanks")]
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
