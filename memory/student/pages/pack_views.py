"""The pages of knowledge packs: what there is, what stands in it, mounting and taking off."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.requests import PersonRequest
from memory.packs import mounts
from memory.packs.errors import TooManyMounts
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.packs import find_pack, page_of_nodes, present_node, present_packs
from memory.student.pages.rendering import render_page

#: of what is searched for no more is read
MOST_WORDS = 200


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
