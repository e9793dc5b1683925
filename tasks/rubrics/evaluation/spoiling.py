"""Near-misses: a reference answer with exactly one harmful change, which code applies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from tasks.adapters.prompts import fenced
from tasks.adapters.recipe import digest
from tasks.contracts.chat import ChatModel
from tasks.contracts.rubric_results import NearMiss, NearMissKind
from tasks.contracts.rubrics import Query
from tasks.rubrics.asking import Asked, Faults, name_of
from tasks.rubrics.evaluation.shapes import PerturbReply, PerturbTask
from tasks.rubrics.pipeline.messages import query_part
from tasks.rubrics.retrieval.passages import sentences
from tasks.rubrics.words import fold, form_words, stem
from tasks.terminology.splitting import split_words

KINDS: tuple[NearMissKind, ...] = get_args(NearMissKind)

_LARGEST_SHARE = 0.5
"""Of the answer that one change may touch; a short answer may be changed as a whole."""
_SHORT_ANSWER = 400

_MEANINGS: Mapping[NearMissKind, str] = {
    "dropped_red_flag": "remove one warning about a danger sign",
    "changed_urgency": "change how soon care is to be sought, so that it is wrong",
    "removed_contraindication": "remove one contraindication or prohibition",
    "unsupported_reassurance": "add one sentence of reassurance that nothing supports",
}


def spoil(query: Query, answer: str, turn: int, model: ChatModel) -> NearMiss:
    """A near-miss of a reference answer; ``turn`` decides which kind is tried first.

    Raises ItemFailed where no single change could be made.
    """
    # Reassurance fits any answer: unless it is its turn, the other kinds are tried before it.
    first = turn % len(KINDS)
    turned = KINDS[first:] + KINDS[:first]
    kinds = (turned[0], *sorted(turned[1:], key=lambda kind: kind == "unsupported_reassurance"))
    asked = Asked(model)
    reply = asked.reply(
        "perturb",
        {
            "query": query_part(query),
            "answer": fenced(answer, "the answer"),
            "kinds": "\n".join(f"- `{kind}`: {_MEANINGS[kind]}" for kind in kinds),
        },
        PerturbTask(query=query, answer=answer, kinds=kinds),
        PerturbReply,
        lambda one: change_faults(one, answer),
    )
    return NearMiss(
        query_id=query.query_id,
        kind=reply.kind,
        original=reply.original,
        replacement=reply.replacement,
        reference=answer,
        text=applied(reply, answer),
        generator=name_of(model),
        cost=asked.cost,
    )


def first_kind(query_id: str) -> int:
    """Place of the kind that is tried first, by the id alone: other queries don't change it."""
    return int(digest([query_id])[:8], 16) % len(KINDS)


def applied(reply: PerturbReply, answer: str) -> str:
    """The answer with the one change."""
    return answer.replace(reply.original, reply.replacement, 1).strip()


def change_faults(reply: PerturbReply, answer: str) -> Faults:
    """What makes a change other than one, none at all, or of another kind than it says."""
    faults: list[str] = []
    times = answer.count(reply.original)
    if times != 1:
        return (f"original: stands {times} times in the answer, expected once, word for word",)
    before, after = reply.original.strip(), reply.replacement.strip()
    if fold(before) == fold(after):
        faults.append("replacement: changes nothing")
    if not applied(reply, answer):
        faults.append("replacement: leaves nothing of the answer")
    if len(answer) > _SHORT_ANSWER and len(before) > _LARGEST_SHARE * len(answer):
        faults.append("original: more than half of the answer; change one place alone")
    removes = reply.kind in ("dropped_red_flag", "removed_contraindication")
    if removes and (len(after) >= len(before) or _stems(after) - _stems(before)):
        faults.append(f"replacement: {reply.kind} removes words and adds none, this doesn't")
    if reply.kind == "unsupported_reassurance":
        if before not in after or len(sentences(after.replace(before, "", 1))) != 1:
            faults.append("replacement: unsupported_reassurance keeps all and adds one sentence")
    elif len(sentences(before)) > 1:
        faults.append("original: more than one sentence; change one place alone")
    if reply.kind == "changed_urgency" and len(sentences(after)) != 1:
        faults.append("replacement: changed_urgency says another urgency in one sentence")
    return tuple(faults)


def _stems(text: str) -> frozenset[str]:
    """The words that say something, Chinese by characters: taking some away adds no pair."""
    return frozenset(stem(word) for word in split_words(text)) - form_words()
