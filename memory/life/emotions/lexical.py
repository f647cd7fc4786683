"""What the words of a message say of a feeling, by the lexicon: which, how much of it, and how lively."""

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion_site.language import Language, stem_words
from memory.life.emotions import lexicon
from memory.life.feelings import EMOTIONS

#: what a plain word, one that names much of a feeling, and a turn of phrase count
PLAIN, STRONG, PHRASE = 1.0, 1.6, 1.2
STRENGTHENED, WEAKENED = 1.4, 0.8
#: a negation reaches so many words on, an intensifier so many
REACH, NEAR = 4, 2
#: what stands before a "but" counts half
BEFORE_BUT = 0.5

#: what a denied feeling leaves: who is not sad is better, who is not glad is worse
_DENIED = {
    "sadness": ("joy", 0.6),
    "anxiety": ("calm", 1.0),
    "loneliness": ("calm", 0.6),
    "joy": ("sadness", 0.6),
    "calm": ("anxiety", 0.6),
}
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|[.,;:!?…\n]")
_ENDS = frozenset(".,;:!?…\n")


@dataclass(frozen=True, kw_only=True)
class Worded:
    """What words say of a feeling.

    Attributes:
        scores: (6,) how much the words speak for each of `EMOTIONS`; neutral is never spoken for.
        strengthened, weakened: whether the feeling is said to be much, or little.
        tired, lively: how many words tell of little energy, and of much.
        of_others: whether it is told of a book, a film or a lesson.
        despairs: whether somebody says that they do not want to live.
        count: words in all.
    """

    scores: NDArray[np.float64]
    strengthened: bool
    weakened: bool
    tired: int
    lively: int
    of_others: bool
    despairs: bool
    count: int


def read_words(text: str, *, language: Language) -> Worded:
    """Return what the words of a text say, in English or Swedish."""
    folded = text.casefold().replace("\u2019", "'")
    tokens = _TOKEN.findall(folded)
    stems = stem_words(tokens, language)
    known = _stems(language)
    turn = _last_turn(tokens)
    scores = np.zeros(len(EMOTIONS))
    strengthened = weakened = False
    for place, stem in enumerate(stems):
        for emotion, weight in known.get(stem, ()):
            before = _before(tokens, place)
            near = set(before[-NEAR:])
            up = bool(near & lexicon.STRENGTHENING[language]) or weight == STRONG
            down = bool(near & lexicon.WEAKENING[language])
            weight *= WEAKENED if down else STRENGTHENED if up else 1.0
            weight *= BEFORE_BUT if place < turn else 1.0
            after = tokens[place + 1 : place + 2]
            _add(scores, emotion, weight, denied=_is_denied([*before, *after], language))
            strengthened, weakened = strengthened or up, weakened or down
    _add_phrases(scores, folded, language)
    return Worded(
        scores=scores,
        strengthened=strengthened,
        weakened=weakened or bool(lexicon.WEAKENING[language] & set(tokens) and len(tokens) < 10),
        tired=sum(token in lexicon.TIRED[language] for token in tokens),
        lively=sum(token in lexicon.LIVELY[language] for token in tokens),
        of_others=_compiled(lexicon.OF_OTHERS[language]).search(folded) is not None,
        # In either language: many mix them, and of a few words the language is guessed.
        despairs=any(_compiled(said).search(folded) for said in lexicon.DESPAIR.values()),
        count=sum(token not in _ENDS for token in tokens),
    )


def name_by_words(worded: Worded) -> int:
    """Return the emotion that the words alone speak for most, as an index into `EMOTIONS`; none spoken for is neutral."""
    best = int(worded.scores.argmax())
    return best if worded.scores[best] > 0 else EMOTIONS.index("neutral")


def _last_turn(tokens: list[str]) -> int:
    """Return the place of the last "but" that has words before it; 0 for none."""
    return max((place for place, token in enumerate(tokens) if token in lexicon.TURNS), default=0)


def _before(tokens: list[str], place: int) -> list[str]:
    """Return the words before a place, at most `REACH`, of the same clause."""
    found: list[str] = []
    for token in reversed(tokens[max(0, place - REACH) : place]):
        if token in _ENDS:
            break
        found.append(token)
    return found[::-1]


def _is_denied(near: list[str], language: Language) -> bool:
    return not lexicon.NEGATIONS[language].isdisjoint(near)


def _add(scores: NDArray[np.float64], emotion: int, weight: float, *, denied: bool) -> None:
    if denied:
        name, share = _DENIED[EMOTIONS[emotion]]
        emotion, weight = EMOTIONS.index(name), weight * share
    scores[emotion] += weight


def _add_phrases(scores: NDArray[np.float64], folded: str, language: Language) -> None:
    for emotion, pattern in _phrases(language):
        scores[emotion] += PHRASE * sum(1 for _ in pattern.finditer(folded))


@cache
def _stems(language: Language) -> dict[str, list[tuple[int, float]]]:
    """Return the emotions and weights of each stem of the lexicon."""
    found: dict[str, dict[int, float]] = {}
    for emotion, (plain, strong) in lexicon.WORDS[language].items():
        for line, weight in ((plain, PLAIN), (strong, STRONG)):
            for stem in stem_words(line.split(), language):
                found.setdefault(stem, {})[EMOTIONS.index(emotion)] = weight
    return {stem: list(weights.items()) for stem, weights in found.items()}


@cache
def _phrases(language: Language) -> list[tuple[int, re.Pattern[str]]]:
    return [
        (EMOTIONS.index(emotion), re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)"))
        for emotion, alternatives in lexicon.PHRASES[language].items()
    ]


@cache
def _compiled(alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")
