"""Cache keys of the steps: what decides a result, wherever and whenever it is made."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.adapters.models import ModelSpec, model_recipe
from tasks.adapters.recipe import digest, domain_recipe, step_key
from tasks.contracts.build import ArtifactRef
from tasks.contracts.rubrics import Role, Variant
from tasks.rubrics.retrieval.searching import SearchSpec, search_recipe

Given = Mapping[Role, ArtifactRef]

_BY_VARIANT = ("rubric", "auditor")
"""Steps whose rules depend on the variant, not only on what they read."""


def role_key(
    role: Role,
    query: ArtifactRef,
    variant: Variant,
    given: Given,
    spec: ModelSpec,
    search: SearchSpec,
) -> str:
    """Cache key: the query, what the step reads of others, and the recipe decide its output."""
    searches = role in ("search", "extraction")
    parts = [
        role,
        query.sha256,
        *(f"{one}:{given[one].sha256}" for one in sorted(given)),
        search_recipe(search) if searches else "",
        variant if role in _BY_VARIANT else "",
        _recipe() if searches else _recipe(spec),
    ]
    return step_key("rubrics", query.subject_id, parts)


def atoms_key(rubric: ArtifactRef, name: str, spec: ModelSpec) -> str:
    """Cache key: the rubric and the atomizer."""
    parts = ["atoms", name, rubric.sha256, _recipe(spec)]
    return step_key("rubrics", rubric.subject_id, parts)


def coverage_key(
    gold_atoms: ArtifactRef,
    own_atoms: ArtifactRef,
    gold: ArtifactRef,
    rubric: ArtifactRef,
    spec: ModelSpec,
) -> str:
    """Cache key: both rubrics with their constraints, and the judge."""
    parts = ["coverage", *(one.sha256 for one in (gold_atoms, own_atoms, gold, rubric))]
    return step_key("rubrics", rubric.subject_id, [*parts, _recipe(spec)])


def near_miss_key(query: ArtifactRef, answer: ArtifactRef, turn: int, spec: ModelSpec) -> str:
    """Cache key: the query, the reference answer, which kind comes first, and the perturber."""
    parts = ["near-miss", query.sha256, answer.sha256, str(turn), _recipe(spec)]
    return step_key("rubrics", query.subject_id, parts)


def pair_key(
    query: ArtifactRef, pair: ArtifactRef, rubric: ArtifactRef | None, name: str, judge: ModelSpec
) -> str:
    """Cache key: the pair, the rubric and the judge; trials and orders are within the step."""
    parts = ["pair", name, query.sha256, pair.sha256, _sha(rubric), _recipe(judge)]
    return step_key("rubrics", query.subject_id, parts)


def answer_key(query: ArtifactRef, spec: ModelSpec) -> str:
    """Cache key: the query and who answers."""
    return step_key("rubrics", query.subject_id, ["answer", query.sha256, _recipe(spec)])


def score_key(query: ArtifactRef, gold: ArtifactRef, answer: ArtifactRef, judge: ModelSpec) -> str:
    """Cache key: the answer, the gold rubric and the judge."""
    parts = ["score", query.sha256, gold.sha256, answer.sha256, _recipe(judge)]
    return step_key("rubrics", query.subject_id, parts)


def refinement_key(
    query: ArtifactRef,
    base: ArtifactRef,
    rubric: ArtifactRef | None,
    name: str,
    gold: ArtifactRef,
    critic: ModelSpec,
    editor: ModelSpec,
    judge: ModelSpec,
) -> str:
    """Cache key: the frozen answer, the rubric, and who criticises, edits and judges."""
    shas = [query.sha256, base.sha256, _sha(rubric), gold.sha256]
    parts = ["refinement", name, *shas, _recipe(critic, editor, judge)]
    return step_key("rubrics", query.subject_id, parts)


def _recipe(*specs: ModelSpec) -> str:
    return digest([domain_recipe("rubrics"), *map(model_recipe, specs)])


def _sha(ref: ArtifactRef | None) -> str:
    return ref.sha256 if ref else ""
