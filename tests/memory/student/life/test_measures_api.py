"""A person's own device sends measures of days: sealed the moment they come, opened with the person's key, no memory of them."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from companion_site.accounts.models import Person
from companion_site.accounts.services import start_anew, switch_memory
from companion_site.accounts.systems import find_device_owner
from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.running import PROJECT
from companion_site.vault import unlocked
from companion_site.vault.inbox import seal_to
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from memory.inbound import measures as measures_api
from memory.inbound.contents import DayMeasures, Measures
from memory.inbound.inbox import awaits_key, take_in_all
from memory.inbound.measures import MOST_DAYS
from memory.models import DailyMetric, MemoryNode
from memory.student.life.metrics import Name, measures_of, set_measures
from tests.cases import cases
from tests.factories import make_student
from tests.live import logged_in
from tests.teaching.conftest import Reporter

pytestmark = [pytest.mark.django_db, pytest.mark.spec("L3")]

URL = "/api/measures/"


@pytest.fixture
def watch(ada):
    return Reporter(ada.person, URL)


def today():
    return timezone.localdate()


def measured(*days, **given):
    days = list(days) or [{"day": today().isoformat(), "sleep_hours": 5.5, "steps": 1200}]
    return {"id": str(new_id()), "days": days, **given}


def boxes(access):
    with space_scope(access.space):
        return list(SealedBox.objects.for_space(access.space).order_by("id"))


def rows(access):
    with space_scope(access.space):
        return DailyMetric.objects.for_space(access.space).count()


def held(access):
    with unlocked(access.space, access.key):
        return measures_of(access.space, today())


def test_measures_are_sealed_and_opened_with_the_key(ada, watch):
    """Nothing of them is in a table before; after it they are measures of their day, and no memory has formed."""
    sent = measured()
    answer = watch.send(sent)
    assert (answer.status_code, answer.json()) == (200, {"id": sent["id"]})
    (box,) = boxes(ada)
    assert (str(box.statement_id), box.kind, box.sender_id) == (sent["id"], "metrics", None)
    assert b"1200" not in bytes(box.sealed_text) and rows(ada) == 0 and awaits_key(ada.space)
    assert take_in_all(ada.space, key=ada.key, now=timezone.now()) == 1
    assert held(ada) == {"sleep_hours": 5.5, "steps": 1200} and not awaits_key(ada.space)
    with space_scope(ada.space):
        assert not MemoryNode.objects.for_space(ada.space).exists()
    assert take_in_all(ada.space, key=ada.key, now=timezone.now()) == 0


def test_what_was_sent_twice_is_taken_in_once(ada, watch):
    """The same under the same id; something else under it is refused."""
    sent = measured()
    assert [watch.send(sent).status_code for _ in range(2)] == [200, 200] and len(boxes(ada)) == 1
    other = {**sent, "days": [{"day": today().isoformat(), "steps": 9}]}
    answer = watch.send(other)
    assert (answer.status_code, answer.json()["error"]) == (409, "measures.conflict")


def test_what_was_typed_after_it_was_sent_holds(ada, watch):
    """However late the box is opened."""
    watch.send(measured({"day": today().isoformat(), "steps": 100, "resting_pulse": 60}))
    with unlocked(ada.space, ada.key):
        set_measures(ada.space, today(), {"steps": 9000}, now=timezone.now())
    take_in_all(ada.space, key=ada.key, now=timezone.now() + timedelta(days=20))
    assert held(ada) == {"steps": 9000, "resting_pulse": 60}


def test_what_was_sent_while_memory_was_off_is_set_aside(ada, watch):
    """It is never written down; what waits meanwhile waits sealed."""
    switch_memory(ada.person, on=False, key=ada.key, now=timezone.now())
    assert watch.send(measured()).status_code == 200
    assert take_in_all(ada.space, key=ada.key, now=timezone.now()) == 0 and rows(ada) == 0
    switch_memory(ada.person, on=True, key=ada.key, now=timezone.now())
    take_in_all(ada.space, key=ada.key, now=timezone.now())
    assert rows(ada) == 0 and boxes(ada)[0].opened_at is not None


@cases("values", [{"weight": 60}, {"steps": -1}, {"sleep_hours": 99.0}])
def test_a_box_of_what_cannot_be_right_is_set_aside(ada, watch, values):
    """Whoever sealed it: nothing of it is written, and it keeps nothing else waiting."""
    day = DayMeasures(day=today(), values={"active_minutes": 30, **values})
    text = Measures(at=timezone.now(), days=[day]).to_bytes()
    seal_to(ada.space, kind=SealedBox.Kind.METRICS, text=text, sender=None, now=timezone.now())
    watch.send(measured())
    assert take_in_all(ada.space, key=ada.key, now=timezone.now()) == 1
    assert held(ada) == {"sleep_hours": 5.5, "steps": 1200} and boxes(ada)[0].sealed_text is None


def day(**given):
    return {"day": today().isoformat(), "steps": 1, **given}


def test_a_device_of_somebody_who_left_gets_in_no_more(ada, watch):
    """Nor one of before an erasure."""
    Person.objects.filter(pk=ada.person.pk).update(is_active=False)
    assert watch.send(measured()).status_code == 401
    Person.objects.filter(pk=ada.person.pk).update(is_active=True)
    assert watch.send(measured()).status_code == 200
    start_anew(ada.person, password="another long password", now=timezone.now())
    assert watch.send(measured()).status_code == 401


def test_only_students_have_measures(db):
    """There is no personal page to show them on for others."""
    tove = make_student("tove", role=Person.Role.TEACHER).person
    answer = Reporter(tove, URL).send(measured())
    assert (answer.status_code, answer.json()["error"]) == (400, "measures.nobody-there")


def test_so_much_waits_and_no_more(ada, watch, monkeypatch):
    """Sent again, what waits already is no more than it was."""
    monkeypatch.setattr(measures_api, "MOST_WAITING", 2)
    first = measured()
    assert [watch.send(body).status_code for body in (first, measured(), measured(), first)] == [
        200,
        200,
        429,
        200,
    ]
    take_in_all(ada.space, key=ada.key, now=timezone.now())
    assert watch.send(measured()).status_code == 200


def test_the_page_lets_a_device_in_and_shows_the_secret_once(ada):
    """With it the device gets in until another is made or it is shut out; the record tells each without a secret."""
    browser, name = logged_in("ada"), str(ada.person.pk)
    secrets = []
    for _ in range(2):
        shown = browser.post("/memory/life/device/").text
        secrets += re.findall(r'id="device-secret">([\w-]{43})<', shown)
        assert name in shown and find_device_owner(name=name, secret=secrets[-1]) == ada.person
        assert secrets[-1] not in browser.get("/memory/life/").text
    assert find_device_owner(name=name, secret=secrets[0]) is None
    for _ in range(2):
        browser.post("/memory/life/device/", {"do": "shut-out"})
        assert find_device_owner(name=name, secret=secrets[1]) is None
    events = AuditEvent.objects.filter(chain=ada.space, action__startswith="accounts.device")
    assert [event.data for event in events] == [{}, {}, {}]


def test_the_document_says_what_the_api_does(ada, watch):
    """Its example is taken in, but for its days; and each code of a refusal stands in it."""
    text = (PROJECT / "docs" / "api.md").read_text().split("### Measures\n")[1].split("\n### ")[0]
    example = json.loads(re.search(r"```json\n(.*?)```", text, re.DOTALL).group(1))
    for ago, one in enumerate(example["days"]):
        one["day"] = (today() - timedelta(days=ago)).isoformat()
    assert watch.send(example).status_code == 200
    month = [day(day=(today() - timedelta(days=ago)).isoformat()) for ago in range(MOST_DAYS)]
    assert watch.send(measured(*month)).status_code == 200
    for name in (*Name.values, "429", "409", "413", str(MOST_DAYS), str(measures_api.MOST_WAITING)):
        assert name in text, name
