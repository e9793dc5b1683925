from __future__ import annotations

from pathlib import Path

import pytest

from tasks.contracts.errors import ReleaseError
from tasks.release.inventory import admission_folders, take_inventory
from tasks.release.loading import load_release
from tests.factories.released_patients import patient_sessions
from tests.factories.released_questions import patient_questions
from tests.factories.releases import write_release


def test_a_release_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    release = load_release(write_release(tmp_path))
    first, second = release.patients()
    assert release.problems == first.problems == second.problems == ()
    assert first.questions == patient_questions("99000001")
    assert second.sessions is not None
    assert second.sessions.timeline == patient_sessions("99000002").timeline
    assert [one.conversation() for one in second.sessions.dialogues] == [
        one.conversation() for one in patient_sessions("99000002").dialogues
    ]


def test_the_inventory_of_a_sound_release_agrees_everywhere(tmp_path: Path) -> None:
    release = load_release(write_release(tmp_path))
    assert len(release.files) == 36
    for file in release.files:
        assert file.expected and file.present and file.listed
        assert file.bytes_equal and file.digest_equal


def test_folders_are_the_patients_and_their_admissions(tmp_path: Path) -> None:
    assert admission_folders(write_release(tmp_path)) == {
        "99000001": ["88001001", "88001002"],
        "99000002": ["88002001", "88002002"],
    }


def test_links_count_as_absent(tmp_path: Path) -> None:
    folder = write_release(tmp_path / "release")
    card = folder / "README.md"
    card.rename(tmp_path / "elsewhere.md")
    card.symlink_to(tmp_path / "elsewhere.md")
    (one,) = [file for file in take_inventory(folder, None) if file.path == "README.md"]
    assert (one.expected, one.present) == (True, False)


def test_a_link_that_leads_in_a_circle_counts_as_absent(tmp_path: Path) -> None:
    folder = write_release(tmp_path / "release")
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("README.md")
    (one,) = [file for file in take_inventory(folder, None) if file.path == "README.md"]
    assert (one.expected, one.present) == (True, False)


@pytest.mark.parametrize("kind", ["absent", "file", "empty", "other"])
def test_a_folder_that_is_no_release_is_refused(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "given"
    if kind == "file":
        folder.write_text("x")
    elif kind != "absent":
        folder.mkdir()
    if kind == "other":
        (folder / "notes.txt").write_text("x")
    with pytest.raises(ReleaseError, match="no release at"):
        load_release(folder)
