"""Versions of the recipes by which answers are scored."""

from __future__ import annotations

from tasks.contracts.evaluation import Recipe
from tasks.scoring.abstention import ABSTENTION_VERSION
from tasks.scoring.recipes import OVERLAP_VERSION
from tasks.terminology.splitting import SPLITTING_VERSION

RECIPE_VERSIONS: dict[Recipe, str] = {
    "medlocomo": "1",
    "clinical": f"{OVERLAP_VERSION}.{SPLITTING_VERSION}.{ABSTENTION_VERSION}",
}
"""Stated beside every score; a change that alters scores changes the version.

``clinical`` has three numbers: of the overlap, of the splitting into words and of what abstains.
"""
