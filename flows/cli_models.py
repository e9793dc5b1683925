"""Options of language models, for the commands that ask some."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

Add = Callable[..., Any]

PROVIDERS = ("programmatic", "openai")


def add_provider(add: Add, who: str) -> None:
    """Whether rules or language models do the work; ``who`` says which work that is."""
    add("--provider", choices=PROVIDERS, help=f"{who} (default: programmatic)")


def add_endpoint(add: Add, *, temperature: str, output_tokens: str) -> None:
    """How models are asked, what that may cost and where text may go."""
    add("--base-url", metavar="URL", help="address of the model's API (default: OpenAI's)")
    add(
        "--key-variable",
        metavar="NAME",
        help="environment variable that holds the API key (default: OPENAI_API_KEY)",
    )
    add("--server", metavar="S", help="openai, azure, vllm, llamacpp, ollama, generic or plain")
    add("--model-family", metavar="F", help="parameters the model takes (default: chat)")
    add("--azure-deployment", metavar="D", help="deployment behind Azure")
    add("--azure-api-version", metavar="V", help="API version of Azure")
    add(
        "--temperature",
        type=float,
        metavar="T",
        help=f"sampling temperature (default: {temperature})",
    )
    add("--seed", type=int, metavar="S", help="seed of the first attempts (default: 0)")
    add("--context-tokens", type=int, metavar="N", help="tokens of its context (default: 131072)")
    add(
        "--output-tokens",
        type=int,
        metavar="N",
        help=f"tokens of a reply (default: {output_tokens})",
    )
    add(
        "--allow-host",
        action="append",
        metavar="HOST",
        help="host that credentialed data may be sent to; may be repeated",
    )
    add("--prices", type=Path, metavar="FILE", help="JSON file with prices by model")
    add("--max-usd", type=float, metavar="USD", help="what this run may spend")
    add("--max-tokens", type=int, metavar="N", help="tokens this run may spend")
    add("--request-seconds", type=float, metavar="S", help="for one HTTP request (default: 180)")
    add("--deadline-seconds", type=float, metavar="S", help="for one reply in all (default: 600)")


def add_estimate(add: Add) -> None:
    """Whether to reckon only."""
    add(
        "--estimate",
        action="store_true",
        default=None,
        help="print requests, tokens and cost without asking a model, and stop",
    )


def add_evaluated(evaluate: argparse.ArgumentParser) -> None:
    """Options of the models that are evaluated, of the judge and of the embeddings."""
    add = evaluate.add_argument_group("language models").add_argument
    add_provider(add, "who answers: a reader by rules, or models")
    add("--model", action="extend", nargs="+", metavar="M", help="names of models")
    add_endpoint(add, temperature="0", output_tokens="4096")
    add(
        "--margin-tokens",
        type=int,
        metavar="N",
        help="tokens of the context kept free (default: a sixteenth, at most 8192)",
    )
    add = evaluate.add_argument_group("judge").add_argument
    add("--judge-model", metavar="M", help="model that judges (default: rules judge)")
    add("--judge-repeats", type=int, metavar="N", help="verdicts on every answer (default: 1)")
    add("--judge-temperature", type=float, metavar="T", help="its temperature (default: 0)")
    add("--judge-base-url", metavar="URL", help="address of its API (default: --base-url)")
    add("--judge-server", metavar="S", help="what its server accepts (default: --server)")
    add("--judge-model-family", metavar="F", help="parameters it takes (default: --model-family)")
    add("--judge-key-variable", metavar="NAME", help="holds its key (default: --key-variable)")
    add = evaluate.add_argument_group("embeddings").add_argument
    add("--embeddings-model", metavar="M", help="model of an endpoint (default: an offline one)")
    add("--embeddings-url", metavar="URL", help="address of its API (default: --base-url)")
    add_estimate(evaluate.add_argument)
