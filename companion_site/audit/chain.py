"""How an event is hashed, sealed and told as a line, and how chains are verified. Pure: no database, no clock, no settings.

An event's `hash` is a SHA-256 that anybody can recompute. Its `seal` is a keyed hash (HMAC-SHA256) of that hash, under an
audit key that is not in the database: who owns the database alone can recompute every hash and not one seal.
"""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import IO, Any, NamedTuple
from uuid import UUID

START = bytes(32)
PURPOSE = b"companion audit event\0"

#: What the hash covers, in this order; every value is written out, empty ones too. The event's key comes last.
FIELDS = (
    "id",
    "chain",
    "position",
    "at",
    "action",
    "actor_id",
    "actor_label",
    "subject_type",
    "subject_id",
    "data",
)
#: Gives the seal of a 32-byte hash under the key of a number. Raises KeyError for a key that does not exist.
Sealer = Callable[[int, bytes], bytes]
BYTES = ("previous_hash", "hash", "seal")
#: No event is longer; reading holds one line at a time.
LONGEST_LINE = 1_000_000


class Kind(StrEnum):
    """What is wrong, of an event or of a checkpoint."""

    EDITED = "edited"
    FORGED = "forged"
    UNLINKED = "unlinked"
    GAP = "gap"
    REPEATED = "repeated"
    OUTDATED_KEY = "outdated key"
    UNKNOWN_KEY = "unknown key"
    REWRITTEN = "rewritten"
    CUT = "cut"
    UNREADABLE = "unreadable"
    CHECKPOINT_EDITED = "checkpoint edited"
    CHECKPOINT_SIGNATURE = "checkpoint signature"
    CHECKPOINT_UNLINKED = "checkpoint unlinked"
    CHECKPOINT_MISSING = "checkpoint missing"


@dataclass(frozen=True)
class Finding:
    """One place where the record does not hold.

    Attributes:
        chain: None where a checkpoint, or a line that cannot be read, is the place.
        position: of the event; of a checkpoint its number; else the number of the line.
    """

    kind: Kind
    chain: UUID | None
    position: int
    why: str


class Event(NamedTuple):
    """One row of the record.

    Attributes:
        values: a value for each of `FIELDS`; times as ISO 8601 in UTC, identifiers as strings.
        key: number of the audit key.
        seal: 32 bytes.
    """

    values: Mapping[str, Any]
    key: int
    previous_hash: bytes
    hash: bytes
    seal: bytes


class Promise(NamedTuple):
    """What a checkpoint says of a chain; sorts as events do: by chain, then position.

    Attributes:
        chain: 16 bytes.
        checkpoint: the number of the checkpoint.
    """

    chain: bytes
    position: int
    hash: bytes
    checkpoint: int


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What verified checkpoints say about the whole record.

    Attributes:
        retired: for each key that has been replaced, the number of the first checkpoint signed with its successor. Events
            under it stand in a chain no further than such a checkpoint saw.
        restored: numbers of checkpoints that were made after an older copy of the database was restored on purpose. What
            earlier ones said of later events has lapsed.
    """

    retired: Mapping[int, int] = field(default_factory=dict)
    restored: Sequence[int] = ()


def event_hash(previous: bytes, values: Mapping[str, Any]) -> bytes:
    """Return the 32-byte SHA-256 of one event and its predecessor's hash.

    JSON with sorted keys marks where each field ends and tells `null` from an empty string, so no two events share
    a form.

    Args:
        previous: 32 bytes, `START` for a chain's first event.
        values: a value for each of `FIELDS`, and for `key`.
    """
    body = [[name, values[name]] for name in (*FIELDS, "key")]
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(previous + text.encode()).digest()


def seal_with(secret: bytes, digest: bytes) -> bytes:
    """Return the 32-byte seal of an event's hash under a 32-byte audit key."""
    return hmac.digest(secret, PURPOSE + digest, "sha256")


def check_event(event: Event, sealer: Sealer | None) -> tuple[Kind, str] | None:
    """Return what is wrong with one event taken by itself; None when it holds.

    Args:
        sealer: None leaves the seal unchecked.
    """
    if event_hash(event.previous_hash, {**event.values, "key": event.key}) != event.hash:
        return Kind.EDITED, "was changed after it was written"
    if sealer is None:
        return None
    try:
        seal = sealer(event.key, event.hash)
    except KeyError:
        return Kind.UNKNOWN_KEY, f"names audit key {event.key}, which does not exist"
    if not hmac.compare_digest(seal, event.seal):
        return Kind.FORGED, "was not sealed with the audit key"
    return None


def verify(
    events: Iterable[Event],
    promises: Iterable[Promise] = (),
    *,
    sealer: Sealer | None,
    rules: Rules | None = None,
    counts: Counter | None = None,
) -> Iterator[Finding]:
    """Yield every place where chains do not hold, in one pass over both streams; memory is bounded by one chain's promises.

    Args:
        events: by chain, then position; a chain out of this order is reported.
        promises: in the same order.
        sealer: None where the audit keys are not at hand: seals stay unchecked.
        counts: takes `events`, `chains`, and `unpromised`: events behind the last promise of their chain.
    """
    rules, counts = rules or Rules(), Counter() if counts is None else counts
    told = groupby(promises, key=lambda promise: promise.chain)
    ahead = next(told, None)
    before = b""
    for name, rows in groupby(events, key=lambda event: event.values["chain"]):
        chain = UUID(name).bytes
        if chain <= before:
            first = next(iter(rows))
            yield Finding(
                Kind.REPEATED, UUID(bytes=chain), first.values["position"], "stands behind other chains"
            )
            continue
        before = chain
        while ahead is not None and ahead[0] < chain:
            yield from _verify_chain(ahead[0], (), list(ahead[1]), sealer, rules, counts)
            ahead = next(told, None)
        mine: list[Promise] = []
        if ahead is not None and ahead[0] == chain:
            mine = list(ahead[1])
            ahead = next(told, None)
        yield from _verify_chain(chain, rows, mine, sealer, rules, counts)
    while ahead is not None:
        yield from _verify_chain(ahead[0], (), list(ahead[1]), sealer, rules, counts)
        ahead = next(told, None)


def _verify_chain(
    chain: bytes,
    events: Iterable[Event],
    promises: list[Promise],
    sealer: Sealer | None,
    rules: Rules,
    counts: Counter,
) -> Iterator[Finding]:
    name = UUID(bytes=chain)
    promises = _standing(promises, rules)
    limits = {
        key: max((promise.position for promise in promises if promise.checkpoint <= last), default=0)
        for key, last in rules.retired.items()
    }
    promised: dict[int, dict[bytes, int]] = {}
    for promise in promises:
        promised.setdefault(promise.position, {}).setdefault(promise.hash, promise.checkpoint)
    position, previous, key = 0, START, 0
    counts["chains"] += 1
    for event in events:
        counts["events"] += 1
        at = event.values["position"]
        if at <= position:
            yield Finding(Kind.REPEATED, name, at, f"stands a second time, behind position {position}")
            continue
        found: tuple[Kind, str] | None
        if at != position + 1:
            found = Kind.GAP, f"expected position {position + 1}"
        elif event.previous_hash != previous:
            found = Kind.UNLINKED, "does not follow the event before it"
        else:
            found = check_event(event, sealer)
        if found is None and event.key < key:
            found = Kind.OUTDATED_KEY, f"is under key {event.key} behind events under key {key}"
        if found is None and at > limits.get(event.key, at):
            found = (
                Kind.OUTDATED_KEY,
                f"is under key {event.key}, which was replaced at position {limits[event.key]}",
            )
        if found is not None:
            yield Finding(found[0], name, at, found[1])
        for digest, checkpoint in promised.get(at, {}).items():
            if digest != event.hash and found is None:
                yield Finding(Kind.REWRITTEN, name, at, f"is not the event that checkpoint {checkpoint} saw")
        position, previous, key = at, event.hash, max(key, event.key)
    last = promises[-1] if promises else None
    if last is not None and last.position > position:
        why = f"is missing: checkpoint {last.checkpoint} saw the chain reach {last.position}"
        yield Finding(Kind.CUT, name, position + 1, why)
    counts["unpromised"] += max(0, position - (last.position if last else 0))


def _standing(promises: list[Promise], rules: Rules) -> list[Promise]:
    for restored in rules.restored:
        head = max((one.position for one in promises if one.checkpoint == restored), default=0)
        promises = [one for one in promises if one.checkpoint >= restored or one.position <= head]
    return promises


def write_event(event: Event) -> bytes:
    """Return one event as a line."""
    values = {**event.values, "key": event.key}
    for name in BYTES:
        values[name] = getattr(event, name).hex()
    return json.dumps(values, ensure_ascii=True, allow_nan=False).encode() + b"\n"


def read_dump(
    file: IO[bytes], report: Callable[[Finding], None], *, only: UUID | None = None
) -> Iterator[Event]:
    """Yield the events of a dump; a line that is none is reported by its number, and left out.

    Args:
        only: yield the events of this chain alone.
    """
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        try:
            event = _read_event(line)
        except (ValueError, TypeError, KeyError, RecursionError):
            report(Finding(Kind.UNREADABLE, None, number, "is no event that can be read"))
            continue
        if only is None or event.values["chain"] == str(only):
            yield event


def _read_event(line: bytes) -> Event:
    if not line.endswith(b"\n"):
        raise ValueError("breaks off")
    read = json.loads(line)
    if set(read) != {*FIELDS, "key", *BYTES}:
        raise ValueError("other fields")
    key, position = read.pop("key"), read["position"]
    if type(key) is not int or type(position) is not int or str(UUID(read["chain"])) != read["chain"]:
        raise ValueError("other types")
    previous, digest, seal = (bytes.fromhex(read.pop(name)) for name in BYTES)
    return Event(read, key, previous, digest, seal)
