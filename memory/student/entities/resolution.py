"""Which entity somebody means, in a statement or a question: one known by that name, by that relation, or a new one.

Two of the same name and different relations are two ("my cousin Anna", "my teacher Anna"); a name heard later belongs to whom
was known by the relation alone ("my brother", then "my brother Noah"). What is unsure is a new entity: two that are one can be
seen and cost little, one that is two tells falsehoods.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from uuid import UUID

from memory.reading.entities import find_candidates, relation_of
from memory.reading.words import load_tables

#: What a relation is, whatever its language, with whose it is: "Mira's sister" is not "sister".
Ideas = frozenset[tuple[str, ...]]
#: Kinds that are never taken for another; a school may be told of as a place, and a band as a thing.
_ALIVE = frozenset({"person", "animal"})


@dataclass(frozen=True, slots=True)
class Known:
    """An entity as it is known, or as a statement names it.

    Attributes:
        name: a proper name; relation: what it is to the person.
        last: a number that grows with the time of its last mention: of two that fit, the one spoken of last is meant.
        ideas: what the relation says in either language, read once since it is compared with each that comes.
    """

    id: UUID
    kind: str
    name: str | None
    relation: str | None
    last: int = 0
    ideas: Ideas = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ideas", read_relation(self.relation))


def resolve(named: Known, known: Sequence[Known]) -> Known:
    """Return which of those known is meant, with what is learned of it; where none is, what was named is a new one."""
    fitting = [one for one in known if _is_kind(named.kind, one.kind)]
    meant: list[Known] = []
    by_name = [one for one in fitting if one.name and named.name and is_same_name(one.name, named.name)]
    if by_name:
        # Two of one name are parted by what they are.
        meant = [one for one in by_name if not (named.relation and one.relation) or named.ideas & one.ideas]
    elif named.relation is not None:
        meant = [
            one for one in fitting if one.ideas & named.ideas and (named.name is None or one.name is None)
        ]
    if not meant:
        return named
    latest = max(meant, key=lambda one: one.last)
    return replace(latest, name=latest.name or named.name, relation=latest.relation or named.relation)


def find_named(question: str, entities: Iterable[Known], *, naming: frozenset[str]) -> list[UUID]:
    """Return the entities that a question names, by name or by what they are to whoever asks; in the order of the question.

    Args:
        naming: words by which something is named without a capital letter, casefolded.
    """
    known = list(entities)
    names = frozenset(one.name.casefold() for one in known if one.name)
    found: dict[UUID, None] = {}
    for candidate in find_candidates(question, naming=naming, known=names):
        name = None if candidate.name_at is None else question[slice(*candidate.name_at)]
        ideas = read_relation(relation_of(question, candidate)) if name is None else frozenset()
        for one in known:
            by_name = name is not None and one.name is not None and is_same_name(one.name, name)
            if by_name or ideas & one.ideas:
                found.setdefault(one.id)
    return list(found)


def _is_kind(one: str, other: str) -> bool:
    return one == other or not _ALIVE & {one, other}


def is_same_name(one: str, other: str) -> bool:
    """Tell whether two names are one: alike but for case, or the first part of the longer one."""
    first, second = (name.casefold().split() for name in (one, other))
    shorter, longer = sorted((first, second), key=len)
    return bool(shorter) and longer[: len(shorter)] == shorter


def read_relation(relation: str | None) -> Ideas:
    """Return what a relation is, by its last word and whatever names an owner before it; two that share one are the same."""
    words = (relation or "").casefold().replace("\u2019", "'").split()
    owners = tuple(word.removesuffix("'s").removesuffix("s") for word in words[:-1] if word.endswith("s"))
    return (
        frozenset((*owners, idea) for idea in _ideas().get(words[-1], (words[-1],))) if words else frozenset()
    )


@cache
def _ideas() -> dict[str, tuple[str, ...]]:
    """Return word → what it calls somebody: "bror" and "brother" both a brother; "far" is another in English."""
    ideas: dict[str, tuple[str, ...]] = {}
    for relations in load_tables("relations.json").values():
        for idea, words in relations.items():
            for word in words:
                ideas[word] = (*ideas.get(word, ()), idea)
    return ideas
