"""The demo company's three months are there at the first look, and came in by the doors that all facts come in by."""

from datetime import timedelta

import pytest
from django.db import connections
from django.utils import translation

from chat import services
from chat.access import ChatAccess
from chat.company.suggestions import show_suggestions
from chat.conversations.history import load_part
from chat.demo.people import ensure_demo, load_demo_company
from chat.models import Message
from companion_site.accounts.models import Person
from companion_site.audit.services import find_breaks
from companion_site.vault import unlocked
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.scope import space_scope
from memory.company.demo import read_conversations
from memory.models import CompanyFact, Deadline, Kpi
from tests.databases import empty_tables
from tests.factories import NOW


def access_of(username: str) -> ChatAccess:
    person = Person.objects.get(username=username)
    return ChatAccess(person, person.company.space_id, OpenSpaceKey(person.company.space_id))


def believed(space) -> set[str]:
    with space_scope(space):
        return set(CompanyFact.objects.for_space(space).active(NOW).values_list("content", flat=True))


@pytest.fixture(scope="module")
def looked(django_db_setup, django_db_blocker):
    """The site after its first start, for tests that only look."""
    with django_db_blocker.unblock():
        empty_tables()  # people of another test would be taken for a site that has started before
        ensure_demo(now=NOW)
        access = access_of("bo")
        load_demo_company(access.space)
        yield access
        empty_tables()
        connections["default"].close()


@pytest.fixture(autouse=True)
def reading(looked, django_db_blocker):
    with django_db_blocker.unblock():
        yield


@pytest.mark.spec("C2")
def test_each_of_the_two_finds_their_own_conversations_with_all_messages(looked):
    """Bo's are Bo's and Siv's are Siv's, over three months, none later than the first look."""
    space = looked.space
    written = read_conversations(space, now=NOW)
    for name in ("bo", "siv"):
        access = access_of(name)
        own = [one for one in written if one.username == name]
        with unlocked(space, access.key):
            assert {row.title for row in services.list_conversations(access)} == {one.title for one in own}
            messages = load_part(access, own[0].id, now=NOW).messages
            assert [message.text for message in messages] == [one.text for one in own[0].messages]
        assert len(own) >= 12 and all(one.ended_at < NOW for one in own)
    assert NOW - written[0].began_at > timedelta(days=90)


@pytest.mark.spec("C6")
def test_what_was_said_later_stands_before_what_it_changes(looked):
    """From K2 to K3, from thirty days to fifteen; what was settled is resolved, and none of the facts is taken for what another says."""
    written = [fact for one in read_conversations(looked.space, now=NOW) for fact in one.facts]
    with space_scope(looked.space):
        facts = CompanyFact.objects.for_space(looked.space)
        gone = facts.filter(superseded_reason="contradicted").values_list("content", "superseded_by__content")
        doubted = facts.filter(doubted_by__isnull=False).values_list("content", "doubted_by__content")
        later = {**dict(doubted), **dict(gone)}
        resolved = facts.filter(superseded_reason="resolved").values_list("content", flat=True)
        assert "Behöver gå igenom kvittona från resan till Göteborg" in resolved
        assert facts.count() == len(written) and not facts.filter(superseded_reason="restated").exists()
    assert "för årsredovisningen" in later["Valde K2 för årsredovisningen"]
    assert later["Betalningstiden på fakturorna är 30 dagar"] == "Betalningstiden på fakturorna är 15 dagar"
    assert "Bo funderar på att flytta till en större lokal på Allégatan" in believed(looked.space)


@pytest.mark.slow
@pytest.mark.spec("C12")
def test_every_fact_names_the_message_that_says_it(looked):
    """Its author's, its conversation's, and its day."""
    with space_scope(looked.space):
        facts = list(CompanyFact.objects.for_space(looked.space))
        said = {row.pk: row for row in Message.objects.for_space(looked.space).select_related("conversation")}
    assert facts
    for fact in facts:
        message = said[fact.source_message_id]
        assert message.role == Message.Role.PERSON and message.said_at == fact.said_at
        assert message.conversation_id == fact.source_conversation_id
        assert message.conversation.author_id == fact.said_by_id
        assert fact.created_at <= NOW and fact.extraction_id is not None


@pytest.mark.spec("C10")
def test_the_first_look_shows_a_chip_of_each_kind(looked):
    """A deadline, a follow-up and an open item."""
    shown = show_suggestions(looked, is_remembered=True, chosen=None, now=NOW)["suggestions"]
    assert {one.kind for one in shown} == {"deadline", "follow_up", "open_item"}
    with translation.override("sv"):
        again = show_suggestions(looked, is_remembered=True, chosen=None, now=NOW)["suggestions"]
    assert [one.id for one in again] == [one.id for one in shown]


@pytest.mark.spec("C11")
def test_the_company_stands_as_of_the_day_of_the_first_look(looked):
    """Figures of today, deadlines ahead, a chain that verifies; its auditor looks over no school and chats with nobody."""
    with space_scope(looked.space):
        assert set(Kpi.objects.for_space(looked.space).values_list("as_of", flat=True)) == {NOW.date()}
        due = Deadline.objects.for_space(looked.space).values_list("due_on", flat=True)
        assert due and min(due) > NOW.date()
    assert list(find_breaks(looked.space)) == []
    revi = Person.objects.get(username="revi")
    assert revi.audits_company and not revi.audits and not revi.can_chat
