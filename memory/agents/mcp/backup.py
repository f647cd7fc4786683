"""Encrypted packs out of an agent's memory and into it, inside one answer and one request. Larger ones go by `manage.py`."""

import binascii
import dataclasses
from base64 import b64decode, b64encode
from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import Any

from companion_site.accounts.access import Access
from companion_site.accounts.tokens import Scope
from memory.agents.errors import TooManyNodes
from memory.agents.mcp.bearer import Caller
from memory.agents.mcp.errors import MayNotImport
from memory.agents.mcp.protocol import PACK_BYTES, REQUEST_BYTES, UNPACKED_BYTES
from memory.agents.nodes import upsert_memory
from memory.agents.pack_export import export_nodes
from memory.agents.workingset import working_set_of
from memory.nodes import NODES_AN_AGENT
from memory.packs.errors import NotAPack, PackTooLarge
from memory.packs.format import read_pack
from memory.packs.importer import import_pack, plan_pack
from memory.packs.limits import LIMITS
from memory.packs.mounts import mount
from memory.packs.signatures import trusted_keys

#: What comes in here is read in memory and becomes nodes of one agent.
OURS = dataclasses.replace(
    LIMITS, file_bytes=REQUEST_BYTES, unpacked_bytes=UNPACKED_BYTES, nodes=NODES_AN_AGENT
)


def export_encrypted(caller: Caller, asked: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Return nodes as a pack, encrypted and signed. Nothing is written here: a file's name goes back as it came."""
    stream, out = _Bounded(PACK_BYTES), asked.pop("out", None)
    written = export_nodes(caller.access, stream=stream, now=now, **asked)
    raw = stream.getvalue()
    return {
        "pack": b64encode(raw).decode(),
        "bytes": len(raw),
        "nodes": written.nodes,
        "links": written.links,
        "checksum": written.checksum,
        "out": out,
    }


def import_encrypted(caller: Caller, given: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Take a pack in: into the agent's own sealed memory, or beside it as an open pack that it reads."""
    try:
        stream = BytesIO(b64decode(given["pack"], validate=True))
    except (binascii.Error, ValueError):
        raise NotAPack() from None
    if given["mount"]:
        return _mount(caller, stream, passphrase=given["passphrase"], now=now)
    pack = read_pack(stream, passphrase=given["passphrase"], trusted=trusted_keys(), limits=OURS)
    entries = list(pack.nodes)
    plan_pack(entries)
    nodes = [{**entry.content, "type": entry.type} for entry in entries]
    done = _remember(caller.access, nodes, now=now)
    return {"id": pack.manifest.id, "name": pack.manifest.name, "nodes": len(nodes), **done}


def _remember(access: Access, nodes: Sequence[dict[str, Any]], *, now: datetime) -> dict[str, int]:
    """Keep nodes that were all looked at: every one of them or, whatever happens meanwhile, none.

    Raises:
        TooManyNodes: with those that the agent has there would be.
    """
    with access.open() as space:
        known = set(working_set_of(space).row_of)
    if len(known.union(node["id"] for node in nodes)) > NODES_AN_AGENT:
        raise TooManyNodes()
    done = upsert_memory(access, nodes, merge=True, now=now, most=NODES_AN_AGENT)
    return {"created": done.created, "changed": done.changed, "unchanged": done.unchanged}


def _mount(caller: Caller, stream: BytesIO, *, passphrase: str, now: datetime) -> dict[str, Any]:
    if Scope.PACKS not in caller.scopes:
        raise MayNotImport()
    person = caller.access.person
    pack = import_pack(stream, owner=person, actor=person, passphrase=passphrase, now=now, limits=OURS)
    if pack.state == pack.State.READY:
        mount(caller.access.key, pack.space_id, person=person, now=now)
    return {
        "id": pack.key,
        "name": pack.name,
        "nodes": pack.node_count,
        "pack": str(pack.space_id),
        "state": pack.state,
    }


class _Bounded(BytesIO):
    """A file in memory of so many bytes at the most."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def write(self, part: Any, /) -> int:
        if self.tell() + len(part) > self._most:
            raise PackTooLarge()
        return super().write(part)
