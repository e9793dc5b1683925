from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tasks.adapters.mimic_files import MimicFile
from tasks.adapters.mimic_referee import RECORD_LIMIT_BYTES, transcribe
from tasks.contracts.errors import SourceError


def records(folder: Path, content: str, name: str = "t.csv") -> list[tuple[str | None, ...]]:
    path = folder / name
    raw = content.encode()
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    file = MimicFile("t", "hosp/t.csv", path, ("a", "b"), (), "")
    number = transcribe(file, folder / "t.parquet")
    rows = pq.read_table(folder / "t.parquet").to_pylist()
    assert len(rows) == number
    return [(row["a"], row["b"]) for row in rows]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a,b\n", []),
        ('\ufeff"a",b\n1,"x\ny ""z"", w"\n\n2,\n', [("1", 'x\ny "z", w'), ("2", None)]),
        ('a,b\r\n1,"x\ny"\r\n2,z', [("1", "x\ny"), ("2", "z")]),
        ('a,b\n1,x "quoted" y\n', [("1", 'x "quoted" y')]),
    ],
)
def test_sound_files_are_transcribed(
    tmp_path: Path, content: str, expected: list[tuple[str | None, ...]]
) -> None:
    assert records(tmp_path, content) == expected
    assert records(tmp_path, content, "t.csv.gz") == expected


def test_files_larger_than_a_batch_are_transcribed_whole(tmp_path: Path) -> None:
    found = records(tmp_path, "a,b\n" + "".join(f"{n},x\n" for n in range(50_001)))
    assert found == [(str(n), "x") for n in range(50_001)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("a,b\n1,x\n2\n", "record 2 has 1 fields, the header has 2"),
        ("a,b\n1,x,SECRET\n", "record 1 has 3 fields, the header has 2"),
        ('a,b\n1,"SECRET"x"\n', "record 1: quotation marks inside a quoted field must be doubled"),
        ('a,b\n1,x\n2,"SECRET\n', "record 2: a quotation mark is opened and never closed"),
        ('a,b\n1,"x\\"y"\n', "record 1: quotation marks inside a quoted field must be doubled"),
        ("a,b\n1,x\r\n2,y\n", "records end in LF in some places and in CRLF in others"),
        (
            f'a,b\n1,"{"x" * (RECORD_LIMIT_BYTES + 1)}"\n',
            "record 1: a field longer than 16 MiB",
        ),
    ],
)
def test_damage_is_named_by_record_without_its_text(
    tmp_path: Path, content: str, told: str
) -> None:
    with pytest.raises(SourceError) as caught:
        records(tmp_path, content)
    assert told in str(caught.value)
    assert str(caught.value).startswith("hosp/t.csv: ")
    assert "SECRET" not in str(caught.value)
