"""Which of our modules a message passes: `python -m bench.way [--json]`, on a database of its own.

Three ways are walked through the site's own services: from a said message to a memory, from a said message to a
company's fact, and from an agent's question to its context. Each is walked twice and only the second time counts: by then all is loaded.

A **package** is one of the second level, such as "memory.student". A **way** is the sequence of packages that calls enter: a call enters
one where caller and called function stand in different packages. To come back from a call is no entry. The caller is the nearest running
function of ours, whoever stands between (Django, a library). An **arrow** is a pair of packages of which the first calls the second,
counted once. Pages, sockets, the worker that takes a job from the queue, the reply and a language model's part are left out.

**Layers**: each package stands above all that it imports, and as low as that allows; packages that import one another in a circle share a
layer. A **climb** is a call into a package of a higher layer, counted once for each pair of modules: a callback, a hook, a registry, which
nobody finds by following the caller's imports. A **return** is an arrow into a package that had been entered from elsewhere before.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from types import FrameType
from uuid import uuid4

from bench.agents import StoredEmbedder, make_agent
from bench.commands import CouldNotLive, command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.structure import APPS, arrows_of, files_of, module_of, wing
from bench.students import NOW, enter_person
from chat.company.dialogue import read_conversation
from chat.memories.formation import form_from_message
from chat.services import begin_conversation, say
from companion_site.accounts.services import create_company
from companion_site.running import PROJECT
from companion_site.vault.scope import space_scope
from memory.agents.contexts import build_context
from memory.company.params import COMPANY
from memory.models import CompanyFact

#: The name of one that calls and of one that is called: modules or packages.
Pair = tuple[str, str]
#: Who calls, where none of ours does.
OUTSIDE = ""
#: A generator expression: part of the function that it stands in, wherever it is run.
IN_PLACE = "<genexpr>"
#: Of each the first is for what has to be loaded.
SAID = ("I live in Lund with my brother Noah.", "My dog is called Bosse and he is afraid of thunder.")
SAID_AT_WORK = ("Our auditor is called Helena Berg.", "We have decided to use K3 for the annual report.")
ASKED = ("Who looks at our accounts?", "Which report does the auditor need?")


@dataclass(frozen=True)
class Way:
    """What calls led through, each once and in the order in which it first happened.

    Attributes:
        packages: those entered, with the modules entered in each.
        arrows: from package to package; returns: those of them into a package that another had entered before.
        climbs: from module to module.
    """

    packages: Mapping[str, Sequence[str]]
    arrows: Sequence[Pair]
    climbs: Sequence[Pair]
    returns: Sequence[Pair]

    def count(self) -> dict[str, int]:
        """Return the figures, by what they are called."""
        return {
            "packages": len(self.packages),
            "modules": sum(map(len, self.packages.values())),
            "arrows": len(self.arrows),
            "climbs": len(self.climbs),
            "returns": len(self.returns),
        }


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Walk the ways and print them."""
    options = make_parser("way", __doc__, as_json=True).parse_args(arguments)
    with scratch_site(durable=False):
        layers = find_layers((one, other) for one, other, _ in arrows_of(files_of(PROJECT)))
        ways = {name: follow(walk(), layers) for name, walk in WALKS.items()}
    if options.json:
        print(json.dumps({name: {"count": way.count(), **asdict(way)} for name, way in ways.items()}))
    else:
        write_lines(line for name, way in ways.items() for line in render(name, way))


# --- walking --------------------------------------------------------------------------------------------------------


def walk_to_memory() -> Iterable[Pair]:
    """Return the calls from a student's message to the memories of it.

    Raises:
        CouldNotLive: there are none.
    """
    access = enter_person("way-student", now=NOW)
    conversation = begin_conversation(access, now=NOW).pk
    for number, text in enumerate(SAID):
        at = NOW + timedelta(minutes=number)
        with recording() as calls:
            exchange = say(access, conversation, text=text, client_id=uuid4(), now=at)
            formed = form_from_message(access.space, exchange.message.pk, key=access.key, now=at)
        if not formed:
            raise CouldNotLive(f"no memory of {text!r}")
    return calls


def walk_to_fact() -> Iterable[Pair]:
    """Return the calls from a message at work to the facts that are taken from it.

    Raises:
        CouldNotLive: there are none.
    """
    access = enter_person("way-work", now=NOW, company=create_company("Way", now=NOW))
    conversation = begin_conversation(access, now=NOW).pk
    for number, text in enumerate(SAID_AT_WORK):
        at = NOW + timedelta(days=number)
        with recording() as calls:
            message = say(access, conversation, text=text, client_id=uuid4(), now=at).message
            read_conversation(access.space, conversation, now=at + COMPANY.silence)
        with space_scope(access.space):
            if not CompanyFact.objects.for_space(access.space).filter(said_at=message.said_at).exists():
                raise CouldNotLive(f"no fact of {text!r}")
    return calls


def walk_to_context() -> Iterable[Pair]:
    """Return the calls from an agent's question to its context.

    Raises:
        CouldNotLive: nothing stands in it.
    """
    access = make_agent("way-agent", 20, SAID_AT_WORK, StoredEmbedder(SAID_AT_WORK))
    task = {"id": "t1", "tags": ["bench"]}
    for query in ASKED:
        with recording() as calls:
            context = build_context(access, query=query, task=task, budget_tokens=4_000, now=NOW)
        if not context.nodes:
            raise CouldNotLive(f"nothing is called to mind by {query!r}")
    return calls


@contextmanager
def recording() -> Iterator[Iterable[Pair]]:
    """Yield the calls that this thread makes into our modules meanwhile: who calls which, each once, in order."""
    calls: dict[Pair, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        called = _module(frame.f_code.co_filename)
        if event == "call" and called and frame.f_code.co_name != IN_PLACE:
            calls[_caller(frame), called] = None

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls.keys()
    finally:
        sys.setprofile(before)


def _caller(frame: FrameType) -> str:
    """Return the module of the nearest function of ours that waits for a call; "" where none does."""
    above = frame.f_back
    while above is not None:
        if found := _module(above.f_code.co_filename):
            return found
        above = above.f_back
    return ""


@cache
def _module(filename: str) -> str:
    """Return the module of ours that stands in a file; "" for every other file."""
    file = Path(filename)
    is_ours = file.is_relative_to(PROJECT) and file.relative_to(PROJECT).parts[0] in APPS
    return module_of(file, PROJECT) if is_ours and "migrations" not in file.parts else ""


WALKS: Mapping[str, Callable[[], Iterable[Pair]]] = {
    "a said message, to a memory": walk_to_memory,
    "a said message, to a company's fact": walk_to_fact,
    "an agent's question, to its context": walk_to_context,
}


# --- telling --------------------------------------------------------------------------------------------------------


def render(name: str, way: Way) -> Iterator[str]:
    """Yield the lines that tell of a way."""
    yield f"{name}: " + ", ".join(f"{number} {what}" for what, number in way.count().items())
    for package, modules in way.packages.items():
        entries = sum(other == package for _, other in way.arrows)
        inside = ", ".join(module.removeprefix(package).lstrip(".") or "itself" for module in modules)
        yield f"  {package} (arrows into it: {entries}): {inside}"
    yield from (f"  climb: {caller} -> {called}" for caller, called in way.climbs)
    yield ""


def follow(calls: Iterable[Pair], layers: Mapping[str, int]) -> Way:
    """Return the way that calls lead.

    Args:
        calls: from module to module, in order; the caller may be `OUTSIDE`.
        layers: of each package; one that is not there stands in the lowest.
    """
    packages: dict[str, dict[str, None]] = {}
    entered_by: dict[str, str] = {}
    arrows: dict[Pair, None] = {}
    climbs: dict[Pair, None] = {}
    for caller, called in calls:
        one, other = wing(caller), wing(called)
        packages.setdefault(other, {})[called] = None
        entered_by.setdefault(other, one)
        if OUTSIDE != one != other:
            arrows[one, other] = None
            if layers.get(other, 0) > layers.get(one, 0):
                climbs[caller, called] = None
    return Way(
        packages={package: list(modules) for package, modules in packages.items()},
        arrows=list(arrows),
        climbs=list(climbs),
        returns=[(one, other) for one, other in arrows if entered_by[other] != one],
    )


def find_layers(imports: Iterable[Pair]) -> dict[str, int]:
    """Return the layer of each package, 0 the lowest, given which imports which."""
    imported: dict[str, set[str]] = {}
    for one, other in imports:
        imported.setdefault(one, set()).add(other)
        imported.setdefault(other, set())
    below = {package: _reach(package, imported) for package in imported}

    @cache
    def layer(package: str) -> int:
        lower = [other for other in below[package] if package not in below[other]]
        return 1 + max(map(layer, lower), default=-1)

    return {package: layer(package) for package in imported}


def _reach(package: str, imported: Mapping[str, set[str]]) -> set[str]:
    """Return all that a package imports, itself or through others."""
    found: set[str] = set()
    waiting = [package]
    while waiting:
        new = imported[waiting.pop()] - found
        found |= new
        waiting += new
    return found


if __name__ == "__main__":
    sys.exit(main())
