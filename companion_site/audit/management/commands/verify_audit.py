"""`manage.py verify_audit`: check every chain of the record; exit 1 where one is broken."""

from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from companion_site.audit.models import AuditEvent
from companion_site.audit.services import find_breaks


class Command(BaseCommand):
    help = "Verify the hash chains of the audit record."

    def add_arguments(self, parser):
        parser.add_argument("--space", type=UUID, help="Only this space's chain.")

    def handle(self, *args, space, **options):
        breaks = list(find_breaks(space))
        for broken in breaks:
            self.stderr.write(f"{broken.chain} #{broken.position}: {broken.why}")
        if breaks:
            raise CommandError(f"{len(breaks)} broken place(s) in the audit record.")
        events = AuditEvent.objects.all() if space is None else AuditEvent.objects.filter(chain=space)
        chains = events.order_by().values("chain").distinct().count()
        self.stdout.write(f"{events.count()} events in {chains} chains: all hold.")
