from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import pytest
from pydantic import BaseModel

from tasks.adapters.resources import read_prompt
from tasks.rubrics.evaluation import shapes as evaluation
from tasks.rubrics.pipeline import shapes as pipeline

ASKED: dict[str, type[BaseModel]] = {
    "router": pipeline.RouterReply,
    "reranker": pipeline.RerankReply,
    "evidence": pipeline.EvidenceReply,
    "facts": pipeline.FactsReply,
    "relevance": pipeline.RelevanceReply,
    "intent": pipeline.IntentReply,
    "rubric": pipeline.RubricReply,
    "auditor": pipeline.AuditReply,
    "direct": pipeline.DirectReply,
    "atomize": evaluation.AtomizeReply,
    "entail": evaluation.EntailReply,
    "perturb": evaluation.PerturbReply,
    "pair": evaluation.PairReply,
    "score": evaluation.ScoreReply,
    "compare": evaluation.CompareReply,
    "critique": evaluation.CritiqueReply,
    "self_critique": evaluation.CritiqueReply,
    "edit": evaluation.EditReply,
    "answer": evaluation.AnswerReply,
}


def fields(shape: type[BaseModel]) -> Iterator[str]:
    """Names of the fields that a model fills, those of listed parts in place of the list's own."""
    for name, field in shape.model_fields.items():
        parts = [
            one
            for one in get_args(field.annotation)
            if isinstance(one, type) and issubclass(one, BaseModel)
        ]
        if parts:
            yield from (each for one in parts for each in fields(one))
        else:
            yield name


@pytest.mark.parametrize("prompt", ASKED)
def test_a_prompt_names_every_field_of_the_reply(prompt: str) -> None:
    # Servers that hold a model to a schema show it neither names nor meanings of fields.
    named = set(re.findall(r"[`\"](\w+)[`\"]", read_prompt("rubrics", f"{prompt}.md")))
    assert set(fields(ASKED[prompt])) - named == set()
