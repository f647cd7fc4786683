"""Coaching: what is noted of a person's goals, gratitude and mood."""
