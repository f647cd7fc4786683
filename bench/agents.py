"""How fast an agent's context is built: `python -m bench.agents`, on a database of its own.

Each line is the time of `build_context` without the embedder, beside the least that the same work can cost: comparing every
vector and scoring every word of the question (the floor), and one transaction of one query. The agent's nodes come in by the
service that keeps all of them; their texts are sentences of bench/data, their vectors mixtures of those of `--embedded`
sentences. Packs come in by the import that takes in all packs.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count, cycle
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection

from bench.commands import command, make_parser, write_lines
from bench.packs import OPENER, make_nodes, read_sentences, write
from bench.scratch import scratch_site
from bench.students import NOW, enter_person
from bench.timing import Row, interleave, table, time_ms
from companion_site.accounts.access import Access
from companion_site.embeddings.service import get_embedder
from companion_site.vault.scope import space_scope
from memory.agents.agents import create_agent
from memory.agents.contexts import build_context
from memory.agents.nodes import upsert_memory
from memory.agents.question import ask
from memory.agents.search import measure_own
from memory.agents.workingset import agent_working_sets, working_set_of
from memory.models import NodeType
from memory.packs.importer import Audience, import_pack
from memory.packs.mounts import mount

ALONE, LARGE, LENT, PACKS, LINKS_EACH, ROUNDS = 1_000, 5_000, 100_000, 2, 5, 200
ALONE_BAR_MS, LENT_BAR_MS = 5.0, 50.0
EMBEDDED, QUESTIONS, BUDGET, CALL = 2_000, 50, 4_000, 200


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("agents", __doc__)
    parser.add_argument("--alone", type=int, default=ALONE, help="sealed nodes of an agent without packs")
    parser.add_argument("--nodes", type=int, default=LARGE, help="sealed nodes of the agent with packs")
    parser.add_argument("--lent", type=int, default=LENT, help="nodes of its packs together; 0: no packs")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args(arguments)
    with scratch_site(durable=True):
        write_lines(table(_measure(options)))


class StoredEmbedder:
    """The site's embedder, of which only what was embedded before is asked; any other text gets a mixture of that.

    So a measurement holds no embedding, and thousands of nodes do not take minutes.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        real = get_embedder()
        self.model, self.dimension, self.calibration = real.model, real.dimension, real.calibration
        self.base = real.embed(texts)
        self._known = dict(zip(texts, self.base, strict=True))
        self._rng = np.random.default_rng(5)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([self._vector(text) for text in texts], np.float32)

    def _vector(self, text: str) -> np.ndarray:
        if text not in self._known:
            first, second = self.base[self._rng.integers(len(self.base), size=2)]
            mixed = 0.7 * first + 0.3 * second
            self._known[text] = mixed / np.linalg.norm(mixed)
        return self._known[text]


def _measure(options: argparse.Namespace) -> Iterator[Row | str]:
    rng = np.random.default_rng(7)
    texts = read_sentences(Path(__file__).parent / "data")
    rng.shuffle(texts)
    asked, told = texts[:QUESTIONS], texts[QUESTIONS : QUESTIONS + EMBEDDED]
    embedder = StoredEmbedder([*asked, *told])
    alone = make_agent("alone", options.alone, told, embedder)
    large = make_agent("large", options.nodes, told, embedder)
    yield from _rows(f"{options.alone:,} nodes", alone, asked, embedder, options.rounds, bar=ALONE_BAR_MS)
    if options.lent:
        started = perf_counter()
        for number in range(PACKS):
            _lend(large, number, options.lent // PACKS, told, embedder, rng)
        yield f"  {options.lent:,} nodes and {options.lent * LINKS_EACH:,} links lent in {perf_counter() - started:.0f} s"
    name = f"{options.nodes:,} nodes" + (f", {options.lent:,} lent" if options.lent else "")
    yield from _rows(name, large, asked, embedder, options.rounds, bar=LENT_BAR_MS)


def make_agent(name: str, nodes: int, texts: Sequence[str], embedder: StoredEmbedder) -> Access:
    """Make an agent that remembers so many nodes, each linked to five others."""
    owner = enter_person(name, now=NOW, display_name=name)
    profile = {"identity": "You are an agent.", "domain_tags": ["bench"], "constraints": "Be brief."}
    access = create_agent(owner.key, owner=owner.person, name=name, profile=profile, now=NOW)
    wires = make_wires(nodes, texts)
    for start in range(0, nodes, CALL):
        at = NOW - timedelta(days=30) + timedelta(minutes=start)
        upsert_memory(access, wires[start : start + CALL], now=at, embedder=embedder)
    return access


def make_wires(number: int, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return nodes of all types with texts and links; the same number gives the same nodes."""
    rng = np.random.default_rng(number)
    types = NodeType.values
    first, second = rng.integers(len(texts), size=(2, number))
    paths = [f"bench.part{at % 97}.node{at}" for at in range(number)]
    weights = rng.uniform(0.2, 1.0, size=(number, LINKS_EACH)).round(2)
    ends = rng.integers(number, size=(number, LINKS_EACH))
    return [
        {
            "id": paths[at],
            "type": types[at % len(types)],
            "label": texts[first[at]][:80],
            "payload": {"definition": texts[first[at]], "details": texts[second[at]]},
            "links": [
                {"to": paths[end], "rel": "related", "w": float(weight)}
                for end, weight in zip(ends[at], weights[at], strict=True)
                if end != at
            ],
            "tags": ["bench"],
            "meta": {"source": f"s{at % 7}", "task": f"t{at % 50}"},
        }
        for at in range(number)
    ]


def _lend(
    access: Access,
    number: int,
    nodes: int,
    texts: Sequence[str],
    embedder: StoredEmbedder,
    rng: np.random.Generator,
) -> None:
    name, base = f"pack{number}", embedder.base[QUESTIONS:]
    # Paths of its own: the agent's own nodes would take the place of those of the same path.
    wires = make_nodes(nodes, texts, base, rng, under=f"{name}.bench")
    file = write(name, wires, dimension=embedder.dimension)
    pack = import_pack(file, audience=Audience(), **OPENER, now=NOW, embedder=embedder)
    mount(access.key, pack.space_id, person=access.person, now=NOW)


def _rows(
    name: str,
    access: Access,
    asked: Sequence[str],
    embedder: StoredEmbedder,
    rounds: int,
    *,
    bar: float,
) -> Iterator[Row]:
    questions = cycle(asked)
    minutes = count()

    def build(*, save: bool) -> Callable[[], object]:
        return lambda: _build(
            access, next(questions), NOW + timedelta(minutes=next(minutes)), embedder, save=save
        )

    def floor() -> None:
        question = ask(next(questions), embedder=embedder)
        with access.open() as space:
            cosine, words = measure_own(working_set_of(space, embedder=embedder), question)
        assert len(np.argsort(-(cosine + words))[:32])

    def cold() -> None:
        agent_working_sets.forget(access.space)
        build(save=False)()

    tries = [time_ms(cold) for _ in range(3)]
    times = interleave(
        {
            "floor": floor,
            "trip": lambda: _trip(access.space),
            "read": build(save=False),
            "kept": build(save=True),
        },
        rounds=rounds,
        warm_up=QUESTIONS,
    )
    beside = {
        part: float(np.median(times[key])) for part, key in (("the floor", "floor"), ("a round trip", "trip"))
    }
    yield from (
        Row(f"  every vector and word compared, {name}", times["floor"]),
        Row("  one transaction of one query alone", times["trip"]),
        Row(f"context built, {name}", times["read"], bar, beside),
        Row(f"context built and kept, {name}", times["kept"], None, beside),
        Row(f"context built from nothing (cold), {name}", tries),
    )


def _build(access: Access, query: str, now: datetime, embedder: StoredEmbedder, *, save: bool) -> None:
    task = {"id": "t1", "tags": ["bench"]}
    built = build_context(
        access, query=query, task=task, budget_tokens=BUDGET, now=now, save=save, embedder=embedder
    )
    assert built.nodes, "nothing lit up: this would measure nothing"


def _trip(space: UUID) -> None:
    with space_scope(space), connection.cursor() as cursor:
        cursor.execute("SELECT 1")


if __name__ == "__main__":
    sys.exit(main())
