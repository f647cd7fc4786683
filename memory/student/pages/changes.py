"""What was changed in a memory, by itself or by hand: the page of it, undoing it, and settling what contradicts itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from companion_site.accounts.access import Access, student_action, student_page
from companion_site.accounts.requests import PersonRequest
from companion_site.vault.scope import space_scope
from memory.models import MemoryChange
from memory.student.contradictions import resolve
from memory.student.exchange.prompts import UNMEANT
from memory.student.exchange.store import REWORDED
from memory.student.pages.navigation import render_page, way_back
from memory.student.pages.selectors import Shown, load_around
from memory.student.sleep.store import COVERED, EXPIRED, KEPT, LET_GO
from memory.student.undo import undo_change
from memory.student.withdrawal import ANOTHER_VERSION, CONVERSATION_DELETED, IMPORT_REMOVED

Kind = MemoryChange.Kind
#: why a memory was put away beside a person's own wish
LET_GO_WITH = (REWORDED, ANOTHER_VERSION, CONVERSATION_DELETED, IMPORT_REMOVED, *UNMEANT)
#: what the companion did by itself, and the person may want back
AUTOMATIC = (
    Q(kind__in=(Kind.SUPERSEDED, Kind.MERGED, Kind.PRUNED))
    | Q(kind=Kind.CONSOLIDATED, reason=COVERED)
    | Q(kind__in=(Kind.FORGOTTEN, Kind.CORRECTED), reason__in=LET_GO_WITH)
)
#: changes that cannot be undone before what took the place is back
LAYERED = (Kind.MERGED, Kind.CONSOLIDATED)
#: what sleep did to one batch, the insights first
IN_ORDER = (COVERED, KEPT, LET_GO)
LATEST = 50
COLUMNS = ("id", "kind", "reason", "at", "undone_at", "node_ids")


@dataclass(frozen=True, kw_only=True)
class ShownChange:
    """One change: the memories it took away and what they became, or those that stayed, in another place."""

    id: UUID
    kind: str
    reason: str
    at: datetime
    undone_at: datetime | None
    gone: Sequence[Shown]
    moved: Sequence[Shown]
    became: Shown | None

    @property
    def title(self) -> str:
        by_reason: dict[str, str] = {
            COVERED: _("Taken into an insight"),
            KEPT: _("Kept word for word"),
            LET_GO: _("Of no lasting importance"),
            EXPIRED: _("Its time as a short-term memory was over"),
            REWORDED: _("Put in words that stand alone"),
            ANOTHER_VERSION: _("You said it differently, or went back to another version"),
            CONVERSATION_DELETED: _("You deleted the conversation it came from"),
            IMPORT_REMOVED: _("You removed the import it came from"),
            **dict.fromkeys(UNMEANT, _("Not meant as said")),
        }
        titles = {
            Kind.SUPERSEDED: _("Replaced by something newer"),
            Kind.MERGED: _("Several made into one"),
            Kind.PRUNED: _("Faded and tidied away"),
            Kind.CONSOLIDATED: _("Changed in sleep"),
            Kind.FORGOTTEN: _("Forgotten by you"),
            Kind.CORRECTED: _("Put right by you"),
        }
        return by_reason.get(self.reason) or titles[Kind(self.kind)]

    @property
    def first_words(self) -> str:
        """Words by which a button says what it is about."""
        return next((memory.text for memory in (*self.gone, *self.moved) if memory.text), "")

    @property
    def is_buried(self) -> bool:
        """Whether what took the place was itself replaced or taken away since: that has to be undone first."""
        return self.kind in LAYERED and self.became is not None and self.became.ended_at is not None

    @property
    def can_be_undone(self) -> bool:
        if self.undone_at is not None or self.is_buried:
            return False
        if self.moved:
            return any(memory.ended_at is None for memory in self.moved)
        return bool(self.gone) and all(memory.text for memory in self.gone)


def recent_changes(space: UUID, *, now: datetime, most: int = LATEST) -> list[ShownChange]:
    """Return what the companion changed by itself lately, the last first."""
    with space_scope(space):
        rows = MemoryChange.objects.for_space(space).filter(AUTOMATIC).order_by("-at", "-id")
        found = list(rows.values(*COLUMNS)[:most])
    return _show(space, found, now=now)


def changes_of_run(space: UUID, run: UUID, *, now: datetime) -> list[ShownChange]:
    """Return all that one clean-up or one run of a sleep did, insights first."""
    with space_scope(space):
        rows = MemoryChange.objects.for_space(space).filter(Q(run_id=run) | Q(sleep_id=run))
        found = list(rows.order_by("-at", "-id").values(*COLUMNS))
    place = {reason: number for number, reason in enumerate(IN_ORDER)}
    return sorted(_show(space, found, now=now), key=lambda change: place.get(change.reason, 0))


def _show(space: UUID, rows: Sequence[dict], *, now: datetime) -> list[ShownChange]:
    _, known = load_around(space, {UUID(node) for row in rows for node in row["node_ids"]}, now=now)
    return [
        _shown(row, [known[UUID(node)] for node in row["node_ids"] if UUID(node) in known], known)
        for row in rows
    ]


def _shown(row: dict, concerned: Sequence[Shown], known: dict[UUID, Shown]) -> ShownChange:
    """Return one change; a memory that still holds is not gone, it is what others became."""
    stays = row["reason"] in (KEPT, LET_GO)
    undone = row["undone_at"] is not None
    gone = [memory for memory in concerned if not stays and (memory.ended_at is not None or undone)]
    became = next((known[place] for memory in gone for place in memory.became if place in known), None)
    return ShownChange(
        **{name: row[name] for name in COLUMNS if name != "node_ids"},
        gone=[memory for memory in gone if became is None or memory.id != became.id],
        moved=concerned if stays else (),
        became=became,
    )


@student_page
def changes(request: PersonRequest, access: Access) -> HttpResponse:
    """Show what the companion changed lately."""
    return render_page(
        request, access, "changes", {"changes": recent_changes(access.space, now=timezone.now())}
    )


@student_action
def settle(request: PersonRequest, access: Access, contradiction_id: UUID) -> HttpResponse:
    """Settle a contradiction as the person says."""
    keep = request.POST.get("keep")
    resolve(access.space, contradiction_id, keep=keep, now=timezone.now(), actor=access.person)  # type: ignore[arg-type]  # checked there
    messages.success(request, _("Settled, as you said."))
    return redirect("memory:about_me")


@student_action
def undo(request: PersonRequest, access: Access, change_id: UUID) -> HttpResponse:
    """Undo one change, automatic or by hand, and go back to where the button stood."""
    undo_change(access.space, change_id, now=timezone.now(), actor=access.person)
    messages.success(request, _("Undone: it is as it was before."))
    return redirect(way_back(request) or reverse("memory:changes"))
