"""How much a pack may hold and cost. What one node may hold is told in `memory.nodes`."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class PackLimits:
    """Bounds that are checked while a pack is read, before anything is written."""

    #: of the file as it lies there
    file_bytes: int = 512 * 2**20
    #: of what it unpacks to
    unpacked_bytes: int = 2 * 2**30
    #: unpacked bytes for each packed one, beyond the first `free_bytes`; nodes with vectors come to 3, plain prose to 10
    ratio: int = 100
    free_bytes: int = 2**20
    manifest_bytes: int = 256 * 2**10
    line_bytes: int = 512 * 2**10
    nodes: int = 200_000
    #: taken in through a page: a job checks them all at once; more come by the command
    uploaded_nodes: int = 100_000
    links: int = 750_000
    dimension: int = 4_096
    #: Argon2id as a foreign file may ask for it: memory at once, and memory times rounds
    argon2_memory_kib: int = 256 * 2**10
    argon2_work_kib: int = 2**20
    argon2_lanes: int = 16


LIMITS = PackLimits()
#: packs that one space reads
MOST_MOUNTED = 32
