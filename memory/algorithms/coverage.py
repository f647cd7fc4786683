"""Whether statements that shall stand for another one say what it said. Pure.

Likeness alone proves nothing: "I got 18 points" is nearest to "I got 12 points". So names, numbers and dates are looked for word
by word, and together where they were said together; a denial must stay one, and nothing that was affirmed may become
one; a word may not be exchanged for another. Only what is left is a matter of likeness.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from memory.algorithms.difference import is_negated

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, kw_only=True)
class CoverageParams:
    """Shares of a statement's information, each word once, in bits."""

    #: from which two statements speak of the same
    same_matter: float = 0.5
    #: that must stand word for word where the words count: who somebody is, what they can, cannot and want
    in_words: float = 0.6
    #: of what stands in for others, that one of them must have said
    grounded: float = 0.5


COVERAGE = CoverageParams()


@dataclass(frozen=True, kw_only=True)
class Told:
    """One statement, read.

    Attributes:
        literal: names, numbers and dates, which have to stand word for word.
        bits: stem → its information, of each word that carries some.
        text: as said.
        clauses: of a statement of several, each by itself.
    """

    literal: frozenset[str]
    bits: Mapping[str, float]
    text: str
    clauses: tuple["Told", ...] = ()

    @property
    def parts(self) -> tuple["Told", ...]:
        return self.clauses or (self,)

    @cached_property
    def plain(self) -> str:
        """Return the words between blanks, so that one is found whole or not at all."""
        return plain_words(self.text)

    @cached_property
    def is_denied(self) -> bool:
        return is_negated(self.text)

    def holds(self, literal: frozenset[str]) -> bool:
        """Tell whether all of it stands here word for word."""
        return all(plain_words(part) in self.plain for part in literal)

    def share_in(self, other: "Told") -> float:
        """Return how much of its information, 0 to 1, stands in the other; 1 where it has none."""
        total = sum(self.bits.values())
        return sum(bits for stem, bits in self.bits.items() if stem in other.bits) / total if total else 1.0

    def is_exchanged_in(self, other: "Told") -> bool:
        """Tell whether the other is this one with words exchanged: at least half is shared, and each has its own."""
        shared = len(self.bits.keys() & other.bits.keys())
        return 2 * shared >= max(len(self.bits), len(other.bits)) and shared < min(
            len(self.bits), len(other.bits)
        )


def plain_words(text: str) -> str:
    """Return the casefolded words of a text between single blanks, with one at each end."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def find_loss(
    told: Sequence[Told],
    lines: Sequence[Told],
    similarities: Sequence[float],
    *,
    whole: float,
    least: float,
    in_words: bool = False,
) -> str:
    """Return what of a memory the lines lose; empty where they cover it.

    Args:
        told: the memory's clauses; none where it says nothing.
        lines: what shall stand for it, k statements.
        similarities: (k,) calibrated, of the memory to each line.
        whole: of the memory to all lines together.
        least: similarity that one of these must reach.
        in_words: its words have to be there, not only its meaning.
    """
    open_clauses = [clause for clause in told if not _is_repeated(clause, lines)]
    if not open_clauses:
        return ""
    if not lines or max(*similarities, whole) < least:
        return "meaning"
    for clause in open_clauses:
        lost = _find_clause_loss(clause, lines, similarities, in_words=in_words)
        if lost:
            return lost
    return ""


def is_grounded(line: Told, members: Sequence[Told]) -> bool:
    """Tell whether a line holds no name, number or date that none of its members holds, and mostly their words."""
    together = "".join(member.plain for member in members)
    if any(plain_words(part) not in together for part in line.literal):
        return False
    said = {stem for member in members for stem in member.bits}
    total = sum(line.bits.values())
    share = sum(bits for stem, bits in line.bits.items() if stem in said) / total if total else 1.0
    return share >= COVERAGE.grounded


def _is_repeated(clause: Told, lines: Sequence[Told]) -> bool:
    """Tell whether a clause stands word for word in a line, where there is nothing to compare."""
    parts = (part for line in lines for part in line.parts)
    return any(clause.plain in part.plain and clause.is_denied == part.is_denied for part in parts)


def _find_clause_loss(
    clause: Told,
    lines: Sequence[Told],
    similarities: Sequence[float],
    *,
    in_words: bool,
) -> str:
    holding = [line for line in lines if line.holds(clause.literal)]
    if not holding:
        return "names or numbers"
    parts = [part for line in holding for part in line.parts]
    if _is_denial_lost(clause, [part for part in parts if clause.share_in(part) >= COVERAGE.same_matter]):
        return "denial"
    if in_words and max(clause.share_in(line) for line in holding) < COVERAGE.in_words:
        return "words"
    _, nearest = max(zip(similarities, lines, strict=True), key=lambda pair: pair[0])
    return "a word" if any(clause.is_exchanged_in(part) for part in nearest.parts) else ""


def _is_denial_lost(clause: Told, same: Sequence[Told]) -> bool:
    """Tell whether what is denied is not denied by a line of the same matter, or what is affirmed is by all of them."""
    if clause.is_denied:
        return not any(line.is_denied for line in same)
    return bool(same) and all(line.is_denied for line in same)
