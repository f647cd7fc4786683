"""Opening, changing, recovering and losing the key to a space."""

from datetime import timedelta

import pytest

from chat.models import Conversation
from companion_site.accounts import services as accounts
from companion_site.accounts.services import personal_space
from companion_site.errors import BoxBroken, SpaceLocked, WrongKey
from companion_site.vault import services as vault
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.scope import space_scope
from tests.audit.record import actions
from tests.factories import NOW, PASSWORD, make_student, open_space

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G11")]


@pytest.fixture
def joined():
    return make_student()


def remember(person, key, title="My cat is called Moses"):
    with space_scope(key.space), unlocked(key.space, key):
        return Conversation.objects.create(
            space_id=key.space, author=person, title=title, created_at=NOW, updated_at=NOW
        ).pk


def test_the_password_opens_and_another_does_not(joined):
    """Only the person's password opens the password slot; each attempt is recorded."""
    space = personal_space(joined.person)
    assert open_space(joined.person).space == space.pk
    with pytest.raises(WrongKey):
        vault.unlock(space, kind=KeySlot.Kind.PASSWORD, secret="wrong", now=NOW)
    assert {"vault.unlocked", "vault.unlock_refused"} <= set(actions(space.pk))


def test_starting_anew_loses_the_old_memory_for_good(joined):
    """After a new start neither password, recovery code nor a kept slot opens the old space."""
    old_space = personal_space(joined.person)
    with space_scope(old_space.pk):
        (kept,) = KeySlot.objects.for_space(old_space).of_kind(KeySlot.Kind.PASSWORD)
    accounts.start_anew(joined.person, password="begin again", now=NOW)
    assert personal_space(joined.person).pk != old_space.pk
    with space_scope(old_space.pk):
        kept.save(force_insert=True)
    with pytest.raises(SpaceLocked):
        vault.unlock(old_space, kind=KeySlot.Kind.PASSWORD, secret=PASSWORD, now=NOW)
    with pytest.raises(SpaceLocked):
        get_key_store().erasure_key(old_space.pk)


def test_content_cannot_be_read_while_the_space_is_locked(joined):
    """Without the key a row shows its shape and refuses its words."""
    key = open_space(joined.person)
    conversation = remember(joined.person, key)
    with space_scope(key.space):
        row = Conversation.objects.for_space(key.space).get(pk=conversation)
    with pytest.raises(SpaceLocked):
        _ = row.title
    with pytest.raises(SpaceLocked), unlocked(key.space, None):
        pass
    with unlocked(key.space, SpaceKey(key.space, bytes(32))), pytest.raises(BoxBroken):
        _ = row.title


def test_sealed_columns_are_written_through_their_row_only(joined):
    """An update that knows no row cannot put plain text into a sealed column, nor search one."""
    key = open_space(joined.person)
    remember(joined.person, key)
    with space_scope(key.space), unlocked(key.space, key):
        rows = Conversation.objects.for_space(key.space)
        with pytest.raises(TypeError):
            rows.update(title="plain")
        with pytest.raises(TypeError):
            rows.filter(title="My cat is called Moses").exists()


def test_a_lease_opens_for_the_worker_until_it_ends(joined):
    """Background work opens the space while the lease lasts, each use recorded; work that ends takes no lease that was renewed meanwhile."""
    key = open_space(joined.person)
    space = Space.objects.get(pk=key.space)

    def use(seconds):
        return vault.use_lease(space, purpose="test", now=NOW + timedelta(seconds=seconds))

    assert use(0) is None
    vault.grant_lease(key, now=NOW)
    assert use(0).data_key == key.data_key and use(25 * 3600) is None
    assert len(actions(space.pk, "vault.lease_used")) == 1
    vault.grant_lease(key, now=NOW + timedelta(seconds=2))
    for seconds in (1, 4):
        assert use(3) is not None
        vault.drop_lease(space.pk, granted_before=NOW + timedelta(seconds=seconds), now=NOW)
    assert use(5) is None


def test_waiting_work_is_queued_at_unlock(joined, settings):
    """Work that had to wait for the key is queued once, with a lease, when the space opens."""
    from django_q.models import OrmQ

    key = open_space(joined.person)
    vault.resume_work(key, now=NOW)
    assert not OrmQ.objects.exists()
    vault.await_key(key.space, now=NOW)
    vault.resume_work(key, now=NOW)
    vault.resume_work(key, now=NOW)
    assert OrmQ.objects.count() == len(settings.TASKS_AFTER_UNLOCK)
    assert Space.objects.get(pk=key.space).awaiting_key_since is None
