"""A process has one key of each opened space, and forgets it, with all that was read by it."""

import gc
import os
from collections.abc import Callable

import pytest

from companion_site.errors import SpaceLocked, WrongKey
from companion_site.ids import new_id
from companion_site.vault import plaintext, slots
from companion_site.vault.boxes import KEY_BYTES, Place, SpaceKey, own
from companion_site.vault.plaintext import HeldBySpace, forget_space, forget_unused, held_spaces, hold_key
from companion_site.vault.sessions import COOKIE, keep_key, key_from

NOTHING = bytes(KEY_BYTES)


class Read:
    """Something read of a space."""

    size_bytes = 1


@pytest.fixture
def space():
    space = new_id()
    yield space
    forget_space(space)


def test_a_process_has_one_key_of_a_space(space):
    """Whoever opens the space again gets the same key, and what they brought is overwritten; another key is another one."""
    given, again = bytearray(os.urandom(KEY_BYTES)), bytearray()
    again[:] = given
    key = hold_key(space, given)
    assert key.data_key is given
    assert hold_key(space, again) is key and again == NOTHING
    other = hold_key(space, bytearray(os.urandom(KEY_BYTES)))
    assert other is not key and key.is_open


def test_a_key_that_nobody_has_is_overwritten(space):
    """It lives as long as the last request, socket or tool that works with it."""
    data_key = bytearray(os.urandom(KEY_BYTES))
    key = hold_key(space, data_key)
    derived = _derived(key)
    assert derived != NOTHING
    also = hold_key(space, bytearray(data_key))
    del key
    assert data_key != NOTHING
    del also
    gc.collect()
    assert data_key == NOTHING and derived == NOTHING


@pytest.mark.spec("G11")
def test_a_forgotten_space_is_locked_to_whoever_still_works_with_it(space):
    """Its key and what was derived from it are zeros; sealing, opening, hashing and wrapping are refused, and read things gone."""
    data_key = bytearray(os.urandom(KEY_BYTES))
    key, place = hold_key(space, data_key), Place(space, "memory_node", new_id(), "text")
    box, derived = key.seal(b"said", place), _derived(key)
    read: HeldBySpace[Read] = HeldBySpace(budget_bytes=10, idle_s=60)
    of_all: HeldBySpace[Read] = HeldBySpace(budget_bytes=10, idle_s=60, of_people=False)
    read.take(space, Read)
    of_all.take(space, Read)
    forget_space(space)
    assert data_key == NOTHING and derived == NOTHING
    uses: list[Callable[[], object]] = [
        lambda: key.seal(b"said", place),
        lambda: key.open(box, place),
        lambda: key.keyed_hash("said"),
        lambda: key.data_key,
    ]
    for use in uses:
        with pytest.raises(SpaceLocked):
            use()
    assert space not in read and space in of_all
    assert space not in held_spaces()
    opened = hold_key(space, bytearray(os.urandom(KEY_BYTES)))
    assert opened.is_open and not key.is_open


def test_what_is_held_is_told_but_for_a_key_opened_only_now(space, monkeypatch):
    """A log-in opens the key before its session stands: nobody is to take it for one whose person has gone."""
    key = hold_key(space, bytearray(os.urandom(KEY_BYTES)))
    assert space not in held_spaces()
    monkeypatch.setattr(plaintext, "OPENING_S", 0.0)
    assert space in held_spaces() and key.is_open
    read: HeldBySpace[Read] = HeldBySpace(budget_bytes=10, idle_s=60)
    other = new_id()
    read.take(other, Read)
    assert other in held_spaces()


def test_a_worker_forgets_what_no_job_uses(space):
    """What nobody has asked for lately goes, unless a job has the key: its next step may ask."""
    read: HeldBySpace[Read] = HeldBySpace(budget_bytes=10, idle_s=60)
    read.take(space, Read)
    forget_unused(since_s=60)
    assert space in read
    key = hold_key(space, bytearray(os.urandom(KEY_BYTES)))
    forget_unused(since_s=0)
    assert space in read and key.is_open
    del key
    forget_unused(since_s=0)
    assert space not in read


def test_an_original_is_overwritten_only_where_nobody_shares_it():
    """Bytes that a call has just made become zeros; those that somebody else has too stay what they are."""
    made = os.urandom(KEY_BYTES)
    expected = bytearray(made)
    assert own(made) == expected and made == NOTHING
    shared = os.urandom(KEY_BYTES)
    elsewhere = [shared]
    assert own(shared) == shared and elsewhere[0] != NOTHING
    assert own(b"") == b"" and own(b"x") == b"x"


def test_a_slots_key_is_overwritten_when_it_was_used():
    """Wrapping and unwrapping end the key that a password stands for, also where it was the wrong one."""
    made = {"salt": b"s" * 16, "parameters": {"iterations": 1, "lanes": 1, "memory_cost": 32}}
    keys = [slots.derive_wrapping_key(word, institution_salt=b"i" * 32, **made) for word in ("a", "a", "b")]
    data_key, erasure_key = bytearray(os.urandom(KEY_BYTES)), os.urandom(32)
    wrapped = slots.wrap(data_key, keys[0], erasure_key=erasure_key, info=b"here")
    assert slots.unwrap(wrapped, keys[1], erasure_key=erasure_key, info=b"here") == data_key
    with pytest.raises(WrongKey):
        slots.unwrap(wrapped, keys[2], erasure_key=erasure_key, info=b"here")
    assert keys == [NOTHING] * 3
    for broken in (b"", wrapped[:11], wrapped[:27], wrapped[:-1], bytes(len(wrapped))):
        wrapping_key = slots.derive_wrapping_key("a", institution_salt=b"i" * 32, **made)
        with pytest.raises(WrongKey):
            slots.unwrap(broken, wrapping_key, erasure_key=erasure_key, info=b"here")


def test_a_session_gives_back_the_key_that_it_was_given(space):
    """And none for halves that do not fit, were cut short, or are nothing at all."""
    session: dict = {}
    cookie = keep_key(session, hold_key(space, bytearray(os.urandom(KEY_BYTES))))
    key = key_from(session, {COOKIE: cookie})
    assert key is not None and key.space == space
    kept = session["vault"]
    for box in ("", "AAAA", kept["box"][:20], "not base64!", "A" * len(kept["box"])):
        assert key_from({"vault": {**kept, "box": box}}, {COOKIE: cookie}) is None
    for other in ("AAAA", cookie[:-4], "A" * len(cookie)):
        assert key_from(session, {COOKIE: other}) is None


def _derived(key: SpaceKey) -> bytearray:
    """Return the bytes that stand behind a key's hashes, once they are derived."""
    key.keyed_hash("anything")
    return key._keys()[1]
