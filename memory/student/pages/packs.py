"""Knowledge packs as a student sees them: which there are for them, what stands in one, mounting and taking off."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.accounts.access import Access, student_action, student_page
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackMount, PackNode
from memory.models.agents import NodeType
from memory.packs import mounts
from memory.packs.contents import load_nodes
from memory.packs.errors import TooManyMounts
from memory.packs.relevance import parts_of
from memory.packs.search import search_packs
from memory.packs.shipped import list_shipped
from memory.packs.signatures import voucher_of
from memory.student.pages.navigation import render_page

PAGE_LENGTH = 40
#: nodes that a search on a pack's page shows; links that a node's page shows
FOUND, LINKS = 40, 24
#: of what is searched for no more is read
MOST_WORDS = 200


def find_pack(person: Person, space: UUID, pack: UUID) -> dict[str, Any]:
    """Return one pack as the pages show it; found as `mounts.find_pack` does."""
    return _show(mounts.find_pack(person, pack), Space.objects.get(pk=pack), _mounted(space))


def _mounted(space: UUID) -> list[UUID]:
    with space_scope(space, reading=True):
        return list(PackMount.objects.for_space(space).values_list("pack_space_id", flat=True))


def _show(pack: Pack, space: Space, mounted: Sequence[UUID]) -> dict[str, Any]:
    is_mounted = pack.space_id in mounted
    return {
        "pack": pack,
        "voucher": voucher_of(pack.signed_by),
        "whose": _whose(space),
        "is_mounted": is_mounted,
    }


def _whose(space: Space) -> str | Promise:
    if space.owner_id is not None:
        return gettext_lazy("your own")
    if space.school_id is not None:
        return gettext_lazy("your school's")
    return gettext_lazy("for everybody") if space.company_id is None else gettext_lazy("your company's")


def _lines(pack: UUID, key: str, wanted: Sequence[Any]) -> dict[Any, dict[str, Any]]:
    """Return nodes of a pack as they stand in a list, by the column that names those that are wanted."""
    with space_scope(pack, reading=True):
        rows = list(PackNode.objects.for_space(pack).filter(**{f"{key}__in": wanted}))
    lines = {}
    for row in rows:
        told = row.payload.get("definition") or row.payload.get("summary") or row.payload.get("text") or ""
        lines[getattr(row, key)] = {
            "id": row.pk,
            "label": row.label,
            "kind": NodeType(row.type).label,
            "summary": told if isinstance(told, str) else "",
        }
    return lines


@student_page
def packs(request: PersonRequest, access: Access) -> HttpResponse:
    """List the packs that the person may mount, mounted ones first; those to come, and mounted ones that are gone."""
    mounted, found = _mounted(access.space), mounts.list_packs(access.person)
    spaces = Space.objects.in_bulk([pack.space_id for pack in found])
    shown = [_show(pack, spaces[pack.space_id], mounted) for pack in found]
    here = {pack.space_id for pack in found}
    shipped = list_shipped() if settings.SHIPPED_PACKS else ()
    context = {
        "packs": sorted(shown, key=lambda one: not one["is_mounted"]),
        "coming": [
            one.name for one in shipped if not one.is_ready and not one.removed and one.failed_at is None
        ],
        "gone": [pack for pack in mounted if pack not in here],
    }
    return render_page(request, access, "packs", {"shown": context})


@student_page
def pack(request: PersonRequest, access: Access, pack_id: UUID) -> HttpResponse:
    """Show what a pack says of itself, and its nodes in the order of their paths; with words asked for, the best by them."""
    shown = find_pack(access.person, access.space, pack_id)
    words = request.GET.get("q", "").replace("\0", "").strip()[:MOST_WORDS]
    positions: Sequence[int] = range(shown["pack"].node_count)
    if words:
        hits = search_packs([pack_id], vector=None, words=words, k=FOUND)
        positions = [hit.position for hit in hits]
    page = Paginator(positions, PAGE_LENGTH).get_page(request.GET.get("page"))
    lines = _lines(pack_id, "position", list(page.object_list))
    context = {
        "shown": shown,
        "page": page,
        "lines": [lines[position] for position in page.object_list if position in lines],
        "words": words,
    }
    return render_page(request, access, "pack", context)


@student_page
def pack_node(request: PersonRequest, access: Access, pack_id: UUID, node_id: UUID) -> HttpResponse:
    """Show one node of a pack whole, with the nodes that it leads to, the heaviest first."""
    shown = find_pack(access.person, access.space, pack_id)
    with space_scope(pack_id, reading=True):
        row = PackNode.objects.for_space(pack_id).find(pk=node_id)
    (wire,) = load_nodes(pack_id, [row.position])
    links = wire["links"][:LINKS]
    lines = _lines(pack_id, "path", [link["to"] for link in links])
    node = {
        "node": row,
        "parts": parts_of(row.payload),
        "links": [
            (link["rel"].replace("_", " "), lines[link["to"]]) for link in links if link["to"] in lines
        ],
    }
    return render_page(request, access, "pack_node", {"shown": shown, "one": node})


@student_action
def mount(request: PersonRequest, access: Access, pack_id: UUID) -> HttpResponse:
    """Have the companion draw on a pack."""
    try:
        mounts.mount(access.key, pack_id, person=access.person, now=timezone.now())
    except TooManyMounts as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("In use. Your companion draws on it from your next message on."))
    return redirect("memory:packs")


@student_action
def unmount(request: PersonRequest, access: Access, pack_id: UUID) -> HttpResponse:
    """Have the companion draw on a pack no longer."""
    mounts.unmount(access.key, pack_id, person=access.person, now=timezone.now())
    messages.success(request, _("No longer in use. Your companion does not look into it any more."))
    return redirect("memory:packs")
