"""What a demo student has told their companion in the weeks before the first look, lived through as it would have been.

Nothing of the memory is made up beside it: memories form from these words by the same code as after any message.
"""

import json
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path
from uuid import UUID

from django.contrib.auth.hashers import check_password
from django.utils import timezone

from chat.access import ChatAccess, chat_access
from chat.demo.recordings import Conversation, parse_conversation
from chat.demo.replay import Replayed, live_through, store_turns
from companion_site.accounts.demo import PASSWORD
from companion_site.accounts.models import Person
from companion_site.accounts.services import personal_space, unlock_at_log_in
from companion_site.vault.grants import granted
from companion_site.vault.leases import Ownership

#: by language the talks: days ago, hour, and what was said in turn, the student first
TALKS = Path(__file__).with_name("talk.json")


def store_demo_talk(access: ChatAccess) -> None:
    """Store what a demo student has said in the weeks before they were made; nothing is remembered of it yet."""
    store_turns(access, _transcript(access.person))


def remember_demo_talk(person_id: UUID, *, now: datetime) -> Replayed | None:
    """Have a demo student's companion remember those weeks; a second time only what is missing is added.

    Returns:
        What came of it; None where nobody has that id, or the password is no longer the demo's.
    """
    person = Person.objects.filter(pk=person_id).first()
    if person is None or not check_password(PASSWORD, person.password):
        return None
    access = chat_access(person, unlock_at_log_in(person, password=PASSWORD, now=now))
    # Without a log-in nothing else says that the space is in use.
    with granted(Ownership(access.space), access.space):
        return live_through(access, _transcript(person), sleeps=True)


def _transcript(person: Person) -> Conversation:
    made_at = personal_space(person).created_at
    sessions = []
    for number, talk in enumerate(json.loads(TALKS.read_text("utf-8"))[person.language]):
        day = timezone.localtime(made_at - timedelta(days=talk["days_ago"]))
        lines = zip(talk["said"], cycle(("student", "companion")), strict=False)
        turns = [
            {"id": f"{number}-{place}", "speaker": speaker, "text": text}
            for place, (text, speaker) in enumerate(lines)
        ]
        at = day.replace(hour=talk["hour"], minute=10, second=0, microsecond=0)
        sessions.append({"id": str(number), "at": at, "turns": turns})
    return parse_conversation({"name": "demo", "language": person.language, "sessions": sessions})
