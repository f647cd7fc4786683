"""The page of the graph: the picture as SVG and as data for the page's scripts, its list, and the addresses that scripts build links from.

The SVG is put together from strings: a template takes ten times as long over a thousand memories. Every word is escaped here.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Any
from uuid import UUID

import numpy as np
from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from memory.models import MemoryEdge, MemoryNode
from memory.student.pages.filters import GraphFilterForm
from memory.student.pages.navigation import address_patterns
from memory.student.pages.picture import HUB_RADIUS, Dot, Hub, Picture, draw_picture
from memory.student.pages.selectors import fill_in

#: Each kind has a shape of its own, so that colour is never the only sign; drawn around 0 with about the area of a
#: circle of radius 1.
SHAPES = {
    MemoryNode.Modality.EPISODIC: "M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z",
    MemoryNode.Modality.SEMANTIC: "M-.88-.88H.88V.88H-.88Z",
    MemoryNode.Modality.PROCEDURAL: "M0-1.25 1.2.85H-1.2Z",
    MemoryNode.Modality.EMOTIONAL: "M0-1.25 1.25 0 0 1.25-1.25 0Z",
    MemoryNode.Modality.SENSORY: "M-.55-.95H.55L1.1 0 .55.95H-.55L-1.1 0Z",
}
#: Around the shape of a long-term memory lies a ring, so many times as wide as the shape.
RING_RADIUS = 1.75
RING = f"M{RING_RADIUS} 0A{RING_RADIUS} {RING_RADIUS} 0 1 1-{RING_RADIUS} 0A{RING_RADIUS} {RING_RADIUS} 0 1 1 {RING_RADIUS} 0Z"
#: From this weight on an edge leads recall on, and is drawn firm.
FIRM = 0.5
#: The heaviest memories bear their first words, as far as they do not cover each other.
LABELS, LABEL_CHARS, LABEL_CHAR_WIDTH, LABEL_HEIGHT = 14, 26, 6.4, 18.0
LIST_LENGTH = 50
CATEGORY_LABELS = {
    "temporal": gettext_lazy("one after the other"),
    "semantic": gettext_lazy("about the same"),
    "emotional": gettext_lazy("feels alike"),
    "entity": gettext_lazy("same person or place"),
}


def draw_svg(picture: Picture, *, described_by: str) -> SafeString:
    """Return the picture as one SVG element; `described_by` are the ids of what says it in words."""
    box = " ".join(f"{value:g}" for value in picture.box)
    body = f"{_shapes()}{_lines(picture)}{_dots(picture.dots)}{_hubs(picture)}{_labels(picture)}"
    return mark_safe(  # noqa: S308 (numbers, our own names, and words that were escaped)
        f'<svg class="graph__svg" viewBox="{box}" role="img" aria-labelledby="{described_by}" data-svg>{body}</svg>'
    )


def describe(picture: Picture) -> dict[str, Any]:
    """Return what the page's scripts need: numbers of each dot and line, and what a dot says when it is looked at."""
    return {
        "box": picture.box,
        "dots": [_describe_dot(dot) for dot in picture.dots],
        "lines": [
            [line.first, line.second, line.category, int(line.weight >= FIRM)] for line in picture.lines
        ],
    }


def _describe_dot(dot: Dot) -> dict[str, Any]:
    memory = dot.memory
    origin = memory.origins[0] if memory.origins else None
    return {
        "id": str(memory.id),
        "x": round(dot.x, 1),
        "y": round(dot.y, 1),
        "r": round(dot.radius, 1),
        "modality": memory.modality,
        "tier": memory.tier,
        "category": memory.category,
        "gravity": round(memory.gravity, 2),
        "confidence": round(memory.confidence, 2),
        "formed": _millis(memory.formed_at),
        "said": _millis(memory.said_at),
        "ended": _millis(memory.ended_at),
        "text": memory.text or "",
        "kind": origin.kind if origin else "",
        "conversation": str(origin.conversation_id) if origin and origin.conversation_id else "",
        "message": str(origin.source_id) if origin else "",
        "sources": len(memory.origins),
        "replaces": [str(node) for node in memory.replaces],
    }


def _millis(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * 1000)


def _shapes() -> str:
    shapes = "".join(f'<path id="shape-{kind}" d="{path}"/>' for kind, path in SHAPES.items())
    return f'<defs>{shapes}<path id="ring" d="{RING}"/></defs>'


def _lines(picture: Picture) -> str:
    """Return one path for each category and firmness: a thousand lines as a handful of elements."""
    ways: dict[tuple[str, int], list[str]] = defaultdict(list)
    for line in picture.lines:
        first, second = picture.dots[line.first], picture.dots[line.second]
        if first.seen and second.seen:
            way = f"M{first.x:.1f} {first.y:.1f}L{second.x:.1f} {second.y:.1f}"
            ways[line.category, int(line.weight >= FIRM)].append(way)
    paths = [
        f'<path class="line line--{category} line--{"firm" if firm else "fine"}" '
        f'data-line="{category}-{firm}" d="{"".join(ways[category, firm])}"/>'
        for category in MemoryEdge.CATEGORIES
        for firm in (0, 1)
    ]
    return f'<g class="graph__lines">{"".join(paths)}</g>'


def _dots(dots: Sequence[Dot]) -> str:
    days: dict[Any, str] = {}
    return f'<g class="graph__dots">{"".join(_dot(dot, row, days) for row, dot in enumerate(dots))}</g>'


def _dot(dot: Dot, row: int, days: dict[Any, str]) -> str:
    memory = dot.memory
    day = timezone.localtime(memory.said_at).date()
    if day not in days:
        days[day] = date_format(day, "j F Y")
    past = " dot--past" if memory.ended_at else ""
    ring = '<use class="dot__ring" href="#ring"/>' if memory.is_long_term else ""
    tier = f", {escape(str(memory.tier.label))}" if memory.is_long_term else ""
    hidden = "" if dot.seen else " hidden"
    return (
        f'<g class="dot dot--{memory.modality}{past}" data-row="{row}"{hidden} '
        f'transform="translate({dot.x:.1f} {dot.y:.1f}) scale({dot.radius:.1f})">'
        f"<title>{escape(memory.text or '')} ({days[day]}{tier})</title>"
        f'{ring}<use href="#shape-{memory.modality}"/></g>'
    )


def _hubs(picture: Picture) -> str:
    """Return who and what memories are about, each joined with those that are; the page's scripts hide it with them."""
    return f'<g class="graph__hubs" aria-hidden="true">{"".join(_hub(hub, picture.dots) for hub in picture.hubs)}</g>'


def _hub(hub: Hub, dots: Sequence[Dot]) -> str:
    ways = "".join(
        f"M{hub.x:.1f} {hub.y:.1f}L{dots[row].x:.1f} {dots[row].y:.1f}" for row in hub.dots if dots[row].seen
    )
    rows = ",".join(map(str, hub.dots))
    hidden = "" if ways else " hidden"
    return (
        f'<g class="node node--{hub.subject.kind}" data-hub="{rows}" data-x="{hub.x:.1f}" data-y="{hub.y:.1f}"{hidden}>'
        f'<path class="node__lines" d="{ways}"/><circle cx="{hub.x:.1f}" cy="{hub.y:.1f}" r="{HUB_RADIUS:g}"/>'
        f'<text class="node__name" x="{hub.x:.1f}" y="{hub.y - HUB_RADIUS - 4:.1f}">'
        f"{escape(Truncator(hub.subject.name).chars(LABEL_CHARS))}</text></g>"
    )


def _labels(picture: Picture) -> str:
    """Return the first words of the heaviest memories, left out where they would cover another's or a dot."""
    seen = [dot for dot in picture.dots if dot.seen]
    reaches = [_reach(dot) for dot in seen]
    sides = [(dot.x - far, dot.x + far, dot.y, far) for dot, far in zip(seen, reaches, strict=True)]
    sides += [_name_of(hub) for hub in picture.hubs]
    taken = np.array(sides).reshape(-1, 4)
    right = picture.box[0] + picture.box[2]
    texts: list[str] = []
    for row, dot in enumerate(seen[: 3 * LABELS]):
        words = Truncator(dot.memory.text or "").chars(LABEL_CHARS)
        width, away = LABEL_CHAR_WIDTH * len(words), reaches[row] + 5
        flipped = dot.x + away + width > right
        start = dot.x - away - width if flipped else dot.x + away
        if len(texts) == LABELS or not words or _covers(taken, start, width, dot.y):
            continue
        taken = np.vstack([taken, (start, start + width, dot.y, LABEL_HEIGHT / 2)])
        end, at = (' text-anchor="end"', start + width) if flipped else ("", start)
        texts.append(
            f'<text class="label" data-label="{row}" x="{at:.1f}" y="{dot.y + 4:.1f}"{end}>{escape(words)}</text>'
        )
    return f'<g class="graph__labels" aria-hidden="true">{"".join(texts)}</g>'


def _name_of(hub: Hub) -> tuple[float, float, float, float]:
    """Return the room that a hub with its name takes: left, right, middle, half height."""
    half = max(LABEL_CHAR_WIDTH * 1.15 * min(len(hub.subject.name), LABEL_CHARS) / 2, HUB_RADIUS)
    return hub.x - half, hub.x + half, hub.y - HUB_RADIUS, LABEL_HEIGHT


def _reach(dot: Dot) -> float:
    """Return how far from its middle a dot is drawn, with its ring."""
    return dot.radius * (RING_RADIUS if dot.memory.is_long_term else 1.0)


def _covers(taken: np.ndarray, start: float, width: float, y: float) -> bool:
    """Return whether a line of text would lie over something: rows of `taken` are left, right, middle, half height."""
    beside = (taken[:, 1] <= start) | (taken[:, 0] >= start + width)
    apart = np.abs(taken[:, 2] - y) >= taken[:, 3] + LABEL_HEIGHT / 2
    return not bool(np.all(beside | apart))


def present_graph(space: UUID, given: QueryDict, *, now: datetime) -> dict[str, Any]:
    """Return what the page shows for the address's words; `form` has errors where they make no sense."""
    form = GraphFilterForm(given if any(name in given for name in GraphFilterForm.base_fields) else None)
    picture = draw_picture(space, form.asked(), now=now)
    page = Paginator(picture.matching, LIST_LENGTH).get_page(given.get("page"))
    return {
        "form": form,
        "empty": not (form.is_bound or picture.total or picture.matching),
        "picture": picture,
        "svg": draw_svg(picture, described_by="graph-title graph-summary"),
        "described": describe(picture),
        "labels": spoken_labels(),
        "legend": legend(),
        "addresses": address_patterns(),
        "page": page,
        "memories": fill_in(space, list(page.object_list)),
    }


def spoken_labels() -> dict[str, Any]:
    """Return the words that the page's scripts put together."""
    return {
        "modality": {str(kind): str(kind.label) for kind in MemoryNode.Modality},
        "tier": {str(tier): str(tier.label) for tier in MemoryNode.Tier},
        "category": {str(part): str(part.label) for part in MemoryNode.Category if part},
        "gravity": [pgettext("memory", "faint"), pgettext("memory", "clear"), pgettext("memory", "strong")],
        "now": _("%(word)s now"),
        "nothing": _("No memory fits."),
    }


def legend() -> dict[str, Any]:
    return {
        "modalities": [
            {"value": str(kind), "label": kind.label, "path": SHAPES[kind]} for kind in MemoryNode.Modality
        ],
        "shape": SHAPES[MemoryNode.Modality.EPISODIC],
        "ring": RING,
        "categories": [{"value": name, "label": CATEGORY_LABELS[name]} for name in MemoryEdge.CATEGORIES],
    }
