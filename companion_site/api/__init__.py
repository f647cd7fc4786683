"""The edge that every REST endpoint shares: who asks and may what, pages, errors, repeats, limits, and its description."""
