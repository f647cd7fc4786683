"""Nodes by their paths: what a client needs that follows links by itself."""

from collections.abc import Sequence
from typing import Any

from memory.agents import mounts
from memory.agents.access import AgentAccess
from memory.agents.open_nodes import held_nodes, working_set_of
from memory.agents.search import OWN


def nodes_of(access: AgentAccess, paths: Sequence[str]) -> list[dict[str, Any]]:
    """Return the nodes of these paths that there are, the agent's own before those of its packs, in the order asked."""
    wanted = list(dict.fromkeys(paths))
    with access.open() as space:
        held = working_set_of(space)
        with held.lock:
            own = [path for path in wanted if path in held.row_of]
            found = {
                path: (node, OWN)
                for path, node in zip(own, held_nodes(held, [held.row_of[path] for path in own]), strict=True)
            }
            packs = mounts.mounted_packs(held)
        where = mounts.nodes_of_paths(packs, set(wanted) - set(own))
        keys = {pack.space: pack.key for pack in packs}
        borrowed = mounts.load_lent(list(where.values()))
    for path, place in where.items():
        if place in borrowed:
            found[path] = borrowed[place], keys[place[0]]
    return [
        {"node": found[path][0], "score": 0.0, "source": found[path][1]} for path in wanted if path in found
    ]
