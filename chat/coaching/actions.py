"""What a person's own message asks to be noted: a goal set, how it goes with one, gratitude, a mood; read without a model.

A message is read sentence by sentence, as its person's own words: without code, quotations and questions. The reader tells the
sentences that call for a note (`memory.reading.notes`); they are kept word for word. A message about danger is not read
(`chat.turn.student`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.language import hide_foreign
from memory.reading.notes import find_progress, read_notes
from memory.reading.splitter import split_sentences
from memory.student.life.feelings import classify
from memory.student.life.kinds import JOURNALS, LOG_MOOD, NOTE, SET_GOAL, UPDATE_GOAL, Action

_QUOTED = re.compile(
    r"[\"\u201c\u201d\u201e\u00ab\u00bb][^\"\u201c\u201d\u201e\u00ab\u00bb\n]*[\"\u201c\u201d\u201e\u00ab\u00bb]"
    r"|(?<!\w)[\u2018\u2019'][^\u2018\u2019'\n]{3,400}[\u2018\u2019'](?!\w)"
)


def find_told(text: str) -> list[str]:
    """Return the sentences of a message in which its person tells something, each once: without code, quotations and questions."""
    plain = _QUOTED.sub(lambda found: " " * len(found.group()), hide_foreign(text))
    told = [
        plain[sentence.start : sentence.end]
        for sentence in split_sentences(plain)
        if "?" not in plain[sentence.end - 1 : sentence.end + 1]
        and not all("asked" in clause.frames for clause in sentence.clauses)
    ]
    return list(dict.fromkeys(told))


#: of one message, so that a long one does not fill the pages
MOST_ACTIONS = 3
#: words of what is kept, and sentences that are read of one message: each costs an embedding
MOST_WORDS, MOST_SENTENCES = 50, 24
#: A goal that is as near as this to one that is pursued is the same, said again: a note on it.
SAME_GOAL = 0.85
_NOTES = ("goal", "mood", *(journal.head for journal in JOURNALS if journal.head))


def read_actions(text: str, *, goals: Sequence[str] = (), embedder: Embedder | None = None) -> list[Action]:
    """Return what a message asks to be noted, in order, at most `MOST_ACTIONS`.

    Args:
        text: what the person said, never the companion.
        goals: the goals they pursue.
        embedder: the site's, where no other is given.
    """
    told = find_told(text)[:MOST_SENTENCES]
    if not told:
        return []
    embedder = EmbedOnce(embedder or get_embedder())
    vectors = embedder.embed(told)
    noted = read_notes(told, vectors, _NOTES, embedder=embedder)
    found: list[Action] = []
    for sentence, notes, vector in zip(told, noted, vectors, strict=True):
        for action in _read(sentence, notes, vector, goals, embedder):
            if not _is_known(action, found):
                found.append(action)
    return found[:MOST_ACTIONS]


def _read(
    sentence: str,
    notes: Mapping[str, float],
    vector: NDArray[np.floating],
    goals: Sequence[str],
    embedder: Embedder,
) -> Iterator[Action]:
    """Yield what a sentence asks to be noted: how it goes with a goal, or else the notes that it calls for."""
    progress = _find_progress(sentence, notes, vector, goals, embedder) if goals else None
    if progress is not None:
        yield Action(type=UPDATE_GOAL, goal=progress[0], change=progress[1], text=sentence)
        return
    if len(sentence.split()) > MOST_WORDS:
        return
    for journal in JOURNALS:
        if journal.head in notes:
            yield Action(type=journal.action, text=sentence)
    if "goal" in notes:
        yield Action(type=SET_GOAL, text=sentence)
    elif "mood" in notes:
        state = classify(sentence, vector=vector, embedder=embedder)
        felt = {"emotion": state.primary_emotion, "intensity": state.intensity, "energy": state.energy}
        if state.primary_emotion != "neutral":  # the reader cannot tell which feeling it is
            yield Action(type=LOG_MOOD, feeling=felt)


def _find_progress(
    sentence: str,
    notes: Mapping[str, float],
    vector: NDArray[np.floating],
    goals: Sequence[str],
    embedder: Embedder,
) -> tuple[int, str] | None:
    """Return which goal a sentence tells of, and what became of it; one that sets a goal tells of none but the same."""
    vectors = embedder.embed(goals)
    if "goal" not in notes:
        return find_progress(sentence, goals, vector=vector, vectors=vectors, embedder=embedder)
    near = embedder.calibration.similarity(vectors @ vector)
    return (int(near.argmax()), NOTE) if near.max() >= SAME_GOAL else None


def _is_known(action: Action, found: Sequence[Action]) -> bool:
    """Tell whether a message has said this already; of one goal, and of its mood, it tells once."""
    same = [other for other in found if other.type == action.type]
    if action.type == LOG_MOOD:
        return bool(same)
    return any(other.goal == action.goal for other in same) if action.type == UPDATE_GOAL else action in same
