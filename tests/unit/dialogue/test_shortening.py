from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.records import AdmissionRecord, FactKind, SourceSpan
from tasks.dialogue.shortening import shortened
from tests.factories.records import SUBJECT, bundle, fact, microbiology, radiology_note, record


def long_record(notes: int, rows: int) -> AdmissionRecord:
    stay = bundle(
        radiology=[radiology_note(sequence=number) for number in range(notes)],
        microbiology_events=[microbiology(organism=f"organism {n}") for n in range(rows)],
    )
    pictures = [
        fact(FactKind.IMAGING, f"film {n}", "clear", n).model_copy(
            update={"source": SourceSpan(table="radiology", item=f"{SUBJECT}-RR-{n}")}
        )
        for n in range(notes)
    ]
    cultures = [
        fact(FactKind.CULTURE, f"culture {n}", "no growth", n).model_copy(
            update={"source": SourceSpan(table="microbiologyevents", item=f"{n}")}
        )
        for n in range(rows)
    ]
    return record(stay, facts=[fact(), *pictures, *cultures])


def test_the_later_half_of_the_radiology_goes_first_then_that_of_the_microbiology() -> None:
    levels = [
        (len(shown.bundle.radiology_notes), len(shown.bundle.microbiology))
        for shown, _ in shortened(long_record(5, 3))
    ]
    assert levels == [(5, 3), (2, 3), (1, 3), (0, 3), (0, 1), (0, 0)]


def test_what_was_left_out_is_counted_and_its_facts_go_with_it() -> None:
    whole, first, *_, last = shortened(long_record(2, 1))
    assert whole[1] is None
    shown, left_out = first
    assert left_out is not None
    assert (left_out.radiology_notes, left_out.microbiology) == (1, 0)
    assert [one.fact_id for one in shown.facts] == ["home_medication:1", "imaging:0", "culture:0"]
    assert [one.fact_id for one in last[0].facts] == ["home_medication:1"]


def test_a_record_with_neither_has_one_level() -> None:
    assert len(list(shortened(record()))) == 1


@given(st.integers(0, 40), st.integers(0, 40))
def test_each_level_is_shorter_and_keeps_the_backbone(notes: int, rows: int) -> None:
    given_record = long_record(notes, rows)
    levels = list(shortened(given_record))
    sizes = [len(one.bundle.radiology_notes) + len(one.bundle.microbiology) for one, _ in levels]
    assert sizes == sorted(set(sizes), reverse=True)
    assert sizes[-1] == 0
    assert len(levels) <= 13
    for shown, _ in levels:
        assert shown.bundle.discharge_notes == given_record.bundle.discharge_notes
        assert (
            shown.bundle.radiology_notes
            == given_record.bundle.radiology_notes[: len(shown.bundle.radiology_notes)]
        )
