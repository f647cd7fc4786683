"""A person switches their own memory off and on again, by the page; the record knows when, and nobody else is touched."""

from datetime import timedelta

import pytest

from companion_site.accounts.models import Person
from companion_site.accounts.services import SWITCHED, start_anew, switch_memory, was_memory_off
from companion_site.audit.services import find_breaks
from companion_site.vault.models import Space
from tests.audit.record import events
from tests.cases import cases
from tests.factories import NOW, PASSWORD, make_student, open_space
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("I7")]

HOUR = timedelta(hours=1)
PAGE, SWITCH = "/account/", "/account/memory/"


def is_on(person: Person) -> bool:
    return Person.objects.get(pk=person.pk).memory_on


def switch(person: Person, *, on: bool, at=NOW) -> bool:
    return switch_memory(person, on=on, key=open_space(person), now=at)


def test_the_switch_is_on_the_account_page_and_goes_both_ways(ada):
    """One button says what it does; pressing it again the other way undoes it."""
    client = logged_in("ada")
    page = client.get(PAGE).text
    assert "Your memory is on." in page and 'value="off"' in page and 'value="on"' not in page
    page = client.post(SWITCH, {"memory": "off"}, follow=True).text
    assert "Your memory is off." in page and 'value="on"' in page and 'value="off"' not in page
    assert not is_on(ada)
    page = client.post(SWITCH, {"memory": "on"}, follow=True).text
    assert "Your memory is on." in page and is_on(ada)
    assert client.get(SWITCH).status_code == 405


def test_each_switching_is_on_the_record_once(ada):
    """Who, when and which way, in the person's own chain, and no content; pressing the same way twice is once."""
    assert switch(ada, on=False) and not switch(ada, on=False, at=NOW + HOUR)
    assert switch(ada, on=True, at=NOW + 2 * HOUR)
    told = [(event.data, event.actor_id, event.at) for event in events(ada.space_id, SWITCHED)]
    assert told == [({"on": False}, ada.pk, NOW), ({"on": True}, ada.pk, NOW + 2 * HOUR)]
    assert not list(find_breaks(ada.space_id))


def test_the_record_knows_when_it_was_off(ada):
    """From the moment it was switched off to the moment it came on; before and after it was on."""
    assert not was_memory_off(ada.space_id, NOW)
    switch(ada, on=False, at=NOW)
    switch(ada, on=True, at=NOW + HOUR)
    times = [NOW - HOUR, NOW, NOW + HOUR / 2, NOW + HOUR, NOW + 2 * HOUR]
    assert [was_memory_off(ada.space_id, at) for at in times] == [False, True, True, False, False]


def test_who_begins_anew_with_memory_off_has_it_off_from_the_start(ada):
    """A new space has no record of the old one's switch; until the first time it comes on it was off."""
    switch(ada, on=False)
    start_anew(ada, password=PASSWORD, now=NOW + HOUR)
    assert not is_on(ada)
    switch(ada, on=True, at=NOW + 3 * HOUR)
    assert was_memory_off(ada.space_id, NOW + 2 * HOUR) and not was_memory_off(ada.space_id, NOW + 3 * HOUR)


def test_switching_on_has_what_waited_done(ada):
    """Whatever was noted as waiting for the key is queued with a lease, as after a log-in."""
    switch(ada, on=False)
    assert Space.objects.get(pk=ada.space_id).awaiting_key_since is None
    switch_memory(ada, on=True, key=None, now=NOW)
    assert Space.objects.get(pk=ada.space_id).awaiting_key_since == NOW
    switch(ada, on=False)
    switch(ada, on=True)
    assert Space.objects.get(pk=ada.space_id).awaiting_key_since is None


@cases("role", [Person.Role.TEACHER, Person.Role.AUDITOR, Person.Role.STAFF])
def test_who_has_no_companion_has_no_switch(db, role):
    """Nothing of theirs is remembered; the page offers nothing and the address does not exist."""
    make_student("tove", role=role)
    client = logged_in("tove")
    assert "Switch memory" not in client.get(PAGE).text
    assert client.post(SWITCH, {"memory": "off"}).status_code == 404
