from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from flows.audit_figures import headline, headline_markdown, written
from flows.audit_files import AuditPlaces, audit_places, write_audit
from flows.audit_page import render_audit
from tasks.contracts.audit import Claim
from tasks.contracts.errors import SettingError
from tasks.gates.suites import run_gate
from tests.factories import audits
from tests.factories.audits import passed_verdict, patient_audit, sound_report, turn_audit
from tests.factories.pages import read

WORDS = Claim(kind="drug", text="zorbamycin")


def test_the_page_is_whole_has_plots_and_needs_nothing_from_elsewhere() -> None:
    page = render_audit(sound_report(), passed_verdict())
    found = read(page)
    assert found.links == []
    assert page.count("<svg") == 5
    for heading in ("Grounding", "Support", "Answerability", "Wording", "Variety", "Duplicates"):
        assert f"<h2>{heading}</h2>" in page
    assert ["AUROC, overall", "0.520", "180"] in [row[2:] for row in found.rows]
    assert "all bounds met" in page


def test_a_bound_that_is_not_met_stands_first_with_its_ids() -> None:
    patient = patient_audit(turns=(turn_audit(4, unsupported=(WORDS,)),))
    verdict = run_gate("audits", audits.tables(patient, audits.second_patient()))
    page = render_audit(sound_report(verdict), verdict)
    bounds = [row for row in read(page).rows if len(row) == 5 and row[0] == "grounding"]
    assert "not met: grounding" in page
    assert [row[2:] for row in bounds if "drug" in row[1]] == [["failed", "1", "88001001#4"]]


def test_figures_are_the_same_in_console_page_and_artifact() -> None:
    report = sound_report()
    lines = headline_markdown(report).splitlines()[2:]
    assert len(lines) == len(headline(report))
    assert "| support | passed | supported answers | 1.000 | 2 |" in lines
    assert "| wording |  | AUROC, cross_admission | 0.500 | 180 |" in lines


@pytest.mark.parametrize(
    ("value", "text"), [(None, "n/a"), (0, "0"), (12, "12"), (0.5, "0.500"), (1.0, "1.000")]
)
def test_counts_and_shares_are_written_apart(value: float | None, text: str) -> None:
    assert written(value) == text


def test_words_of_turns_stand_in_the_findings_only(tmp_path: Path) -> None:
    patient = patient_audit(turns=(turn_audit(1), turn_audit(4, unsupported=(WORDS,))))
    findings = tmp_path / "cache" / "found.jsonl"
    places = AuditPlaces(tmp_path, findings)
    page = write_audit(places, sound_report(), passed_verdict(), [patient])
    (line,) = findings.read_text().splitlines()
    assert json.loads(line)["turn_number"] == 4
    assert json.loads(line)["unsupported"] == [{"kind": "drug", "text": "zorbamycin"}]
    assert stat.S_IMODE(findings.stat().st_mode) == 0o600
    assert "zorbamycin" not in page.read_text()
    assert "zorbamycin" not in (tmp_path / "audit.json").read_text()


@pytest.mark.parametrize(
    "fault",
    [
        {"supported": False},
        {"missing_turns": 1},
        {"dispensable_turns": 1},
        {"whole_dialogue": True},
        {"contradicting_turns": ("88001001:3",)},
    ],
)
def test_every_fault_of_a_question_is_a_finding(tmp_path: Path, fault: dict[str, object]) -> None:
    patient = patient_audit(questions=(audits.question_audit(1), audits.question_audit(2, **fault)))
    places = AuditPlaces(tmp_path, tmp_path / "found.jsonl")
    write_audit(places, sound_report(), passed_verdict(), [patient])
    (line,) = places.findings.read_text().splitlines()
    assert json.loads(line)["qa_id"] == "99000001_88001001_q02"


def test_an_audit_is_written_beside_a_build_or_where_it_is_wanted(tmp_path: Path) -> None:
    release = tmp_path / "release"
    here = tmp_path / "here"
    assert audit_places(release, None) is None
    assert audit_places(release, here) == AuditPlaces(here, here / "audit_findings.jsonl")
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "run.json").write_text("{}")
    assert audit_places(release, None) is None
    (tmp_path / "cache").mkdir()
    assert audit_places(release, None) == AuditPlaces(
        tmp_path / "report", tmp_path / "cache" / "audit_findings.jsonl"
    )
    with pytest.raises(SettingError, match="--out"):
        audit_places(release, tmp_path / "report" / "run.json")


def test_places_that_cannot_take_an_audit_are_refused_before_it(tmp_path: Path) -> None:
    release = tmp_path / "release"
    release.mkdir()
    file = tmp_path / "file"
    file.write_text("x")
    taken = tmp_path / "taken"
    (taken / "audit.json").mkdir(parents=True)
    for given in (release, release / "report", file, file / "below", taken, Path()):
        with pytest.raises(SettingError, match="--out"):
            audit_places(release, given)
    assert list(release.iterdir()) == []
