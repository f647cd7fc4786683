"""Keeping contexts: those built here with one tick and what they lit up, and frames that an agent saved, with whether they helped."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.models import F

from companion_site.accounts.access import Access
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.errors import ClientIdReused
from companion_site.llm.tokens import count_tokens
from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version
from memory.agents import mounts
from memory.agents.frames import FORMATS
from memory.agents.params import CONTEXT
from memory.agents.question import ID_CHARS
from memory.agents.workingset import AgentWorkingSet, hash_source, hash_task, resonance_now, working_set_of
from memory.algorithms.activation import ACTIVATION, raise_resonance
from memory.models import Agent, AgentContext, AgentSource, Pack
from memory.nodes import NodeInvalid, clean_json, clean_line, clean_path

FRAME_BYTES, FRAMES_BYTES, FRAME_DEPTH = 256 * 1024, 1024 * 1024, 40
MOST_FRAMES, MOST_NODES = 24, 800
FORMAT_CHARS = 40
#: How strongly a node counts as lit where a program built the context itself and says that it stood there.
SAID_TO_BE_USED = 0.5


#: Resonance and use of rows, all in one statement.
RAISE = """
    UPDATE memory_agentnode AS node SET resonance = given.resonance, resonance_tick = %s, version = %s,
        uses = node.uses + given.used::int,
        last_used_at = CASE WHEN given.used THEN %s ELSE node.last_used_at END
    FROM unnest(%s::uuid[], %s::float8[], %s::bool[]) AS given(id, resonance, used)
    WHERE node.space_id = %s AND node.id = given.id
"""


@dataclass(frozen=True)
class LitUp:
    """The agent's own nodes that a context lit up.

    Attributes:
        ids: o; score: (o,) how strongly each; used: (o,) whether it stands in the frames.
    """

    ids: Sequence[UUID]
    score: np.ndarray
    used: np.ndarray


@dataclass(frozen=True)
class _Tick:
    """One context that was counted, and what it left of rows of a working set."""

    number: int
    version: int
    rows: np.ndarray
    resonance: np.ndarray
    used: np.ndarray


def keep_built(
    access: Access,
    lit: LitUp,
    content: Mapping[str, Any],
    *,
    now: datetime,
    embedder: Embedder,
    **figures: Any,
) -> dict[str, Any]:
    """Write a context and its tick; return {"tick", "working_set", "resonance"} after it. The caller holds no transaction.

    Args:
        content: {"task_id", "frames", "nodes": the paths that stand in them, "shown": as `Context.nodes`}.
        figures: tokens, covered, drift.
    """
    space = access.space
    with write_scope(space):
        held = working_set_of(space, embedder=embedder)
        with held.lock:
            tick = _count_tick(held, lit, now=now)
            after = hygiene(held, tick=tick)
        AgentContext.objects.create(
            space_id=space,
            task_hash=hash_task(space, content["task_id"]),
            content=content,
            tick=tick.number,
            saved_at=now,
            **figures,
            **after,
        )
        if tick.number % CONTEXT.prune_every == 0:
            _prune_built(space)
    _take_in(held, tick, now=now)
    return {"tick": tick.number, **after}


def _prune_built(space: UUID) -> None:
    """Delete all but the latest contexts that were built here; what a program saved itself, scratchpads too, stays."""
    built = AgentContext.objects.for_space(space).filter(working_set__isnull=False).order_by("-id")
    beyond = built.values_list("pk", flat=True)[CONTEXT.most_kept :].first()
    if beyond is not None:
        built.filter(pk__lte=beyond).order_by().delete()


def _count_tick(held: AgentWorkingSet, lit: LitUp, *, now: datetime) -> _Tick:
    """Count one context and raise what it lit up; what was removed meanwhile is left out. In the scope, under the lock."""
    space, version = held.space, bump_version(held.space)
    known = [
        (row, at)
        for at, node in enumerate(lit.ids)
        if (row := held.row_of_id.get(node)) is not None and held.numbers["alive"][row]
    ]
    rows, at = np.array(known, dtype=np.int64).reshape(-1, 2).T
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memory_agent SET tick = tick + 1 WHERE space_id = %s RETURNING tick", [space])
        number = int(cursor.fetchone()[0])
        resonance = raise_resonance(resonance_now(held, tick=number)[rows], lit.score[at])
        used = lit.used[at]
        if len(rows):
            given = [[held.ids[row] for row in rows], resonance.tolist(), used.tolist()]
            cursor.execute(RAISE, [number, version, now, *given, space])
    return _Tick(number, version, rows, resonance, used)


def hygiene(held: AgentWorkingSet, *, tick: _Tick | None = None) -> dict[str, Any]:
    """Return how many nodes are in the working set of activation, and their mean resonance; after a tick, if one is given."""
    resonance = resonance_now(held, tick=None if tick is None else tick.number)
    if tick is not None:
        resonance = resonance.copy()
        resonance[tick.rows] = tick.resonance
    hot = resonance[held.numbers["alive"] & (resonance >= ACTIVATION.epsilon)]
    hot = np.sort(hot)[::-1][: ACTIVATION.most_in_working_set]
    return {"working_set": len(hot), "resonance": round(float(hot.mean()), 6) if len(hot) else 0.0}


def _take_in(held: AgentWorkingSet, tick: _Tick, *, now: datetime) -> None:
    """Let what this process holds follow what was just written, unless somebody else wrote in between."""
    with held.lock:
        if held.version != tick.version - 1:
            return
        numbers, used = held.numbers, tick.rows[tick.used]
        numbers["resonance"][tick.rows] = tick.resonance
        numbers["resonance_tick"][tick.rows] = tick.number
        numbers["uses"][used] += 1
        numbers["last_used_at"][used] = now.timestamp()
        held.tick, held.version = tick.number, tick.version


def save_context(
    access: Access,
    *,
    task_id: str,
    frames: Sequence[Mapping[str, Any]],
    nodes: Sequence[str] = (),
    client_id: UUID | None = None,
    outcome: str = "",
    now: datetime,
) -> AgentContext:
    """Keep frames of a task, all of them or none; sent again under the same `client_id`, it is kept once.

    Frames with knowledge among them are a context that the program built itself: a tick, in which `nodes` were used. A known
    outcome counts for the sources of `nodes`; where none are named, for those of the task's last context.

    Args:
        frames: {"kind", "format", "data"} each.
        nodes: paths of those that stood in the context, the agent's own or of its packs.
        outcome: "helped", "failed", or "" while it is not known.

    Raises:
        NodeInvalid: the first thing that is wrong with it. ClientIdReused: something else was kept under this `client_id`.
    """
    task = clean_line(task_id, field="task_id", most=ID_CHARS)
    kept = clean_frames(frames)
    paths = list(dict.fromkeys(clean_path(path, field="nodes") for path in nodes))
    content = {"task_id": task, "frames": kept, "nodes": paths}
    embedder = get_embedder()
    with access.open() as space, write_scope(space):
        saved = AgentContext.objects.for_space(space)
        if client_id is not None and (before := saved.filter(client_id=client_id).first()) is not None:
            if (before.content, before.outcome) != (content, outcome):
                raise ClientIdReused()
            return before
        held = working_set_of(space, embedder=embedder)
        with held.lock:
            shown = paths or (_last_shown(space, task) if outcome else [])
            if outcome:
                packs = mounts.mounted_packs(held)
                count_outcome(space, sources_of(held, packs, shown), outcome=outcome)
            tick = _tick(held, kept, paths, now=now)
        context: AgentContext = AgentContext.objects.create(
            space_id=space,
            task_hash=hash_task(space, task),
            client_id=client_id,
            content=content,
            tick=tick,
            tokens=count_tokens(_text_of(frame["data"]) for frame in kept),
            outcome=outcome,
            saved_at=now,
        )
        return context


def clean_frames(frames: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return frames as they are kept, in the order given. Raises NodeInvalid: what is wrong with them first."""
    kept = [_clean_frame(**frame) for frame in frames]
    if len(json.dumps(kept, ensure_ascii=False).encode()) > FRAMES_BYTES:
        raise NodeInvalid("frames", "too-large")
    return kept


def _clean_frame(*, kind: str, data: Any, format: str | None = None) -> dict[str, Any]:
    form = FORMATS[kind] if format is None else format
    if not form.isprintable():
        raise NodeInvalid("frames.format", "form")
    kept = clean_json(data, "frames.data", most=FRAME_BYTES, depth=FRAME_DEPTH)
    return {"kind": kind, "format": form, "data": kept}


def sources_of(held: AgentWorkingSet, packs: Sequence[Pack], paths: Sequence[str]) -> list[str]:
    """Return the names of the sources that nodes came from, each once; what names none has none."""
    own = [held.contents[held.row_of[path]]["meta"].get("source") for path in paths if path in held.row_of]
    keys = mounts.keys_of(packs)
    borrowed = mounts.nodes_of_paths(packs, {path for path in paths if path not in held.row_of})
    return sorted({name for name in own if name} | {keys[pack] for pack, _ in borrowed.values()})


def _last_shown(space: UUID, task: str) -> list[str]:
    """Return the paths that stood in the last context of a task that had any."""
    rows = AgentContext.objects.for_space(space).filter(task_hash=hash_task(space, task)).order_by("-id")
    return next((row.content["nodes"] for row in rows[:5] if row.content["nodes"]), [])


def _tick(
    held: AgentWorkingSet, frames: Sequence[Mapping[str, Any]], paths: Sequence[str], *, now: datetime
) -> int:
    """Count a context that a program built, and the use of its nodes; return the tick that holds."""
    if not any(frame["kind"] == "knowledge" for frame in frames):
        bump_version(held.space)
        return Agent.objects.for_space(held.space).values_list("tick", flat=True).get()
    own = [held.ids[held.row_of[path]] for path in paths if path in held.row_of]
    lit = LitUp(own, np.full(len(own), SAID_TO_BE_USED), np.ones(len(own), dtype=bool))
    return _count_tick(held, lit, now=now).number


def _text_of(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def count_outcome(space: UUID, names: Collection[str], *, outcome: str) -> None:
    """Count one known outcome for each source that was shown; inside the space's scope, under its lock.

    Args:
        names: of sources: what nodes name in their meta, or the key of the pack that lent them.
    """
    helped = int(outcome == AgentContext.Outcome.HELPED)
    hashes = {hash_source(space, name): name for name in names}
    rows = AgentSource.objects.for_space(space).filter(name_hash__in=list(hashes))
    known = {bytes(digest) for digest in rows.values_list("name_hash", flat=True)}
    rows.update(shown=F("shown") + 1, helped=F("helped") + helped)
    for digest in sorted(hashes.keys() - known):
        AgentSource.objects.create(
            space_id=space, name=hashes[digest], name_hash=digest, shown=1, helped=helped
        )
