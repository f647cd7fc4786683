"""`manage.py restore --database DUMP --keys ARCHIVE`: put copies back into an empty database and an empty key store."""

from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from companion_site.backup import restore_database, restore_keys


class Command(BaseCommand):
    help = "Restore a copy of the database, and of the keys, into places that are empty."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--database", type=Path, help="What `manage.py backup` wrote.")
        parser.add_argument("--keys", type=Path, help="What `manage.py backup --keys` wrote.")

    def handle(self, *args, database: Path | None, keys: Path | None, **options):
        if database is None and keys is None:
            raise CommandError("Say what to restore: --database DUMP, --keys ARCHIVE, or both.")
        if keys is not None:
            restore_keys(keys)
        if database is not None:
            restore_database(database)
        call_command("prepare", no_demo=True)
        # What was erased after the copies were made is erased again before anybody comes in.
        call_command("replay_erasures", stdout=self.stdout)
        call_command("checkpoint_audit", stdout=self.stdout, restored=True)
        call_command("verify_audit", stdout=self.stdout)
        call_command("check_keys", stdout=self.stdout)
