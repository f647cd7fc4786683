"""What happened before: the last episodes of a task, of a session or of all, the frames that were saved with them, and a task's scratchpad."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings

from companion_site.accounts.access import Access
from companion_site.vault.scope import space_scope
from memory.agents.activation import task_episodes
from memory.agents.params import SEARCH
from memory.agents.question import ID_CHARS
from memory.agents.workingset import AgentWorkingSet, hash_task, held_nodes, open_memory
from memory.models import AgentContext
from memory.nodes import NodeInvalid, clean_line

SCOPES = ("task", "session", "recent")
#: so many of the saved contexts, the newest, give their frames
CONTEXTS = 3
#: so many of what was saved for a task are looked through
LOOKED_AT = 20


def recall_context(
    access: Access,
    *,
    scope: str,
    id: str | None = None,
    k: int = SEARCH.limit,
    now: datetime,
) -> dict[str, Any]:
    """Return {"nodes", "frames"}: at most `k` episodes, the newest first, and the frames of the last contexts there.

    Args:
        scope: one of `SCOPES`: "task", by the task's `id`; "session", of those that name it in their meta, or without an `id` since the last
            pause as long as a session may be idle; "recent", of everything.

    Raises:
        NodeInvalid: the scope needs an id.
    """
    named = None if id is None else clean_line(id, field="id", most=ID_CHARS)
    if scope == "task" and named is None:
        raise NodeInvalid("id", "missing")
    with open_memory(access) as held:
        space, rows = held.space, _rows(held, scope, named, now=now)[:k]
        nodes = held_nodes(held, rows)
        contexts = AgentContext.objects.for_space(space).order_by("-id")
        if scope == "task":
            contexts = contexts.filter(task_hash=hash_task(space, str(named)))
        elif scope == "session":
            tasks = {node["meta"].get("task") for node in nodes} - {None, ""}
            contexts = contexts.filter(task_hash__in=[hash_task(space, task) for task in sorted(tasks)])
        with space_scope(space, reading=True):
            frames = [frame for row in contexts[:CONTEXTS] for frame in _frames(row)]
    return {"nodes": nodes, "frames": frames}


def _rows(held: AgentWorkingSet, scope: str, named: str | None, *, now: datetime) -> Sequence[int]:
    """Return rows of episodes, the newest first."""
    if scope == "task":
        return task_episodes(held, str(named))
    rows = held.rows_of_type("episode")
    if scope == "recent":
        return rows
    if named is not None:
        return [row for row in rows if held.contents[row]["meta"].get("session") == named]
    return _since_pause(held, rows, now=now)


def _since_pause(held: AgentWorkingSet, rows: Sequence[int], *, now: datetime) -> list[int]:
    """Return the episodes after the last pause that ended a session; none where the pause lasts."""
    idle_s = settings.SESSION_IDLE_MINUTES * 60
    kept, next_at = [], now.timestamp()
    for row in rows:
        at = float(held.numbers["created_at"][row])
        if next_at - at > idle_s:
            break
        kept.append(row)
        next_at = at
    return kept


def _frames(row: AgentContext) -> list[dict[str, Any]]:
    content = row.content
    told = {"task_id": content["task_id"], "saved_at": row.saved_at.isoformat(), "outcome": row.outcome}
    return [{**frame, **told} for frame in content["frames"]]


def last_scratchpad(held: AgentWorkingSet, task_id: str) -> str:
    """Return the text that was last saved as a scratchpad for a task; "" for none. The caller holds the lock."""
    task = hash_task(held.space, task_id)
    if task not in held.left:
        held.left[task] = _read_scratchpad(held, task)
    return held.left[task]


def _read_scratchpad(held: AgentWorkingSet, task: bytes) -> str:
    with space_scope(held.space, reading=True):
        saved = AgentContext.objects.for_space(held.space).filter(task_hash=task, working_set__isnull=True)
        for row in saved.order_by("-id")[:LOOKED_AT]:
            for frame in row.content["frames"]:
                if frame["kind"] == "scratchpad" and isinstance(frame["data"], str):
                    return frame["data"]
    return ""
