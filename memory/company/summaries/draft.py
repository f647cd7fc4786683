"""One summary that is to be written."""

from collections.abc import Iterable
from dataclasses import dataclass

from memory.company.params import CompanyParams
from memory.company.summaries.selectors import Whole, in_order
from memory.models import CompanyFact

#: Room that the heading of a year takes.
HEADING_CHARS = 20
JOINT = "; "


@dataclass(frozen=True, kw_only=True)
class Planned:
    """One summary that is to be written.

    Attributes:
        wholes: the facts that it takes the place of.
        year: whose decisions it holds, of an annual summary; None of any other.
    """

    wholes: tuple[Whole, ...]
    year: int | None = None

    @property
    def parts(self) -> tuple[CompanyFact, ...]:
        """Return what the summary must say, in the order said."""
        return in_order(part for whole in self.wholes for part in whole.parts)

    @property
    def contents(self) -> list[str]:
        """Return the words of the parts, the same words once."""
        by_words = {part.fingerprint: part.content for part in reversed(self.parts)}
        return [by_words.pop(part.fingerprint) for part in self.parts if part.fingerprint in by_words]

    @property
    def facts(self) -> tuple[CompanyFact, ...]:
        return tuple(whole.fact for whole in self.wholes)

    @property
    def heading(self) -> str:
        return f"{self.year}: " if self.year is not None else ""


def most_chars(params: CompanyParams) -> int:
    """Return how long the parts of one summary may be, joined."""
    return 3 * params.most_chars - HEADING_CHARS


def chars_of(parts: Iterable[CompanyFact]) -> int:
    """Return how long parts are, joined."""
    lengths = [len(part.content) for part in parts]
    return sum(lengths) + len(JOINT) * max(0, len(lengths) - 1)
