"""`manage.py replay FILE`: live a recorded conversation as a demo student."""

import re
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from chat.access import ChatAccess, chat_access
from chat.demo.recordings import BadConversation, Conversation, load_conversation
from chat.demo.replay import Replayed, live_through
from companion_site.accounts.demo import PASSWORD
from companion_site.accounts.models import Person
from companion_site.accounts.services import create_person, find_person, unlock_at_log_in
from companion_site.errors import CompanionError, WrongKey
from companion_site.language import as_language

USERNAME_LENGTH = 64
NAME_LENGTH = 100


class Command(BaseCommand):
    help = (
        "Live a conversation from FILE as a student of the demo, with the dates it has. Living it again adds only "
        "what is missing."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--username", help="The student's log-in name; made if there is none. Default: from FILE."
        )
        parser.add_argument(
            "--awake",
            action="store_true",
            help="Leave out the sleep that the memory would have had between sessions.",
        )

    def handle(self, *args, file, username, awake, **options):
        try:
            transcript = load_conversation(file)
            username = (username or name_student(transcript))[:USERNAME_LENGTH]
            access = enter(username, transcript)
            done = live_through(access, transcript, sleeps=not awake, tell=self._tell)
        except WrongKey:
            raise CommandError(
                f"{username} has another password than the demo's: choose another --username."
            ) from None
        except (BadConversation, CompanionError) as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(
                f"The database is not ready ({type(error).__name__}): `manage.py prepare` makes it so."
            ) from None
        except KeyboardInterrupt:
            raise CommandError(
                "Stopped. What was lived is kept; the same command goes on from there."
            ) from None
        self.stdout.write(report(done, username))
        self.stdout.write(f"Log in as {username}, password {PASSWORD}.")

    def _tell(self, done: int, total: int) -> None:
        if self.stderr.isatty() and (done % 10 == 0 or done == total):
            self.stderr.write(f"\r{done} of {total} turns", ending="" if done < total else "\n")


def name_student(transcript: Conversation) -> str:
    """Return the log-in name for a file's first person, the same each time."""
    name = re.sub(r"[\W_]+", "-", f"{transcript.people[0]}-{transcript.name}".lower()).strip("-")
    return name or "replayed"


def enter(username: str, transcript: Conversation) -> ChatAccess:
    """Log the student in as of the first session, and make them first where there is none of that name.

    Raises:
        WrongKey: somebody of that name has another password.
        CommandError: they are no student, or it is no log-in name.
    """
    started = transcript.sessions[0].at
    try:
        person = (
            find_person(username)
            or create_person(
                username,
                password=PASSWORD,
                now=started,
                display_name=transcript.people[0][:NAME_LENGTH] or username,
                role=Person.Role.STUDENT,
                language=as_language(transcript.language),
                welcomed_at=started,
            ).person
        )
    except ValidationError as refused:
        raise CommandError(" ".join(refused.messages)) from None
    if person.role != Person.Role.STUDENT:
        raise CommandError(f"{username} is no student: choose another --username.")
    return chat_access(person, unlock_at_log_in(person, password=PASSWORD, now=started))


def report(done: Replayed, username: str) -> str:
    """Return what came of it in one line."""
    turns = len(done.turn_of)
    if not done.added and not done.memories and not done.sleeps:
        return f"All {turns} turns were lived as {username} before: nothing to add."
    before = f" ({turns - done.added} were there before)" if done.added < turns else ""
    slept = f", slept over in {done.sleeps} batches" if done.sleeps else ""
    return f"{turns} turns lived as {username}{before}: {done.memories} memories formed{slept}."
