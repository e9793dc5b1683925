"""How large a request is."""

import pytest

from tasks.adapters.llm.calls import Call
from tasks.adapters.llm.dialects import Dialect
from tasks.adapters.llm.servers import family_named, server_named
from tasks.adapters.llm.sizes import PromptBound, SizedCall, refuse_cut_prompt
from tasks.contracts.errors import ModelFailed
from tests.unit.adapters.llm.sessions import request, spec_of

SPEC = spec_of("http://127.0.0.1:9/v1")


def _sized(prompt_tokens: int, overhead_tokens: int = 50) -> SizedCall:
    dialect = Dialect(server_named("openai"), family_named("chat"))
    call = Call.of(SPEC, request(), 100)
    return SizedCall(call, dialect, prompt_tokens, overhead_tokens, 100)


@pytest.mark.parametrize(("expected", "reported"), [(1000, 700), (1000, 5000), (500, 10)])
def test_a_prompt_that_was_read_or_is_too_short_to_tell(expected: int, reported: int):
    refuse_cut_prompt(_sized(expected), reported)


def test_a_prompt_of_which_less_than_seven_tenths_were_read_was_cut():
    with pytest.raises(ModelFailed, match="read 699 of about 1000 prompt tokens") as failed:
        refuse_cut_prompt(_sized(1000), 699)
    assert failed.value.outcome == "prompt_cut"


def test_the_bound_of_a_prompt_is_the_count_here_where_the_vocabulary_is_the_same():
    assert PromptBound("openai").of(_sized(1000)) == 1051


def test_the_bound_leaves_room_for_other_vocabularies_and_learns_of_larger_ones():
    bound = PromptBound("llamacpp")
    assert bound.of(_sized(1000)) == 1551
    bound.learn(_sized(1000), 1250)
    assert bound.of(_sized(1000)) == 1551
    bound.learn(_sized(1000), 2050)
    assert bound.of(_sized(1000)) == 2051
