from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.clock import parse_time
from tasks.ehr.stays import RecordedAdmission, Stay, moment_of_death, sort_out_stays


def admission(
    hadm_id: str = "11",
    start: str = "2150-01-01 08:00:00",
    end: str | None = "2150-01-03 08:00:00",
    death: str | None = None,
    *,
    died: bool = False,
    eligible: bool = True,
    charted: str | None = None,
    stored: str | None = None,
) -> RecordedAdmission:
    return RecordedAdmission(
        subject_id="1",
        hadm_id=hadm_id,
        admittime=parse_time(start),
        dischtime=parse_time(end) if end else None,
        deathtime=parse_time(death) if death else None,
        recorded_as_died=died,
        eligible=eligible,
        latest_charttime=parse_time(charted) if charted else None,
        latest_storetime=parse_time(stored) if stored else None,
    )


def reasons(*admissions: RecordedAdmission, dod: date | None = None) -> dict[str, str]:
    stays = sort_out_stays(admissions, dod)
    found = {left.hadm_id: left.reason for left in stays.left_out}
    return found | {stay.hadm_id: "" for stay in stays.usable}


def only_stay(recorded: RecordedAdmission, dod: date | None = None) -> Stay:
    [stay] = sort_out_stays([recorded], dod).usable
    return stay


def test_sound_stay_is_usable_to_its_discharge() -> None:
    end = datetime(2150, 1, 3, 8)
    assert only_stay(admission()) == Stay(
        hadm_id="11",
        start=datetime(2150, 1, 1, 8),
        end=end,
        end_source="dischtime",
        conversation_end=end,
        died=False,
    )


@pytest.mark.parametrize(
    ("charted", "stored", "end", "source"),
    [
        (
            "2150-01-02 00:00:00",
            "2150-01-09 08:00:00",
            datetime(2150, 1, 2),
            "discharge_charttime",
        ),
        (None, "2150-01-09 08:00:00", datetime(2150, 1, 9, 8), "discharge_storetime"),
    ],
)
def test_end_falls_back_to_the_latest_note_times(
    charted: str | None, stored: str | None, end: datetime, source: str
) -> None:
    stay = only_stay(admission(end=None, charted=charted, stored=stored))
    assert (stay.end, stay.end_source) == (end, source)


@pytest.mark.parametrize(
    ("recorded", "reason"),
    [
        (admission(eligible=False), "no_discharge_note"),
        (admission(end=None), "no_end_time"),
        (admission(end="2150-01-01 07:59:59"), "negative_stay"),
        (admission(end="2150-01-01 08:00:00"), "zero_length_stay"),
        (admission(end=None, charted="2150-01-01 00:00:00"), "negative_stay"),
        (admission(death="2150-01-01 08:00:00"), "after_death"),
        (admission(death="2149-12-31 08:00:00"), "after_death"),
        (admission(end="2150-01-01 08:00:01"), ""),
    ],
)
def test_one_reason_is_given(recorded: RecordedAdmission, reason: str) -> None:
    assert reasons(recorded) == {"11": reason}


def test_stay_after_an_earlier_death_is_left_out() -> None:
    death = "2150-01-03 04:40:00"
    assert reasons(
        admission("12", "2150-01-03 04:41:00", "2150-01-03 20:00:00"),
        admission("11", "2150-01-01 08:00:00", death, death, died=True),
    ) == {"11": "", "12": "after_death"}


def test_death_in_a_stay_without_note_ends_the_chain_too() -> None:
    assert reasons(
        admission("11", died=True, eligible=False),
        admission("12", "2150-02-01 08:00:00", "2150-02-03 08:00:00"),
    ) == {"11": "no_discharge_note", "12": "after_death"}


@pytest.mark.parametrize(
    ("start", "reason"), [("2150-02-01 23:00:00", ""), ("2150-02-02 00:00:00", "after_death")]
)
def test_day_of_death_is_the_last_day(start: str, reason: str) -> None:
    assert reasons(admission("11", start, "2150-02-09 08:00:00"), dod=date(2150, 2, 1)) == {
        "11": reason
    }


@pytest.mark.parametrize(
    ("recorded", "dod", "conversation_end", "died"),
    [
        (admission(death="2150-01-02 10:00:00"), None, datetime(2150, 1, 2, 10), True),
        (admission(death="2150-01-03 22:20:00"), None, datetime(2150, 1, 3, 8), True),
        (admission(died=True), None, datetime(2150, 1, 3, 8), True),
        (admission(), date(2150, 1, 2), datetime(2150, 1, 2, 23, 59, 59), True),
        (admission(), date(2150, 1, 3), datetime(2150, 1, 3, 8), False),
    ],
)
def test_the_dead_do_not_speak(
    recorded: RecordedAdmission, dod: date | None, conversation_end: datetime, died: bool
) -> None:
    stay = only_stay(recorded, dod)
    assert (stay.conversation_end, stay.died) == (conversation_end, died)


def test_earliest_of_contradicting_deaths_counts() -> None:
    recorded = [
        admission(death="2150-01-03 07:00:00"),
        admission("12", end="2150-01-02 07:00:00", died=True),
    ]
    assert moment_of_death(recorded, date(2150, 1, 9)) == datetime(2150, 1, 2, 7)
    assert moment_of_death(recorded, date(2150, 1, 1)) == datetime(2150, 1, 1, 23, 59, 59)
    assert moment_of_death([admission()], None) is None


def test_stay_that_begins_inside_an_earlier_usable_one_is_left_out() -> None:
    assert reasons(
        admission("11", "2150-01-01 08:00:00", "2150-01-10 08:00:00"),
        admission("12", "2150-01-02 08:00:00", "2150-01-03 08:00:00"),
        admission("13", "2150-01-09 08:00:00", "2150-01-12 08:00:00"),
        admission("14", "2150-01-10 08:00:00", "2150-01-11 08:00:00"),
    ) == {"11": "", "12": "overlapping_stay", "13": "overlapping_stay", "14": ""}


def test_stay_that_overlaps_one_left_out_is_usable() -> None:
    assert reasons(
        admission("11", "2150-01-01 08:00:00", "2150-01-10 08:00:00", eligible=False),
        admission("12", "2150-01-02 08:00:00", "2150-01-03 08:00:00"),
    ) == {"11": "no_discharge_note", "12": ""}


times = st.datetimes(datetime(2150, 1, 1), datetime(2150, 1, 9)).map(
    lambda moment: moment.replace(microsecond=0, second=0)
)
recorded_admissions = st.lists(
    st.builds(
        RecordedAdmission,
        subject_id=st.just("1"),
        hadm_id=st.integers(10, 99).map(str),
        admittime=times,
        dischtime=st.none() | times,
        deathtime=st.none() | times,
        recorded_as_died=st.booleans(),
        eligible=st.booleans(),
        latest_charttime=st.none() | times,
        latest_storetime=st.none() | times,
    ),
    max_size=6,
    unique_by=lambda row: row.hadm_id,
)


@given(recorded_admissions, st.none() | st.dates(date(2150, 1, 1), date(2150, 1, 9)))
def test_every_admission_is_usable_or_left_out_and_windows_are_sound(
    admissions: list[RecordedAdmission], dod: date | None
) -> None:
    stays = sort_out_stays(admissions, dod)
    listed = [stay.hadm_id for stay in stays.usable] + [left.hadm_id for left in stays.left_out]
    assert sorted(listed) == sorted(row.hadm_id for row in admissions)
    assert all(left.reason for left in stays.left_out)
    death = moment_of_death(admissions, dod) or datetime(2999, 1, 1)
    for stay in stays.usable:
        assert stay.start < stay.conversation_end <= min(stay.end, death)
    for earlier, later in zip(stays.usable, stays.usable[1:], strict=False):
        assert earlier.end <= later.start


@given(recorded_admissions)
def test_order_of_rows_does_not_matter(admissions: list[RecordedAdmission]) -> None:
    assert sort_out_stays(admissions[::-1], None) == sort_out_stays(admissions, None)
