"""Where evidence comes from: one protocol for a folder of pages and for a search of the web."""

from __future__ import annotations

from typing import Literal, Protocol

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError
from tasks.contracts.rubrics import SearchHit

RESULTS_A_QUERY = 2
SOURCE_CHARACTERS = 5_000
"""How much of a source's main text is read."""

TAVILY_URL = "https://api.tavily.com"


class SearchSpec(Contract):
    """Names a search: part of every recipe, so the key stays outside."""

    provider: Literal["corpus", "tavily"] = Field(description="A folder, or Tavily")
    folder: str = Field(default="", description="The corpus folder; empty for Tavily")
    digest: str = Field(default="", description="Digest of the corpus; empty for Tavily")
    ranking: Literal["bm25", "dense"] = Field(default="bm25", description="How passages rank")
    base_url: str = Field(default="", description="Address of Tavily's API; empty for a corpus")


class EvidenceSearch(Protocol):
    """Finds pages for a query and reads their main text; safe to call from several threads."""

    def search(self, query: str, limit: int) -> tuple[SearchHit, ...]:
        """The best hits, at most one a page, best first. Raises ProviderUnavailable."""
        ...

    def main_text(self, hit: SearchHit) -> str | None:
        """A page's main text without navigation; None where it can't be had."""
        ...


def open_search(spec: SearchSpec) -> EvidenceSearch:
    """The search that a specification names; raises SettingError where its session isn't open."""
    if spec.provider == "corpus":
        from tasks.rubrics.retrieval.corpus import open_corpus

        return open_corpus(spec)
    from tasks.rubrics.retrieval.web import web_search_of

    search = web_search_of(spec.base_url)
    if search is None:
        raise SettingError("tavily: the search of the web is not open; run it through the flow")
    return search


def search_recipe(spec: SearchSpec) -> str:
    """What about a search decides its results, wherever the folder lies or the API is served."""
    return spec.model_dump_json(exclude={"folder", "base_url"})
