"""Which of our modules a message passes: `python -m bench.way [--json]`, on a database of its own.

Three ways are walked through the site's own services (bench/walks.py): from a said message to a memory, from a said message to a
company's fact, and from an agent's question to its context. Each is walked twice and only the second time counts: by then all is loaded.

A **package** is one of the second level, such as "memory.student". A **way** is the sequence of packages that calls enter: a call enters
one where caller and called function stand in different packages. To come back from a call is no entry. The caller is the nearest running
function of ours, whoever stands between (Django, a library). An **arrow** is a pair of packages of which the first calls the second,
counted once.

**Layers**: each package stands above all that it imports, and as low as that allows; packages that import one another in a circle share a
layer. A **climb** is a call into a package of a higher layer, counted once for each pair of modules: a callback, a hook, a registry, which
nobody finds by following the caller's imports. A **return** is an arrow into a package that had been entered from elsewhere before.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache

from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.structure import arrows_of, files_of, wing
from companion_site.running import PROJECT

#: The name of one that calls and of one that is called: modules or packages.
Pair = tuple[str, str]
#: Who calls, where none of ours does.
OUTSIDE = ""


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
        # Only now: models need the settings, and those the database.
        from bench.walks import WALKS

        layers = find_layers((one, other) for one, other, _ in arrows_of(files_of(PROJECT)))
        ways = {name: follow(walk(), layers) for name, walk in WALKS.items()}
    if options.json:
        print(json.dumps({name: {"count": way.count(), **asdict(way)} for name, way in ways.items()}))
    else:
        write_lines(line for name, way in ways.items() for line in render(name, way))


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
