"""Saving what a task came to: frames an agent wrote or changed, and whether the context was of use."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.llm.tokens import count_tokens
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.agents import mounts
from memory.agents.access import AgentAccess
from memory.agents.context_store import Built, next_tick, raise_lit, store_raised
from memory.agents.frames import FORMATS, KINDS
from memory.agents.hashing import hash_task
from memory.agents.mounts import MountedPack
from memory.agents.open_nodes import working_set_of
from memory.agents.sources import count_outcome
from memory.agents.task import clean_task_id
from memory.agents.workingset import AgentWorkingSet
from memory.models import Agent, AgentContext
from memory.nodes.errors import NodeInvalid
from memory.nodes.json_values import clean_json
from memory.nodes.limits import clean_path

FRAME_BYTES, FRAMES_BYTES, FRAME_DEPTH = 256 * 1024, 1024 * 1024, 40
MOST_FRAMES, MOST_NODES = 24, 800
FORMAT_CHARS = 40
#: How strongly a node counts as lit where a program built the context itself and says that it stood there.
SAID_TO_BE_USED = 0.5


def save_context(
    access: AgentAccess,
    *,
    task_id: str,
    frames: Sequence[object],
    nodes: Sequence[object] = (),
    client_id: UUID | None = None,
    outcome: str = "",
    now: datetime,
    embedder: Embedder | None = None,
) -> AgentContext:
    """Keep frames of a task, all of them or none; sent again under the same `client_id`, it is kept once.

    Frames with knowledge among them are a context that the program built itself: a tick, in which `nodes` were used. A known
    outcome counts for the sources of `nodes`; where none are named, for those of the task's last context.

    Args:
        frames: {"kind", "format", "data"} each.
        nodes: paths of those that stood in the context, the agent's own or of its packs.
        outcome: "helped", "failed", or "" while it is not known.

    Raises:
        NodeInvalid: the first thing that is wrong with it.
    """
    task = clean_task_id(task_id, field="task_id")
    kept = clean_frames(frames)
    paths = clean_paths(nodes)
    if outcome not in ("", *AgentContext.Outcome.values):
        raise NodeInvalid("outcome", "form")
    embedder = embedder or get_embedder()
    with access.open() as space, space_scope(space):
        lock_space(space)
        before = _saved_before(space, client_id)
        if before is not None:
            return before
        held = working_set_of(space, embedder=embedder)
        with held.lock:
            shown = paths or (_last_shown(space, task) if outcome else [])
            if outcome:
                packs = mounts.mounted_packs(held)
                count_outcome(space, sources_of(held, packs, shown), outcome=outcome)
            tick = _tick(held, task, kept, paths, now=now)
        context: AgentContext = AgentContext.objects.create(
            space_id=space,
            task_hash=hash_task(space, task),
            client_id=client_id,
            content={"task_id": task, "frames": kept, "nodes": paths},
            tick=tick,
            tokens=count_tokens(_text_of(frame["data"]) for frame in kept),
            outcome=outcome,
            saved_at=now,
        )
        return context


def clean_frames(frames: object) -> list[dict[str, Any]]:
    """Return frames as they are kept, in the order given.

    Raises:
        NodeInvalid: what is wrong with them first.
    """
    if not isinstance(frames, list | tuple):
        raise NodeInvalid("frames", "kind")
    if len(frames) > MOST_FRAMES:
        raise NodeInvalid("frames", "too-many")
    kept = [_clean_frame(frame) for frame in frames]
    if len(json.dumps(kept, ensure_ascii=False).encode()) > FRAMES_BYTES:
        raise NodeInvalid("frames", "too-large")
    return kept


def clean_paths(nodes: object) -> list[str]:
    """Return paths, each once, in the order given."""
    if not isinstance(nodes, list | tuple):
        raise NodeInvalid("nodes", "kind")
    if len(nodes) > MOST_NODES:
        raise NodeInvalid("nodes", "too-many")
    return list(dict.fromkeys(clean_path(path, field="nodes") for path in nodes))


def sources_of(held: AgentWorkingSet, packs: Sequence[MountedPack], paths: Sequence[str]) -> list[str]:
    """Return the names of the sources that nodes came from, each once; what names none has none."""
    own = [held.contents[held.row_of[path]]["meta"].get("source") for path in paths if path in held.row_of]
    keys = {pack.space: pack.key for pack in packs}
    borrowed = mounts.nodes_of_paths(packs, {path for path in paths if path not in held.row_of})
    return sorted({name for name in own if name} | {keys[pack] for pack, _ in borrowed.values()})


def _clean_frame(frame: object) -> dict[str, Any]:
    if not isinstance(frame, Mapping):
        raise NodeInvalid("frames", "kind")
    if not {"kind", "format", "data"}.issuperset(frame):
        raise NodeInvalid("frames", "unknown")
    kind = frame.get("kind")
    if kind not in KINDS:
        raise NodeInvalid("frames.kind", "form")
    form = frame.get("format", FORMATS[kind])
    if not isinstance(form, str) or not 0 < len(form) <= FORMAT_CHARS or not form.isprintable():
        raise NodeInvalid("frames.format", "form")
    data = clean_json(frame.get("data"), "frames.data", most=FRAME_BYTES, depth=FRAME_DEPTH)
    return {"kind": kind, "format": form, "data": data}


def _saved_before(space: UUID, client_id: UUID | None) -> AgentContext | None:
    if client_id is None:
        return None
    return AgentContext.objects.for_space(space).filter(client_id=client_id).first()


def _last_shown(space: UUID, task: str) -> list[str]:
    """Return the paths that stood in the last context of a task that had any."""
    rows = AgentContext.objects.for_space(space).filter(task_hash=hash_task(space, task)).order_by("-id")
    return next((row.content["nodes"] for row in rows[:5] if row.content["nodes"]), [])


def _tick(
    held: AgentWorkingSet,
    task: str,
    frames: Sequence[Mapping[str, Any]],
    paths: Sequence[str],
    *,
    now: datetime,
) -> int:
    """Count a context that a program built, and the use of its nodes; return the tick that holds."""
    if not any(frame["kind"] == "knowledge" for frame in frames):
        bump_version(held.space)
        return Agent.objects.for_space(held.space).values_list("tick", flat=True).get()
    rows = [held.row_of[path] for path in paths if path in held.row_of]
    built = Built(
        task_id=task,
        frames=(),
        nodes=(),
        shown=(),
        ids=[held.ids[row] for row in rows],
        score=np.full(len(rows), SAID_TO_BE_USED),
        used=np.ones(len(rows), dtype=bool),
        tokens=0,
        covered=None,
        drift=None,
    )
    tick, version = next_tick(held.space)
    store_raised(held, raise_lit(held, built, tick=tick), tick=tick, version=version, now=now)
    return tick


def _text_of(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
