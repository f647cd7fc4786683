"""A person's life in rows: moods, goals, gratitude, the measures of a day, and what the companion keeps in mind."""
