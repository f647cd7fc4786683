"""Knowledge packs: sealed archives of nodes, taken in as open, read-only spaces that others mount (docs/packs.md)."""
