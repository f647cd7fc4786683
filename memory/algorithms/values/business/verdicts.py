"""Whether two facts of a company say the same, or the later one takes the earlier one's place, or both stand.

Likeness decides nothing by itself: "120k" and "150k" of a dividend are as near as two wordings of one. It only bounds
how far words on no list may be passed over.
"""

from dataclasses import dataclass
from functools import cached_property

from memory.algorithms.values.business.endings import find_resolved
from memory.algorithms.values.business.findings import TESTS, find_amount, find_count, find_denial
from memory.algorithms.values.business.matters import Matter, read_matter
from memory.algorithms.values.business.sameness import FactParams, rules_out_same, say_one_thing, unmatched
from memory.algorithms.values.business.statement import Claim, read_claim
from memory.algorithms.values.sameness import plain
from memory.algorithms.values.verdicts import Comparison, Verdict


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One fact as it is compared.

    Attributes:
        language: `en` or `sv`; another is read as English.
        is_open: that it is an open item, whatever its words say.
    """

    text: str
    language: str = "en"
    is_open: bool = False

    @cached_property
    def claim(self) -> Claim:
        return read_claim(self.text, self.language, is_open=self.is_open)

    @cached_property
    def matter(self) -> Matter:
        """Return what it is about, kept for as long as this object."""
        return read_matter(self.claim)


DEFAULT_FACT_PARAMS = FactParams()
RESOLVED = "resolved"


def compare_facts(
    earlier: Fact, later: Fact, *, similarity: float, params: FactParams = DEFAULT_FACT_PARAMS
) -> Comparison:
    """Return what `later` does to `earlier`: `SAME`, `CONTRADICTS` (reason `resolved` for an open item) or `DIFFERENT`.

    Args:
        similarity: calibrated, 0..1; NaN counts as 0.
    """
    alike = similarity if similarity == similarity else 0.0
    if plain(earlier.text) == plain(later.text):
        return Comparison(Verdict.SAME, True, "word for word")
    before, after = earlier.matter, later.matter
    if _may_settle(before, after) and find_resolved(before, after):
        return Comparison(Verdict.CONTRADICTS, False, RESOLVED, True)
    strange = _count_strange(before, after)
    if strange <= 1:
        for test in TESTS:
            sure = test not in _EXACT or not strange or earlier.language != later.language
            if sure and test(before, after):
                return Comparison(Verdict.CONTRADICTS, False, test.__name__.removeprefix("find_"), True)
    across = earlier.language != later.language
    if say_one_thing(before, after, across=across, similarity=alike, params=params):
        return Comparison(Verdict.SAME, True, "nothing differs")
    return Comparison(Verdict.DIFFERENT, False, "both can be true")


def never_same(one: Fact, other: Fact) -> bool:
    """Tell whether two facts cannot be the same whoever says so: an amount, a date, a name, a denial differs."""
    return rules_out_same(one.matter, other.matter)


def _may_settle(before: Matter, after: Matter) -> bool:
    """Tell whether words on no list leave it open that one is the open item that the other settles."""
    one, other = unmatched(before.claim.unknown, after.claim.unknown)
    return not (one and other) or bool(before.topics & after.topics and before.acts & after.acts)


#: Amounts and counts are of many things; between two wordings of one language a word more is another thing.
_EXACT = frozenset({find_amount, find_count, find_denial})


def _count_strange(before: Matter, after: Matter) -> int:
    """Return how many words on no list either fact has that the other has not."""
    return sum(map(len, unmatched(before.claim.unknown, after.claim.unknown)))
