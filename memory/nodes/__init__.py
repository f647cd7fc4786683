"""A node as programs write it: its form on the wire and its bounds, for agents' memory and packs alike."""
