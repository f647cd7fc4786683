"""The seven tools: which arguments each takes, and which service of the memory answers it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_type_hints

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

Call = Callable[[Caller, Any, datetime], dict[str, Any]]


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
    call: Call
    reads: bool = False
    once: bool = False


#: The tools by their names, in the order in which they are listed.
TOOLS: dict[str, OfferedTool] = {}


def offer(name: str, title: str, description: str, **more: bool) -> Callable[[Call], Call]:
    """Offer a function as a tool; what it takes, the annotation of its second argument says."""

    def add(call: Call) -> Call:
        arguments = list(get_type_hints(call).values())[1]
        TOOLS[name] = OfferedTool(
            name=name, title=title, description=description, arguments=arguments, call=call, **more
        )
        return call

    return add


@offer(
    protocol.PROJECT_SNAPSHOT,
    "Take a snapshot",
    "Keep an archive of everything remembered as it is now, which never changes. It stays in the memory; "
    "what you get is its id, its hash (the same state has the same) and what it holds, counted.",
    once=True,
)
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


offer(
    protocol.IMPORT_ENCRYPTED,
    "Take a pack in",
    "Take in an encrypted pack (.kpack, as base64) of at most 3 MB: nodes of your own, or a pack that you "
    "read beside them. It is checked whole before anything is written.",
    once=True,
)(backup.import_encrypted)


offer(
    protocol.EXPORT_ENCRYPTED,
    "Give out a pack",
    "Get nodes of your own as an encrypted, signed pack (.kpack, as base64): a backup, or knowledge to share.",
    reads=True,
)(backup.export_encrypted)


@offer(
    protocol.SEARCH_MEMORY,
    "Search memory",
    "Find what is remembered about something, best first: your own nodes and those of the knowledge "
    "packs that you read. Ask before you begin a task, and whenever you do not know something.",
    reads=True,
)
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


@offer(
    protocol.UPSERT_MEMORY,
    "Remember",
    "Remember nodes: concepts, skills, facts, snippets, patterns, and episodes (what was done and what "
    "came of it), with links to what they are about. A node that is there already is added to.",
    once=True,
)
def upsert(caller: Caller, given: taken.UpsertMemory, now: datetime) -> dict[str, Any]:
    return upsert_memory(caller.access, given.nodes, merge=given.merge, now=now)._asdict()


@offer(
    protocol.RECALL_CONTEXT,
    "Recall what was done",
    "What happened before: the last episodes of a task, of a session, or of all, the newest first, and the "
    "frames that were saved with them. Ask when you take a task up again.",
    reads=True,
)
def recall(caller: Caller, asked: taken.RecallContext, now: datetime) -> dict[str, Any]:
    return recall_context(caller.access, scope=asked.scope, id=asked.id, k=asked.k, now=now)


@offer(
    protocol.SAVE_CONTEXT,
    "Save a context",
    "Keep the frames you worked from, or notes on a scratchpad, for a task; say whether they helped, once "
    "you know. Send it again under the same client_id when no answer came: it is kept once.",
)
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
