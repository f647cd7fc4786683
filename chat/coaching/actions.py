"""What a person's own message asks to be noted: a goal set, how it goes with one, gratitude, a mood; read without a model.

The reader tells the sentences that call for a note (`memory.reading.notes`); they are kept word for word. What is asked, quoted or in
code is not read, nor a message about danger (`chat.turn.student`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from chat.coaching.clauses import Clause, split_clauses
from chat.coaching.goal_match import match_goal
from chat.coaching.phrases import pattern
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.language import Language
from memory.reading.notes import read_notes
from memory.student.life.emotions import classify

ActionType = Literal["set_goal", "update_goal", "log_gratitude", "log_mood"]
#: of one message, so that a long one does not fill the pages
MOST_ACTIONS = 3
#: words of what is kept, and sentences that are read of one message: each costs an embedding
MOST_WORDS, MOST_SENTENCES = 50, 24
#: so far back, in characters, is looked for what takes words back
_BEFORE = 80
_NOTES = ("goal", "goal_done", "gratitude", "mood")


@dataclass(frozen=True, kw_only=True)
class CoachingAction:
    """One thing to be noted.

    Attributes:
        payload: of set_goal and log_gratitude {"text"}; of update_goal {"goal": place among the goals given, "change":
            "note", "done" or "dropped", "text"}; of log_mood {"emotion", "intensity", "energy"}.
    """

    type: ActionType
    payload: dict[str, Any] = field(default_factory=dict)


def read_actions(
    text: str,
    *,
    language: Language,
    goals: Sequence[str] = (),
    vector: NDArray[np.floating] | None = None,
) -> list[CoachingAction]:
    """Return what a message asks to be noted, in order, at most `MOST_ACTIONS`.

    Args:
        text: what the person said, never the companion.
        goals: the goals they pursue.
        vector: (d,) of the text, where it is known.
    """
    clauses = split_clauses(text, language=language)
    sentences = [list(group) for _, group in groupby(clauses, key=lambda clause: clause.sentence)]
    sentences = sentences[:MOST_SENTENCES]
    if not sentences:
        return []
    embedder = EmbedOnce(get_embedder(), {} if vector is None else {text: vector})
    texts = [own[0].sentence for own in sentences]
    vectors = embedder.embed(texts)
    noted = read_notes(texts, vectors, _NOTES, embedder=embedder)
    found: list[CoachingAction] = []
    for own, notes, vector in zip(sentences, noted, vectors, strict=True):
        for action in _read(own, notes, vector, goals, language, embedder):
            if not _is_known(action, found):
                found.append(action)
    return found[:MOST_ACTIONS]


def _read(
    clauses: Sequence[Clause],
    notes: Mapping[str, float],
    vector: NDArray[np.floating],
    goals: Sequence[str],
    language: Language,
    embedder: Embedder,
) -> Iterator[CoachingAction]:
    """Yield what a sentence asks to be noted: how it goes with a goal, or else the notes that it calls for."""
    sentence = clauses[0].sentence.strip()
    updates = [_update(clause, goals, language, is_done="goal_done" in notes) for clause in clauses]
    told = [update for update in updates if update is not None]
    yield from (CoachingAction(type="update_goal", payload=update) for update in told)
    if told or len(sentence.split()) > MOST_WORDS:
        return
    if "gratitude" in notes:
        yield CoachingAction(type="log_gratitude", payload={"text": sentence})
    if "goal" in notes:
        yield CoachingAction(type="set_goal", payload={"text": sentence})
    elif "mood" in notes:
        state = classify(sentence, vector=vector, embedder=embedder)
        felt = {"emotion": state.primary_emotion, "intensity": state.intensity, "energy": state.energy}
        if state.primary_emotion != "neutral":  # the reader cannot tell which feeling it is
            yield CoachingAction(type="log_mood", payload=felt)


def _update(
    clause: Clause, goals: Sequence[str], language: Language, *, is_done: bool
) -> dict[str, Any] | None:
    if not goals or pattern(language, "others").match(clause.folded):
        return None
    dropped = _tells(clause.folded, "dropped", language)
    if not dropped and pattern(language, "uncertain").search(clause.folded):
        return None
    # What became of it may stand in the clause beside: "I read it all, goal reached".
    goal = match_goal(clause.sentence if dropped else clause.text, goals, language=language)
    if goal is None:
        return None
    is_done = is_done and not pattern(language, "denied").search(clause.folded)
    change = "dropped" if dropped else "done" if is_done else "note"
    return {"goal": goal, "change": change, "text": clause.sentence.strip()}


def _tells(folded: str, name: str, language: Language) -> bool:
    """Tell whether words say what became of a goal, and nothing before them takes it back: "I will never give up"."""
    found, taken_back = pattern(language, name).finditer(folded), pattern(language, "taken_back")
    return any(not taken_back.search(folded[max(one.start() - _BEFORE, 0) : one.start()]) for one in found)


def _is_known(action: CoachingAction, found: Sequence[CoachingAction]) -> bool:
    """Tell whether a message has said this already; of one goal, and of its mood, it tells once."""
    same = [other for other in found if other.type == action.type]
    if action.type == "log_mood":
        return bool(same)
    if action.type == "update_goal":
        return any(other.payload["goal"] == action.payload["goal"] for other in same)
    return action in same
