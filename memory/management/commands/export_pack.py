"""`manage.py export_pack SPACE FILE`: give a knowledge pack out again."""

from getpass import getpass
from pathlib import Path
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from companion_site.errors import CompanionError
from memory.packs.exporter import export_pack


class Command(BaseCommand):
    help = "Write a pack that is here to a file, under a passphrase or sealed to a key, signed by this site."

    def add_arguments(self, parser):
        parser.add_argument(
            "space", type=UUID, help="The pack's space, as import_pack and the admin tell it."
        )
        parser.add_argument("file", type=Path)
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            "--passphrase-file", type=Path, help="Where the passphrase stands; it is asked for otherwise."
        )
        how.add_argument(
            "--to",
            type=Path,
            metavar="KEY",
            help="A file with the key of who shall open it, in hexadecimal digits, as import_pack --public-key prints it.",
        )

    def handle(self, *args, space, file, passphrase_file, to, **options):
        try:
            opener = (
                {"public_key": bytes.fromhex(to.read_text().strip())}
                if to is not None
                else {"passphrase": _passphrase(passphrase_file)}
            )
            written = _write(space, file, opener)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.") from None
        except ValueError as error:
            raise CommandError(f"That key is none: {error}.") from None
        except CompanionError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{written.name} {written.version}: {written.nodes} nodes, {written.links} links in {file}."
        )


def _write(space, file, opener):
    """Write beside the file first, so that what stands there is whole or as it was."""
    draft = file.with_name(f".{file.name}.part")
    try:
        with draft.open("xb") as stream:
            written = export_pack(space, stream, now=timezone.now(), **opener)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    return written


def _passphrase(path):
    if path is not None:
        return path.read_text().rstrip("\r\n")
    given = getpass("Passphrase: ")
    if given != getpass("Once more: "):
        raise CommandError("The two differ.")
    return given
