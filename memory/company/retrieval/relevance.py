"""What facts have to do with a message: how likely each helps to answer it, and whether the message speaks against it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import Language, hide_foreign, stem_words, word_information, words
from memory.algorithms.quantities import Quantity, read_quantities
from memory.reading.answers import find_nearly_best
from memory.reading.params import READING
from memory.reading.splitter import cut_sentences
from memory.reconcile import read_changes

#: What goes by letters and a number: "K3", "INK2".
_CODE = re.compile(r"\b([^\W\d_]{1,3})(\d{1,3})\b")
#: Calibrated similarity from which, or from a telling word in common, it is looked at whether the message speaks against a fact.
COMPARED = 0.5
#: And from which a fact that helps is spoken of, and so confirmed; of few facts the likeliest helps however little it does.
NEAR = 0.7
#: Bits of a telling word; and words of a message that are looked at.
TELLING_BITS, MOST_WORDS = 12.0, 400
#: Letters of a word that is looked for in compounds.
LEAST_OF_COMPOUND = 4
#: Sentences of a message that are compared, characters of one, and values in it; what is longer is a pasted table.
MOST_CLAIMS, LONGEST_CLAIM, MOST_VALUES = 12, 400, 20
#: So many of its sentences, and of the nearest facts, does the reader compare; what it takes the place of so likely, it speaks against.
CLAIMS_READ, FACTS_READ, SPEAKS_AGAINST = 2, 3, 0.5
#: A text and its language.
Told = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Relevance:
    """How one fact stands to a message.

    Attributes:
        score: how likely it answers the message or helps with it, 0 to 1.
        is_near: that the message is about just that; shares_words: that it has a telling word of the message.
    """

    score: float
    is_near: bool = False
    shares_words: bool = False
    is_contradicted: bool = False
    is_doubted: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether it may be quoted without being asked for."""
        return self.score >= READING.relevant_in_reply or self.is_contradicted

    @property
    def is_put_otherwise(self) -> bool:
        """Whether what was said surely speaks of the fact, and against it."""
        return self.is_contradicted and (self.is_near or self.shares_words)

    @property
    def is_confirmed(self) -> bool:
        """Whether what was said surely speaks of the fact, and does not speak against it."""
        return self.score >= READING.relevant_in_reply and self.is_near and not self.is_doubted


def judge_facts(
    message: str,
    language: Language,
    facts: Sequence[Told],
    similarities: NDArray[np.float64],
    chances: NDArray[np.floating],
    *,
    embedder: Embedder | None,
) -> list[Relevance]:
    """Return how each fact stands to the message; embeds.

    Args:
        facts: n, with the language of each.
        similarities: (n,) calibrated, 0 to 1.
        chances: (n,) how likely each answers the message or helps with it.
        embedder: None where it cannot be asked: then only measures are compared.
    """
    claims = _claims(message)
    measured = [_Measures.of(claim) for claim in claims]
    shares = share_words(message, language, facts) > 0
    bears = (similarities >= COMPARED) | shares
    near = [int(place) for place in np.argsort(-similarities, kind="stable") if bears[place]]
    contradicted = _find_contradicted(claims, facts, near[:FACTS_READ], embedder)
    return [
        Relevance(
            score=float(chances[place]),
            is_near=bool(similarities[place] >= NEAR),
            shares_words=bool(shares[place]),
            is_contradicted=place in contradicted,
            is_doubted=place in contradicted
            or bool(bears[place] and any(map(_Measures.of(text).differ_from, measured))),
        )
        for place, (text, _) in enumerate(facts)
    ]


def _find_contradicted(
    claims: Sequence[str],
    facts: Sequence[Told],
    near: Sequence[int],
    embedder: Embedder | None,
) -> frozenset[int]:
    """Return the places of the near facts that a message says something else of."""
    asked = [(place, claim) for place in near for claim in claims[:CLAIMS_READ]]
    if embedder is None or not asked:
        return frozenset()
    changes = read_changes(
        [(facts[place][0], claim) for place, claim in asked], embedder=embedder, is_company=True
    )
    return frozenset(
        place
        for (place, _), change in zip(asked, changes, strict=True)
        if change.effect.speaks_against and change.chance >= SPEAKS_AGAINST
    )


def choose(
    judged: Sequence[Relevance],
    matches: NDArray[np.floating],
    *,
    calls: float,
    is_about_us: bool,
    most: int,
) -> list[int]:
    """Return the places of the facts that go before the message, what matches best what it asks for first; or none.

    Before a message that calls for nothing, and that no near fact surely answers, stands only what it speaks against.

    Args:
        matches: (n,) how well each matches what the message asks for.
        is_about_us: all that is known of those who ask is asked for, so the whole room is theirs.
    """
    is_answered = any(one.is_near and one.score >= READING.surely_relevant for one in judged)
    if calls < READING.calls_for_memory and not is_answered:
        return [place for place, one in enumerate(judged) if one.is_contradicted][:most]
    order = np.argsort(-matches, kind="stable")
    places: list[int] = order[is_about_us | find_nearly_best(matches[order])][:most].tolist()
    return places


def share_words(message: str, language: Language, facts: Sequence[Told]) -> NDArray[np.float64]:
    """Return (n,) 1 for each fact that has a telling word of the message, in whatever form, and 0 for each other."""
    return np.array([float(found >= TELLING_BITS) for found in shared_bits(message, language, facts)])


def shared_bits(
    message: str, language: Language, facts: Sequence[Told], *, compounds: bool = False
) -> list[float]:
    """Return what the most telling word is worth that each fact has in common with the message, in whatever form.

    Args:
        compounds: a word that another begins or ends with is shared too ("moms", "månadsmoms"); it tells no more than a word
            that is just telling.
    """
    said = words(message)[:MOST_WORDS]
    bits = dict(zip(said, word_information(said, language).tolist(), strict=True))
    asked = {each: stem_words([*bits], each) for each in get_args(Language)}
    shared = []
    for text, its in facts:
        own_language: Language = "en" if its == "en" else "sv"
        stems = list(zip(bits.values(), asked[own_language], strict=True))
        own = {*stem_words(words(text), own_language)}
        found = [worth for worth, stem in stems if stem in own]
        if compounds:
            found += [
                min(worth, TELLING_BITS) if len(stem) < len(other) else TELLING_BITS
                for worth, stem in stems
                for other in own
                if stem != other and _is_compound(stem, other)
            ]
        shared.append(max(found, default=0.0))
    return shared


def _is_compound(one: str, other: str) -> bool:
    """Tell whether one of two long stems begins or ends with the other."""
    short, long = sorted((one, other), key=len)
    return len(short) >= LEAST_OF_COMPOUND and (long.startswith(short) or long.endswith(short))


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


def _claims(message: str) -> list[str]:
    """Return what the message states, sentence by sentence; a question states nothing, nor does what it quotes."""
    sentences = (sentence.strip(" .!") for sentence in cut_sentences(hide_foreign(message)))
    stated = [sentence for sentence in sentences if sentence and not sentence.endswith("?")]
    return [text for text in stated if len(text) <= LONGEST_CLAIM][:MOST_CLAIMS]
