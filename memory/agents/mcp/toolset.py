"""The seven tools: which arguments each takes, and which service of the memory answers it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext_lazy as _

from companion_site.errors import NotFound
from memory.agents.context_store import save_context
from memory.agents.episodes import recall_context
from memory.agents.mcp import arguments as taken
from memory.agents.mcp import backup, protocol
from memory.agents.mcp.bearer import Caller
from memory.agents.mcp.errors import ArgumentsInvalid
from memory.agents.nodes import upsert_memory
from memory.agents.search import nodes_of, search_memory
from memory.agents.snapshots import project_snapshot


class UnknownTool(NotFound):
    code = "mcp.unknown-tool"
    message = _("There is no such tool.")


@dataclass(frozen=True, kw_only=True)
class OfferedTool:
    """One tool.

    Attributes:
        reads: it changes nothing that is remembered.
        once: the same call made twice leaves what one would have left.
    """

    name: str
    title: str
    description: str
    arguments: type[taken.Arguments]
    call: Callable[[Caller, Any, datetime], dict[str, Any]]
    reads: bool = False
    once: bool = False


def search(caller: Caller, asked: taken.SearchMemory, now: datetime) -> dict[str, Any]:
    if asked.filters.ids is not None:
        if asked.query or asked.filters.types or asked.filters.tags:
            raise ArgumentsInvalid("filters.ids: it stands alone; leave out query, types and tags.")
        found = nodes_of(caller.access, asked.filters.ids)
    else:
        types, tags = asked.filters.types, asked.filters.tags
        found = search_memory(caller.access, asked.query, k=asked.k, types=types, tags=tags, now=now)
    return {
        "nodes": [{"node": hit.node, "score": round(hit.score, 6), "source": hit.source} for hit in found]
    }


def upsert(caller: Caller, given: taken.UpsertMemory, now: datetime) -> dict[str, Any]:
    done = upsert_memory(caller.access, given.nodes, merge=given.merge, now=now)
    return {
        "created": done.created,
        "changed": done.changed,
        "unchanged": done.unchanged,
        "ids": list(done.ids),
    }


def recall(caller: Caller, asked: taken.RecallContext, now: datetime) -> dict[str, Any]:
    return recall_context(caller.access, scope=asked.scope, id=asked.id, k=asked.k, now=now)


def save(caller: Caller, given: taken.SaveContext, now: datetime) -> dict[str, Any]:
    kept = save_context(
        caller.access,
        task_id=given.task_id,
        frames=[frame.model_dump(exclude_unset=True) for frame in given.frames],
        nodes=given.nodes,
        client_id=given.client_id,
        outcome=given.outcome,
        now=now,
    )
    return {
        "id": str(kept.pk),
        "client_id": None if kept.client_id is None else str(kept.client_id),
        "tick": kept.tick,
        "saved_at": kept.saved_at.isoformat(),
    }


def snapshot(caller: Caller, asked: taken.ProjectSnapshot, now: datetime) -> dict[str, Any]:
    kept = project_snapshot(caller.access, include_memory=asked.include_memory, now=now)
    return {
        "id": str(kept.pk),
        "hash": bytes(kept.archive_hash).hex(),
        "nodes": kept.nodes,
        "contexts": len(kept.archive["contexts"]),
        "bytes": kept.size,
        "tick": kept.tick,
        "taken_at": kept.taken_at.isoformat(),
    }


_OFFERED = (
    OfferedTool(
        name=protocol.PROJECT_SNAPSHOT,
        title="Take a snapshot",
        description="Keep an archive of everything remembered as it is now, which never changes. It stays in the memory; "
        "what you get is its id, its hash (the same state has the same) and what it holds, counted.",
        arguments=taken.ProjectSnapshot,
        call=snapshot,
        once=True,
    ),
    OfferedTool(
        name=protocol.IMPORT_ENCRYPTED,
        title="Take a pack in",
        description="Take in an encrypted pack (.kpack, as base64) of at most 3 MB: nodes of your own, or a pack that you "
        "read beside them. It is checked whole before anything is written.",
        arguments=taken.ImportEncrypted,
        call=backup.import_encrypted,
        once=True,
    ),
    OfferedTool(
        name=protocol.EXPORT_ENCRYPTED,
        title="Give out a pack",
        description="Get nodes of your own as an encrypted, signed pack (.kpack, as base64): a backup, or knowledge to share.",
        arguments=taken.ExportEncrypted,
        call=backup.export_encrypted,
        reads=True,
    ),
    OfferedTool(
        name=protocol.SEARCH_MEMORY,
        title="Search memory",
        description="Find what is remembered about something, best first: your own nodes and those of the knowledge "
        "packs that you read. Ask before you begin a task, and whenever you do not know something.",
        arguments=taken.SearchMemory,
        call=search,
        reads=True,
    ),
    OfferedTool(
        name=protocol.UPSERT_MEMORY,
        title="Remember",
        description="Remember nodes: concepts, skills, facts, snippets, patterns, and episodes (what was done and what "
        "came of it), with links to what they are about. A node that is there already is added to.",
        arguments=taken.UpsertMemory,
        call=upsert,
        once=True,
    ),
    OfferedTool(
        name=protocol.RECALL_CONTEXT,
        title="Recall what was done",
        description="What happened before: the last episodes of a task, of a session, or of all, the newest first, and the "
        "frames that were saved with them. Ask when you take a task up again.",
        arguments=taken.RecallContext,
        call=recall,
        reads=True,
    ),
    OfferedTool(
        name=protocol.SAVE_CONTEXT,
        title="Save a context",
        description="Keep the frames you worked from, or notes on a scratchpad, for a task; say whether they helped, once "
        "you know. Send it again under the same client_id when no answer came: it is kept once.",
        arguments=taken.SaveContext,
        call=save,
    ),
)
TOOLS: Mapping[str, OfferedTool] = MappingProxyType({tool.name: tool for tool in _OFFERED})
