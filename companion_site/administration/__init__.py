"""The admin: its site, its navigation and the base of every page of history."""
