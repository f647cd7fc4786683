"""What a world has to hold to beyond its form: names that can be told apart, edges that lead somewhere, no cycles."""

from collections.abc import Iterator, Sequence
from typing import Protocol
from unicodedata import category

import numpy as np
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from companion_site.language import fold_words, sanitise, tokens
from overlay.algorithms.graphs import find_cycles
from overlay.errors import Problem
from overlay.params import BOUNDS

#: Kinds of edges along which nobody may come back to where they began.
ACYCLIC = ("requires", "part_of")
#: Concepts of a cycle that are named before it is cut short.
CYCLE_SHOWN = 8
#: Control, format, private and unassigned characters, and separators of lines: nobody types them in a name.
UNSEEN = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}


class NamedConcept(Protocol):
    """A concept as it is checked; `ConceptEntry` is one."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def aliases(self) -> Sequence[str]: ...
    @property
    def description(self) -> str: ...
    @property
    def kind(self) -> str: ...


class TypedEdge(Protocol):
    """An edge as it is checked; `EdgeEntry` is one."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def type(self) -> str: ...


def find_problems(concepts: Sequence[NamedConcept], edges: Sequence[TypedEdge]) -> list[Problem]:
    """Return everything that is wrong with a world, in the order of its parts; nothing where all is well."""
    numbers: dict[str, int] = {}
    problems = []
    for number, concept in enumerate(concepts):
        if numbers.setdefault(concept.id, number) != number:
            what = _("The id %(id)s is already that of %(first)s.")
            first = f"concepts[{numbers[concept.id]}]"
            problems.append(Problem(f"concepts[{number}].id", what % {"id": concept.id, "first": first}))
    problems += name_problems(concepts)
    problems += _edge_problems(numbers, edges)
    return problems + list(_cycle_problems(numbers, concepts, edges))


def name_problems(concepts: Sequence[NamedConcept]) -> Iterator[Problem]:
    """Yield what is wrong with names, and names that more than one concept goes by."""
    taken: dict[str, int] = {}
    for number, concept in enumerate(concepts):
        places = [("name", concept.name)]
        places += [(f"aliases[{place}]", alias) for place, alias in enumerate(concept.aliases)]
        for place, name in places:
            where = f"concepts[{number}].{place}"
            wrong = what_is_wrong_with(name)
            if wrong:
                yield Problem(where, wrong)
                continue
            owner = taken.setdefault(fold_words(name), number)
            if owner != number:
                what = _("“%(name)s” is already a name of %(first)s (%(id)s).")
                first = f"concepts[{owner}]"
                said = {"name": Truncator(name).chars(60), "first": first, "id": concepts[owner].id}
                yield Problem(where, what % said)
        for place, text in (("description", concept.description), ("kind", concept.kind)):
            if sanitise(text) != text:
                yield Problem(f"concepts[{number}].{place}", _("This holds characters that cannot be seen."))


def what_is_wrong_with(name: str) -> str | None:
    """Return why a name cannot be one; None where it can."""
    if any(category(char) in UNSEEN for char in name):
        return _("A name may not hold characters that cannot be seen, nor break the line.")
    signs = sum(map(str.isalnum, name))
    if not name.strip():
        return _("A name may not be blank.")
    if not any(map(str.isalpha, name)):
        return _("A name needs letters.")
    if signs < BOUNDS.name_least:
        return _("A name needs at least %(least)d letters.") % {"least": BOUNDS.name_least}
    if not tokens(name, "en") or not tokens(name, "sv"):
        return _("This is too common a word to be a name.")
    return None


def distinct_aliases(name: str, aliases: Sequence[str]) -> list[str]:
    """Return the other names without blanks and without those that say the same as the name or one another."""
    kept = {fold_words(name): name}
    for alias in aliases:
        if fold_words(alias):
            kept.setdefault(fold_words(alias), alias)
    return list(kept.values())[1:]


def _edge_problems(numbers: dict[str, int], edges: Sequence[TypedEdge]) -> Iterator[Problem]:
    seen: dict[tuple[str, str, str], int] = {}
    for number, edge in enumerate(edges):
        for end in ("source", "target"):
            if getattr(edge, end) not in numbers:
                what = _("There is no concept %(id)s.") % {"id": getattr(edge, end)}
                yield Problem(f"edges[{number}].{end}", what)
        if edge.source == edge.target:
            yield Problem(f"edges[{number}]", _("This edge leads from a concept to itself."))
        first = seen.setdefault(_same_edge(edge), number)
        if first != number:
            what = _("This edge is already told by %(first)s.") % {"first": f"edges[{first}]"}
            yield Problem(f"edges[{number}]", what)


def _same_edge(edge: TypedEdge) -> tuple[str, str, str]:
    """Return what makes an edge the same as another: one that relates two concepts has no direction."""
    ends = (edge.source, edge.target)
    first, second = sorted(ends) if edge.type == "relates_to" else ends
    return first, second, edge.type


def _cycle_problems(
    numbers: dict[str, int], concepts: Sequence[NamedConcept], edges: Sequence[TypedEdge]
) -> Iterator[Problem]:
    for kind in ACYCLIC:
        ends = [
            (numbers[edge.source], numbers[edge.target])
            for edge in edges
            if edge.type == kind and edge.source in numbers and edge.target in numbers
        ]
        pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
        for cycle in find_cycles(len(concepts), pairs[:, 0], pairs[:, 1]):
            ids = [concepts[number].id for number in cycle]
            shown = [*ids[:CYCLE_SHOWN], *(["…"] if len(ids) > CYCLE_SHOWN else []), ids[0]]
            what = _("These concepts lead round in a circle by “%(kind)s”: %(way)s.")
            yield Problem("edges", what % {"kind": kind, "way": " → ".join(shown)})
