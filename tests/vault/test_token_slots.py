"""Key slots for programs: a secret opens its own slot of its own space, and nothing else ever does."""

from datetime import timedelta

import pytest

from companion_site.errors import SpaceLocked, WrongKey
from companion_site.ids import new_id
from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import KeySlot
from companion_site.vault.scope import space_scope
from companion_site.vault.token_slots import add_token_slot, drop_token_slot, unlock_by_token
from tests.cases import cases
from tests.factories import NOW, make_student, open_space

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

HOUR = timedelta(hours=1)


@pytest.fixture
def key():
    return open_space(make_student("ada").person)


def opens(key, slot, secret, *, now=NOW) -> bytes:
    opened = unlock_by_token(key.space, slot.pk, secret, now=now)
    return bytes(opened.data_key)  # a key that nobody has any more is overwritten


def test_the_secret_opens_the_space(key):
    """The data key comes out as it went in."""
    slot, secret = add_token_slot(key, now=NOW)
    assert opens(key, slot, secret) == key.data_key and len(secret) == 32


def test_each_slot_has_a_secret_and_a_salt_of_its_own(key):
    """Two slots of one space share nothing but what they open."""
    (one, first), (two, second) = add_token_slot(key, now=NOW), add_token_slot(key, now=NOW)
    assert first != second and bytes(one.salt) != bytes(two.salt)
    assert bytes(one.wrapped_key) != bytes(two.wrapped_key)
    for slot, secret in ((one, second), (two, first)):
        with pytest.raises(WrongKey):
            opens(key, slot, secret)


@cases("secret", [b"", b"x" * 31, b"x" * 32, b"x" * 33])
def test_no_other_secret_opens_it(key, secret):
    """Of whatever length."""
    slot, _secret = add_token_slot(key, now=NOW)
    with pytest.raises(WrongKey):
        opens(key, slot, secret)


def test_a_slot_that_is_dropped_or_over_opens_nothing(key):
    """Its secret is then nothing but random bytes."""
    slot, secret = add_token_slot(key, now=NOW, expires_at=NOW + HOUR)
    assert opens(key, slot, secret) == key.data_key
    with pytest.raises(SpaceLocked):
        opens(key, slot, secret, now=NOW + HOUR)
    drop_token_slot(key.space, slot.pk)
    with pytest.raises(SpaceLocked):
        opens(key, slot, secret)


def test_a_slot_opens_in_its_own_space_alone(key):
    """The same ids in another space are no slot there, and wrapped keys cannot be moved."""
    other = open_space(make_student("bo").person)
    slot, secret = add_token_slot(key, now=NOW)
    with pytest.raises(SpaceLocked):
        unlock_by_token(other.space, slot.pk, secret, now=NOW)
    with space_scope(other.space):
        moved = KeySlot.objects.create(
            space_id=other.space, kind="token", salt=slot.salt, wrapped_key=slot.wrapped_key, created_at=NOW
        )
    with pytest.raises(WrongKey):
        unlock_by_token(other.space, moved.pk, secret, now=NOW)


def test_dropping_touches_no_slot_of_another_kind(key):
    """The password's slot is no token's: it cannot be taken away this way."""
    with space_scope(key.space):
        password = KeySlot.objects.for_space(key.space).get(kind="password")
    drop_token_slot(key.space, password.pk)
    drop_token_slot(key.space, new_id())
    with space_scope(key.space):
        assert KeySlot.objects.for_space(key.space).filter(pk=password.pk).exists()
        with pytest.raises(SpaceLocked):
            unlock_by_token(key.space, password.pk, b"x" * 32, now=NOW)


def test_an_erased_space_opens_with_no_token(key):
    """Destroying the erasure key closes tokens as it closes everything else."""
    slot, secret = add_token_slot(key, now=NOW)
    get_key_store().destroy_erasure_key(key.space)
    with pytest.raises(SpaceLocked):
        opens(key, slot, secret)
