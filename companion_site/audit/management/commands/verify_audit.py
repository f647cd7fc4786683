"""`manage.py verify_audit`: hold the record against its keys and its checkpoints; exit 1 where it does not hold.

With `--offline FILE` a dump made by `export_audit` is verified, without a database and without the site's keys.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from companion_site.audit.chain import Finding, read_dump, verify
from companion_site.audit.checkpoint_directory import CheckpointDirectory
from companion_site.audit.checkpoint_services import verify_record
from companion_site.audit.checkpoints import Replayed, SortedPromises, replay
from companion_site.audit.keys import DirectoryAuditKeys

MOST_TOLD = 1000


class Command(BaseCommand):
    help = "Verify the audit record against its keys and its signed checkpoints."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--space", type=UUID, help="Only this space's chain.")
        parser.add_argument("--offline", metavar="FILE", help="Verify this dump; `-` for the standard input.")
        parser.add_argument("--checkpoints", type=Path, help="Offline: the directory of checkpoints.")
        parser.add_argument("--public-key", help="Offline: a public key of the site, in hexadecimal digits.")
        parser.add_argument(
            "--last", metavar="NUMBER:HASH", help="Offline: the last checkpoint that you know of."
        )
        parser.add_argument("--audit-keys", type=Path, help="Offline: a copy of the site's audit keys.")

    def handle(self, *args, space, offline, **options):
        counts: Counter = Counter()
        findings: Iterable[Finding]
        if offline is None:
            said, findings = verify_record(space, counts=counts)
            has_keys = True
        else:
            said, findings = _offline(offline, space, counts, **options)
            has_keys = options["audit_keys"] is not None
        found = self._tell(said.findings) + self._tell(findings)
        for statement in said.restored:
            self.stdout.write(
                f"Checkpoint {statement.number} says: an older copy was restored, {statement.at}."
            )
        if found:
            raise CommandError(f"{found} broken place(s) in the audit record.")
        if space is not None and not counts["chains"]:
            raise CommandError(f"There is no chain of {space}.")
        self.stdout.write(f"{counts['events']} events in {counts['chains']} chains: all hold.")
        if said.last is None:
            self.stdout.write("There is no checkpoint: what was cut off or deleted whole could not be found.")
            return
        statement, digest = said.last
        self.stdout.write(
            f"{said.count} checkpoints; the last is {statement.number}:{digest.hex()} of {statement.at}."
        )
        how = "are sealed, and could be cut off unseen" if has_keys else "are as the dump has them, unchecked"
        self.stdout.write(f"{counts['unpromised']} events behind it {how}.")

    def _tell(self, findings: Iterable[Finding]) -> int:
        count = 0
        for count, one in enumerate(findings, 1):
            if count <= MOST_TOLD:
                place = f"{one.chain} #{one.position}" if one.chain else f"#{one.position}"
                self.stderr.write(f"{place} [{one.kind}]: {one.why}")
        return count


def _offline(
    dump: str,
    space: UUID | None,
    counts: Counter,
    *,
    checkpoints: Path | None,
    public_key: str | None,
    last: str | None,
    audit_keys: Path | None,
    **options,
) -> tuple[Replayed, Iterable[Finding]]:
    promises, said = SortedPromises(), Replayed()
    try:
        if checkpoints is not None:
            if not checkpoints.is_dir():
                raise CommandError(f"There is no directory {checkpoints}.")
            if not public_key or len(bytes.fromhex(public_key)) != 32:
                raise CommandError("--checkpoints needs --public-key: 64 hexadecimal digits.")
            number, _colon, digest = (last or f"0:{'0' * 64}").partition(":")
            known = int(number), bytes.fromhex(digest)
            files = CheckpointDirectory(checkpoints).files()
            said = replay(files, promises.add, trusted={bytes.fromhex(public_key)}, last=known, only=space)
            if not said.count:
                raise CommandError(f"There is no checkpoint in {checkpoints}.")
    except ValueError:
        raise CommandError("--public-key takes 64 hexadecimal digits, --last takes NUMBER:HASH.") from None
    sealer = DirectoryAuditKeys(audit_keys).seal if audit_keys is not None else None
    unreadable: list[Finding] = []

    def findings() -> Iterable[Finding]:
        try:
            with sys.stdin.buffer if dump == "-" else open(dump, "rb") as file:
                events = read_dump(file, unreadable.append, only=space)
                yield from verify(events, promises, sealer=sealer, rules=said.rules, counts=counts)
        except OSError as problem:
            raise CommandError(f"{dump} cannot be read: {problem.strerror}.") from None
        yield from unreadable

    return said, findings()
