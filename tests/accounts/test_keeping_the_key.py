"""Changing, recovering and losing what opens the memory, by the pages."""

import pytest
from django.test import Client

from companion_site.accounts.models import Person
from companion_site.accounts.services import personal_space
from companion_site.vault.models import Space
from tests.chat.talking import converse
from tests.factories import PASSWORD, RECOVERY_CODE, access_of, make_student, open_space, reset_password
from tests.live import change_password, logged_in, recover

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G11")]
NEW = "a wholly new password"
SAID = "I am afraid of wasps"


@pytest.fixture
def joined():
    return make_student("ada")


def say(person):
    """Say something in a new conversation; return its address."""
    return f"/chat/{converse(access_of(person), SAID).pk}/"


def test_a_new_password_keeps_every_memory(joined):
    """The person stays logged in, the old words are there under the new password, other sessions end."""
    client, elsewhere = logged_in("ada"), logged_in("ada")
    address = say(joined.person)
    assert "still there" in client.get(change_password(client, NEW).url).text
    assert SAID in client.get(address).text
    assert elsewhere.get(address).url.startswith("/login/")
    assert SAID in logged_in("ada", NEW).get(address).text
    assert Client().post("/login/", {"username": "ada", "password": PASSWORD}).status_code == 200


def test_a_password_that_does_not_do_is_told_at_its_field(joined):
    """A wrong, mistyped, short or common password changes nothing and says so where it was typed."""
    client = logged_in("ada")
    for field, change in (
        ("current_password", {"current_password": "wrong one"}),
        ("repeat", {"repeat": "something else"}),
        *(("new_password", {"new_password": bad, "repeat": bad}) for bad in ("short", "password123")),
    ):
        answer = change_password(client, NEW, **change)
        assert answer.status_code == 422
        assert list(answer.context["form"].errors) == [field]
    assert open_space(joined.person)


def test_the_recovery_code_works_once(joined):
    """It opens the memory, sets the password, shows the next code, and is spent."""
    address = say(joined.person)
    client = Client()
    answer = recover(client, "ada", joined.recovery_code.lower(), NEW)
    (fresh,) = RECOVERY_CODE.findall(answer.text)
    assert fresh != joined.recovery_code and "no-store" in answer["Cache-Control"]
    assert SAID in client.get(address).text
    spent = recover(Client(), "ada", joined.recovery_code, "another long password")
    assert spent.status_code == 200 and spent.context["form"].non_field_errors()
    assert SAID in logged_in("ada", NEW).get(address).text
    assert RECOVERY_CODE.search(recover(Client(), "ada", fresh, "another long password").text)


def test_a_new_recovery_code_replaces_the_old_one(joined):
    """The account page gives a new code; the one on paper opens nothing any more."""
    client = logged_in("ada")
    (fresh,) = RECOVERY_CODE.findall(client.post("/account/recovery-code/").text)
    assert recover(Client(), "ada", joined.recovery_code, NEW).context["form"].non_field_errors()
    assert RECOVERY_CODE.search(recover(Client(), "ada", fresh, NEW).text)


def test_whoever_lost_everything_begins_anew_knowing_it(joined):
    """The page says that the old memory is lost, asks for the password and for consent, and gives an empty one."""
    old, address = personal_space(joined.person).pk, say(joined.person)
    reset_password(joined.person, "set by staff")
    client = Client()
    assert "lost" in client.get("/start-anew/").text
    form = {"username": "ada", "current_password": "set by staff", "new_password": NEW, "repeat": NEW}
    for wrong, field in (({}, "confirm"), ({"confirm": "on", "current_password": "a guess"}, "__all__")):
        refused = client.post("/start-anew/", form | wrong)
        assert list(refused.context["form"].errors) == [field]
    assert personal_space(joined.person).pk == old
    assert RECOVERY_CODE.search(client.post("/start-anew/", {**form, "confirm": "on"}).text)
    person = Person.objects.get(username="ada")
    assert person.space_id != old and Space.objects.get(pk=old).closed_at
    assert client.get(address).status_code == 404 and client.get("/chat/").status_code == 200
