"""Titles of codes are said whole or without vague words at their ends, never mangled."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.records import FactKind
from tasks.dialogue.naming import topic_of
from tasks.ehr.titles import TITLE_WORDS, procedure_words, title_words
from tests.factories.records import fact

DEMO = Path(__file__).resolve().parents[4] / "shared" / "data" / "mimic-iv-demo" / "hosp"
CATALOGUE = Path(__file__).resolve().parents[3] / "tasks" / "sample" / "catalogue"
_DANGLING = re.compile(r"\b(?:and|or|of|with|without|to|in|for|by|due to(?: other)?|from)$", re.I)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Acute kidney failure, unspecified", "Acute kidney failure"),
        ("Unspecified essential hypertension", "essential hypertension"),
        ("Other and unspecified hyperlipidemia", "hyperlipidemia"),
        ("Other chronic pain", "chronic pain"),
        ("Unspecified coma", "coma"),
        (
            "Diverticulitis of colon (without mention of hemorrhage)",
            "Diverticulitis of colon",
        ),
        ("Osteoarthrosis, unspecified whether generalized or localized, hand", "Osteoarthrosis"),
        ("Pneumonia due to unspecified organism", "Pneumonia"),
        ("Urinary tract infection, site not specified", "Urinary tract infection"),
        (
            "Traumatic pneumothorax without mention of open wound into thorax",
            "Traumatic pneumothorax",
        ),
        (
            "Diabetes mellitus without mention of complication, type II or unspecified type, "
            "not stated as uncontrolled",
            "Diabetes mellitus",
        ),
        (
            "Non-pressure chronic ulcer of other part of right foot with unspecified severity",
            "Non-pressure chronic ulcer of other part of right foot",
        ),
        (
            "Excision of Left Main Bronchus, Via Natural or Artificial Opening Endoscopic, "
            "Diagnostic",
            "Excision of Left Main Bronchus",
        ),
        (
            "Pseudomonas infection in conditions classified elsewhere and of unspecified site",
            "Pseudomonas infection",
        ),
    ],
)
def test_vague_ends_of_a_title_are_not_said(title: str, said: str) -> None:
    assert title_words(title) == said


@pytest.mark.parametrize(
    "title",
    [
        "Ulcer of other part of foot",
        "Diabetes with ketoacidosis, type II or unspecified type, uncontrolled",
        "Diverticulosis, part unspecified, without abscess",
        "Cerebral artery occlusion, unspecified with cerebral infarction",
        "Other specified disorders of intestine",
        "Other respiratory abnormalities",
        "Other, mixed, or unspecified drug abuse",
        "Malignant neoplasm of other sites of rectum, rectosigmoid junction, and anus",
        "Atherosclerotic heart disease of native coronary artery with unstable angina pectoris",
        "Hypertensive heart and chronic kidney disease with heart failure and with stage 5 "
        "chronic kidney disease, or end stage renal disease",
    ],
)
def test_a_title_whose_words_all_belong_to_its_name_is_said_whole(title: str) -> None:
    assert title_words(title) == title


@pytest.mark.parametrize(
    ("label", "topic"),
    [
        ("Other, mixed, or unspecified drug abuse", "that diagnosis"),
        ("Other specified disorders of intestine", "other specified disorders of intestine"),
        (
            "Malignant neoplasm of bronchus and lung, upper lobe",
            "malignant neoplasm of bronchus and lung, upper lobe",
        ),
        ("Diseases of trachea, bronchus, and lung", "diseases of trachea, bronchus, and lung"),
        (
            "Acute and subacute hepatic failure without coma",
            "acute and subacute hepatic failure",
        ),
    ],
)
def test_a_reply_takes_up_a_whole_name_or_a_head_with_meaning(label: str, topic: str) -> None:
    assert topic_of(fact(FactKind.DIAGNOSIS, label, "secondary")) == topic


@pytest.mark.parametrize(
    ("title", "said"),
    [
        (
            "Performance of Urinary Filtration, Intermittent, Less than 6 Hours Per Day",
            "Performance of Urinary Filtration, Intermittent",
        ),
        (
            "Bypass Coronary Artery, One Artery from Left Internal Mammary with Autologous "
            "Arterial Tissue, Open Approach",
            "Bypass Coronary Artery, One Artery from Left Internal Mammary",
        ),
        (
            "Insertion of Tunneled Vascular Access Device into Chest Subcutaneous Tissue and "
            "Fascia, Percutaneous Approach",
            "",
        ),
        ("Open and other right hemicolectomy", "Open and other right hemicolectomy"),
    ],
)
def test_long_titles_of_procedures_end_before_a_clause(title: str, said: str) -> None:
    assert procedure_words(title) == said


def _well_said(title: str) -> None:
    said, whole = title_words(title).split(), title.split()
    runs = [whole[start : start + len(said)] for start in range(len(whole))]
    bare = [[word.strip(",.;:-*#=") for word in run] for run in runs]
    assert said, title
    assert [word.strip(",.;:-*#=") for word in said] in bare, title
    assert not _DANGLING.search(" ".join(said)), title
    topic = topic_of(fact(FactKind.DIAGNOSIS, " ".join(said), "secondary"))
    assert not _DANGLING.search(topic), title
    assert topic.casefold() not in {"other", "others", "unspecified", "infection"} or len(said) == 1


def test_titles_of_the_catalogue_are_well_said() -> None:
    titles = [
        title
        for path in CATALOGUE.rglob("*.json")
        for title in re.findall(r'"title": "([^"]+)"', path.read_text(encoding="utf-8"))
    ]
    assert len(titles) > 100
    for title in titles:
        _well_said(title)


@pytest.mark.skipif(not DEMO.is_dir(), reason="the open MIMIC-IV demo is not beside the checkout")
@pytest.mark.parametrize("name", ["d_icd_diagnoses", "d_icd_procedures"])
def test_titles_of_the_demo_are_well_said(name: str) -> None:
    with (DEMO / f"{name}.csv").open(encoding="utf-8", newline="") as handle:
        titles = [" ".join(row["long_title"].split()) for row in csv.DictReader(handle)]
    assert titles
    for title in titles:
        if len(title.split()) <= TITLE_WORDS:
            _well_said(title)


@given(
    st.lists(
        st.sampled_from(
            ["Other", "unspecified", "fracture", "of", "ulcer,", "and", "femur", "site,", "with"]
        ),
        min_size=1,
        max_size=12,
    )
)
def test_what_is_said_is_a_run_of_the_title_s_words(words: list[str]) -> None:
    said = title_words(" ".join(words)).split()
    plain = [word.strip(",") for word in words]
    runs = [plain[start : start + len(said)] for start in range(len(words))]
    assert [word.strip(",") for word in said] in runs
