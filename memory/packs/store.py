"""The rows of a pack. They go in by batches, each a short transaction; nobody sees them before the pack is ready.

PostgreSQL's COPY does not go into a table under row-level security, so batches are inserts of many rows. Batches go in the
order of the file: how many rows there are tells where to go on after a stop.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder, Vectors
from companion_site.language import as_language, tokens
from companion_site.vault.scope import space_scope
from memory.algorithms.lexical import LexicalIndex
from memory.models import Pack, PackEdge, PackNode, PackPosting, PackVector
from memory.nodes import text_of
from memory.packs.format import PackEntry, ReadPack, parse_entry, parse_links

NODE_BATCH, EDGE_BATCH, WORD_BATCH, TEXT_BATCH = 500, 5_000, 2_000, 5_000
#: lists are long or short: a batch of words ends here too
BATCH_BYTES = 4 * 2**20
Item = TypeVar("Item")
#: a word, the positions that hold it, and what it weighs at each
WordList = tuple[str, NDArray[np.int32], NDArray[np.float32]]


class PackWriter:
    """Writes one pack's rows: nodes with their vectors, then edges, then words.

    Args:
        paths: of all nodes, in order: where a path stands is its node's position.
        embedder: the site's; vectors of another model are not written.
        tell: told how many nodes are done, after each batch.
        seconds: how long to go on; None: to the end.
    """

    def __init__(
        self,
        space: UUID,
        paths: Sequence[str],
        *,
        embedder: Embedder,
        tell: Callable[[int], None] = lambda done: None,
        seconds: float | None = None,
    ) -> None:
        self.space, self._embedder = space, embedder
        self._positions = {path: position for position, path in enumerate(paths)}
        self._tell = tell
        self._end = None if seconds is None else monotonic() + seconds

    def write(self, read: Callable[[], ReadPack]) -> bool:
        """Write what is not written yet, each batch in its order, and go on where an earlier call stopped; return whether all is."""
        if not self._write_nodes(read()) or not self._write_edges(read()):
            return False
        self._write_words(read().manifest.language)
        return True

    def _write_nodes(self, pack: ReadPack) -> bool:
        manifest, embedder = pack.manifest, self._embedder
        ours = (manifest.embedding_model, manifest.dimension) == (embedder.model, embedder.dimension)
        done = self._count(PackNode.objects.for_space(self.space))
        rest = enumerate(islice(pack.lines, done, None), done + 1)
        entries = (parse_entry(line, pack.manifest, number=number) for number, line in rest)
        for batch in in_batches(entries, NODE_BATCH):
            if self._is_over():
                return False
            self._insert_nodes(batch, with_vectors=ours)
            done += len(batch)
            self._note(done)
        return True

    def _write_edges(self, pack: ReadPack) -> bool:
        if self._is_over():
            return False
        # Have the keys of edges checked by the size that the tables have by now, as `overlay.importer` does.
        with space_scope(self.space), connection.cursor() as cursor:
            cursor.execute("DISCARD PLANS")
        done = self._count(PackEdge.objects.for_space(self.space))
        for batch in in_batches(islice(self._edges(pack), done, None), EDGE_BATCH):
            if self._is_over():
                return False
            with space_scope(self.space):
                PackEdge.objects.bulk_create(batch)
            self._note(len(self._positions))
        return True

    def _write_words(self, language: str) -> None:
        """Write all words at once, and anew where some stand there."""
        with space_scope(self.space):
            PackPosting.objects.for_space(self.space).delete()
        index = LexicalIndex(tokens(text, as_language(language)) for text in self._texts())
        for words in _weighed(index.lists()):
            rows = [
                PackPosting(space_id=self.space, term=term, postings=pack_list(positions, weights))
                for term, positions, weights in words
            ]
            with space_scope(self.space):
                PackPosting.objects.bulk_create(rows)
            self._note(len(self._positions))

    def _insert_nodes(self, batch: Iterable[PackEntry], *, with_vectors: bool) -> None:
        nodes, vectors = [], []
        for entry in batch:
            content = entry.content
            row = PackNode(
                space_id=self.space,
                position=self._positions[entry.path],
                path=entry.path,
                text=text_of(content),
                is_default=content["meta"].get("default") is True,
                **{name: content[name] for name in ("type", "label", "payload", "children", "tags", "meta")},
            )
            nodes.append(row)
            if with_vectors and entry.vector is not None:
                vectors.append(vector_row(self.space, row.pk, self._embedder.model, entry.vector))
        with space_scope(self.space):
            PackNode.objects.bulk_create(nodes)
            PackVector.objects.bulk_create(vectors)

    def _edges(self, pack: ReadPack) -> Iterator[PackEdge]:
        with space_scope(self.space, reading=True):
            ids = dict(PackNode.objects.for_space(self.space).values_list("position", "id"))
        for line in pack.lines:
            path, links = parse_links(line)
            source = ids[self._positions[path]]
            for link in links:
                target = ids[self._positions[link["to"]]]
                yield PackEdge(
                    space_id=self.space, source_id=source, target_id=target, rel=link["rel"], weight=link["w"]
                )

    def _texts(self) -> Iterator[str]:
        """Yield what nodes say, in the order of their positions."""
        for start in range(0, len(self._positions), TEXT_BATCH):
            with space_scope(self.space, reading=True):
                rows = PackNode.objects.for_space(self.space).order_by("position")
                part = rows.filter(position__range=(start, start + TEXT_BATCH - 1))
                found = list(part.values_list("text", flat=True))
            yield from found

    def _count(self, rows: QuerySet[Any]) -> int:
        with space_scope(self.space, reading=True):
            return rows.count()

    def _note(self, done: int) -> None:
        note_progress(self.space, done)
        self._tell(done)

    def _is_over(self) -> bool:
        return self._end is not None and monotonic() >= self._end


def in_batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield items in lists of `size`, the last perhaps shorter."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def vector_row(space: UUID, node: UUID, model: str, vector: Vectors) -> PackVector:
    """Return the row of a node's vector, (d,) float32 of unit length."""
    return PackVector(space_id=space, node_id=node, model=model, dimension=len(vector), embedding=vector)


def note_progress(space: UUID, done: int) -> None:
    """Say how far a pack is, which also says that somebody works on it."""
    with space_scope(space):
        Pack.objects.for_space(space).update(done=done, touched_at=timezone.now())


def _weighed(lists: Iterable[WordList]) -> Iterator[list[WordList]]:
    """Yield lists in batches that are bounded in number and in bytes."""
    batch: list[WordList] = []
    size = 0
    for item in lists:
        batch.append(item)
        size += 8 * len(item[1])
        if len(batch) >= WORD_BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def pack_list(positions: NDArray[np.int32], weights: NDArray[np.float32]) -> bytes:
    """Return a word's list as it is kept: n positions (int32), then n weights (float32), little-endian."""
    return positions.astype("<i4").tobytes() + weights.astype("<f4").tobytes()
