"""A feeling is told from what somebody says, in both languages, without a model: better than by words for feelings alone."""

from dataclasses import dataclass

import pytest

from bench.emotions import bootstrap, load_labelled, rights, tell
from companion_site.embeddings.service import get_embedder
from memory.life.emotions.classifying import classify, name_energy
from memory.life.emotions.lexical import name_by_words, read_words
from memory.life.emotions.sentences_en import SENTENCES as ENGLISH
from memory.life.emotions.sentences_sv import SENTENCES as SWEDISH
from memory.life.emotions.sounding import measure_liveliness
from memory.life.feelings import EMOTIONS, LEVELS, SOCIAL_NEEDS, UNKNOWN, valence_of

pytestmark = pytest.mark.spec("L2")


@dataclass(frozen=True)
class Sounded:
    duration_s: float = 6.0
    loudness_db: float = -24.0
    tempo_wps: float | None = 2.4
    pause_share: float = 0.3


FAST = Sounded(loudness_db=-12.0, tempo_wps=4.0, pause_share=0.05)
SLOW = Sounded(loudness_db=-38.0, tempo_wps=1.0, pause_share=0.65)


def feel(text, *, language="en", **given):
    embedder = get_embedder()
    (vector,) = embedder.embed([text])
    return classify(text, language=language, vector=vector, embedder=embedder, **given)


@pytest.fixture(scope="module")
def held_out():
    """The messages that were left out while choosing, and what is told of them."""
    rows = load_labelled()[1::2]
    return rows, tell(rows, get_embedder())


def test_held_out_feelings_are_told_better_than_by_the_lexicon_alone(held_out):
    """The labelled sentences earn their place: the whole is better than the words, beyond chance."""
    rows, told = held_out
    full, lexicon = rights(rows, told, "primary_emotion"), rights(rows, told, "lexicon")
    _, low, _ = bootstrap(full - lexicon)
    assert full.mean() >= 0.8
    assert low > 0


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_every_feeling_is_told_in_most_held_out_messages(held_out, emotion):
    """No feeling is given up for the others."""
    rows, told = held_out
    right = rights(rows, told, "primary_emotion")
    assert right[[row.primary_emotion == emotion for row in rows]].mean() >= 0.6


@pytest.mark.parametrize("field", ["intensity", "energy", "social_need"])
def test_held_out_degrees_are_told_better_than_the_commonest(held_out, field):
    """Intensity, energy and need are read, not guessed."""
    rows, told = held_out
    judged = [getattr(row, field) for row in rows]
    commonest = max(judged.count(value) for value in judged) / len(judged)
    assert rights(rows, told, field).mean() > commonest


def test_labelled_sentences_are_not_those_of_the_labelled_set():
    """What is measured was not learned by heart."""
    learned = {text.casefold() for held in (ENGLISH, SWEDISH) for rows in held.values() for _, text in rows}
    assert not learned & {row.text.casefold() for row in load_labelled()}


def test_labelled_set_holds_each_feeling_in_both_languages_and_both_halves():
    """Both halves judge the same things."""
    rows = load_labelled()
    for half in (rows[::2], rows[1::2]):
        groups = [(row.language, row.primary_emotion) for row in half]
        assert {groups.count((language, emotion)) for language in ("en", "sv") for emotion in EMOTIONS} == {
            10
        }


@pytest.mark.parametrize(
    ("text", "language", "emotion"),
    [
        ("I am not worried about it", "en", "calm"),
        ("Jag är inte ensam", "sv", "calm"),
        ("I'm not happy", "en", "sadness"),
        ("I'm so happy", "en", "joy"),
        ("Jag är ledsen", "sv", "sadness"),
        ("The bus is late", "en", "neutral"),
    ],
)
def test_words_are_turned_round_by_a_negation(text, language, emotion):
    """Who is not worried is calm, and who is not happy is not glad."""
    assert EMOTIONS[name_by_words(read_words(text, language=language))] == emotion


def test_denial_does_not_reach_past_its_clause():
    """ "No, I'm sad" denies nothing."""
    said = read_words("No, I am sad", language="en")
    assert EMOTIONS[name_by_words(said)] == "sadness"


def test_what_comes_after_but_counts_more():
    """People say first what was, and then what is."""
    said = read_words("Jag var orolig men nu är jag glad", language="sv")
    assert EMOTIONS[name_by_words(said)] == "joy"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hi", "en"),
        ("", "en"),
        ("   \n", "sv"),
        ("ok tack", "sv"),
        ("```\nraise Sadness('I am so sad')\n```", "en"),
        ("12 + 30 = 42", "en"),
    ],
)
def test_message_that_tells_nothing_is_neutral(text, language):
    """Greetings, numbers and code are no feelings."""
    state = feel(text, language=language)
    assert (state.primary_emotion, state.valence) == ("neutral", 0.0)


def test_no_words_at_all_are_an_unknown_feeling():
    """Nothing is claimed of who says next to nothing."""
    assert feel("hej", language="sv") == UNKNOWN


@pytest.mark.parametrize(
    "text", ["x" * 20_000, "I'm sad. " * 3_000, "😢" * 500, "\ud83d\ude22", "!!!!" * 1_000, "ÅÄÖ\x00"]
)
def test_any_text_gives_a_state_of_the_enumerations(text):
    """Whatever comes in, what goes out can be relied on."""
    state = classify(text, language="sv", vector=None, embedder=None)
    assert state.primary_emotion in EMOTIONS
    assert state.intensity in LEVELS
    assert state.energy in LEVELS
    assert state.social_need in SOCIAL_NEEDS
    assert -1 <= state.valence <= 1
    assert 0 <= state.confidence <= 1


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I want to die, haha", "en"),
        ("I don't want to live anymore :)", "en"),
        ("Jag vill inte leva längre", "sv"),
        ("jag vill bara försvinna", "sv"),
        ("kill myself", "en"),
        ("Vill dö", "sv"),
        ("asså want to die lol", "sv"),
        ("vill dö", "en"),
        ("Jag vill ta livet av mig", "sv"),
    ],
)
def test_despair_is_never_made_light_of(text, language):
    """Who says that they do not want to live is sad, and very; a laugh beside it changes nothing."""
    state = feel(text, language=language)
    assert (state.primary_emotion, state.intensity) == ("sadness", "high")
    assert state.confidence > 0.9


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Jag tar livet som det kommer", "sv"),
        ("Jag vill inte dö", "sv"),
        ("I don't want to die", "en"),
        ("You can't live without water", "en"),
    ],
)
def test_what_is_no_despair_is_not_taken_for_it(text, language):
    """A turn of phrase near it, or its denial."""
    assert not read_words(text, language=language).despairs


def test_without_a_vector_words_still_tell():
    """With nothing embedded the words, faces and marks are read."""
    state = classify("I feel so lonely", language="en", vector=None, embedder=None)
    assert (state.primary_emotion, state.social_need) == ("loneliness", "wants_connection")


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


def test_each_feature_of_a_sound_counts():
    """Tempo, pauses and loudness each make speech livelier by themselves."""
    plain = measure_liveliness(Sounded())
    assert measure_liveliness(Sounded(tempo_wps=3.6)) > plain
    assert measure_liveliness(Sounded(pause_share=0.1)) > plain
    assert measure_liveliness(Sounded(loudness_db=-14.0)) > plain


@pytest.mark.parametrize(
    "sound",
    [
        Sounded(duration_s=0.4, tempo_wps=9.0),
        Sounded(duration_s=float("nan")),
        Sounded(loudness_db=float("-inf"), tempo_wps=None),
    ],
)
def test_sound_that_says_nothing_moves_nothing(sound):
    """A cough, or a recording that could not be measured, tells of no manner of speaking."""
    assert name_energy(0.0, sound) == "medium"


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_stronger_feelings_feel_better_or_worse_and_never_change_sides(emotion):
    """The sign of a feeling is that of the emotion; its size grows with intensity."""
    low, medium, high = (valence_of(emotion, level) for level in LEVELS)
    assert abs(low) <= abs(medium) <= abs(high)
    assert low * high >= 0
