"""Embedders: texts in, vectors of length one out; offline, or an endpoint's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
from pydantic import Field

from tasks.adapters.recipe import digest, domain_recipe
from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError

Vectors = npt.NDArray[np.float32]
"""One row a text."""

OFFLINE_MODEL = "wordllama-l2-supercat-256"
OFFLINE_WINDOW_TOKENS = 512


class EmbedderSpec(Contract):
    """Names an embedder: part of a system's recipe, so the key and limits stay outside."""

    provider: str = Field(default="offline", description="offline or openai")
    model: str = Field(default=OFFLINE_MODEL, description="Name of the model")
    base_url: str = Field(default="", description="Address of the API; empty offline")
    server: str = Field(default="openai", description="azure for Azure's paths, else openai")
    deployment: str = Field(default="", description="Azure deployment; empty elsewhere")
    window_tokens: int = Field(
        default=OFFLINE_WINDOW_TOKENS,
        ge=16,
        description="Longest text embedded in one piece, by o200k_base; longer ones are split",
    )


class Embedder(Protocol):
    """A provider of vectors; safe to call from several threads."""

    @property
    def window_tokens(self) -> int:
        """Longest text embedded in one piece."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector of length one a text, in their order; a text without words has length 0.

        Raises ModelFailed for texts that the provider doesn't take, and ProviderUnavailable.
        """
        ...


def embedder_recipe(spec: EmbedderSpec | None) -> str:
    """Digest of what about an embedder decides its vectors and how they are read.

    Where it is served doesn't: as for models.
    """
    if spec is None:
        return ""
    code = "" if spec.provider == "offline" else domain_recipe("adapters/llm")
    return digest([spec.model_dump_json(exclude={"base_url"}), code])


def open_embedder(spec: EmbedderSpec, subject_id: str) -> Embedder:
    """The embedder that a specification names, for one patient's texts.

    Raises SettingError for an unknown one, and for an endpoint whose session isn't open.
    """
    if spec.provider == "offline":
        if spec.model != OFFLINE_MODEL:
            raise SettingError(
                f"the offline embedder is {OFFLINE_MODEL}, found {spec.model!r}: leave the model "
                "out, or give the address of an endpoint that serves it"
            )
        # Reading the vocabulary takes a tenth of a second, which only those who use it wait for.
        from tasks.adapters.static_embedder import StaticEmbedder

        return StaticEmbedder(spec.window_tokens)
    if spec.provider == "openai":
        from tasks.adapters.llm.embeddings import embeddings_of

        return embeddings_of(spec).handle(subject_id)
    raise SettingError(
        f"embedder: provider {spec.provider!r} is not known; choose one of: offline, openai"
    )
