"""World files: a school's world graph as JSON (docs/world-files.md), parsed and checked as a whole."""

import json
from typing import Annotated, Any, Final, Literal, Never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from overlay.errors import Problem, WorldRefused
from overlay.params import BOUNDS
from overlay.world_checks import find_problems

FORMAT: Final = "companion-world/1"

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
