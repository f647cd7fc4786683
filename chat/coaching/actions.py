"""What a person's own message asks to be noted: a goal set, how it goes with one, gratitude, a mood; read without a model.

A message is read clause by clause, as its person's own words: without code, quotations and questions. The reader tells the sentences that call for
a note (`memory.reading.notes`); they are kept word for word. A message about danger is not read (`chat.turn.student`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, islice
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from chat.coaching.phrases import WORDING, pattern
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.language import Language, hide_foreign, stem_words, words
from memory.reading.notes import read_notes
from memory.student.life.emotions import classify

_QUOTED = re.compile(
    r"[\"\u201c\u201d\u201e\u00ab\u00bb][^\"\u201c\u201d\u201e\u00ab\u00bb\n]*[\"\u201c\u201d\u201e\u00ab\u00bb]"
    r"|(?<!\w)[\u2018\u2019'][^\u2018\u2019'\n]{3,400}[\u2018\u2019'](?!\w)"
)
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")
#: where the person begins anew within a sentence
_ANEW: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r",? (?:and|but|so)(?= (?:i|i'm|i've|i'd|my)\b)|;|,(?= (?:but|i|i'm|i've|i'd|it)\b)", re.IGNORECASE
    ),
    "sv": re.compile(
        r",? (?:och|men|så)(?= (?:jag|nu|mitt|min|det|har jag)\b)|;|,(?= (?:men|jag|det)\b)", re.IGNORECASE
    ),
}
#: of a sentence so many characters are read, and of a message so many sentences
LONGEST_SENTENCE, MOST_SENTENCES_SPLIT = 600, 200
_EDGES = " \t,;:.!?…-\u2013"


@dataclass(frozen=True)
class Clause:
    """One clause: as it was said, and folded for comparing; both have the same length."""

    text: str
    folded: str
    #: the sentence that it stands in
    sentence: str


def split_clauses(text: str, *, language: Language) -> list[Clause]:
    """Return the clauses of a message, in order; what asks is none."""
    plain = _QUOTED.sub(lambda found: " " * len(found.group()), hide_foreign(text))
    sentences = islice(_SENTENCE.finditer(plain), MOST_SENTENCES_SPLIT)
    return [
        clause for sentence in sentences for clause in _clauses(sentence.group()[:LONGEST_SENTENCE], language)
    ]


def _clauses(sentence: str, language: Language) -> Iterator[Clause]:
    if sentence.rstrip().endswith("?"):
        return
    start = 0
    ends = [(found.start(), found.end()) for found in _ANEW[language].finditer(sentence)]
    for end, after in [*ends, (len(sentence), len(sentence))]:
        part = sentence[start:end].strip(_EDGES)
        start = after
        folded = fold(part)
        if part and len(folded) == len(part) and not pattern(language, "asks").match(folded):
            yield Clause(part, folded, sentence.strip(" \t"))


def fold(text: str) -> str:
    """Return a text for comparing, in small letters and with one kind of apostrophe."""
    return text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def match_goal(text: str, goals: Sequence[str], *, language: Language) -> int | None:
    """Return the index of the goal that shares most telling words with a text; None where none shares any."""
    said = _telling(text, language)
    shared = [len(said & _telling(goal, language)) for goal in goals]
    best = max(range(len(goals)), key=lambda index: shared[index], default=None)
    return best if best is not None and shared[best] > 0 else None


def _telling(text: str, language: Language) -> set[str]:
    """Return what the words of a text come to, one for words that are alike, without those that any goal may have."""
    alike, idle = _alike(language), _idle(language)
    found = [word for word in words(text) if word not in idle]
    stems = stem_words(found, language)
    return {alike.get(word, alike.get(stem, stem)) for word, stem in zip(found, stems, strict=True)}


@cache
def _alike(language: Language) -> dict[str, str]:
    found = {}
    for line in WORDING[language].alike:
        same = line.split()
        found.update(dict.fromkeys([*same, *stem_words(same, language)], same[0]))
    return found


@cache
def _idle(language: Language) -> frozenset[str]:
    return frozenset(WORDING[language].idle.split())


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
