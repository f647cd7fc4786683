"""Writing an agent's nodes, removing one; and what a node becomes when more is said of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from companion_site.accounts.access import Access
from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version
from memory.agents.errors import MemoryBusy, TooMuch
from memory.agents.workingset import AgentWorkingSet, hash_path, hash_source, hash_task, working_set_of
from memory.algorithms.activation import DECAY
from memory.models import Agent, AgentNode, AgentVector
from memory.nodes import (
    CHILDREN,
    LINKS,
    NODES_A_CALL,
    NODES_AN_AGENT,
    PAYLOAD_BYTES,
    PAYLOAD_DEPTH,
    TAGS,
    CleanNode,
    NodeInvalid,
    clean_json,
    clean_node,
    find_cycle,
    text_of,
)

#: texts that are embedded at once, so that whoever else asks meanwhile gets a turn
EMBEDDED_AT_ONCE = 200
#: how often a write is thought out anew because others changed the same nodes meanwhile
ATTEMPTS = 8
#: rows of one statement
ROWS_AT_ONCE = 500


class Upserted(NamedTuple):
    """What became of the nodes of one call; `ids`: their paths, in the order given."""

    created: int
    changed: int
    unchanged: int
    ids: Sequence[str]


@dataclass(frozen=True)
class Planned:
    """What is to be written of one node.

    Attributes:
        row: the node's row in the working set; None for a new one.
        text: what is to be embedded; None where the vector that is there still stands for it.
    """

    node: CleanNode
    content: Mapping[str, Any]
    row: int | None
    text: str | None
    changed: bool


def upsert_memory(
    access: Access,
    nodes: Sequence[object],
    *,
    merge: bool = True,
    now: datetime,
    embedder: Embedder | None = None,
    most: int = NODES_A_CALL,
) -> Upserted:
    """Keep nodes, all of them or none: everything is embedded first, and written in one transaction.

    Args:
        nodes: in wire form; each path once.
        merge: add to what is known of a node; False replaces it.

    Raises:
        NodeInvalid: the first thing that is wrong with any of them. TooMuch. MemoryBusy.
    """
    cleaned = clean_nodes(nodes, most=most)
    embedder = embedder or get_embedder()
    vectors: dict[str, np.ndarray] = {}
    with access.open() as space:
        for _ in range(ATTEMPTS):
            held = working_set_of(space, embedder=embedder)
            with held.lock:
                planned = plan_nodes(held, cleaned, merge=merge)
            _embed_missing(planned, vectors, embedder)
            written = _write(access, cleaned, vectors, merge=merge, now=now, embedder=embedder)
            if written is not None:
                return written
    raise MemoryBusy()


def clean_nodes(nodes: Sequence[object], *, most: int = NODES_A_CALL) -> list[CleanNode]:
    """Return the nodes of one call as they may be kept. Raises NodeInvalid: what is wrong first, with the number of its node."""
    if not isinstance(nodes, list | tuple):
        raise NodeInvalid("nodes", "kind")
    if len(nodes) > most:
        raise NodeInvalid("nodes", "too-many")
    seen: dict[str, CleanNode] = {}
    for number, raw in enumerate(nodes):
        try:
            node = clean_node(raw, more=("embeddings",))
        except NodeInvalid as error:
            raise NodeInvalid(error.field, error.reason, number=number) from None
        if node.path in seen:
            raise NodeInvalid("id", "twice", number=number)
        seen[node.path] = node
    return list(seen.values())


def remove_node(access: Access, path: str, *, now: datetime) -> None:
    """Forget a node: what it said is gone, and so are its vectors; what links to it leads nowhere.

    Raises:
        NotFound: there is none of this path.
    """
    with access.open() as space, write_scope(space):
        rows = AgentNode.objects.for_space(space).filter(removed_at__isnull=True)
        row = rows.find(path_hash=hash_path(space, path))
        row.content, row.task_hash, row.source_hash = {}, None, None
        row.removed_at = row.changed_at = now
        row.resonance, row.uses, row.last_used_at = 0.0, 0, None
        row.version = bump_version(space)
        row.save()
        AgentVector.objects.for_space(space).filter(node_id=row.pk).delete()
        record_event("agents.forgot", chain=space, actor=access.person, subject=row, now=now)


def _embed_missing(planned: Sequence[Planned], vectors: dict[str, np.ndarray], embedder: Embedder) -> None:
    texts = [plan.text for plan in planned if plan.text is not None and plan.text not in vectors]
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        some = texts[start : start + EMBEDDED_AT_ONCE]
        vectors.update(zip(some, embedder.embed(some), strict=True))


def _write(
    access: Access,
    cleaned: Sequence[CleanNode],
    vectors: dict[str, np.ndarray],
    *,
    merge: bool,
    now: datetime,
    embedder: Embedder,
) -> Upserted | None:
    """Write the nodes beside what is held now, under the lock; None where that needs a vector that is not there."""
    space: UUID = access.space
    with write_scope(space):
        held = working_set_of(space, embedder=embedder)
        with held.lock:
            planned = plan_nodes(held, cleaned, merge=merge)
            if any(plan.text is not None and plan.text not in vectors for plan in planned):
                return None
            new = sum(plan.row is None for plan in planned)
            changed = [plan for plan in planned if plan.changed]
        if changed:
            _store(space, changed, vectors, model=embedder.model, now=now)
            counts = {"created": new, "changed": len(changed) - new}
            record_event("agents.remembered", chain=space, actor=access.person, data=counts, now=now)
    return Upserted(
        created=new,
        changed=len(changed) - new,
        unchanged=len(planned) - len(changed),
        ids=[node.path for node in cleaned],
    )


def plan_nodes(working_set: AgentWorkingSet, nodes: Sequence[CleanNode], *, merge: bool) -> list[Planned]:
    """Return what each node becomes beside what is held, in the order given.

    Raises:
        NodeInvalid: a node would grow too large, or children would lead back to their parent. TooMuch.
    """
    planned = []
    for number, node in enumerate(nodes):
        try:
            planned.append(_plan(working_set, node, merge=merge))
        except NodeInvalid as error:
            raise NodeInvalid(error.field, error.reason, number=number) from None
    if len(working_set.row_of) + sum(plan.row is None for plan in planned) > NODES_AN_AGENT:
        raise TooMuch(why="too-many-nodes")
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
    return Planned(node, content, row, new_text, content != held)


def merge_content(held: Mapping[str, Any], node: CleanNode) -> dict[str, Any]:
    """Return what is held with a node's fields added: of fields and links that both name, the newer hold."""
    new = node.content
    links = {(link["to"], link["rel"]): link["w"] for link in (*held["links"], *new["links"])}
    merged = {
        "id": node.path,
        "type": new["type"],
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

    def children_of(path: str) -> Iterable[str]:
        if path in new:
            return new[path].values()
        row = working_set.row_of.get(path)
        return () if row is None else working_set.contents[row]["children"].values()

    if find_cycle(children_of, [path for path, children in new.items() if children]):
        raise NodeInvalid("children", "cycle")


def _store(
    space: UUID,
    planned: Sequence[Planned],
    vectors: Mapping[str, np.ndarray],
    *,
    model: str,
    now: datetime,
) -> None:
    """Write nodes; the caller holds the space's lock and scope. A path has one row for ever, also while it is removed.

    Args:
        vectors: by text, of each plan that names one; those of other models stood for other words, and go.
    """
    version = bump_version(space)
    tick = Agent.objects.for_space(space).values_list("tick", flat=True).get()
    hashes = {plan.node.path: hash_path(space, plan.node.path) for plan in planned}
    there = AgentNode.objects.for_space(space).filter(path_hash__in=list(hashes.values())).defer("content")
    rows = {bytes(row.path_hash): row for row in there}
    new_rows, new_vectors = [], []
    for plan in planned:
        digest = hashes[plan.node.path]
        row = rows.get(digest)
        values = _said(space, plan.content, version=version, now=now)
        if row is None or row.removed_at is not None:
            values |= _brought(plan.node, tick=tick, now=now)
        if row is None:
            row = AgentNode(id=new_id(), space_id=space, path_hash=digest, **values)
            new_rows.append(row)
        else:
            for name, value in values.items():
                setattr(row, name, value)
            row.save(update_fields=list(values))
        if plan.text is not None:
            vector = vectors[plan.text]
            new_vectors.append(
                AgentVector(space_id=space, node_id=row.pk, model=model, dimension=len(vector), vector=vector)
            )
    AgentNode.objects.bulk_create(new_rows, batch_size=ROWS_AT_ONCE)
    AgentVector.objects.for_space(space).filter(node_id__in=[row.node_id for row in new_vectors]).delete()
    AgentVector.objects.bulk_create(new_vectors, batch_size=ROWS_AT_ONCE)


def _said(space: UUID, content: Mapping[str, Any], *, version: int, now: datetime) -> dict[str, Any]:
    task, source = content["meta"].get("task"), content["meta"].get("source")
    return {
        "type": content["type"],
        "content": {name: part for name, part in content.items() if name != "type"},
        "task_hash": hash_task(space, task) if task else None,
        "source_hash": hash_source(space, source) if source else None,
        "changed_at": now,
        "version": version,
    }


def _brought(node: CleanNode, *, tick: int, now: datetime) -> dict[str, Any]:
    """Return what a node begins with: its use elsewhere, as it says."""
    return {
        "removed_at": None,
        "created_at": now,
        "uses": node.uses,
        "last_used_at": node.last_used_at,
        "resonance": node.resonance,
        "resonance_tick": tick,
        "decay": DECAY if node.decay is None else node.decay,
    }
