"""Each oddity of the record has one rule (docs/record-oddities.md), alone and in company."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tasks.adapters.mimic_files import locate_source
from tasks.adapters.mimic_inspection import inspect_files
from tasks.adapters.models import ModelSpec, open_model
from tasks.contracts.build import CohortRequest
from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.records import AdmissionRecord, AdmissionSummary
from tasks.dialogue.synthesis import RULES, synthesise
from tasks.ehr.cohort import open_cohort
from tasks.ehr.facts import extract_facts
from tasks.ehr.oddities import Oddity, bundle_oddities
from tests.factories.mimic_tree import (
    NOTE_TEXT,
    Rows,
    TreePatient,
    TreeStay,
    mimic_row,
    mimic_rows,
    patient,
    with_stay,
    write_mimic_tree,
    write_table,
)

NORMAL: Counter[Oddity] = Counter(
    {
        ("discharge", "midnight_charttime"): 1,
        ("radiology", "midnight_charttime"): 1,
        ("radiology", "outside_stay"): 1,
        ("procedures_icd", "date_only_normalized"): 1,
    }
)
"""What a stay of the factory counts: its notes are charted at midnight, as MIMIC's are."""


@dataclass(frozen=True)
class Outcome:
    """What a tree came to: windows and dialogues by admission, and the counts."""

    windows: dict[str, tuple[str, str]]
    left_out: dict[str, str]
    skipped: dict[tuple[str, str], int]
    odd: Counter[Oddity]
    records: tuple[bytes, ...] = field(repr=False)
    dialogues: dict[str, AdmissionDialogue] = field(repr=False)

    def told_beyond(self) -> Counter[Oddity]:
        """Odd records beyond those that the factory's stays count anyway."""
        normal: Counter[Oddity] = Counter()
        for _ in self.windows:
            normal += NORMAL
        return self.odd - normal


def read(tree: Path, workdir: Path) -> Outcome:
    """Cohort, bundles, facts and dialogues of a tree, without Prefect."""
    model = open_model(ModelSpec(provider="programmatic"), RULES)
    dialogues: dict[str, AdmissionDialogue] = {}
    records: list[bytes] = []
    with open_cohort(inspect_files(locate_source(tree)), CohortRequest(), workdir) as cohort:
        odd = Counter(cohort.oddities)
        for owner in cohort.patients:
            before: AdmissionSummary | None = None
            for bundle, context in cohort.bundles(owner):
                facts = extract_facts(bundle, context)
                record = AdmissionRecord(bundle=bundle, patient=context, facts=facts)
                records.append(record.model_dump_json().encode())
                odd.update(bundle_oddities(bundle, context))
                dialogue = synthesise(record, before, model)
                dialogues[bundle.hadm_id] = dialogue
                before = dialogue.summary
    return Outcome(
        windows={hadm_id: window(one) for hadm_id, one in dialogues.items()},
        left_out={item.id: item.reason for item in cohort.skipped},
        skipped={(one.table, one.reason): one.count for one in cohort.skip_counts},
        odd=odd,
        records=tuple(records),
        dialogues=dialogues,
    )


def window(dialogue: AdmissionDialogue) -> tuple[str, str]:
    bundle = dialogue.bundle
    return (
        format_time(bundle.admission_start),
        format_time(bundle.timing_rules.conversation_end),
    )


def outcome(tmp_path: Path, owner: TreePatient, extra: Mapping[str, Rows] | None = None) -> Outcome:
    return read(write_mimic_tree(tmp_path / "mimic", [owner], extra), tmp_path / "work")


def assert_sound(found: Outcome) -> None:
    """No window is empty or negative, none overlaps the one before, and turns ascend in them."""
    last_end: dict[str, datetime] = {}
    for dialogue in found.dialogues.values():
        bundle, times = dialogue.bundle, [line.time for line in dialogue.lines]
        end = bundle.timing_rules.conversation_end
        assert bundle.admission_start < end <= bundle.admission_end
        assert last_end.get(bundle.subject_id, datetime(1900, 1, 1)) <= bundle.admission_start
        assert times == sorted(times)
        assert bundle.admission_start <= times[0] <= times[-1] <= end
        last_end[bundle.subject_id] = bundle.admission_end


FIRST = ("2150-06-01 09:00:00", "2150-06-05 16:30:00")
SECOND = ("2151-06-01 09:00:00", "2151-06-05 16:30:00")
THIRD = ("2152-06-01 09:00:00", "2152-06-05 16:30:00")
DIED = {"hospital_expire_flag": "1", "discharge_location": "DIED"}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"dischtime": "2151-06-01 03:11:00"}, "negative_stay"),
        ({"dischtime": "2151-06-01 09:00:00"}, "zero_length_stay"),
        ({"notes": ()}, "no_discharge_note"),
        ({"admittime": "2150-06-02 09:00:00"}, "overlapping_stay"),
        ({"admittime": "2150-06-02 09:00:00", "dischtime": "2150-06-03 09:00:00"},
         "overlapping_stay"),
        ({"admittime": "2150-06-01 09:00:00"}, "overlapping_stay"),
        # Two oddities in one stay: the first reason of the list counts.
        ({"notes": (), "dischtime": "2151-06-01 03:11:00"}, "no_discharge_note"),
        ({"admittime": "2150-06-02 09:00:00", "dischtime": "2150-06-02 09:00:00"},
         "zero_length_stay"),
    ],
)  # fmt: skip
def test_stay_that_cannot_be_told_is_left_out_with_its_reason(
    tmp_path: Path, changed: dict[str, str | tuple[str, ...]], reason: str
) -> None:
    found = outcome(tmp_path, with_stay(patient(1, stays=3), 2, **changed))
    assert found.windows == {"80000101": FIRST, "80000103": THIRD}
    assert found.left_out == {"80000102": reason}
    assert found.skipped == {("admissions", reason): 1}
    assert_sound(found)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2151-06-01 00:00:00", "2151-06-01 00:00:01"),
        ("2151-06-01 09:00:00", "2151-06-01 09:01:00"),
        ("2151-06-01 00:30:00", "2151-06-01 20:00:00"),
        ("2151-06-01 23:59:59", "2151-06-02 00:00:00"),
        ("2150-06-05 16:30:00", "2150-06-05 16:40:00"),
        ("2204-02-29 23:00:00", "2204-03-01 01:00:00"),
        ("2299-12-31 23:00:00", "2300-01-01 01:00:00"),
    ],
)
def test_short_stay_keeps_its_window(tmp_path: Path, start: str, end: str) -> None:
    owner = with_stay(patient(1), 2, admittime=start, dischtime=end)
    found = outcome(tmp_path, owner)
    assert found.windows == {"80000101": FIRST, "80000102": (start, end)}
    assert found.odd["admissions", "same_day_stay"] == (start[:10] == end[:10])
    assert found.odd["admissions", "year_past_2200"] == (end > "2201")
    assert_sound(found)


@pytest.mark.parametrize(
    ("dead", "dod", "end", "contradicting"),
    [
        # A stay that says so in every field, then the donor's stay a minute later.
        ({**DIED, "deathtime": SECOND[1]}, "2151-06-05", SECOND[1], True),
        # The fields contradict each other; the earliest time counts.
        ({"deathtime": "2151-06-03 04:40:00"}, "2151-06-05", "2151-06-03 04:40:00", True),
        ({**DIED, "deathtime": "2151-06-06 10:00:00"}, "2151-06-06", SECOND[1], True),
        (DIED, "", SECOND[1], True),
        ({"hospital_expire_flag": "1"}, "", SECOND[1], True),
        ({"discharge_location": "DIED"}, "2160-01-01", SECOND[1], True),
        ({}, "2151-06-03", "2151-06-03 23:59:59", True),
        (DIED, "2151-06-01", "2151-06-01 23:59:59", True),
    ],
)
def test_nobody_speaks_after_death(
    tmp_path: Path, dead: dict[str, str], dod: str, end: str, contradicting: bool
) -> None:
    owner = with_stay(patient(1, stays=3, dod=dod), 2, **dead)
    owner = with_stay(
        owner, 3, admittime="2151-06-06 16:31:00", dischtime="2151-06-07 09:00:00", notes=()
    )
    found = outcome(tmp_path, owner)
    assert found.windows == {"80000101": FIRST, "80000102": (SECOND[0], end)}
    assert found.left_out == {"80000103": "after_death"}
    # Under one reason, though the donor's stay lacks a note as well.
    assert found.skipped == {("admissions", "after_death"): 1}
    assert found.odd["patients", "contradicting_death"] == contradicting
    assert_sound(found)


@pytest.mark.parametrize(
    ("changed", "dod", "contradicting"),
    [
        ({**DIED, "deathtime": "2151-06-05 16:00:00"}, "2151-06-05", 0),
        ({**DIED, "deathtime": "2151-06-05 16:00:00"}, "2151-06-06", 1),
        ({**DIED, "deathtime": "2151-06-05 16:00:00"}, "", 1),
        ({"deathtime": "2151-06-05 16:00:00"}, "2151-06-05", 1),
        (DIED, "2151-06-05", 1),
        ({}, "2151-06-05", 0),
        ({}, "2160-01-01", 0),
        ({}, "", 0),
    ],
)
def test_death_fields_that_disagree_are_counted(
    tmp_path: Path, changed: dict[str, str], dod: str, contradicting: int
) -> None:
    found = outcome(tmp_path, with_stay(patient(1, dod=dod), 2, **changed))
    assert list(found.windows) == ["80000101", "80000102"]
    assert found.odd["patients", "contradicting_death"] == contradicting
    assert_sound(found)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"notes": ("PT SEEN. FELT BETTER.",)}, {("discharge", "no_headings"): 1}),
        ({"notes": (NOTE_TEXT, "Addendum:\nSeen again.\n")},
         {("discharge", "addendum"): 1, ("admissions", "several_discharge_notes"): 1,
          ("discharge", "midnight_charttime"): 1, ("discharge", "no_history"): 1,
          ("discharge", "no_course"): 1, ("discharge", "no_instructions"): 1}),
        ({"notes": (NOTE_TEXT.replace("Brief Hospital Course:", "Zzz"),)},
         {("discharge", "no_course"): 1}),
        ({"notes": (NOTE_TEXT + "\nHPI:\nAgain a cough.\n",)},
         {("discharge", "repeated_history"): 1}),
        ({"notes": (NOTE_TEXT.replace("cough", "co\u200bugh"),)},
         {("discharge", "hidden_characters"): 1}),
        ({"notes": (NOTE_TEXT + "\nDischarge Disposition:\nExpired\n",)},
         {("admissions", "death_only_in_note"): 1}),
        ({"diagnoses": (("486", "9"), ("486", "9"), ("4860", "9"))},
         {("diagnoses_icd", "code_listed_again"): 1, ("diagnoses_icd", "untitled_code"): 1}),
        ({"procedures": (("0331", "10"),)}, {("procedures_icd", "untitled_code"): 1}),
        ({"dischtime": ""}, {("admissions", "end_from_note"): 1}),
        ({"hospital_expire_flag": "0", "deathtime": "2151-06-03 09:00:00"},
         {("admissions", "cut_at_death"): 1, ("patients", "contradicting_death"): 1}),
    ],
)  # fmt: skip
def test_odd_record_that_is_kept_is_counted(
    tmp_path: Path,
    changed: dict[str, str | tuple[str | tuple[str, str], ...]],
    told: dict[Oddity, int],
) -> None:
    owner = with_stay(patient(1), 2, **changed)  # pyright: ignore[reportArgumentType]
    extra: dict[str, Rows] = {}
    if changed.get("dischtime") == "":
        late = {"charttime": "2151-06-04 00:00:00", "storetime": "2151-06-04 20:00:00"}
        note = {"note_id": "90000001-DS-9", "note_seq": "9", "text": NOTE_TEXT}
        extra["discharge"] = [
            mimic_row("discharge", subject_id="90000001", hadm_id="80000102", **note, **late)
        ]
        told = told | {
            ("admissions", "several_discharge_notes"): 1,
            ("discharge", "midnight_charttime"): 1,
        }
    found = outcome(tmp_path, owner, extra)
    assert dict(found.told_beyond()) == told
    assert list(found.windows) == ["80000101", "80000102"]
    assert_sound(found)


@pytest.mark.parametrize(
    ("table", "values", "told"),
    [
        ("discharge", {"charttime": ""}, ("no_charttime", "no_storetime")),
        ("discharge", {"charttime": "2151-06-05 10:00:00", "storetime": "2151-06-05 09:00:00"},
         ("stored_before_charted",)),
        ("discharge", {"charttime": "2151-05-31 00:00:00", "storetime": "2151-06-05 09:00:00"},
         ("midnight_charttime", "outside_stay")),
        ("radiology", {"charttime": "2151-06-02 10:00:00"}, ("no_storetime",)),
        ("radiology", {"charttime": "2151-06-01 08:20:00", "storetime": "2151-06-01 08:10:00"},
         ("outside_stay", "stored_before_charted")),
        ("microbiologyevents", {"chartdate": "2151-06-02"}, ("date_only_normalized",)),
        ("microbiologyevents", {"chartdate": "2151-05-30", "charttime": "2151-05-30 08:00:00"},
         ("outside_stay",)),
        ("procedures_icd", {"chartdate": "2151-06-06", "icd_code": "0331", "icd_version": "9",
                            "seq_num": "7"}, ("date_only_normalized", "outside_stay")),
    ],
)  # fmt: skip
def test_odd_time_is_counted_and_the_record_kept(
    tmp_path: Path, table: str, values: dict[str, str], told: tuple[str, ...]
) -> None:
    ids = {"subject_id": "90000001", "hadm_id": "80000102"}
    if table in ("discharge", "radiology"):
        ids |= {"note_id": "90000001-ZZ-9", "note_seq": "9", "text": NOTE_TEXT}
    found = outcome(tmp_path, patient(1), {table: [mimic_row(table, **ids, **values)]})
    beyond = found.told_beyond()
    noted = {code for name, code in beyond if name == table}
    assert noted - {"no_headings"} == set(told)
    assert all(count == 1 for count in beyond.values())
    assert_sound(found)


@pytest.mark.parametrize(
    ("changed", "told"),
    [({"gender": "U"}, "gender_not_recorded"), ({"anchor_age": ""}, "age_not_recorded")],
)
def test_what_is_not_known_of_a_patient_is_counted(
    tmp_path: Path, changed: dict[str, str], told: str
) -> None:
    owner = replace(patient(1), **changed)  # pyright: ignore[reportArgumentType]
    assert dict(outcome(tmp_path, owner).told_beyond()) == {("patients", told): 1}


def _times(first: datetime, last: datetime) -> st.SearchStrategy[str]:
    """Moments that meet often: midnight, noon, whole hours and odd seconds."""
    hours = int((last - first).total_seconds()) // 3600
    return st.builds(
        lambda hour, seconds: format_time(first + timedelta(hours=hour, seconds=seconds)),
        st.integers(0, hours),
        st.sampled_from([0, 0, 1, 59]),
    )


MOMENTS = _times(datetime(2199, 12, 30), datetime(2200, 1, 3))
SOMETIMES = st.just("") | MOMENTS


@st.composite
def odd_patients(draw: st.DrawFn) -> TreePatient:
    stays = [
        TreeStay(
            hadm_id=f"8000010{number}",
            admittime=draw(MOMENTS),
            dischtime=draw(st.just("") | MOMENTS | MOMENTS | MOMENTS),
            deathtime=draw(st.just("") | st.just("") | st.just("") | MOMENTS),
            hospital_expire_flag=draw(st.sampled_from(["0", "0", "0", "1"])),
            discharge_location=draw(st.sampled_from(["HOME", "HOME", "", "DIED"])),
            notes=draw(st.sampled_from([(), (NOTE_TEXT,), (NOTE_TEXT,), (NOTE_TEXT, "Addendum.")])),
            diagnoses=draw(
                st.sampled_from([(("486", "9"),), (("486", "9"), ("Z99", "10"), ("486", "9"))])
            ),
        )
        for number in range(1, draw(st.integers(2, 5)) + 1)
    ]
    dod = draw(st.just("") | st.just("") | MOMENTS)[:10]
    return TreePatient("90000001", tuple(stays), dod=dod)


@settings(max_examples=25, deadline=None)
@given(
    odd_patients(),
    st.lists(st.tuples(SOMETIMES, SOMETIMES), min_size=12, max_size=12),
    st.integers(0, 99),
)
def test_whatever_the_record_says_the_invariants_hold(
    owner: TreePatient, note_times: Sequence[tuple[str, str]], seed: int
) -> None:
    rows = mimic_rows([owner])
    assume(rows["discharge"])
    for note, (charted, stored) in zip(rows["discharge"], note_times, strict=False):
        note["charttime"], note["storetime"] = charted, stored
    with tempfile.TemporaryDirectory() as folder:
        tree, work = Path(folder) / "mimic", Path(folder) / "work"
        found = _read_rows(tree, work, rows)
        for table, records in rows.items():
            random.Random(f"{seed} {table}").shuffle(records)
        assert _read_rows(tree, work, rows) == found
    assert_sound(found)
    _assert_every_admission_is_accounted_for(owner, found)
    _assert_the_dead_are_silent(owner, found)


def _read_rows(tree: Path, work: Path, rows: Mapping[str, Rows]) -> Outcome:
    for table, records in rows.items():
        write_table(tree, table, records)
    return read(tree, work)


def _assert_every_admission_is_accounted_for(owner: TreePatient, found: Outcome) -> None:
    """Kept or left out, once; where the patient isn't eligible, no admission is listed."""
    told = set(found.windows) | (set(found.left_out) - {owner.subject_id})
    assert not set(found.windows) & set(found.left_out)
    assert len(found.windows) != 1
    eligible = sum(bool(stay.notes) for stay in owner.stays)
    if eligible >= 2:
        assert told == {stay.hadm_id for stay in owner.stays}
        left = sum(n for (table, _), n in found.skipped.items() if table == "admissions")
        assert left + len(found.windows) == len(owner.stays)
    else:
        assert found.skipped.get(("admissions", "no_discharge_note"), 0) == (
            len(owner.stays) - eligible
        )


def _assert_the_dead_are_silent(owner: TreePatient, found: Outcome) -> None:
    deaths = [stay.deathtime for stay in owner.stays if stay.deathtime]
    deaths += [f"{owner.dod} 23:59:59"] if owner.dod else []
    deaths += [
        stay.dischtime
        for stay in owner.stays
        if not stay.deathtime
        and stay.dischtime
        and (stay.hospital_expire_flag == "1" or stay.discharge_location == "DIED")
    ]
    for dialogue in found.dialogues.values():
        for line in dialogue.lines:
            assert all(format_time(line.time) <= death for death in deaths)
