"""Rankings by words and by vectors."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.adapters.embedders import Vectors
from tasks.adapters.tokens import count_tokens
from tasks.answering.ranking import (
    DenseRanker,
    LexicalRanker,
    RememberingEmbedder,
    best_first,
    split_document,
)


@dataclass
class LetterEmbedder:
    """Counts the letters a, b and c of a text."""

    window_tokens: int = 100
    asked: list[str] = field(default_factory=list[str])

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        counts = [[text.count(letter) for letter in "abc"] for text in texts]
        vectors = np.array(counts, dtype=np.float32).reshape(len(texts), 3)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def test_the_document_with_the_rarest_words_of_the_question_is_best():
    ranker = LexicalRanker(
        [("potassium was high\n",), ("furosemide was given\n", "potassium fell\n"), ("nothing\n",)]
    )
    assert ranker.rank(["was potassium low after furosemide?", "was it high?"]) == [
        (1, 0, 2),
        (0, 1, 2),
    ]
    assert ranker.split_documents == 0


def test_of_equal_documents_the_latest_is_best():
    assert LexicalRanker([("same words",)] * 3).rank(["same", "unknown", ""]) == [(2, 1, 0)] * 3
    assert best_first(np.array([0.5, 0.50000001, 0.9, 0.1], dtype=np.float32)) == (2, 1, 0, 3)


def test_chinese_words_are_found_inside_a_sentence():
    ranker = LexicalRanker([("患者今天发烧",), ("患者咳嗽三天",)])
    assert ranker.rank(["发烧", "咳嗽"]) == [(0, 1), (1, 0)]


def test_no_documents_have_no_ranking():
    assert LexicalRanker([]).rank(["x"]) == [()]
    assert DenseRanker([], LetterEmbedder()).rank(["x"]) == [()]


def test_a_long_document_is_as_near_as_its_nearest_part():
    embedder = LetterEmbedder(window_tokens=4)
    long = ("b b b b\n", "a a a a\n", "b b b b\n")
    ranker = DenseRanker([("a b\n",), long, ("c\n",)], embedder)
    assert ranker.split_documents == 1
    assert ranker.rank(["a", "c"]) == [(1, 0, 2), (2, 1, 0)]


@given(st.lists(st.text(alphabet="abü 9.症", max_size=60), max_size=5), st.integers(6, 20))
def test_parts_of_a_document_fit_the_window_and_lose_nothing(texts: list[str], window: int):
    lines = [f"9 | {text}.\n" for text in texts]
    parts = split_document(tuple(lines), window)
    assert "".join(parts) == "".join(lines)
    assert all(count_tokens(part) <= window for part in parts)


def test_a_text_is_embedded_once():
    inner = LetterEmbedder()
    embedder = RememberingEmbedder(inner)
    first = embedder.embed(["a", "b"])
    again = embedder.embed(["b", "c", "a"])
    assert inner.asked == ["a", "b", "c"]
    assert (again[[2, 0]] == first).all()


def test_a_document_without_text_is_one_piece():
    assert split_document((), 16) == split_document(("", ""), 16) == [""]
