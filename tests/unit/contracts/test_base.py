import pytest
from pydantic import ValidationError

from tasks.contracts.build import SkipCount


def test_a_refused_value_is_not_repeated() -> None:
    with pytest.raises(ValidationError) as caught:
        SkipCount.model_validate({"table": "t", "reason": "r", "count": "words of a patient"})
    assert "words of a patient" not in str(caught.value)
