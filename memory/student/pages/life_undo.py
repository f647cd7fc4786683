"""The last thing deleted on the page of mood and goals, kept sealed in the session so that one click has it back."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import BoxBroken
from memory.student.life.deletion import Deleted

SESSION_FIELD = "life_deleted"
#: Within so long somebody notices that they meant another one.
OFFERED = timedelta(minutes=15)


@dataclass(frozen=True, kw_only=True)
class Undo:
    """What can be had back, and the part of the page to go back to."""

    deleted: Deleted
    part: str


def keep_undo(request: PersonRequest, deleted: Deleted, *, part: str, now: datetime) -> None:
    """Keep what brings a deleted row back; what was kept before is gone for good."""
    request.session[SESSION_FIELD] = {**deleted.to_json(), "part": part, "at": now.isoformat()}


def find_undo(request: PersonRequest, *, now: datetime) -> Undo | None:
    """Return what can be had back, if anything."""
    kept = request.session.get(SESSION_FIELD)
    if not kept:
        return None
    if now - datetime.fromisoformat(kept["at"]) > OFFERED:
        drop_undo(request)
        return None
    try:
        return Undo(deleted=Deleted.from_json(kept), part=kept.get("part", ""))
    except BoxBroken:
        return None


def drop_undo(request: PersonRequest) -> None:
    """Forget what could be had back."""
    request.session.pop(SESSION_FIELD, None)
