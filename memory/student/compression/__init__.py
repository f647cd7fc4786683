"""Compression: fewer memories that say the same (docs/algorithms/compression.md)."""

from memory.student.compression.integrity import integrity_hash
from memory.student.compression.purge import purge_tombstones
from memory.student.compression.requests import (
    awaits_compression,
    begin_run,
    compress_if_needed,
    find_open_run,
    is_due,
    request_compression,
)
from memory.student.compression.run import compress
from memory.student.compression.undo import restore

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
