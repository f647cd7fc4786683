"""An archive of everything an agent holds at one moment: nodes, links, resonance, frames. It never changes."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import Sum

from companion_site.accounts.access import Access
from companion_site.audit.services import record_event
from companion_site.vault.keyring import key_of
from companion_site.vault.scope import write_scope
from memory.agents.errors import TooMuch
from memory.agents.workingset import AgentWorkingSet, held_nodes, working_set_of
from memory.models import AgentContext, AgentSnapshot

#: so many of the last contexts are in an archive
CONTEXTS = 100
MOST_BYTES = 64 * 2**20
#: of all archives of one agent, which stay for as long as it does
MOST_BYTES_IN_ALL = 2**30


def project_snapshot(access: Access, *, include_memory: bool = True, now: datetime) -> AgentSnapshot:
    """Keep an archive of the agent as it is; a state that was kept before is that archive, and nothing is written.

    Args:
        include_memory: its nodes and contexts too; False keeps who it is and how far it has come.

    Returns:
        Its row; the archive is {"agent": {"name", "profile", "tick"}, "nodes": of the wire, by path, "contexts": the last
        ones}, its hash is keyed.

    Raises:
        TooMuch: there is more than one archive may hold, or no room for one more.
    """
    with access.open() as space, write_scope(space):
        held = working_set_of(space)
        with held.lock:
            archive = _archive(held, include_memory=include_memory)
        text = json.dumps(archive, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        size = len(text.encode())
        if size > MOST_BYTES:
            raise TooMuch(why="snapshot-too-large")
        digest = key_of(space).keyed_hash(f"snapshot:{text}")
        rows = AgentSnapshot.objects.for_space(space)
        row = rows.filter(archive_hash=digest).order_by("id").first()
        if row is None:
            if (rows.aggregate(size=Sum("size"))["size"] or 0) + size > MOST_BYTES_IN_ALL:
                raise TooMuch(why="snapshots-full")
            row = AgentSnapshot.objects.create(
                space_id=space,
                archive=archive,
                archive_hash=digest,
                nodes=len(archive["nodes"]),
                size=size,
                tick=held.tick,
                taken_at=now,
            )
            told = {"nodes": row.nodes, "bytes": size}
            record_event(
                "agents.snapshot_taken", chain=space, actor=access.person, subject=row, data=told, now=now
            )
        row.archive = archive  # as it is here, opened
        return row


def _archive(held: AgentWorkingSet, *, include_memory: bool) -> dict[str, Any]:
    agent = {"name": held.name, "profile": asdict(held.profile), "tick": held.tick}
    if not include_memory:
        return {"agent": agent, "nodes": [], "contexts": []}
    rows = [held.row_of[path] for path in sorted(held.row_of)]
    contexts = AgentContext.objects.for_space(held.space).order_by("-id")[:CONTEXTS]
    return {
        "agent": agent,
        "nodes": held_nodes(held, rows),
        "contexts": [
            {**row.content, "tick": row.tick, "outcome": row.outcome, "saved_at": row.saved_at.isoformat()}
            for row in contexts
        ],
    }
