"""The demo company's months are loaded whole however often the load is cut short, and into no other company."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection

from chat.demo.people import ensure_demo
from chat.models import Conversation, Message
from companion_site.accounts.models import Person
from companion_site.accounts.services import create_company
from companion_site.vault.scope import space_scope
from memory.company.demo import read_conversations
from memory.models import CompanyEvent, CompanyFact, CompanyFactVector, Deadline, Extraction, Kpi
from tests.factories import NOW, make_student

TABLES = (Conversation, Message, CompanyFact, CompanyFactVector, CompanyEvent, Extraction, Kpi, Deadline)


def demo_space() -> UUID:
    return Person.objects.get(username="bo").company.space_id


def contents(space: UUID) -> dict[str, int]:
    """Return how many rows of each kind the company has."""
    with space_scope(space):
        return {model.__name__: model.objects.for_space(space).count() for model in TABLES}


def die_after(count: int, table: str):
    """Return what ends the process when a table is written to once more than so many times."""
    left = [count]

    def execute_or_die(execute, sql, params, many, context):
        if sql.startswith("INSERT") and f'"{table}"' in sql:
            left[0] -= 1
            if left[0] < 0:
                raise SystemExit
        return execute(sql, params, many, context)

    return execute_or_die


#: After how many writes to which table a start is killed; each goes on where the one before it was.
KILLS = (
    (0, "chat_conversation"),
    (12, "chat_message"),
    (9, "company_memory"),
    (9, "company_memory_event"),
    (0, "company_kpi"),
)


def test_what_was_left_out_is_loaded_by_the_start_that_wants_it(committed, settings, monkeypatch):
    """Without `DEMO_TALK` there are the people alone; a later start with it loads what was promised."""
    settings.DEMO_TALK = False
    ensure_demo(now=NOW)
    space = demo_space()
    assert set(contents(space).values()) == {0}
    settings.DEMO_TALK = True
    (first, *_) = read_conversations(space, now=NOW)
    monkeypatch.setattr("chat.demo.people.read_conversations", lambda space, now: [first])
    ensure_demo(now=NOW + timedelta(days=1))
    after = contents(space)
    assert (after["Conversation"], after["Message"]) == (1, len(first.messages)) and after["Kpi"]


@pytest.mark.slow
@pytest.mark.spec("C14")
def test_a_load_that_is_cut_short_again_and_again_is_made_up_for(committed):
    """Killed anywhere, the next start goes on there; in the end all is there once, as if nothing had happened."""
    for hours, (count, table) in enumerate(KILLS):
        with pytest.raises(SystemExit), connection.execute_wrapper(die_after(count, table)):
            ensure_demo(now=NOW + timedelta(hours=hours))
    ensure_demo(now=NOW + timedelta(days=2))
    space = demo_space()
    after = contents(space)
    written = read_conversations(space, now=NOW)
    assert after["Conversation"] == len(written)
    assert after["Message"] == sum(len(one.messages) for one in written)
    assert after["CompanyFact"] == sum(len(one.facts) for one in written)
    with space_scope(space):
        assert not CompanyFact.objects.for_space(space).filter(said_at__gt=NOW).exists()
        assert not CompanyEvent.objects.for_space(space).filter(kind="confirmed").exists()
    ensure_demo(now=NOW + timedelta(days=3))
    assert contents(space) == after


def test_somebody_else_s_company_is_left_alone(committed):
    """Where people were before, nobody of that name gets conversations they never had."""
    company = create_company("Demo AB", now=NOW)
    for name in ("bo", "siv"):
        make_student(name, role=Person.Role.BUSINESS, company=company)
    ensure_demo(now=NOW)
    assert set(contents(company.space_id).values()) == {0}
