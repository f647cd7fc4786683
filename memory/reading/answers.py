"""Which remembered statement answers a question, if any does: the best of them, and how surely.

The relevance head tells what has to do with a message. An answer is more: it says of what the question names the kind of thing that is
asked for (a name, a place, a time, a number). How well a question and a statement match, learned from pairs of them, and a few plain
facts beside the head, weighed by a small network: both fitted on questions by other hands (`python -m bench.answers`), a good part of
which nothing answers.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from companion_site.language import as_sentence
from memory.reading.heads import Heads
from memory.reading.kernels import Floats
from memory.reading.owners import find_of_another
from memory.reading.params import READING
from memory.reading.questions import (
    PLAINLY_VALUES,
    VALUES,
    Sought,
    Words,
    asks_of_oneself,
    find_matter,
    find_sought_after,
    holds,
    say_otherwise,
)
from memory.reading.splitter import split

WEIGHTS = Path(__file__).parent / "answers.npz"
#: A fact counts as no further from the middle than so many spreads: the network has seen few that are.
MOST_DEVIATION = 6.0
#: Of what is known of a matter so much is told, and of the one who asks.
MOST_TOLD, MOST_TOLD_OF_ONESELF = 3, 8
#: What is about as likely an answer as the best one: a later word on the same matter then holds.
RIVAL = 0.8
#: What perhaps took the place of an answer leads where it answers with this share of the other's chance; with less where the kind of thing
#: that is asked for is a place, a time or a number, since a sentence that tells of a change seldom says of what ("We have moved to Malmö");
#: and with least where the whole answer has probably ended by it. What tells of something else has a share of less than .01.
LEADS, LEADS_IN_KIND, LEADS_ENDED = 0.2, 0.08, 0.01
#: With so much of it, it is the one answer that was asked for, and what it took the place of is not told.
STANDS_ALONE = 0.5
#: What matches a message less than this matches it less than nothing does.
MATCHES_NOTHING = 0.0
#: The clauses of so many of the nearest statements are read, of each so many: of eight, no other replies are right, and embedding
#: them takes twice as long.
MOST_IN_CLAUSES, MOST_CLAUSES = 3, 6
#: So many of the likeliest are compared with each other.
MOST_COMPARED = 8
Embed = Callable[[Sequence[str]], NDArray[np.floating]]


@dataclass(frozen=True, slots=True)
class Said:
    """A remembered statement, and when it was said (seconds since the epoch)."""

    text: str
    said_at: float


@dataclass(frozen=True, slots=True)
class Compared:
    """A question, n statements and m of their clauses, as unit rows in the k directions that the heads compare.

    Attributes:
        asked: (k,).
        told: (n, k).
        clauses: (m, k).
        places: (m,) the statement that each clause is of.
    """

    asked: Floats
    told: Floats
    clauses: Floats
    places: NDArray[np.intp]

    def match(self, weights: Floats, nothing: float) -> Floats:
        """Return (n, 5) facts of how well each statement matches the question, whole and by its best clause, more than nothing does.

        Args:
            weights: (k, k), from the directions of a question to those of what answers it.
            nothing: what a statement has to exceed.
        """
        looked_for = self.asked @ weights
        whole = self.told @ looked_for - nothing
        if not len(whole):
            return np.zeros((0, 5), np.float32)
        best = whole.copy()
        np.maximum.at(best, self.places, self.clauses @ looked_for - nothing)
        most = max(float(whole.max()), 0.0)
        share = np.exp(whole - most) / (np.exp(whole - most).sum() + np.exp(-most))
        columns = [whole, whole - whole.max(), share, best, best - best.max()]
        return np.array(columns, np.float32).T


@dataclass(frozen=True, slots=True)
class Candidates:
    """A question beside n statements: plain facts of each, and what was read of them on the way.

    Attributes:
        facts: (n, k), weighed by the network beside how well each matches.
        has_sought: (n,) whether each has, beyond the question, each kind of thing that is asked for.
        is_of_another: (n,) whether each is about what is somebody else's.
    """

    asked: "Words"
    words: Sequence["Words"]
    facts: Floats
    compared: Compared
    has_sought: NDArray[np.bool_]
    is_of_another: NDArray[np.bool_]

    @property
    def may_answer(self) -> NDArray[np.bool_]:
        """(n,) whether each may be quoted at all, whatever its chance."""
        return self.has_sought & ~self.is_of_another

    def says_all(self, matter: Collection[str]) -> NDArray[np.bool_]:
        """Return (n,) whether each has all telling words of the question; "Where do I live?" has none."""
        return np.array([all(holds(stem, words.stems) for stem in matter) for words in self.words])

    def holding(self, stems: Collection[str], *, all_of_them: bool = False) -> list[int]:
        """Return the places of the statements that hold one of some stems, or all of them."""
        enough = all if all_of_them and stems else any
        return [
            place
            for place, words in enumerate(self.words)
            if enough(holds(stem, words.stems) for stem in stems)
        ]


def read_candidates(
    question: str,
    statements: Sequence[Said],
    *,
    sought: frozenset[Sought],
    embed: Embed,
    heads: Heads,
    is_company: bool,
    usual: NDArray[np.floating] | None = None,
) -> Candidates:
    """Read a question beside statements, each judged among the others.

    Args:
        sought: what is asked for.
        usual: (d,) the middle of many questions' centred vectors, where it is not the one that the weights were fitted with.
    """
    asked, words = Words.of(question), [Words.of(one.text) for one in statements]
    near, compared = _read_nearness(
        question,
        [one.text for one in statements],
        embed=embed,
        heads=heads,
        usual=_weights()["usual"] if usual is None else usual,
        is_company=is_company,
    )
    has = np.array([one.has_sought(sought, asked) for one in words], bool)
    others = np.array(find_of_another(question, [one.text for one in statements]), bool)
    columns = [
        near,
        _word_facts(asked, words, sought),
        np.array([has, others], np.float32).T,
        _other_facts(question, statements, sought, is_company=is_company),
    ]
    return Candidates(asked, words, np.concatenate(columns, axis=1), compared, has, others)


def _read_nearness(
    question: str,
    texts: Sequence[str],
    *,
    embed: Embed,
    heads: Heads,
    usual: NDArray[np.floating],
    is_company: bool,
) -> tuple[Floats, Compared]:
    """Return (n, 14) facts of how near statements lie to a question, and what is compared: they and the clauses of the nearest.

    Of "I go to class 7B and live in Lund with my brother" one clause answers "Where do I live?"; the whole lies far from it.
    """
    found = embed([question, *map(as_sentence, texts)])
    vector, vectors = found[0], found[1:]
    near = heads.projection.centred(vector[None])[0]

    def read(texts: Sequence[str], vectors: NDArray[np.floating]) -> tuple[Floats, Floats, Floats]:
        told = heads.read_relevance(question, texts, vector, vectors, is_company=is_company)
        helps, answers = (told.probabilities[:, told.classes.index(name)] for name in ("helps", "answers"))
        return heads.projection.centred(vectors) @ near, helps, answers

    cosines, helps, answers = read(texts, vectors)
    nearest = sorted(np.argsort(-cosines, kind="stable")[:MOST_IN_CLAUSES].tolist())
    parts = [(place, part) for place in nearest for part in _clauses(texts[place])]
    clause_cosines, clause_answers = cosines.copy(), answers.copy()
    places, clauses = np.array([place for place, _ in parts], np.intp), [part for _, part in parts]
    of_clauses = embed(clauses) if clauses else vectors[:0]
    if parts:
        of_clause = read([*texts, *clauses], np.concatenate([vectors, of_clauses]))
        np.maximum.at(clause_cosines, places, of_clause[0][len(texts) :])
        np.maximum.at(clause_answers, places, of_clause[2][len(texts) :])
    to_any = heads.projection.centred(vectors) @ usual
    reduced = heads.projection.reduce(found)
    return (
        _nearness_facts(cosines, to_any, helps, answers, clause_cosines, _log_odds(clause_answers)),
        Compared(reduced[0], reduced[1:], heads.projection.reduce(of_clauses), places),
    )


def _clauses(text: str) -> list[str]:
    """Return the clauses of a statement that has several."""
    found = [text[one.start : one.end] for one in split(text, limit=MOST_CLAUSES)]
    return found if len(found) > 1 else []


def _nearness_facts(
    cosines: Floats, to_any: Floats, helps: Floats, answers: Floats, clauses: Floats, chances: Floats
) -> Floats:
    """Return (n, 14) facts of how near statements lie to a question, whole and by their best clause.

    Args:
        cosines, clauses: of the whole and of the best clause, centred; to_any: of the whole to questions in general, since some lie
            near to all of them.
        helps, answers: what the relevance head says of the whole; chances: log odds that the best clause answers.
    """
    leads = clauses.max() - np.sort(clauses)[-2] if len(clauses) > 1 else clauses.max()
    beyond = cosines - to_any
    columns = [
        _log_odds(answers),
        _log_odds(answers + helps),
        cosines,
        cosines - cosines.max(),
        1 / (1 + find_ranks(cosines)),
        to_any,
        (cosines - cosines.mean()) / (cosines.std() + 0.05),
        beyond - beyond.max(),
        clauses,
        clauses - clauses.max(),
        leads * (clauses >= clauses.max()),
        1 / (1 + find_ranks(clauses)),
        chances,
        chances - chances.max(),
    ]
    return np.array(columns, np.float32).T


def find_ranks(values: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return (n,) places in the order of the values, the highest first."""
    return np.argsort(np.argsort(-values, kind="stable"), kind="stable")


def _word_facts(asked: "Words", told: Sequence["Words"], sought: frozenset[Sought]) -> Floats:
    """Return (n, k) facts of the words that statements share with a question, and of the values that it asks for."""
    n, total = len(told), sum(asked.bits.values())
    counts = {stem: sum(holds(stem, words.stems) for words in told) for stem in asked.bits}
    rarity = {
        stem: bits * float(np.log((n + 2) / (1 + counts[stem]))) / float(np.log(n + 2))
        for stem, bits in asked.bits.items()
    }
    rows = []
    for words in told:
        shared = {stem for stem in asked.bits if holds(stem, words.stems)}
        missed = max((bits for stem, bits in asked.bits.items() if stem not in shared), default=0.0)
        # "Which university did Harriet choose?": of all that is told of it, whom it is about and nothing else.
        names_alone = bool(asked.names & shared) and bool(asked.bits.keys() - asked.names)
        row = [
            sum(asked.bits[stem] for stem in shared) / (total + 4.0),
            sum(rarity[stem] for stem in shared) / 10,
            missed / 10,
            float(not asked.bits),
            float(bool(asked.names - words.names - shared)),
            float(bool(asked.names & words.names)),
            float(names_alone and shared <= asked.names),
        ]
        for kind in VALUES:
            there = bool(words.values[kind] - asked.values[kind])
            row += [float(kind in sought and there), float(kind in sought and not there)]
        rows.append([*row, float(words.is_own and asked.is_own), float(asked.language != words.language)])
    return np.array(rows, np.float32)


def _other_facts(
    question: str, statements: Sequence[Said], sought: frozenset[Sought], *, is_company: bool
) -> Floats:
    n, is_past = len(statements), "past" in sought
    age = find_ranks(np.array([one.said_at for one in statements])) / n
    columns = [
        age,
        np.full(n, is_past),
        is_past * age,
        [min(len(one.text), 200) / 100 for one in statements],
        np.full(n, min(len(question), 100) / 50),
        np.full(n, is_company),
        np.full(n, np.log1p(n)),
    ]
    return np.array(columns, np.float32).T


def choose_answers(
    question: str,
    statements: Sequence[Said],
    *,
    embed: Embed,
    heads: Heads,
    is_company: bool = False,
    before: str = "",
    expected: Collection[int] = (),
    newer: Mapping[int, int] = MappingProxyType({}),
    ended: Collection[int] = (),
    among: Collection[int] | None = None,
) -> list[int]:
    """Return the place of the one statement that answers; of several, best first, where all that is known is asked for.

    What perhaps took its place leads, unless the past is asked for. Whatever the chances, a statement without the kind of thing
    that is asked for (a name, a place, a time, a number) answers nothing, and none about what is somebody else's.

    Since when something is so in a company is told by the day on which it was noted.

    Args:
        embed: gives (n, d) vectors of texts; its errors are the caller's.
        before: the question that this one leans on, "" for none.
        expected: the places of what the conversation leads to: what was last answered with, or what was so once where that is asked for.
        newer: by the place of a statement the place of the one that perhaps took its place.
        ended: the places of those that have probably ended as a whole.
        among: the places of those that may be told, None for all; the others are compared with them, since without what lies nearest the
            next would seem near.
    """
    if not statements:
        return []
    sought, question = find_sought_after(question, before), f"{before} {question}".strip()
    if is_company and "since" in sought:
        sought -= {"time", "number"}
    read = read_candidates(
        question, statements, sought=sought, embed=embed, heads=heads, is_company=is_company
    )
    chances = _chances(read)
    best = sorted(range(len(statements)), key=lambda place: -chances[place])
    is_past = "past" in sought
    together, told_anew = _chances_together(read, chances)
    is_expected = np.isin(np.arange(len(chances)), list(expected))
    matter = find_matter(read.asked, question).keys()
    is_backed = read.says_all(matter) | told_anew | is_past
    bar = np.where(is_backed, READING.answers_backed, READING.answers)
    likely = together >= np.where(is_expected, READING.answers_expected, bar)
    allowed = set(range(len(statements)) if among is None else among)
    fitting = [place for place in best if likely[place] and read.may_answer[place] and place in allowed]
    whom = read.asked.names if read.asked.asks_who and matter <= read.asked.names else frozenset()
    is_list = bool(whom or sought & {"telling", "decided"}) or (not matter and asks_of_oneself(question))
    if is_list:
        # All that is known of something is asked for loosely, what was decided on it by its words; who Mira is by all that is told of her.
        about = read.holding(matter or whom, all_of_them="decided" in sought)
        named = [place for place in best if place in about and not read.is_of_another[place]]
        # Who asks for nothing but themselves is told what comes first of all.
        if not matter and read.asked.is_own:
            found = [*range(len(statements))][:MOST_TOLD_OF_ONESELF]
        else:
            found = (named or fitting)[:MOST_TOLD]
    elif "coming" in sought:
        found = fitting[:MOST_TOLD]
    elif not sought:
        found = fitting[:1]
    else:
        found = _settle(fitting, statements, chances, read, is_past=is_past)
    if is_past:
        return found
    leading: list[int] = []
    for place in found:
        later = newer.get(place, place)
        is_in_kind = bool(sought.intersection(PLAINLY_VALUES)) and not is_company
        least = LEADS if not is_in_kind else LEADS_ENDED if place in ended else LEADS_IN_KIND
        if later == place or chances[later] < least * chances[place] or not read.may_answer[later]:
            leading.append(place)
            continue
        leading.append(later)
        if is_list or chances[later] < STANDS_ALONE * chances[place]:
            leading.append(place)
    return list(dict.fromkeys(leading))


def _chances_together(read: Candidates, chances: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (n,) how likely each statement answers or one that says of the same with another value, and whether there is such a one."""
    none, is_told_anew = 1 - chances, np.zeros(len(chances), bool)
    likeliest = np.argsort(-chances, kind="stable")[:MOST_COMPARED]
    for place in likeliest:
        for other in likeliest:
            if place != other and say_otherwise(read.words[place], read.words[other], read.asked.names):
                none[place] *= 1 - chances[other]
                is_told_anew[place] = True
    return 1 - none, is_told_anew


def tell_matches(vector: NDArray[np.floating], vectors: NDArray[np.floating], heads: Heads) -> Floats:
    """Return (n,) how well statements match what a message asks for, 0 where as well as nothing does; nothing is embedded for it.

    Args:
        vector: (d,) of the message; vectors: (n, d) of the statements.
    """
    weights, directions = _weights(), heads.projection.reduce(np.concatenate([vector[None], vectors]))
    compared = Compared(directions[0], directions[1:], directions[:0], np.array([], np.intp))
    return compared.match(weights["match"], float(weights["nothing"]))[:, 0]


def find_nearly_best(
    worth: NDArray[np.floating], *, margin: float = READING.match_margin
) -> NDArray[np.bool_]:
    """Return (n,) which of statements, the best first, are worth nearly as much as the best; the first few of them are in any case.

    Args:
        worth: (n,) how well each matches, or that and more in the same unit.
    """
    is_near = worth >= worth.max(initial=-np.inf) - margin
    is_near[: READING.least_matching] = True
    return is_near


def are_both_asked_for(earlier: int, later: int, *, among: int = 0, is_slight: bool = False) -> bool:
    """Tell whether a question is about a change: what was said earlier and what perhaps took its place both match it.

    Args:
        earlier, later: how many statements match the question better than each.
        among: of how many; of many that are called to mind more are asked for.
        is_slight: little speaks for the change; then what matches better than what perhaps took its place is doubted less easily.
    """
    is_better = earlier <= later
    most = READING.most_places_of_hint if is_slight and is_better else max(READING.most_places, among)
    return (1 + earlier) * (1 + later) <= most


def standardise(
    facts: NDArray[np.floating], middle: NDArray[np.floating], spread: NDArray[np.floating]
) -> NDArray[np.floating]:
    """Return (n, k) facts as deviations, none further out than any network has learned from."""
    return np.clip((facts - middle) / spread, -MOST_DEVIATION, MOST_DEVIATION)


def _chances(read: Candidates) -> Floats:
    """Return (n,) how likely each statement answers."""
    weights = _weights()
    matches = read.compared.match(weights["match"], float(weights["nothing"]))
    return tell_chances(np.concatenate([read.facts, matches], axis=1), weights)


def tell_chances(facts: Floats, weights: Mapping[str, NDArray[np.floating]]) -> Floats:
    """Return (n,) chances of (n, k) facts by a network of one hidden layer."""
    inner = np.tanh(
        standardise(facts, weights["middle"], weights["spread"]) @ weights["hidden"] + weights["hidden_bias"]
    )
    return np.asarray(1 / (1 + np.exp(-(inner @ weights["weights"] + weights["bias"]))), np.float32)


def _settle(
    fitting: Sequence[int],
    statements: Sequence[Said],
    chances: Floats,
    read: Candidates,
    *,
    is_past: bool,
) -> list[int]:
    """Return the one of those that answer: of several about as likely on the same matter the last said, or the first where the past is asked for."""
    if not fitting:
        return []
    top = fitting[0]
    matter = [stem for stem in read.asked.bits if holds(stem, read.words[top].stems)]
    near = {top, *read.holding(matter)}
    rivals = [place for place in fitting if place in near and chances[place] >= RIVAL * chances[top]]
    settle = min if is_past else max
    return [settle(rivals, key=lambda place: statements[place].said_at)]


@cache
def _weights() -> dict[str, NDArray[np.float32]]:
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        return {name: kept[name].astype(np.float32) for name in kept.files}


def _log_odds(chances: Floats) -> Floats:
    bounded = np.clip(chances, 1e-4, 1 - 1e-4)
    return np.log(bounded / (1 - bounded))
