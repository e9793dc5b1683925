import gc

import pytest

from tasks.adapters.heap import settled_heap


def test_what_was_there_is_left_alone_until_the_stage_ends() -> None:
    before = gc.get_freeze_count()
    with settled_heap():
        assert gc.get_freeze_count() > before + 1_000
    assert gc.get_freeze_count() == 0


def test_passes_over_what_is_made_meanwhile_are_rarer_until_the_stage_ends() -> None:
    before = gc.get_threshold()
    with settled_heap():
        assert all(now > then for now, then in zip(gc.get_threshold(), before, strict=True))
    assert gc.get_threshold() == before


def test_a_stage_that_fails_leaves_nothing_frozen() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), settled_heap():
        raise RuntimeError
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == before
