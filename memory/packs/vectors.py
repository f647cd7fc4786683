"""Embedding a pack that came with another model's vectors, or with none; and the index of each model's vectors (HNSW).

Nodes are embedded some at a time, resumed where it stopped. The bundled model's index comes with the tables; others are made here.
"""

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from time import monotonic
from uuid import UUID

from django.conf import settings
from django.db import connections

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.jobs import enqueue
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode, PackVector
from memory.packs.importer import make_ready
from memory.packs.store import note_progress, vector_row

BATCH = 16
#: A job begins no further batch after so long, or a share of what a job may take, and queues the next: others get their turn
#: (what somebody says during a first start is to be remembered soon), and a kill loses one batch.
SECONDS, SHARE_OF_TIMEOUT = 10.0, 0.25
TABLE = PackVector._meta.db_table
#: `halfvec` is indexed up to so many dimensions
MOST_DIMENSIONS = 4_000


def embed_some(space: UUID, *, now: datetime, embedder: Embedder | None = None) -> bool:
    """Embed the nodes of a pack that have no vector of this site's model yet; return whether all have by now.

    A pack that has gone, or is ready, is left as it is.
    """
    model = embedder or get_embedder()
    end = monotonic() + min(SECONDS, SHARE_OF_TIMEOUT * settings.JOB_TIMEOUT_S)
    while True:
        left = _read_some(space, model)
        if left is None:
            return True
        if not left:
            make_ready(space, actor=None, now=now)
            return True
        if monotonic() >= end:
            with space_scope(space):
                enqueue("memory.packs.tasks.embed_pack", space)
            return False
        vectors = model.embed([text for _id, text in left])
        rows = [
            vector_row(space, pk, model.model, vector)
            for (pk, _text), vector in zip(left, vectors, strict=True)
        ]
        with space_scope(space):
            PackVector.objects.bulk_create(rows, ignore_conflicts=True)
            done = PackVector.objects.for_space(space).filter(model=model.model).count()
        note_progress(space, done)


def _read_some(space: UUID, model: Embedder) -> list[tuple[UUID, str]] | None:
    """Return nodes that lack a vector, [] where none does; None where the pack is not being embedded."""
    with space_scope(space, reading=True):
        if not Pack.objects.for_space(space).filter(state=Pack.State.EMBEDDING).exists():
            return None
        have = PackVector.objects.for_space(space).filter(model=model.model).values("node_id")
        rows = PackNode.objects.for_space(space).exclude(pk__in=have).order_by("position")
        return list(rows.values_list("pk", "text")[:BATCH])


def index_model(embedder: Embedder) -> str | None:
    """Make the index for a model where there is none; return its name, None where it was there.

    Works as the owner of the tables, outside a transaction, and stops nobody from reading or writing meanwhile. What an
    attempt that was cut short left is replaced.

    Raises:
        ValueError: the model has more dimensions than an index takes.
    """
    if embedder.dimension > MOST_DIMENSIONS:
        raise ValueError(
            f"vectors of {embedder.dimension} dimensions have no index: {MOST_DIMENSIONS} at most"
        )
    if any(model == embedder.model and whole for _name, model, whole in list_indexes()):
        return None
    connection = connections["owner"]
    name = index_name(embedder.model)
    quote = connection.ops.quote_name
    model = embedder.model.replace("'", "''")
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {quote(name)}")
        cursor.execute(
            f"CREATE INDEX CONCURRENTLY {quote(name)} ON {quote(TABLE)} "
            f"USING hnsw ((embedding::halfvec({int(embedder.dimension)})) halfvec_cosine_ops) WHERE model = '{model}'"
        )
    return name


def list_indexes() -> Iterator[tuple[str, str, bool]]:
    """Yield the indexes of vectors there are: name, model, and whether it is whole."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, pg_get_expr(i.indpred, i.indrelid), i.indisvalid FROM pg_index i "
            "JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam "
            "WHERE i.indrelid = %s::regclass AND a.amname = 'hnsw' ORDER BY c.relname",
            [TABLE],
        )
        rows = cursor.fetchall()
    for name, condition, whole in rows:
        yield name, condition.split("'", 1)[1].rsplit("'", 1)[0].replace("''", "'"), whole


def index_name(model: str) -> str:
    """Return the name of a model's index; names of PostgreSQL are short, those of models are not."""
    return f"memory_packvector_{sha256(model.encode()).hexdigest()[:12]}"
