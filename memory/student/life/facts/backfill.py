"""Reading the facts of memories that formed before facts were read, batch by batch, each memory once.

A memory carries whether it was read. What becomes of a batch, and that it was read, is written together under the space's lock:
killed anywhere, the rest is read the next time, and nothing twice.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, Q
from django.utils import timezone

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import lock_space, space_scope
from memory.models import MemoryNode, MemorySource, MemoryVector
from memory.student.life.facts.extraction import read_facts
from memory.student.life.facts.store import are_own_words, write_facts
from memory.student.sleep.timing import has_memory_on

BATCH = 64


def awaits_facts(space: UUID) -> bool:
    """Tell whether memories of `space` are yet to be read. Runs inside its scope; needs no key."""
    return has_memory_on(space) and _unread(space).exists()


def is_awaited(space: UUID) -> bool:
    """Tell whether memories of `space` are yet to be read; needs no key."""
    with space_scope(space):
        return awaits_facts(space)


def read_all(space: UUID, *, key: SpaceKey) -> int:
    """Read what was not read yet; return how many memories there were. Embeds what has no vector, outside transactions."""
    embedder = get_embedder()
    read = 0
    with unlocked(space, key):
        while has_memory_on(space):
            with space_scope(space):
                sources = MemorySource.objects.for_space(space)
                vectors = MemoryVector.objects.for_space(space).filter(model=embedder.model)
                rows = _unread(space).prefetch_related(
                    Prefetch("sources", sources), Prefetch("vectors", vectors)
                )
                batch = list(rows.order_by("id")[:BATCH])
                # The parts of a memory of others' words tell more exactly while they have theirs.
                parts = MemoryNode.objects.for_space(space).filter(
                    merged_into__in=batch, content__isnull=False
                )
                covered = set(parts.values_list("merged_into_id", flat=True))
            if not batch:
                break
            told = _read_batch([row for row in batch if row.pk not in covered and _is_own(row)], embedder)
            with space_scope(space):
                lock_space(space)
                left = set(
                    _unread(space).filter(pk__in=[row.pk for row in batch]).values_list("pk", flat=True)
                )
                for node, (facts, said_at) in told.items():
                    if node in left:
                        write_facts(space, facts, said_at=said_at)
                # What is no longer there to be read is done with as well, or the next batch would be the same one.
                ids = [row.pk for row in batch]
                MemoryNode.objects.for_space(space).filter(pk__in=ids).update(life_read=True)
            read += len(left)
    return read


def _is_own(row: MemoryNode) -> bool:
    """Tell whether a memory has words, and all its places hold the person's own: what is derived is trusted as its sources are."""
    said = (MemorySource.Kind.MESSAGE, MemorySource.Kind.TRANSCRIPT)
    sources = list(row.sources.all())
    return bool(sources and row.content) and all(
        are_own_words(
            trust=MemoryNode.Trust.PERSON
            if row.trust == MemoryNode.Trust.DERIVED and source.kind in said
            else row.trust,
            source_kind=source.kind,
            speaker=source.speaker,
        )
        for source in sources
    )


def _read_batch(
    rows: Sequence[MemoryNode], embedder: Embedder
) -> dict[UUID, tuple[dict[tuple[UUID, str], dict[str, object]], datetime]]:
    """Return the facts of memories that tell any, by memory and kind, and when their words were said last."""
    vectors = {row.pk: vector.vector for row in rows for vector in row.vectors.all()}
    bare = [row for row in rows if row.pk not in vectors]
    made = embedder.embed([row.content or "" for row in bare]) if bare else ()
    vectors.update(zip([row.pk for row in bare], made, strict=True))
    told = {}
    for row in rows:
        times = [source.said_at for source in row.sources.all()]
        (facts,) = read_facts(
            [row.content or ""],
            vectors[row.pk][None],
            language=row.language,
            said_at=max(times),
            embedder=embedder,
        )
        # Words that were said on several days mean no one day by "tomorrow".
        unsaid = set() if len({timezone.localtime(at).date() for at in times}) == 1 else {"on"}
        found = {
            (row.pk, fact.kind): {name: value for name, value in fact.detail.items() if name not in unsaid}
            for fact in facts
        }
        if found:
            told[row.pk] = found, max(times)
    return told


def _unread(space: UUID):
    rows = MemoryNode.objects.for_space(space).filter(life_read=False, superseded_at__isnull=True)
    return rows.filter(Q(removed_at__isnull=True) | Q(merged_into__isnull=False, content_until__isnull=False))
