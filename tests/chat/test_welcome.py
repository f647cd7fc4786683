"""The first minutes of somebody new: language, name, how they like to be helped, and the first memories of it."""

import re

import pytest
from django.test import Client

from chat.models import Conversation, Message
from chat.welcome import WAYS
from companion_site.accounts.models import Person
from companion_site.vault.scope import space_scope
from ledger.entries import list_entries
from memory.models import MemoryNode
from tests.cases import cases
from tests.chat.talking import rows
from tests.factories import make_access, make_business_user, make_student
from tests.live import logged_in

WELCOME, NAME, HELP, LEAVE = (f"/chat/welcome/{step}" for step in ("", "name/", "help/", "leave/"))
NEW = {"welcomed_at": None}

pytestmark = pytest.mark.spec("C14")


def welcomed_at(username: str):
    return Person.objects.get(username=username).welcomed_at


def answer(client: Client, **given):
    return client.post(HELP, {"step": "help", **given})


def messages(access) -> list[tuple[str, str]]:
    with access.open():
        return [(row.role, row.text) for row in rows(access, Message)]


def wishes(access) -> set[str]:
    with space_scope(access.space), access.open():
        return {entry.content for entry in list_entries(access.space) if entry.category == "instruction"}


def test_the_front_door_leads_who_is_new_to_the_welcome(committed):
    """Until it was answered or skipped; who has been here, who teaches and who looks after the site never sees it."""
    make_student("nora", **NEW)
    make_student("ada")
    make_student("tove", role=Person.Role.TEACHER, **NEW)
    nora = logged_in("nora")
    assert nora.get("/").url == WELCOME
    assert nora.get("/chat/").status_code == 200
    assert nora.post(LEAVE).url == "/chat/"
    assert nora.get("/").url == logged_in("ada").get("/").url == "/chat/"
    assert logged_in("tove").get("/").url == "/teaching/"
    before = welcomed_at("nora")
    nora.post(LEAVE)
    assert welcomed_at("nora") == before


def test_the_steps_lead_from_one_to_the_next(committed, settings):
    """The language is kept and the next page speaks it; the name is asked, then how to help, who can read this, and what leaves the site."""
    make_student("nora", display_name="Nora Berg", **NEW)
    nora = logged_in("nora")
    first = nora.get(WELCOME).text
    assert 'lang="sv">Svenska</button>' in first and 'lang="en">English</button>' in first
    assert "Step 1 of 3" in first and f'name="next" value="{NAME}"' in first
    assert nora.post("/account/", {"language": "sv", "next": NAME}).url == NAME
    second = nora.get(NAME).text
    assert "Vad ska jag kalla dig?" in second and 'value="Nora"' in second
    third = nora.post(HELP, {"name": "Noppe"}).text
    assert "Vem kan läsa" in third and 'type="hidden" name="name" value="Noppe"' in third
    assert "språkmodell utanför" not in third
    settings.LLM_CHAIN, settings.ANTHROPIC_API_KEY, settings.ANTHROPIC_BASE_URL = ["anthropic"], "key", ""
    assert "språkmodell utanför" in nora.get(HELP).text


@cases(
    ("language", "told", "kept"),
    [
        ("en", "My name is Noppe.", "Call me Noppe."),
        ("sv", "Jag heter Noppe.", "Kalla mig Noppe."),
    ],
)
def test_the_answers_become_a_message_memories_and_wishes(committed, language, told, kept):
    """All is said in the first conversation and answered; each sentence is remembered, and goes along as a wish from then on."""
    access = make_access(f"nora-{language}", language=language, **NEW)
    client = logged_in(access.person.username)
    done = answer(client, name="Noppe", ways=list(WAYS), own="")
    (said, reply) = messages(access)
    assert said[0] == "person" and said[1].startswith(told)
    assert reply[0] == "companion" and reply[1] and told not in reply[1]
    page = client.get(done.url)
    assert page.status_code == 200
    with access.open():
        nodes = {node.content: node.pk for node in rows(access, MemoryNode)}
    assert len(nodes) == 1 + len(WAYS) and told in nodes
    for text, node in nodes.items():
        assert text in page.text and f'href="/memory/{node}/"' in page.text
    assert wishes(access) == {kept, *(text for text in nodes if text != told)}
    assert welcomed_at(access.person.username) is not None


def test_own_words_count_as_said(committed):
    """What is typed is what is said, whatever stands in it; the page shows it as text."""
    access = make_access("nora", **NEW)
    client = logged_in("nora")
    own = "Please use <b>many</b> pictures when you explain."
    page = client.get(answer(client, name="", ways=[], own=own).url)
    assert messages(access)[0] == ("person", own)
    assert "&lt;b&gt;many&lt;/b&gt;" in page.text and "<b>many" not in page.text


def test_what_is_too_long_or_no_choice_is_said_to_be(committed):
    """The page comes back with what is wrong, and nobody has been welcomed; whoever leaves all of it empty has, and no conversation was begun."""
    access = make_access("nora", **NEW)
    client = logged_in("nora")
    assert client.post(HELP, {"name": "x" * 41}).status_code == 422
    for given in ({"own": "x" * 301}, {"ways": ["magic"]}, {"name": "x" * 41}):
        assert answer(client, **given).status_code == 422
    assert welcomed_at("nora") is None
    assert answer(client, name=" ", ways=[], own="").url == "/chat/"
    assert messages(access) == [] and welcomed_at("nora") is not None


def test_memory_off_and_danger_come_before_what_is_remembered(committed):
    """With memory off it is said and answered, and nothing kept; whoever tells of danger is led to the answer, and to no page about memories."""
    access = make_access("nora", memory_on=False, **NEW)
    page = logged_in("nora").get(answer(logged_in("nora"), name="Noppe", ways=["steps"], own="").url)
    assert "Nothing to remember yet" in page.text and wishes(access) == set()
    make_student("eve", **NEW)
    led = answer(logged_in("eve"), name="", ways=[], own="I want to kill myself tonight.").url
    assert re.fullmatch(r"/chat/[0-9a-f-]{36}/", led)


def test_a_company_s_person_is_asked_for_the_language_and_told_who_reads(committed):
    """Two steps; nothing of a student's is asked, by any address."""
    bo = make_business_user("bo", **NEW)
    client = logged_in("bo")
    assert client.get("/").url == WELCOME
    assert "Step 1 of 2" in client.get(WELCOME).text
    assert "your colleagues do not see them" in client.get("/chat/welcome/readers/").text
    for address in (NAME, HELP):
        assert client.get(address).url == "/chat/welcome/readers/"
    assert answer(client, name="Bosse").url == "/chat/welcome/readers/"
    assert not Conversation.objects.for_space(bo.company.space_id).exists()
    client.post(LEAVE)
    assert client.get("/").url == "/chat/"


def test_a_stranger_sees_nothing_of_it(committed):
    """The last page is the person's own."""
    make_student("nora", **NEW)
    make_student("eve", **NEW)
    address = answer(logged_in("nora"), name="Noppe", ways=[], own="").url
    assert "Noppe" in logged_in("nora").get(address).text
    assert logged_in("eve").get(address).status_code == 404
