"""What facts have to do with a message: by meaning, and by the telling words that they share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import cast

import numpy as np

from companion_site.language import Language, hide_foreign, stem_words, word_information, words
from memory.algorithms.values import Fact, Verdict, compare_facts
from memory.algorithms.values.quantities import Quantity, read_quantities
from memory.company.extraction.clauses import split_sentences

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
#: Sentences of a message that are compared, characters of each, and values in it: what is longer is a pasted table.
MOST_CLAIMS, LONGEST_CLAIM, MOST_VALUES = 12, 400, 20


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
    claims = [(claim, _Measures.of(claim.text)) for claim in _claims(message, language)]
    near = np.nan_to_num(similarities)
    compared = set(np.argsort(-near, kind="stable")[: params.most_compared].tolist())
    judged = []
    for place, (fact, similarity) in enumerate(zip(facts, near.tolist(), strict=True)):
        shared = _shared_bits(fact, stems.get(fact.language, stems["sv"]), bits)
        bears = similarity >= params.compared or shared >= params.shared_bits
        is_compared = bears and place in compared
        verdicts = _find_against(fact, claims, similarity) if is_compared else []
        judged.append(
            Relevance(
                similarity=similarity,
                shared_bits=shared,
                is_contradicted=Against.CONTRADICTS in verdicts,
                is_doubted=bool(verdicts),
                params=params,
            )
        )
    return judged


class Against(Enum):
    """How something that was said speaks against a fact."""

    CONTRADICTS = "contradicts"
    DOUBTS = "doubts"


@dataclass(frozen=True)
class _Measures:
    """What a text measures: its quantities, and its codes of letters and a number ("K3")."""

    quantities: tuple[Quantity, ...]
    codes: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, text: str) -> "_Measures":
        folded = text.casefold()
        _, quantities, _ = read_quantities(folded)
        found = (dict.fromkeys(quantities), dict.fromkeys(_CODE.findall(folded)))
        return cls(*(tuple(values)[:MOST_VALUES] for values in found))

    def differ_from(self, other: "_Measures") -> bool:
        """Tell whether both measure something alike, and nothing of it the same ("K2", "K3")."""
        alike = [
            *(a.agrees(b) for a in self.quantities for b in other.quantities if a.measures_like(b)),
            *(a == b for a in self.codes for b in other.codes if a[0] == b[0]),
        ]
        return bool(alike) and not any(alike)


def _find_against(fact: Fact, claims: Sequence[tuple[Fact, _Measures]], similarity: float) -> list[Against]:
    """Return how claims speak against a fact; an open item that one settles is none to confirm either."""
    measures = _Measures.of(fact.text)
    against = []
    for claim, measured in claims:
        found = compare_facts(fact, claim, similarity=similarity)
        if found.verdict is Verdict.CONTRADICTS and found.reason != RESOLVED:
            against.append(Against.CONTRADICTS)
        elif found.verdict is Verdict.CONTRADICTS or measures.differ_from(measured):
            against.append(Against.DOUBTS)
    return against


def _claims(message: str, language: str) -> list[Fact]:
    """Return what the message states, sentence by sentence; a question states nothing, nor does what it quotes."""
    sentences = (sentence.strip(" .!") for sentence in split_sentences(hide_foreign(message)))
    stated = [sentence for sentence in sentences if sentence and not sentence.endswith("?")]
    return [Fact(text=text[:LONGEST_CLAIM], language=language) for text in stated[:MOST_CLAIMS]]


def _shared_bits(fact: Fact, stems: dict[str, str], bits: dict[str, float]) -> float:
    """Return what the most telling word is worth that a fact shares with the message, in whatever form."""
    own = set(_stems(words(fact.text), fact.language).values())
    found = {stem: bits[word] for word, stem in stems.items() if stem in own}
    return max(found.values(), default=0.0)


def _stems(found: list[str], language: str) -> dict[str, str]:
    read = cast(Language, language if language in ("en", "sv") else "sv")
    return dict(zip(found, stem_words(found, read), strict=True))
