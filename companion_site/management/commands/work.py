"""`manage.py work`: run background jobs."""

from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string
from django_q.signals import post_execute_in_worker, post_spawn

from companion_site.residue import guard_memory
from companion_site.running.services import give_way
from companion_site.vault.plaintext import forget_keys, keep_forgetting


class Command(BaseCommand):
    help = "Run background jobs until stopped."
    # Of pages and addresses it has none: to check them would load the whole site.
    requires_system_checks = (Tags.security,)

    def handle(self, *args, **options):
        guard_memory()
        # Threads are not forked: each process that works starts its own.
        post_spawn.connect(lambda **kwargs: keep_forgetting(), weak=False)
        post_execute_in_worker.connect(lambda **kwargs: forget_keys(), weak=False)
        # Before the processes that work are forked: each would load it all anew within its first job's time.
        import_string(settings.LOADED_AT_START)()
        # Somebody waits for pages and replies; a job may take a little longer.
        give_way()
        call_command("qcluster")
