"""`manage.py import_pack FILE`: take a knowledge pack in."""

from getpass import getpass
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from companion_site.accounts.models import Company, Person, School
from memory.models import Pack
from memory.packs.crypto import site_public_key
from memory.packs.errors import PackRefused
from memory.packs.importer import Audience, import_pack

DOING = {"check": "checked", "write": "written"}


class Command(BaseCommand):
    help = "Take a knowledge pack in, for everybody or for those named; docs/packs.md tells the format."

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, nargs="?")
        whose = parser.add_mutually_exclusive_group()
        whose.add_argument("--owner", metavar="NAME", help="The log-in name of the person whose own it is.")
        whose.add_argument("--school", metavar="NAME", help="The school for which it is.")
        whose.add_argument("--company", metavar="NAME", help="The company for which it is.")
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            "--passphrase-file", type=Path, help="Where the passphrase stands; it is asked for otherwise."
        )
        how.add_argument("--sealed", action="store_true", help="The pack was sealed to this site's key.")
        parser.add_argument(
            "--public-key", action="store_true", help="Print the key that packs for this site are sealed to."
        )

    def handle(self, *args, file, passphrase_file, sealed, public_key, **options):
        if public_key:
            self.stdout.write(site_public_key().hex())
            return
        if file is None:
            raise CommandError("Which file?")
        passphrase = None if sealed else _passphrase(passphrase_file)
        try:
            with file.open("rb") as stream:
                pack = import_pack(
                    stream,
                    audience=_audience(options),
                    now=timezone.now(),
                    passphrase=passphrase,
                    progress=self._tell,
                )
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except PackRefused as refused:
            raise CommandError(str(refused)) from None
        later = "; it is embedded in the background now" if pack.state == Pack.State.EMBEDDING else ""
        self.stdout.write(
            f"{pack.name} {pack.pack_version}: {pack.node_count} nodes, {pack.edge_count} links{later}. "
            f"Its space is {pack.space_id}."
        )

    def _tell(self, done, total, doing):
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {total} {DOING[doing]} ", ending="")


def _passphrase(path):
    return path.read_text().rstrip("\r\n") if path is not None else getpass("Passphrase: ")


def _audience(options):
    found = {}
    if options["owner"] is not None:
        found["owner"] = _one(Person.objects.filter(username=options["owner"]), "person")
    if options["school"] is not None:
        found["school_id"] = _one(School.objects.filter(name=options["school"]), "school").pk
    if options["company"] is not None:
        found["company_id"] = _one(Company.objects.filter(name=options["company"]), "company").pk
    return Audience(**found)


def _one(rows, what):
    found = list(rows[:2])
    if len(found) != 1:
        raise CommandError(f"There is no {what} of that name." if not found else "Several have that name.")
    return found[0]
