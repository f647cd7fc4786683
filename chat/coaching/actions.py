"""What a person's own message asks to be noted: a goal set, how it goes with one, gratitude, a mood; read without a model.

Only what the message says in so many words is taken, word for word. What is asked, denied, quoted, told of others or wished
for no more than the moment is none. A message about danger is not read at all (`chat.turn.coach`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from chat.coaching.clauses import Clause, fold, split_clauses
from chat.coaching.goal_match import match_goal
from chat.coaching.moods import read_mood, tells_mood
from chat.coaching.phrases import pattern, patterns
from companion_site.language import Language

ActionType = Literal["set_goal", "update_goal", "log_gratitude", "log_mood"]
#: of one message, so that a long one does not fill the pages
MOST_ACTIONS = 3
MOST_GOAL_WORDS, MOST_THANKS_WORDS = 30, 50
#: so far back, in characters, is looked for what takes words back
_BEFORE = 80
_BLANK = re.compile(r"\w")


@dataclass(frozen=True, kw_only=True)
class CoachingAction:
    """One thing to be noted.

    Attributes:
        payload: of set_goal and log_gratitude {"text"}; of update_goal {"goal": place among the goals given, "change":
            "note", "done" or "dropped", "text"}; of log_mood {"emotion", "intensity", "energy"}.
    """

    type: ActionType
    payload: dict[str, Any] = field(default_factory=dict)


def read_actions(text: str, *, language: Language, goals: Sequence[str] = ()) -> list[CoachingAction]:
    """Return what a message asks to be noted, in order, at most `MOST_ACTIONS`.

    Args:
        text: what the person said, never the companion.
        goals: the goals they pursue.
    """
    found: list[CoachingAction] = []
    for clause in split_clauses(text, language=language):
        mood_told = any(one.type == "log_mood" for one in found)
        for action in _read(clause, goals, language, mood_told=mood_told):
            if not _is_known(action, found):
                found.append(action)
    return found[:MOST_ACTIONS]


def _read(
    clause: Clause, goals: Sequence[str], language: Language, *, mood_told: bool
) -> Iterator[CoachingAction]:
    """Yield the one action of a clause: the first that its words fit; a message tells its mood once, and costs one vector."""
    if thanks := _thanks(clause, language):
        yield CoachingAction(type="log_gratitude", payload={"text": thanks})
    elif goal := _goal(clause, language):
        yield CoachingAction(type="set_goal", payload={"text": goal})
    elif (update := _update(clause, goals, language)) is not None:
        yield CoachingAction(type="update_goal", payload=update)
    elif not mood_told and tells_mood(clause, language=language):
        yield CoachingAction(type="log_mood", payload=read_mood(clause))


def _thanks(clause: Clause, language: Language) -> str:
    found = _what(clause, language, "grateful")
    refused = pattern(language, "not_grateful").match(found.lower())
    return "" if refused or len(found.split()) > MOST_THANKS_WORDS else found


def _goal(clause: Clause, language: Language) -> str:
    found = _what(clause, language, "goals")
    if not found:
        wished, planned = _what(clause, language, "wishes"), _what(clause, language, "plans")
        found = (wished if _changes(wished, clause, language) else "") or (
            planned if _has(clause.folded, "lasts", language) else ""
        )
    return "" if len(found.split()) > MOST_GOAL_WORDS else found


def _changes(wished: str, clause: Clause, language: Language) -> bool:
    """Tell whether a wish is for more than the moment: it recurs, lasts, or changes how somebody lives."""
    if _has(clause.folded, "lasts", language):
        return True
    folded = wished.lower()
    if _begins(folded, "moment", language):
        return False
    return _begins(folded, "changes", language) or _has(folded, "more", language)


def _has(folded: str, name: str, language: Language) -> bool:
    return re.search(rf"\b(?:{pattern(language, name).pattern})\b", folded) is not None


def _begins(folded: str, name: str, language: Language) -> bool:
    return re.match(rf"(?:{pattern(language, name).pattern})\b", folded) is not None


def _update(clause: Clause, goals: Sequence[str], language: Language) -> dict[str, Any] | None:
    if not goals or pattern(language, "others").match(clause.folded):
        return None
    dropped = _tells(clause.folded, "dropped", language)
    if not dropped and pattern(language, "uncertain").search(clause.folded):
        return None
    # What became of it may stand in the clause beside: "I read it all, goal reached".
    goal = match_goal(clause.sentence if dropped else clause.text, goals, language=language)
    if goal is None:
        return None
    reached = _tells(fold(clause.sentence), "reached", language)
    change = "dropped" if dropped else "done" if reached else "note"
    return {"goal": goal, "change": change, "text": clause.sentence.strip()}


def _tells(folded: str, name: str, language: Language) -> bool:
    """Tell whether words say what became of a goal, and nothing before them takes it back: "I will never give up"."""
    found, taken_back = pattern(language, name).finditer(folded), pattern(language, "taken_back")
    return any(not taken_back.search(folded[max(one.start() - _BEFORE, 0) : one.start()]) for one in found)


def _what(clause: Clause, language: Language, kind: str) -> str:
    """Return the part that is kept of a clause that a turn of phrase fits, word for word."""
    for turn in patterns(language, kind):
        found = turn.match(clause.folded)
        if found is not None:
            words = clause.text[found.start("what") : found.end("what")].strip(" ,;:.-")
            if _BLANK.search(words):
                return words
    return ""


def _is_known(action: CoachingAction, found: Sequence[CoachingAction]) -> bool:
    """Tell whether a message has said this already; of one goal it tells once."""
    same = [other for other in found if other.type == action.type]
    if action.type == "update_goal":
        return any(other.payload["goal"] == action.payload["goal"] for other in same)
    return action in same
