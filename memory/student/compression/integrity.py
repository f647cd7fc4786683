"""One number for the whole graph: whoever changes a row behind the site's back changes it.

Its exact form is in docs/algorithms/compression.md. It reads metadata alone, so it can be checked without the key.
"""

from hashlib import sha256
from uuid import UUID

from memory.models import MemoryEdge, MemoryNode

FORM = "companion/memory-graph/1"


def integrity_hash(space: UUID) -> str:
    """Return the SHA-256, in hex, of a space's nodes and edges as they are stored. Runs inside the space's scope."""
    digest = sha256(f"{FORM}\n{space.hex}\n".encode())
    nodes = MemoryNode.objects.for_space(space).order_by("id")
    for pk, content, superseded, removed, merged in nodes.values_list(
        "pk", "content_hash", "superseded_at", "removed_at", "merged_into_id"
    ):
        state = "removed" if removed else "superseded" if superseded else "active"
        into = merged.hex if merged else "-"
        digest.update(f"node {pk.hex} {bytes(content).hex()} {state} {into}\n".encode())
    edges = MemoryEdge.objects.for_space(space).order_by("source_id", "target_id", "type")
    for source, target, kind, weight in edges.values_list("source_id", "target_id", "type", "weight"):
        digest.update(f"edge {source.hex} {target.hex} {kind} {float(weight).hex()}\n".encode())
    return digest.hexdigest()
