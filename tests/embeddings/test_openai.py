"""The adapter for services that speak OpenAI's embeddings, over a real connection with the real SDK."""

import asyncio
import json
import logging
import os
import time
from dataclasses import replace

import numpy as np
import pytest
from django.core.checks import run_checks

from companion_site.embeddings.bundled import load_bundled
from companion_site.embeddings.calibration import DEFAULT, keep_calibration
from companion_site.embeddings.errors import (
    EmbeddingServiceUnavailable,
    EmbeddingsRejected,
    EmbeddingsUnusable,
)
from companion_site.embeddings.openai import BATCH, LIMITS, OpenAIEmbedder
from companion_site.embeddings.service import (
    embed_async,
    embed_question,
    embed_question_with,
    get_embedder,
    name_vectors,
    present_model,
)
from companion_site.llm.scrubbing.policy import Kind
from tests.cases import cases
from tests.embeddings.wire import DIMENSION, MODEL, Act, elsewhere, point_at

#: Tries as on the site, with no time to speak of between them.
QUICK = replace(LIMITS, backoff_s=0.01, backoff_max_s=0.01)


@pytest.fixture
def var_dir(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def make(service, var_dir):
    """Return a maker of embedders that are calibrated already, so that requests are those of the test."""

    def made(limits=QUICK, **given) -> OpenAIEmbedder:
        fields = {"model": MODEL, "dimension": DIMENSION, "base_url": f"{service.url}/v1", **given}
        keep_calibration(name_vectors(fields["model"], fields["dimension"]), DEFAULT)
        return OpenAIEmbedder(**fields, limits=limits)

    return made


def test_vectors_come_back_as_asked_and_of_unit_length(service, make):
    """One request in the real wire form; the answer is put into the order asked, and normalised."""
    service.script(Act(spoil="reversed"))
    texts = ["a cat", "räkenskapsår", ""]
    vectors = make(api_key="sk-1").embed(texts)
    (request,) = service.requests
    assert (request.path, request.headers["authorization"]) == ("/v1/embeddings", "Bearer sk-1")
    assert request.body == {
        "model": MODEL,
        "input": ["a cat", "räkenskapsår", "."],
        "encoding_format": "float",
    }
    expected = elsewhere(["a cat", "räkenskapsår", "."])
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-5)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_many_texts_go_in_batches(service, make):
    """No request holds more than BATCH texts; the vectors are those of the texts, in order."""
    texts = [f"text number {i}" for i in range(BATCH + 3)]
    vectors = make().embed(texts)
    assert [len(request.texts) for request in service.requests] == [BATCH, 3]
    assert service.texts == texts and vectors.shape == (BATCH + 3, DIMENSION)
    assert make().embed([]).shape == (0, DIMENSION)
    with pytest.raises(TypeError):
        make().embed("one text")


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Act(spoil="too few"), "count"),
        (Act(spoil="nothing"), "count"),
        (Act(spoil="twice the first"), "count"),
        (Act(spoil="nan"), "numbers"),
        (Act(spoil="infinite"), "numbers"),
        (Act(spoil="too large"), "form"),
        (Act(spoil="zeros"), "numbers"),
        (Act(spoil="words"), "numbers"),
        (Act(spoil="no vectors"), "form"),
        (Act(body='{"object": "list"}'), "form"),
        (Act(body='{"data": {"a": 1}}'), "form"),
        (Act(body="[]"), "form"),
        (Act(body='{"data": [1, 2]}'), "count"),
    ],
)
def test_an_answer_of_no_use_is_refused_whole(service, make, act, reason):
    """Too few vectors, no numbers, a foreign form: an error that says which; nothing of the answer is used or asked again."""
    service.script(act)
    with pytest.raises(EmbeddingsUnusable) as caught:
        make().embed(["one secret", "two secrets"])
    assert caught.value.reason == reason
    assert "secret" not in str(caught.value) and len(service.requests) == 1


def test_vectors_too_long_are_asked_for_shorter(service, make):
    """A model whose vectors can be shortened is asked to; who cannot shorten is refused with the reason."""
    embedder = make(dimension=64)
    assert embedder.embed(["a cat"]).shape == (1, 64)
    assert [request.body.get("dimensions") for request in service.requests] == [None, 64]
    embedder.embed(["a dog"])
    assert service.requests[-1].body["dimensions"] == 64 and len(service.requests) == 3
    service.shortens = False
    with pytest.raises(EmbeddingsUnusable, match="EMBEDDINGS_DIMENSION"):
        make(dimension=64).embed(["a cat"])


@pytest.mark.parametrize("act", [Act(status=500), Act(status=503), Act(cut=True), Act(status=429)])
def test_what_may_pass_is_tried_again(service, make, act):
    """A fault, a broken connection, "too many requests": the same texts are sent once more."""
    service.script(act, act)
    assert make().embed(["a cat"]).shape == (1, DIMENSION)
    assert [request.texts for request in service.requests] == [["a cat"]] * 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_will_not_pass_is_not(service, make, status):
    """A wrong key, an unknown model, a bad request: one try, and an error without the request in it."""
    service.default = Act(status=status)
    with pytest.raises(EmbeddingsRejected) as caught:
        make().embed(["a secret"])
    assert len(service.requests) == 1 and "secret" not in f"{caught.value!r}{caught.value}"
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_a_silent_service_is_waited_for_only_so_long(service, make):
    """An answer that does not come in time is an error, not a wait for ever."""
    service.default = Act(hang=True)
    with pytest.raises(EmbeddingServiceUnavailable):
        make(limits=replace(QUICK, total_s=0.3)).embed(["a"])


def test_a_failing_service_is_left_alone(service, make):
    """After some failures nobody asks it for a while; what was wrong before does not come back when it is there again."""
    limits = replace(QUICK, attempts=1, breaker_open_s=0.5)
    embedder = make(limits=limits)
    service.default = Act(status=500)
    for _ in range(QUICK.breaker_failures + 4):
        with pytest.raises(EmbeddingServiceUnavailable):
            embedder.embed(["a"])
    assert len(service.requests) == QUICK.breaker_failures
    service.default = Act()
    time.sleep(limits.breaker_open_s)
    assert embedder.embed(["a"]).shape == (1, DIMENSION)
    assert embedder.embed(["b"]).shape == (1, DIMENSION)


def test_personal_data_goes_as_placeholders(service, make):
    """What a language model is not told, this is not told; a text has one vector, whatever it travels with."""
    texts = ["Mail ada@example.com", "Mail bo@example.com, ring 070-174 06 05", "Plain words"]
    embedder = make(scrub=set(Kind))
    vectors = embedder.embed(texts)
    assert service.texts == ["Mail [EMAIL-1]", "Mail [EMAIL-1], ring [PHONE-1]", "Plain words"]
    assert np.allclose(embedder.embed([texts[1]])[0], vectors[1], atol=1e-6)


def test_a_service_elsewhere_is_scrubbed_for_by_the_settings(settings, service, var_dir):
    """Elsewhere LLM_SCRUB holds; on this machine only where LLM_SCRUB_LOCAL says so, as for the language model."""
    point_at(settings, service)
    get_embedder().embed(["Mail ada@example.com"])
    settings.LLM_SCRUB_LOCAL = True
    get_embedder().embed(["Mail ada@example.com"])
    asked = [text for text in service.texts if text.startswith("Mail")]
    assert asked == ["Mail ada@example.com", "Mail [EMAIL-1]"]
    settings.LLM_SCRUB_LOCAL, settings.EMBEDDINGS_BASE_URL = False, "https://vectors.example/v1"
    assert get_embedder()._scrub == set(Kind)


def test_a_text_is_cleaned_and_bounded(service, make):
    """A NUL, half a surrogate pair and a text without end reach the service as something it can take."""
    make().embed(["a\0b", "x\ud800", "word " * 100_000])
    assert service.texts[0] == "a b" and json.dumps(service.texts[1])
    assert len(service.texts[2]) <= 2_000


def test_the_event_loop_is_never_held_up(service, make):
    """On a thread with a running loop the embedder refuses, and by the queue others go on meanwhile."""

    async def directly():
        make().embed(["a"])

    with pytest.raises(RuntimeError, match="embed_async"):
        asyncio.run(directly())
    assert service.requests == []


def test_a_text_that_is_refused_costs_no_other_its_vector(settings, service, var_dir):
    """Of requests made at once those that are not refused are answered."""
    point_at(settings, service)
    service.refuses = "poison"

    async def ask() -> list[object]:
        asked = (embed_async([text]) for text in ("good", "poison", "fine"))
        return await asyncio.gather(*asked, return_exceptions=True)

    good, refused, fine = asyncio.run(ask())
    assert good.shape == fine.shape == (1, DIMENSION) and isinstance(refused, EmbeddingsRejected)


def test_a_question_without_a_vector_is_answered_by_words(settings, service, var_dir):
    """While the service fails a question gets the vector of no meaning, which is like nothing; nobody is kept waiting."""
    point_at(settings, service)
    service.default = Act(status=401)
    vector = asyncio.run(embed_question("What does Ines do?"))
    assert vector.shape == (DIMENSION,) and not vector.any()
    assert not embed_question_with(get_embedder(), "What does Ines do?").any()
    service.default = Act()
    assert abs(float(np.linalg.norm(asyncio.run(embed_question("What does Ines do?")))) - 1) < 1e-5


def test_an_unknown_model_is_calibrated_by_its_own_pairs(settings, service, var_dir):
    """The map is fitted once with the first text, kept on disk, and means the same as the bundled model's."""
    point_at(settings, service)
    embedder = get_embedder()
    assert embedder.model == present_model()
    guess = embedder.calibration
    embedder.embed(["a cat"])
    fitted = embedder.calibration
    assert fitted != guess and embedder.model in fitted.provenance
    asked = len(service.requests)
    again = OpenAIEmbedder(model=MODEL, dimension=DIMENSION, base_url=f"{service.url}/v1")
    assert again.calibration == fitted
    again.embed(["a dog"])
    assert len(service.requests) == asked + 1
    bundled = load_bundled()
    for a, b in (("I live in Lund", "My home is in Lund"), ("I live in Lund", "Tea is hot")):
        (here,), (there,) = ([float(np.prod(e.embed([a, b]), axis=0).sum())] for e in (bundled, again))
        assert abs(bundled.calibration.similarity(here) - fitted.similarity(there)) < 0.12


def test_a_calibration_that_cannot_be_fitted_leaves_the_guess(settings, service, var_dir, caplog):
    """A service that fails meanwhile, or a model that tells nothing apart, costs no text its vector."""
    point_at(settings, service)
    service.script(Act(), Act(status=401))
    embedder = get_embedder()
    with caplog.at_level(logging.WARNING):
        assert embedder.embed(["a cat"]).shape == (1, DIMENSION)
    assert "guess" in embedder.calibration.provenance
    embedder.embed(["a dog"])
    assert len(service.requests) == 3, "nor is it tried again at once"
    assert not (var_dir / "calibrations").exists()


def test_a_damaged_calibration_is_fitted_anew(settings, service, var_dir):
    """What lies on disk is used only if it is a calibration."""
    point_at(settings, service)
    get_embedder().embed(["a"])
    (path,) = (var_dir / "calibrations").iterdir()
    for damage in ("", "{}", '{"raw": [1, 0], "calibrated": [0, 1], "provenance": "x"}', "[1]"):
        path.write_text(damage)
        fresh = OpenAIEmbedder(model=MODEL, dimension=DIMENSION, base_url=f"{service.url}/v1")
        assert "guess" in fresh.calibration.provenance


def test_a_forked_child_has_connections_of_its_own(service, make):
    """A worker's process never writes into its parent's connection."""
    embedder = make()
    embedder.embed(["before"])
    parent = embedder._client(os.getpid())
    assert embedder._client(os.getpid()) is parent
    assert embedder._client(os.getpid() + 1) is not parent


def test_models_and_lengths_have_names_of_their_own():
    """Vectors of two models, or of one at two lengths, are never taken for each other; names fit their column."""
    names = {
        name_vectors(model, d) for model in ("a", "b", "x" * 90 + "1", "x" * 90 + "2") for d in (256, 1024)
    }
    assert len(names) == 8 and max(map(len, names)) <= 100


@cases(
    ("given", "told"),
    [
        ({}, []),
        ({"EMBEDDINGS_MODEL": ""}, ["embeddings.E001"]),
        ({"EMBEDDINGS_DIMENSION": 0}, ["embeddings.E002"]),
        ({"EMBEDDINGS_BASE_URL": ""}, ["embeddings.E003"]),
        ({"EMBEDDINGS_BASE_URL": "localhost:1/v1"}, ["embeddings.E004"]),
        ({"EMBEDDINGS_BASE_URL": "http://[::1/v1"}, ["embeddings.E004"]),
        ({"EMBEDDINGS_BASE_URL": "https://vectors.example/v1"}, ["embeddings.W001"]),
        ({"EMBEDDINGS_BASE_URL": "", "EMBEDDINGS_API_KEY": "sk"}, ["embeddings.W001"]),
    ],
)
def test_wrong_settings_are_told_at_the_start(settings, service, given, told):
    """So is that words leave the machine."""
    point_at(settings, service, **given)
    found = [message.id for message in run_checks() if str(message.id).startswith("embeddings.")]
    assert found == told
