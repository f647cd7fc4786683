"""What somebody says of how they are, in so many words: which feeling, how much of it, how lively."""

from typing import Any

from chat.coaching.clauses import Clause
from chat.coaching.wording import patterns
from companion_site.language import Language
from memory.life.emotions.classifying import classify

#: Words that say how somebody is and which the lexicon of feelings has no feeling for.
_PLAIN: dict[str, str] = {
    **dict.fromkeys(
        ("low", "down", "bad", "awful", "terrible", "låg", "lågt", "nere", "dåligt", "jättedåligt", "uselt"),
        "sadness",
    ),
    **dict.fromkeys(
        ("good", "great", "bra", "jättebra", "fint", "härligt", "toppen", "underbart", "fantastic"), "joy"
    ),
    **dict.fromkeys(("okay", "ok", "fine", "okej"), "calm"),
}
_TIRED = frozenset(
    ("tired", "exhausted", "worn out", "drained", "trött", "utmattad", "slut", "slutkörd", "jättetrött")
)


def read_mood(clause: Clause, *, language: Language) -> dict[str, Any] | None:
    """Return how the person says they are, as a payload; None where they do not say."""
    for turn in patterns(language, "moods"):
        found = turn.match(clause.folded)
        if found is None:
            continue
        word = found.group("feeling")
        state = classify(clause.text, language=language, vector=None, embedder=None)
        emotion = _PLAIN.get(word, state.primary_emotion)
        if word in _TIRED:
            return {"emotion": "neutral", "intensity": "low", "energy": "low"}
        if emotion == "neutral":
            return None
        intensity = state.intensity if state.primary_emotion == emotion else "medium"
        return {"emotion": emotion, "intensity": intensity, "energy": state.energy}
    return None
