"""Parts of the report's pages: self-contained HTML with tables; no script, no address."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from html import escape

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}
caption{text-align:left;color:#555;padding-bottom:.25rem}
th,td{border-bottom:1px solid #ddd;padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.bad{color:#b00020;font-weight:600}.good{color:#1b6e3c}
svg{max-width:100%;height:auto}
.wide{overflow-x:auto}.wide table{font-size:13px}.wide td,.wide th{white-space:nowrap}
@media print{body{max-width:none;margin:0}h2,caption{break-after:avoid}svg,tr{break-inside:avoid}
.wide{overflow:visible}.wide table{font-size:8px}}
"""

Cell = str | int | float | Decimal | None
"""A float is shown with one digit, a decimal with all of its own."""


def page(title: str, sections: Iterable[str]) -> str:
    """A whole page of some sections."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(sections)
        + "\n</body></html>\n"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, caption: str = "") -> str:
    """A table, or a sentence that there is nothing to show."""
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    if not body:
        return f"<p>{escape(caption or 'Nothing')}: none</p>"
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Cell) -> str:
    if value is None:
        return '<td class="n">n/a</td>'
    if isinstance(value, float):
        return f'<td class="n">{value:,.1f}</td>'
    if isinstance(value, Decimal):
        return f'<td class="n">{value:,}</td>'
    if isinstance(value, int):
        return f'<td class="n">{value:,}</td>'
    mark = ' class="bad"' if value in ("failed", "INVALID") else ""
    return f"<td{mark}>{escape(value)}</td>"
