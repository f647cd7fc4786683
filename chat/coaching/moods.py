"""What somebody says of how they are, in so many words: which feeling, how much of it, how lively."""

from typing import Any

from chat.coaching.clauses import Clause
from chat.coaching.phrases import patterns
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language
from memory.student.life.emotions.classifier import classify


def tells_mood(clause: Clause, *, language: Language) -> bool:
    """Tell whether the person says how they are."""
    return any(turn.match(clause.folded) for turn in patterns(language, "moods"))


def read_mood(clause: Clause) -> dict[str, Any]:
    """Return how the person is by a clause that says so, as a payload; embeds it."""
    embedder = get_embedder()
    state = classify(clause.text, vector=embedder.embed([clause.text])[0], embedder=embedder)
    return {"emotion": state.primary_emotion, "intensity": state.intensity, "energy": state.energy}
