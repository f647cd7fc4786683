"""World files: a school's world graph as JSON (docs/world-files.md), parsed and checked as a whole."""

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Literal, Never
from unicodedata import category

import numpy as np
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from companion_site.language import fold_words, sanitise, tokens
from overlay.algorithms.graphs import find_cycles
from overlay.errors import Problem, WorldRefused
from overlay.params import BOUNDS

FORMAT: Final = "companion-world/1"
#: Kinds of edges along which nobody may come back to where they began.
ACYCLIC = ("requires", "part_of")
#: Concepts of a cycle that are named before it is cut short.
CYCLE_SHOWN = 8
#: Control, format, private and unassigned characters, and separators of lines: nobody types them in a name.
UNSEEN = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}

Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:\-]*$", max_length=100)]
Name = Annotated[str, StringConstraints(max_length=BOUNDS.name_chars)]


class Part(BaseModel):
    """A part of a world file: nothing is guessed, and nothing unknown is let pass."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, str_strip_whitespace=True)


class ConceptEntry(Part):
    """One concept as a world file tells it."""

    id: Key
    name: Name
    aliases: Annotated[list[Name], Field(max_length=BOUNDS.aliases)] = []
    kind: Annotated[str, StringConstraints(max_length=50)] = ""
    description: Annotated[str, StringConstraints(max_length=BOUNDS.description_chars)] = ""


class EdgeEntry(Part):
    """One edge as a world file tells it."""

    source: Key
    target: Key
    type: Literal["requires", "part_of", "relates_to"]


class WorldFile(Part):
    """A whole world."""

    format: Literal["companion-world/1"]
    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    concepts: list[ConceptEntry]
    edges: list[EdgeEntry] = []


WHAT = {
    "missing": gettext_lazy("This is missing."),
    "extra_forbidden": gettext_lazy("There is no such field."),
    "string_type": gettext_lazy("This has to be text."),
    "string_unicode": gettext_lazy("This is no proper text."),
    "string_too_long": gettext_lazy("This is too long."),
    "string_too_short": gettext_lazy("This is empty."),
    "string_pattern_mismatch": gettext_lazy(
        "An id begins with a letter or digit and goes on with letters, digits and . _ : - only."
    ),
    "list_type": gettext_lazy("This has to be a list."),
    "too_long": gettext_lazy("There are too many of these."),
    "literal_error": gettext_lazy("This is none of the words that can stand here."),
}
UNUSABLE = gettext_lazy("This cannot be used as it is.")


def parse_world(raw: bytes) -> WorldFile:
    """Return the world of a file.

    Raises:
        WorldRefused: the file is too large, no JSON, or says something that cannot be; every problem is listed with
            its place.
    """
    if len(raw) > BOUNDS.file_bytes:
        size = _("The file is larger than %(most)d MB.") % {"most": BOUNDS.file_bytes // 2**20}
        raise WorldRefused([Problem("", size)])
    data = _load(raw)
    _check_size(data, "concepts", BOUNDS.concepts)
    _check_size(data, "edges", BOUNDS.edges)
    try:
        world = WorldFile.model_validate(data)
    except ValidationError as error:
        raise WorldRefused(tell_problems(error), most=BOUNDS.problems) from None
    problems = find_problems(world.concepts, world.edges)
    if problems:
        raise WorldRefused(problems, most=BOUNDS.problems)
    return world


def write_world(world: WorldFile) -> bytes:
    """Return a world as a file, which read again gives the same world."""
    return json.dumps(world.model_dump(), ensure_ascii=False, indent=2).encode() + b"\n"


def _load(raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(
            raw.decode("utf-8-sig"), parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeats
        )
    except UnicodeDecodeError:
        raise WorldRefused([Problem("", _("The file is not UTF-8 text."))]) from None
    except json.JSONDecodeError as error:
        place = _("line %(line)d, column %(column)d") % {"line": error.lineno, "column": error.colno}
        raise WorldRefused([Problem(place, _("The file is not JSON from here on."))]) from None
    except RecursionError:
        raise WorldRefused([Problem("", _("The file is nested too deeply."))]) from None
    except ValueError:
        raise WorldRefused([Problem("", _("The file holds a number that is too long."))]) from None
    if not isinstance(data, dict):
        raise WorldRefused([Problem("", _("The file has to hold one world, in braces."))])
    return data


def _refuse_constant(word: str) -> Never:
    raise WorldRefused([Problem("", _("%(word)s is no number of JSON.") % {"word": word})])


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise WorldRefused([Problem("", _("A field stands twice in the same braces."))])
    return fields


def _check_size(data: dict[str, Any], name: str, most: int) -> None:
    """Refuse what is too much before each of its parts is looked at."""
    found = data.get(name)
    if isinstance(found, list) and len(found) > most:
        what = _("There are %(found)d; at most %(most)d can be taken in.") % {
            "found": len(found),
            "most": most,
        }
        raise WorldRefused([Problem(name, what)])


def tell_problems(error: ValidationError) -> list[Problem]:
    """Return what pydantic found, in words of this project; what was given is not repeated."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return [Problem(_place(item["loc"]), str(WHAT.get(item["type"], UNUSABLE))) for item in found]


def _place(location: tuple[int | str, ...]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).removeprefix(".")


def find_problems(concepts: Sequence[ConceptEntry], edges: Sequence[EdgeEntry]) -> list[Problem]:
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


def name_problems(concepts: Sequence[ConceptEntry]) -> Iterator[Problem]:
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


def _edge_problems(numbers: dict[str, int], edges: Sequence[EdgeEntry]) -> Iterator[Problem]:
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


def _same_edge(edge: EdgeEntry) -> tuple[str, str, str]:
    """Return what makes an edge the same as another: one that relates two concepts has no direction."""
    ends = (edge.source, edge.target)
    first, second = sorted(ends) if edge.type == "relates_to" else ends
    return first, second, edge.type


def _cycle_problems(
    numbers: dict[str, int], concepts: Sequence[ConceptEntry], edges: Sequence[EdgeEntry]
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
