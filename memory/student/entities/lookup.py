"""Whom and what a question names, of those that an open space knows."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from uuid import UUID

from memory.reading.entities import find_candidates, relation_of
from memory.student.entities.resolution import Known, is_same_name, read_relation
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
        ideas = read_relation(relation_of(question, candidate)) if name is None else frozenset()
        for one in known:
            by_name = name is not None and one.name is not None and is_same_name(one.name, name)
            if by_name or ideas & one.ideas:
                found.setdefault(one.id)
    return list(found)


def tell_who(working_set: WorkingSet, rows: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Return by row what those are to the person whom a memory calls by their name alone, as "Noah: brother"; in the order of names.

    A memory is told among others, and what says who Noah is may not be one of them.
    """
    wanted, told = set(rows), defaultdict[int, list[str]](list)
    for entity, spoken in working_set.spoken_of.items():
        one = working_set.entities.get(entity)
        if one is None or not (one.name and one.relation):
            continue
        for row in wanted.intersection(spoken):
            if one.relation.split()[-1].casefold() not in (working_set.nodes[row].text or "").casefold():
                told[row].append(f"{one.name}: {one.relation}")
    return {row: tuple(sorted(names)[:MOST_TOLD]) for row, names in told.items()}
