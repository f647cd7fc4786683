"""The map as a drawing: what a student knows by name, everything else as fog.

The fog is one shape: no element of the page stands for a single unknown concept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from textwrap import shorten, wrap
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from overlay.algorithms.layout import lay_out
from overlay.forms import ATTITUDES, FAMILIARITIES, attitude_step, familiarity_step
from overlay.models import Concept
from overlay.params import PARAMS
from overlay.selectors import Known
from overlay.worlds import World

#: Size of a cell of the layout, and the edge around all, in pixels.
CELL_WIDTH, CELL_HEIGHT, MARGIN = 136, 112, 70
#: A concept that was just met, one that could be explained, and a patch of fog.
SMALLEST, LARGEST, FOG = 12, 26, 52
LABEL_CHARS = 18
LABEL_LINES = 2
LINE_HEIGHT = 16


@dataclass(frozen=True)
class Plate:
    """One known concept, as the map and the list show it."""

    id: UUID
    name: str
    kind: str
    attitude: str
    familiarity: str
    #: 0 to 4, for the colour
    mood: int
    x: int = 0
    y: int = 0
    radius: int = 0
    #: the name in lines that fit, each with its height
    label: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Picture:
    """The whole drawing: sizes in pixels, shapes as SVG paths."""

    width: int = 0
    height: int = 0
    plates: tuple[Plate, ...] = ()
    fog: str = ""
    #: edges the student has discovered, others between known concepts, and those that lead into the fog
    discovered: str = ""
    undiscovered: str = ""
    into_fog: str = ""
    #: whether there is more of the world than is drawn
    is_part: bool = False


def draw_picture(world: World, known: Mapping[UUID, Known], known_edges: frozenset[str]) -> Picture:
    """Return the map of what a student knows; of a large world only what lies around it."""
    nodes = choose_nodes(world, known)
    places = _to_pixels(_positions(world, nodes))
    place_of = {world.concepts[node].id: place for node, place in zip(nodes, places, strict=True)}
    fog = [place for concept, place in place_of.items() if concept not in known]
    lines: dict[str, list[tuple[int, ...]]] = {"discovered": [], "undiscovered": [], "into_fog": []}
    for edge in world.edges:
        source, target = edge.ends
        ends = [end for end in edge.ends if end in known]
        if ends and source in place_of and target in place_of:
            between = "discovered" if edge.key in known_edges else "undiscovered"
            lines["into_fog" if len(ends) == 1 else between].append((*place_of[source], *place_of[target]))
    width, height = (max((place[axis] for place in places), default=0) + MARGIN for axis in (0, 1))
    return Picture(
        width=width,
        height=height,
        plates=tuple(
            make_plate(known[id], world.concepts[world.number[id]], place)
            for id, place in sorted(place_of.items(), key=lambda item: item[1][::-1])
            if id in known
        ),
        fog=_fog_path(fog),
        is_part=len(nodes) < len(world.concepts),
        **{name: _lines_path(found) for name, found in lines.items()},
    )


def choose_nodes(world: World, known: Mapping[UUID, Known]) -> NDArray[np.int64]:
    """Return the nodes that are drawn: the whole world, or as much of what is known and next to it as there is room."""
    if len(world.concepts) <= PARAMS.map_concepts:
        return np.arange(len(world.concepts))
    familiar = sorted(
        (item for item in known.values() if item.concept in world.number),
        key=lambda item: (-item.familiarity, item.id),
    )
    inside = [world.number[item.concept] for item in familiar[: PARAMS.map_concepts]]
    is_inside = np.zeros(len(world.concepts), dtype=bool)
    is_inside[inside] = True
    touching = world.ends[is_inside[world.ends].any(axis=1)]
    around = np.setdiff1d(touching.ravel(), inside)[: PARAMS.map_concepts - len(inside)]
    return np.union1d(np.array(inside, dtype=np.int64), around)


def make_plate(known: Known, concept: Concept, place: tuple[int, int] | None = None) -> Plate:
    """Return how one known concept is shown, on the map or, without a place, in the list."""
    step = attitude_step(known.attitude)
    words = (ATTITUDES[step][1], FAMILIARITIES[familiarity_step(known.familiarity)][1])
    attitude, familiarity = map(str, words)
    plate = Plate(known.id, concept.name, concept.kind, attitude, familiarity, step)
    if place is None:
        return plate
    x, y = place
    radius = round(SMALLEST + (LARGEST - SMALLEST) * known.familiarity)
    lines = enumerate(label_lines(concept.name), start=1)
    label = tuple((y + radius + LINE_HEIGHT * line, text) for line, text in lines)
    return replace(plate, x=x, y=y, radius=radius, label=label)


def label_lines(name: str) -> list[str]:
    """Return a name in at most two lines that fit its cell."""
    if len(name) <= LABEL_CHARS:
        return [name]
    whole = shorten(name, LABEL_CHARS * LABEL_LINES, placeholder="…") or name[: LABEL_CHARS - 1] + "…"
    lines = wrap(whole, LABEL_CHARS)
    if len(lines) > LABEL_LINES:
        lines = [lines[0], lines[1][: LABEL_CHARS - 1] + "…"]
    return lines


def _positions(world: World, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return (k, 2) float64: where the nodes stand, closed up where they are a part of the world only."""
    if len(nodes) == len(world.concepts):
        return world.positions
    numbers = np.full(len(world.concepts), -1, dtype=np.int64)
    numbers[nodes] = np.arange(len(nodes))
    ends = numbers[world.ends]
    ends = ends[(ends >= 0).all(axis=1)]
    return lay_out(world.depths[nodes], ends[:, 0], ends[:, 1])


def _to_pixels(positions: NDArray[np.float64]) -> list[tuple[int, int]]:
    if not len(positions):
        return []
    cells = (positions - positions.min(axis=0)) * (CELL_WIDTH, CELL_HEIGHT) + MARGIN
    return [(int(x), int(y)) for x, y in np.round(cells)]


def _fog_path(places: Iterable[tuple[int, int]]) -> str:
    """Return the fog as one shape, in the order of the page."""
    circle = f"a{FOG} {FOG} 0 1 0 {2 * FOG} 0a{FOG} {FOG} 0 1 0 {-2 * FOG} 0"
    return "".join(f"M{x - FOG} {y}{circle}" for x, y in sorted(places, key=lambda place: place[::-1]))


def _lines_path(lines: Iterable[tuple[int, ...]]) -> str:
    return "".join(f"M{x1} {y1}L{x2} {y2}" for x1, y1, x2, y2 in sorted(lines))
