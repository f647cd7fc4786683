"""A question as an agent's memory reads it: its vector and its words in every language."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import embed_question_with
from companion_site.language import sanitise, tokens
from memory.agents.params import SEARCH, SearchParams
from memory.nodes.errors import NodeInvalid


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        vector: (d,) float32, unit length, of `model`; zeros where it could not be made.
        terms: its words as the indexes have them, English and Swedish, each once.
    """

    text: str
    vector: np.ndarray
    model: str
    calibration: Calibration
    terms: Sequence[str]


def ask(text: object, *, embedder: Embedder, params: SearchParams = SEARCH) -> Question:
    """Return a question as it is searched with; embeds it.

    Raises:
        NodeInvalid: it is no text, empty or too long.
    """
    if not isinstance(text, str):
        raise NodeInvalid("query", "missing" if text is None else "kind")
    if len(text) > params.most_query_chars:
        raise NodeInvalid("query", "too-long")
    clean = sanitise(text).strip()
    if not clean:
        raise NodeInvalid("query", "missing")
    vector = embed_question_with(embedder, clean)
    terms = dict.fromkeys([*tokens(clean, "en"), *tokens(clean, "sv")])
    return Question(clean, vector, embedder.model, embedder.calibration, tuple(terms))
