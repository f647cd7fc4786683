"""The heads that ship: what they answer, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion_site.embeddings.bundled import MODEL, load_bundled
from memory.algorithms.isotropy import unit_rows
from memory.reading.heads import WEIGHTS, HeadsOnce, UnusableWeights, load_heads
from memory.reading.kernels import PLAIN, Form, likeness, prepare
from memory.reading.params import READING
from memory.reading.splitter import split


def _told(machine: str, *texts: str) -> dict:
    return load_heads(model=MODEL).read_texts(machine, texts, load_bundled().embed(texts))


def test_every_head_answers_with_probabilities_whatever_is_read():
    """Emoji, code, nothing at all, half a surrogate pair and 32,000 characters give finite probabilities that sum to 1."""
    texts = ["", " ", "🙂🙂🙂", "for (;;) { x <- y }", "\ud800", "ord " * 8_000, "これは日本語です", "a"]
    for machine in ("utterance", "intent", "fact", "note", "wish"):
        for task, told in _told(machine, *texts).items():
            assert told.probabilities.shape == (len(texts), len(told.classes)), task
            assert np.allclose(told.probabilities.sum(1), 1, atol=1e-3), task
    heads, embed = load_heads(model=MODEL), load_bundled().embed
    message = "I live in Lund, and my brother Noah plays the drums"
    spans = [(clause.start, clause.end) for clause in split(message)]
    for machine in ("unit", "company"):
        vectors = embed([message, *(message[start:end] for start, end in spans)])
        for told in heads.read_parts(machine, message, spans, vectors[1:], vectors[0]).values():
            assert np.allclose(told.probabilities.sum(1), 1, atol=1e-3)


def test_equal_lines_are_compared_once_and_each_counts():
    """Likeness is the sum of products of kernels, line by line, however many of the lines and inputs are equal."""
    rng = np.random.default_rng(5)
    form = Form(terms=((("text",), 0.5), (("text", "message"), 2.0), (("message", PLAIN), 1.0)))

    def views(text: int, message: list[int]) -> dict[str, np.ndarray]:
        return {
            "text": unit_rows(rng.normal(size=(text, 16))),
            "message": unit_rows(rng.normal(size=(max(message) + 1, 16)))[message],
            PLAIN: rng.normal(size=(text, 4)).astype(np.float32),
        }

    inputs, lines = views(4, [0, 1, 0, 0]), views(9, [0, 0, 0, 1, 1, 0, 2, 2, 2])

    def kernel(view: str, steepness: float) -> np.ndarray:
        apart = ((inputs[view][:, None] - lines[view][None]) ** 2).sum(-1)
        return np.exp(-steepness * apart)

    text, message, plain = kernel("text", 1), kernel("message", 1), kernel(PLAIN, 0.5 / 4)
    expected = 0.5 * text + 2 * text * message + message * plain
    assert np.allclose(likeness(form, inputs, prepare(form, lines)), expected, atol=1e-4)


def test_what_was_read_of_a_message_is_told_again():
    """Beside what is new and twice in one question, each head tells of a text what it would have told alone."""
    heads, embed = load_heads(model=MODEL), load_bundled().embed
    texts = ["I promise to call Mira.", "My dog is called Bosse.", "I promise to call Mira."]
    once, vectors = HeadsOnce(heads), embed(texts)
    for machine in ("note", "wish"):
        for rows in ([0], [1, 0, 2], []):
            told = once.read_texts(machine, [texts[row] for row in rows], vectors[rows])
            for task, one in heads.read_texts(machine, texts, vectors).items():
                assert np.allclose(told[task].probabilities, one.probabilities[rows], atol=1e-5)
    # The same words with another vector are read anew.
    other = once.read_texts("note", texts[:1], vectors[1:2])["promise"].probabilities
    assert not np.allclose(other, once.read_texts("note", texts[:1], vectors[:1])["promise"].probabilities)


def test_plain_cases_are_read_as_anybody_would():
    """What nobody would argue about is read rightly in English, Swedish and Norwegian; the hard cases are counted by the bench."""
    dangers = [
        "I want to kill myself",
        "jag vill inte leva längre",
        "jeg orker ikke leve mer",
        "my stepdad hits me",
    ]
    safe = ["The bus leaves at eight.", "vi åt tacos igår", "thanks, that helped a lot"]
    danger = _told("utterance", *dangers, *safe)["danger"]
    chances = 1 - danger.probabilities[:, 0]
    assert chances[: len(dangers)].min() > chances[len(dangers) :].max()
    intents = {
        "what do you know about me?": "about_me",
        "glöm det jag sa om Jonas": "forget_this",
        "god morgen!": "greeting",
        "write an email to my teacher": "do_task",
    }
    told = _told("intent", *intents)["intent"]
    assert [told.likeliest(row) for row in range(len(intents))] == list(intents.values())


def test_a_standing_wish_is_told_from_what_is_asked_once():
    """How somebody wants to be helped from now on is likelier a wish than a request, a question or a fact."""
    wishes = [
        "Please never use emojis with me.",
        "Skriv alltid kort till mig, tack.",
        "Don't tell me it will pass.",
    ]
    others = [
        "Write a poem about the sea.",
        "What is photosynthesis?",
        "I live in Lund.",
        "Rätta den här meningen.",
    ]
    chances = _told("wish", *wishes, *others)["wish"].probabilities[:, 1]
    assert chances[: len(wishes)].min() > READING.standing_wish > chances[len(wishes) :].max(), chances


def test_a_change_is_told_from_the_same_and_from_another_thing():
    """Of pairs that share their words, the changed value is likelier to replace than the same fact or another person's."""
    pairs = [
        ("I live in Lund.", "We have moved to Malmö now."),
        ("I live in Lund.", "I live in Lund."),
        ("My brother is called Noah.", "My sister is called Ida."),
    ]
    texts = [text for pair in pairs for text in pair]
    vectors = load_bundled().embed(texts).reshape(len(pairs), 2, -1)
    told = load_heads(model=MODEL).read_pairs(pairs, vectors)
    assert told.of("replaces", 0) > max(told.of("replaces", 1), told.of("replaces", 2))
    assert told.likeliest(1) == "same"


def test_what_is_nearer_is_likelier_meant():
    """The same two statements make a change less likely where the later one stands nearer to another that it is compared with."""
    pair, nearer = (
        ("My bike is blue.", "I have a red bike now."),
        ("I have a red bike.", "I have a red bike now."),
    )

    def read(*pairs: tuple[str, str]) -> float:
        texts = [text for pair in pairs for text in pair]
        vectors = load_bundled().embed(texts).reshape(len(pairs), 2, -1)
        return load_heads(model=MODEL).read_pairs(list(pairs), vectors).of("replaces", 0)

    assert read(pair, nearer) < read(pair)


def test_the_memory_that_answers_stands_first():
    """Among the memories of one person the one that answers is the most relevant, also across languages."""
    memories = ["Min hund heter Bosse.", "I sing in a band.", "Jag gillar inte fisk.", "My exam is on 3 May."]
    embed = load_bundled().embed
    told = load_heads(model=MODEL).read_relevance(
        "what is my dog called?", memories, embed(["what is my dog called?"])[0], embed(memories)
    )
    assert int(told.probabilities[:, 0].argmin()) == 0


def test_weights_that_do_not_fit_are_refused_with_what_to_do(tmp_path: Path):
    """Another embedder's, damaged, cut short, of another version or missing: each is named, and how to train is said."""
    cut, junk, old = tmp_path / "cut.npz", tmp_path / "junk.npz", tmp_path / "old.npz"
    cut.write_bytes(WEIGHTS.read_bytes()[:-5_000])
    junk.write_bytes(b"junk" * 100)
    with np.load(WEIGHTS) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays["about"].tobytes())
    arrays["about"] = np.frombuffer(json.dumps({**about, "format": 0}).encode(), np.uint8)
    np.savez(old, **arrays)
    cases = [
        ("another-model", WEIGHTS, "another-model"),
        (MODEL, cut, "damaged"),
        (MODEL, junk, "damaged"),
        (MODEL, old, "another version"),
        (MODEL, tmp_path / "none.npz", "missing"),
    ]
    for model, path, named in cases:
        with pytest.raises(UnusableWeights, match=named) as error:
            load_heads(model=model, path=path)
        assert "python -m bench.train" in str(error.value)
