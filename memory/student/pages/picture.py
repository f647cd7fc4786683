"""The graph as a picture: which memories are in it, where they stand, and what is known of each.

Places are kept beside the working set and gone with it, as at log-out.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID
from weakref import WeakKeyDictionary

import numpy as np
from django.db.models import Q

from companion_site.embeddings.service import get_embedder
from memory.algorithms.layout import LAYOUT, LayoutParams, lay_out
from memory.models import MemoryEdge
from memory.student.pages.filters import GraphFilter
from memory.student.pages.selectors import (
    HELD_NOW,
    Kind,
    Shown,
    Subject,
    fill_in,
    find_subjects,
    load_edges,
    load_shapes,
    open_words,
)
from memory.student.recall.ranking import present_gravity
from memory.student.workingset import WorkingSet, working_sets

#: So many memories can be told apart in one picture; of more, the heaviest are drawn.
MOST_DRAWN = 1_500
#: Radius of a memory of no gravity, and what full gravity adds.
LEAST_RADIUS, MORE_RADIUS = 3.5, 9.0
#: Few memories stand so far apart that together they fill about as much of the picture, in its units squared.
FILLED = 150_000.0
WIDEST_GAP = 45.0
#: A memory that was replaced stands beside what replaced it.
BOND = 1.0

Point = tuple[float, float]

#: Positions by memory, for each working set; they go when it does.
_kept: WeakKeyDictionary[WorkingSet, dict[UUID, Point]] = WeakKeyDictionary()
CATEGORY_OF = {str(kind): name for name, kinds in MemoryEdge.CATEGORIES.items() for kind in kinds}
#: what holds now, and what is history and still has its words
STILL_THERE = HELD_NOW | Q(content__isnull=False)
#: Room around the outermost memories, and the least width and height: a few memories are not blown up.
MARGIN, SMALLEST = 40.0, (720.0, 460.0)
#: Hubs of several memories that are drawn at the most; where there are fewer than so many, people and animals of one memory too.
MOST_HUBS, FEW_HUBS = 24, 8
HUB_RADIUS = 8.0
#: How strongly memories about the same are drawn together.
GATHERED = 0.8


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One memory in the picture; `seen` is False for what only the time slider brings up."""

    memory: Shown
    x: float
    y: float
    radius: float
    seen: bool


@dataclass(frozen=True, kw_only=True)
class Line:
    """One edge in the picture, by the places of its dots."""

    first: int
    second: int
    category: str
    weight: float


@dataclass(frozen=True, kw_only=True)
class Hub:
    """Somebody or something that memories in the picture are about, in the middle of them.

    Attributes:
        dots: the places of those memories' dots.
    """

    subject: Subject
    x: float
    y: float
    dots: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What is drawn, heaviest first, and how much more there is."""

    dots: Sequence[Dot]
    lines: Sequence[Line]
    #: what most of them is about first
    hubs: Sequence[Hub]
    #: what was asked for, without words, heaviest first; only the first of many are drawn
    matching: Sequence[Shown]
    total: int

    @property
    def drawn(self) -> int:
        return sum(dot.seen for dot in self.dots)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of what is drawn, with room around it."""
        points = np.array([(dot.x, dot.y) for dot in self.dots]).reshape(-1, 2)
        low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.zeros(2))
        sides = np.maximum(high - low + 2 * MARGIN, SMALLEST)
        left, top = (low + high - sides) / 2
        return round(left, 1), round(top, 1), round(sides[0], 1), round(sides[1], 1)


def radius(gravity: float | np.ndarray) -> np.ndarray:
    """Return how large a memory is drawn: its area, not its width, grows with gravity."""
    return LEAST_RADIUS + MORE_RADIUS * np.sqrt(np.asarray(gravity, np.float64))


def spaced(count: int) -> LayoutParams:
    """Return how a picture of so many memories is drawn: few have more room each, and edges may pull harder."""
    room = math.sqrt(FILLED / max(count, 1)) / 2 - LEAST_RADIUS - MORE_RADIUS / 2
    if room <= LAYOUT.gap:
        return LAYOUT
    return replace(LAYOUT, gap=min(room, WIDEST_GAP), pull=0.3, reach=1.4)


def place_memories(
    working_set: WorkingSet,
    drawn: Mapping[UUID, float],
    *,
    links: Sequence[tuple[UUID, UUID, float]],
    now_gravity: np.ndarray,
) -> dict[UUID, Point]:
    """Return where to draw each memory of `drawn`, a gravity by id.

    The heaviest that hold now make the picture, whatever is asked for; the rest finds its place in it.

    Args:
        links: edges, and what replaced what, with a weight from 0 to 1.
        now_gravity: (n,) by row of the working set.
    """
    with working_set.lock:
        places = _kept.setdefault(working_set, {})
        alive = np.flatnonzero(working_set.corpus.alive)
        heaviest = alive[np.argsort(-now_gravity[alive], kind="stable")][:MOST_DRAWN]
        base = {working_set.nodes[row].id: float(now_gravity[row]) for row in heaviest.tolist()}
        _place(working_set, places, base, links)
        _place(working_set, places, drawn, links)
        return {node: places[node] for node in drawn}


def _place(
    working_set: WorkingSet,
    places: dict[UUID, Point],
    gravity: Mapping[UUID, float],
    links: Sequence[tuple[UUID, UUID, float]],
) -> None:
    """Give every memory of `gravity` a place, if one of them has none yet."""
    if gravity.keys() <= places.keys():
        return
    nodes = list(gravity)
    row_of = {node: row for row, node in enumerate(nodes)}
    inside = [
        (row_of[a], row_of[b], weight) for a, b, weight in links if a in row_of and b in row_of and a != b
    ]
    nowhere = (np.nan, np.nan)
    points = lay_out(
        _vectors(working_set, nodes),
        edges=np.array([(a, b) for a, b, _ in inside], np.int64).reshape(-1, 2),
        weights=np.array([weight for *_, weight in inside], np.float64),
        radii=radius(np.array(list(gravity.values()))),
        earlier=np.array([places.get(node, nowhere) for node in nodes]),
        params=spaced(len(nodes)),
    )
    places |= {node: (x, y) for node, (x, y) in zip(nodes, points.tolist(), strict=True)}


def _vectors(working_set: WorkingSet, nodes: Sequence[UUID]) -> np.ndarray:
    """Return (n, d) the vectors at hand, and zeros for memories of which there is none."""
    rows = [working_set.row_of.get(node, -1) for node in nodes]
    at = np.array(rows, np.int64)
    found = np.zeros((len(nodes), working_set.dimension))
    found[at >= 0] = working_set.corpus.vectors[at[at >= 0]]
    return found


def current_set(space: UUID) -> WorkingSet:
    """Return the unlocked space's memory as arrays, as this process holds it."""
    embedder = get_embedder()
    return working_sets.get(space, model=embedder.model, dimension=embedder.dimension)


def draw_picture(space: UUID, asked: GraphFilter, *, now: datetime) -> Picture:
    """Return the picture that a filter asks for; of many memories the heaviest.

    What is not asked for only because of its time is drawn too, unseen, as far as there is room: the time slider shows it.
    """
    working_set = current_set(space)
    texts = {node.id: node.text for node in working_set.nodes if node.alive and node.text is not None}
    shapes = load_shapes(space, STILL_THERE, now=now)
    of_kind = [shape for shape in shapes if is_of_kind(shape, asked)]
    if asked.search:
        words = {**open_words(space, [shape.id for shape in of_kind if shape.id not in texts]), **texts}
        of_kind = [shape for shape in of_kind if has_words(words.get(shape.id), asked.search)]
    matching = sorted((shape for shape in of_kind if is_held(shape, asked)), key=lambda shape: -shape.gravity)
    seen = matching[:MOST_DRAWN]
    unseen = [shape for shape in of_kind if not is_held(shape, asked)][: MOST_DRAWN - len(seen)]
    links = load_edges(space)
    chosen = fill_in(space, [*seen, *unseen], texts=texts)
    about = _rows_by_subject(working_set, [memory.id for memory in chosen])
    dots = _dots(working_set, chosen, len(seen), links, about, now)
    return Picture(
        dots=dots,
        hubs=_hubs(dots, about),
        lines=_lines({memory.id: row for row, memory in enumerate(chosen)}, links),
        matching=matching,
        total=len(texts),
    )


def is_of_kind(memory: Shown, asked: GraphFilter) -> bool:
    pairs = (
        (asked.modality, memory.modality), (asked.tier, memory.tier), (asked.category, memory.category),
    )  # fmt: skip
    return all(wanted in ("", given) for wanted, given in pairs)


def is_held(memory: Shown, asked: GraphFilter) -> bool:
    """Return whether a memory was held then: formed by that time, and neither replaced nor removed before it."""
    if asked.as_of is not None and memory.formed_at > asked.as_of:
        return False
    ended = memory.ended_at
    return asked.history or ended is None or (asked.as_of is not None and ended > asked.as_of)


def has_words(text: str | None, search: str) -> bool:
    """Return whether every word looked for is in the text, wherever in a word it stands."""
    found = (text or "").casefold()
    return all(word in found for word in search.casefold().split())


def find_by_words(space: UUID, search: str, *, most: int, now: datetime) -> list[tuple[UUID, str]]:
    """Return the memories that hold now and have every word looked for, the heaviest first, with their words."""
    working_set = current_set(space)
    texts = {node.id: node.text for node in working_set.nodes if node.alive and node.text is not None}
    found = {node: text for node, text in texts.items() if has_words(text, search)}
    shapes = [shape for shape in load_shapes(space, HELD_NOW, now=now) if shape.id in found]
    return [(shape.id, found[shape.id]) for shape in sorted(shapes, key=lambda shape: -shape.gravity)[:most]]


def _dots(
    working_set: WorkingSet,
    chosen: Sequence[Shown],
    seen: int,
    links: Sequence[tuple[UUID, UUID, str, float]],
    about: Mapping[Subject, Sequence[int]],
    now: datetime,
) -> list[Dot]:
    drawn = {memory.id: memory.gravity for memory in chosen}
    pulls = [(source, target, weight) for source, target, _, weight in links]
    points = place_memories(
        working_set,
        drawn,
        links=[*pulls, *_bonds(chosen), *_gathered(chosen, about)],
        now_gravity=present_gravity(working_set, now=now),
    )
    radii = radius(np.array(list(drawn.values()))).tolist()
    return [
        Dot(memory=memory, x=points[memory.id][0], y=points[memory.id][1], radius=size, seen=row < seen)
        for row, (memory, size) in enumerate(zip(chosen, radii, strict=True))
    ]


def _bonds(chosen: Sequence[Shown]) -> list[tuple[UUID, UUID, float]]:
    return [(memory.id, newer, BOND) for memory in chosen for newer in memory.became]


def _rows_by_subject(working_set: WorkingSet, nodes: Sequence[UUID]) -> dict[Subject, list[int]]:
    """Return which of the memories drawn are about each subject; the subject of most of them first."""
    with working_set.lock:
        subjects = find_subjects(working_set)
    rows: dict[Subject, list[int]] = defaultdict(list)
    for row, node in enumerate(nodes):
        for subject in subjects.get(node, ()):
            rows[subject].append(row)
    return dict(sorted(rows.items(), key=lambda one: (-len(one[1]), one[0].key)))


def _gathered(
    chosen: Sequence[Shown], about: Mapping[Subject, Sequence[int]]
) -> list[tuple[UUID, UUID, float]]:
    """Return what draws memories about the same to the heaviest of them."""
    return [(chosen[row].id, chosen[rows[0]].id, GATHERED) for rows in about.values() for row in rows[1:]]


def _hubs(dots: Sequence[Dot], about: Mapping[Subject, Sequence[int]]) -> list[Hub]:
    """Return the hubs that are drawn: those of several memories, and where these are few, of one."""
    several = [one for one, rows in about.items() if len(rows) > 1][:MOST_HUBS]
    single = [one for one, rows in about.items() if len(rows) == 1 and one.kind in (Kind.PERSON, Kind.ANIMAL)]
    taken = [(dot.x, dot.y, dot.radius) for dot in dots]
    hubs = []
    for subject in [*several, *single[: max(FEW_HUBS - len(several), 0)]]:
        rows = about[subject]
        middle = np.mean([(dots[row].x, dots[row].y) for row in rows], axis=0)
        x, y = _free_place(middle, taken)
        taken.append((x, y, HUB_RADIUS))
        hubs.append(Hub(subject=subject, x=x, y=y, dots=rows))
    return hubs


def _free_place(middle: np.ndarray, taken: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Return the nearest place to the middle where a hub covers nothing; the middle itself where there is none near."""
    circles = np.array(taken).reshape(-1, 3)
    for away in (0.0, 18.0, 30.0, 44.0, 60.0):
        for angle in np.linspace(-np.pi / 2, 1.5 * np.pi, 12, endpoint=False):
            x, y = middle + away * np.array([np.cos(angle), np.sin(angle)])
            apart = np.hypot(circles[:, 0] - x, circles[:, 1] - y) - circles[:, 2]
            if not len(circles) or float(apart.min()) >= HUB_RADIUS + 3.0:
                return float(x), float(y)
    return float(middle[0]), float(middle[1])


def _lines(row_of: Mapping[UUID, int], links: Sequence[tuple[UUID, UUID, str, float]]) -> list[Line]:
    return [
        Line(first=row_of[source], second=row_of[target], category=CATEGORY_OF[kind], weight=weight)
        for source, target, kind, weight in links
        if source in row_of and target in row_of
    ]
