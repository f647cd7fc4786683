"""The vectors that a space's turns share: made once, bounded, and gone with whoever may read the words."""

import numpy as np
import pytest

from chat.vectors import MOST_HELD, space_embedders
from companion_site.embeddings.service import get_embedder
from companion_site.errors import SpaceLocked
from companion_site.vault.plaintext import forget_space
from tests.chat.talking import talk
from tests.factories import make_access

SAID = "My sister keeps bees"


def embedder_of(access):
    with access.open():
        return space_embedders.get(access.space)


def test_the_same_vectors_as_anywhere_whoever_embeds_which_half(db):
    texts = [SAID, "We live in Lund", SAID, "I practise on Tuesdays", ""]
    held = embedder_of(make_access())
    for found in (held.embed(texts), held.embed(texts[::-1])[::-1]):
        np.testing.assert_array_equal(found, get_embedder().embed(texts))
    assert held.embed([]).shape == (0, held.dimension)


def test_what_is_held_is_not_made_again_until_the_space_is_forgotten(db):
    access = make_access()
    mark = np.eye(1, get_embedder().dimension, dtype=np.float32)
    embedder_of(access).hold({SAID: mark[0]})
    np.testing.assert_array_equal(embedder_of(access).embed([SAID]), mark)
    forget_space(access.space)
    assert access.space not in space_embedders
    np.testing.assert_array_equal(embedder_of(access).embed([SAID]), get_embedder().embed([SAID]))


def test_no_space_holds_more_than_its_share(db):
    held = embedder_of(make_access())
    mark = np.eye(1, held.dimension, dtype=np.float32)[0]
    held.hold({SAID: mark})
    held.hold({f"Text {number}": mark for number in range(MOST_HELD)})
    assert held.size_bytes == MOST_HELD * held.dimension * 4
    np.testing.assert_array_equal(held.embed([SAID]), get_embedder().embed([SAID]))


def test_one_space_knows_nothing_of_what_another_holds(db):
    mark = np.eye(1, get_embedder().dimension, dtype=np.float32)[0]
    embedder_of(make_access()).hold({SAID: mark})
    other = embedder_of(make_access("bo"))
    np.testing.assert_array_equal(other.embed([SAID]), get_embedder().embed([SAID]))


def test_nobody_without_the_key_gets_at_them(db):
    with pytest.raises(SpaceLocked):
        space_embedders.get(make_access().space)


def test_what_a_turn_has_embedded_it_knows_the_next_time(committed):
    """The messages, and what they state, as sentences: each turn looks for an answer among all that was said before."""
    access, told, asked = (
        make_access(),
        "I have a cat called Tusse and my sister keeps bees",
        "What does my sister keep?",
    )
    talk(access, told, asked)
    held = embedder_of(access)
    before = held.size_bytes
    held.embed([told, asked, "I have a cat called Tusse.", "my sister keeps bees."])
    assert held.size_bytes == before > 0
