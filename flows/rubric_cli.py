"""Options of the commands that generate and evaluate rubrics."""

from __future__ import annotations

import argparse
from pathlib import Path

from flows.cli_models import add_endpoint, add_provider


def add_rubric_generation(generate: argparse.ArgumentParser) -> None:
    """Options of `anamnesis rubrics generate`."""
    add = generate.add_argument
    add(
        "--queries",
        type=Path,
        metavar="FILE",
        help="JSON lines with a query or messages, or text with index<TAB>query a line",
    )
    add("--release", type=Path, metavar="DIR", help="a release whose questions are the queries")
    _add_common(generate)
    add(
        "--without",
        action="extend",
        nargs="+",
        metavar="STEP",
        help="ablations: router, atomic, intent, audit; nothing for the whole beside them",
    )
    add(
        "--baseline",
        action="extend",
        nargs="+",
        metavar="B",
        help="generic, a fixed rubric, or direct, one step of the model",
    )
    add = generate.add_argument_group("evidence").add_argument
    add("--search", choices=("corpus", "tavily"), help="where to search (default: corpus)")
    add("--corpus", type=Path, metavar="DIR", help="folder of pages (default: a small example)")
    add("--ranking", choices=("bm25", "dense"), help="how passages rank (default: bm25)")
    add("--tavily-url", metavar="URL", help="address of Tavily's API; the key: TAVILY_API_KEY")
    _add_models(generate)


def add_rubric_evaluation(evaluate: argparse.ArgumentParser) -> None:
    """Options of `anamnesis rubrics evaluate`."""
    add = evaluate.add_argument
    add(
        "--rubrics",
        action="extend",
        nargs="+",
        metavar="NAME=FILE",
        help="sets of rubrics, ours or of HealthBench's shape",
    )
    add("--reference", type=Path, metavar="FILE", help="gold rubrics, or LLMEval-Med's checklists")
    add("--queries", type=Path, metavar="FILE", help="the queries that the rubrics are for")
    add("--answers", type=Path, metavar="FILE", help="reference answers, for discrimination")
    add("--base", type=Path, metavar="FILE", help="answers to refine (default: the role base)")
    _add_common(evaluate)
    add(
        "--measure",
        action="extend",
        nargs="+",
        metavar="M",
        help="coverage, discrimination, refinement (default: all)",
    )
    add("--compare-with", metavar="NAME", help="set of McNemar's test (default: the first)")
    _add_models(evaluate)
    evaluate.add_argument(
        "--judge",
        action="extend",
        nargs="+",
        metavar="M",
        help="models that judge, programmatic for rules (default: the role judge)",
    )


def _add_common(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--out", type=Path, metavar="DIR", help="folder that gets the results, report/ and cache/")
    add("--concurrency", type=int, metavar="N", help="steps at once (default: cores, or 16)")


def _add_models(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("language models").add_argument
    add_provider(add, "who plays the roles: rules, or models")
    add("--model", metavar="M", help="model of every role without its own")
    add(
        "--role",
        action="extend",
        nargs="+",
        metavar="ROLE.SETTING=VALUE",
        help="model, temperature or top_p of one role, such as judge.model=M",
    )
    add_endpoint(add, temperature="0.1, the judge 0, base answers 0.7", output_tokens="4096")
