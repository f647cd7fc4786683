"""What an agent asks and what it works on, as its memory reads them: a question's vector and words, and the task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import embed_question_with
from companion_site.language import sanitise, tokens
from memory.agents.frames import Task
from memory.nodes import NodeInvalid, clean_line, clean_tags, clean_text

ID_CHARS, TEXT_CHARS = 200, 20_000


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


def ask(text: str, *, embedder: Embedder) -> Question:
    """Return a question as it is searched with; embeds it. Raises NodeInvalid: nothing of it can be seen."""
    clean = sanitise(text).strip()
    if not clean:
        raise NodeInvalid("query", "missing")
    vector = embed_question_with(embedder, clean)
    terms = dict.fromkeys([*tokens(clean, "en"), *tokens(clean, "sv")])
    return Question(clean, vector, embedder.model, embedder.calibration, tuple(terms))


def clean_task(given: Mapping[str, Any]) -> Task:
    """Return a task as it is worked with. Raises NodeInvalid: what is wrong with it first."""
    return Task(
        id=clean_line(given.get("id"), field="task.id", most=ID_CHARS),
        tags=tuple(clean_tags(given.get("tags"), field="task.tags")),
        problem=clean_text(given.get("problem"), field="task.problem", most=TEXT_CHARS),
        constraints=clean_text(given.get("constraints"), field="task.constraints", most=TEXT_CHARS),
    )
