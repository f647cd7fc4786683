"""`manage.py prepare`: what a start needs, in one process: schema, roles, schedules, packs to take in, demo people."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from companion_site.jobs import sync_schedules
from companion_site.vault.checks import site_role_is_bound


class Command(BaseCommand):
    help = "Bring the database up to date, install schedules, queue packs, and make the demo people of a first run."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--no-demo", action="store_true", help="Make no demo people.")

    def handle(self, *args, no_demo, **options):
        executor = MigrationExecutor(connections["owner"])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=0, skip_checks=True)
        errors = site_role_is_bound(databases=["default", "metadata"])
        if errors:
            raise CommandError(" ".join(f"{error.msg} {error.hint}" for error in errors))
        sync_schedules()
        if settings.SHIPPED_PACKS:
            call_command("ensure_packs")
        if not no_demo:
            call_command("ensure_demo")
