"""The nodes of packs that a reply was given, as the badge shows them: from which pack, which node, and whether it shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from chat.access import ChatAccess
from chat.models import Message
from chat.personalisation.measure import Shows
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode
from memory.packs.mounts import find_packs
from memory.packs.signatures import Voucher, voucher_of
from memory.student.pages.navigation import pack_node_address

#: what a reply draws on comes first
DRAWN_FIRST = [Shows.CLEARLY, Shows.FAINTLY, Shows.NOT, None]


def read_shows(entry: Mapping[str, Any]) -> Shows | None:
    """Return whether a reply shows what this entry of its row names; None where that was not measured."""
    drawn = entry.get("drawn")
    return Shows(drawn) if drawn in set(Shows) else None


def say_shows(shows: Shows | None) -> str:
    """Return whether the reply draws on it; nothing is said where that was not measured."""
    if shows is None:
        return ""
    return {
        Shows.CLEARLY: _("The reply draws on this."),
        Shows.FAINTLY: _("The reply touches on this."),
        Shows.NOT: _("At hand, but not used."),
    }[shows]


#: under this name the sealed outcome of a reply keeps them
PACKS = "packs"
Nodes = Mapping[tuple[UUID, UUID], "NodeUsed"]


@dataclass(frozen=True, kw_only=True)
class NodeUsed:
    """A node of a pack that a reply was given.

    Attributes:
        pack_name: "" where the pack is not there for the person any more; then nothing else is known either.
    """

    pack_name: str = ""
    label: str = ""
    voucher: Voucher = Voucher.NOBODY
    href: str = ""
    shows: Shows | None = None

    @property
    def shows_word(self) -> str:
        return say_shows(self.shows)

    @property
    def is_vouched_for(self) -> bool:
        return self.voucher in {Voucher.SITE, Voucher.TRUSTED}


def load_nodes_used(access: ChatAccess, messages: Sequence[Message]) -> Nodes:
    """Return the nodes that replies were given, by pack and node; the space is unlocked. Nothing is asked where none was."""
    wanted: dict[UUID, set[UUID]] = {}
    for message in messages:
        for entry in entries_of(message):
            wanted.setdefault(UUID(entry["pack"]), set()).add(UUID(entry["node"]))
    found: dict[tuple[UUID, UUID], NodeUsed] = {}
    for pack in find_packs(access.person, wanted).values():
        found |= _of_pack(pack, wanted[pack.space_id])
    return found


def nodes_used(message: Message, nodes: Nodes) -> list[NodeUsed]:
    """Return the nodes that a reply was given, what it draws on first."""
    shown = [
        replace(nodes.get((UUID(entry["pack"]), UUID(entry["node"])), NodeUsed()), shows=read_shows(entry))
        for entry in entries_of(message)
    ]
    return sorted(shown, key=lambda one: DRAWN_FIRST.index(one.shows))


def entries_of(message: Message) -> Sequence[Mapping[str, Any]]:
    """Return what a reply's row says of packs. The space is unlocked."""
    outcome = message.outcome if message.role == Message.Role.COMPANION else None
    return outcome.get(PACKS, ()) if isinstance(outcome, Mapping) else ()


def _of_pack(pack: Pack, nodes: set[UUID]) -> dict[tuple[UUID, UUID], NodeUsed]:
    space, voucher = pack.space_id, voucher_of(pack.signed_by)
    with space_scope(space, reading=True):
        rows = PackNode.objects.for_space(space).filter(pk__in=nodes)
        labels = dict(rows.values_list("pk", "label"))
    return {
        (space, node): NodeUsed(
            pack_name=pack.name, label=label, voucher=voucher, href=pack_node_address(space, node)
        )
        for node, label in labels.items()
    }
