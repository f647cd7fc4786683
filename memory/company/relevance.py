"""What facts have to do with a message: by meaning, and by the telling words that they share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import cast

import numpy as np

from companion_site.language import Language, stem_words, word_information, words
from memory.algorithms.values import Fact, Verdict, compare_facts
from memory.algorithms.values.quantities import read_quantities

#: What goes by letters and a number: "K3", "INK2".
_CODE = re.compile(r"\b([^\W\d_]{1,3})(\d{1,3})\b")


@dataclass(frozen=True, kw_only=True)
class RelevanceParams:
    """Bounds of relevance; how they were found: docs/conversation-context.md."""

    #: calibrated similarity from which a fact belongs to what the message is about
    similar: float = 0.7
    #: bits of a word that both have, which does as well
    shared_bits: float = 12.0
    #: a fact is confirmed by a message this near to it, or by a somewhat less near one that shares its words
    confirmed: float = 0.78
    confirmed_with_words: float = 0.6
    #: from which, or from words shared on, it is looked at whether the message speaks against the fact
    compared: float = 0.5
    #: facts that are compared, the nearest ones
    most_compared: int = 60
    #: words of a message that are looked at; more are an attachment
    most_words: int = 400


RELEVANCE = RelevanceParams()
RESOLVED = "resolved"
#: Sentences of a message that are compared.
MOST_CLAIMS = 12


@dataclass(frozen=True, kw_only=True)
class Relevance:
    """How one fact stands to a message."""

    similarity: float
    shared_bits: float
    is_contradicted: bool = False
    is_doubted: bool = False
    params: RelevanceParams = RELEVANCE

    @property
    def is_relevant(self) -> bool:
        return self.similarity >= self.params.similar or self._shares_words or self.is_contradicted

    @property
    def is_confirmed(self) -> bool:
        """Whether what was said speaks of the fact, and does not speak against it."""
        bound = self.params.confirmed_with_words if self._shares_words else self.params.confirmed
        return self.similarity >= bound and not self.is_doubted

    @property
    def score(self) -> float:
        return max(self.similarity, float(self._shares_words))

    @property
    def _shares_words(self) -> bool:
        return self.shared_bits >= self.params.shared_bits


def judge_facts(
    message: str,
    language: Language,
    facts: Sequence[Fact],
    similarities: np.ndarray,
    *,
    params: RelevanceParams = RELEVANCE,
) -> list[Relevance]:
    """Return how each fact stands to the message.

    Args:
        facts: n, as they are compared.
        similarities: (n,) calibrated, 0 to 1; nan where a fact has no vector yet.
    """
    said = words(message)[: params.most_words]
    bits = dict(zip(said, word_information(said, language).tolist(), strict=True))
    stems = {each: _stems(list(bits), each) for each in ("en", "sv")}
    claims = _claims(message, language)
    near = np.nan_to_num(similarities)
    compared = set(np.argsort(-near, kind="stable")[: params.most_compared].tolist())
    judged = []
    for place, (fact, similarity) in enumerate(zip(facts, near.tolist(), strict=True)):
        shared = _shared_bits(fact, stems.get(fact.language, stems["sv"]), bits)
        bears = similarity >= params.compared or shared >= params.shared_bits
        verdicts = [_against(fact, claim, similarity) for claim in claims if bears and place in compared]
        judged.append(
            Relevance(
                similarity=similarity,
                shared_bits=shared,
                is_contradicted=Against.CONTRADICTS in verdicts,
                is_doubted=any(verdicts),
                params=params,
            )
        )
    return judged


class Against(Enum):
    """How something that was said speaks against a fact."""

    CONTRADICTS = "contradicts"
    DOUBTS = "doubts"


def _against(fact: Fact, claim: Fact, similarity: float) -> Against | None:
    """Return whether a claim speaks against a fact; an open item that it settles is none to confirm either."""
    found = compare_facts(fact, claim, similarity=similarity)
    if found.verdict is Verdict.CONTRADICTS:
        return Against.DOUBTS if found.reason == RESOLVED else Against.CONTRADICTS
    return Against.DOUBTS if _measure_otherwise(fact.text, claim.text) else None


def _claims(message: str, language: str) -> list[Fact]:
    """Return what the message states, a line or sentence each; a question states nothing."""
    parts = message.replace("\n", ". ").replace("!", ".").replace("?", "?.").split(". ")
    texts = [part.strip(" .") for part in parts if part.strip(" .") and not part.strip(" .").endswith("?")]
    return [Fact(text=text, language=language) for text in texts[:MOST_CLAIMS]]


def _measure_otherwise(content: str, claim: str) -> bool:
    """Tell whether a fact and a claim both measure something alike, and nothing of it the same ("K2", "K3")."""
    _, held, _ = read_quantities(content.casefold())
    _, said, _ = read_quantities(claim.casefold())
    pairs = [(one, other) for one in held for other in said if one.measures_like(other)]
    alike = [one.agrees(other) for one, other in pairs] + [
        number == other
        for letters, number in _CODE.findall(content.casefold())
        for others, other in _CODE.findall(claim.casefold())
        if letters == others
    ]
    return bool(alike) and not any(alike)


def _shared_bits(fact: Fact, stems: dict[str, str], bits: dict[str, float]) -> float:
    """Return what the most telling word is worth that a fact shares with the message, in whatever form."""
    own = set(_stems(words(fact.text), fact.language).values())
    found = {stem: bits[word] for word, stem in stems.items() if stem in own}
    return max(found.values(), default=0.0)


def _stems(found: list[str], language: str) -> dict[str, str]:
    read = cast(Language, language if language in ("en", "sv") else "sv")
    return dict(zip(found, stem_words(found, read), strict=True))
