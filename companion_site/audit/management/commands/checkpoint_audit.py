"""`manage.py checkpoint_audit`: make a checkpoint of the record now."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from companion_site.audit.checkpoint_services import make_checkpoint


class Command(BaseCommand):
    help = "Sign and keep a checkpoint of the audit record."

    def add_arguments(self, parser):
        parser.add_argument("--whole", action="store_true", help="Name every chain, not just what changed.")
        parser.add_argument(
            "--restored",
            action="store_true",
            help="An older copy of the database was restored on purpose: what it lacks lapses, and this is told for good.",
        )

    def handle(self, *args, whole, restored, **options):
        made = make_checkpoint(now=timezone.now(), whole=whole, restored=restored)
        self.stdout.write(f"Checkpoint {made.number}: {made.heads} chains, {made.erasures} erasures.")
        if made.refused:
            self.stderr.write(f"{made.refused} chains do not hold and were left out: run verify_audit.")
