"""What may be written down about an error: types, files and lines, never a message or a value."""

from __future__ import annotations

import traceback

_HIDDEN = "message left out, it may hold patient text"


def outline(error: BaseException) -> str:
    """A traceback without the errors' messages and notes; causes and groups are followed.

    Safe to keep in the temporary folder and to pass on in a bug report.
    """
    return "\n".join(_lines(error, set())) + "\n"


def _lines(error: BaseException, seen: set[int]) -> list[str]:
    if id(error) in seen:
        return []
    seen.add(id(error))
    lines: list[str] = []
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        lines += [*_lines(before, seen), "", "which led to:", ""]
    frames = traceback.extract_tb(error.__traceback__)
    lines += [
        f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}' for frame in frames
    ]
    kind = type(error)
    lines.append(f"{kind.__module__}.{kind.__qualname__} ({_HIDDEN})")
    if isinstance(error, BaseExceptionGroup):
        for number, one in enumerate(error.exceptions, start=1):
            lines += ["", f"of which number {number}:", "", *_lines(one, seen)]
    return lines
