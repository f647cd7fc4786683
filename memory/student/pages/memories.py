"""The pages of memories: all of them in the order they formed, what is held on to, and single ones: where each came from, what it replaced,
was made of and hangs together with, and correcting, sorting and forgetting it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.accounts.access import Access, student_action, student_page
from companion_site.accounts.requests import PersonRequest
from companion_site.embeddings.service import get_embedder
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.models import MemoryChange, MemoryEdge, MemoryNode
from memory.student import corrections
from memory.student.corrections import LONGEST
from memory.student.pages.about_me import FORGOTTEN
from memory.student.pages.changes import recent_changes
from memory.student.pages.filters import CATEGORIES
from memory.student.pages.navigation import refusals_on, render_page, way_back, with_given
from memory.student.pages.passages import passages_of
from memory.student.pages.runs import plan_of
from memory.student.pages.selectors import (
    HELD_NOW,
    Shown,
    fill_in,
    load_around,
    load_edges,
    load_memories,
    load_shapes,
    still_held,
)
from memory.student.params import SLEEP

Members = Mapping[UUID, Sequence[UUID]]
PAGE_LENGTH = 40
REPLACEMENTS = (MemoryChange.Kind.SUPERSEDED, MemoryChange.Kind.CORRECTED)
MOST_RELATED = 12
#: of each part so many are shown; the list under the picture has all
MOST_SHOWN = 20
#: So many changes stand above the timeline; all of them have a page of their own.
MOST_CHANGES = 3


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One memory on the timeline, with its neighbours in time and the change that can be taken back."""

    memory: Shown
    replaced: list[Shown]
    newer: Shown | None
    change: UUID | None


def read_members(space: UUID) -> Members:
    """Return what each memory was made of, one step back.

    What was made of others and taken apart again points to one of them, and is part of nothing.
    """
    found: dict[UUID, list[UUID]] = defaultdict(list)
    with space_scope(space):
        # All that were ever merged are few; naming ids in the query would cost more.
        rows = (
            MemoryNode.objects.for_space(space).filter(merged_into__isnull=False).order_by("formed_at", "id")
        )
        merged = list(rows.values_list("pk", "merged_into_id", "trust"))
    made_of_others = {into for _, into, _ in merged}
    for node, into, trust in merged:
        if trust != MemoryNode.Trust.DERIVED or node in made_of_others:
            found[into].append(node)
    return found


def first_memories(members: Members, node: UUID) -> list[UUID]:
    """Return the memories that were there first behind one; none behind one that was itself there first."""
    found: list[UUID] = []
    seen, waiting = {node}, list(members.get(node, ()))
    while waiting:
        at = waiting.pop(0)
        if at in seen:
            continue
        seen.add(at)
        behind = members.get(at, ())
        waiting.extend(behind)
        if not behind:
            found.append(at)
    return found


def show_moments(space: UUID, nodes: list[UUID], *, now: datetime) -> list[Moment]:
    """Return memories with what they replaced and what replaced them, the newest first."""
    memories, known = load_around(space, nodes, now=now)
    changes = standing_changes(space, nodes)
    return [
        Moment(
            memory=memory,
            replaced=[known[node] for node in memory.replaces if node in known],
            newer=next((known[node] for node in memory.became if node in known), None),
            change=changes.get(memory.id) if _can_come_back(memory, known) else None,
        )
        for memory in memories
    ]


def _can_come_back(memory: Shown, known: dict[UUID, Shown]) -> bool:
    """Return whether what took a memory away can be undone; not before what it became is back, if that went too."""
    became = known.get(memory.merged_into) if memory.merged_into is not None else None
    return bool(memory.ended_at and memory.text) and (became is None or became.ended_at is None)


def standing_changes(space: UUID, nodes: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the last change that took each of these memories away and was not undone."""
    with space_scope(space):
        rows = MemoryChange.objects.for_space(space).filter(
            undone_at__isnull=True, node_ids__has_any_keys=[str(node) for node in nodes]
        )
        changes = list(rows.order_by("id").values_list("pk", "kind", "node_ids"))
    found = {}
    for change, kind, ids in changes:
        # A replacement names what took the place after what gave it up.
        gone = {UUID(node) for node in (ids[:1] if kind in REPLACEMENTS else ids)}
        found.update(dict.fromkeys(gone.intersection(nodes), change))
    return found


def present_memory(space: UUID, node_id: UUID, *, now: datetime) -> dict[str, Any]:
    """Return what the page of one memory shows.

    Raises:
        NotFound: the space has no such memory.
    """
    moments = show_moments(space, [node_id], now=now)
    if not moments:
        raise NotFound()
    (moment,) = moments
    passage = passages_of(space, [node_id], earlier=2).get(node_id)
    members = read_members(space)
    parts = members.get(node_id, ())
    made_of = load_memories(space, Q(pk__in=first_memories(members, node_id)), now=now)[::-1]
    stands_for = {memory.id for memory in made_of} | set(parts)
    others = [old for old in moment.replaced if old.id not in stands_for]
    return {
        "moment": moment,
        "passage": passage if passage is not None and passage.adds_to(moment.memory.text or "") else None,
        "made_of": made_of,
        # What was made of others and taken apart again is no part of what it points to.
        "replaced": [
            old for old in others if not old.is_derived or old.merged_into is None or old.id in members
        ],
        "earlier": [old for old in moment.replaced if old.id in parts and old.id in members],
        "related": _related(space, node_id, now=now),
        "most_sleeps": SLEEP.most_sleeps,
    }


def _related(space: UUID, node_id: UUID, *, now: datetime) -> list[dict[str, Any]]:
    """Return the memories that hold and that edges lead to, the strongest first, and how the two hang together."""
    edges = sorted(load_edges(space, [node_id]), key=lambda edge: -edge[3])
    kinds: dict[UUID, str] = {}
    for source, target, kind, _weight in edges:
        kinds.setdefault(target if source == node_id else source, kind)
    memories = {memory.id: memory for memory in load_memories(space, HELD_NOW & Q(pk__in=kinds), now=now)}
    return [
        {"memory": memories[node], "label": str(MemoryEdge.Type(kind).label)}
        for node, kind in kinds.items()
        if node in memories
    ][:MOST_RELATED]


def present_held(space: UUID, *, now: datetime) -> dict[str, Any]:
    """Return what holds now: the parts of long-term memory, and of what is short-term what awaits sleep and what was let go."""
    shapes = load_shapes(space, still_held(now), now=now)
    short = [shape for shape in shapes if not shape.is_long_term]
    fresh = [shape for shape in short if shape.awaits_sleep]
    let_go = [shape for shape in short if not shape.awaits_sleep]
    return {
        "is_empty": not shapes,
        "parts": _parts(space, [shape for shape in shapes if shape.is_long_term]),
        "awaiting": {"count": len(fresh), "memories": fill_in(space, fresh[:MOST_SHOWN])},
        "let_go": {"count": len(let_go), "memories": fill_in(space, let_go[:MOST_SHOWN])},
    }


def _parts(space: UUID, shapes: Sequence[Shown]) -> list[dict[str, Any]]:
    """Return the four parts, what was renewed last first, and one of what stands in none where there is any.

    Each memory comes with how many stand behind it.
    """
    latest = sorted(shapes, key=lambda shape: shape.slept_over_at or shape.formed_at, reverse=True)
    categories = (*(named for named in MemoryNode.Category if named), MemoryNode.Category.NONE)
    by_part = {part: [shape for shape in latest if shape.category == part] for part in categories}
    shown = fill_in(space, [shape for held in by_part.values() for shape in held[:MOST_SHOWN]])
    members = read_members(space)
    return [
        {
            "category": str(part),
            "label": str(part.label) if part else "",
            "count": len(found),
            "held": [
                {"memory": memory, "behind": len(first_memories(members, memory.id))}
                for memory in shown
                if memory.category == part
            ],
        }
        for part, found in by_part.items()
        if part or found
    ]


class CorrectionForm(forms.Form):
    """How something really is."""

    text = forms.CharField(
        label=gettext_lazy("How it really is"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )


class SortForm(forms.Form):
    """Which part of long-term memory something belongs to."""

    category = forms.ChoiceField(label=gettext_lazy("It is about my"), choices=CATEGORIES)


@student_page
def history(request: PersonRequest, access: Access) -> HttpResponse:
    """Show memories day by day, the newest first, with what changed lately and what else is kept of the past."""
    now = timezone.now()
    with space_scope(access.space):
        rows = MemoryNode.objects.for_space(access.space).order_by("-formed_at", "-id")
        page = Paginator(rows.values_list("pk", flat=True), PAGE_LENGTH).get_page(request.GET.get("page"))
        nodes = list(page)
    context = {
        "page": page,
        "moments": show_moments(access.space, nodes, now=now),
        "changes": recent_changes(access.space, now=now, most=MOST_CHANGES) if page.number == 1 else [],
    }
    return render_page(request, access, "history", context)


@student_page
def held(request: PersonRequest, access: Access) -> HttpResponse:
    """Show long-term memory by its parts, and what is short-term with what awaits it."""
    now = timezone.now()
    context = {
        "held": present_held(access.space, now=now),
        "plan": plan_of(access.space, now=now),
        "most_shown": MOST_SHOWN,
    }
    return render_page(request, access, "held", context)


@student_page
def memory(request: PersonRequest, access: Access, node_id: UUID) -> HttpResponse:
    """Show one memory with everything known of it."""
    return _memory(request, access, node_id, None)


@student_action
def correct(request: PersonRequest, access: Access, node_id: UUID) -> HttpResponse:
    """Put other words in a memory's place."""
    form = CorrectionForm(request.POST)
    if form.is_valid():
        with refusals_on(form, "text"):
            newer = corrections.correct_memory(
                access.space,
                node_id,
                text=form.cleaned_data["text"],
                embedder=get_embedder(),
                now=timezone.now(),
                actor=access.person,
            )
            messages.success(request, _("Put right. The old words are kept as history."))
            return redirect(way_back(request, newer) or reverse("memory:memory", args=[newer]))
    return _memory(request, access, node_id, form, status=400)


@student_action
def sort(request: PersonRequest, access: Access, node_id: UUID) -> HttpResponse:
    """Put a long-term memory into another part."""
    form = SortForm(request.POST)
    if not form.is_valid():
        return _memory(request, access, node_id, None, sorting=form, status=400)
    corrections.sort_memory(
        access.space,
        node_id,
        category=form.cleaned_data["category"],
        now=timezone.now(),
        actor=access.person,
    )
    messages.success(request, _("Sorted, as you said."))
    return redirect("memory:memory", node_id)


@student_action
def forget(request: PersonRequest, access: Access, node_id: UUID) -> HttpResponse:
    """Forget one memory."""
    change = corrections.forget_memory(access.space, node_id, now=timezone.now(), actor=access.person)
    if back := way_back(request):
        return redirect(with_given(back, FORGOTTEN, change.pk))  # it says so there, with a way to undo it
    messages.success(
        request, _("Forgotten. You can undo this here for %(days)s days.") % {"days": settings.TOMBSTONE_DAYS}
    )
    return redirect("memory:memory", node_id)


@student_page
def privacy(request: PersonRequest, access: Access) -> HttpResponse:
    """Say who can read this, what is kept, and what is lost with a key."""
    return render_page(request, access, "privacy", {})


def _memory(
    request: PersonRequest,
    access: Access,
    node_id: UUID,
    form: CorrectionForm | None,
    *,
    sorting: SortForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = present_memory(access.space, node_id, now=timezone.now())
    shown = context["moment"].memory
    context["form"] = form or CorrectionForm(initial={"text": shown.text})
    context["sorting"] = sorting or SortForm(initial={"category": shown.category})
    return render_page(request, access, "memory", context, status=status)
