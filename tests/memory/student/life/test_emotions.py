"""A feeling is told from what somebody says, in both languages, without a model; how well is counted by the bench of the reader."""

from dataclasses import dataclass

import pytest

from companion_site.embeddings.service import get_embedder
from memory.student.life.feelings import EMOTIONS, LEVELS, SOCIAL_NEEDS, UNKNOWN, classify, measure_liveliness
from tests.cases import cases

pytestmark = pytest.mark.spec("L2")


@dataclass(frozen=True)
class Sounded:
    duration_s: float = 6.0
    loudness_db: float = -24.0
    tempo_wps: float | None = 2.4
    pause_share: float = 0.3


FAST = Sounded(loudness_db=-12.0, tempo_wps=4.0, pause_share=0.05)
SLOW = Sounded(loudness_db=-38.0, tempo_wps=1.0, pause_share=0.65)


def feel(text, **given):
    embedder = get_embedder()
    (vector,) = embedder.embed([text])
    return classify(text, vector=vector, embedder=embedder, **given)


def test_plain_feelings_are_told_as_anybody_would(subtests):
    """Named and not named, in both languages."""
    for text, emotion in [
        ("I miss my grandmother so much", "sadness"),
        ("jag har gråtit hela dagen", "sadness"),
        ("we won the final!!!", "joy"),
        ("jag är så glad idag", "joy"),
        ("I can't sleep, what if I fail tomorrow", "anxiety"),
        ("jag är jättenervös inför provet", "anxiety"),
        ("nobody at school ever asks me to come along", "loneliness"),
        ("jag känner mig så ensam", "loneliness"),
        ("sitting by the lake with a cup of tea, nothing to do", "calm"),
        ("What is the capital of Norway?", "neutral"),
        ("bussen går kvart över åtta", "neutral"),
        ("I have a dog called Sam", "neutral"),
        ("Jag bor med min mamma", "neutral"),
        ("I moved here last year", "neutral"),
        *[(text, "neutral") for text in ("hi", "hej", "12 + 30 = 42", "ok")],
    ]:
        with subtests.test(text=text):
            assert feel(text).primary_emotion == emotion


@cases("text", ["", "   \n", "```\nraise Sadness('I am so sad')\n```", "> I am so sad"])
def test_where_nobody_speaks_the_feeling_is_unknown(text):
    """Code and quoted lines are not the person's words; without a vector nothing is known either."""
    assert feel(text) == UNKNOWN
    assert classify("I am so sad", vector=None) == UNKNOWN


@pytest.mark.slow
def test_any_text_gives_a_state_of_the_enumerations(subtests):
    """Whatever comes in, what goes out can be relied on."""
    for text in ["x" * 20_000, "I'm sad. " * 3_000, "😢" * 500, "\ud83d\ude22", "!!!!" * 1_000, "ÅÄÖ\x00"]:
        with subtests.test(case=text):
            state = feel(text)
            assert state.primary_emotion in EMOTIONS
            assert state.intensity in LEVELS
            assert state.energy in LEVELS
            assert state.social_need in SOCIAL_NEEDS
            assert -1 <= state.valence <= 1
            assert 0 <= state.confidence <= 1


def test_despair_is_never_made_light_of(subtests):
    """Who says that they do not want to live is neither glad, calm nor indifferent; a laugh beside it changes nothing."""
    for text in [
        "I don't want to live anymore :)",
        "Jag vill inte leva längre",
        "jag vill bara försvinna",
        "I want to kill myself lol",
        "Jag vill ta livet av mig",
    ]:
        with subtests.test(text=text):
            assert feel(text).valence <= -0.4


def test_sound_moves_the_energy_and_nothing_else():
    """The same words said fast and loud, or slowly with pauses, differ in energy only."""
    text = "We have maths on Tuesdays and Thursdays."
    fast, slow = feel(text, sound=FAST), feel(text, sound=SLOW)
    assert (fast.energy, slow.energy) == ("high", "low")
    assert (fast.primary_emotion, fast.intensity, fast.valence) == (
        slow.primary_emotion,
        slow.intensity,
        slow.valence,
    )


@cases(
    "sound",
    [
        Sounded(duration_s=0.4, tempo_wps=9.0),
        Sounded(duration_s=float("nan")),
        Sounded(loudness_db=float("-inf"), tempo_wps=None),
    ],
)
def test_sound_that_says_nothing_moves_nothing(sound):
    """A cough, or a recording that could not be measured, tells of no manner of speaking."""
    text = "We have maths on Tuesdays and Thursdays."
    assert feel(text, sound=sound) == feel(text)


def test_each_feature_of_a_sound_counts():
    """Tempo, pauses and loudness each make speech livelier by themselves."""
    plain = measure_liveliness(Sounded())
    assert measure_liveliness(Sounded(tempo_wps=3.6)) > plain
    assert measure_liveliness(Sounded(pause_share=0.1)) > plain
    assert measure_liveliness(Sounded(loudness_db=-14.0)) > plain
