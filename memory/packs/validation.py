"""The first reading of a pack: every node is looked at, and how they hang together, before anything is written."""

from collections.abc import Callable, Collection, Iterable

from django.utils.translation import gettext_lazy as _

from memory.nodes.limits import find_cycle
from memory.packs.entries import PackEntry
from memory.packs.errors import PackNodeRefused


def plan_pack(entries: Iterable[PackEntry], *, seen: Callable[[int], None]) -> list[str]:
    """Go through all nodes and return their paths in order: a node's position is the rank of its path.

    Args:
        seen: told how many there have been, after each.

    Raises:
        PackNodeRefused: an id occurs twice, a link or a child leads to no node, or children lead in a circle.
        PackRefused: whatever is wrong with the pack.
    """
    line_of: dict[str, int] = {}
    #: every path that something points to, with the line that did so first
    wanted: dict[str, int] = {}
    children: dict[str, Collection[str]] = {}
    for number, entry in enumerate(entries, 1):
        if entry.path in line_of:
            raise PackNodeRefused(_("Its id occurs twice."), line=number)
        line_of[entry.path] = number
        below = entry.content["children"]
        for path in (*(link["to"] for link in entry.content["links"]), *below.values()):
            wanted.setdefault(path, number)
        if below:
            children[entry.path] = tuple(below.values())
        seen(number)
    for path, number in wanted.items():
        if path not in line_of:
            raise PackNodeRefused(_("It points to a node that the pack does not have."), line=number)
    if find_cycle(children, children):
        raise PackNodeRefused(_("Children lead back to where they came from."))
    return sorted(line_of)
