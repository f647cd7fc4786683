"""Vectors of the short texts of a person's life, held in the clear for as long as their working set is, and no longer."""

from collections.abc import Collection, Iterable, Mapping
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from chat.threads import in_thread
from companion_site.embeddings.service import embed_async
from memory.student.workingset import WorkingSet

Vectors = Mapping[str, NDArray[np.float32]]
#: of one space at the most; beyond, all are made anew
MOST = 400
_held: WeakKeyDictionary[WorkingSet, dict[str, NDArray[np.float32]]] = WeakKeyDictionary()
_guard = Lock()


async def find_vectors(working_set: WorkingSet, texts: Iterable[str]) -> Vectors:
    """Return (d,) float32 of each text: of a memory its own, of others the one made before; the rest is embedded."""
    wanted = {text for text in texts if text}
    found = await in_thread(vectors_of_memories, working_set, wanted)
    with _guard:
        held = _held.setdefault(working_set, {})
        found |= {text: held[text] for text in wanted if text in held}
    missing = sorted(wanted - found.keys())
    if missing:
        made = dict(zip(missing, await embed_async(missing), strict=True))
        found |= made
        with _guard:
            if len(held) + len(made) > MOST:
                held.clear()
            held.update(made)
    return found


def vectors_of_memories(working_set: WorkingSet, wanted: Collection[str]) -> dict[str, NDArray[np.float32]]:
    """Return (d,) float32 of those texts that are a memory's, by text; waits while others search the memory."""
    with working_set.lock:
        return {
            node.text: node.vector
            for node in working_set.nodes
            if node.text in wanted and node.text is not None and node.vector is not None
        }
