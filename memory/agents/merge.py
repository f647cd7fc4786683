"""What a node becomes when more is said of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.agents.workingset import TYPES, AgentWorkingSet
from memory.nodes.errors import NodeInvalid
from memory.nodes.json_values import clean_json
from memory.nodes.limits import CHILDREN, LINKS, PAYLOAD_BYTES, PAYLOAD_DEPTH, TAGS, CleanNode, find_cycle
from memory.nodes.wire import text_of


@dataclass(frozen=True)
class Planned:
    """What is to be written of one node.

    Attributes:
        row: the node's row in the working set; None for a new one.
        text: what is to be embedded; None where the vector that is there still stands for it.
        changed: whether anything is to be written.
    """

    node: CleanNode
    content: Mapping[str, Any]
    row: int | None
    text: str | None
    changed: bool


def plan_nodes(working_set: AgentWorkingSet, nodes: Sequence[CleanNode], *, merge: bool) -> list[Planned]:
    """Return what each node becomes beside what is held, in the order given.

    Args:
        merge: add to what is known; False replaces it.

    Raises:
        NodeInvalid: a node would grow too large, or children would lead back to their parent.
    """
    planned = []
    for number, node in enumerate(nodes):
        try:
            planned.append(_plan(working_set, node, merge=merge))
        except NodeInvalid as error:
            raise NodeInvalid(error.field, error.reason, number=number) from None
    _refuse_cycles(working_set, planned)
    return planned


def _plan(working_set: AgentWorkingSet, node: CleanNode, *, merge: bool) -> Planned:
    row = working_set.row_of.get(node.path)
    if row is None:
        return Planned(node, node.content, None, text_of(node.content), True)
    held = working_set.contents[row]
    content = merge_content(held, node) if merge else node.content
    text = text_of(content)
    new_text = text if text != text_of(held) else None
    same_type = TYPES[working_set.numbers["type"][row]] == node.type
    return Planned(node, content, row, new_text, content != held or not same_type)


def merge_content(held: Mapping[str, Any], node: CleanNode) -> dict[str, Any]:
    """Return what is held with a node's fields added: of fields and links that both name, the newer hold."""
    new = node.content
    links = {(link["to"], link["rel"]): link["w"] for link in (*held["links"], *new["links"])}
    merged = {
        "id": node.path,
        "label": new["label"] if "label" in node.given else held["label"],
        "payload": {**held["payload"], **new["payload"]},
        "links": [{"to": to, "rel": rel, "w": weight} for (to, rel), weight in links.items()],
        "children": {**held["children"], **new["children"]},
        "tags": list(dict.fromkeys([*held["tags"], *new["tags"]])),
        "meta": {**held["meta"], **new["meta"]},
    }
    for field, most in (("links", LINKS), ("children", CHILDREN), ("tags", TAGS)):
        if len(merged[field]) > most:
            raise NodeInvalid(field, "too-many")
    clean_json(merged["payload"], "payload", most=PAYLOAD_BYTES, depth=PAYLOAD_DEPTH)
    return merged


def _refuse_cycles(working_set: AgentWorkingSet, planned: Sequence[Planned]) -> None:
    new = {plan.node.path: plan.content["children"] for plan in planned}
    starts = [path for path, children in new.items() if children]
    if starts and find_cycle(_Children(working_set, new), starts):
        raise NodeInvalid("children", "cycle")


class _Children(Mapping[str, Any]):
    """The children of every node as they would be, read where they are needed."""

    def __init__(self, working_set: AgentWorkingSet, new: Mapping[str, Mapping[str, str]]) -> None:
        self._held, self._new = working_set, new

    def __getitem__(self, path: str) -> list[str]:
        children = self._new.get(path)
        if children is None:
            children = self._held.contents[self._held.row_of[path]]["children"]
        return list(children.values())

    def __iter__(self) -> Iterator[str]:
        return iter({*self._new, *self._held.row_of})

    def __len__(self) -> int:
        return len({*self._new, *self._held.row_of})
