"""Which remembered statement answers a question, if any does: the best of them, and how surely.

The relevance head tells what has to do with a message. An answer is more: it says of what the question names the kind of thing that is
asked for (a name, a place, a time, a number). A few plain facts beside the head, weighed by a logistic model that was fitted on
questions by other hands (`python -m bench.answers`), a good part of which nothing answers.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from companion_site.language import Language, detect_language, find_names, stem_words, word_information
from memory.reading.heads import Heads
from memory.reading.kernels import Floats
from memory.reading.owners import is_of_another
from memory.reading.params import READING, ReadingParams
from memory.reading.splitter import split
from memory.reading.values import read_values
from memory.reading.words import find_words, load_tables, table

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
#: What leans on the question before it is short, and shorter where it says something of its own ("and which school?").
LEANING_WORDS, JOINED_WORDS = 8, 5
#: What is about as likely an answer as the best one: a later word on the same matter then holds.
RIVAL = 0.6
#: What perhaps took the place of an answer leads where it has the kind of thing that is asked for; of a question that names none, where it
#: answers with this share of the other's chance.
LEADS = 0.03
#: The clauses of so many of the nearest statements are read, of each so many.
MOST_IN_CLAUSES, MOST_CLAUSES = 8, 6
Embed = Callable[[Sequence[str]], NDArray[np.floating]]


@cache
def _asking() -> frozenset[str]:
    """Return the words that ask, in every language."""
    return table("asking").union(
        words
        for tables in load_tables("questions.json").values()
        for kind in tables.values()
        for words in kind
    )


def find_sought(question: str) -> frozenset[Sought]:
    """Return what a question asks for, in whatever language its words are; nothing where it asks "what" or "which"."""
    said = f" {' '.join(find_words(question[:MOST_CHARS]))} "
    return frozenset(
        name
        for tables in load_tables("questions.json").values()
        for name in get_args(Sought)
        if any(f" {words} " in said for words in tables.get(name, ()))
    )


def leans(question: str) -> bool:
    """Tell whether a question is none without the one before it: "and when?", "how old is he?", "and the other one?"."""
    words = find_words(question[:MOST_CHARS])
    asks = "?" in question or bool(words and words[0] in table("joining") | _asking())
    if not asks or len(words) > LEANING_WORDS or "coming" in find_sought(question):
        return False
    told = _Words.of(question)
    if not told.bits and not told.names:
        return True
    if words[0] in table("joining") and len(words) <= JOINED_WORDS:
        return True
    points = any(word in table("others") or word in _pointing() for word in words)
    return points and len(told.bits) <= 1 and not told.names


@cache
def _pointing() -> frozenset[str]:
    return frozenset().union(*(tables["pointing"] for tables in load_tables("questions.json").values()))


def find_sought_after(question: str, before: str) -> frozenset[Sought]:
    """Return what a question asks for; where it says nothing of that, what the one asked for that it leans on."""
    return find_sought(question) or find_sought(before)


@dataclass(frozen=True, slots=True)
class Said:
    """A remembered statement, and when it was said (seconds since the epoch)."""

    text: str
    said_at: float


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near (n,) statements lie to a question, whole and by their best clause, and what the relevance head says of either.

    Attributes:
        to_any: how near each lies to questions in general; some lie near to all of them.
    """

    cosines: Floats
    to_any: Floats
    helps: Floats
    answers: Floats
    clause_cosines: Floats
    clause_answers: Floats


def read_nearness(
    question: str,
    statements: Sequence[Said],
    *,
    embed: Embed,
    heads: Heads,
    usual: NDArray[np.floating],
    is_company: bool,
) -> Nearness:
    """Read a question beside statements, and beside the clauses of those that lie nearest.

    Of "I go to class 7B and live in Lund with my brother" one clause answers "Where do I live?"; the whole lies far from it.

    Args:
        usual: (d,) the middle of many questions' centred vectors.
    """
    texts = [one.text for one in statements]
    vector, *vectors = embed([question, *texts])
    near = heads.projection.centred(vector[None])[0]

    def read(texts: Sequence[str], vectors: Sequence[NDArray[np.floating]]) -> tuple[Floats, Floats, Floats]:
        told = heads.read_relevance(question, texts, vector, np.stack(vectors), is_company=is_company)
        helps, answers = (told.probabilities[:, told.classes.index(name)] for name in ("helps", "answers"))
        return heads.projection.centred(np.stack(vectors)) @ near, helps, answers

    cosines, helps, answers = read(texts, vectors)
    nearest = sorted(np.argsort(-cosines, kind="stable")[:MOST_IN_CLAUSES].tolist())
    parts = [(place, part) for place in nearest for part in _clauses(texts[place])]
    clause_cosines, clause_answers = cosines.copy(), answers.copy()
    if parts:
        read_parts = read(
            [*texts, *(part for _, part in parts)], [*vectors, *embed([part for _, part in parts])]
        )
        for place, cosine, answer in zip(
            [place for place, _ in parts],
            read_parts[0][len(texts) :],
            read_parts[2][len(texts) :],
            strict=True,
        ):
            clause_cosines[place] = max(clause_cosines[place], cosine)
            clause_answers[place] = max(clause_answers[place], answer)
    to_any = heads.projection.centred(np.stack(vectors)) @ usual
    return Nearness(cosines, to_any, helps, answers, clause_cosines, clause_answers)


def _clauses(text: str) -> list[str]:
    """Return the clauses of a statement that has several."""
    found = [text[one.start : one.end] for one in split(text, limit=MOST_CLAUSES)]
    return found if len(found) > 1 else []


def describe_answers(
    question: str,
    statements: Sequence[Said],
    near: Nearness,
    *,
    sought: frozenset[Sought],
    is_company: bool,
) -> Floats:
    """Return (n, k) plain facts of statements beside a question.

    Args:
        sought: what is asked for.
    """
    asked = _Words.of(question)
    n = len(statements)
    order = np.argsort(np.argsort([-one.said_at for one in statements], kind="stable"), kind="stable")
    rows = []
    top, best = float(near.cosines.max(initial=0.0)), float(near.clause_cosines.max(initial=0.0))
    next_best = float(np.sort(near.clause_cosines)[-2]) if n > 1 else 0.0
    surest = _log_odds(float(near.clause_answers.max(initial=0.0)))
    beyond = near.cosines - near.to_any
    furthest, spread = float(beyond.max(initial=0.0)), float(near.cosines.std()) + 0.05
    ranks, clause_ranks = _ranks(near.cosines), _ranks(near.clause_cosines)
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
        chance, cosine = float(near.answers[place]), float(near.cosines[place])
        clause_chance, clause_cosine = float(near.clause_answers[place]), float(near.clause_cosines[place])
        rows.append(
            [
                _log_odds(chance),
                _log_odds(chance + float(near.helps[place])),
                cosine,
                cosine - top,
                1.0 / (1.0 + int(ranks[place])),
                float(near.to_any[place]),
                (cosine - float(near.cosines.mean())) / spread,
                float(beyond[place]) - furthest,
                clause_cosine,
                clause_cosine - best,
                (best - next_best) * float(clause_cosine >= best),
                1.0 / (1.0 + int(clause_ranks[place])),
                _log_odds(clause_chance),
                _log_odds(clause_chance) - surest,
                covered / (total + 4.0),
                sum(rarity[stem] for stem in shared) / 10,
                missed / 10,
                float(not asked.bits),
                float(bool(asked.names - words.names - shared)),
                float(bool(asked.names & words.names)),
                float(_shares_names_alone(asked, words)),
                *_fits(sought, one.text, question),
                float(has_sought(sought, one.text, question)),
                float(is_of_another(question, one.text)),
                int(order[place]) / max(n, 1),
                float("past" in sought),
                float("past" in sought) * int(order[place]) / max(n, 1),
                min(len(one.text), 200) / 100,
                min(len(question), 100) / 50,
                float(words.is_own and asked.is_own),
                float(asked.language != words.language),
                float(is_company),
            ]
        )
    return np.asarray(rows, np.float32).reshape(n, -1)


def _ranks(values: Floats) -> NDArray[np.int64]:
    return np.argsort(np.argsort(-values, kind="stable"), kind="stable")


def answer_chances(
    question: str,
    statements: Sequence[Said],
    *,
    embed: Embed,
    heads: Heads,
    sought: frozenset[Sought],
    is_company: bool,
) -> Floats:
    """Return (n,) how likely each statement answers the question, judged among the others."""
    weights = _weights()
    near = read_nearness(
        question,
        statements,
        embed=embed,
        heads=heads,
        usual=weights["usual"],
        is_company=is_company,
    )
    facts = describe_answers(question, statements, near, sought=sought, is_company=is_company)
    scores = (facts - weights["middle"]) / weights["spread"] @ weights["weights"] + weights["bias"]
    return np.asarray(1 / (1 + np.exp(-scores)), np.float32)


def choose_answers(
    question: str,
    statements: Sequence[Said],
    *,
    embed: Embed,
    heads: Heads,
    is_company: bool = False,
    before: str = "",
    newer: Mapping[int, int] = MappingProxyType({}),
    params: ReadingParams = READING,
) -> list[int]:
    """Return the place of the one statement that answers; of several, best first, where all that is known is asked for.

    What perhaps took its place leads, unless the past is asked for. Whatever the chances, a statement without the kind of thing
    that is asked for (a name, a place, a time, a number) answers nothing, and none about what is somebody else's.

    Args:
        embed: gives (n, d) vectors of texts; its errors are the caller's.
        before: the question that this one leans on, "" for none.
        newer: by the place of a statement the place of the one that perhaps took its place.
    """
    if not statements:
        return []
    sought, question = find_sought_after(question, before), f"{before} {question}".strip()
    chances = answer_chances(
        question, statements, embed=embed, heads=heads, sought=sought, is_company=is_company
    )
    best = sorted(range(len(statements)), key=lambda place: -chances[place])
    bar = params.answers_past if "past" in sought else params.answers
    fitting = [
        place
        for place in best
        if chances[place] >= bar
        and has_sought(sought, statements[place].text, question)
        and not is_of_another(question, statements[place].text)
    ]
    if "telling" in sought:
        matter = _matter_of(question)
        named = [place for place in best if _is_about(matter, statements[place].text, question)]
        # Who asks for nothing but themselves is told what comes first of all.
        all_of_it = range(len(statements)) if not matter and _Words.of(question).is_own else ()
        found = [*(named or all_of_it or fitting)][:MOST_TOLD]
    elif "coming" in sought:
        found = fitting[:MOST_TOLD]
    elif not sought:
        found = fitting[:1]
    else:
        found = _settle(fitting, statements, chances, question, is_past="past" in sought)
    if "past" in sought:
        return found
    leading: list[int] = []
    for place in found:
        later = newer.get(place, place)
        statement = statements[later].text
        may_hold = bool(sought.intersection(VALUES)) or chances[later] >= LEADS * chances[place]
        if may_hold and has_sought(sought, statement, question) and not is_of_another(question, statement):
            leading.append(later)
        leading.append(place)
    return list(dict.fromkeys(leading))


def _matter_of(question: str) -> frozenset[str]:
    """Return the stems of what somebody asks to be told all about, without the words that ask it."""
    asked, said = _Words.of(question), f" {' '.join(find_words(question[:MOST_CHARS]))} "
    asking = {
        word
        for tables in load_tables("questions.json").values()
        for words in tables["telling"]
        if f" {words} " in said
        for word in words.split()
    }
    return frozenset(asked.bits) - frozenset(stem_words(sorted(asking), asked.language))


def _is_about(matter: frozenset[str], statement: str, question: str) -> bool:
    """Tell whether a statement names the matter, and not somebody else's."""
    stems = _Words.of(statement).stems
    return any(_holds(stem, stems) for stem in matter) and not is_of_another(question, statement)


def _shares_names_alone(asked: "_Words", told: "_Words") -> bool:
    """Tell whether a statement has of all that a question tells nothing but whom it is about: "which university did Harriet choose?"."""
    shared = {stem for stem in asked.bits if _holds(stem, told.stems)}
    return bool(asked.names & shared) and bool(asked.bits.keys() - asked.names) and shared <= asked.names


def _settle(
    fitting: Sequence[int],
    statements: Sequence[Said],
    chances: Floats,
    question: str,
    *,
    is_past: bool,
) -> list[int]:
    """Return the one of those that answer: of several about as likely on the same matter the last said, or the first where the past is asked for."""
    if not fitting:
        return []
    top, asked = fitting[0], _Words.of(question)
    matter = {stem for stem in asked.bits if _holds(stem, _Words.of(statements[top].text).stems)}
    rivals = [
        place
        for place in fitting
        if place == top
        or (
            chances[place] >= RIVAL * chances[top]
            and any(_holds(stem, _Words.of(statements[place].text).stems) for stem in matter)
        )
    ]
    settle = min if is_past else max
    return [settle(rivals, key=lambda place: statements[place].said_at)]


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
    language: Language

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
