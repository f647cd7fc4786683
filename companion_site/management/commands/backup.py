"""`manage.py backup DIRECTORY`: copy the database; `manage.py backup --keys DIRECTORY`: copy the keys, to another place."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand
from django.utils import timezone

from companion_site.backup import copy_keys, dump_database, write_keys


class Command(BaseCommand):
    help = "Write a copy of the database, or with --keys of the keys, to a new file."

    def add_arguments(self, parser):
        parser.add_argument("directory", help="Where the file is written; - with --keys: to standard output.")
        parser.add_argument("--keys", action="store_true", help="Copy the keys in place of the database.")

    def handle(self, *args, directory: str, keys: bool, **options):
        if keys and directory == "-":
            write_keys(sys.stdout.buffer)
            return
        copy = copy_keys if keys else dump_database
        path = copy(Path(directory), now=timezone.now())
        self.stdout.write(f"{path} ({path.stat().st_size} bytes)")
