from __future__ import annotations

from tasks.contracts.questions import ABSTENTION
from tasks.scoring.items import SystemIdentity, score_timeline
from tasks.scoring.timeline import TimelineIndex
from tasks.scoring.versions import RECIPE_VERSIONS
from tests.unit.scoring.builders import adversarial, patient, predicted, session


def test_the_clinical_recipe_names_overlap_splitting_and_abstention():
    assert RECIPE_VERSIONS == {"medlocomo": "1", "clinical": "2.2.3"}


def test_every_score_states_the_versions_of_its_recipes():
    asked = patient([session("1", ["Go home."])], [adversarial("a1")])
    identity = SystemIdentity(release="r", system="s", strategy="s")
    (one,) = score_timeline(TimelineIndex(asked), predicted({"a1": ABSTENTION}), None, identity)
    assert one.recipes == RECIPE_VERSIONS
