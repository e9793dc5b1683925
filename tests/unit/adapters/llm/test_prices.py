from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.adapters.llm.prices import PriceTable, read_prices
from tasks.contracts.errors import SettingError

_PRICES = {
    "large": {
        "input_usd_per_million_tokens": 2.5,
        "output_usd_per_million_tokens": 10,
        "cached_input_usd_per_million_tokens": 0.25,
    },
    "small": {"input_usd_per_million_tokens": 0.15, "output_usd_per_million_tokens": 0.6},
}


def _table(folder: Path, table: Any = _PRICES) -> PriceTable:
    path = folder / "prices.json"
    path.write_text(table if isinstance(table, str) else json.dumps(table), encoding="utf-8")
    return read_prices(path)


def test_a_request_costs_its_prompt_and_its_reply(tmp_path: Path) -> None:
    # 2,000,000 times 2.50 + 100,000 times 10.00 a million
    assert _table(tmp_path).cost_usd("large", 2_000_000, 100_000) == pytest.approx(6.0)


def test_cached_tokens_are_a_part_of_the_prompt_and_cost_less(tmp_path: Path) -> None:
    # 500,000 times 2.50 + 1,500,000 times 0.25 a million
    assert _table(tmp_path).cost_usd("large", 2_000_000, 0, 1_500_000) == pytest.approx(1.625)


def test_cached_tokens_cost_the_same_where_no_price_is_stated(tmp_path: Path) -> None:
    assert _table(tmp_path).cost_usd("small", 1_000_000, 0, 1_000_000) == pytest.approx(0.15)


def test_more_cached_tokens_than_prompt_tokens_count_as_all_of_them(tmp_path: Path) -> None:
    assert _table(tmp_path).cost_usd("large", 1_000_000, 0, 3_000_000) == pytest.approx(0.25)


def test_a_model_without_a_price_is_refused_with_those_that_have_one(tmp_path: Path) -> None:
    with pytest.raises(SettingError) as error:
        _table(tmp_path).cost_usd("medium", 1, 1)
    assert str(error.value) == (
        f"{tmp_path}/prices.json: no price for the model 'medium'; add it, or choose one of: "
        "large, small"
    )


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({"output_usd_per_million_tokens": 1}, "input_usd_per_million_tokens: found no value"),
        ({"input_usd_per_million_tokens": -1}, "input_usd_per_million_tokens: found -1"),
        ({"input_usd_per_million_tokens": "2.5"}, "input_usd_per_million_tokens: found '2.5'"),
        ({"input_usd_per_million_tokens": True}, "input_usd_per_million_tokens: found True"),
        ({"input_usd_per_million_tokens": float("nan")}, "input_usd_per_million_tokens: found nan"),
        ({"input_usd_per_million_tokens": float("inf")}, "input_usd_per_million_tokens: found inf"),
        ({"input_usd_per_million_tokens": 1e308}, "input_usd_per_million_tokens: found 1e+308"),
        (5, "price: found 5"),
    ],
)
def test_a_price_that_is_none_is_refused_by_model_and_field(
    tmp_path: Path, stated: Any, told: str
) -> None:
    with pytest.raises(SettingError) as error:
        _table(tmp_path, {"small": stated})
    assert str(error.value).startswith(f"{tmp_path}/prices.json: model 'small', {told}, expected")


def test_a_field_that_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="model 'small', usd: found 3"):
        _table(tmp_path, {"small": {**_PRICES["small"], "usd": 3}})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is no JSON"),
        ('{"small": {}, "small": {}}', "is no JSON: 'small' appears twice"),
        ("[]", "expected prices by model"),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, content: str, told: str) -> None:
    with pytest.raises(SettingError, match=told):
        _table(tmp_path, content)


def test_a_file_that_can_not_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="can't be read: No such file"):
        read_prices(tmp_path / "absent.json")
    (tmp_path / "latin.json").write_bytes(b'{"\xe9": {}}')
    with pytest.raises(SettingError, match="can't be read: not UTF-8"):
        read_prices(tmp_path / "latin.json")
