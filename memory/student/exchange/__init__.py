"""One reading of an exchange by a model: what it found, checked word by word, put beside what the reader's heads formed.

Docs: docs/algorithms/reading.md.
"""
