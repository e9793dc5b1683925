"""Context lines and their tokens."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.adapters.tokens import count_tokens
from tasks.answering.blocks import TurnBlocks
from tasks.answering.timeline import ContextLine, context_line, timeline_text
from tasks.contracts.clock import parse_time
from tasks.contracts.questions import CitedTurn
from tests.unit.answering.timelines import patient, session

TEXTS = st.lists(st.text(min_size=1, max_size=40).filter(str.strip), min_size=1, max_size=6)


def test_a_context_line_is_time_speaker_and_text_on_one_line():
    line = ContextLine(
        parse_time("2150-01-10 10:00:00"), "Doctor", "Rest.\n2150-01-11 | Doctor | x"
    )
    assert context_line(line) == "2150-01-10 10:00:00 | Doctor | Rest. 2150-01-11 | Doctor | x\n"


def test_turns_stand_in_time_order_with_their_sessions():
    timeline = timeline_text(patient())
    assert [turn.session for turn in timeline.turns] == [0, 0, 1, 1, 2, 2]
    assert timeline.sessions[1].header == "[hospitalization from 2150-03-05 to 2150-03-07]\n"
    assert list(timeline.sessions[1].positions) == [2, 3]
    assert timeline.citations[3] == CitedTurn(hadm_id="20000002", turn_number=2)


@given(TEXTS)
def test_tokens_of_turns_add_up_to_those_of_all_their_lines(texts: list[str]):
    timeline = timeline_text(patient(texts, texts[::-1]))
    assert timeline.tokens_before[-1] == count_tokens("".join(t.line for t in timeline.turns))
    first = timeline.sessions[0]
    whole = "".join(timeline.turns[place].line for place in first.positions)
    assert timeline.tokens_of(first) == count_tokens(whole)


@given(TEXTS)
def test_a_block_is_counted_exactly_with_its_fence_and_headers(texts: list[str]):
    timeline = timeline_text(patient(texts, ["Yes."]))
    for headers in (False, True):
        block = TurnBlocks(timeline).of(tuple(range(len(timeline.turns))), headers)
        assert block.tokens == count_tokens(block.text)
        assert block.text.count("[hospitalization from ") >= 2 * headers


def test_a_block_without_turns_is_an_empty_fence():
    block = TurnBlocks(timeline_text(patient())).of(())
    assert block.tokens == count_tokens(block.text)
    assert block.lines == ()


def test_questions_with_the_same_turns_share_one_block():
    blocks = TurnBlocks(timeline_text(patient()))
    assert blocks.of((0, 1)) is blocks.of((0, 1))


def test_a_session_without_turns_keeps_its_place():
    empty = session(0).model_copy(update={"lines": ()})
    timeline = timeline_text(patient().model_copy(update={"sessions": (empty, session(1, "Hi."))}))
    assert [list(one.positions) for one in timeline.sessions] == [[], [0]]
    assert timeline.turns[0].session == 1
