"""Prices of models, as the user states them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError

_MILLION = 1_000_000
_HIGHEST_USD = 1_000_000


class ModelPrice(Contract):
    """What a model's tokens cost."""

    input_usd_per_million_tokens: float = Field(
        ge=0, le=_HIGHEST_USD, strict=True, description="Prompt tokens"
    )
    output_usd_per_million_tokens: float = Field(
        ge=0, le=_HIGHEST_USD, strict=True, description="Tokens of the reply, reasoning too"
    )
    cached_input_usd_per_million_tokens: float | None = Field(
        default=None,
        ge=0,
        le=_HIGHEST_USD,
        strict=True,
        description="Prompt tokens that the provider had cached; null: as the others",
    )


class PriceTable(Contract):
    """Prices by model, and the file they stand in."""

    source: str = Field(description="Path of the file, for messages")
    prices: dict[str, ModelPrice] = Field(description="By the name of the model")

    def cost_usd(
        self, model: str, input_tokens: int, output_tokens: int, cached_input_tokens: int = 0
    ) -> float:
        """Cost of requests to a model; cached tokens are a part of the input tokens.

        Raises SettingError for a model without a price.
        """
        price = self.prices.get(model)
        if price is None:
            raise SettingError(
                f"{self.source}: no price for the model {model!r}; add it, or choose one of: "
                f"{', '.join(sorted(self.prices)) or 'none yet'}"
            )
        cached = min(cached_input_tokens, input_tokens)
        cached_price = price.cached_input_usd_per_million_tokens
        if cached_price is None:
            cached_price = price.input_usd_per_million_tokens
        return (
            (input_tokens - cached) * price.input_usd_per_million_tokens
            + cached * cached_price
            + output_tokens * price.output_usd_per_million_tokens
        ) / _MILLION


def read_prices(path: Path) -> PriceTable:
    """Read ``{"MODEL": {"input_usd_per_million_tokens": 0.15, …}}``.

    Raises SettingError that names the file, the model, the field and what was found.
    """
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{path}: the price table can't be read: {_reason(error)}") from None
    try:
        table = json.loads(content, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise SettingError(f"{path}: the price table is no JSON: {error}") from None
    if not isinstance(table, dict):
        raise SettingError(f'{path}: expected prices by model, such as {{"MODEL": {{…}}}}')
    return PriceTable(
        source=str(path), prices={name: _price(path, name, one) for name, one in table.items()}
    )


def _price(path: Path, model: str, stated: Any) -> ModelPrice:
    try:
        return ModelPrice.model_validate(stated)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in problem["loc"]) or "price"
        raise SettingError(
            f"{path}: model {model!r}, {field}: found {_found(problem['input'])}, expected a "
            f"number of USD per million tokens from 0 to {_HIGHEST_USD}, in the fields "
            f"{', '.join(ModelPrice.model_fields)} (the last may be left out)"
        ) from None


def _found(value: Any) -> str:
    return "no value" if isinstance(value, dict) else repr(value)


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else "not UTF-8"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(n for n in names if names.count(n) > 1)!r} appears twice")
    return fields
