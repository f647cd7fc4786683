"""Imports as their person sees them: how far one is, what is in it, and what may be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.access import ChatAccess
from chat.conversations.deletion import KEPT
from chat.imports.uploads import State
from chat.models import Import, Message
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.student.pages.pending import Waiting

LISTED = 50


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One import for its page: `preview` has moments for times; `waiting` tells how far work on it is."""

    row: Import
    files: Sequence[str]
    preview: dict[str, Any]
    waiting: Waiting | None
    can_come_back: bool

    @property
    def problem(self) -> str:
        return str(self.row.get_problem_display())


def list_imports(access: ChatAccess) -> list[Import]:
    """Return the person's imports, the last begun first."""
    with space_scope(access.space):
        return list(Import.objects.for_space(access.space).filter(author_id=access.person.pk)[:LISTED])


def present(access: ChatAccess, row: Import, *, now: datetime) -> Shown:
    """Return an import as its page shows it."""
    with unlocked(access.space, access.key):
        preview, files = dict(row.preview or {}), [name for name, _size in row.files]
    for key in ("first", "last"):
        preview[key] = _moment(preview.get(key))
    preview["examples"] = [{**one, "at": _moment(one.get("at"))} for one in preview.get("examples", ())]
    return Shown(
        row=row,
        files=files,
        preview=preview,
        waiting=_waiting(access, row, said=preview.get("said", 0)),
        can_come_back=row.removed_at is not None and row.removed_at > now - KEPT,
    )


def _waiting(access: ChatAccess, row: Import, *, said: int) -> Waiting | None:
    """Return how far work is, None where none is going on."""
    done, total = row.done, row.total
    if row.state == State.READING:
        found = ngettext("One conversation found", "%(n)d conversations found", done) % {"n": done}
        return _told(row, _("Your file is being read"), found, 0)
    if row.state == State.KEEPING:
        return _told(row, _("Your conversations are being kept"), _("Kept"), _percent(done, total))
    if row.state in (State.REMOVING, State.RESTORING):
        return _told(row, str(row.get_state_display()), _("A moment"), 0)
    left = _count_unformed(access, row) if row.state == State.KEPT else 0
    if left:
        label = _("Remembered")
        return _told(
            row, _("Your companion is remembering what you said"), label, _percent(said - left, said)
        )
    return None


def _count_unformed(access: ChatAccess, row: Import) -> int:
    with space_scope(access.space):
        rows = Message.objects.for_space(access.space).awaiting_formation()
        return rows.filter(conversation__brought_by=row).count()


def _told(row: Import, title: str, label: str, percent: int) -> Waiting:
    return Waiting(
        title=title,
        label=label,
        percent=percent,
        is_open=True,
        state_url=reverse("chat:import_state", args=[row.pk]),
        done_url=reverse("chat:import", args=[row.pk]),
    )


def _percent(done: int, total: int) -> int:
    return max(0, min(99, 100 * done // total)) if total else 0


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
