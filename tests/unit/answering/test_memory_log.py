"""Operations on memories: what is applied, what is refused, and that each leaves a line."""

from tasks.answering.memory_log import MemoryLog, Observation
from tasks.answering.memory_shapes import Decision
from tasks.contracts.clock import parse_time


def _seen(*texts: str) -> list[Observation]:
    time = parse_time("2150-03-05 10:00:00")
    return [Observation(text, time, "20000002", 1) for text in texts]


def _known(*texts: str) -> MemoryLog:
    log = MemoryLog()
    for one in _seen(*texts):
        log.add(one)
    return log


def _lines(log: MemoryLog) -> list[tuple[str, bool, int | None]]:
    return [(one.operation, one.applied, one.memory_id) for one in log.updates]


def test_add_update_delete_and_noop_leave_four_lines():
    log = _known("Takes furosemide 40 mg.", "Allergic to penicillin.", "Lives alone.")
    log.decide(
        _seen("Takes furosemide 80 mg.", "Not allergic.", "Lives alone.", "Has asthma."),
        log.active,
        [
            Decision(observation=1, operation="UPDATE", memory=1, text="Furosemide 40, now 80 mg."),
            Decision(observation=2, operation="DELETE", memory=2),
            Decision(observation=3, operation="NOOP", memory=3),
            Decision(observation=4, operation="add"),
        ],
    )
    assert [one.text for one in log.active] == [
        "Lives alone.",
        "Furosemide 40, now 80 mg.",
        "Has asthma.",
    ]
    assert _lines(log)[3:] == [
        ("UPDATE", True, 4),
        ("DELETE", True, 2),
        ("NOOP", True, 3),
        ("ADD", True, 5),
    ]
    assert (log.memories[0].superseded_by, log.memories[1].superseded_by) == (4, 5)
    assert [one.created_by for one in log.memories] == [1, 2, 3, 4, 7]
    assert log.refused == 0


def test_references_to_unknown_memories_are_refused_and_counted():
    log = _known("Takes furosemide 40 mg.")
    log.decide(
        _seen("a", "b", "c"),
        log.active,
        [
            Decision(observation=1, operation="UPDATE", memory=7, text="x"),
            Decision(observation=2, operation="DELETE"),
            Decision(observation=3, operation="MERGE", memory=1),
            Decision(observation=9, operation="ADD"),
        ],
    )
    assert [one.text for one in log.active] == ["Takes furosemide 40 mg."]
    assert _lines(log)[1:] == [
        ("UPDATE", False, None),
        ("DELETE", False, None),
        ("MERGE", False, None),
        ("ADD", False, None),
    ]
    assert [one.reason for one in log.updates[1:]] == [
        "there is no such memory",
        "there is no such memory",
        "there is no such operation",
        "there is no such observation",
    ]
    assert log.refused == 4


def test_a_memory_is_replaced_once_and_an_observation_decided_about_once():
    log = _known("Takes furosemide 40 mg.")
    log.decide(
        _seen("a", "b"),
        log.active,
        [
            Decision(observation=1, operation="UPDATE", memory=1, text="first"),
            Decision(observation=2, operation="UPDATE", memory=1, text="second"),
            Decision(observation=1, operation="ADD"),
        ],
    )
    assert [one.text for one in log.active] == ["first"]
    assert [one.reason for one in log.updates[2:]] == [
        "the memory was replaced or deleted before",
        "the observation was decided about before",
    ]


def test_an_observation_nobody_decided_about_is_added_and_the_log_says_so():
    log = _known("x")
    log.decide(_seen("a", "b"), log.active, [Decision(observation=2, operation="NOOP")])
    assert [one.text for one in log.active] == ["x", "a"]
    assert _lines(log)[1:] == [("NOOP", True, None), ("ADD", True, 2)]
    assert log.updates[2].reason == "no decision came"


def test_an_update_without_a_text_takes_the_observation():
    log = _known("old")
    log.decide(_seen("new"), log.active, [Decision(observation=1, operation="UPDATE", memory=1)])
    assert [one.text for one in log.active] == ["new"]
