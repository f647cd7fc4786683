"""Which knowledge packs an agent reads beside its own memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.requests import PersonRequest
from memory.agents.pages.access import Owned, agent_page
from memory.agents.pages.rendering import render_page
from memory.models import Pack
from memory.packs import mounts
from memory.packs.errors import TooManyMounts
from memory.packs.signatures import public_hex, site_signer


@dataclass(frozen=True, kw_only=True)
class ShownPack:
    """A pack, and who signed it: this site, the key of somebody else, or nobody ("")."""

    pack: Pack
    is_mounted: bool
    is_ours: bool
    signer: str


@require_safe
@agent_page
def packs(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Show the packs that an agent reads, and those that it could."""
    shown = list(_shown(owned))
    context = {
        "mounted": [one for one in shown if one.is_mounted],
        "others": [one for one in shown if not one.is_mounted],
    }
    return render_page(request, owned, "packs", context)


@require_POST
@agent_page
def mount(request: PersonRequest, owned: Owned, pack_id: UUID) -> HttpResponse:
    """Have an agent read a pack."""
    try:
        mounts.mount(owned.agent.key, pack_id, person=owned.owner.person, now=timezone.now())
    except TooManyMounts as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Mounted: the agent finds what is in it from now on."))
    return redirect("agents:packs", owned.space)


@require_POST
@agent_page
def unmount(request: PersonRequest, owned: Owned, pack_id: UUID) -> HttpResponse:
    """Have an agent read a pack no longer."""
    mounts.unmount(owned.agent.key, pack_id, person=owned.owner.person, now=timezone.now())
    messages.success(request, _("Taken off: the agent does not find what is in it any more."))
    return redirect("agents:packs", owned.space)


def _shown(owned: Owned) -> Iterator[ShownPack]:
    """Yield the packs that the agent reads in their order, then the others that its owner may mount."""
    ours = public_hex(site_signer())
    mounted = mounts.mounted(owned.space)
    read = {pack.space_id for pack in mounted}
    others = [pack for pack in mounts.list_packs(owned.owner.person) if pack.space_id not in read]
    for pack in [*mounted, *others]:
        yield ShownPack(
            pack=pack,
            is_mounted=pack.space_id in read,
            is_ours=pack.signed_by == ours,
            signer=pack.signed_by,
        )
