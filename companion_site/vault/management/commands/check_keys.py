"""`manage.py check_keys`: whether every sealed memory has its key; exit 1 where not."""

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from companion_site.vault.missing_keys import find_missing, give_up, what_is_missing


class Command(BaseCommand):
    help = "Look for the key of every sealed memory."

    def add_arguments(self, parser):
        parser.add_argument(
            "--give-up",
            action="store_true",
            help="The missing keys are lost for good: close those memories, so that their people can begin anew.",
        )

    def handle(self, *args, give_up: bool, **options):
        missing = find_missing()
        if not missing:
            self.stdout.write(f"All {missing.standing} sealed memories have their keys.")
            return
        if give_up:
            self._close(missing)
            return
        whole = what_is_missing()
        raise CommandError(
            f"{len(missing.without_key)} of {missing.standing} sealed memories have no key here. {whole}".strip()
        )

    def _close(self, missing):
        give_up(missing.without_key, now=timezone.now())
        self.stdout.write(
            f"{len(missing.without_key)} memories are closed for good; their people begin anew."
        )
