"""Knowledge packs as a student sees them: which there are for them, what stands in one, mounting and taking off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackMount, PackNode
from memory.models.agents import NodeType
from memory.packs import mounts
from memory.packs.contents import load_nodes
from memory.packs.errors import TooManyMounts
from memory.packs.mounts import list_packs, may_mount
from memory.packs.relevance import Part, parts_of
from memory.packs.search import search_packs
from memory.packs.shipped import list_shipped
from memory.packs.signatures import Voucher, voucher_of
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.navigation import render_page

PAGE_LENGTH = 40
#: nodes that a search on a pack's page shows; links that a node's page shows
FOUND, LINKS = 40, 24
#: of what is searched for no more is read
MOST_WORDS = 200


@dataclass(frozen=True, kw_only=True)
class PackShown:
    """A pack that a person may mount."""

    pack: Pack
    voucher: Voucher
    whose: str | Promise
    is_mounted: bool


@dataclass(frozen=True, kw_only=True)
class PacksShown:
    """All packs for a person.

    Attributes:
        coming: names of packs for everybody that are still being taken in.
        gone: packs that are mounted and that the person may not read any more, or that are not there.
    """

    packs: Sequence[PackShown]
    coming: Sequence[str]
    gone: Sequence[UUID]


@dataclass(frozen=True, kw_only=True)
class NodeLine:
    """A node in a list."""

    id: UUID
    label: str
    kind: str
    summary: str


@dataclass(frozen=True, kw_only=True)
class NodeShown:
    """A node with everything that stands in it; links by their relations, the heaviest first."""

    node: PackNode
    parts: Sequence[Part]
    links: Sequence[tuple[str, NodeLine]]


def present_packs(person: Person, space: UUID) -> PacksShown:
    """Return the packs that a person may mount in their space, mounted ones first."""
    mounts = _mounts(space)
    packs = list_packs(person)
    spaces = Space.objects.in_bulk([pack.space_id for pack in packs])
    shown = [_shown(pack, spaces[pack.space_id], pack.space_id in mounts) for pack in packs]
    here = {pack.space_id for pack in packs}
    return PacksShown(
        packs=sorted(shown, key=lambda one: not one.is_mounted),
        coming=[
            one.name
            for one in (list_shipped() if settings.SHIPPED_PACKS else ())
            if not one.is_ready and not one.removed and one.failed_at is None
        ],
        gone=[pack for pack in mounts if pack not in here],
    )


def find_pack(person: Person, space: UUID, pack: UUID) -> PackShown:
    """Return one pack.

    Raises:
        NotFound: there is none, it is not ready, or it is none of this person's.
    """
    if not may_mount(person, pack):
        raise NotFound()
    with space_scope(pack, reading=True):
        row = Pack.objects.for_space(pack).filter(state=Pack.State.READY).first()
    if row is None:
        raise NotFound()
    return _shown(row, Space.objects.get(pk=pack), pack in _mounts(space))


def page_of_nodes(pack: Pack, number: str | None, *, words: str = "") -> tuple[Page[int], list[NodeLine]]:
    """Return a page of a pack's nodes in the order of their paths; with words asked for, the best by them."""
    positions: Sequence[int] = range(pack.node_count)
    if words:
        hits = search_packs([pack.space_id], vector=None, words=words, k=FOUND)
        positions = [hit.position for hit in hits]
    page = Paginator(positions, PAGE_LENGTH).get_page(number)
    return page, _lines_at(pack.space_id, list(page.object_list))


def present_node(pack: Pack, node: UUID) -> NodeShown:
    """Return a node of a pack that the person may read.

    Raises:
        NotFound: the pack has no such node.
    """
    with space_scope(pack.space_id, reading=True):
        row = PackNode.objects.for_space(pack.space_id).filter(pk=node).first()
    if row is None:
        raise NotFound()
    (wire,) = load_nodes(pack.space_id, [row.position])
    links = wire["links"][:LINKS]
    with space_scope(pack.space_id, reading=True):
        linked = PackNode.objects.for_space(pack.space_id).filter(path__in=[link["to"] for link in links])
        lines = {row.path: _line(row) for row in linked}
    return NodeShown(
        node=row,
        parts=parts_of(row.payload),
        links=[(link["rel"].replace("_", " "), lines[link["to"]]) for link in links if link["to"] in lines],
    )


def _shown(pack: Pack, space: Space, is_mounted: bool) -> PackShown:
    return PackShown(
        pack=pack, voucher=voucher_of(pack.signed_by), whose=_whose(space), is_mounted=is_mounted
    )


def _whose(space: Space) -> str | Promise:
    if space.owner_id is not None:
        return gettext_lazy("your own")
    if space.school_id is not None:
        return gettext_lazy("your school's")
    return gettext_lazy("for everybody") if space.company_id is None else gettext_lazy("your company's")


def _mounts(space: UUID) -> list[UUID]:
    with space_scope(space, reading=True):
        return list(PackMount.objects.for_space(space).values_list("pack_space_id", flat=True))


def _lines_at(pack: UUID, positions: Sequence[int]) -> list[NodeLine]:
    with space_scope(pack, reading=True):
        rows = PackNode.objects.for_space(pack).filter(position__in=positions)
        by_position = {row.position: _line(row) for row in rows}
    return [by_position[position] for position in positions if position in by_position]


def _line(row: PackNode) -> NodeLine:
    payload: dict[str, Any] = row.payload
    told = payload.get("definition") or payload.get("summary") or payload.get("text") or ""
    summary = told if isinstance(told, str) else ""
    return NodeLine(id=row.pk, label=row.label, kind=str(NodeType(row.type).label), summary=summary)


@require_safe
@memory_page
def packs(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """List the packs that the person may mount."""
    return render_page(request, access, "packs", {"shown": present_packs(access.person, access.space)})


@require_safe
@memory_page
def pack(request: PersonRequest, access: MemoryAccess, pack_id: UUID) -> HttpResponse:
    """Show what a pack says of itself, and its nodes page by page or by words."""
    shown = find_pack(access.person, access.space, pack_id)
    words = request.GET.get("q", "").replace("\0", "").strip()[:MOST_WORDS]
    page, lines = page_of_nodes(shown.pack, request.GET.get("page"), words=words)
    context = {"shown": shown, "page": page, "lines": lines, "words": words}
    return render_page(request, access, "pack", context)


@require_safe
@memory_page
def pack_node(request: PersonRequest, access: MemoryAccess, pack_id: UUID, node_id: UUID) -> HttpResponse:
    """Show one node of a pack whole, with the nodes that it leads to."""
    shown = find_pack(access.person, access.space, pack_id)
    context = {"shown": shown, "one": present_node(shown.pack, node_id)}
    return render_page(request, access, "pack_node", context)


@require_POST
@memory_page
def mount(request: PersonRequest, access: MemoryAccess, pack_id: UUID) -> HttpResponse:
    """Have the companion draw on a pack."""
    try:
        mounts.mount(access.key, pack_id, person=access.person, now=timezone.now())
    except TooManyMounts as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("In use. Your companion draws on it from your next message on."))
    return redirect("memory:packs")


@require_POST
@memory_page
def unmount(request: PersonRequest, access: MemoryAccess, pack_id: UUID) -> HttpResponse:
    """Have the companion draw on a pack no longer."""
    mounts.unmount(access.key, pack_id, person=access.person, now=timezone.now())
    messages.success(request, _("No longer in use. Your companion does not look into it any more."))
    return redirect("memory:packs")
