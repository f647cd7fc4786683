"""Grants: what is open in this process ends with what it rests on, and what was held for it goes."""

import threading
from dataclasses import dataclass
from datetime import timedelta
from time import sleep

import pytest
from django.utils import timezone

from chat.models import Conversation
from companion_site import settings as product
from companion_site.accounts.invitations import reset_password
from companion_site.accounts.models import Person, Session
from companion_site.accounts.services import personal_space, withdraw
from companion_site.accounts.sessions import spaces_without_standing
from companion_site.accounts.tokens import Scope, issue_token
from companion_site.errors import SpaceLocked
from companion_site.vault import grants as module
from companion_site.vault.grants import (
    Authority,
    current_grant,
    granted,
    keeping_grant,
    let_go_of_grant,
    using_grant,
    working_under,
)
from companion_site.vault.leases import leased
from companion_site.vault.models import KeySlot
from companion_site.vault.plaintext import held_spaces
from companion_site.vault.scope import space_scope
from companion_site.vault.services import grant_lease, has_slot, use_lease
from ledger.matching import entry_indexes
from memory.student.workingset import working_sets
from tests.factories import NOW, make_access, make_student
from tests.live import logged_in

pytestmark = pytest.mark.spec("G11")


@dataclass(frozen=True)
class Word(Authority):
    """Stands as long as it is among those that do."""

    said: str
    stands = {"yes"}

    @classmethod
    def standing(cls, asked, *, now):
        return {word for word in asked if word.said in cls.stands}


@pytest.fixture
def word(monkeypatch):
    monkeypatch.setattr(Word, "stands", {"yes"})
    return Word("yes")


def test_under_a_grant_that_has_ended_nothing_is_read_or_written(committed, word, grants):
    """A transaction that is open when it ends is taken back, and none opens later; others of the process go on."""
    ada = make_access("ada")

    def begin() -> Conversation:
        return Conversation.objects.create(
            space_id=ada.space, author=ada.person, created_at=NOW, updated_at=NOW
        )

    with granted(word, ada.space):
        with pytest.raises(SpaceLocked), space_scope(ada.space):
            begin()
            Word.stands = set()
            grants.ask(now=NOW)
        with pytest.raises(SpaceLocked), space_scope(ada.space):
            pass
        with working_under(None), space_scope(ada.space):
            assert not Conversation.objects.for_space(ada.space).exists()
    with space_scope(ada.space):
        begin()


def test_work_in_a_thread_is_asked_about_after_its_waiter_has_gone(word, grants):
    """A thread cannot be cancelled; its grant stays open until it is done."""
    begun, go_on, seen = threading.Event(), threading.Event(), []

    def work() -> None:
        begun.set()
        go_on.wait(30)
        seen.append(current_grant().ended)

    with granted(word, None) as grant:

        def under() -> None:
            with working_under(grant):
                keeping_grant(work)()

        thread = threading.Thread(target=under)
        thread.start()
        begun.wait(30)
    assert len(grants) == 1
    Word.stands = set()
    grants.ask(now=NOW)
    go_on.set()
    thread.join(30)
    assert seen == [True] and len(grants) == 0


def test_each_is_stopped_once_and_one_that_fails_stops_no_other(word, grants):
    """Who registers late is stopped at once; who has left is not."""
    stopped = []
    with granted(word, None) as grant:
        with grant.when_ended(lambda: stopped.append("left")):
            pass
        with grant.when_ended(lambda: 1 / 0), grant.when_ended(lambda: stopped.append("here")):
            grant.end()
            grant.end()
        with grant.when_ended(lambda: stopped.append("late")):
            pass
    assert stopped == ["here", "late"]


def test_who_changes_what_they_rest_on_goes_on(word, grants):
    """A request that ends its own log-in, or replaces it, is not ended by that."""
    with granted(word, None) as grant, using_grant():
        let_go_of_grant()
        Word.stands = set()
        grants.ask(now=NOW)
        assert not grant.ended


def test_without_an_answer_of_the_database_grants_end(word, grants, monkeypatch):
    """Nobody knows then what still stands; it is known that nobody said so."""
    grants.paused = False
    monkeypatch.setattr(module, "PATIENCE_S", 0.2)
    monkeypatch.setattr(Word, "standing", classmethod(lambda cls, asked, *, now: 1 / 0))
    with granted(word, None) as grant:
        sleep(0.3)
        with pytest.raises(SpaceLocked):
            grant.check()
        grants._ask_now()
        assert not grant.is_known


def test_what_is_held_goes_with_the_last_grant(committed, word, grants):
    """While another grant of the space is open it stays."""
    ada = make_access("ada")
    with granted(word, ada.space) as first, granted(Word("yes too"), ada.space) as second:
        entry_indexes.take(ada.space, lambda: _Held())
        first.end()
        assert ada.space in held_spaces()
        second.end()
        assert ada.space not in held_spaces()


class _Held:
    size_bytes = 1


def test_a_space_that_nothing_opens_any_more_is_forgotten(committed, grants, settings):
    """A log-in, a token or a lease keeps what is held of it; without any it goes, wherever the last of them ended."""
    grants.paused = True
    settings.SPACES_WITHOUT_STANDING = product.SPACES_WITHOUT_STANDING
    ada = make_access("ada")
    now, space = timezone.now(), ada.space
    ways = {
        "log-in": (lambda: logged_in("ada"), lambda: Session.objects.all().delete()),
        "lease": (lambda: grant_lease(ada.key, now=now), lambda: withdraw(ada.person, now=now, actor=None)),
        "token": (
            lambda: issue_token(ada.key, name="x", scopes=[Scope.CHAT], actor=ada.person, now=now),
            lambda: Person.objects.filter(pk=ada.person.pk).update(is_active=False),
        ),
    }
    for way, (begin, end) in ways.items():
        assert spaces_without_standing({space}, now=now) == {space}, way
        begin()
        working_sets.take(space, lambda: _Held())
        grants.forget_without_standing(now=timezone.now())
        assert space in held_spaces(), way
        end()
        grants.forget_without_standing(now=timezone.now())
        assert space not in held_spaces(), way
    company = make_student("bo").person
    assert spaces_without_standing({company.pk}, now=now) == set(), "an id of anything else is none of them"


def test_a_shut_out_persons_lease_opens_nothing_and_their_running_job_ends(committed, grants):
    """Deactivation needs no notice: the next job gets no key, and the one at work cannot commit."""
    grants.paused = True
    ada = make_access("ada")
    grant_lease(ada.key, now=NOW)
    with pytest.raises(SpaceLocked), leased(ada.space, purpose="memory.formation", now=NOW) as key:
        assert key is not None
        Person.objects.filter(pk=ada.person.pk).update(is_active=False)
        grants.ask(now=timezone.now())
        with space_scope(ada.space):
            pass
    space = personal_space(ada.person)
    assert use_lease(space, purpose="memory.formation", now=NOW + timedelta(minutes=1)) is None
    assert space.awaiting_key_since is not None


def test_a_reset_drops_leases_tokens_and_log_ins(committed):
    """What staff say of a reset is true: the memory stays locked until its person opens it."""
    ada = make_access("ada")
    logged_in("ada")
    grant_lease(ada.key, now=NOW)
    issue_token(ada.key, name="x", scopes=[Scope.CHAT], actor=ada.person, now=NOW)
    reset_password(ada.person, now=NOW, actor=None)
    space = personal_space(ada.person)
    assert not Session.objects.exists()
    assert [kind for kind in KeySlot.Kind if has_slot(space, kind)] == [KeySlot.Kind.RECOVERY]
