"""Which steps each variant of the pipeline runs, and what each step reads of the others."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.contracts.rubrics import ROLES, Role, Variant

READS: Mapping[Role, tuple[Role, ...]] = {
    "router": (),
    "search": ("router",),
    "reranker": ("search",),
    "extraction": ("search", "reranker"),
    "evidence": ("router", "extraction"),
    "facts": ("evidence", "extraction"),
    "relevance": ("facts",),
    "intent": (),
    "rubric": ("relevance", "intent"),
    "auditor": ("relevance", "intent", "rubric"),
}
"""Every step reads the query too."""

_WITHOUT: Mapping[Variant, tuple[Role, ...]] = {
    "full": (),
    "without-router": ("router",),
    "without-atomic": ("facts", "relevance"),
    "without-intent": ("intent",),
    "without-audit": ("auditor",),
    "generic": ROLES,
    "direct": tuple(role for role in ROLES if role != "rubric"),
}

MODEL_ROLES: tuple[Role, ...] = tuple(
    role for role in ROLES if role not in ("search", "extraction")
)
"""Steps that ask a model."""


def roles_of(variant: Variant) -> tuple[Role, ...]:
    """The steps of a variant in their order."""
    return tuple(role for role in ROLES if role not in _WITHOUT[variant])


def reads_of(role: Role, variant: Variant) -> tuple[Role, ...]:
    """What a step reads in a variant; without atomic facts rubrics rest on the evidence itself."""
    ran = roles_of(variant)
    read = READS[role]
    if variant == "without-atomic" and role in ("rubric", "auditor"):
        read = ("evidence", *read)
    return tuple(one for one in read if one in ran)


def final_role(variant: Variant) -> Role | None:
    """The step whose criteria are the rubric; None for the fixed one."""
    ran = roles_of(variant)
    return ran[-1] if ran else None
