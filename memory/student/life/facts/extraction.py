"""Which facts of somebody's life a statement of theirs tells, and when they come up. Nothing is rewritten and nothing is made up.

The reader tells the kinds (`memory.reading.notes`), the words when it comes up. What speaks of danger is left to the ledger, and
so is what perhaps does, and what was told as a secret: nobody is reminded of it in passing. Measured: docs/algorithms/storing.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from memory.algorithms.difference import is_negated
from memory.algorithms.reminders import Coming, read_coming
from memory.models import LifeFact
from memory.reading.notes import read_notes
from memory.reading.params import READING

_KIND = LifeFact.Kind
#: kinds for which it counts when they come up
TIMED = frozenset({_KIND.ROUTINE, _KIND.APPOINTMENT, _KIND.MEDICATION, _KIND.PROMISE})
#: kinds that can be open
OPEN_KINDS = (_KIND.APPOINTMENT, _KIND.MEDICATION, _KIND.PROMISE)
#: of a statement so many characters are read: one is a sentence or two, and what is longer was never taken apart
LONGEST_READ = 600
#: an appointment without a day to come is read so surely: what is over has none either
UNDATED = 0.7
#: what the reader is asked of a statement
CONFIDED = "secret"
READ = (*_KIND.values, CONFIDED)
#: where a detail keeps when something that comes again was done last
DONE = "done"
#: kinds that stand beside a secret and beside what might be a threat: about one's own body, or a day that is agreed
PLAIN = frozenset({_KIND.HEALTH, _KIND.MEDICATION, _KIND.APPOINTMENT})


@dataclass(frozen=True, kw_only=True)
class Told:
    """One fact that a statement tells.

    Attributes:
        detail: when it comes up: "on" (ISO date), "at" (list of "HH:MM"), "weekdays" (list, 0 is Monday), "every"; what was not
            said is left out.
    """

    kind: str
    detail: dict[str, object]


def read_life_facts(
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    dangers: Sequence[float],
    *,
    language: str,
    said_at: datetime,
    embedder: Embedder,
) -> list[list[Told]]:
    """Return the facts of each statement, in the order of the kinds.

    Args:
        vectors: (n, d) of the statements, by `embedder`.
        dangers: (n,) how likely each speaks of danger.
        said_at: what "tomorrow" is told from, taken in the site's local time.
    """
    if not texts:
        return []
    noted = read_notes([_plain(text) for text in texts], vectors, READ, embedder=embedder)
    return [
        _tell(
            notes,
            read_coming(_plain(text), language=language, said_at=timezone.localtime(said_at)),
            guarded=danger >= READING.danger_perhaps or CONFIDED in notes,
            is_denied=is_negated(text),
        )
        for text, notes, danger in zip(texts, noted, dangers, strict=True)
    ]


def name_facts(
    kinds: Sequence[str], text: str, *, language: str, said_at: datetime, guarded: bool
) -> list[Told]:
    """Return the facts of the kinds that a model named for a statement, with when they come up.

    Args:
        guarded: the statement speaks of danger, or was told as a secret.
    """
    allowed = PLAIN if guarded else set(_KIND.values)
    when = describe(read_coming(_plain(text), language=language, said_at=timezone.localtime(said_at)))
    return [Told(kind=kind, detail=when if kind in TIMED else {}) for kind in kinds if kind in allowed]


def describe(coming: Coming) -> dict[str, object]:
    """Return when something comes up as it is kept."""
    said: dict[str, object] = {}
    if coming.on is not None:
        said["on"] = coming.on.isoformat()
    if coming.at:
        said["at"] = [moment.strftime("%H:%M") for moment in coming.at]
    if coming.weekdays:
        said["weekdays"] = sorted(coming.weekdays)
    if coming.every is not None:
        said["every"] = coming.every
    return said


def recover(detail: dict) -> Coming:
    """Return what `describe` kept."""
    on = detail.get("on")
    return Coming(
        on=date.fromisoformat(on) if on else None,
        at=tuple(time.fromisoformat(moment) for moment in detail.get("at", ())),
        weekdays=frozenset(detail.get("weekdays", ())),
        every=detail.get("every"),
    )


def _tell(notes: Mapping[str, float], coming: Coming, *, guarded: bool, is_denied: bool) -> list[Told]:
    kinds = set(notes) & (PLAIN if guarded else set(_KIND.values))
    if coming.is_recurring or (coming.on is None and notes.get(_KIND.APPOINTMENT, 0.0) < UNDATED):
        kinds.discard(_KIND.APPOINTMENT)
    if is_denied:
        kinds.discard(_KIND.MEDICATION)
    if kinds & {_KIND.MEDICATION, _KIND.PROMISE}:
        kinds.discard(_KIND.ROUTINE)
    when = describe(coming)
    return [Told(kind=kind, detail=when if kind in TIMED else {}) for kind in _KIND.values if kind in kinds]


def _plain(text: str) -> str:
    return " ".join(text[:LONGEST_READ].replace("\u2019", "'").split())
