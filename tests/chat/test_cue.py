"""What a message is, for a reply without a model, by the reader's heads."""

from dataclasses import replace

import pytest

from chat.turn.intentions import name_cue
from companion_site.embeddings.service import get_embedder
from memory.student.life.feelings import UNKNOWN

pytestmark = pytest.mark.spec("L4")


def cue(text, **felt):
    (vector,) = get_embedder().embed([text])
    return name_cue(text, vector=vector, emotion=replace(UNKNOWN, **felt))


def test_plain_messages_are_what_anybody_would_take_them_for(subtests):
    """In both languages, also without the usual words."""
    for text, expected in [
        ("thanks a lot, that helped", "thanks"),
        ("tack snälla!", "thanks"),
        ("good morning!", "greeting"),
        ("hejsan", "greeting"),
        ("can you make me a study plan for the physics exam on Friday", "plan"),
        ("hjälp mig skriva ett mejl till läraren", "task"),
        ("Write me a poem about whales", "task"),
        ("Are you a real person?", "companion"),
        ("Vem är du?", "companion"),
        ("Vad pratade vi om?", "conversation"),
        ("What did we talk about?", "conversation"),
        ("What is the capital of France?", "explain"),
        ("Tell me a joke", "task"),
        ("Translate 'good morning' into French", "task"),
        ("see you!", "goodbye"),
        ("How are you?", "companion"),
        ("What do you know about Mira?", "question"),
        ("Min mattelärare heter Jonas nu", "other"),
        ("How are you?", "companion"),
        ("What do you know about Mira?", "question"),
        ("Min mattelärare heter Jonas nu", "other"),
        ("hej då", "goodbye"),
        ("When is my German oral?", "question"),
        ("Förklara fotosyntesen", "explain"),
        ("God natt", "goodbye"),
        ("My cousin lives in Oslo.", "other"),
        ("Please never use emojis with me.", "wish"),
        ("Använd aldrig emojis när du skriver till mig.", "wish"),
        ("Please help me with recursion", "plan"),
        ("Tell me what you know about me", "question"),
    ]:
        with subtests.test(text=text):
            assert cue(text) == expected


def test_how_somebody_feels_comes_before_what_they_want():
    """Who is low is answered as such; a faint or unsure feeling changes nothing, and joy gives way to thanks."""
    low = {"primary_emotion": "sadness", "intensity": "high", "confidence": 0.9}
    assert cue("can you make me a study plan", **low) == "heavy"
    assert cue("can you make me a study plan", **(low | {"confidence": 0.3})) == "plan"
    glad = {"primary_emotion": "joy", "intensity": "high", "confidence": 0.9}
    assert cue("We won the final!", **glad) == "glad"
    assert cue("thanks a lot, that helped", **glad) == "thanks"


def test_without_a_vector_nothing_is_known():
    """Also where the embedder failed and gave nothing."""
    (vector,) = get_embedder().embed(["thanks"])
    assert name_cue("thanks", vector=None) == name_cue("thanks", vector=vector * 0) == "other"
