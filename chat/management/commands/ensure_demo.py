"""`manage.py ensure_demo`: make the demo people and their world on the first run; print their log-ins each time."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from chat.demo.people import ensure_demo
from companion_site.accounts.demo import PASSWORD, demo_people


class Command(BaseCommand):
    help = "Make the demo people where there is nobody yet, and print who can log in."

    def handle(self, *args, **options):
        ensure_demo(now=timezone.now())
        people = demo_people()
        if people:
            names = ", ".join(f"{person.username} ({person.get_role_display().lower()})" for person in people)
            self.stdout.write(f"Demo log-ins, password {PASSWORD} unless changed: {names}")
