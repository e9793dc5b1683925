"""Rewrites MIMIC-shaped CSV trees: the same records in another order and form."""

from __future__ import annotations

import csv
import gzip
import io
import random
import shutil
from pathlib import Path


def shuffle_tree(
    source: Path, target: Path, *, seed: int, columns: bool = False, packed: bool = False
) -> Path:
    """Copy a tree with the rows of every CSV file in another order; returns ``target``.

    ``columns`` puts the columns in another order too, ``packed`` writes .csv.gz.
    """
    order = random.Random(seed)
    for path in sorted(one for one in source.rglob("*") if one.is_file()):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".csv":
            shutil.copyfile(path, copy)
            continue
        content = _shuffled(path, order, columns)
        if packed:
            copy.with_name(f"{copy.name}.gz").write_bytes(gzip.compress(content))
        else:
            copy.write_bytes(content)
    return target


def _shuffled(path: Path, order: random.Random, columns: bool) -> bytes:
    with path.open(encoding="utf-8", newline="") as stream:
        header, *records = csv.reader(stream)
    order.shuffle(records)
    places = list(range(len(header)))
    if columns:
        order.shuffle(places)
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    writer.writerows([record[place] for place in places] for record in [header, *records])
    return written.getvalue().encode()
