"""An agent's nodes as its owner looks through them: by path like folders, by type, by a question.

A path is content. An address therefore names a branch by its keyed hash, and a node by its row's id.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from companion_site.errors import NotFound
from memory.agents import mounts
from memory.agents.hashing import hash_path
from memory.agents.search import OWN, Found
from memory.agents.workingset import TYPES, AgentWorkingSet
from memory.models import NodeType

LABELS = dict(NodeType.choices)


@dataclass(frozen=True, kw_only=True)
class Branch:
    """A part of the tree of paths: everything whose path begins so."""

    path: str
    #: what it is called in addresses
    name: str
    #: what stands in the list: the part of the path that is new here
    label: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """One node in a list; `id` is None where a pack lends it, and `source` then says which."""

    id: UUID | None
    path: str
    label: str
    type: str
    type_label: str
    uses: int
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Level:
    """What stands at one place of the tree."""

    crumbs: Sequence[Branch]
    branches: Sequence[Branch]
    leaves: Sequence[Leaf]

    @property
    def name(self) -> str:
        return self.crumbs[-1].name if self.crumbs else ""


def find_branch(held: AgentWorkingSet, name: str) -> str:
    """Return the path that an address names by its hash; "" for the root.

    Raises:
        NotFound: no node's path begins so.
    """
    if not name:
        return ""
    branches = {above for path in held.row_of for above in list(_above(path))[:-1]}
    for path in branches:
        if hash_path(held.space, path).hex() == name:
            return path
    raise NotFound()


def look_at(held: AgentWorkingSet, path: str, *, type: str = "") -> Level:
    """Return what stands at a path of the tree; with a type, all nodes of it that the path leads to."""
    prefix = f"{path}." if path else ""
    below = sorted(one for one in held.row_of if one == path or one.startswith(prefix))
    crumbs = [_branch(held, above, above.rpartition(".")[2], 0) for above in _above(path)] if path else []
    if type:
        leaves = [leaf for one in below if (leaf := leaf_of(held, held.row_of[one])).type == type]
        return Level(crumbs=crumbs, branches=[], leaves=leaves)
    here, deeper = [], defaultdict(list)
    for one in below:
        first, dot, _rest = one.removeprefix(prefix).partition(".")
        if one == path or not dot:
            here.append(leaf_of(held, held.row_of[one]))
        else:
            deeper[prefix + first].append(one)
    return Level(
        crumbs=crumbs, branches=[_long_branch(held, prefix, *one) for one in deeper.items()], leaves=here
    )


def leaf_of(held: AgentWorkingSet, row: int) -> Leaf:
    """Return one of the agent's own nodes as a line of a list."""
    content, numbers = held.contents[row], held.numbers[row]
    type_name = TYPES[numbers["type"]]
    return Leaf(
        id=held.ids[row],
        path=content["id"],
        label=content["label"],
        type=type_name,
        type_label=str(LABELS[type_name]),
        uses=int(numbers["uses"]),
    )


def leaves_of_hits(held: AgentWorkingSet, found: Sequence[Found]) -> list[Leaf]:
    """Return what a search found as lines of a list, in its order."""
    return [_leaf_of_hit(held, hit) for hit in found]


def names_of_packs(held: AgentWorkingSet) -> dict[str, str]:
    """Return the keys of the packs that the agent reads, by their spaces' ids as text."""
    return {str(pack.space): pack.key for pack in mounts.mounted_packs(held)}


def _leaf_of_hit(held: AgentWorkingSet, hit: Found) -> Leaf:
    node = hit.node
    if hit.source == OWN:
        return leaf_of(held, held.row_of[node["id"]])
    return Leaf(
        id=None,
        path=node["id"],
        label=node["label"],
        type=node["type"],
        type_label=str(LABELS[node["type"]]),
        uses=0,
        source=hit.source,
    )


def _long_branch(held: AgentWorkingSet, prefix: str, path: str, below: Sequence[str]) -> Branch:
    """Return a branch, together with what follows as long as there is only one way on."""
    while path not in held.row_of:
        on = {one.removeprefix(f"{path}.").partition(".")[0] for one in below}
        longer = f"{path}.{next(iter(on))}"
        if len(on) > 1 or longer in below:
            break
        path = longer
    return _branch(held, path, path.removeprefix(prefix), len(below))


def _branch(held: AgentWorkingSet, path: str, label: str, count: int) -> Branch:
    return Branch(path=path, name=hash_path(held.space, path).hex(), label=label, count=count)


def _above(path: str) -> Iterator[str]:
    """Yield a path's beginnings, the shortest first, itself the last."""
    parts = path.split(".")
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count])
