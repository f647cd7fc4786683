"""Coaching: the skills a reply is made by, what makes a reply a good one, and what is noted of a person's goals, gratitude and mood."""
