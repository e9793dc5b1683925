from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[4] / "shared"
CASES = SHARED / "cases"
PUBLIC = SHARED / "data" / "rubrics"

needs_public_data = pytest.mark.skipif(
    not PUBLIC.is_dir(), reason="the public rubric data is not on this machine"
)
needs_cases = pytest.mark.skipif(
    not CASES.is_dir(), reason="the shared cases are not on this machine"
)
