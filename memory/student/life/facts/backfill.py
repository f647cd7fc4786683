"""Reading the facts of memories that formed before facts were read, batch by batch, each memory once.

A memory carries whether it was read. What becomes of a batch, and that it was read, is written together under the space's lock:
killed anywhere, the rest is read the next time, and nothing twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import Prefetch, Q
from django.utils import timezone

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import lock_space, space_scope
from memory.models import MemoryNode, MemorySource, MemoryVector
from memory.student.life.facts.extraction import Told, read_facts
from memory.student.life.facts.store import are_own_words, write_facts
from memory.student.sleep.timing import has_memory_on

BATCH = 64


@dataclass(frozen=True, kw_only=True)
class _Unread:
    """One memory that was not read yet.

    Attributes:
        vector: (d,), None where it has none of the present model.
        said_at: when its words were said last; None of what is not to be read at all.
        is_of_one_day: all of it was said on one day, so that "tomorrow" means one.
    """

    id: UUID
    text: str
    language: str
    vector: np.ndarray | None
    said_at: datetime | None
    is_of_one_day: bool


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
                batch = _load(space, model=embedder.model)
            if not batch:
                break
            told = _think(batch, embedder)
            read += _write(space, batch, told)
    return read


def _unread(space: UUID):
    rows = MemoryNode.objects.for_space(space).filter(life_read=False, superseded_at__isnull=True)
    return rows.filter(Q(removed_at__isnull=True) | Q(merged_into__isnull=False, content_until__isnull=False))


def _load(space: UUID, *, model: str) -> list[_Unread]:
    sources = MemorySource.objects.for_space(space)
    vectors = MemoryVector.objects.for_space(space).filter(model=model)
    rows = _unread(space).prefetch_related(Prefetch("sources", sources), Prefetch("vectors", vectors))
    rows = list(rows.order_by("id")[:BATCH])
    covered = _with_words_kept(space, rows)
    return [_look_at(row, is_covered=row.pk in covered) for row in rows]


def _with_words_kept(space: UUID, rows: Sequence[MemoryNode]) -> set[UUID]:
    """Return the memories of others' words whose parts still have theirs: the parts tell more exactly."""
    parts = MemoryNode.objects.for_space(space).filter(
        merged_into__in=[row.pk for row in rows], content__isnull=False
    )
    return set(parts.values_list("merged_into_id", flat=True))


def _look_at(row: MemoryNode, *, is_covered: bool) -> _Unread:
    sources = list(row.sources.all())
    vectors = list(row.vectors.all())
    own = bool(sources) and all(_is_own(row, source) for source in sources)
    days = {timezone.localtime(source.said_at).date() for source in sources}
    text = row.content
    return _Unread(
        id=row.pk,
        text=text or "",
        language=row.language,
        vector=vectors[0].vector if vectors else None,
        said_at=max(source.said_at for source in sources) if own and text and not is_covered else None,
        is_of_one_day=len(days) == 1,
    )


def _is_own(row: MemoryNode, source: MemorySource) -> bool:
    """Tell whether a place holds the person's own words; what is derived is as trustworthy as what it is derived from."""
    said = (MemorySource.Kind.MESSAGE, MemorySource.Kind.TRANSCRIPT)
    is_derived = row.trust == MemoryNode.Trust.DERIVED and source.kind in said
    trust = MemoryNode.Trust.PERSON if is_derived else row.trust
    return are_own_words(trust=trust, source_kind=source.kind, speaker=source.speaker)


def _think(batch: Sequence[_Unread], embedder: Embedder) -> dict[UUID, list[Told]]:
    bare = [one for one in batch if one.said_at is not None and one.vector is None]
    vectors = embedder.embed([one.text for one in bare]) if bare else ()
    made = dict(zip([one.id for one in bare], vectors, strict=True))
    told = {}
    for one in batch:
        if one.said_at is None:
            continue
        vector = made[one.id] if one.vector is None else one.vector
        (facts,) = read_facts(
            [one.text], vector[None], language=one.language, said_at=one.said_at, embedder=embedder
        )
        told[one.id] = [fact if one.is_of_one_day else _without_day(fact) for fact in facts]
    return told


def _without_day(fact: Told) -> Told:
    return Told(kind=fact.kind, detail={name: value for name, value in fact.detail.items() if name != "on"})


def _write(space: UUID, batch: Sequence[_Unread], told: dict[UUID, list[Told]]) -> int:
    """Write the facts of a batch and that it was read, as far as nobody did so meanwhile."""
    with space_scope(space):
        lock_space(space)
        rows = _unread(space).filter(pk__in=[one.id for one in batch])
        left = set(rows.values_list("pk", flat=True))
        for one in batch:
            facts = {(one.id, fact.kind): fact.detail for fact in told.get(one.id, ())}
            if one.id in left and facts and one.said_at is not None:
                write_facts(space, facts, said_at=one.said_at)
        # What is no longer there to be read is done with as well, or the next batch would be the same one.
        MemoryNode.objects.for_space(space).filter(pk__in=[one.id for one in batch]).update(life_read=True)
    return len(left)
