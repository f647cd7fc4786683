"""How the record stands, for those who look after it: its last checkpoint, and whether that holds."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db.models import Q

from companion_site.audit.checkpoint_services import checkpoint_directory
from companion_site.audit.checkpoints import (
    LINE,
    LONGEST_STATEMENT,
    BadCheckpoint,
    Statement,
    is_signed,
    last_line,
    read_statement,
    statement_hash,
)
from companion_site.audit.keys import get_audit_keys
from companion_site.audit.models import AuditEvent

logger = structlog.get_logger(__name__)

#: A checkpoint is old after so many times the minutes between two, and never before so many minutes.
OLD_AFTER, NEVER_OLD_BEFORE = 5, 15
#: Chains of the last checkpoint that are looked up in the database for a page.
MOST_LOOKED_UP = 50


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
        statement, message, signature = read_statement(line)
        holds = _is_ours(number, line, statement, message, signature) and _is_in_the_record(body)
    except (OSError, BadCheckpoint, KeyError):
        logger.exception("audit.checkpoint_unreadable")
        return CheckpointStanding()
    at = datetime.fromisoformat(statement.at)
    return CheckpointStanding(
        number=number,
        at=at,
        holds=holds,
        is_old=now - at > old_after(),
        refused=statement.refused,
        unsent=unsent,
    )


def old_after() -> timedelta:
    """Return how long after a checkpoint the next one should be there."""
    return timedelta(minutes=max(OLD_AFTER * settings.AUDIT_CHECKPOINT_MINUTES, NEVER_OLD_BEFORE))


def checkpoint_age_s(now: datetime) -> int | None:
    """Return the seconds since the last checkpoint; None where there is none that can be read."""
    at = look_at_last_checkpoint(now).at
    return None if at is None else max(0, round((now - at).total_seconds()))


def _is_ours(number: int, line: bytes, statement: Statement, message: bytes, signature: bytes) -> bool:
    keys = get_audit_keys()
    known, digest = keys.last_checkpoint()
    is_last = number > known or (number == known and statement_hash(line) == digest)
    public = keys.public_key(statement.key)
    return statement.number == number and is_last and is_signed(public, signature, message)


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
