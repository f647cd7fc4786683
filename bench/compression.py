"""How long compressing a memory takes: `python -m bench.compression [--nodes N ...]`.

Each line stands beside the least that the same work can cost, measured in the same run: reading all rows of the memory
and opening them, and writing as many rows as the compression writes.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from django.db import transaction

from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.students import NOW, Space, make_space
from bench.timing import Row, table
from chat.warming import load_for_good
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun, MemoryChange, MemoryNode, MemorySource
from memory.student.compression.run import begin_run, compress
from memory.student.compression.selectors import read_snapshot
from memory.student.params import COMPRESSION

NODES = (1_000, 10_000)
#: What a compression of a thousand memories may take.
BAR_MS = 2_000.0


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("compression", __doc__)
    parser.add_argument("--nodes", type=int, nargs="+", default=NODES, help="how many memories there are")
    options = parser.parse_args(arguments)
    with scratch_site(durable=True):
        load_for_good()
        write_lines(table(measure_compression(options.nodes)))


def measure_compression(sizes: Sequence[int]) -> Iterator[Row]:
    """Yield the lines of the table: to half of the memories, by merging, and again when all is settled."""
    for count in sizes:
        space = make_space(count, username=f"bench-compression-{count}")
        first = _compress(space, count // 2)
        written = _rows_of_last_run(space)
        reading, writing = _time_reading(space), _time_writing(space, written)
        again = _compress(space, count // 2)
        floors = {"reading and opening all rows": reading, "that and writing as many": reading + writing}
        bar = BAR_MS if count <= min(NODES) else None
        yield Row(f"compression to half, {count:,} memories", [first], bar, floors)
        yield Row(
            f"  a second time, nothing to do, {count // 2:,} memories", [again], None, {"reading": reading}
        )
        yield Row("  reading and opening all rows alone", [reading])
        yield Row(f"  writing {written:,} rows alone", [writing])


def _compress(space: Space, most: int) -> float:
    """Return the milliseconds of one compression."""
    access = space.access
    run = begin_run(access.space, trigger="requested", now=NOW)
    started = perf_counter()
    done = compress(
        access.space, run.pk, key=access.key, now=NOW, params=replace(COMPRESSION, max_nodes=most)
    )
    taken = (perf_counter() - started) * 1000
    if done.state != "done":
        raise RuntimeError(f"the compression has {done.state}")
    return taken


def _rows_of_last_run(space: Space) -> int:
    """Return how many rows the last compression wrote: tombstones, new nodes, their sources, vectors and changes."""
    with space_scope(space.access.space):
        run = CompressionRun.objects.for_space(space.access.space).order_by("-id").first()
        made = MemoryNode.objects.for_space(space.access.space).filter(merged_from__isnull=False).distinct()
        sources = MemorySource.objects.for_space(space.access.space).filter(node__in=made)
        changes = MemoryChange.objects.for_space(space.access.space).filter(run=run)
        merged = run.loss["merged"] if run is not None else {"nodes": 0}
        return int(merged["nodes"]) + 2 * made.count() + sources.count() + changes.count()


def _time_reading(space: Space) -> float:
    """Return the milliseconds to read a memory as compression does, and to do nothing with it."""
    started = perf_counter()
    with unlocked(space.access.space, space.access.key), space_scope(space.access.space):
        read_snapshot(space.access.space, model=get_embedder().model, now=NOW)
    return (perf_counter() - started) * 1000


def _time_writing(space: Space, count: int) -> float:
    """Return the milliseconds to write as many sealed rows in one transaction, which is then taken back."""
    owner = space.access.space
    values = {"space_id": owner, "kind": "pruned", "reason": "bench", "at": NOW, "before": {"edges": []}}
    with unlocked(owner, space.access.key), space_scope(owner):
        started = perf_counter()
        rows = [MemoryChange(id=new_id(), **values) for _ in range(count)]
        MemoryChange.objects.bulk_create(rows, batch_size=500)
        taken = (perf_counter() - started) * 1000
        transaction.set_rollback(True)
    return taken


if __name__ == "__main__":
    sys.exit(main())
