"""What an agent asks and what it works on, as its memory reads them: a question's vector and words, and the task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import embed_question_with
from companion_site.language import sanitise, tokens
from memory.agents.frames import Task
from memory.agents.params import SEARCH, SearchParams
from memory.nodes.errors import NodeInvalid
from memory.nodes.limits import clean_tags, clean_text

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


def ask(text: object, *, embedder: Embedder, params: SearchParams = SEARCH) -> Question:
    """Return a question as it is searched with; embeds it. Raises NodeInvalid: it is no text, empty or too long."""
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


def clean_task(raw: object) -> Task:
    """Return a task as it is worked with. Raises NodeInvalid: what is wrong with it first."""
    if not isinstance(raw, Mapping):
        raise NodeInvalid("task", "kind")
    if not {"id", "tags", "problem", "constraints"}.issuperset(raw):
        raise NodeInvalid("task", "unknown")
    return Task(
        id=clean_task_id(raw.get("id")),
        tags=tuple(clean_tags(raw.get("tags"), field="task.tags")),
        problem=clean_text(raw.get("problem"), field="task.problem", most=TEXT_CHARS),
        constraints=clean_text(raw.get("constraints"), field="task.constraints", most=TEXT_CHARS),
    )


def clean_task_id(raw: object, *, field: str = "task.id") -> str:
    """Return the id of a task, or of a session, on one line."""
    found = " ".join(clean_text(raw, field=field, most=ID_CHARS).split())
    if not found:
        raise NodeInvalid(field, "missing")
    return found
