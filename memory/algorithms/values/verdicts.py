"""Whether two statements say the same, exclude each other, or may both be true.

Nothing here trusts likeness: embedders place a contradiction nearer than a paraphrase. A statement retires another
only where both give the same single-valued thing of the same subject another value, where one denies in so many words
what the other affirms, or where the later one says that the thing is over. Everything that narrows (a time, an occasion,
a circumstance, another object) keeps both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from memory.algorithms.values import frames, opposites, updates
from memory.algorithms.values.clauses import Clause, read_clauses
from memory.algorithms.values.places import may_contain, reads_as_region, reads_as_town
from memory.algorithms.values.sameness import plain, say_the_same
from memory.algorithms.values.slot import SEVERAL, Slot
from memory.algorithms.values.slots import find_slots


class Verdict(Enum):
    """What the later of two statements does to the earlier one."""

    SAME = "same"
    CONTRADICTS = "contradicts"
    OPPOSED = "opposed"
    DIFFERENT = "different"


@dataclass(frozen=True, kw_only=True)
class Said:
    """One statement as it is compared.

    Attributes:
        text: as said.
        language: `en` or `sv`; another is compared word for word.
        valence: -1..1.
        speaker: who said it, None for the person themselves.
    """

    text: str
    language: str = "en"
    valence: float = 0.0
    speaker: str | None = None

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Return the statement as read, kept for as long as this object and no longer: it is somebody's words."""
        return read_clauses(self.text, self.language)

    @cached_property
    def slots(self) -> tuple[dict[tuple[str, frozenset[str]], Slot], ...]:
        """Return the single-valued things of each clause by name and key, kept as long."""
        return tuple({(slot.name, slot.key): slot for slot in find_slots(clause)} for clause in self.clauses)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict and why; `may_merge` only where nothing in one differs in value from the other."""

    verdict: Verdict
    may_merge: bool
    reason: str
    #: that values were compared and differ, as against feelings
    values_differ: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueParams:
    """Bounds of the comparison.

    Attributes:
        comparable: calibrated similarity below which two statements are taken to be about different things.
        opposed: similarity from which opposite feelings are a contradiction to review (row G8).
        felt: valence from which a statement counts as a feeling.
        same: similarity that another wording needs before it is the same.
    """

    comparable: float = 0.2
    opposed: float = 0.8
    felt: float = 0.5
    same: float = 0.85


DEFAULT_PARAMS = ValueParams()


def compare(
    earlier: Said, later: Said, *, similarity: float, params: ValueParams = DEFAULT_PARAMS
) -> Comparison:
    """Return what `later` does to `earlier`.

    Args:
        similarity: calibrated, 0..1; NaN counts as 0.

    Returns:
        `SAME` and `may_merge` are symmetric in the statements; the others look at which came first.
    """
    alike = similarity if similarity == similarity else 0.0
    if earlier.speaker == later.speaker:
        if plain(earlier.text) == plain(later.text):
            return Comparison(Verdict.SAME, True, "word for word")
        if alike >= params.comparable:
            found = _judge(earlier, later, alike=alike, params=params)
            if found is not None:
                return found
            # The same in any order: looked at the other way round only where it may be.
            if (
                alike >= params.same
                and say_the_same(earlier.clauses, later.clauses, similarity=alike, bound=params.same)
                and _judge(later, earlier, alike=alike, params=params) is None
            ):
                return Comparison(Verdict.SAME, True, "nothing differs")
    felt = min(abs(earlier.valence), abs(later.valence)) >= params.felt
    if felt and alike > params.opposed and earlier.valence * later.valence < 0:
        return Comparison(Verdict.OPPOSED, False, "opposite feelings")
    return Comparison(Verdict.DIFFERENT, False, "both can be true")


def _judge(earlier: Said, later: Said, *, alike: float, params: ValueParams) -> Comparison | None:
    """Return the strongest finding among the clauses of two statements, if any."""
    doubtful: str | None = None
    one, other = earlier.clauses, later.clauses
    for before, held in zip(one, earlier.slots, strict=True):
        for after, said in zip(other, later.slots, strict=True):
            if before.is_wished != after.is_wished or before.is_hedged or after.is_hedged:
                continue
            for reason, sure in _find(before, after, held, said):
                if sure:
                    return Comparison(Verdict.CONTRADICTS, False, reason, True)
                doubtful = doubtful or reason
    return Comparison(Verdict.OPPOSED, False, doubtful, True) if doubtful else None


_TESTS = (*opposites.TESTS, *updates.TESTS, *frames.TESTS)


_Slots = dict[tuple[str, frozenset[str]], Slot]


def _find(before: Clause, after: Clause, held: _Slots, said: _Slots) -> Iterator[tuple[str, bool]]:
    """Yield what differs between two clauses, and whether it surely ends the earlier one."""
    yield from _compare_slots(before, after, held, said)
    for test in _TESTS:
        sure = test(before, after)
        if sure is not None:
            yield test.__name__.removeprefix("find_"), sure


def _compare_slots(before: Clause, after: Clause, held: _Slots, said: _Slots) -> Iterator[tuple[str, bool]]:
    for key in held.keys() & said.keys():
        earlier, slot = held[key], said[key]
        if _agree(earlier, slot):
            continue
        if slot.name == "residence" and _may_both_hold(earlier, slot, moved="live_" in after.ideas):
            continue
        several = not after.is_changed and before.owner in SEVERAL
        yield slot.name, not several and _is_sure(earlier, slot)


def _may_both_hold(one: Slot, other: Slot, *, moved: bool) -> bool:
    """Tell whether somebody may live in both places: in one within the other, and did not move away."""
    left_town = moved and any(map(reads_as_town, one.values)) and any(map(reads_as_region, other.values))
    return may_contain(one.values, other.values) and not left_town


def _agree(one: Slot, other: Slot) -> bool:
    """Tell whether two values are one, or one a part of the other."""
    return one.values <= other.values or other.values <= one.values or bool(one.values & other.values)


def _is_sure(one: Slot, other: Slot) -> bool:
    return (one.sure or other.sure) if one.name == "school" else one.sure and other.sure
