"""Checkpoints of the record: made, sent, held against the record, and how the last one stands; and new keys."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import IO, Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q

from companion_site.audit.chain import Finding, check_event
from companion_site.audit.checkpoint_directory import CheckpointDirectory, NotSent
from companion_site.audit.checkpoints import (
    LINE,
    LONGEST_STATEMENT,
    BadCheckpoint,
    Replayed,
    SortedPromises,
    Statement,
    erasure_line,
    head_line,
    is_signed,
    last_line,
    read_statement,
    replay,
    sign_statement,
    statement_hash,
)
from companion_site.audit.keys import DirectoryAuditKeys, get_audit_keys
from companion_site.audit.models import ERASED, AuditEvent
from companion_site.audit.services import find_breaks, lock_keys, read_events
from companion_site.errors import CheckpointFailed
from companion_site.ids import first_id

logger = structlog.get_logger(__name__)

#: How far the clocks of the site's machines and of the database may stand apart.
CLOCKS_APART = timedelta(minutes=2)
#: Others who make one at the same moment are let go first so often.
TRIES = 50
#: A checkpoint is old after so many times the minutes between two, and never before so many minutes.
OLD_AFTER, NEVER_OLD_BEFORE = 5, 15
#: Chains of the last checkpoint that are looked up in the database for a page.
MOST_LOOKED_UP = 50


def checkpoint_directory() -> CheckpointDirectory:
    """Return where checkpoints are kept, as `AUDIT_CHECKPOINT_DIR` says."""
    return CheckpointDirectory(settings.AUDIT_CHECKPOINT_DIR)


def make_checkpoint(
    *, now: datetime, whole: bool = False, restored: bool = False, introduce: int | None = None
) -> Statement:
    """Sign how far every chain reaches that changed since the last checkpoint, and which spaces were erased; keep it, send it.

    Two who make one at once make one after the other. One that cannot be sent is kept, told in the log and sent with the next.

    Args:
        whole: name every chain. The first checkpoint does, and one whose predecessor is not to be found.
        restored: an older copy of the database was restored on purpose; earlier checkpoints have said more, and that lapses.
        introduce: number of keys to vouch for.

    Raises:
        CheckpointFailed: what is kept as the last checkpoint is not this site's.
        OSError: the directory or the key store cannot be written.
    """
    keys, kept = get_audit_keys(), checkpoint_directory()
    key = keys.current()  # makes the first
    number, _digest, since = _last(keys, kept)
    whole = whole or restored or since is None
    begun = _everything_before_is_committed()
    with kept.draft() as draft:
        counts = _write_body(draft, None if whole else since)
        body, end = counts.pop("body"), draft.tell()
        for _try in range(TRIES):
            number, digest, _since = _last(keys, kept)
            # Behind the last: whoever went over to a new key signed with it before.
            key = keys.current()
            vouched = {key} if number == 0 else set()
            vouched |= {introduce} if introduce is not None else set()
            statement = Statement(
                number=number + 1,
                at=now.astimezone(UTC).isoformat(),
                since=begun.astimezone(UTC).isoformat(),
                previous=digest.hex(),
                body=body,
                whole=whole,
                restored=restored,
                key=key,
                introduces={str(one): keys.public_key(one).hex() for one in vouched},
                **counts,
            )
            line = sign_statement(statement, partial(keys.sign, key))
            draft.seek(end)
            draft.truncate()
            draft.write(line)
            if kept.add(statement.number, draft):
                keys.note_checkpoint(statement.number, statement_hash(line))
                break
        else:
            raise CheckpointFailed()
    send_checkpoints(kept)
    return statement


def send_checkpoints(kept: CheckpointDirectory) -> None:
    """Give the command of `AUDIT_CHECKPOINT_COMMAND` what it has not taken yet; what it does not take waits, and is told."""
    if not settings.AUDIT_CHECKPOINT_COMMAND:
        return
    try:
        kept.send(settings.AUDIT_CHECKPOINT_COMMAND)
    except NotSent as problem:
        logger.error("audit.checkpoint_unsent", waiting=kept.count_unsent(), reason=str(problem))


def rotate_keys(*, now: datetime) -> int:
    """Replace both keys of the record; return the number of the new ones.

    While nobody writes, the old key signs that the new one counts, everybody goes over, and the new one signs what the old
    one has sealed until then: behind that, nothing under the old key holds. Stopped anywhere, it can be run again.
    """
    keys = get_audit_keys()
    make_checkpoint(now=now)  # what is long is done before anybody has to wait
    with transaction.atomic():
        lock_keys()
        key = keys.current() + 1
        keys.make(key)
        make_checkpoint(now=now, introduce=key)
        keys.use(key)
        make_checkpoint(now=now)
    return key


def replay_kept(promises: SortedPromises | None = None, *, only: UUID | None = None) -> Replayed:
    """Verify the checkpoints that are kept, with the keys of the key store, and put what they promise into `promises`."""
    keys = get_audit_keys()
    last = keys.last_checkpoint()  # before the directory is read, which may only get longer
    publics = {keys.public_key(key) for key in range(1, keys.current() + 1)}
    keep = promises.add if promises is not None else lambda promise: None
    return replay(checkpoint_directory().files(), keep, trusted=publics, last=last, only=only)


def verify_record(
    chain: UUID | None = None, *, counts: Counter | None = None
) -> tuple[Replayed, Iterator[Finding]]:
    """Return what the checkpoints say, and every place where the record does not hold against them, as it is found."""
    promises = SortedPromises()
    said = replay_kept(promises, only=chain)
    return said, find_breaks(chain, promises=promises, rules=said.rules, counts=counts)


def _last(keys: DirectoryAuditKeys, kept: CheckpointDirectory) -> tuple[int, bytes, datetime | None]:
    """Return number and hash of the last checkpoint, and from when on the next one has to look: None for everything.

    The key store knows the last one too. Where the directory has lost it, the row goes on behind the one that is known, so that
    the gap is found.

    Raises:
        CheckpointFailed: the directory's last is not signed by this site, or not the one that the key store knows.
    """
    known, digest = keys.last_checkpoint()
    number = kept.last_number()
    if number < known:
        logger.error("audit.checkpoints_missing", found=number, expected=known)
        return known, digest, None
    if number == 0:
        return 0, digest, None
    try:
        with kept.open(number) as file:
            line = last_line(file)
        statement, is_ours = _read_last(number, line, known=(known, digest))
    except (BadCheckpoint, KeyError):
        is_ours = False
    if not is_ours:
        logger.error("audit.checkpoint_foreign", number=number)
        raise CheckpointFailed()
    return number, statement_hash(line), datetime.fromisoformat(statement.since)


def _read_last(number: int, line: bytes, *, known: tuple[int, bytes]) -> tuple[Statement, bool]:
    """Return a statement, and whether this site signed it under that number and knows no other as its last."""
    statement, message, signature = read_statement(line)
    public = get_audit_keys().public_key(statement.key)
    is_last = number > known[0] or (number, statement_hash(line)) == known
    return statement, statement.number == number and is_last and is_signed(public, signature, message)


def _everything_before_is_committed() -> datetime:
    """Return the moment at which the oldest transaction under way began; what is written later is found by its id's time."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT least(clock_timestamp(), (SELECT min(xact_start) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()))"
        )
        return cursor.fetchone()[0]


def _write_body(draft: IO[bytes], since: datetime | None) -> dict[str, Any]:
    """Write the heads of chains that changed, and the erasures; return how many there are, and the body's SHA-256.

    A chain whose last event does not hold is left out and told: this site signs nothing that it did not write.
    """

    digest, heads, erasures, refused = hashlib.sha256(), 0, 0, 0

    def write(line: bytes) -> None:
        digest.update(line)
        draft.write(line)

    rows = AuditEvent.objects.order_by("chain", "-position").distinct("chain")
    erased = AuditEvent.objects.filter(action=ERASED).order_by("id")
    if since is not None:
        rows, erased = (found.filter(pk__gte=first_id(since - CLOCKS_APART)) for found in (rows, erased))
    sealer = get_audit_keys().seal
    for event in read_events(rows):
        chain, position = UUID(event.values["chain"]), event.values["position"]
        if check_event(event, sealer) is not None:
            refused += 1
            logger.error("audit.head_refused", chain=str(chain), position=position)
            continue
        write(head_line(chain, position, event.hash))
        heads += 1
    for event in read_events(erased):
        if check_event(event, sealer) is None:
            chain, at = UUID(event.values["chain"]), datetime.fromisoformat(event.values["at"])
            write(erasure_line(chain, at))
            erasures += 1
    return {"heads": heads, "erasures": erasures, "refused": refused, "body": digest.hexdigest()}


@dataclass(frozen=True, kw_only=True)
class CheckpointStanding:
    """The last checkpoint of the record.

    Attributes:
        at: when it was made; None where there is none that can be read.
        holds: it is signed by this site, it is the last that this site made, and the events that it names last are still there.
        is_old: more time has passed than should.
        refused: chains that did not hold when it was made.
        unsent: checkpoints that the command has not taken.
    """

    number: int = 0
    at: datetime | None = None
    holds: bool = False
    is_old: bool = True
    refused: int = 0
    unsent: int = 0

    @property
    def is_well(self) -> bool:
        return self.holds and not (self.is_old or self.refused or self.unsent)

    def age_s(self, now: datetime) -> float | None:
        """Return the seconds since it was made; None where there is none that can be read."""
        return None if self.at is None else (now - self.at).total_seconds()


def look_at_last_checkpoint(now: datetime) -> CheckpointStanding:
    """Return how the last checkpoint stands; a few files are read, and at most one question is asked of the database."""
    kept = checkpoint_directory()
    try:
        number = kept.last_number()
        unsent = kept.count_unsent() if settings.AUDIT_CHECKPOINT_COMMAND else 0
        if number == 0:
            return CheckpointStanding(unsent=unsent)
        with kept.open(number) as file:
            line = last_line(file)
            file.seek(0)
            body = [file.readline(LONGEST_STATEMENT) for _ in range(MOST_LOOKED_UP)]
        statement, is_ours = _read_last(number, line, known=get_audit_keys().last_checkpoint())
        holds = is_ours and _is_in_the_record(body)
    except (OSError, BadCheckpoint, KeyError):
        logger.exception("audit.checkpoint_unreadable")
        return CheckpointStanding()
    at = datetime.fromisoformat(statement.at)
    minutes = max(OLD_AFTER * settings.AUDIT_CHECKPOINT_MINUTES, NEVER_OLD_BEFORE)
    return CheckpointStanding(
        number=number,
        at=at,
        holds=holds,
        is_old=now - at > timedelta(minutes=minutes),
        refused=statement.refused,
        unsent=unsent,
    )


def checkpoint_age_s(now: datetime) -> int | None:
    """Return the seconds since the last checkpoint; None where there is none that can be read."""
    age_s = look_at_last_checkpoint(now).age_s(now)
    return None if age_s is None else max(0, round(age_s))


def _is_in_the_record(body: list[bytes]) -> bool:
    """Tell whether the events that some lines name are in the database, as they were."""
    found = [match for match in map(LINE.fullmatch, body) if match is not None and match["chain"]]
    wanted = {
        (match["chain"].decode(), int(match["position"]), bytes.fromhex(match["hash"].decode()))
        for match in found
    }
    if not wanted:
        return True
    places = Q()
    for chain, position, _digest in wanted:
        places |= Q(chain=chain, position=position)
    rows = AuditEvent.objects.filter(places).order_by().values_list("chain", "position", "hash")
    return wanted == {(str(chain), position, bytes(digest)) for chain, position, digest in rows}
