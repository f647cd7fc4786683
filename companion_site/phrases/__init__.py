"""Finding known phrases in text: names of concepts, triggers of the ledger. How: docs/algorithms/fog.md."""

from companion_site.phrases.matcher import PhraseMatcher
from companion_site.phrases.patterns import Found, Phrase

__all__ = ["Found", "Phrase", "PhraseMatcher"]
