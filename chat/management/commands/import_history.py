"""`manage.py import_history USERNAME FILE ...`: bring in a student's export of another chat."""

import sys
from argparse import ArgumentParser
from getpass import getpass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from chat.access import ChatAccess, chat_access
from chat.imports import uploads, work
from chat.imports.uploads import State, own_import
from chat.memories.formation import form_all_awaiting
from chat.models import Import
from companion_site.accounts.services import find_person, unlock_at_log_in
from companion_site.errors import CompanionError


class Command(BaseCommand):
    help = (
        "Read exports of ChatGPT, Claude or Open WebUI and tell what is in them; with --keep, keep it and form memories of what "
        "the person said. Doing it again adds only what is missing. The student's password is asked for, or read from a pipe."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--keep", action="store_true", help="Keep it; otherwise nothing is.")

    def handle(self, *args: Any, username: str, files: list[Path], keep: bool, **options: Any) -> None:
        try:
            access = self._enter(username)
            row = self._read(access, files)
            if keep:
                self._keep(access, row)
            else:
                work.discard(access, row.pk)
                self.stdout.write("Nothing was kept: --keep keeps it.")
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from None
        except CompanionError as error:
            raise CommandError(str(error)) from None

    def _enter(self, username: str) -> ChatAccess:
        person = find_person(username)
        if person is None:
            raise CommandError(f"There is nobody called {username}.")
        password = getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
        return chat_access(person, unlock_at_log_in(person, password=password, now=timezone.now()))

    def _read(self, access: ChatAccess, files: list[Path]) -> Import:
        announced = [(file.name, file.stat().st_size) for file in files]
        row = uploads.begin(access, announced, now=timezone.now())
        for number, file in enumerate(files):
            with file.open("rb") as content:
                uploads.take_file(access, row, number, content)
        work.finish_upload(access, row.pk, now=timezone.now(), here=True)
        row = own_import(access, row.pk)
        if row.state != State.READY:
            raise CommandError(str(row.get_problem_display()))
        with access.open():
            told = row.preview or {}
        self.stdout.write(
            f"{', '.join(told['sources'])}: {told['conversations']} conversations ({told['known']} here already), "
            f"{told['messages']} messages, {told['said']} of the person's, {told['first']} to {told['last']}"
        )
        for one in told["examples"]:
            self.stdout.write(f"  would be remembered: {one['text']}")
        return row

    def _keep(self, access: ChatAccess, row: Import) -> None:
        work.keep(access, row.pk, now=timezone.now(), here=True)
        self.stdout.write("Kept. Forming memories; the site goes on with it if this is stopped.")
        done = form_all_awaiting(access.space, key=access.key, now=timezone.now())
        self.stdout.write(f"{done} messages read for memories.")
