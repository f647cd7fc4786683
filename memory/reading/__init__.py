"""How people's text is read: clauses, values, and small learned heads on the embedding. docs/algorithms/reading.md."""
