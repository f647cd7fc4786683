"""Compression: fewer memories that say the same (docs/algorithms/compression.md)."""

from memory.compression.integrity import integrity_hash
from memory.compression.purging import purge_tombstones
from memory.compression.requesting import (
    awaits_compression,
    begin_run,
    compress_if_needed,
    find_open_run,
    is_due,
    request_compression,
)
from memory.compression.restoring import restore
from memory.compression.running import compress

__all__ = [
    "awaits_compression",
    "begin_run",
    "compress",
    "compress_if_needed",
    "find_open_run",
    "integrity_hash",
    "is_due",
    "purge_tombstones",
    "request_compression",
    "restore",
]
