"""What each strategy shows in the room it has."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.answering import views
from tasks.answering.blocks import FENCE_TOKENS, TurnBlocks
from tasks.answering.timeline import TimelineText, timeline_text
from tasks.answering.views import AdmissionRetrieval, FullContext, TurnRetrieval
from tasks.contracts.questions import CitedTurn
from tests.unit.answering.timelines import patient

TIMELINE = timeline_text(patient())
SIZES = [turn.tokens for turn in TIMELINE.turns]
H1, H2, H3 = (one.hadm_id for one in TIMELINE.sessions)
PLENTY = 10_000


def _texts(block_text: str) -> list[str]:
    return [line.split(" | ")[2] for line in block_text.splitlines() if line.count(" | ") == 2]


def _full(timeline: TimelineText = TIMELINE) -> FullContext:
    return FullContext(timeline, TurnBlocks(timeline))


def _admissions(*ranking: int) -> AdmissionRetrieval:
    return AdmissionRetrieval(TIMELINE, TurnBlocks(TIMELINE), {"q": ranking}, 1)


def _turns(*ranking: int) -> TurnRetrieval:
    return TurnRetrieval(TIMELINE, TurnBlocks(TIMELINE), {"q": ranking}, 0)


def test_full_context_shows_every_turn_where_there_is_room():
    shown = _full().show("q", PLENTY)
    assert (shown.turns, shown.all_turns, shown.truncated) == (6, 6, False)
    assert shown.sessions == (H1, H2, H3)
    assert shown.ranked_admissions is None


def test_full_context_keeps_the_newest_turns_that_fit():
    room = FENCE_TOKENS + sum(SIZES[3:])
    shown = _full().show("q", room)
    assert (shown.turns, shown.truncated, shown.sessions) == (3, True, (H2, H3))
    assert _texts(shown.block.text) == [
        "My legs feel lighter.",
        "We raised furosemide to 80 mg twice daily.",
        "I will take it.",
    ]
    assert _full().show("q", room - 1).turns == 2
    assert _full().show("q", room + SIZES[2] - 1).turns == 3


def test_full_context_without_room_shows_nothing():
    assert _full().show("q", 3).turns == 0


@given(st.integers(0, FENCE_TOKENS + sum(SIZES) + 5))
def test_what_is_shown_never_takes_more_than_the_room(room: int):
    for view in (_full(), _admissions(1, 2, 0), _turns(3, 0, 5, 1, 4, 2)):
        shown = view.show("q", room)
        assert shown.block.tokens <= max(room, FENCE_TOKENS)
        assert shown.truncated == (shown.turns < 6)


def test_the_worst_admissions_are_dropped_and_the_rest_stand_in_time_order():
    third_and_first = FENCE_TOKENS + sum(SIZES[:2]) + sum(SIZES[4:])
    shown = _admissions(2, 0, 1).show("q", third_and_first)
    assert shown.sessions == (H1, H3)
    assert _texts(shown.block.text)[:2] == ["Your potassium is 5.9 today.", "Is that high?"]
    assert shown.ranked_admissions == (H3, H1, H2)
    assert (shown.turns, shown.truncated, shown.split_documents) == (4, True, 1)


def test_an_admission_worse_than_one_without_room_is_dropped_though_it_would_fit():
    only_best = FENCE_TOKENS + sum(SIZES[2:4]) + min(sum(SIZES[:2]), sum(SIZES[4:]))
    assert sum(SIZES[:2]) < sum(SIZES[4:])
    assert _admissions(1, 2, 0).show("q", only_best).sessions == (H2,)
    assert _admissions(1, 0, 2).show("q", only_best).sessions == (H1, H2)


def test_of_a_best_admission_that_is_too_long_the_last_turns_are_shown():
    shown = _admissions(1, 0, 2).show("q", FENCE_TOKENS + SIZES[3])
    assert _texts(shown.block.text) == ["My legs feel lighter."]
    assert shown.truncated


def test_single_turns_stand_under_the_dates_of_their_session_in_time_order():
    shown = _turns(4, 1, 0, 2, 3, 5).show("q", PLENTY)
    assert shown.turns == 6
    assert shown.ranked_admissions == (H3, H1, H2)
    assert shown.ranked_turns is not None
    assert shown.ranked_turns[:2] == (
        CitedTurn(hadm_id=H3, turn_number=1),
        CitedTurn(hadm_id=H1, turn_number=2),
    )
    lines = shown.block.text.splitlines()[1:-1]
    assert [line for line in lines if line.startswith("[")] == [
        "[hospitalization from 2150-01-10 to 2150-01-12]",
        "[hospitalization from 2150-03-05 to 2150-03-07]",
        "[hospitalization from 2150-06-20 to 2150-06-22]",
    ]
    assert lines.index("[hospitalization from 2150-03-05 to 2150-03-07]") == 3


def test_turns_left_out_by_choice_are_no_truncation():
    assert views.TURNS_SHOWN == 40
    many = timeline_text(patient([f"Said {place}." for place in range(50)]))
    ranking = tuple(range(50))
    view = TurnRetrieval(many, TurnBlocks(many), {"q": ranking}, 0)
    shown = view.show("q", PLENTY)
    assert (shown.turns, shown.all_turns, shown.truncated) == (40, 50, False)
    assert view.show("q", 300).truncated


def test_a_prediction_keeps_the_best_two_hundred_turns_of_a_ranking():
    lines = ["x"] * 60
    many = timeline_text(patient(lines, lines, lines))
    ranking = tuple(range(180)) * 2
    view = TurnRetrieval(many, TurnBlocks(many), {"q": ranking}, 0)
    ranked = view.show("q", PLENTY).ranked_turns
    assert ranked is not None
    assert len(ranked) == 200


def test_headers_are_part_of_what_has_to_fit():
    header = TIMELINE.sessions[0].header_tokens
    room = FENCE_TOKENS + SIZES[0] + SIZES[1] + header
    assert _turns(0, 1, 2, 3, 4, 5).show("q", room).turns == 2
    assert _turns(0, 1, 2, 3, 4, 5).show("q", room - 1).turns == 1
