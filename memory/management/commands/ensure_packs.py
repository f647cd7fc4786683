"""`manage.py ensure_packs`: have the packs that ship with the site taken in, in the background; docs/packs.md."""

from django.core.management.base import BaseCommand

from memory.packs.shipped import queue_shipped


class Command(BaseCommand):
    help = "Queue the packs that ship with the site where they are not here yet; the worker takes them in."

    def add_arguments(self, parser):
        parser.add_argument(
            "--again", action="store_true", help="Those that an administrator removed as well."
        )

    def handle(self, *args, again, **options):
        queue_shipped(again=again)
