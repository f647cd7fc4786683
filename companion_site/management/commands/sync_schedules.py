"""`manage.py sync_schedules`: make the recurring jobs in the database equal the declared ones."""

from django.core.management.base import BaseCommand

from companion_site.jobs import sync_schedules


class Command(BaseCommand):
    help = "Install the schedules that the apps declare."

    def handle(self, *args, **options):
        names = sync_schedules()
        self.stdout.write(f"{len(names)} schedules: {', '.join(names) or 'none'}")
