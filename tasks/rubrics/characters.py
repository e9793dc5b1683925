"""Text as it can be written down."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def whole_characters(text: str) -> str:
    """The text with halves of a pair joined, and those that are alone replaced by U+FFFD."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
