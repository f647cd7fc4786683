"""The index of each embedding model's vectors (HNSW). The bundled model's comes with the tables; others are made here."""

from collections.abc import Iterator
from hashlib import sha256

from django.db import connections

from companion_site.embeddings.protocol import Embedder
from memory.models import PackVector

TABLE = PackVector._meta.db_table
#: `halfvec` is indexed up to so many dimensions
MOST_DIMENSIONS = 4_000


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
