"""Which of a person's goals a clause is about: by the words that tell one goal from another."""

from collections.abc import Sequence
from functools import cache

from chat.coaching.phrases import WORDING
from companion_site.language import Language, stem_words, words


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
