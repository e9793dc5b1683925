from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from tasks.contracts.errors import SettingError, SourceError
from tasks.sample.writing import SampleFile, write_notes_for, write_sample

HEADERS = {
    "hosp/patients.csv": "subject_id,gender,anchor_age,anchor_year,anchor_year_group,dod",
    "hosp/admissions.csv": (
        "subject_id,hadm_id,admittime,dischtime,deathtime,admission_type,admit_provider_id,"
        "admission_location,discharge_location,insurance,language,marital_status,race,edregtime,"
        "edouttime,hospital_expire_flag"
    ),
    "hosp/diagnoses_icd.csv": "subject_id,hadm_id,seq_num,icd_code,icd_version",
    "hosp/procedures_icd.csv": "subject_id,hadm_id,seq_num,chartdate,icd_code,icd_version",
    "hosp/d_icd_diagnoses.csv": "icd_code,icd_version,long_title",
    "hosp/d_icd_procedures.csv": "icd_code,icd_version,long_title",
    "hosp/microbiologyevents.csv": (
        "microevent_id,subject_id,hadm_id,micro_specimen_id,order_provider_id,chartdate,charttime,"
        "spec_itemid,spec_type_desc,test_seq,storedate,storetime,test_itemid,test_name,org_itemid,"
        "org_name,isolate_num,quantity,ab_itemid,ab_name,dilution_text,dilution_comparison,"
        "dilution_value,interpretation,comments"
    ),
    "note/discharge.csv": (
        "note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text"
    ),
    "note/radiology.csv": (
        "note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text"
    ),
}
HEADINGS = (
    "Name:",
    "Admission Date:",
    "Service:",
    "Allergies:",
    "Chief Complaint:",
    "Major Surgical or Invasive Procedure:",
    "History of Present Illness:",
    "Past Medical History:",
    "Social History:",
    "Family History:",
    "Physical Exam:",
    "Pertinent Results:",
    "Brief Hospital Course:",
    "Medications on Admission:",
    "Discharge Medications:",
    "Discharge Disposition:",
    "Discharge Diagnosis:",
    "Discharge Condition:",
    "Discharge Instructions:",
    "Followup Instructions:",
)

Rows = list[dict[str, str]]


def _read(folder: Path, name: str) -> Rows:
    with (folder / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder, patients=40, seed=11)
    return folder


def test_every_file_has_mimics_columns_in_order(sample: Path) -> None:
    for name, header in HEADERS.items():
        assert (sample / name).read_text(encoding="utf-8").split("\n", 1)[0] == header
    assert (sample / "hosp/DATA_CLASS").read_text() == "synthetic\n"
    assert (sample / "note/DATA_CLASS").read_text() == "synthetic\n"


def test_the_report_counts_the_records(tmp_path: Path) -> None:
    report = write_sample(tmp_path, patients=3, seed=1)
    assert report.folder == tmp_path
    assert SampleFile("hosp/patients.csv", 3) in report.files
    for file in report.files:
        assert len(_read(tmp_path, file.name)) == file.rows


def test_every_row_belongs_to_its_patient_and_stay(sample: Path) -> None:
    patients = {r["subject_id"] for r in _read(sample, "hosp/patients.csv")}
    stays = {r["hadm_id"]: r["subject_id"] for r in _read(sample, "hosp/admissions.csv")}
    assert set(stays.values()) == patients
    for name in ("diagnoses_icd", "procedures_icd", "microbiologyevents"):
        for row in _read(sample, f"hosp/{name}.csv"):
            assert stays[row["hadm_id"]] == row["subject_id"]
    for name in ("discharge", "radiology"):
        notes = _read(sample, f"note/{name}.csv")
        assert len({n["note_id"] for n in notes}) == len(notes)
        for note in notes:
            assert stays[note["hadm_id"]] == note["subject_id"]
            expected = f"{note['subject_id']}-{note['note_type']}-{note['note_seq']}"
            assert note["note_id"] == expected


def test_ids_lie_outside_mimics_ranges_and_tell_nothing_about_time(sample: Path) -> None:
    rows = _read(sample, "hosp/admissions.csv")
    assert all(re.fullmatch(r"9\d{7}", r["subject_id"]) for r in rows)
    assert all(re.fullmatch(r"8\d{7}", r["hadm_id"]) for r in rows)
    assert len({r["hadm_id"] for r in rows}) == len(rows)
    by_time = sorted(rows, key=lambda r: (r["subject_id"], r["admittime"]))
    by_id = sorted(rows, key=lambda r: (r["subject_id"], r["hadm_id"]))
    assert by_time != by_id


def test_every_code_has_a_title(sample: Path) -> None:
    for rows, titles in (
        ("diagnoses_icd", "d_icd_diagnoses"),
        ("procedures_icd", "d_icd_procedures"),
    ):
        known = {(r["icd_code"], r["icd_version"]) for r in _read(sample, f"hosp/{titles}.csv")}
        used = {(r["icd_code"], r["icd_version"]) for r in _read(sample, f"hosp/{rows}.csv")}
        assert used <= known


def test_events_lie_inside_their_stay_and_stays_do_not_overlap(sample: Path) -> None:
    stays = {r["hadm_id"]: r for r in _read(sample, "hosp/admissions.csv")}
    for row in _read(sample, "hosp/microbiologyevents.csv"):
        stay = stays[row["hadm_id"]]
        assert stay["admittime"] <= row["charttime"] <= stay["dischtime"]
    for row in _read(sample, "hosp/procedures_icd.csv"):
        stay = stays[row["hadm_id"]]
        assert stay["admittime"][:10] <= row["chartdate"] <= stay["dischtime"][:10]
    for row in _read(sample, "note/radiology.csv"):
        stay = stays[row["hadm_id"]]
        assert stay["admittime"] <= row["charttime"] <= stay["dischtime"]
    ordered = sorted(stays.values(), key=lambda r: (r["subject_id"], r["admittime"]))
    for before, after in pairwise(ordered):
        if before["subject_id"] == after["subject_id"]:
            assert before["dischtime"] < after["admittime"]


def test_summaries_are_charted_at_midnight_of_the_day_of_discharge(sample: Path) -> None:
    stays = {r["hadm_id"]: r for r in _read(sample, "hosp/admissions.csv")}
    for note in _read(sample, "note/discharge.csv"):
        assert note["charttime"] == f"{stays[note['hadm_id']]['dischtime'][:10]} 00:00:00"
        assert note["storetime"] > note["charttime"]


def test_no_date_is_a_real_one(sample: Path) -> None:
    for name, content in _bytes(sample).items():
        if "patients" not in name:
            years = re.findall(rb"\b(\d{4})-\d\d-\d\d", content)
            assert all(int(year) >= 2110 for year in years), name
    for note in _read(sample, "note/discharge.csv"):
        assert not re.search(r"\d{4}-\d\d-\d\d|\b\d{1,2}/\d{1,2}/\d{2,4}\b", note["text"])


def test_notes_have_mimics_headings_and_line_width(sample: Path) -> None:
    for note in _read(sample, "note/discharge.csv"):
        lines = note["text"].split("\n")
        starts = [next(i for i, x in enumerate(lines) if x.startswith(h)) for h in HEADINGS]
        assert starts == sorted(starts)
        assert max(len(line) for line in lines) <= 78
        assert "$" not in note["text"] and "{" not in note["text"]
    for note in _read(sample, "note/radiology.csv"):
        for heading in ("EXAMINATION:", "INDICATION:", "TECHNIQUE:", "FINDINGS:", "IMPRESSION:"):
            assert heading in note["text"]


def test_lengths_of_stay_and_numbers_of_stays_are_heavy_tailed(tmp_path: Path) -> None:
    write_sample(tmp_path, patients=120, seed=3)
    rows = _read(tmp_path, "hosp/admissions.csv")
    days = sorted(
        (
            datetime.fromisoformat(r["dischtime"]) - datetime.fromisoformat(r["admittime"])
        ).total_seconds()
        / 86400
        for r in rows
    )
    stays = Counter(r["subject_id"] for r in rows)
    assert days[0] < 0.5 and days[-1] > 21
    assert 2 < days[len(days) // 2] < 5
    assert 0.05 < sum(d < 1 for d in days) / len(days) < 0.2
    assert sum(n >= 2 for n in stays.values()) > 0.6 * len(stays)
    assert max(stays.values()) >= 15


def test_scale_multiplies_the_number_of_stays(tmp_path: Path) -> None:
    write_sample(tmp_path, patients=12, seed=3, scale=8)
    assert len(_read(tmp_path, "hosp/admissions.csv")) / 12 > 20


def test_a_lasting_problem_keeps_its_code(sample: Path) -> None:
    times = {r["hadm_id"]: r["admittime"] for r in _read(sample, "hosp/admissions.csv")}
    seen: dict[str, dict[tuple[str, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in _read(sample, "hosp/diagnoses_icd.csv"):
        seen[row["subject_id"]][row["icd_code"], row["icd_version"]].add(row["hadm_id"])
    checked = 0
    for codes in seen.values():
        with_hypertension = codes.get(("I10", "10"), set()) | codes.get(("4019", "9"), set())
        if with_hypertension:
            every = {hadm for stays in codes.values() for hadm in stays}
            assert with_hypertension == {h for h in every if h in times}
            checked += 1
    assert checked > 10


def _list(text: str, heading: str, end: str) -> list[str]:
    body = text.split(heading, 1)[1].split(end, 1)[0].replace("\n", " ")
    entries = re.split(r" \d+\. ", re.sub(r" RX \*.*?Refills:\*0", "", body))[1:]
    return [e.strip() for e in entries if "Duration:" not in e and e.strip() != "None"]


def test_the_printed_admission_list_is_the_previous_discharge_list(sample: Path) -> None:
    times = {r["hadm_id"]: r for r in _read(sample, "hosp/admissions.csv")}
    by_patient: dict[str, Rows] = defaultdict(list)
    for note in _read(sample, "note/discharge.csv"):
        by_patient[note["subject_id"]].append(note)
    compared = held = 0
    for notes in by_patient.values():
        notes.sort(key=lambda n: times[n["hadm_id"]]["admittime"])
        for before, after in pairwise(notes):
            home = _list(after["text"], "Medications on Admission:", "Discharge Medications:")
            left = _list(before["text"], "Discharge Medications:", "Discharge Disposition:")
            assert home == [entry for entry in left if not entry.startswith("HELD- ")]
            held += len(left) - len(home)
            compared += 1
    assert compared > 50 and held > 0


def test_death_in_hospital_is_consistent(tmp_path: Path) -> None:
    write_sample(tmp_path, patients=120, seed=5)
    notes = {n["hadm_id"]: n["text"] for n in _read(tmp_path, "note/discharge.csv")}
    dods = {r["subject_id"]: r["dod"] for r in _read(tmp_path, "hosp/patients.csv")}
    rows = _read(tmp_path, "hosp/admissions.csv")
    last = {r["subject_id"]: r["hadm_id"] for r in sorted(rows, key=lambda r: r["admittime"])}
    died = [r for r in rows if r["hospital_expire_flag"] == "1"]
    assert 1 <= len(died) <= 8
    for row in died:
        assert row["deathtime"] == row["dischtime"]
        assert row["discharge_location"] == "DIED"
        assert dods[row["subject_id"]] == row["deathtime"][:10]
        assert last[row["subject_id"]] == row["hadm_id"]
        assert "Discharge Disposition:\nExpired" in notes[row["hadm_id"]]
        assert "Dear " not in notes[row["hadm_id"]]


def test_same_arguments_give_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_sample(tmp_path / name, patients=5, seed=seed, quirks=True)
    assert _bytes(tmp_path / "a") == _bytes(tmp_path / "b")
    assert (
        _bytes(tmp_path / "a")["note/discharge.csv"]
        != (_bytes(tmp_path / "c")["note/discharge.csv"])
    )


def test_another_patient_does_not_change_earlier_ones(tmp_path: Path) -> None:
    write_sample(tmp_path / "few", patients=4, seed=1, quirks=True)
    write_sample(tmp_path / "more", patients=6, seed=1, quirks=True)
    few = _read(tmp_path / "few", "note/discharge.csv")
    more = _read(tmp_path / "more", "note/discharge.csv")
    subjects = {n["subject_id"] for n in few}
    assert few == [n for n in more if n["subject_id"] in subjects]


def test_writing_again_changes_nothing_and_other_data_is_refused(tmp_path: Path) -> None:
    write_sample(tmp_path, patients=2, seed=1)
    before = _bytes(tmp_path)
    write_sample(tmp_path, patients=2, seed=1)
    assert _bytes(tmp_path) == before
    with pytest.raises(SettingError, match="already holds other data"):
        write_sample(tmp_path, patients=3, seed=1)
    assert _bytes(tmp_path) == before


def test_a_half_written_sample_is_completed(tmp_path: Path) -> None:
    write_sample(tmp_path, patients=2, seed=1)
    whole = _bytes(tmp_path)
    for path in (tmp_path / "note").iterdir():
        path.unlink()
    write_sample(tmp_path, patients=2, seed=1)
    assert _bytes(tmp_path) == whole


@pytest.mark.parametrize(
    ("patients", "scale", "named"), [(0, 1.0, "patients"), (5, 0.0, "scale"), (-1, 1.0, "patients")]
)
def test_numbers_out_of_range_are_refused(
    tmp_path: Path, patients: int, scale: float, named: str
) -> None:
    with pytest.raises(SettingError, match=f"--{named}"):
        write_sample(tmp_path / "out", patients=patients, seed=1, scale=scale)
    assert not (tmp_path / "out").exists()


def test_an_output_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x")
    with pytest.raises(SettingError, match="can't be written to"):
        write_sample(tmp_path / "out", patients=1, seed=1)


def test_notes_for_writes_only_notes_beside_the_record(tmp_path: Path) -> None:
    write_sample(tmp_path / "full", patients=6, seed=1)
    (tmp_path / "full" / "hosp").rename(tmp_path / "hosp")
    report = write_notes_for(tmp_path, tmp_path, seed=4)
    assert [f.name for f in report.files] == ["note/discharge.csv", "note/radiology.csv"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["full", "hosp", "note"]
    stays = {r["hadm_id"] for r in _read(tmp_path, "hosp/admissions.csv")}
    assert {n["hadm_id"] for n in _read(tmp_path, "note/discharge.csv")} == stays


def test_notes_for_the_sample_itself_are_the_samples_notes(tmp_path: Path) -> None:
    write_sample(tmp_path / "full", patients=6, seed=9)
    write_notes_for(tmp_path / "full", tmp_path / "notes", seed=9)
    made = _read(tmp_path / "notes", "note/discharge.csv")
    assert made == _read(tmp_path / "full", "note/discharge.csv")


def test_notes_for_a_folder_without_a_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        write_notes_for(tmp_path / "absent", tmp_path / "out", seed=1)
    assert not (tmp_path / "out").exists()
