"""Copies of a whole memory: one file that its person takes along, and what it takes to have it back (docs/memory-copies.md)."""
