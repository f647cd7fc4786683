"""Sealed values open where they belong and nowhere else."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_site.errors import BoxBroken
from companion_site.ids import new_id
from companion_site.vault.boxes import PLAIN, Place, SpaceKey
from tests.cases import cases

KEY = SpaceKey(new_id(), bytes(range(32)))
HERE = Place(KEY.space, "memory_memorynode", new_id(), "content")


@pytest.mark.spec("G11")
@cases("change", [{"row": new_id()}, {"field": "speaker"}, {"table": "chat_message"}, {"space": new_id()}])
def test_a_box_moved_elsewhere_does_not_open(change):
    """A ciphertext copied to another row, field, table or space is refused."""
    box = KEY.seal(b"purple", HERE)
    with pytest.raises(BoxBroken):
        KEY.open(box, replace(HERE, **change))


@given(st.data())
def test_a_changed_box_does_not_open(data):
    """One flipped bit anywhere is noticed."""
    box = bytearray(KEY.seal(b"purple", HERE))
    box[data.draw(st.integers(0, len(box) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(BoxBroken):
        KEY.open(bytes(box), HERE)


def test_a_sealed_space_refuses_plain_values():
    """Somebody who can write to the database cannot put words into a sealed space."""
    with pytest.raises(BoxBroken):
        KEY.open(PLAIN + b"forged", HERE)


def test_equal_values_hash_alike_in_one_space_only():
    """The keyed hash finds equal values within a space and says nothing across spaces."""
    other = SpaceKey(new_id(), bytes(range(32)))
    assert KEY.keyed_hash("tea") == KEY.keyed_hash("tea") != other.keyed_hash("tea")


def test_a_key_is_neither_printed_nor_pickled():
    """A key cannot slip into a log or a job's arguments."""
    assert KEY.data_key.hex() not in repr(KEY) and str(list(KEY.data_key)) not in repr(KEY)
    with pytest.raises(TypeError):
        pickle.dumps(KEY)
