"""`manage.py prepare`: what a start needs, in one process: schema, roles, schedules, packs to take in, demo people."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from companion_site.audit.checkpoint_services import make_checkpoint
from companion_site.audit.keys import get_audit_keys
from companion_site.jobs import sync_schedules
from companion_site.vault.checks import site_role_is_bound, what_is_missing

OF_ANOTHER_VERSION = (
    "This database was made by another version of Companion, whose tables this one cannot read; nothing was changed in it. "
    "There is no release yet, so no way leads across. To go on with an empty site, move the data away (with `make run`: mv var "
    "var-before) or name another database in DATABASE_URL; to have the old data back, start the version that made it."
)


def find_unknown(loader: MigrationLoader) -> set[tuple[str, str]]:
    """Return the migrations of installed apps that this database went through and this version does not have."""
    return {
        (app, name)
        for app, name in loader.applied_migrations.keys() - loader.disk_migrations.keys()
        if app in loader.migrated_apps
    }


class Command(BaseCommand):
    help = "Bring the database up to date, install schedules, queue packs, and make the demo people of a first run."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--no-demo", action="store_true", help="Make no demo people.")

    def handle(self, *args, no_demo, **options):
        self.check(tags=["llm"])
        executor = MigrationExecutor(connections["owner"])
        if find_unknown(executor.loader):
            raise CommandError(OF_ANOTHER_VERSION)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=0, skip_checks=True)
        errors = site_role_is_bound(databases=["default", "metadata"])
        if errors:
            raise CommandError(" ".join(f"{error.msg} {error.hint}" for error in errors))
        missing = what_is_missing()
        if missing:
            raise CommandError(f"{missing} Or give up what they seal: manage.py check_keys --give-up.")
        sync_schedules()
        if get_audit_keys().last_checkpoint()[0] == 0:
            make_checkpoint(now=timezone.now())
        if settings.SHIPPED_PACKS:
            call_command("ensure_packs")
        if not no_demo:
            call_command("ensure_demo")
