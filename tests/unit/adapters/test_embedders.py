"""The offline embedder, and which embedder a specification names."""

import subprocess
import sys

import numpy as np
import pytest

from tasks.adapters.embedders import EmbedderSpec, embedder_recipe, open_embedder
from tasks.contracts.errors import SettingError


def test_the_nearest_text_says_the_same_in_other_words():
    embedder = open_embedder(EmbedderSpec(), "10000001")
    question, *texts = embedder.embed(
        [
            "Why was the blood pressure so low?",
            "The hypotension came from bleeding.",
            "The broken arm needs a cast.",
            "Lunch is served at noon.",
        ]
    )
    near = [float(question @ text) for text in texts]
    assert near.index(max(near)) == 0


def test_vectors_have_length_one_and_texts_without_words_length_zero():
    vectors = open_embedder(EmbedderSpec(), "10000001").embed(["fever", "", "Fieber und Husten"])
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1).round(5).tolist() == [1.0, 0.0, 1.0]
    assert open_embedder(EmbedderSpec(), "10000001").embed([]).shape[0] == 0


def test_a_text_has_the_same_vector_in_any_company():
    embedder = open_embedder(EmbedderSpec(), "10000001")
    alone, together = embedder.embed(["fever"]), embedder.embed(["a cough", "fever"])
    assert (alone[0] == together[1]).all()


def test_no_code_of_the_wheel_runs_and_no_hub_is_asked():
    program = (
        "import sys\n"
        "from tasks.adapters.embedders import EmbedderSpec, open_embedder\n"
        "open_embedder(EmbedderSpec(), '1').embed(['fever'])\n"
        "print([m for m in ('wordllama', 'huggingface_hub', 'requests') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (EmbedderSpec(provider="other"), "provider 'other' is not known"),
        (EmbedderSpec(model="bge-m3"), "the offline embedder is wordllama-l2-supercat-256, found"),
        (EmbedderSpec(provider="openai", model="m"), "no session of the embedder 'm'"),
    ],
)
def test_an_embedder_that_is_not_there_is_refused(spec: EmbedderSpec, said: str):
    with pytest.raises(SettingError, match=said):
        open_embedder(spec, "10000001")


def test_where_an_embedder_is_served_does_not_matter():
    one = EmbedderSpec(provider="openai", model="m", base_url="http://127.0.0.1:1/v1")
    other = one.model_copy(update={"base_url": "http://127.0.0.1:2/v1"})
    assert embedder_recipe(one) == embedder_recipe(other)
    assert embedder_recipe(one) != embedder_recipe(one.model_copy(update={"model": "n"}))
    assert embedder_recipe(None) == ""
