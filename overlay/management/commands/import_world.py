"""`manage.py import_world FILE --school NAME`: make a school's world what a file says."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from companion_site.accounts.models import School
from overlay.errors import WorldRefused
from overlay.importer import import_world
from overlay.world_files import parse_world


class Command(BaseCommand):
    help = "Take a world file in for a school; docs/world-files.md tells the format."

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument("--school", required=True, help="The school's name.")

    def handle(self, *args, file, school, **options):
        schools = list(School.objects.filter(name=school)[:2])
        if len(schools) != 1:
            raise CommandError(
                "There is no school of that name." if not schools else "Several schools have it."
            )
        try:
            changes = import_world(schools[0], parse_world(file.read_bytes()), now=timezone.now())
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except WorldRefused as error:
            more = [f"and {error.others} more"] if error.others else []
            raise CommandError("\n".join([*map(str, error.problems), *more])) from None
        self.stdout.write(", ".join(f"{name} {count}" for name, count in changes.counts.items()))
