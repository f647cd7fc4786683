"""`manage.py check_keys`: whether every sealed memory has its key; exit 1 where not."""

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from companion_site.vault.checks import find_missing, what_is_missing
from companion_site.vault.models import Space
from companion_site.vault.services import close_space


class Command(BaseCommand):
    help = "Look for the key of every sealed memory."

    def add_arguments(self, parser):
        parser.add_argument(
            "--give-up",
            action="store_true",
            help="The missing keys are lost for good: close those memories, so that their people can begin anew.",
        )

    def handle(self, *args, give_up: bool, **options):
        standing, without_key = find_missing()
        if not without_key:
            self.stdout.write(f"All {standing} sealed memories have their keys.")
        elif give_up:
            for space in Space.objects.filter(pk__in=without_key):
                close_space(space, now=timezone.now(), actor=None)
            self.stdout.write(f"{len(without_key)} memories are closed for good; their people begin anew.")
        else:
            found = f"{len(without_key)} of {standing} sealed memories have no key here."
            raise CommandError(f"{found} {what_is_missing()}".strip())
