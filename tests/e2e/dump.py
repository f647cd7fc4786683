"""Everything a site leaves behind, place by place: every table as SQL gives it, and every file as bytes."""

from collections.abc import Iterator
from pathlib import Path

from psycopg import sql

from tests.e2e.records import connect

#: Tables, materialised views and what the server knows beside them: statistics quote values, activity quotes queries.
RELATIONS = """
    SELECT nspname AS schema, relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'm', 'p', 'f') OR relname IN ('pg_stats', 'pg_stats_ext', 'pg_stat_activity')
    ORDER BY 1, 2
"""


def tables(var: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every table with all its rows: uncompressed, and with binary columns in hex."""
    with connect(var) as connection:
        for schema, name in connection.execute(RELATIONS).fetchall():
            table = sql.Identifier(schema, name)
            rows = connection.execute(sql.SQL("SELECT t::text AS row FROM {} AS t").format(table)).fetchall()
            yield f"{schema}.{name}", "\n".join(row.row or "" for row in rows).encode()


def files(*roots: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every file under the directories, or the file itself, as it lies on the disk."""
    for root in roots:
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.is_file() and not path.is_symlink():
                yield str(path.relative_to(root) if path != root else path.name), path.read_bytes()


def settle(var: Path) -> None:
    """Have the server write everything to its files, and look at every column for its statistics."""
    with connect(var) as connection:
        connection.execute("ANALYZE")
        connection.execute("CHECKPOINT")
