"""Reads pages of a corpus folder: HTML, Markdown, text and PDF, each as its main text."""

from __future__ import annotations

import codecs
import logging
import re
import zlib
from dataclasses import dataclass
from html import unescape
from io import BytesIO
from pathlib import Path

import trafilatura
from pypdf import PdfReader
from pypdf.errors import DependencyError, PyPdfError
from trafilatura.utils import decode_file

from tasks.adapters.files import sha256_bytes
from tasks.adapters.recipe import digest
from tasks.contracts.errors import SourceError
from tasks.rubrics.characters import whole_characters

SUFFIXES = (".html", ".htm", ".md", ".markdown", ".txt", ".pdf")

# Both tell of every page that is not quite as they expect.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
logging.getLogger("pypdf").setLevel(logging.CRITICAL)

_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_FIRST_LINE = re.compile(r"\A\s*([^\n]{1,80}[^\n.!?。])\n\s*\n")
_MARKUP = re.compile(
    r"^(?:#{1,6}\s+|[-*+]\s+|>\s?|\d+\.\s+)|(?<!\w)[*_`]{1,3}|[*_`]{1,3}(?!\w)", re.M
)
# A damaged or an encrypted file ends in any of them.
_PDF_FAULTS = (
    PyPdfError, DependencyError, ArithmeticError, AttributeError, LookupError, RuntimeError,
    TypeError, ValueError, zlib.error,
)  # fmt: skip
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@dataclass(frozen=True)
class Page:
    """A page of the corpus; ``url`` is its path below the folder."""

    url: str
    title: str
    text: str


def page_files(folder: Path) -> list[Path]:
    """The pages of a folder by path; raises SourceError for a folder without any."""
    try:
        within = folder.rglob("*") if folder.is_dir() else ()
        found = [one for one in within if one.suffix.lower() in SUFFIXES and one.is_file()]
    except OSError as error:
        raise SourceError(
            f"{folder}: can't be read ({error.strerror}); give another folder of pages"
        ) from None
    if not found:
        raise SourceError(
            f"{folder}: holds no page to search; give a folder with files of {', '.join(SUFFIXES)}"
        )
    unnamed = next((one for one in found if not _is_text(one.relative_to(folder).as_posix())), None)
    if unnamed is not None:
        raise SourceError(
            f"{folder}: the name of the page {unnamed.name!a} isn't UTF-8 text; rename it"
        )
    return sorted(found, key=lambda one: one.relative_to(folder).as_posix())


def corpus_digest(folder: Path) -> str:
    """Digest of the pages with their paths; raises SourceError for one that can't be read."""
    parts: list[str] = []
    for path in page_files(folder):
        parts += [path.relative_to(folder).as_posix(), sha256_bytes(_bytes(path))]
    return digest(parts)


def read_pages(folder: Path) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    """The pages of a folder that have a text, and the paths of those that have none, as scans.

    Raises SourceError naming every page that can't be read, and where no page has a text.
    """
    pages: list[Page] = []
    without_text: list[str] = []
    faults: dict[str, SourceError] = {}
    for path in page_files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            page = read_page(path, folder)
        except SourceError as error:
            faults[name] = error
            continue
        if page is None:
            without_text.append(name)
        else:
            pages.append(page)
    if faults:
        first, *others = faults
        also = f". So can't these pages: {', '.join(others)}" if others else ""
        raise SourceError(f"{faults[first]}{also}")
    if not pages:
        raise SourceError(
            f"{folder}: none of its {len(without_text)} pages has a text; scans have to be turned "
            "into text first"
        )
    return tuple(pages), tuple(without_text)


def read_page(path: Path, folder: Path) -> Page | None:
    """A page with its main text; None where it has none, as a scan. Raises SourceError."""
    content = _bytes(path)
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        title, text = _of_pdf(content, path)
    elif suffix in (".html", ".htm"):
        title, text = _of_html(content)
    else:
        plain = _plain(content, path)
        found = (_FIRST_LINE if suffix == ".txt" else _HEADING).search(plain)
        title = found[1] if found else ""
        text = _MARKUP.sub("", _LINK.sub(r"\1", plain)) if suffix != ".txt" else plain
    text = _tidy(whole_characters(text))
    if not text:
        return None
    return Page(
        url=path.relative_to(folder).as_posix(),
        title=" ".join(whole_characters(title).split()) or path.stem,
        text=text,
    )


def _is_text(name: str) -> bool:
    return whole_characters(name) == name


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(
            f"{path}: can't be read ({error.strerror}); give the right to, or take it away"
        ) from None


def _plain(content: bytes, path: Path) -> str:
    """A text in UTF-8, or UTF-16 that says so: a guess at others could change a dose's unit."""
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{path}: byte {error.start} is no UTF-8; convert the page to UTF-8 or take it away"
        ) from None


def _of_html(content: bytes) -> tuple[str, str]:
    page = decode_file(content)
    text = trafilatura.extract(
        page, include_comments=False, include_tables=True, favor_precision=True
    )
    found = _TITLE.search(page)
    return (unescape(found[1]) if found else ""), text or ""


def _of_pdf(content: bytes, path: Path) -> tuple[str, str]:
    try:
        reader = PdfReader(BytesIO(content))
        text = "\n\n".join(page.extract_text() for page in reader.pages)
        metadata = reader.metadata
        title = (metadata.title if metadata else None) or ""
    except _PDF_FAULTS as error:
        raise SourceError(
            f"{path}: can't be read as PDF ({type(error).__name__}); repair it or take it away"
        ) from None
    return title, text


def _tidy(text: str) -> str:
    """Lines without blanks at their ends, and at most one empty line between paragraphs."""
    lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
