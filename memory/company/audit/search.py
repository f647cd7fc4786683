"""Search over the whole history of a company's memory: by meaning, exactly, and by words in Swedish and English, their compounds too.

Meaning and words stand on one scale: each speaks in standard deviations over everything that was searched (z-scores), so that
neither needs a weight of its own and a row that stands out by either comes first.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import Avg, Count, F, StdDev, Window
from numpy.typing import NDArray
from pgvector.django import CosineDistance

from companion_site.embeddings.service import embed_question_with, get_embedder
from companion_site.language import LANGUAGES, stem_words, tokens
from companion_site.vault.scope import space_scope
from memory.company.audit.facts import ShownFact, show_asked
from memory.company.audit.filters import FactFilter
from memory.models import CompanyFact, CompanyFactVector
from memory.querysets import FactQuerySet

#: Hits shown of one search, and words of it that are looked for.
MOST_HITS, MOST_WORDS = 100, 16
#: From this similarity on a fact is a hit without sharing a word with the question.
ALIKE = 0.6
#: A word of so many letters is looked for at the beginning of others too: "moms" in "momsen" and "momsperioden".
LEAST_OF_PREFIX = 4
_WORD = re.compile(r"\w+")
#: How PostgreSQL calls the two languages.
CONFIGS = ("swedish", "english")
Floats = NDArray[np.float64]
#: Below it all rows are taken as alike.
LEAST_DEVIATION = 1e-9


@dataclass(frozen=True, kw_only=True)
class Hit:
    """One fact that answers a search.

    Attributes:
        score: in standard deviations; of use for order alone.
        similarity: of meaning, 0 to 1; None where the fact has no vector of the present model.
    """

    fact: ShownFact
    score: float
    similarity: float | None
    has_words: bool


def search_history(
    space: UUID, asked: FactFilter, *, at: datetime, vector: np.ndarray | None = None
) -> list[Hit]:
    """Return what answers a search, the best first.

    Args:
        vector: (d,) of `asked.search`; None: it is made first. Zeros where it cannot be: words alone decide.
    """
    embedder = get_embedder()
    if vector is None:
        vector = embed_question_with(embedder, asked.search)
    with space_scope(space):
        rows = asked.facts_of(space, at=at)
        ranks = _ranks(rows, telling_words(asked.search))
        cosines, mean, deviation, total = _nearest(
            space, None if asked.is_whole else rows, ranks, vector=vector, model=embedder.model
        )
        ids = sorted({*cosines, *ranks})
        cosine = np.array([cosines.get(fact, np.nan) for fact in ids], np.float64)
        words = np.array([ranks.get(fact, 0.0) for fact in ids], np.float64)
        similarity = embedder.calibration.similarity(np.nan_to_num(cosine, nan=-1.0))
        # Ranks are 0 of everything else that was searched.
        searched = max(total + len(ranks.keys() - cosines.keys()), 1)
        usual = float(words.sum()) / searched
        spread = float(np.sqrt(max(0.0, float((words**2).sum()) / searched - usual**2)))
        score = _standardise(cosine, mean, deviation) + _standardise(words, usual, spread)
        kept = np.flatnonzero((words > 0) | (similarity >= ALIKE))
        best = kept[np.argsort(-score[kept], kind="stable")[:MOST_HITS]]
        found = CompanyFact.objects.for_space(space).filter(pk__in=[ids[row] for row in best])
        facts = {fact.id: fact for fact in show_asked(space, found, asked, at=at)}
    return [
        Hit(
            fact=facts[ids[row]],
            score=round(float(score[row]), 4),
            similarity=round(float(similarity[row]), 4) if np.isfinite(cosine[row]) else None,
            has_words=bool(words[row] > 0),
        )
        for row in best
        if ids[row] in facts
    ]


def _standardise(values: Floats, mean: float, deviation: float) -> Floats:
    """Return (n,) z-scores; 0 for what is unknown (nan), and for all where nothing stands out."""
    if not deviation > LEAST_DEVIATION:
        return np.zeros(len(values))
    return np.asarray((np.where(np.isfinite(values), values, mean) - mean) / deviation, np.float64)


def _nearest(
    space: UUID, rows: FactQuerySet | None, worded: Collection[UUID], *, vector: np.ndarray, model: str
) -> tuple[dict[UUID, float], float, float, int]:
    """Compare every vector of `rows`, or of all facts, with the question's; bring what can be among the hits.

    Returns:
        The cosines of the nearest facts and of those that have its words; mean, deviation and number of all cosines.
    """
    if not vector.any():
        return {}, 0.0, 0.0, 0
    vectors = CompanyFactVector.objects.for_space(space).filter(model=model)
    if rows is not None:
        vectors = vectors.filter(fact_id__in=rows.order_by().values("pk"))
    far = CosineDistance("embedding", vector.tolist())
    over_all = {"mean": Window(Avg(far)), "deviation": Window(StdDev(far)), "total": Window(Count("pk"))}
    nearest = vectors.annotate(far=far, **over_all).order_by("far", "fact_id")
    found = list(nearest.values_list("fact_id", "far", "mean", "deviation", "total")[:MOST_HITS])
    cosines = {fact: 1.0 - distance for fact, distance, *_ in found}
    others = vectors.filter(fact_id__in=[fact for fact in worded if fact not in cosines]).order_by()
    cosines |= {fact: 1.0 - distance for fact, distance in others.values_list("fact_id", far)}
    mean, deviation, total = found[0][2:] if found else (1.0, 0.0, 0)
    return cosines, 1.0 - mean, deviation, total


def _ranks(rows: FactQuerySet, words: Sequence[str]) -> dict[UUID, float]:
    """Return how well each fact that has any of the words has them."""
    if not words:
        return {}
    # Letters, digits and underscores: nothing in them is an operator of the query's own language.
    any_of = " | ".join(words)
    swedish, english = (SearchQuery(any_of, config=config, search_type="raw") for config in CONFIGS)
    query = swedish | english
    if long := [word for word in words if len(word) >= LEAST_OF_PREFIX]:
        # As they are written, so that no stemming stands in the way: "moms" is stemmed to "mom", "momsen" to "moms".
        begins = " | ".join(f"{word}:*" for word in long)
        query |= SearchQuery(begins, config="simple", search_type="raw")
    found = rows.filter(search=query).order_by()
    return dict(found.values_list("pk", SearchRank(F("search"), query)))


def telling_words(search: str) -> list[str]:
    """Return the words to look for, casefolded: those that tell something in both languages, or all if none does."""
    words = list(dict.fromkeys(match.group().casefold() for match in _WORD.finditer(search)))
    telling = [word for word in words if all(tokens(word, language) for language in LANGUAGES)]
    return (telling or words)[:MOST_WORDS]


def mark_words(content: str, search: str) -> list[tuple[str, bool]]:
    """Return a text in pieces, each with whether it is a word that was searched for, in whatever inflection or compound."""
    telling = telling_words(search)
    wanted = _stems(telling)
    begins = tuple(word for word in telling if len(word) >= LEAST_OF_PREFIX)
    pieces: list[tuple[str, bool]] = []
    end = 0
    for match in _WORD.finditer(content):
        word = match.group().casefold()
        if word.startswith(begins) or _stems([word]) & wanted:
            pieces += [(content[end : match.start()], False), (match.group(), True)]
            end = match.end()
    return [piece for piece in (*pieces, (content[end:], False)) if piece[0]]


def _stems(words: list[str]) -> set[tuple[str, str]]:
    """Return the stems of words in each language; the same letters in two languages are two stems."""
    return {(language, stem) for language in LANGUAGES for stem in stem_words(words, language)}
