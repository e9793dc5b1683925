from __future__ import annotations

import csv
import gzip
import hashlib
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.adapters.mimic_files import MimicFile
from tasks.adapters.mimic_inspection import (
    InspectedFile,
    RecordReader,
    inspect_file,
    inspect_files,
)
from tasks.contracts.errors import SourceError

PLAIN = b'icd_code,icd_version,long_title\n0042,9,"One\nline ""more"""\n042,9,Two\n'


def inspect(folder: Path, content: bytes, name: str = "d_icd_diagnoses.csv") -> InspectedFile:
    (folder / "hosp").mkdir(exist_ok=True)
    path = folder / "hosp" / name
    path.write_bytes(content)
    columns = ("icd_code", "icd_version", "long_title")
    return inspect_file(MimicFile("d_icd_diagnoses", f"hosp/{name}", path, columns, (), ""))


def refusal(folder: Path, content: bytes, name: str = "d_icd_diagnoses.csv.gz") -> str:
    with pytest.raises(SourceError) as caught:
        inspect(folder, content, name)
    return str(caught.value)


def test_file_is_described_as_it_lies_on_disk(tmp_path: Path) -> None:
    inspected = inspect(tmp_path, PLAIN)
    info = inspected.info(decimal_ids=3)
    assert (info.bytes, info.rows, info.decimal_ids) == (len(PLAIN), 2, 3)
    assert info.sha256 == digest_of(PLAIN)
    assert info.name == "hosp/d_icd_diagnoses.csv"


def test_gz_of_several_members_is_read_to_its_end(tmp_path: Path) -> None:
    content = gzip.compress(PLAIN) + gzip.compress(b"486,9,Three\n")
    inspected = inspect(tmp_path, content, "d_icd_diagnoses.csv.gz")
    assert (inspected.records, inspected.bytes) == (3, len(content))


def test_gz_larger_than_a_chunk_is_read_to_its_end(tmp_path: Path) -> None:
    content = gzip.compress(PLAIN + b"486,9,Three\n" * 300_000)
    assert inspect(tmp_path, content, "d_icd_diagnoses.csv.gz").records == 300_002


@pytest.mark.parametrize("cut", [1, 5, 8, 20])
def test_cut_gz_is_refused(tmp_path: Path, cut: int) -> None:
    assert "the gzip data is cut short" in refusal(tmp_path, gzip.compress(PLAIN)[:-cut])


def test_gz_with_a_wrong_crc_is_refused(tmp_path: Path) -> None:
    content = bytearray(gzip.compress(PLAIN))
    content[-8] ^= 1
    assert "the gzip data is damaged" in refusal(tmp_path, bytes(content))


def test_bytes_after_the_gz_are_refused(tmp_path: Path) -> None:
    assert "the gzip data is damaged" in refusal(tmp_path, gzip.compress(PLAIN) + b"more")


@pytest.mark.parametrize("damage", [b"caf\xe9", b"cut \xe2\x82"])
def test_bytes_that_are_not_utf8_are_refused_by_record(tmp_path: Path, damage: bytes) -> None:
    message = refusal(tmp_path, PLAIN + b"486,9," + damage, "d_icd_diagnoses.csv")
    assert message.startswith(
        "hosp/d_icd_diagnoses.csv: a byte that isn't UTF-8 at or after record "
    )
    assert "caf" not in message


def test_nul_bytes_are_refused(tmp_path: Path) -> None:
    message = refusal(tmp_path, PLAIN + b"486,9,\0\0\0\n", "d_icd_diagnoses.csv")
    assert "a NUL byte at or after record" in message


def test_characters_may_span_chunks() -> None:
    reader = RecordReader("x")
    for byte in "a\né\n".encode():
        reader.feed(bytes([byte]))
    assert reader.finish()[0] == 1


@pytest.mark.parametrize(
    ("content", "records"),
    [
        (b"a,b\n", 0),
        (b"a,b", 0),
        (b"a,b\n1,2", 1),
        (b"a,b\r\n1,2\r\n\r\n3,4\r\n\r\n", 2),
        (b'a,b\n1,"x\n\n""y""\n"\n', 1),
    ],
)
def test_records_are_lines_outside_quotes(content: bytes, records: int) -> None:
    reader = RecordReader("x")
    reader.feed(content)
    assert reader.finish()[0] == records


def digest_of(content: bytes, size: int = 1 << 20) -> str:
    reader = RecordReader("x")
    for start in range(0, len(content), size):
        reader.feed(content[start : start + size])
    return reader.finish()[1]


def test_digest_is_that_of_the_records_in_any_order() -> None:
    total = sum(int(hashlib.sha256(line).hexdigest(), 16) for line in (b"a,b", b'1,"x\ny"', b"2,z"))
    expected = f"{total % 2**256:064x}"
    for content in (b'a,b\n1,"x\ny"\n2,z\n', b'a,b\n2,z\n1,"x\ny"', b'a,b\n\n2,z\n1,"x\ny"\n'):
        assert digest_of(content) == expected
        assert digest_of(content, 1) == expected


@pytest.mark.parametrize(
    "other", [b"a,b\n1,2\n", b"a,b\n1,2\n1,2\n1,3\n", b'a,b\n1,3\n1,2\n""\n', b"b,a\n1,2\n1,3\n"]
)
def test_digest_tells_other_records_apart(other: bytes) -> None:
    assert digest_of(other) != digest_of(b"a,b\n1,2\n1,3\n")


@given(
    rows=st.lists(st.tuples(st.text(), st.text()), max_size=8),
    size=st.integers(1, 9),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_record_count_equals_what_was_written(
    rows: list[tuple[str, str]], size: int, newline: str
) -> None:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator=newline)
    writer.writerow(["a", "b"])
    clean = [tuple(text.replace("\0", "") for text in row) for row in rows]
    writer.writerows((f"{a}.", b) for a, b in clean)
    content = stream.getvalue().encode("utf-8", "replace")
    reader = RecordReader("x")
    for start in range(0, len(content), size):
        reader.feed(content[start : start + size])
    assert reader.finish()[0] == len(rows)


@pytest.mark.parametrize("place", ["", "hosp"])
@pytest.mark.parametrize("mark", ["  ", " *", "  ./"])
def test_listed_digest_is_compared(tmp_path: Path, place: str, mark: str) -> None:
    (tmp_path / "hosp").mkdir()
    name = "d_icd_diagnoses.csv" if place else "hosp/d_icd_diagnoses.csv"
    sums = tmp_path / place / "SHA256SUMS.txt"
    sums.write_text(f"{hashlib.sha256(PLAIN).hexdigest()}{mark}{name}\n")
    assert inspect(tmp_path, PLAIN).records == 2
    message = refusal(tmp_path, PLAIN[: PLAIN.rindex(b"042")], "d_icd_diagnoses.csv")
    assert f"differs from the digest in {sums}" in message


@pytest.mark.parametrize(
    "written", ["\ufeff{}  hosp/{}\r\n", "{}  hosp\\{}\n", "{} *.\\hosp\\{}\n"]
)
def test_digest_lists_of_other_systems_are_read(tmp_path: Path, written: str) -> None:
    digest = hashlib.sha256(PLAIN).hexdigest().upper()
    sums = tmp_path / "SHA256SUMS.txt"
    sums.write_text(written.format(digest, "d_icd_diagnoses.csv"), encoding="utf-8", newline="")
    assert inspect(tmp_path, PLAIN).records == 2
    assert "differs from the digest" in refusal(tmp_path, PLAIN + b"\n", "d_icd_diagnoses.csv")


def test_digests_of_other_files_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "SHA256SUMS.txt").write_text("00  hosp/d_icd_diagnoses.csv.gz\n")
    assert inspect(tmp_path, PLAIN).records == 2


def test_first_bad_file_in_order_is_named(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.csv", "two.csv")]
    for path in paths:
        path.write_bytes(b"a\n\xff\n")
    files = [MimicFile("t", path.name, path, ("a",), (), "") for path in paths]
    with pytest.raises(SourceError, match=r"^one\.csv: "):
        inspect_files(files)


def test_vanished_file_is_refused(tmp_path: Path) -> None:
    gone = MimicFile("t", "hosp/t.csv", tmp_path / "t.csv", ("a",), (), "")
    with pytest.raises(SourceError, match=r"hosp/t\.csv: can't be read"):
        inspect_file(gone)
