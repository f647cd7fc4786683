"""Compression: fewer memories that say the same (docs/algorithms/compression.md)."""
