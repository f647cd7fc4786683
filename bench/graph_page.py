"""How fast the page of the graph is: `python -m bench.graph_page`, on a database of its own.

Layout, drawing, the whole page and the list by subject, each beside what the same site takes for a page without a picture.
"""

import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from django.test import Client

from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.students import NOW, PASSWORD, Space, make_space
from bench.timing import Row, interleave, table, time_ms
from companion_site.vault import unlocked
from memory.algorithms.layout import lay_out
from memory.student.pages.filters import GraphFilter
from memory.student.pages.graph_page import describe, draw_svg
from memory.student.pages.picture import MOST_DRAWN, draw_picture

SIZES = (1_000, 10_000)
BAR_MS = 300.0
PLAIN, LIST, PICTURE = "/memory/about/", "/memory/", "/memory/?view=picture"


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("graph_page", __doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    options = parser.parse_args(arguments)
    with scratch_site(durable=True):
        rows = (row for size in options.sizes for row in measure_graph_page(size, rounds=options.rounds))
        write_lines(table(rows))


def measure_graph_page(nodes: int, *, rounds: int) -> Iterator[Row]:
    """Yield the lines of the table for a memory of so many nodes."""
    space = make_space(nodes, username=f"graph-{nodes}")
    size = f"{nodes:,} memories"
    for name, times in _measure_layout(space, rounds=max(3, rounds // 4)).items():
        yield Row(f"{name}, {size}", times)
    visit = _visitor(space)
    first = time_ms(lambda: visit(PICTURE))
    yield Row(f"first page after log-in, {size}", [first])
    works: dict[str, Callable[[], object]] = {
        "plain": lambda: visit(PLAIN),
        "drawing": lambda: _draw(space),
        "page": lambda: visit(PICTURE),
        "list": lambda: visit(LIST),
        "search": lambda: visit(f"{PICTURE}&q=the"),
    }
    times = interleave(works, rounds=rounds)
    plain = float(np.median(times["plain"]))
    beside = {"a plain page": plain, "drawing": float(np.median(times["drawing"]))}
    bar = BAR_MS if nodes <= SIZES[0] else None
    yield Row("  a page of the same site without a picture", times["plain"])
    yield Row("  reading and drawing alone", times["drawing"])
    yield Row(f"the graph's page, warm, {size}", times["page"], bar, beside)
    yield Row(f"the same as a list by subject, {size}", times["list"], bar, beside)
    yield Row(f"the graph's page, searched, {size}", times["search"], bar, beside)


def _measure_layout(space: Space, *, rounds: int) -> dict[str, list[float]]:
    """Return how long the places of all that is drawn take: from nothing, and when one memory came."""
    drawn = space.load()
    vectors = drawn.corpus.vectors[:MOST_DRAWN]
    count = len(vectors)
    edges = np.array([pair for pair in drawn.edges if max(pair) < count], np.int64).reshape(-1, 2)
    given = {"edges": edges, "weights": np.full(len(edges), 0.6), "radii": np.full(count, 8.0)}
    there = lay_out(vectors, **given)
    one_new = there.copy()
    one_new[-1] = np.nan
    return {
        "layout from nothing": [time_ms(lambda: lay_out(vectors, **given)) for _ in range(rounds)],
        "layout when one came": [
            time_ms(lambda: lay_out(vectors, **given, earlier=one_new)) for _ in range(rounds)
        ],
    }


def _draw(space: Space) -> None:
    with unlocked(space.access.space, space.access.key):
        picture = draw_picture(space.access.space, GraphFilter(), now=NOW)
        draw_svg(picture, described_by="x")
        describe(picture)


def _visitor(space: Space) -> Callable[[str], None]:
    """Return what asks for a page as the student's browser does, and checks that it came."""
    client = Client(SERVER_NAME="localhost")
    client.post("/login/", {"username": space.access.person.username, "password": PASSWORD})

    def visit(address: str) -> None:
        answer = client.get(address)
        assert answer.status_code == 200, answer.status_code

    return visit


if __name__ == "__main__":
    sys.exit(main())
