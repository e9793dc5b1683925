"""What holds for every audited rubric, whoever audited it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tasks.contracts.rubrics import MOST_CRITERIA, Criterion, Dropped, Fact, Language
from tasks.rubrics.pipeline.templates import criterion_of_fact, promise_criterion
from tasks.rubrics.pipeline.wording_rules import sign_agrees
from tasks.rubrics.words import fold


def enforce(
    criteria: Sequence[Criterion], facts: Sequence[Fact], known: Collection[str], language: Language
) -> tuple[tuple[Criterion, ...], tuple[Dropped, ...]]:
    """A rubric that every criterion of has a support, with red flags and prohibitions, each text
    once, at least one negative weight and at most 20 criteria; and what was left out.
    """
    kept: dict[str, Criterion] = {}
    dropped: list[Dropped] = []
    for number, one in enumerate(criteria, start=1):
        support = tuple(id for id in one.support if id in known)
        if not support:
            dropped.append(Dropped(id=f"criterion {number}", reason="nothing supports it"))
        elif not sign_agrees(one.criterion, one.points):
            dropped.append(Dropped(id=f"criterion {number}", reason="sign against its wording"))
        elif (key := fold(one.criterion)) in kept:
            merged = dict.fromkeys((*kept[key].support, *support))
            kept[key] = kept[key].model_copy(update={"support": tuple(merged)})
            dropped.append(Dropped(id=f"criterion {number}", reason="repeats another"))
        else:
            kept[key] = one.model_copy(update={"support": support})
    apart, lumped = _apart(tuple(kept.values()), facts, language)
    dropped += lumped
    if not any(one.points < 0 for one in apart) and known:
        apart = (*apart, promise_criterion(sorted(known)[0], language))
    stays, too_many = _shortened(apart, protected_ids(facts))
    return stays, (*dropped, *too_many)


def protected_ids(facts: Sequence[Fact]) -> frozenset[str]:
    """Red flags and prohibitions: facts that a rubric may neither leave out nor lump together."""
    return frozenset(one.fact_id for one in facts if one.kind != "positive")


def alone(criterion: Criterion, protected: frozenset[str]) -> str | None:
    """The red flag or prohibition that a criterion is about; None for none, or several."""
    held = protected & set(criterion.support)
    return next(iter(held)) if len(held) == 1 else None


def _apart(
    criteria: Sequence[Criterion], facts: Sequence[Fact], language: Language
) -> tuple[tuple[Criterion, ...], list[Dropped]]:
    """The criteria with one for each red flag and prohibition that had none of its own.

    A criterion that lumped such ones together makes way for theirs.
    """
    protected = protected_ids(facts)
    own = {alone(one, protected) for one in criteria}
    missing = [one for one in facts if one.fact_id in protected - own]
    lacking = {one.fact_id for one in missing}
    kept: list[Criterion] = []
    dropped: list[Dropped] = []
    for number, one in enumerate(criteria, start=1):
        held = protected & set(one.support)
        if len(held) > 1 and held <= lacking:
            dropped.append(Dropped(id=f"kept {number}", reason="lumps dangers together"))
        else:
            kept.append(one)
    return (*kept, *(criterion_of_fact(one, language) for one in missing)), dropped


def _shortened(
    criteria: Sequence[Criterion], protected: frozenset[str]
) -> tuple[tuple[Criterion, ...], list[Dropped]]:
    """The 20 that matter most, in their order; each protected fact keeps one, as do faults."""
    heaviest = sorted(range(len(criteria)), key=lambda place: -abs(criteria[place].points))
    firsts: dict[str, int] = {}
    for place in heaviest:
        if danger := alone(criteria[place], protected):
            firsts.setdefault(danger, place)
        if criteria[place].points < 0:
            firsts.setdefault("a fault", place)
    stay = set(list(dict.fromkeys([*firsts.values(), *heaviest]))[:MOST_CRITERIA])
    gone = [place for place in range(len(criteria)) if place not in stay]
    return (
        tuple(criteria[place] for place in sorted(stay)),
        [Dropped(id=f"kept {place + 1}", reason="over the limit") for place in gone],
    )
