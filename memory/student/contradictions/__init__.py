"""Memories that cannot both be true now: found at formation, settled or left to the person, and undone in one click.

Measured: docs/algorithms/change.md.
"""
