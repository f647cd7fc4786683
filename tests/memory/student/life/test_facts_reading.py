"""Which facts a statement tells, as far as the labelled set goes, and what is guarded."""

from collections.abc import Sequence

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder
from memory.reading.service import danger_chances, get_heads
from memory.student.life.facts.extraction import read_life_facts
from tests.factories import NOW

pytestmark = [pytest.mark.spec("L2")]


def kinds(*texts: str, language: str = "en") -> Sequence[set[str]]:
    embedder = get_embedder()
    vectors = embedder.embed(texts) if texts else np.zeros((0, embedder.dimension), dtype=np.float32)
    dangers = danger_chances(texts, vectors, get_heads(embedder)).tolist() if texts else []
    told = read_life_facts(texts, vectors, dangers, language=language, said_at=NOW, embedder=embedder)
    return [{fact.kind for fact in each} for each in told]


def test_harm_is_no_part_of_a_portrait(subtests):
    """What may be a cry for help is the ledger's, not a routine or a word on the family."""
    for text in [
        "My grandpa comes into my room at night and I can't move.",
        "Every night I hope I just don't wake up.",
        "They beat me up behind the gym every week.",
        "I hate him so much that I want to see him bleed.",
    ]:
        with subtests.test(case=text):
            assert kinds(text) == [set()]


def test_secrets_stay_out_but_medicine_stays_in():
    """A secret is not told in passing; what somebody takes they are still reminded of."""
    assert kinds("It's confidential, but my mum is in prison.") == [set()]
    assert "medication" in kinds("It's a secret that I take antidepressants every day.")[0]


def test_what_only_sounds_like_it_opens_no_loop_and_is_no_routine(subtests):
    """Questions, denials, feelings about a weekday, films, what is past and other people's medicine."""
    for text, language in [
        ("Do you think I should do yoga every Tuesday?", "en"),
        ("I won't take my pills, I don't take any medicine.", "en"),
        ("I hate Mondays.", "en"),
        ("Jag tar inga tabletter.", "sv"),
        ("My brother's dog ran off every Tuesday in the film we watched at home.", "en"),
        ("I had a dentist appointment last Tuesday and it took an hour.", "en"),
        ("Our neighbour takes pills for her heart condition every morning.", "en"),
    ]:
        with subtests.test(text=text, language=language):
            (found,) = kinds(text, language=language)
            assert found.isdisjoint({"routine", "appointment", "medication", "promise"})
