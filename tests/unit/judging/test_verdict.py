import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.judging.verdict import read_verdict

CASES = Path(__file__).resolve().parents[4] / "shared/cases"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="../shared is missing: no cases")


@pytest.mark.parametrize(
    "text",
    [
        "YES!",
        "yes\n",
        "**Yes**",
        '"yes"',
        "True",
        "Correct.",
        "Verdict: yes",
        "Yes, both name the same dose.",
        "Yes - yesterday's dose",
        '{"correct": true, "reason": "same dose"}',
        '{"correct": "yes"}',
        '{"verdict": "Correct."}',
        '{"correct": 1}',
        '```\n{"verdict": true}\n```',
        'Here it is: {"correct": true}',
        "<think>no, or maybe</think>yes",
        "\uff39\uff25\uff33",
    ],
)
def test_a_yes_is_read(text: str):
    assert read_verdict(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "No!",
        "no, the year is another one",
        "incorrect",
        "False.",
        "Answer: no",
        '{"correct": "No"}',
        '{"verdict": "incorrect"}',
        '{"answer": 0}',
        '```json\n{"correct": "false"}\n```',
        "<think>yes</think>\nNo.",
    ],
)
def test_a_no_is_read(text: str):
    assert read_verdict(text) is False


@pytest.mark.parametrize(
    "text",
    [
        " ",
        "yesterday",
        "nothing",
        "nobody knows",
        "no-one knows",
        "no evidence for either",
        "not wrong",
        "It is correct",
        "yes or no",
        '{"verdict": ' + "1" * 5_000 + "}",
        '{"verdict": ' + "[" * 100_000,
        "Yes, no, I am unsure",
        "No... yes",
        "correct/incorrect",
        "Yes, but it is wrong.",
        "1",
        "0",
        "4/5",
        "[true]",
        "{}",
        '{"correct": 2}',
        '{"correct": 1.0}',
        '{"correct": "1"}',
        '{"correct": "yes and no"}',
        '{"correct": []}',
        '{"correct": NaN}',
        '{"score": true}',
        '{"correct": true, "verdict": "no"}',
        '{"correct": true, "Correct": false}',
        '{"correct": true, "detail": {"a": 1, "a": 2}}',
        '{"correct": tru',
        '{"correct": true} {"correct": false}',
        '{"correct": true} {"correct": true}',
        'I would say no. {"correct": true}',
        "<think>yes",
    ],
)
def test_what_is_no_verdict_is_neither_yes_nor_no(text: str):
    assert read_verdict(text) is None


@needs_cases
def test_every_reported_verdict_is_read_as_it_was_meant():
    cases = json.loads((CASES / "F7_verdicts.json").read_text(encoding="utf-8"))
    assert [read_verdict(text) for text in cases["yes"]] == [True] * len(cases["yes"])
    assert [read_verdict(text) for text in cases["no"]] == [False] * len(cases["no"])
    wrong = [text for text in cases["error_not_no"] if read_verdict(text) is not None]
    assert wrong == []


@given(st.text(max_size=50))
def test_no_text_breaks_the_reader(text: str):
    assert read_verdict(text) in (True, False, None)


@given(st.text(max_size=20))
def test_yes_and_no_in_one_object_is_never_a_verdict(reason: str):
    for one, other in ((True, False), (False, True)):
        text = json.dumps({"reason": reason, "correct": one, "verdict": other})
        assert read_verdict(text) is None
