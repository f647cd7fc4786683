"""A demo company's three months, as files: what its people said, what was believed of it, and how it stands today."""
