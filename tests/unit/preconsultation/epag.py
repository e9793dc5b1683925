"""The published profiles and guidelines, which lie beside the checkout where somebody has them."""

from __future__ import annotations

from pathlib import Path

import pytest

EPAG = Path(__file__).resolve().parents[4] / "shared" / "data" / "epag"

needs_epag = pytest.mark.skipif(not EPAG.is_dir(), reason="the EPAG data is not there")
