"""Whom and what a question names, of those that an open space knows."""

from collections.abc import Iterable
from uuid import UUID

from memory.algorithms.entity_resolution import Known, is_same_name, is_same_relation
from memory.reading.entities import find_candidates, relation_of


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
