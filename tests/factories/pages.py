"""Reads a page of a report: every element closed, its tables and its links."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta"}


class Balanced(HTMLParser):
    """Collects the page's rows and checks that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def read(page: str) -> Balanced:
    """The page's tables and links; fails where an element isn't closed."""
    parser = Balanced()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    return parser
