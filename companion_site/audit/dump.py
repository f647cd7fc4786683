"""The record as a file: JSON lines, one event each, by chain and position. Pure."""

import json
from collections.abc import Callable, Iterator
from typing import IO
from uuid import UUID

from companion_site.audit.chain import FIELDS, Event, Finding, Kind

BYTES = ("previous_hash", "hash", "seal")
#: No event is longer; reading holds one line at a time.
LONGEST_LINE = 1_000_000


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
