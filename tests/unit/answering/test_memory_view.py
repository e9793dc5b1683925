"""What memory strategies show for a question."""

from tasks.adapters.prompts import fenced
from tasks.adapters.tokens import count_tokens
from tasks.answering.blocks import FENCE_TOKENS
from tasks.answering.memory_view import MemoryRecall
from tasks.contracts.clock import parse_time
from tasks.contracts.memories import Memory

PLENTY = 10_000


def _memory(number: int, text: str, day: int, hadm_id: str = "20000001") -> Memory:
    time = parse_time(f"2150-01-{day:02d} 10:00:00")
    return Memory(memory_id=number, text=text, time=time, hadm_id=hadm_id, created_by=number)


def _recall(*memories: Memory, ranking: tuple[int, ...] | None = None) -> MemoryRecall:
    order = tuple(range(len(memories))) if ranking is None else ranking
    return MemoryRecall("All in all well.", memories, {"q": order}, 77, 0)


def test_the_summary_and_the_memories_stand_in_time_order():
    shown = _recall(
        _memory(1, "Later.", 20, "20000002"), _memory(2, "Sooner.", 10), ranking=(0, 1)
    ).show("q", PLENTY)
    lines = shown.block.text.splitlines()
    assert lines[1] == "All in all well."
    assert lines[4:6] == [
        "2150-01-10 10:00:00 | note | Sooner.",
        "2150-01-20 10:00:00 | note | Later.",
    ]
    assert shown.block.tokens == count_tokens(shown.block.text)
    assert shown.ranked_admissions == ("20000002", "20000001")
    assert shown.sessions == ("20000001", "20000002")
    assert (shown.turns, shown.all_turns, shown.ranked_turns) == (0, 77, None)


def test_the_32_best_of_the_64_nearest_are_shown_and_repetitions_once():
    same = [_memory(n, "Told again." if n % 2 else "again told", 10) for n in range(1, 41)]
    others = [_memory(n, f"Fact number {n}.", 10) for n in range(41, 101)]
    shown = _recall(*same, *others).show("q", PLENTY)
    assert len(shown.block.lines) == 1 + 24
    assert not shown.truncated
    assert len(_recall(*others).show("q", PLENTY).block.lines) == 32


def test_without_room_the_worst_memories_go_first_then_the_summary():
    memories = [_memory(n, f"Fact number {n}.", 10 + n) for n in range(1, 4)]
    size = count_tokens("2150-01-11 10:00:00 | note | Fact number 1.\n")
    summary = count_tokens(fenced("All in all well.", "summary of all stays") + "\n")
    room = FENCE_TOKENS + summary + 2 * size
    shown = _recall(*memories, ranking=(2, 0, 1)).show("q", room)
    assert [one.text for one in shown.block.lines] == ["Fact number 1.", "Fact number 3."]
    assert shown.truncated
    tight = _recall(*memories).show("q", 36)
    assert tight.summary == ""
    assert "All in all" not in tight.block.text
    assert tight.truncated
