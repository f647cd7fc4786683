"""A fact on its way into the memory, and one that is held, as plain data."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

import numpy as np

from companion_site.language import fold_words


@dataclass(frozen=True, kw_only=True)
class NewFact:
    """What somebody said that is worth believing.

    Attributes:
        confidence: 0 to 1, of the reading.
        said_at: when the message was written; what was said later wins over what was said earlier.
    """

    category: str
    content: str
    language: str
    confidence: float
    said_at: datetime
    conversation: UUID | None = None
    message: UUID | None = None
    said_by: UUID | None = None


@dataclass(frozen=True, kw_only=True)
class HeldFact:
    """A fact of the memory, to compare something new with.

    Attributes:
        said_at: when somebody last vouched for it.
        vector: (d,) float32 at unit length.
    """

    id: UUID
    category: str
    content: str
    language: str
    confidence: float
    said_at: datetime
    vector: np.ndarray


def fingerprint(content: str) -> str:
    """Return by what the same words are known again, however they are cased and spaced."""
    return sha256(fold_words(content).strip(" .!…").encode("utf-8", "surrogatepass")).hexdigest()
