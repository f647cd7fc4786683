"""`manage.py replay_erasures`: erase once more what was erased, after an older copy was restored."""

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from companion_site.vault.services import replay_erasures


class Command(BaseCommand):
    help = "Erase again every space that the checkpoints list as erased."

    def handle(self, *args, **options):
        said, listed, reopened = replay_erasures(now=timezone.now())
        self.stdout.write(f"{listed} erasures are listed; {reopened} spaces were open again and are erased.")
        if said.findings:
            for one in said.findings:
                self.stderr.write(f"#{one.position} [{one.kind}]: {one.why}")
            raise CommandError("The list may lack erasures: checkpoints are missing or do not hold.")
