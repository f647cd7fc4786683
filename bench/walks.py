"""The ways of `python -m bench.way`, walked through the site's own services, with the calls between our modules recorded.

Pages, sockets, the worker that takes a job from the queue, the reply and a language model's part are left out.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from types import FrameType
from uuid import uuid4

from bench.agents import StoredEmbedder, make_agent
from bench.commands import CouldNotLive
from bench.living import PASSWORD, enter_student
from bench.structure import APPS, module_of
from chat.access import chat_access
from chat.company.dialogue import read_conversation
from chat.memories.formation import form_from_message
from chat.services import begin_conversation, say
from companion_site.accounts.models import Person
from companion_site.accounts.services import create_company, create_person, unlock_at_log_in
from companion_site.running import PROJECT
from companion_site.vault.scope import space_scope
from memory.agents.contexts import build_context
from memory.company.params import COMPANY
from memory.models import CompanyFact

#: The modules that a call goes from and into; from "" where none of ours calls.
Call = tuple[str, str]
#: A generator expression: part of the function that it stands in, wherever it is run.
IN_PLACE = "<genexpr>"
NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
#: Of each the first is for what has to be loaded.
SAID = ("I live in Lund with my brother Noah.", "My dog is called Bosse and he is afraid of thunder.")
SAID_AT_WORK = ("Our auditor is called Helena Berg.", "We have decided to use K3 for the annual report.")
ASKED = ("Who looks at our accounts?", "Which report does the auditor need?")


def walk_to_memory() -> Iterable[Call]:
    """Return the calls from a student's message to the memories of it.

    Raises:
        CouldNotLive: there are none.
    """
    access = enter_student("way-student", now=NOW)
    conversation = begin_conversation(access, now=NOW).pk
    for number, text in enumerate(SAID):
        at = NOW + timedelta(minutes=number)
        with recording() as calls:
            exchange = say(access, conversation, text=text, client_id=uuid4(), now=at)
            formed = form_from_message(access.space, exchange.message.pk, key=access.key, now=at)
        if not formed:
            raise CouldNotLive(f"no memory of {text!r}")
    return calls


def walk_to_fact() -> Iterable[Call]:
    """Return the calls from a message at work to the facts that are taken from it.

    Raises:
        CouldNotLive: there are none.
    """
    company, role = create_company("Way", now=NOW), Person.Role.BUSINESS
    person = create_person("way-work", password=PASSWORD, now=NOW, role=role, company=company).person
    access = chat_access(person, unlock_at_log_in(person, password=PASSWORD, now=NOW))
    conversation = begin_conversation(access, now=NOW).pk
    for number, text in enumerate(SAID_AT_WORK):
        at = NOW + timedelta(days=number)
        with recording() as calls:
            message = say(access, conversation, text=text, client_id=uuid4(), now=at).message
            read_conversation(access.space, conversation, now=at + COMPANY.silence)
        with space_scope(access.space):
            if not CompanyFact.objects.for_space(access.space).filter(said_at=message.said_at).exists():
                raise CouldNotLive(f"no fact of {text!r}")
    return calls


def walk_to_context() -> Iterable[Call]:
    """Return the calls from an agent's question to its context.

    Raises:
        CouldNotLive: nothing stands in it.
    """
    access = make_agent("way-agent", 20, SAID_AT_WORK, StoredEmbedder(SAID_AT_WORK))
    task = {"id": "t1", "tags": ["bench"]}
    for query in ASKED:
        with recording() as calls:
            context = build_context(access, query=query, task=task, budget_tokens=4_000, now=NOW)
        if not context.nodes:
            raise CouldNotLive(f"nothing is called to mind by {query!r}")
    return calls


@contextmanager
def recording() -> Iterator[Iterable[Call]]:
    """Yield the calls that this thread makes into our modules meanwhile: who calls which, each once, in order."""
    calls: dict[Call, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        called = _module(frame.f_code.co_filename)
        if event == "call" and called and frame.f_code.co_name != IN_PLACE:
            calls[_caller(frame), called] = None

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls.keys()
    finally:
        sys.setprofile(before)


def _caller(frame: FrameType) -> str:
    """Return the module of the nearest function of ours that waits for a call; "" where none does."""
    above = frame.f_back
    while above is not None:
        if found := _module(above.f_code.co_filename):
            return found
        above = above.f_back
    return ""


@cache
def _module(filename: str) -> str:
    """Return the module of ours that stands in a file; "" for every other file."""
    file = Path(filename)
    is_ours = file.is_relative_to(PROJECT) and file.relative_to(PROJECT).parts[0] in APPS
    return module_of(file, PROJECT) if is_ours and "migrations" not in file.parts else ""


WALKS: Mapping[str, Callable[[], Iterable[Call]]] = {
    "a said message, to a memory": walk_to_memory,
    "a said message, to a company's fact": walk_to_fact,
    "an agent's question, to its context": walk_to_context,
}
