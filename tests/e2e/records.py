"""What a site's database holds, read past the site: as the superuser, and opened with a student's own password."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import namedtuple_row

from companion_site.running.cluster import DATABASE, SUPERUSER, Cluster
from companion_site.vault import slots
from companion_site.vault.boxes import Place, SpaceKey
from companion_site.vault.keystore import DirectoryKeyStore
from tests.e2e.people import PASSWORD


def connect(var: Path, *, autocommit: bool = True) -> psycopg.Connection:
    """Connect as the superuser, who sees every row of every space."""
    return psycopg.connect(
        host=str(Cluster(var).sockets),
        user=SUPERUSER,
        dbname=DATABASE,
        autocommit=autocommit,
        connect_timeout=5,
        row_factory=namedtuple_row,
    )


def answers(var: Path) -> bool:
    """Tell whether the database takes connections."""
    try:
        connect(var).close()
    except psycopg.OperationalError:
        return False
    return True


@dataclass(frozen=True)
class Stored:
    """A row with its sealed text opened."""

    row: Any
    text: str | None


class Records:
    """One student's rows. A fresh connection for every question, because the database may have been killed."""

    def __init__(self, var: Path, name: str, password: str = PASSWORD) -> None:
        self.var = var
        (person,) = self.ask("SELECT space_id FROM accounts_person WHERE username = %s", name)
        self.space: UUID = person.space_id
        self.key = self._open(password)

    def ask(self, query: str, *values: Any) -> list[Any]:
        with connect(self.var) as connection:
            return connection.execute(query, values).fetchall()

    def messages(self) -> list[Stored]:
        """Return all messages in the order of their conversations and positions."""
        query = "SELECT * FROM chat_message WHERE space_id = %s ORDER BY conversation_id, position"
        return [Stored(row, self._text("chat_message", "text", row)) for row in self.ask(query, self.space)]

    def memories(self) -> list[Stored]:
        """Return all memories with the message each came from, one for every source."""
        query = (
            "SELECT node.*, source.source_id, source.start, source.end FROM memory_memorynode AS node "
            "LEFT JOIN memory_memorysource AS source ON source.node_id = node.id WHERE node.space_id = %s"
        )
        rows = self.ask(query, self.space)
        return [Stored(row, self._text("memory_memorynode", "content", row)) for row in rows]

    def count_events(self, action: str) -> int:
        """Return how often something is on record."""
        query = "SELECT count(*) AS n FROM audit_auditevent WHERE chain = %s AND action = %s"
        return self.ask(query, self.space, action)[0].n

    def _text(self, table: str, column: str, row: Any) -> str | None:
        box = getattr(row, column)
        if box is None:
            return None
        return self.key.open(bytes(box), Place(self.space, table, row.id, column)).decode()

    def _open(self, password: str) -> SpaceKey:
        store = DirectoryKeyStore(self.var / "keys")
        query = "SELECT * FROM vault_keyslot WHERE space_id = %s AND kind = 'password'"
        (slot,) = self.ask(query, self.space)
        wrapping_key = slots.derive_wrapping_key(
            password,
            salt=bytes(slot.salt),
            parameters=slot.parameters,
            institution_salt=store.institution_salt(),
        )
        data_key = slots.unwrap(
            bytes(slot.wrapped_key),
            wrapping_key,
            erasure_key=store.erasure_key(self.space),
            info=slots.slot_info(self.space, "password"),
        )
        return SpaceKey(self.space, data_key)
