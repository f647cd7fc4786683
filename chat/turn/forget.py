"""The step that puts a memory away at its person's word, before the reply, so that the reply can say what was done.

Whatever was misread comes back with one click: a forgotten memory leaves a tombstone (`memory.student.corrections`).
"""

from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from chat.access import ChatAccess
from chat.turn.recall import CalledToMind, open_memory
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from memory.algorithms.isotropy import unit_rows
from memory.reading.params import READING
from memory.reading.requests import find_request
from memory.reading.service import get_heads
from memory.student.corrections import forget_memory
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet


def asks_to_forget(text: str, vector: np.ndarray) -> bool:
    """Tell whether a message with this (d,) vector surely asks for something to be forgotten."""
    return bool(vector.any()) and find_request(text, vector=vector) == "forget_this"


def forget_step(access: ChatAccess, vector: np.ndarray, *, now: datetime) -> NodeData | None:
    """Put away the one memory that a message speaks of; None where it is not clear which."""
    node = find_meant(open_memory(access), vector=vector, embedder=get_embedder(), now=now)
    if node is not None:
        with access.open():
            forget_memory(access.space, node.id, now=now, actor=access.person)
    return node


def find_meant(
    working_set: WorkingSet, *, vector: NDArray[np.floating], embedder: Embedder, now: datetime
) -> NodeData | None:
    """Return the one memory that a message speaks of; None where others are about as near.

    Args:
        vector: (d,) of the message.
    """
    with working_set.lock:
        corpus = working_set.corpus
        rows = np.flatnonzero(corpus.alive & corpus.known & (working_set.expires_at > now.timestamp()))
        nodes, vectors = [working_set.nodes[row] for row in rows.tolist()], corpus.vectors[rows]
    if not nodes:
        return None
    centre = get_heads(embedder).projection.centre
    nearness = unit_rows(vectors - centre) @ unit_rows((vector - centre)[None])[0]
    best, *others = np.argsort(-nearness, kind="stable").tolist()
    next_best = float(nearness[others[0]]) if others else 0.0
    return nodes[best] if float(nearness[best]) - next_best >= READING.meant_alone else None


def without(called: CalledToMind, forgotten: NodeData) -> CalledToMind:
    """Return what came to mind without what was put away."""
    return replace(
        called,
        recalled=[memory for memory in called.recalled if memory.id != forgotten.id],
        good=[memory for memory in called.good if memory.id != forgotten.id],
    )
