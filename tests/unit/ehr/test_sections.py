from hypothesis import given
from hypothesis import strategies as st

from tasks.ehr.sections import named, split_discharge, split_radiology
from tests.factories.records import NOTE, RADIOLOGY


def test_headings_open_sections_and_keep_offsets() -> None:
    text = "Chief Complaint:\nchest pain\n \nAllergies: \nNone\n"
    complaint, allergies = split_discharge(text)
    assert (complaint.name, text[complaint.start : complaint.end]) == (
        "chief complaint",
        "\nchest pain\n \n",
    )
    assert (allergies.name, text[allergies.start : allergies.end]) == ("allergies", " \nNone\n")


def test_spelling_case_and_spacing_of_headings_vary() -> None:
    text = "  BRIEF  HOSPITAL COURSE :\nx\nFollow-up Instructions:\ny\nDischarge Diagnoses:\nz"
    assert [section.name for section in split_discharge(text)] == [
        "course",
        "follow-up",
        "diagnosis",
    ]


def test_heading_without_colon_needs_its_own_line_and_a_capital() -> None:
    text = "Discharge Instructions\nrest\nphysical exam\nsee below. pe\n"
    assert [section.name for section in split_discharge(text)] == ["instructions"]


def test_note_without_headings_is_one_section() -> None:
    (whole,) = split_discharge("pt seen and sent home")
    assert (whole.name, whole.start, whole.end) == ("whole", 0, 21)


def test_text_before_the_first_heading_is_kept() -> None:
    opening, complaint = split_discharge("dictated\nChief Complaint:\ncough")
    assert (opening.name, opening.start, opening.end) == ("opening", 0, 9)
    assert complaint.name == "chief complaint"


def test_words_inside_a_sentence_open_no_section() -> None:
    text = "History of Present Illness:\nHer allergies: none. Saw results of labs: fine."
    assert [section.name for section in split_discharge(text)] == ["history"]


def test_repeated_headings_stay_apart() -> None:
    sections = split_discharge("Addendum:\none\nAddendum:\ntwo\n")
    assert len(named(sections, "addendum")) == 2


def test_whole_discharge_note_in_order() -> None:
    names = [section.name for section in split_discharge(NOTE) if section.name != "header"]
    assert names == [
        "allergies",
        "chief complaint",
        "procedures",
        "history",
        "past history",
        "social history",
        "exam",
        "admission exam",
        "discharge exam",
        "results",
        "course",
        "admission medications",
        "discharge medications",
        "disposition",
        "facility",
        "diagnosis",
        "condition",
        "instructions",
        "follow-up",
    ]


def test_radiology_report_has_examination_and_impression() -> None:
    assert [section.name for section in split_radiology(RADIOLOGY)] == [
        "examination",
        "indication",
        "technique",
        "comparison",
        "findings",
        "impression",
    ]


@given(st.text(alphabet="Allergies:\n CcPE_.x-#", max_size=300))
def test_sections_cover_the_note_in_order_without_overlap(text: str) -> None:
    sections = split_discharge(text)
    bounds = [bound for section in sections for bound in (section.start, section.end)]
    assert bounds == sorted(bounds)
    assert bounds[-1] == len(text)
