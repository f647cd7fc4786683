"""`manage.py work`: run background jobs."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from companion_site.running.priority import give_way


class Command(BaseCommand):
    help = "Run background jobs until stopped."

    def handle(self, *args, **options):
        # Before the processes that work are forked: each would load it all anew within its first job's time.
        import_string(settings.LOADED_AT_START)()
        # Somebody waits for pages and replies; a job may take a little longer.
        give_way()
        call_command("qcluster")
