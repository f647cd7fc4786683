"""Who and what a student's memories are about: one row for each person, animal, place, course and thing (docs/algorithms/entities.md)."""
