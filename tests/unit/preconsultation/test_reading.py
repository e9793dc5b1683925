import csv
import json
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tasks.adapters.recipe import step_key
from tasks.adapters.workspace import Workspace
from tasks.contracts.errors import SourceError
from tasks.contracts.preconsultation import Guideline, Language
from tasks.preconsultation.keys import basic_field, history_section
from tasks.preconsultation.reading import read_aliases, read_guidelines, read_profiles
from tests.factories.profiles import GUIDELINES, raw_profile
from tests.unit.preconsultation.epag import EPAG, needs_epag


def write_profiles(folder: Path, *profiles: Any) -> Path:
    path = folder / "profiles.json"
    path.write_text(json.dumps(profiles, ensure_ascii=False), encoding="utf-8")
    return path


def write_csv(folder: Path, text: str) -> Path:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("key", "field"),
    [
        ("Gender", "sex"),
        ("sex", "sex"),
        ("성별", "sex"),
        ("Height_cm", "height"),
        ("Weight_kg", "weight"),
        ("Height (cm)", "height"),
        ("체중(kg)", "weight"),
        ("ChiefComplaint", "chief_complaint"),
        ("durationOfSymptoms", "duration"),
        ("Symptom Site(s)", "areas"),
        ("Age:", "age"),
        ("키", "height"),
        ("Chief Complaint", "chief_complaint"),
        ("주증상", "chief_complaint"),
        ("Duration_of_Symptoms", "duration"),
        ("Symptom duration", "duration"),
        ("증상기간", "duration"),
        ("Symptom_Locations", "areas"),
        ("Affected_Regions", "areas"),
        ("Site of symptoms", "areas"),
        ("Location", "areas"),
        ("증상부위", "areas"),
        ("Age (years)", "age"),
        ("Patient's Age", "age"),
        ("Sex at birth", "sex"),
        ("Height_in_cm", "height"),
        ("Weight / kg", "weight"),
        ("Chief Complaint(s)", "chief_complaint"),
        ("Presenting complaint", "chief_complaint"),
        ("Department visited", "department"),
        ("나이(세)", "age"),
        ("증상 기간", "duration"),
        ("증상_부위", "areas"),
        ("주 증상", "chief_complaint"),
        ("진료과", "department"),
        ("Duration at location", None),
        ("Weight loss", None),
        ("Age of onset", None),
        ("Chief", None),
        ("키 성별", None),
        ("Blood pressure", None),
        ("", None),
    ],
)
def test_keys_mean_a_field_or_nothing(key: str, field: str | None):
    assert basic_field(key) == field


@pytest.mark.parametrize(
    ("key", "section"),
    [
        ("modifying_factors", "modifying"),
        ("ModifyingFactors", "modifying"),
        ("Aggravating/relieving factors", "modifying"),
        ("Associated Signs & Symptoms", "associated"),
        ("Associated symptoms", "associated"),
        ("Severity (0-10)", "severity"),
        ("Location(s)", "location"),
        ("동반 증상", "associated"),
        ("Duration and timing", None),
        ("Signs and symptoms", None),
        ("Mood", None),
    ],
)
def test_sections_of_the_history_are_known_by_their_own_word(key: str, section: str | None):
    assert history_section(key) == section


def test_what_a_profile_leaves_empty_or_out_is_unknown(tmp_path: Path):
    told = {"Age": None, "Sex": "", "Chief Complaint": ["Cough", "fever"], "Area": []}
    details = {"additional_information": "No fever", "past_history": None}
    path = write_profiles(tmp_path, raw_profile(simple_info=told, details=details))
    (profile,) = read_profiles(path, "en", GUIDELINES).profiles
    assert profile.basic.model_dump(exclude_defaults=True) == {"chief_complaint": "Cough, fever"}
    assert [one.text for one in profile.statements] == ["No fever"]


def test_profiles_may_stand_in_a_list_or_a_line_each(tmp_path: Path):
    profiles = [
        raw_profile(pid="1", typicality="before\u2028after"),
        raw_profile(pid="2"),
    ]
    path = write_profiles(tmp_path, *profiles)
    listed = read_profiles(path, "en", GUIDELINES)
    lines = "\r\n\r\n".join(json.dumps(one, ensure_ascii=False) for one in profiles)
    path.write_bytes(f"\ufeff{lines}\r\n".encode())
    assert read_profiles(path, "en", GUIDELINES) == listed
    path.write_text(json.dumps(profiles[1], indent=2))
    assert [one.pid for one in read_profiles(path, "en", GUIDELINES).profiles] == ["2"]
    path.write_text(f"{lines}\n{{broken}}\n", encoding="utf-8")
    with pytest.raises(SourceError, match="is no JSON at line 4: give a list"):
        read_profiles(path, "en", GUIDELINES)


def test_a_profile_is_read_whatever_its_keys_are_called(tmp_path: Path):
    read = read_profiles(write_profiles(tmp_path, raw_profile()), "en", GUIDELINES)
    (profile,) = read.profiles
    assert (profile.pid, profile.disease, profile.typicality) == ("00000001", "Asthma", "Typical")
    assert profile.basic.model_dump() == {
        "age": "31 years",
        "sex": "Female",
        "height": "160",
        "weight": "55kg",
        "department": "Internal Medicine",
        "chief_complaint": "I can't catch my breath",
        "duration": "Within 3 months",
        "areas": ("Sternal region",),
    }
    sections = Counter(one.section for one in profile.statements)
    assert (sections["associated"], sections["additional"], sections["social"]) == (1, 2, 2)
    assert read.placed == {"exact": 1}


def test_profiles_that_cannot_be_placed_are_refused_with_a_reason(tmp_path: Path):
    odd = raw_profile(pid="2", simple_info={"Chief Complaint": "Cough", "Mood": "low"})
    twice = raw_profile(
        pid="3", simple_info={"Chief Complaint": "Cough", "Sex": "Male", "gender": "Female"}
    )
    path = write_profiles(
        tmp_path,
        raw_profile(pid="1", disease_name="Gout"),
        odd,
        twice,
        raw_profile(pid="4", simple_info={"Age": "3"}),
        raw_profile(pid="5"),
        raw_profile(pid="5"),
        "no profile",
    )
    read = read_profiles(path, "en", GUIDELINES)
    assert [one.pid for one in read.profiles] == ["5"]
    assert [(one.pid, one.reason) for one in read.refused] == [
        (
            "1",
            "the disease name fits no disease of the guidelines: name the right one in a file of "
            "--aliases",
        ),
        ("2", "simple_info has a key of no known meaning: 'Mood'"),
        ("3", "simple_info has two keys for sex: the second is 'gender'"),
        ("4", "simple_info has no chief complaint"),
        ("5", "its pid stands in the file before"),
        ("#7", "the profile is no object"),
    ]


def first_refusal(folder: Path, *profiles: Any) -> tuple[str, str]:
    """The id and the reason of the first of some profiles, when a sound one follows."""
    path = write_profiles(folder, *profiles, raw_profile(pid="sound"))
    read = read_profiles(path, "en", GUIDELINES)
    assert read.profiles[-1].pid == "sound"
    return read.refused[0].pid, read.refused[0].reason


@pytest.mark.parametrize("pid", ["../../up", "a/b", "two\nlines", "x" * 65, "<b>"])
def test_a_pid_that_can_be_no_file_name_is_refused_by_its_place(tmp_path: Path, pid: str):
    reason = "its pid isn't up to 64 letters, digits, dots and dashes"
    assert first_refusal(tmp_path, raw_profile(pid=pid)) == ("#1", reason)


def test_a_pid_of_letters_that_take_many_bytes_is_refused(tmp_path: Path):
    reason = "its pid takes more than 128 bytes"
    assert first_refusal(tmp_path, raw_profile(pid="가" * 43)) == ("#1", reason)
    path = write_profiles(tmp_path, raw_profile(pid="가" * 42))
    (longest,) = read_profiles(path, "en", GUIDELINES).profiles
    key = step_key("history-scores", longest.pid, [])
    ref = Workspace(out=str(tmp_path)).store(key, longest, subject_id=longest.pid)
    assert (tmp_path / "cache" / ref.path).is_file()


def test_a_profile_without_statements_is_refused_alone(tmp_path: Path):
    silent = raw_profile(pid="1", details={"history_of_present_illness": {}})
    reason = "details tells nothing that the patient could answer"
    assert first_refusal(tmp_path, silent) == ("1", reason)


def test_a_profile_of_the_other_language_is_refused_though_its_disease_is_known(tmp_path: Path):
    korean = raw_profile(pid="1", disease_name="천식", simple_info={"주증상": "숨이 차요"})
    path = write_profiles(tmp_path, korean, raw_profile(pid="2"), raw_profile(pid="3"))
    read = read_profiles(path, "en", GUIDELINES)
    assert [one.pid for one in read.profiles] == ["2", "3"]
    assert [(one.pid, one.reason) for one in read.refused] == [
        ("1", "its chief complaint is in Korean")
    ]


def test_keys_of_every_level_are_read_without_case_blanks_and_hyphens(tmp_path: Path):
    usual = raw_profile()
    details = {key.replace("_", "-").title(): value for key, value in usual["details"].items()}
    drifted = {"PID": "1", "Disease Name": "Asthma", "Details": details}
    path = write_profiles(tmp_path, drifted | {"Simple-Info": usual["simple_info"]})
    (profile,) = read_profiles(path, "en", GUIDELINES).profiles
    (plain,) = read_profiles(write_profiles(tmp_path, usual), "en", GUIDELINES).profiles
    assert profile.statements == plain.statements


def test_two_keys_for_one_part_are_refused(tmp_path: Path):
    details = raw_profile()["details"] | {"Past History": ["Stroke"]}
    refused = first_refusal(tmp_path, raw_profile(pid="1", details=details))
    assert refused == ("1", "details has two keys for 'past_history'")


def test_a_key_that_stands_twice_is_refused(tmp_path: Path):
    path = tmp_path / "profiles.json"
    sound = json.dumps(raw_profile(pid="2"))
    twice = json.dumps(raw_profile(pid="1"))[:-1] + ', "disease_name": "Stroke"}'
    path.write_text(f"[{twice}, {sound}]")
    read = read_profiles(path, "en", GUIDELINES)
    assert [one.pid for one in read.profiles] == ["2"]
    assert read.refused[0].reason == "the profile has a key that stands there twice"


def test_a_long_key_is_cut_in_the_reason(tmp_path: Path):
    details = raw_profile()["details"] | {"my cough " * 20: ""}
    _, reason = first_refusal(tmp_path, raw_profile(details=details))
    assert reason.endswith("…'")
    assert len(reason) < 100


def test_half_a_character_is_replaced(tmp_path: Path):
    path = write_profiles(tmp_path, raw_profile(typicality="x", disease_name="Asthma"))
    halved = path.read_text().replace("Chest", "Che\\ud800st").replace('"x"', '"\\ud800"')
    path.write_text(halved)
    (profile,) = read_profiles(path, "en", GUIDELINES).profiles
    assert profile.statements[0].text == "Che\ufffdst"
    assert profile.typicality == "\ufffd"
    assert profile.model_dump_json()


def test_decomposed_hangul_is_korean_and_composed(tmp_path: Path):
    text = unicodedata.normalize("NFD", "disease,weight,symptom\n천식,h,기침\n")
    (one,) = read_guidelines(write_csv(tmp_path, text), "ko")
    assert (one.disease, one.symptom) == ("천식", "기침")


def test_decomposed_hangul_in_escapes_is_the_same_patient(tmp_path: Path):
    told = {"주증상": "기침이 나요", "나이": "31세", "증상부위": ["가슴"]}
    given = raw_profile(disease_name="천식", simple_info=told)
    guidelines = (Guideline(disease="천식", weight="h", symptom="기침"),)
    composed = json.dumps([given], ensure_ascii=False)
    path = tmp_path / "profiles.json"
    path.write_text(composed, encoding="utf-8")
    expected = read_profiles(path, "ko", guidelines)
    path.write_text(json.dumps(json.loads(unicodedata.normalize("NFD", composed))))
    assert read_profiles(path, "ko", guidelines) == expected
    assert expected.placed == {"exact": 1}


def test_a_table_of_aliases_places_what_the_rule_does_not(tmp_path: Path):
    aliases = read_aliases(write_csv(tmp_path, "spelling,disease\nWheezy chest,Asthma\n"))
    path = write_profiles(tmp_path, raw_profile(disease_name="wheezy chest"))
    read = read_profiles(path, "en", GUIDELINES, aliases)
    assert read.placed == {"alias": 1}
    assert read.profiles[0].disease == "Asthma"
    assert read.profiles[0].spelling == "wheezy chest"


@pytest.mark.parametrize("row", ["x,", ",Asthma", "x,Asthma\nx,Stroke"])
def test_an_alias_of_no_disease_or_two_is_refused(tmp_path: Path, row: str):
    with pytest.raises(SourceError, match="an alias has a spelling, and one disease"):
        read_aliases(write_csv(tmp_path, f"spelling,disease\n{row}\n"))


def test_guidelines_are_read_with_columns_in_any_order_and_repetitions_once(tmp_path: Path):
    text = "\ufeffsymptom,Disease,weight\nCough,Asthma,m\nCough,Asthma,m\nWheezing,Asthma,h\n"
    assert read_guidelines(write_csv(tmp_path, text), "en") == (
        Guideline(disease="Asthma", weight="m", symptom="Cough"),
        Guideline(disease="Asthma", weight="h", symptom="Wheezing"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("disease,symptom\nAsthma,Cough\n", "column weight is not there exactly once"),
        ("disease,weight,symptom\nAsthma,x,Cough\n", "record 2: a guideline has"),
        ("disease,weight,symptom\nAsthma,h,\n", "record 2: a guideline has"),
        ("disease,weight,symptom\nA,h,Cough\nA,m,Cough\n", "stands there with h and m"),
        ("disease,weight,symptom\n", "no guidelines in it"),
        ("disease,weight,symptom\n천식,h,기침\n", "is in Korean, but the language is English"),
        ("disease,weight,symptom\nA,h,Cough\nA,h,Pain\nB,h,기침\n", "mixes two languages"),
        ("disease,weight,symptom\nA,h,Cough, dry\n", "record 2: found 4 values in 3 columns"),
        ("disease,weight,symptom\nA,h\n", "record 2: found 2 values in 3 columns"),
        ('disease,weight,symptom\nA,h,"Cough\nA,h,Pain\n', "a quote is open"),
        ('disease,weight,symptom\nA,h,"Cough\ndry"\n', "or a line break in one"),
        (f"disease,weight,symptom\nA,h,{'x' * 10_001}\n", "record 2: a value is too long"),
        ("disease,weight,symptom\nAsthma,h,Cough\nASTHMA,h,Pain\n", "spelled in two ways"),
        ("disease,weight,symptom\nA,h,None of Above\n", "'None of Above' is no guideline"),
    ],
)
def test_guidelines_that_cannot_be_used_are_refused(tmp_path: Path, text: str, message: str):
    with pytest.raises(SourceError, match=message):
        read_guidelines(write_csv(tmp_path, text), "en")


@pytest.mark.parametrize("limit", [131_072, 16 << 20])
def test_a_value_without_end_is_refused_whatever_the_process_allows(tmp_path: Path, limit: int):
    path = write_csv(tmp_path, f"disease,weight,symptom\nA,h,{'x' * 200_000}\n")
    before = csv.field_size_limit(limit)
    try:
        with pytest.raises(SourceError, match="a value is too long"):
            read_guidelines(path, "en")
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[", "is no JSON at line 1"),
        (b"{}", "is no list of patient profiles"),
        (b"[]", "is no list of patient profiles"),
        (b"\xff\xfe", "isn't UTF-8 text"),
        (b"[" * 100_000, "is no JSON"),
        (b'[{"pid": NaN}]', "is no JSON"),
    ],
)
def test_a_file_that_holds_no_profiles_is_refused(tmp_path: Path, content: bytes, message: str):
    path = tmp_path / "profiles.json"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=message):
        read_profiles(path, "en", GUIDELINES)


def test_profiles_of_the_other_language_are_refused(tmp_path: Path):
    with pytest.raises(SourceError, match="is in English, but the language is Korean"):
        read_profiles(write_profiles(tmp_path, raw_profile()), "ko", GUIDELINES)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(SourceError, match="can't be read"):
        read_guidelines(tmp_path / "nothing.csv", "en")


@needs_epag
@pytest.mark.parametrize(
    ("language", "profiles", "guidelines", "placed"),
    [
        ("en", "patient_profile_en.json", "gold_label_en.csv", {"exact": 381, "repaired": 139}),
        ("ko", "patient_profile.json", "gold_label.csv", {"exact": 520}),
    ],
)
def test_no_published_profile_loses_its_guidelines(
    language: Language, profiles: str, guidelines: str, placed: dict[str, int]
):
    known = read_guidelines(EPAG / guidelines, language)
    read = read_profiles(EPAG / profiles, language, known)
    assert (len(known), len(read.profiles), read.refused) == (486, 520, ())
    assert read.placed == placed
    assert set(Counter(one.disease for one in read.profiles).values()) == {20}


@needs_epag
def test_every_published_spelling_finds_the_disease_that_the_pids_join():
    with (EPAG / "disease_aliases_en.csv").open(encoding="utf-8") as file:
        gold = {
            row["profile_disease_name_en"]: row["gold_disease_en"] for row in csv.DictReader(file)
        }
    known = read_guidelines(EPAG / "gold_label_en.csv", "en")
    read = read_profiles(EPAG / "patient_profile_en.json", "en", known)
    assert len(gold) == 50
    assert {one.spelling: one.disease for one in read.profiles} == gold
