"""`manage.py work`: run background jobs."""

from django.core.management import call_command
from django.core.management.base import BaseCommand

from companion_site.llm.gateway import get_gateway


class Command(BaseCommand):
    help = "Run background jobs until stopped."

    def handle(self, *args, **options):
        # Before the processes that work are forked: each would load the providers' SDKs anew within its first job's time.
        get_gateway()
        call_command("qcluster")
