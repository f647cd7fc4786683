"""A topic that somebody does not want to speak of is found by its words and by what it means, in both languages."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.turn.topics import FAMILIES, LEAST, MISLEADING, Nearness, make_avoider
from companion_site.embeddings.service import get_embedder
from memory.packs.relevance import EVERYDAY

pytestmark = pytest.mark.spec("L3")

ROWS = json.loads((Path(__file__).parents[1] / "data" / "topics_to_avoid.json").read_text())
NAMES = st.text(alphabet="abcdefghijklmnopqrstuvwxyzåäö", min_size=5, max_size=12).filter(
    lambda word: word not in MISLEADING
)
FRAMES = st.sampled_from(
    ["I met {} yesterday.", "{}, again and again!", "Jag tänker på {} varje dag", "about {} — and more", "{}"]
)


@given(word=NAMES, frame=FRAMES)
def test_a_topic_is_found_wherever_it_is_named(word, frame):
    """By its own words, in any case, with whatever stands around them."""
    avoider = make_avoider([word])

    assert avoider.avoids(frame.format(word))
    assert avoider.avoids(frame.format(word).upper())


@given(family=st.sampled_from(FAMILIES), data=st.data())
def test_a_topic_is_found_by_the_words_that_mean_the_same(family, data):
    """Who avoids one word of a family avoids them all, in the other language too."""
    topic, other = data.draw(st.sampled_from(family)), data.draw(st.sampled_from(family))

    assert make_avoider([topic]).avoids(f"It was about {other} today")


def test_a_topic_is_found_in_other_words(subtests):
    """Inflected, in a compound, in a name's genitive, in the other language."""
    for topic, text in [
        ("my father", "Pappa ringde"),
        ("my brother's car crash", "Vi krockade i november"),
        ("min vikt", "I have put on weight"),
        ("cancer", "Hon har bröstcancer"),
        ("skilsmässa", "My parents are divorced"),
        ("the school in Uppsala", "I Uppsala var det kallt"),
        ("bullying", "De retade mig, jag blev mobbad"),
        ("Anna", "Annas födelsedag"),
    ]:
        with subtests.test(topic=topic, text=text):
            assert make_avoider([topic]).avoids(text)


def test_what_only_looks_alike_is_spoken_of(subtests):
    """A word that begins or sounds the same is another word."""
    for topic, text in [
        ("my father", "Mum taught me to bake"),
        ("min vikt", "Det är viktigt för mig"),
        ("war", "I was warm all day"),
        ("ex", "The exam went well"),
    ]:
        with subtests.test(topic=topic, text=text):
            assert not make_avoider([topic]).avoids(text)


def test_a_topic_is_found_at_the_end_of_an_endless_word():
    """However long what somebody wrote without a space, it is read to its end."""
    assert make_avoider(["cancer"]).avoids("y" * 100_000 + "cancer")
    assert not make_avoider(["cancer"]).avoids("y" * 100_000)


def test_nothing_is_avoided_where_nobody_said_so():
    """Without topics everything is spoken of."""
    assert not make_avoider([]).avoids("My father called")


def measure(held_out: bool) -> tuple[float, float]:
    """Return the shares found of what is about its topic, and of what is not."""
    embedder = get_embedder()
    everyday = embedder.embed(EVERYDAY)
    rows = [row for row in ROWS if row["held_out"] is held_out]
    topics = sorted({row["topic"] for row in rows})
    least = float(embedder.calibration.cosine(LEAST))
    avoiders = {
        topic: make_avoider(
            [topic], near=Nearness.of(embedder.embed([topic]), everyday=everyday, least_cosine=least)
        )
        for topic in topics
    }
    vectors = embedder.embed([row["text"] for row in rows])
    found = np.array(
        [
            avoiders[row["topic"]].avoids(row["text"], vector)
            for row, vector in zip(rows, vectors, strict=True)
        ]
    )
    about = np.array([row["about"] for row in rows])
    return float(found[about].mean()), float(found[~about].mean())


def test_most_of_what_is_about_a_topic_is_found_and_little_else():
    """On sentences that nothing was chosen by: nine of ten about a topic are found, at most one of six others."""
    found, wrongly = measure(held_out=True)

    assert found >= 0.9
    assert wrongly <= 1 / 6
