"""Conversations with the demo people's companion, without a model: `python -m bench.conversations`, which writes `docs/conversations.md`.

Nothing is answered by hand: the demo people are made, live their weeks and months, and say what stands in
`bench/data/conversations.json`, one message after the other, each read and remembered as on the site.
"""

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.commands import command, make_parser
from bench.lives import converse, read_reply
from bench.scenarios import ZONE
from bench.scratch import scratch_site
from chat import tasks
from chat.access import ChatAccess, chat_access
from chat.company.dialogue import read_conversation
from chat.demo.people import ensure_demo
from chat.memories.formation import form_from_message
from companion_site.accounts.demo import PASSWORD
from companion_site.accounts.models import Person
from companion_site.accounts.services import unlock_at_log_in
from companion_site.vault.grants import granted
from companion_site.vault.leases import Ownership

SAID = Path(__file__).parent / "data" / "conversations.json"
DOCUMENT = Path(__file__).parent.parent / "docs" / "conversations.md"
NOW = datetime(2026, 11, 16, 16, 5, tzinfo=ZONE)
APART = timedelta(minutes=1)
LANGUAGES = {"en": "English", "sv": "Swedish"}
#: Whom the page shows, and in which language.
SHOWN = {"ada": "en", "siv": "sv"}
INTRODUCTION = """# Ten messages with two of the demo people

What the companion without a language model says, word for word, to a student and to somebody of a company among the
people that `make run` starts with. `python -m bench.conversations` writes this page; with `--who elsa` it prints her conversations,
in both languages.
"""


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Have all conversations and write them down."""
    parser = make_parser("conversations", __doc__)
    parser.add_argument("--output", type=Path, default=DOCUMENT, help="where the page goes")
    parser.add_argument("--who", help="this person's conversations in both languages, on standard output")
    options = parser.parse_args(arguments)

    with scratch_site(durable=False):
        _live()
        parts = [
            f"## {said['who'].title()}, in {LANGUAGES[said['language']]}\n\n" + "\n\n".join(_talk(said))
            for said in json.loads(SAID.read_text("utf-8"))
            if (said["who"] == options.who if options.who else said["language"] == SHOWN.get(said["who"]))
        ]
    page = "\n\n".join([INTRODUCTION.rstrip(), *parts]) + "\n"
    if options.who:
        sys.stdout.write(page)
    else:
        options.output.write_text(page, encoding="utf-8")


def _live() -> None:
    """Make the demo people, load the company's months, and have the students' weeks remembered."""
    ensure_demo(now=NOW - timedelta(minutes=30))
    tasks.load_demo_company(str(Person.objects.get(username="bo").company.space_id))
    for student in Person.objects.filter(role=Person.Role.STUDENT):
        tasks.remember_demo_weeks(str(student.pk))


@contextmanager
def entered(username: str) -> Iterator[ChatAccess]:
    """Log one of the demo people in for the length of the block."""
    person = Person.objects.select_related("company").get(username=username)
    access = chat_access(person, unlock_at_log_in(person, password=PASSWORD, now=NOW))
    with granted(Ownership(access.space), access.space):
        yield access


def _talk(said: dict[str, Any]) -> Iterator[str]:
    """Say each message in one conversation; yield it, and then the reply."""
    with entered(said["who"]) as access, asyncio.Runner() as runner:
        person = access.person
        texts = said["messages"]
        times = [NOW + number * APART for number in range(len(texts))]
        exchanges = converse(access, zip(texts, times, strict=True), runner=runner)
        for text, at, exchange in zip(texts, times, exchanges, strict=True):
            if person.company_id is None:
                form_from_message(access.space, exchange.message.pk, key=access.key, now=at)
            yield f"**{person.display_name}:** {text}"
            yield f"**Companion:** {read_reply(access, exchange)[0]}"
        # A company's memory reads a conversation when it has fallen silent, and a new one begins for the next.
        if person.company_id is not None:
            read_conversation(access.space, exchange.message.conversation_id, now=NOW + timedelta(hours=2))


if __name__ == "__main__":
    sys.exit(main())
