"""`manage.py replay FILE`: live a recorded conversation as a demo student."""

import re
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from chat.access import chat_access
from chat.replay import live_through
from chat.transcripts import BadConversation, load
from companion_site.accounts.demo import PASSWORD
from companion_site.accounts.models import Person
from companion_site.accounts.services import create_person, find_person, unlock_at_log_in


class Command(BaseCommand):
    help = "Live a conversation from FILE as a student of the demo, with the dates it has."

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument("--username", help="The student's log-in name; made if there is none. Default: from FILE.")

    def handle(self, *args, file, username, **options):
        try:
            transcript = load(file)
        except (BadConversation, OSError) as error:
            raise CommandError(str(error)) from None
        started = transcript.sessions[0].at
        name = transcript.people[0]
        username = username or re.sub(r"\W+", "-", f"{name}-{transcript.name}".lower())[:64]
        person = find_person(username) or create_person(
            username,
            password=PASSWORD,
            now=started,
            display_name=name[:100],
            role=Person.Role.STUDENT,
            language="sv" if transcript.language == "sv" else "en",
        ).person
        key = unlock_at_log_in(person, password=PASSWORD, now=started)
        done = live_through(chat_access(person, key), transcript, tell=self._tell)
        self.stdout.write(f"{len(done.turn_of)} turns lived as {username}: {done.memories} memories formed.")
        self.stdout.write(f"Log in as {username}, password {PASSWORD}.")

    def _tell(self, done: int, total: int) -> None:
        if self.stderr.isatty() and (done % 10 == 0 or done == total):
            self.stderr.write(f"\r{done} of {total} turns", ending="" if done < total else "\n")
