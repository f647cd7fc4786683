"""Which facts of somebody's life a statement of theirs tells, and when they come up. Nothing is rewritten and nothing is made up.

A kind is taken from a turn of phrase (`cues`), unless other words take it back. What speaks of danger is left to the ledger, and
so is what perhaps does, and what was told as a secret: nobody is reminded of it in passing. Measured: docs/algorithms/storing.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from memory.algorithms.reminders import Coming, read_coming
from memory.models import LifeFact
from memory.reading.params import READING
from memory.reading.service import danger_chances, get_heads
from memory.student.ledger_promotion.kinds import find_category
from memory.student.life.facts import cues

_KIND = LifeFact.Kind
#: kinds for which it counts when they come up
TIMED = frozenset({_KIND.ROUTINE, _KIND.APPOINTMENT, _KIND.MEDICATION, _KIND.PROMISE})
#: of a statement so many characters are read: one is a sentence or two, and what is longer was never taken apart
LONGEST_READ = 600
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


def read_facts(
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    *,
    language: str,
    said_at: datetime,
    embedder: Embedder,
) -> list[list[Told]]:
    """Return the facts of each statement, in the order of the kinds.

    Args:
        vectors: (n, d) of the statements, by `embedder`.
        said_at: what "tomorrow" is told from, taken in the site's local time.
    """
    if not texts:
        return []
    local = timezone.localtime(said_at)
    return [
        _read(text, language, local, guarded=danger >= READING.danger_perhaps or _is_secret(text))
        for text, danger in zip(texts, danger_chances(texts, vectors, get_heads(embedder)), strict=True)
    ]


def name_facts(
    kinds: Sequence[str], text: str, *, language: str, said_at: datetime, of_danger: bool
) -> list[Told]:
    """Return the facts of the kinds that a model named for a statement, with when they come up.

    Args:
        of_danger: the statement speaks of danger.
    """
    allowed = PLAIN if of_danger or _is_secret(text) else set(_KIND.values)
    when = describe(read_coming(_plain(text), language=language, said_at=timezone.localtime(said_at)))
    return [Told(kind=kind, detail=when if kind in TIMED else {}) for kind in kinds if kind in allowed]


def speaks_of_now(text: str) -> bool:
    """Tell whether a statement is said of the person's own life as it is: not asked, imagined, called off or told of a story."""
    plain = _plain(text)
    ways = (cues.STAGE, cues.IMAGINED, cues.CALLED_OFF, cues.NOT_MINE)
    return not plain.endswith("?") and not any(way.search(plain) for way in ways)


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


def _is_secret(text: str) -> bool:
    """Tell whether a statement's own words ask for silence."""
    return find_category(text[:LONGEST_READ]) == "secret"


def _read(text: str, language: str, said_at: datetime, *, guarded: bool) -> list[Told]:
    plain = _plain(text)
    if plain.endswith("?") or cues.STAGE.search(plain) or cues.IMAGINED.search(plain):
        return []
    coming = read_coming(plain, language=language, said_at=said_at)
    kinds = _by_cues(plain, coming) & (PLAIN if guarded else set(_KIND.values))
    when = describe(coming)
    return [Told(kind=kind, detail=when if kind in TIMED else {}) for kind in _KIND.values if kind in kinds]


def _by_cues(plain: str, coming: Coming) -> set[str]:
    """Return the kinds that a statement's own words speak for."""
    lasting = {_KIND.FAMILY: cues.FAMILY, _KIND.HEALTH: cues.HEALTH}
    found: set[str] = {kind for kind, pattern in lasting.items() if pattern.search(plain)}
    if cues.CALLED_OFF.search(plain):
        return found
    if cues.PREFERENCE.search(plain):
        found.add(_KIND.PREFERENCE)
    if cues.MEDICATION.search(plain) and not cues.OTHERS.search(plain) and not cues.NOT_TAKEN.search(plain):
        found.add(_KIND.MEDICATION)
    elif _is_promise(plain):
        found.add(_KIND.PROMISE)
    if _is_appointment(plain, coming):
        found.add(_KIND.APPOINTMENT)
    if found.isdisjoint({_KIND.MEDICATION, _KIND.PROMISE}) and _is_routine(plain, coming):
        found.add(_KIND.ROUTINE)
    return found


def _is_promise(plain: str) -> bool:
    if cues.NOT_PROMISED.search(plain) or cues.KEPT.search(plain):
        return False
    return cues.PROMISE.search(plain) is not None


def _is_appointment(plain: str, coming: Coming) -> bool:
    """Tell whether something is agreed for a day to come; without a day, only where an appointment is named as such."""
    if coming.is_recurring or cues.NOT_MINE.search(plain):
        return False
    if coming.on is not None:
        return cues.APPOINTMENT.search(plain) is not None
    return cues.BOOKED.search(plain) is not None and cues.PAST.search(plain) is None


def _is_routine(plain: str, coming: Coming) -> bool:
    if any(way.search(plain) for way in (cues.PAST, cues.NOT_YET)) or not cues.SELF.search(plain):
        return False
    return coming.is_recurring or (bool(coming.at) and cues.HABIT.search(plain) is not None)


def _plain(text: str) -> str:
    return " ".join(text[:LONGEST_READ].replace("\u2019", "'").split())
