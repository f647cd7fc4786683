"""Which remembered statement answers a question, if any does: the best of them, and how surely.

The relevance head tells what has to do with a message. An answer is more: it says of what the question names the kind of thing that is
asked for (a name, a place, a time, a number). A few plain facts beside the head, weighed by a logistic model that was fitted on the
questions of scenarios by other hands (`python -m bench.answers`), each also asked with what answers it taken away.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from companion_site.language import detect_language, find_names, stem_words, word_information
from memory.reading.heads import Heads
from memory.reading.kernels import Floats
from memory.reading.params import READING, ReadingParams
from memory.reading.values import read_values
from memory.reading.words import FOLDER, find_words, table

WEIGHTS = Path(__file__).parent / "answers.json"
#: what a question asks for; "past": how something was before, "coming": what lies ahead, "telling": all that is known of something
Sought = Literal["name", "place", "time", "number", "past", "coming", "telling"]
VALUES: tuple[Sought, ...] = ("name", "place", "time", "number")
#: Words that tell a matter from others, in bits; what is commoner stands in any question.
TELLING_BITS = 9.5
LEAST_OF_COMPOUND = 4
MOST_CHARS = 600
#: Of what is known of a matter so much is told.
MOST_TOLD = 3


@cache
def _tables() -> dict[str, dict[str, tuple[str, ...]]]:
    return {
        file.parent.name: {name: tuple(words) for name, words in json.loads(file.read_text("utf-8")).items()}
        for file in sorted(FOLDER.glob("*/questions.json"))
    }


@cache
def _asking() -> frozenset[str]:
    """Return the words that ask, in every language."""
    return table("asking").union(
        words for tables in _tables().values() for kind in tables.values() for words in kind
    )


def find_sought(question: str) -> frozenset[Sought]:
    """Return what a question asks for, in whatever language its words are; nothing where it asks "what" or "which"."""
    said = f" {' '.join(find_words(question[:MOST_CHARS]))} "
    return frozenset(
        name
        for tables in _tables().values()
        for name in get_args(Sought)
        if any(f" {words} " in said for words in tables.get(name, ()))
    )


@dataclass(frozen=True, slots=True)
class Said:
    """A remembered statement, and when it was said (seconds since the epoch)."""

    text: str
    said_at: float


def describe_answers(
    question: str,
    statements: Sequence[Said],
    *,
    cosines: NDArray[np.floating],
    helps: NDArray[np.floating],
    answers: NDArray[np.floating],
) -> Floats:
    """Return (n, k) plain facts of statements beside a question.

    Args:
        cosines: (n,) centred, with the question.
        helps, answers: (n,) what the relevance head says of each.
    """
    sought, asked = find_sought(question), _Words.of(question)
    n = len(statements)
    order = np.argsort(np.argsort([-one.said_at for one in statements], kind="stable"), kind="stable")
    rows = []
    top = float(cosines.max(initial=0.0))
    ranks = np.argsort(np.argsort(-cosines, kind="stable"), kind="stable")
    read = [_Words.of(one.text) for one in statements]
    counts = {stem: sum(_holds(stem, words.stems) for words in read) for stem in asked.bits}
    rarity = {
        stem: bits * float(np.log((n + 2) / (1 + counts[stem]))) / float(np.log(n + 2))
        for stem, bits in asked.bits.items()
    }
    for place, (one, words) in enumerate(zip(statements, read, strict=True)):
        shared = {stem for stem in asked.bits if _holds(stem, words.stems)}
        covered = sum(asked.bits[stem] for stem in shared)
        total = sum(asked.bits.values())
        missed = max((bits for stem, bits in asked.bits.items() if stem not in shared), default=0.0)
        chance = float(answers[place])
        rows.append(
            [
                _log_odds(chance),
                _log_odds(float(answers[place] + helps[place])),
                float(cosines[place]),
                float(cosines[place]) - top,
                1.0 / (1.0 + int(ranks[place])),
                covered / (total + 4.0),
                sum(rarity[stem] for stem in shared) / 10,
                missed / 10,
                float(not asked.bits),
                float(bool(asked.names - words.names - shared)),
                float(bool(asked.names & words.names)),
                *_fits(sought, one.text, question),
                int(order[place]) / max(n, 1),
                float("past" in sought),
                float("past" in sought) * int(order[place]) / max(n, 1),
                min(len(one.text), 200) / 100,
                float(words.is_own and asked.is_own),
                float(asked.language != words.language),
            ]
        )
    return np.asarray(rows, np.float32).reshape(n, -1)


def answer_chances(
    question: str,
    statements: Sequence[Said],
    *,
    vector: NDArray[np.floating],
    vectors: NDArray[np.floating],
    heads: Heads,
    is_company: bool = False,
) -> Floats:
    """Return (n,) how likely each statement answers the question, judged among the others.

    Args:
        vector: (d,) of the question; vectors: (n, d) of the statements.
    """
    if not len(statements):
        return np.zeros(0, np.float32)
    told = heads.read_relevance(
        question, [one.text for one in statements], vector, vectors, is_company=is_company
    )
    cosines = heads.projection.centred(vectors) @ heads.projection.centred(vector[None])[0]
    facts = describe_answers(
        question,
        statements,
        cosines=cosines,
        helps=told.probabilities[:, told.classes.index("helps")],
        answers=told.probabilities[:, told.classes.index("answers")],
    )
    weights = _weights()
    scores = (facts - weights["middle"]) / weights["spread"] @ weights["weights"] + weights["bias"]
    return np.asarray(1 / (1 + np.exp(-scores)), np.float32)


def choose_answers(
    question: str,
    statements: Sequence[Said],
    *,
    vector: NDArray[np.floating],
    vectors: Sequence[NDArray[np.floating]],
    heads: Heads,
    is_company: bool = False,
    params: ReadingParams = READING,
) -> list[int]:
    """Return the place of the one statement that answers; of several, best first, where all that is known is asked for.

    Whatever the chances, a statement without the kind of thing that is asked for (a name, a place, a time, a number) answers nothing.
    """
    if not statements:
        return []
    chances = answer_chances(
        question, statements, vector=vector, vectors=np.stack(vectors), heads=heads, is_company=is_company
    )
    sought = find_sought(question)
    best = sorted(range(len(statements)), key=lambda place: -chances[place])
    most = MOST_TOLD if sought & {"telling", "coming"} else 1
    return [
        place
        for place in best[:most]
        if chances[place] >= params.answers and has_sought(sought, statements[place].text, question)
    ]


def has_sought(sought: frozenset[Sought], statement: str, question: str) -> bool:
    """Tell whether a statement has, beyond the question, each kind of thing that the question asks for."""
    held, own = _values(statement), _values(question)
    # A name may open the sentence, where any word has a capital.
    opens = frozenset(find_words(statement)[:1]) - table("self") - table("asking")
    held = {**held, "name": held["name"] | opens, "place": held["place"] | opens}
    return all(held[kind] - own[kind] for kind in VALUES if kind in sought)


@cache
def _weights() -> dict[str, NDArray[np.float32]]:
    kept = json.loads(WEIGHTS.read_text("utf-8"))
    return {name: np.asarray(values, np.float32) for name, values in kept.items()}


@dataclass(frozen=True, slots=True)
class _Words:
    """A text's telling words by stem with their bits, all its stems, and the stems of its names."""

    bits: dict[str, float]
    stems: frozenset[str]
    names: frozenset[str]
    is_own: bool
    language: str

    @classmethod
    def of(cls, text: str) -> "_Words":
        text = text[:MOST_CHARS]
        language = detect_language(text, default="en")
        words = [word.removesuffix("'s") for word in find_words(text)]
        if not words:
            return cls({}, frozenset(), frozenset(), False, language)
        stems = stem_words(words, language)
        bits = dict(zip(stems, word_information(words, language).tolist(), strict=True))
        telling = {
            stem: min(bits[stem], 20.0)
            for word, stem in zip(words, stems, strict=True)
            if bits[stem] >= TELLING_BITS and word not in _asking()
        }
        names = {part for name in find_names(text) for part in find_words(name)}
        return cls(
            telling,
            frozenset(stems),
            frozenset(stem_words(sorted(names), language)),
            bool(table("self").intersection(words)),
            language,
        )


def _holds(stem: str, stems: frozenset[str]) -> bool:
    """Tell whether a stem is among others, be it within a compound."""
    if stem in stems:
        return True
    if len(stem) < LEAST_OF_COMPOUND:
        return False
    return any(
        other.startswith(stem)
        or other.endswith(stem)
        or (len(other) > LEAST_OF_COMPOUND and stem.startswith(other))
        for other in stems
        if len(other) >= LEAST_OF_COMPOUND
    )


def _fits(sought: frozenset[Sought], statement: str, question: str) -> list[float]:
    """Return for each kind of value whether it is asked for and there, and whether it is asked for and not there."""
    held = _values(statement)
    own = _values(question)
    facts = []
    for kind in VALUES:
        there = bool(held[kind] - own[kind])
        facts += [float(kind in sought and there), float(kind in sought and not there)]
    return facts


def _values(text: str) -> dict[Sought, frozenset[object]]:
    read = read_values(text)
    names = frozenset(read.names)
    when = frozenset(read.when.fields().items())
    return {
        "name": names,
        "place": names,
        "time": when,
        "number": frozenset(read.quantities),
    }


def _log_odds(chance: float) -> float:
    bounded = min(max(chance, 1e-4), 1 - 1e-4)
    return float(np.log(bounded / (1 - bounded)))
