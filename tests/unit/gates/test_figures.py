from __future__ import annotations

import pytest

from tasks.gates.tables.figures import is_of_another

LIST = (
    "At home you take furosemide 40 mg by mouth daily, metoprolol 25 mg by mouth twice daily and "
    "insulin 10 units at bedtime; warfarin was decreased from 5 mg to 2.5 mg."
)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("what dose of furosemide was taken at home?", "40 mg", False),
        ("what dose of furosemide was taken at home?", "25 mg", True),
        ("what dose of insulin was taken at home?", "25 mg", True),
        ("how did the patient take metoprolol?", "40 mg by mouth daily", True),
        ("how was warfarin changed?", "decreased from 5 mg to 2.5 mg", False),
        ("how was furosemide changed?", "decreased from 5 mg to 2.5 mg", True),
        ("what dose of digoxin was taken at home?", "25 mg", False),
        ("what dose of furosemide was taken at home?", "80 mg", False),
        ("why was furosemide given?", "volume overload", False),
    ],
)
def test_the_dose_of_another_medicine_is_noticed(
    question: str, answer: str, expected: bool
) -> None:
    assert is_of_another(question, answer, LIST) is expected
