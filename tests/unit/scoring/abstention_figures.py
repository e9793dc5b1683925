"""Prints how often the detectors of abstentions err on the labelled answers.

python -m tests.unit.scoring.abstention_figures
"""

from __future__ import annotations

import json
from pathlib import Path

from tasks.contracts.evaluation import Recipe
from tasks.scoring.abstention import abstains

LABELLED: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("abstentions.json").read_text(encoding="utf-8")
)


def overlooked(recipe: Recipe, kind: str = "abstains") -> list[str]:
    """Abstentions that are taken for answers."""
    return [answer for answer in LABELLED[kind] if not abstains(recipe, answer)]


def mistaken(recipe: Recipe, kind: str = "answers") -> list[str]:
    """Answers that are taken for abstentions."""
    return [answer for answer in LABELLED[kind] if abstains(recipe, answer)]


if __name__ == "__main__":
    for suffix, told in (("", "written for"), ("_held_out", "held out")):
        abstentions, answers = f"abstains{suffix}", f"answers{suffix}"
        for recipe in ("medlocomo", "clinical"):
            missed, taken = overlooked(recipe, abstentions), mistaken(recipe, answers)
            print(
                f"{recipe}, {told}: {len(missed)} of {len(LABELLED[abstentions])} abstentions "
                f"overlooked, {len(taken)} of {len(LABELLED[answers])} answers mistaken"
            )
