"""Stage report of evaluate-rubrics: figures of all that was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from flows.rubric_costs import component_costs
from flows.rubric_figures import RubricFigures, all_tables
from flows.rubric_inputs import Inputs
from flows.rubric_publishing import publish_tables
from flows.rubric_refining import Refined
from flows.rubric_run import RubricEvaluationRun
from flows.rubric_stages import Coverage, Discrimination
from tasks.adapters.files import write_json
from tasks.contracts.rubric_measures import (
    AblationRow,
    CoverageScores,
    DiscriminationScores,
    PairResult,
    RefinementScores,
)
from tasks.contracts.rubric_results import QueryCoverage
from tasks.contracts.rubric_trace import RoleCost
from tasks.contracts.rubrics import Variant
from tasks.rubrics.measures.discriminating import agreement, discrimination
from tasks.rubrics.measures.summaries import ablation_row, coverage_scores, refinement_scores

MEASURES = "measures.json"
_WHOLE = "full"


def publish_measures(
    run: RubricEvaluationRun,
    given: Inputs,
    coverage: Coverage | None,
    pairs: Discrimination | None,
    refined: Refined | None,
) -> RubricFigures:
    """Write measures.json, tables, page and plots; no patient text."""
    with run.stage("report"):
        results = [one.result for one in pairs.judged] if pairs else []
        figures = RubricFigures(
            data_class=run.data_class,
            provider=run.settings.provider,
            coverage=_coverage(run, coverage) if coverage else (),
            discrimination=_discrimination(results),
            agreement=agreement(results),
            refinement=_refinement(refined) if refined else (),
            ablations=_ablations(given, coverage, results),
            costs=component_costs(_costs(coverage, pairs, refined)),
            reading=tuple(run.reading),
        )
        out = Path(run.workspace.out)
        write_json(out / MEASURES, figures)
        about = (
            f"{len(given.queries)} queries with a gold rubric; data: {run.data_class}; provider: "
            f"{run.settings.provider}. What the provider programmatic judges, it judges by shared "
            "words: such figures show that the flow runs, not how good a rubric is. What the "
            "figures mean stands in docs/rubrics-measures.md."
        )
        tables, plots = all_tables(figures), _plots(figures, results)
        publish_tables(out, "Evaluation of rubrics", about, tables, plots)
        run.count("report", "computed", len(given.sets))
    return figures


def _coverage(run: RubricEvaluationRun, found: Coverage) -> tuple[CoverageScores, ...]:
    baseline = run.settings.compare_with or next(iter(found.results))
    return tuple(
        coverage_scores(
            name, results, None if name == baseline else (baseline, found.results[baseline])
        )
        for name, results in found.results.items()
    )


def _discrimination(results: Sequence[PairResult]) -> tuple[DiscriminationScores, ...]:
    groups: dict[tuple[str, str], list[PairResult]] = {}
    for one in results:
        groups.setdefault((one.name, one.judge), []).append(one)
    return tuple(discrimination(name, judge, found) for (name, judge), found in groups.items())


def _refinement(found: Refined) -> tuple[RefinementScores, ...]:
    return tuple(
        refinement_scores(name, results, found.scores) for name, results in found.results.items()
    )


def _ablations(
    given: Inputs, coverage: Coverage | None, results: Sequence[PairResult]
) -> tuple[AblationRow, ...]:
    """Ablations beside the set of the whole pipeline, by the first judge, where both have one."""
    whole = next((name for name, one in given.variants.items() if one == _WHOLE), None)
    if whole is None:
        return ()
    judge = results[0].judge if results else ""

    def judged(name: str, lacking: frozenset[str]) -> list[PairResult]:
        mine = (one for one in results if one.name == name and one.judge == judge)
        return [one for one in mine if one.query_id not in lacking]

    def covered(name: str, lacking: frozenset[str]) -> list[QueryCoverage]:
        found = coverage.results.get(name, ()) if coverage else ()
        return [one for one in found if one.query_id not in lacking]

    def row(name: str, variant: Variant) -> AblationRow:
        # A rubric that could not be generated is no effect of what its variant leaves out.
        lacking = given.missing[whole] | given.missing[name]
        return ablation_row(
            variant,
            (covered(whole, lacking), covered(name, lacking)),
            (judged(whole, lacking), judged(name, lacking)),
        )

    return tuple(
        row(name, variant)
        for name, variant in given.variants.items()
        if variant is not None and variant.startswith("without-")
    )


def _costs(
    coverage: Coverage | None, pairs: Discrimination | None, refined: Refined | None
) -> Iterator[tuple[str, RoleCost]]:
    if coverage:
        yield from (("atomizer", one.cost) for one in coverage.atoms.values())
        yield from (
            ("coverage judge", one.cost) for found in coverage.results.values() for one in found
        )
    if pairs:
        yield from (("perturber", one.cost) for one in pairs.near_misses.values())
        yield from (("judge of pairs", one.cost) for one in pairs.judged)
    if refined:
        yield from (("base answerer", one.cost) for one in refined.base.values())
        yield from (("judge of answers", one.cost) for one in refined.scores.values())
        for one in (each for found in refined.results.values() for each in found):
            yield "critic", one.critic_cost
            yield "editor", one.editor_cost
            if one.scored is not None:
                yield "judge of answers", one.scored.cost


def _plots(figures: RubricFigures, results: Sequence[PairResult]) -> Mapping[str, str]:
    """Plots by the table that they follow."""
    # matplotlib takes half a second to import.
    from flows.rubric_plots import axis_plot, decision_plot, delta_plot

    plots: dict[str, str] = {}
    if figures.coverage:
        plots["rubrics-axes"] = axis_plot(figures.coverage)
    if figures.discrimination:
        judge = figures.discrimination[0].judge
        deltas = {
            one.name: [pair for pair in results if (pair.name, pair.judge) == (one.name, judge)]
            for one in figures.discrimination
        }
        plots["rubrics-discrimination"] = decision_plot(figures.discrimination) + delta_plot(deltas)
    return plots
