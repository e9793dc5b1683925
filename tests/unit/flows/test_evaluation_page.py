from __future__ import annotations

import pytest

from flows.evaluation_cells import markdown_lines, ranked
from flows.evaluation_page import EvaluationFigures, evaluation_markdown, render_evaluation
from flows.evaluation_tables import all_tables, system_table
from tasks.contracts.evaluation import SystemScores
from tasks.contracts.questions import QuestionType
from tests.factories.evaluations import (
    baseline_scores,
    comparison,
    estimated,
    group,
    system_scores,
)
from tests.factories.pages import read


def figures(*systems: SystemScores) -> EvaluationFigures:
    return EvaluationFigures(
        release="ab" * 32,
        data_class="synthetic",
        patients=4,
        questions=60,
        systems=systems or (system_scores(), baseline_scores()),
        comparisons=(comparison(),),
    )


def test_the_page_needs_nothing_from_elsewhere_and_no_script() -> None:
    html = render_evaluation(figures())
    assert [link for link in read(html).links if not link.startswith("#")] == []
    assert "<script" not in html
    assert html.startswith("<!doctype html>")


def test_the_page_shows_every_table_and_plot() -> None:
    html = render_evaluation(figures())
    for title in (
        "Systems", "Intervals and the clinical recipe", "Every patient alike",
        "What became of the questions", "By scope",
        "By question type", "By position of the evidence", "By distance of the cited admissions",
        "By length of the timeline", "Errors of abstaining", "Kinds of wrong answers",
        "Evidence found by retrieval", "The judge and the recipes", "Cost", "Systems compared",
        "Published results, full context", "Published results, memories and retrieval",
    ):  # fmt: skip
        assert f"<h2>{title}</h2>" in html
    for title in (
        "Bars of the score of every system with 95 % intervals",
        "Radar of the score by question type, a line a system",
        "Score by position of the evidence, distance of the cited admissions, length of the "
        "timeline, a line a system",
        "Recall of the cited admissions and turns at k",
        "Cost of every system against its score",
    ):
        assert title in html


def test_plots_state_what_their_means_are_of() -> None:
    few = group().model_copy(update={"score": {"medlocomo": estimated(0.5, 7)}})
    by_type = {QuestionType.MEDICAL_REASONING: group(), QuestionType.ADVERSARIAL: few}
    other = system_scores("other/bm25", by_type={**by_type, QuestionType.ADVERSARIAL: group()})
    html = render_evaluation(figures(system_scores(by_type=by_type), other))
    for words in ("model/bm25 (n 60)", "(n 7 to 60)", "k best admissions (n 40)"):
        assert f">{words}<" in html


def test_the_same_figures_give_the_same_page() -> None:
    assert render_evaluation(figures()) == render_evaluation(figures())


def test_published_results_are_marked_as_such() -> None:
    html = render_evaluation(figures())
    assert "<td>GPT-5.1</td><td>published</td>" in html
    assert "own data, with its own judge" in html


def test_the_recipes_are_stated_with_their_versions() -> None:
    older = baseline_scores(recipes={"medlocomo": "1", "clinical": "1.1.1"})
    given = figures(system_scores(), older)
    for text in (render_evaluation(given), evaluation_markdown(given)):
        assert "recipes: medlocomo 1, clinical 1.2.2, clinical 1.1.1." in text
    assert "| always-abstain | judge | n/a | 0 | 1 | 1.1.1 |" in evaluation_markdown(given)
    unstated = evaluation_markdown(figures(system_scores(recipes={})))
    assert "recipes: not stated." in unstated
    assert "| model/bm25 | judge | n/a | 0 | not stated | not stated |" in unstated


def test_an_invalid_run_is_marked_wherever_it_is_named() -> None:
    bad = system_scores("bad/bm25", valid=False)
    html = render_evaluation(figures(bad, baseline_scores()))
    assert "Invalid runs, too many errors: bad/bm25" in html
    assert '<td>bad/bm25</td><td>judge</td><td class="bad">INVALID</td>' in html
    assert "**Invalid runs, too many errors: bad/bm25**" in evaluation_markdown(figures(bad))


def test_a_name_is_text_and_nothing_else() -> None:
    html = render_evaluation(figures(system_scores("<b>&/bm25")))
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;/bm25" in html


def test_systems_are_ranked_by_score_and_those_without_one_come_last() -> None:
    worse = system_scores("worse/bm25", overall=group(0.1, 0.1))
    none = system_scores("none/bm25", overall=group(None, None))
    assert [one.system for one in ranked([none, worse, system_scores()])] == [
        "model/bm25", "worse/bm25", "none/bm25",
    ]  # fmt: skip


def test_the_main_table_has_every_figure_with_its_n() -> None:
    table = system_table([system_scores()])
    assert len(set(table.head)) == len(table.head)
    assert dict(zip(table.head, table.rows[0], strict=True)) == {
        "system": "model/bm25", "judge": "judge", "run": "valid", "F1": 40.0,
        "F1 clinical": 40.0, "n F1": 40, "J": 40.0, "n J": 40, "Acc": 80.0, "n Acc": 20,
        "Score": pytest.approx(60.0), "95 %": "50.0 to 70.0", "n Score": 60,
    }  # fmt: skip


def test_means_of_different_questions_have_different_ns() -> None:
    # Ten of fifty answers have no verdict: they are in F1, and neither in J nor in Score.
    few = group().model_copy(
        update={
            "f1": {"medlocomo": estimated(0.4, 50), "clinical": estimated(0.4, 50)},
            "judge": estimated(0.4, 40),
        }
    )
    one = system_scores(overall=few, macro=few, by_scope={"single_admission": few})
    by_title = {table.title: table for table in all_tables([one], [])}
    for title in ("Systems", "Every patient alike", "By scope"):
        table = by_title[title]
        row = dict(zip(table.head, table.rows[0], strict=True))
        assert (row["n F1"], row["n J"], row["n Acc"], row["n Score"]) == (50, 40, 20, 60)
    macro = by_title["Every patient alike"]
    assert dict(zip(macro.head, macro.rows[0], strict=True))["patients J"] == 4
    assert by_title["Errors of abstaining"].rows[0] == ("model/bm25", "medlocomo", 6, 50, 4, 20)


def test_every_table_has_names_of_its_own_for_its_columns() -> None:
    tables = all_tables([system_scores()], [comparison()])
    assert len({one.key for one in tables}) == len(tables)
    for one in tables:
        assert len(set(one.head)) == len(one.head)
        assert all(len(row) == len(one.head) for row in one.rows)


def test_a_p_value_too_small_to_write_is_bounded() -> None:
    (table,) = [one for one in all_tables([], [comparison()]) if one.title == "Systems compared"]
    assert table.rows[0][-2:] == ("< 0.0001", "0.0300")


def test_what_has_no_n_is_shown_as_not_available() -> None:
    lonely = system_scores(judge_agreement=estimated(None), usd=None)
    text = evaluation_markdown(figures(lonely))
    assert "| model/bm25 | judge | n/a | 0 |" in text
    assert "| model/bm25 | 60 | 9000 | 600 | n/a |" in text


def test_markdown_aligns_numbers_and_keeps_bars_out_of_names() -> None:
    table = system_table([system_scores("a|b/bm25")])
    head, rule, row = markdown_lines(table)
    assert head.count("|") == rule.count("|") == row.count("|")
    assert row.startswith("| a/b/bm25 | judge | valid | 40.0 |")


def test_systems_of_several_judges_are_told_apart_in_every_table() -> None:
    tables = {
        one.title: [row[0] for row in one.rows]
        for one in all_tables([system_scores(judge="j"), system_scores(judge="k")], [])
    }
    assert tables["Systems"] == tables["The judge and the recipes"] == ["model/bm25"] * 2
    told = ["model/bm25, judged by j", "model/bm25, judged by k"]
    assert tables["Every patient alike"] == tables["Cost"] == told
    assert set(tables["By scope"]) == set(told)


@pytest.mark.parametrize(("systems", "captions"), [(8, 0), (11, 4)])
def test_plots_say_how_many_systems_they_leave_out(systems: int, captions: int) -> None:
    html = render_evaluation(figures(*(system_scores(f"m{n:02}/bm25") for n in range(systems))))
    assert html.count("The 8 best of 11 systems") == captions


def test_only_baselines_leave_plots_of_retrieval_and_cost_out() -> None:
    free = baseline_scores(recall_admissions={}, recall_turns={})
    html = render_evaluation(figures(free))
    assert "Recall of the cited admissions" not in html
    assert "Cost of every system" not in html
