"""`manage.py export_audit`: write the record as JSON lines, for `verify_audit --offline`."""

import sys
from uuid import UUID

from django.core.management.base import BaseCommand

from companion_site.audit.chain import write_event
from companion_site.audit.services import stream_events


class Command(BaseCommand):
    help = "Write the audit record as JSON lines, by chain and position."

    def add_arguments(self, parser):
        parser.add_argument("file", nargs="?", default="-", help="Where to; the standard output without it.")
        parser.add_argument("--space", type=UUID, help="Only this space's chain.")

    def handle(self, *args, file, space, **options):
        if file == "-":
            sys.stdout.buffer.writelines(map(write_event, stream_events(space)))
            sys.stdout.buffer.flush()
            return
        with open(file, "xb") as target:
            target.writelines(map(write_event, stream_events(space)))
