"""Whom and what a question names, of those that an open space knows."""

from collections.abc import Iterable
from uuid import UUID

from memory.algorithms.entity_resolution import Known, is_same_name, is_same_relation
from memory.reading.entities import find_candidates, relation_of
from memory.student.workingset import WorkingSet

#: So many are told with one memory at the most.
MOST_TOLD = 3


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
        relation = relation_of(question, candidate)
        for one in known:
            by_name = name is not None and one.name is not None and is_same_name(one.name, name)
            by_relation = (
                name is None
                and relation is not None
                and one.relation is not None
                and is_same_relation(one.relation, relation)
            )
            if by_name or by_relation:
                found.setdefault(one.id)
    return list(found)


def tell_who(working_set: WorkingSet, row: int) -> tuple[str, ...]:
    """Return what those are to the person whom a memory calls by their name alone, as "Noah: brother"; in the order of names.

    A memory is told among others, and what says who Noah is may not be one of them.
    """
    words = (working_set.nodes[row].text or "").casefold()
    known = (
        working_set.entities.get(entity) for entity, rows in working_set.spoken_of.items() if row in rows
    )
    told = [
        f"{one.name}: {one.relation}"
        for one in known
        if one is not None and one.name and one.relation and one.relation.split()[-1].casefold() not in words
    ]
    return tuple(sorted(told)[:MOST_TOLD])
