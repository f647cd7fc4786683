"""What a message is, for a reply without a model, by the reader's heads."""

from dataclasses import replace

import pytest

from bench.labelled import load_lines
from chat.turn.intentions import listen_step, name_cue
from companion_site.embeddings.service import get_embedder
from memory.student.life.feelings import UNKNOWN
from tests.cases import cases

pytestmark = pytest.mark.spec("L4")


def cue(text, **felt):
    (vector,) = get_embedder().embed([text])
    return name_cue(listen_step(text, vector=vector), emotion=replace(UNKNOWN, **felt))


PLAIN = {
    "thanks": ["thanks a lot, that helped", "tack snälla!"],
    "greeting": [
        "good afternoon to you!",
        "hejsan",
        "Hi, quick question.",
        "Hello, can we do English today?",
    ],
    "goodbye": ["catch you tomorrow!", "Take care, I have to run now", "Nu måste jag gå, vi ses imorgon"],
    "plan": [
        "can you make me a study plan for the physics exam on Friday",
        "Please help me with recursion",
        "Quiz me on the French revolution",
    ],
    "days": [
        "Plan my week",
        "Help me plan the weekend",
        "Hjälp mig planera min vecka",
        "Hjälp mig att planera veckan",
    ],
    "task": [
        "hjälp mig skriva ett mejl till läraren",
        "Write me a poem about whales",
        "Översätt 'god jul' till tyska",
    ],
    "wish": [
        "Please never use emojis with me.",
        "Använd aldrig emojis när du skriver till mig.",
        "Could you please leave out the jokes when you write to me from now on?",
    ],
    "question": [
        "Tell me what you know about me",
        "What do you know about Mira?",
        "När är mitt tyskaprov?",
        "When is my German oral?",
    ],
    "companion": [
        "Are you alive?",
        "How are you?",
        "Hur mår du?",
        "Är du en robot?",
        "Vad kan du hjälpa till med?",
    ],
    "conversation": ["Vad pratade vi om?", "Sammanfatta vårt samtal", "Remind me what we discussed"],
    "explain": ["Varför faller löven på hösten?", "Förklara fotosyntesen"],
    "other": [
        "My cousin lives in Oslo.",
        "We got a new till last Monday",
        "My piano teacher is called Elin now",
        "I like tea",
    ],
}


@cases("expected", list(PLAIN))
def test_plain_messages_are_what_anybody_would_take_them_for(expected):
    """In both languages, also without the usual words; none of them is a line that the reader was trained on."""
    trained_on = {_bare(line["text"]) for kind in ("intents", "requests") for line in load_lines(kind)}
    trained_on |= {_bare(line["message"]) for line in load_lines("relevance")}
    trained_on |= {
        _bare(one["text"]) for life in load_lines("notebook") for one in (*life["known"], *life["questions"])
    }
    assert not trained_on & set(map(_bare, PLAIN[expected]))
    assert {text: cue(text) for text in PLAIN[expected]} == dict.fromkeys(PLAIN[expected], expected)


def _bare(text: str) -> str:
    return text.casefold().strip(" .!?")


def test_how_somebody_feels_comes_before_what_they_want():
    """Who is low is answered as such, be it a little where they tell of nothing else; a faint or unsure feeling else changes nothing, and joy gives way to thanks.

    Nor does a feeling that is read into a question of who reads along.
    """
    low = {"primary_emotion": "sadness", "intensity": "high", "confidence": 0.9}
    assert cue("I feel so alone today", **(low | {"intensity": "low"})) == "heavy"
    assert cue("can you make me a study plan", **(low | {"intensity": "low"})) == "plan"
    assert cue("can you make me a study plan", **low) == "heavy"
    assert cue("can you make me a study plan", **(low | {"confidence": 0.3})) == "plan"
    assert cue("Who can look at what we write here?", **low) == "companion"
    assert cue("Kan mina lärare läsa våra samtal?", **low) == "companion"
    glad = {"primary_emotion": "joy", "intensity": "high", "confidence": 0.9}
    assert cue("We won the final!", **glad) == "glad"
    assert cue("thanks a lot, that helped", **glad) == "thanks"


def test_without_a_vector_nothing_is_known():
    """Also where the embedder failed and gave nothing."""
    (vector,) = get_embedder().embed(["thanks"])
    for none in (None, vector * 0):
        heard = listen_step("thanks", vector=none)
        assert name_cue(heard) == "other" and not (heard.asks or heard.only_asks)
