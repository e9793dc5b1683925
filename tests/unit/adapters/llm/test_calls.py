"""What of a request decides its reply."""

from collections.abc import Callable
from typing import Any

import pytest

from tasks.adapters.llm.calls import Call
from tasks.adapters.llm.dialects import Dialect, Dialects
from tasks.adapters.llm.servers import family_named, server_named
from tests.unit.adapters.llm.sessions import WORK, request, spec_of

SPEC = spec_of("http://127.0.0.1:9/v1")
DIALECT = Dialect(server_named("openai"), family_named("chat"))


def _key(spec: Any = SPEC, work: Any = WORK, limit: int = 100, **fields: Any) -> str:
    return Call.of(spec, request(**fields), limit).key(work, DIALECT)


@pytest.mark.parametrize(
    "other",
    [
        lambda: _key(task="Write more."),
        lambda: _key(attempt=1),
        lambda: _key(limit=200),
        lambda: _key(work=WORK.model_copy(update={"item": "20000002"})),
        lambda: _key(SPEC.model_copy(update={"model": "other"})),
        lambda: _key(SPEC.model_copy(update={"temperature": 0.6})),
        lambda: _key(SPEC.model_copy(update={"seed": 8})),
        lambda: _key(SPEC.model_copy(update={"deployment": "east"})),
    ],
)
def test_what_can_change_a_reply_changes_its_key(other: Callable[[], str]):
    assert other() != _key() == _key()


def test_what_only_bounds_requests_does_not():
    bounds = {"context_tokens": 100_000, "output_tokens": 7, "turns": (6, 10)}
    assert _key(SPEC.model_copy(update=bounds)) == _key()


def test_tokens_of_a_task_that_are_known_are_not_counted_again():
    counted = Call.of(SPEC, request(task="one two three"), 100).prompt_tokens(DIALECT)
    told = Call.of(SPEC, request(task="one two three", task_tokens=1000), 100)
    assert told.prompt_tokens(DIALECT) == counted - 3 + 1000
    assert told.key(WORK, DIALECT) == _key(task="one two three")


def test_a_model_that_is_served_elsewhere_is_the_same_model():
    assert _key(SPEC.model_copy(update={"base_url": "http://127.0.0.1:10/v1"})) == _key()


def test_another_attempt_has_another_seed():
    bodies = [Call.of(SPEC, request(attempt=n), 100).body(DIALECT, 100) for n in (0, 1)]
    assert [body["seed"] for body in bodies] == [7, 8]


def test_the_format_of_a_reply_is_given_up_level_by_level():
    dialects, levels = Dialects(DIALECT), list[Any]()
    while dialects.refused(dialects.current, "response_format"):
        body = Call.of(SPEC, request(), 100).body(dialects.current, 100)
        instructed = "text" in body["messages"][0]["content"]
        levels.append((body.get("response_format"), instructed))
    assert levels == [({"type": "json_object"}, True), (None, True)]
    assert dialects.configured == DIALECT


def test_a_request_made_before_a_parameter_was_adapted_is_simply_asked_again():
    dialects = Dialects(DIALECT)
    assert dialects.refused(DIALECT, "max_tokens")
    adapted = dialects.current
    assert dialects.refused(DIALECT, "max_tokens")
    assert dialects.current == adapted
    assert not dialects.refused(adapted, "max_completion_tokens")


def test_a_representation_holds_no_text():
    shown = repr(Call.of(SPEC, request("A cough."), 100))
    assert "Answer" in shown
    assert "cough" not in shown
