"""How fast a knowledge pack is taken in and searched: `python -m bench.packs`, on a database of its own.

The nodes' texts are drawn from sentences of bench/data. Of `--embedded` sentences the vectors are the embedder's own; every
node's vector is a mixture of two of them, so that the cloud keeps its shape without an hour of embedding. What the index
finds is judged by an exact scan of the same vectors; a small pack stands beside the large one.
"""

import io
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.students import NOW
from bench.timing import percentiles
from companion_site.embeddings.service import get_embedder
from companion_site.vault.scope import space_scope
from memory.packs import nearest
from memory.packs.contents import load_nodes
from memory.packs.format import write_pack
from memory.packs.importer import Audience, import_pack
from memory.packs.manifest import describe
from memory.packs.search import search_packs

NODES, LINKS_EACH, SMALL, QUERIES, K = 50_000, 5, 300, 200, 10
OPENER = {"passphrase": "a stitch in time"}
TYPES = ("concept", "skill", "fact", "snippet", "pattern")


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("packs", __doc__)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--embedded", type=int, default=3_000, help="sentences embedded")
    parser.add_argument("--queries", type=int, default=QUERIES)
    options = parser.parse_args(arguments)
    with scratch_site(durable=True):
        write_lines(measure(options.nodes, embedded=options.embedded, queries=options.queries))


def measure(nodes: int, *, embedded: int, queries: int) -> Iterator[str]:
    """Yield the lines of the report."""
    rng = np.random.default_rng(7)
    texts = read_sentences(Path(__file__).parent / "data")
    rng.shuffle(texts)
    asked, told = texts[:queries], texts[queries : queries + embedded]
    embedder = get_embedder()
    questions, base = embedder.embed(asked), embedder.embed(told)
    large, seconds = _take_in("large", nodes, told, base, rng)
    yield f"{nodes:,} nodes and {nodes * LINKS_EACH:,} links: {seconds}"
    small, seconds = _take_in("small", SMALL, told, base, rng)
    yield f"{SMALL:,} nodes beside them: {seconds}"
    yield from _compare("large", large, asked, questions)
    yield from _compare("small", small, asked, questions)


def read_sentences(folder: Path) -> list[str]:
    """Return every text of 20 to 400 characters in the JSON files of a folder, each once, in order."""
    found: dict[str, None] = {}
    for path in sorted(folder.glob("*.json")):
        _collect(json.loads(path.read_text()), found)
    return list(found)


def make_nodes(
    number: int, texts: Sequence[str], base: np.ndarray, rng: np.random.Generator, *, under: str = "bench"
) -> list[dict[str, Any]]:
    """Return wire nodes with texts, links and vectors; the same generator gives the same nodes."""
    model = get_embedder().model
    first, second = rng.integers(len(texts), size=(2, number))
    share = rng.uniform(0.5, 1.0, size=(number, 1))
    vectors = share * base[first] + (1 - share) * base[second]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [
        {
            "id": f"{under}.part{place % 97}.node{place}",
            "type": TYPES[place % len(TYPES)],
            "label": texts[first[place]][:80],
            "payload": {"definition": texts[first[place]], "details": texts[second[place]]},
            "links": [
                {"to": f"{under}.part{to % 97}.node{to}", "rel": "related", "w": round(0.2 + 0.1 * rank, 2)}
                for rank, to in enumerate(
                    (place + 1 + step * step * 7) % number for step in range(LINKS_EACH)
                )
                if to != place
            ],
            "embeddings": {"model": model, "vector": vectors[place]},
        }
        for place in range(number)
    ]


def write(name: str, nodes: Sequence[dict[str, Any]], *, dimension: int) -> io.BytesIO:
    """Return a signed and sealed pack."""
    file = io.BytesIO()
    about = describe(
        id=name,
        name=name,
        version="1",
        now=NOW,
        embedding_model=get_embedder().model,
        dimension=dimension,
        language="en",
        domain_tags=["bench"],
    )
    write_pack(file, about, nodes, **OPENER, signer=Ed25519PrivateKey.generate())
    file.seek(0)
    return file


def _take_in(name: str, number: int, texts: Sequence[str], base: np.ndarray, rng: np.random.Generator):
    nodes = make_nodes(number, texts, base, rng)
    started = perf_counter()
    file = write(name, nodes, dimension=base.shape[1])
    written = perf_counter() - started
    started, marks = perf_counter(), {}
    pack = import_pack(
        file,
        audience=Audience(),
        now=NOW,
        **OPENER,
        progress=lambda done, total, doing: marks.setdefault((doing, done == total), perf_counter()),
    )
    total = perf_counter() - started
    checked = marks.get(("write", False), started + total) - started
    nodes_in = marks.get(("write", True), started + total) - started
    size = len(file.getvalue()) / 2**20
    return pack, (
        f"written in {written:.0f} s ({size:.0f} MB), taken in in {total:.0f} s "
        f"(checked by {checked:.0f} s, nodes and vectors by {nodes_in:.0f} s)"
    )


def _compare(name: str, pack: Any, asked: Sequence[str], questions: np.ndarray) -> Iterator[str]:
    """Yield how a pack is searched, through the index and exactly, and what the index misses."""
    space, model = pack.space_id, get_embedder().model
    took: dict[str, list[float]] = {}
    shared = []
    for text, vector in zip(asked, questions, strict=True):
        with space_scope(space, reading=True):
            found = _timed(
                took,
                "nearest, as searched",
                lambda v=vector: nearest.find_nearest(space, v, model=model, k=K, nodes=pack.node_count),
            )
        with space_scope(space, reading=True):
            exact = _timed(
                took, "nearest, exactly", lambda v=vector: nearest.compare_all(space, v, model=model, k=K)
            )
        shared.append(len({node.position for node in found} & {node.position for node in exact}) / K)
        hits = _timed(
            took,
            "search_packs, k=32",
            lambda v=vector, t=text: search_packs([space], vector=v, words=t, k=32),
        )
        positions = [hit.position for hit in hits][:32]
        _timed(took, "load_nodes of 32", lambda p=positions: load_nodes(space, p))
    yield f"\n{name}: recall@{K} against the exact scan {np.mean(shared):.3f}, least {min(shared):.1f}"
    for label, times in took.items():
        found = percentiles(times)
        yield f"  {label:24} p50 {found['ms_p50']:6.1f} ms, p95 {found['ms_p95']:6.1f} ms"


def _timed(took: dict[str, list[float]], label: str, work: Any) -> Any:
    started = perf_counter()
    result = work()
    took.setdefault(label, []).append((perf_counter() - started) * 1_000)
    return result


def _collect(value: Any, found: dict[str, None]) -> None:
    if isinstance(value, str):
        if 20 <= len(value) <= 400:
            found[value] = None
    elif isinstance(value, dict):
        for part in value.values():
            _collect(part, found)
    elif isinstance(value, list):
        for part in value:
            _collect(part, found)


if __name__ == "__main__":
    sys.exit(main())
