"""Writing a context down, in one short transaction: its frames, one tick, and what it lit up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from companion_site.embeddings.protocol import Embedder
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.agents.access import AgentAccess
from memory.agents.hashing import hash_task
from memory.agents.open_nodes import resonance_now, working_set_of
from memory.agents.params import ContextParams
from memory.agents.workingset import AgentWorkingSet
from memory.algorithms.activation import raise_resonance
from memory.models import AgentContext, AgentNode


@dataclass(frozen=True, kw_only=True)
class Built:
    """A context as it is written down.

    Attributes:
        frames: {"kind", "format", "data"} each; nodes: the paths that stand in them;
        shown: what each one's score is made of, as `Context.nodes` has it.
        ids: (o,) rows of the agent's own nodes that it lit up; score: (o,) how strongly; used: (o,) those in the frames.
    """

    task_id: str
    frames: Sequence[dict[str, Any]]
    nodes: Sequence[str]
    shown: Sequence[dict[str, Any]]
    ids: Sequence[UUID]
    score: np.ndarray
    used: np.ndarray
    tokens: int
    covered: bool | None
    drift: float | None


@dataclass(frozen=True)
class _Raised:
    """What a tick left of rows of a working set."""

    rows: np.ndarray
    resonance: np.ndarray
    used: np.ndarray


def keep_built(
    access: AgentAccess, built: Built, *, now: datetime, embedder: Embedder, params: ContextParams
) -> dict[str, Any]:
    """Write a context and its tick; return {"tick", "working_set", "resonance"} after it."""
    space = access.space
    with space_scope(space):
        lock_space(space)
        held = working_set_of(space, embedder=embedder)
        with held.lock:
            tick, version = next_tick(space)
            raised = raise_lit(held, built, tick=tick)
            store_raised(held, raised, tick=tick, version=version, now=now)
            after = hygiene(held, params=params, tick=tick, raised=raised)
        AgentContext.objects.create(
            space_id=space,
            task_hash=hash_task(space, built.task_id),
            content={
                "task_id": built.task_id,
                "frames": built.frames,
                "nodes": list(built.nodes),
                "shown": list(built.shown),
            },
            tick=tick,
            tokens=built.tokens,
            covered=built.covered,
            drift=built.drift,
            saved_at=now,
            **after,
        )
        if tick % params.prune_every == 0:
            _prune_built(space, most=params.most_kept)
        transaction.on_commit(partial(_take_in, held, raised, tick=tick, version=version, now=now))
    return {"tick": tick, **after}


def _prune_built(space: UUID, *, most: int) -> None:
    """Delete all but the latest contexts that were built here; what a program saved itself, scratchpads too, stays."""
    built = AgentContext.objects.for_space(space).filter(working_set__isnull=False).order_by("-id")
    beyond = built.values_list("pk", flat=True)[most : most + 1].first()
    if beyond is not None:
        built.filter(pk__lte=beyond).order_by().delete()


def next_tick(space: UUID) -> tuple[int, int]:
    """Count one context; return the agent's tick and the space's version. Inside the scope, under the lock."""
    version = bump_version(space)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memory_agent SET tick = tick + 1 WHERE space_id = %s RETURNING tick", [space])
        return int(cursor.fetchone()[0]), version


def raise_lit(held: AgentWorkingSet, built: Built, *, tick: int) -> _Raised:
    """Return the resonance of what was lit up, at a tick; what was removed meanwhile is left out."""
    known = [
        (row, at)
        for at, node in enumerate(built.ids)
        if (row := held.row_of_id.get(node)) is not None and held.numbers["alive"][row]
    ]
    rows, at = np.array(known, dtype=np.int64).reshape(-1, 2).T
    present = resonance_now(held, tick=tick)[rows]
    return _Raised(rows, raise_resonance(present, built.score[at]), built.used[at])


def store_raised(held: AgentWorkingSet, raised: _Raised, *, tick: int, version: int, now: datetime) -> None:
    """Write resonance and use of rows, all in one statement."""
    if not len(raised.rows):
        return
    table = AgentNode._meta.db_table
    statement = (
        f"UPDATE {table} AS node SET resonance = given.resonance, resonance_tick = %s, version = %s, "  # noqa: S608  a table of our own
        "uses = node.uses + given.used::int, "
        "last_used_at = CASE WHEN given.used THEN %s ELSE node.last_used_at END "
        "FROM unnest(%s::uuid[], %s::float8[], %s::bool[]) AS given(id, resonance, used) "
        "WHERE node.space_id = %s AND node.id = given.id"
    )
    ids = [held.ids[row] for row in raised.rows]
    given = [ids, raised.resonance.tolist(), raised.used.tolist()]
    with connection.cursor() as cursor:
        cursor.execute(statement, [tick, version, now, *given, held.space])


def hygiene(
    held: AgentWorkingSet,
    *,
    params: ContextParams,
    tick: int | None = None,
    raised: _Raised | None = None,
) -> dict[str, Any]:
    """Return how many nodes are in the working set of activation, and their mean resonance; after a tick, if one is given."""
    resonance = resonance_now(held, tick=tick)
    if raised is not None:
        resonance = resonance.copy()
        resonance[raised.rows] = raised.resonance
    hot = resonance[held.numbers["alive"] & (resonance >= params.activation.epsilon)]
    hot = np.sort(hot)[::-1][: params.activation.most_in_working_set]
    return {"working_set": len(hot), "resonance": round(float(hot.mean()), 6) if len(hot) else 0.0}


def _take_in(held: AgentWorkingSet, raised: _Raised, *, tick: int, version: int, now: datetime) -> None:
    """Let what this process holds follow what was just written, unless somebody else wrote in between."""
    with held.lock:
        if held.version != version - 1:
            return
        numbers = held.numbers
        numbers["resonance"][raised.rows] = raised.resonance
        numbers["resonance_tick"][raised.rows] = tick
        used = raised.rows[raised.used]
        numbers["uses"][used] += 1
        numbers["last_used_at"][used] = now.timestamp()
        held.tick, held.version = tick, version
