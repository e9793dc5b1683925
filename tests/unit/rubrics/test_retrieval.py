from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf.errors import DependencyError

from tasks.contracts.errors import SourceError
from tasks.rubrics.retrieval import pages
from tasks.rubrics.retrieval.corpus import CorpusSearch, open_corpus
from tasks.rubrics.retrieval.pages import Page, corpus_digest, page_files, read_page, read_pages
from tasks.rubrics.retrieval.passages import passages, sentences
from tasks.rubrics.retrieval.searching import SearchSpec
from tests.unit.rubrics.pdf_page import pdf_with

EXAMPLE = Path(__file__).parents[3] / "tasks" / "rubrics" / "corpus_example"
HTML = """<!doctype html><html><head><title>Fever &amp; chills</title></head><body>
<nav><a href="/">Home</a></nav><main><article><h1>Fever</h1>
<p>Drink enough and rest when you have a fever, which usually ends after a few days.</p>
<p>See a doctor when a fever lasts for more than three days or when it returns.</p>
</article></main><footer>Copyright of nobody</footer></body></html>"""


def page(tmp_path: Path, name: str, content: str | bytes) -> Page:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    found = read_page(path, tmp_path)
    assert found is not None
    return found


def test_html_is_read_without_navigation(tmp_path: Path) -> None:
    found = page(tmp_path, "fever.html", HTML)
    assert found.title == "Fever & chills"
    assert "Drink enough" in found.text
    assert "Home" not in found.text
    assert "Copyright" not in found.text


def test_html_is_read_in_the_encoding_that_it_states(tmp_path: Path) -> None:
    html = HTML.replace("<head>", '<head><meta charset="gbk">').replace(
        "Fever &amp; chills", "感冒"
    )
    assert page(tmp_path, "fever.html", html.encode("gbk")).title == "感冒"


@pytest.mark.parametrize("name", ["dose.txt", "dose.md"])
def test_a_text_that_is_neither_utf_8_nor_utf_16_is_refused(tmp_path: Path, name: str) -> None:
    assert page(tmp_path, name, "5 µg daily".encode("utf-16")).text == "5 µg daily"
    (tmp_path / name).write_bytes("5 µg daily".encode("latin-1"))
    with pytest.raises(SourceError, match=rf"{name}: byte 2 is no UTF-8; convert the page"):
        read_pages(tmp_path)


def test_markdown_is_read_without_its_marks(tmp_path: Path) -> None:
    found = page(tmp_path, "a.md", "# Gout\n\n- Drink *water*, see [here](x.md).\n")
    assert (found.title, found.text) == ("Gout", "Gout\n\nDrink water, see here.")


def test_a_text_is_titled_by_a_first_line_of_its_own(tmp_path: Path) -> None:
    assert page(tmp_path, "a.txt", "Gout\n\nDrink water.").title == "Gout"
    assert page(tmp_path, "b.txt", "Drink water. Rest.").title == "b"


def test_pdf_is_read(tmp_path: Path) -> None:
    assert (
        "Drink water with gout."
        in page(tmp_path, "gout.pdf", pdf_with("Drink water with gout.")).text
    )


def test_a_damaged_pdf_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"gout\.pdf: can't be read as PDF"):
        page(tmp_path, "gout.pdf", b"no pdf at all")


def test_half_a_character_in_a_pdf_is_replaced(tmp_path: Path) -> None:
    found = page(tmp_path, "gout.pdf", pdf_with("Drink A water.", code_of_a="D83D"))
    assert found.text == "Drink \ufffd water."


@pytest.mark.parametrize(
    "fault", [DependencyError("no cryptography"), RecursionError(), OverflowError(), zlib.error()]
)
def test_a_pdf_that_the_reader_stumbles_over_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def stumble(_content: object) -> None:
        raise fault

    monkeypatch.setattr(pages, "PdfReader", stumble)
    with pytest.raises(SourceError, match=r"gout\.pdf: can't be read as PDF"):
        page(tmp_path, "gout.pdf", pdf_with("Drink water."))


def test_a_page_whose_name_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"gout-\xff.md")).write_text("Drink water.")
    with pytest.raises(SourceError, match=r"'gout-\\udcff.md' isn't UTF-8 text; rename it"):
        corpus_digest(tmp_path)


def test_a_folder_that_can_t_be_looked_into_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="can't be read"):
        page_files(tmp_path / ("a" * 300))


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no page"):
        page_files(tmp_path)


def test_every_page_that_can_t_be_read_is_named_at_once(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        (tmp_path / name).write_bytes(b"no pdf at all")
    (tmp_path / "d.md").write_text("Drink water.")
    told = r"a\.pdf: can't be read as PDF .* So can't these pages: b\.pdf, c\.pdf"
    with pytest.raises(SourceError, match=told):
        read_pages(tmp_path)


def test_pages_without_a_text_are_named_and_a_folder_of_them_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Drink water.")
    (tmp_path / "b.html").write_text("<html><body></body></html>")
    (tmp_path / "c.txt").write_text(" \n")
    found, without_text = read_pages(tmp_path)
    assert [one.url for one in found] == ["a.md"]
    assert without_text == ("b.html", "c.txt")
    (tmp_path / "a.md").unlink()
    with pytest.raises(SourceError, match="none of its 2 pages has a text"):
        read_pages(tmp_path)


def test_the_digest_changes_with_a_page_and_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    before = corpus_digest(tmp_path)
    (tmp_path / "a.md").write_text("two")
    changed = corpus_digest(tmp_path)
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    assert len({before, changed, corpus_digest(tmp_path)}) == 3


def test_sentences_know_their_place_and_abbreviations_end_none() -> None:
    text = "Ask Dr. Ray, e.g. by phone. Wait!\n多喝水。注意休息。"
    assert [(one.offset, one.text) for one in sentences(text)] == [
        (0, "Ask Dr. Ray, e.g. by phone."),
        (28, "Wait!"),
        (34, "多喝水。"),
        (38, "注意休息。"),
    ]


@given(st.text(alphabet="ab .!\n。é", max_size=80))
def test_sentences_and_passages_stand_where_they_say(text: str) -> None:
    for one in [*sentences(text), *passages(text)]:
        assert text[one.offset : one.offset + len(one.text)] == one.text


def test_passages_keep_sentences_whole_and_end_with_their_paragraph() -> None:
    long = "Word " * 70 + "end."
    text = f"{long} {long}\n\nShort one."
    assert [one.text for one in passages(text)] == [long, long, "Short one."]


def test_a_search_finds_the_page_and_the_place() -> None:
    found = [
        Page("a.md", "Gout", "Gout\n\nDrink water. Uric acid causes gout."),
        Page("b.md", "Asthma", "Asthma\n\nInhale slowly."),
    ]
    (hit,) = CorpusSearch(found, "bm25").search("what is gout", 2)
    assert (hit.url, hit.source_name, hit.offset) == ("a.md", "Gout", 6)
    assert found[0].text[hit.offset :].startswith(hit.snippet)


def test_a_query_that_no_page_knows_finds_nothing() -> None:
    assert CorpusSearch([Page("a.md", "Gout", "Drink water.")], "bm25").search("xyz", 2) == ()


@pytest.mark.parametrize("ranking", ["bm25", "dense"])
@pytest.mark.parametrize(
    ("query", "url"),
    [
        ("japanese encephalitis mosquitoes vaccine", "travel-vaccines.md"),
        ("bloated belly gas", "bloating.md"),
    ],
)
def test_the_example_corpus_answers(ranking: str, query: str, url: str) -> None:
    spec = SearchSpec.model_validate(
        {
            "provider": "corpus",
            "folder": str(EXAMPLE),
            "digest": corpus_digest(EXAMPLE),
            "ranking": ranking,
        }
    )
    assert url in [hit.url for hit in open_corpus(spec).search(query, 2)]


def test_the_example_corpus_answers_in_chinese() -> None:
    spec = SearchSpec(provider="corpus", folder=str(EXAMPLE), digest=corpus_digest(EXAMPLE))
    found = open_corpus(spec).search("肾功能不全的患者用药要注意什么", 2)
    assert found[0].url == "zh-hypertension.md"
