import io

from rich.console import Console

from flows.local_preconsult import print_doctors
from flows.preconsult_files import by_doctor
from tests.gates.preconsult_tables import lines


def test_each_doctor_has_a_row_with_whole_names_on_a_narrow_console() -> None:
    shown = io.StringIO()
    names = ("a-doctor-whose-name-is-as-long-as-names-of-models-are-now", "short")
    found = [one for name in names for one in lines(name)]
    print_doctors(by_doctor(found), Console(file=shown, width=40))
    head, *rows = shown.getvalue().splitlines()
    assert head.split()[:3] == ["doctor", "other", "roles"]
    assert list(dict.fromkeys(row.split()[1] for row in rows)) == list(names)
    assert len({len(row) for row in (head, *rows)}) == 1


def test_without_scores_there_is_a_head_alone() -> None:
    shown = io.StringIO()
    print_doctors({}, Console(file=shown, width=80))
    assert len(shown.getvalue().splitlines()) == 1
