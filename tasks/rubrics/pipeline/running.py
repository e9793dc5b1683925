"""One step of the pipeline for one query: reads other steps' outputs, makes its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tasks.contracts.chat import ChatModel
from tasks.contracts.rubric_trace import RoleOutput
from tasks.contracts.rubrics import Query, Role, Variant
from tasks.rubrics.asking import Asked
from tasks.rubrics.pipeline import evidence_steps, rubric_steps
from tasks.rubrics.pipeline.step_input import StepInput
from tasks.rubrics.retrieval.searching import EvidenceSearch


def run_role(
    role: Role,
    query: Query,
    variant: Variant,
    given: Mapping[Role, RoleOutput],
    model: ChatModel,
    search: EvidenceSearch | None = None,
) -> RoleOutput:
    """Run one step; raises ItemFailed where its model or the search has no usable reply."""
    asked = Asked(model)
    made = _STEPS[role](StepInput(query, variant, given, asked, search))
    return made.model_copy(update={"cost": asked.cost})


_STEPS: Mapping[Role, Callable[[StepInput], RoleOutput]] = {
    "router": evidence_steps.route,
    "search": evidence_steps.search,
    "reranker": evidence_steps.rerank,
    "extraction": evidence_steps.extract,
    "evidence": evidence_steps.synthesise_evidence,
    "facts": evidence_steps.extract_facts,
    "relevance": evidence_steps.filter_facts,
    "intent": rubric_steps.read_intent,
    "rubric": rubric_steps.write_rubric,
    "auditor": rubric_steps.audit,
}
