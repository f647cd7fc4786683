"""Invitations: one person, one password of their own choosing, once; whatever else opens nothing and says what to do."""

import pytest
from django.test import Client
from django.utils import timezone

from companion_site.accounts.invitations import (
    LETTERS,
    accept,
    invite,
    normalise_code,
    reset_password,
    withdraw,
)
from companion_site.accounts.models import Invitation, Person, School
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import find_breaks
from companion_site.errors import WrongKey
from companion_site.vault.models import Space
from tests.cases import cases
from tests.factories import PASSWORD, RECOVERY_CODE, make_invited_student, make_student, open_space
from tests.live import logged_in, recover

CHOSEN = "a password of her own"

pytestmark = pytest.mark.django_db


def invite_nora(**fields):
    """Make a student who has not chosen a password; return them with the code."""
    person = make_invited_student("nora", **fields)
    (invited,) = invite([person], now=timezone.now(), actor=None)
    return person, invited.code


def join(client, code, password=CHOSEN, **fields):
    return client.post("/join/", {"code": code, "new_password": password, "repeat": password, **fields})


def refusal(answer):
    return answer.context["form"].errors.get("code")


def test_an_invited_person_chooses_a_password_and_keeps_the_code():
    """The page says whose account it is; afterwards they are logged in, their space is open and the code shown is its own.

    Case, spaces, hyphens and letters that look alike are forgiven in the code; the alphabet has none of the latter.
    """
    assert not set("ILOU") & set(LETTERS) and len(set(LETTERS)) == 32
    assert normalise_code(" 0olI-1aU2 ") == "00111AV2"
    person, code = invite_nora(school=School.objects.create(name="North School"), language="sv")
    browser = Client()
    typed = f" {code.lower().replace('-', ' ').replace('0', 'o').replace('1', 'l')} "
    page = browser.post("/join/", {"code": typed})
    assert "Nora" in page.text and "North School" in page.text and "Välj ditt lösenord" in page.text
    assert "no-store" in page["Cache-Control"] and not Space.objects.filter(owner=person).exists()
    answer = join(browser, code)
    (recovery,) = RECOVERY_CODE.findall(answer.text)
    assert "no-store" in answer["Cache-Control"] and browser.get("/chat/").status_code == 200
    person.refresh_from_db()
    assert open_space(person, CHOSEN).space == person.space_id
    assert RECOVERY_CODE.search(recover(Client(), "nora", recovery, "yet another one").text)


@cases(("role", "is_told"), [("student", True), ("auditor", False), ("staff", False)])
def test_who_joins_reads_what_holds_for_them(role, is_told):
    """Only students are told that no teacher opens what they tell their companion."""
    person = make_invited_student(f"a-{role}", role=role)
    (invited,) = invite([person], now=timezone.now(), actor=None)
    browser = Client()
    assert ("not your teacher" in browser.post("/join/", {"code": invited.code}).text) == is_told
    assert ("It opens your memories" in join(browser, invited.code).text) == is_told


def test_whatever_opens_nothing_gets_one_answer():
    """Strange, used, expired, withdrawn, replaced, of somebody shut out: the page tells the same of each, and what to do."""
    now, answers, people = timezone.now(), {}, {}
    for name in ("used", "expired", "withdrawn", "replaced", "shut-out"):
        people[name] = make_invited_student(name)
    made = {name: invite([person], now=now, actor=None)[0] for name, person in people.items()}
    assert join(Client(), made["used"].code).status_code == 200
    Invitation.objects.filter(person=people["expired"]).update(expires_at=now)
    withdraw(people["withdrawn"], now=now, actor=None)
    invite([people["replaced"]], now=now, actor=None)
    Person.objects.filter(pk=people["shut-out"].pk).update(is_active=False)
    codes = {name: invited.code for name, invited in made.items()}
    codes |= {"strange": "AAAA-AAAA-AAAA-AAAA", "short": "A", "not ASCII": "ÅÄÖ" * 9}
    for name, code in codes.items():
        for answer in (Client().post("/join/", {"code": code}), join(Client(), code)):
            assert (answer.status_code, "sessionid" in answer.cookies) == (200, False), name
            answers[name] = str(refusal(answer))
    assert len(set(answers.values())) == 1
    assert "ask whoever gave you the code" in answers["strange"] and "log in" in answers["strange"]
    assert Space.objects.filter(owner__in=people.values()).count() == 1


def test_a_weak_password_uses_nothing_up():
    """What the validators refuse is told at its field, and the invitation stands."""
    _, code = invite_nora(display_name="nora-nora-nora")
    for password in ("short", "password123", "nora-nora-nora", ""):
        answer = join(Client(), code, password)
        assert next(iter(answer.context["form"].errors)) == "new_password"
    answer = join(Client(), code, repeat="something else")
    assert list(answer.context["form"].errors) == ["repeat"]
    assert RECOVERY_CODE.search(join(Client(), code).text)


def test_guessing_closes_for_the_address(settings):
    """After as many wrong codes as wrong passwords the page answers nothing more there, and elsewhere it does."""
    settings.LOGIN_ATTEMPTS_ADDRESS = 3
    _, code = invite_nora()
    client = Client()
    seen = [client.post("/join/", {"code": "AAAA-AAAA-AAAA-AAAA"}).status_code for _ in range(4)]
    assert seen == [200, 200, 200, 429] and client.post("/join/", {"code": code}).status_code == 429
    assert client.post("/login/", {"username": "nobody", "password": "x"}).status_code == 429
    assert "Nora" in Client(REMOTE_ADDR="10.0.0.9").post("/join/", {"code": code}).text


def test_the_table_gives_no_code_away():
    """What is stored is a hash under a key that the database does not hold; the record names ids only."""
    person, code = invite_nora()
    stored = bytes(Invitation.objects.get().code_hash)
    assert len(stored) == 32 and code.encode() not in stored
    join(Client(), code)
    invite([person], now=timezone.now(), actor=None)
    withdraw(person, now=timezone.now(), actor=None)
    events = AuditEvent.objects.filter(action__startswith="accounts.invitation_").order_by("position")
    assert [event.action.rpartition("_")[2] for event in events] == ["made", "used", "made", "withdrawn"]
    for event in events:
        assert set(event.data) <= {"person", "days"} and event.data["person"] == str(person.pk)
    assert list(find_breaks()) == []


def test_after_a_reset_the_recovery_code_opens_the_memory_at_once():
    """A wrong one is told at its field and uses nothing up; the right one is spent and replaced."""
    joined = make_student("ada")
    invited = reset_password(joined.person, now=timezone.now(), actor=None)
    assert Client().post("/login/", {"username": "ada", "password": PASSWORD}).status_code == 200
    wrong = join(Client(), invited.code, recovery_code="AAAA-AAAA")
    assert list(wrong.context["form"].errors) == ["recovery_code"]
    browser = Client()
    answer = join(browser, invited.code, recovery_code=joined.recovery_code.lower())
    (fresh,) = RECOVERY_CODE.findall(answer.text)
    assert fresh != joined.recovery_code and browser.get("/chat/").status_code == 200
    assert logged_in("ada", CHOSEN).get("/chat/").status_code == 200
    invited = reset_password(joined.person, now=timezone.now(), actor=None)
    with pytest.raises(WrongKey):
        accept(invited.code, password=CHOSEN, recovery_code=joined.recovery_code, now=timezone.now())


def test_after_a_reset_without_the_code_the_memory_stays_locked():
    """They are led to where they read what opens it, and nothing of it is lost."""
    joined = make_student("ada")
    invited = reset_password(joined.person, now=timezone.now(), actor=None)
    browser = Client()
    assert join(browser, invited.code).url == "/locked/"
    page = browser.get("/locked/").text
    assert "Your password was reset" in page and "recovery code" in page and "/recover/" in page
    assert RECOVERY_CODE.search(recover(Client(), "ada", joined.recovery_code, CHOSEN).text)
