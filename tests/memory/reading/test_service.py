"""Danger as the site tells it, and weights that are refused at the start."""

import pytest

from memory.reading.heads import WEIGHTS
from memory.reading.service import check_heads, find_danger


@pytest.mark.spec("L4")
def test_danger_is_found_without_its_usual_words_and_within_a_long_message():
    """Said in other words than any list holds, in Norwegian, and between a hundred harmless words."""
    dull = "We had maths and then lunch, and the bus was late as always. "
    texts = [
        "i looked up how many of mums pills it takes",
        "jag har skrivit breven nu, de ligger i lådan",
        "jeg skar meg igjen i går",
        f"{dull * 4}I don't want to be alive anymore. {dull * 4}",
    ]
    assert not [text for text in texts if find_danger(text) is None]


def test_everyday_messages_are_no_danger():
    """Figures of speech, school, plans and nothing at all."""
    texts = ["", "🙂🙂", "Jag dör av skratt", "I killed it at the exam", "Kan du förklara rekursion?", "hej!"]
    texts += ["I want to start running twice a week", "print('kill', process)", "ord " * 8_000]
    assert not [text for text in texts if find_danger(text) is not None]


def test_a_start_with_weights_of_another_embedder_is_refused(settings, tmp_path):
    """The check names both embedders and how to train; with the shipped weights there is nothing to say."""
    assert check_heads(None) == []
    settings.EMBEDDINGS_PROVIDER = "openai"
    settings.EMBEDDINGS_BASE_URL, settings.EMBEDDINGS_MODEL = "http://127.0.0.1:1/v1", "their-model"
    settings.EMBEDDINGS_DIMENSION, settings.EMBEDDINGS_API_KEY = 8, "none"
    (error,) = check_heads(None)
    assert "their-model" in error.msg and "python -m bench.train" in error.msg
    settings.EMBEDDINGS_PROVIDER = "bundled"
    settings.READING_WEIGHTS = tmp_path / "weights.npz"
    settings.READING_WEIGHTS.write_bytes(WEIGHTS.read_bytes()[:10_000])
    (error,) = check_heads(None)
    assert "damaged" in error.msg
