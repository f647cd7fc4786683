"""One single-valued thing, and how a clause is read for one."""

from dataclasses import dataclass

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.words import kinds


@dataclass(frozen=True, slots=True)
class Slot:
    """One single-valued thing with its value.

    Attributes:
        name: which thing.
        key: what else must be the same for two values to exclude each other: whose, and of what.
        values: the value, as ideas; two slots agree where these are equal.
        sure: that another value leaves no way for both to hold; without it a difference is for the person to review.
    """

    name: str
    key: frozenset[str]
    values: frozenset[str]
    sure: bool = True


def ideas_after(clause: Clause, marker: str, *, stop: frozenset[str] = frozenset()) -> list[str]:
    """Return the ideas after a marker that carry something, up to the first of `stop`."""
    found: list[str] = []
    for idea in clause.ideas[clause.ideas.index(marker) + 1 :]:
        if idea in stop:
            break
        if idea in clause.core:
            found.append(idea)
    return found


def key_of_owner(clause: Clause, *more: str) -> frozenset[str]:
    return frozenset({f"of:{holder(clause)}", *more})


def holder(clause: Clause) -> str:
    """Return whose thing a clause speaks of; what is said of a pet is the person's matter."""
    return "me" if kinds().get(clause.owner) == "pet" else clause.owner


def subject_of(clause: Clause, marker: str) -> frozenset[str]:
    """Return what tells one subject of a verb from another: "my pen friend", "Anna", "my other aunt"."""
    ideas = clause.ideas
    if {"i", "we"} & set(ideas[: ideas.index(marker) + 2]):
        return frozenset()
    before = frozenset(idea for idea in ideas[: ideas.index(marker)] if idea in clause.core)
    return before - {clause.owner, "house", "home", "famil"}


def amounts_of(clause: Clause) -> frozenset[str]:
    return frozenset(f"{quantity.dimension}={quantity.amount:g}" for quantity in clause.quantities)


#: What is a calling though the words mean a person of one's own.
JOBS = frozenset({"teacher", "coach", "head"})
PLACE_WORDS = frozenset({"at", "in", "on", "with", "and", "near", "by"})


#: What one has several of: a name for another one is no correction.
SEVERAL = frozenset(
    {
        "friend",
        "cousin",
        "grandmother",
        "grandfather",
        "brother",
        "sister",
        "sibling",
        "aunt",
        "uncle",
        "teacher",
        "pet",
        "neighbour",
        "idol",
    }
)
