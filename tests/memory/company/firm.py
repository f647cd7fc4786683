"""A company whose memory is written fact by fact, compressed, and looked at row by row."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np

from companion_site.accounts.services import create_company
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.vault.scope import space_scope
from memory.company.facts import expiry_of
from memory.company.summaries.service import compress
from memory.models import CompanyCompression, CompanyFact
from tests.factories import NOW
from tests.memory.company.audit.rows import believe

#: Kept for the whole run, so that no two tests embed the same sentence.
EMBEDDER = EmbedOnce(get_embedder())

DIVIDENDS = [
    "Took 100,000 kr in dividend in June 2025",
    "Took 120,000 kr in dividend on 2025-12-15",
    "Dividend of 90,000 kr paid in August 2025",
]
STAFF = [
    "Hired employee Anna Svensson, started 2025-11-01",
    "Hired employee Bertil Ek, started 2025-10-15",
    "Hired employee Cecilia Dahl, started 2025-09-01",
]


class Firm:
    """A company's space."""

    def __init__(self, name: str = "Lindqvist AB") -> None:
        space = create_company(name, now=NOW - timedelta(days=900)).space_id
        assert space is not None
        self.space: UUID = space

    def hold(
        self,
        *contents: str,
        category: str = "decision",
        at: datetime = NOW,
        vectors: np.ndarray | None = None,
        **fields,
    ) -> list[CompanyFact]:
        """Believe facts, a minute apart from each other; return their rows."""
        vectors = EMBEDDER.embed(contents) if vectors is None else vectors
        found = []
        for minute, (content, vector) in enumerate(zip(contents, vectors, strict=True)):
            said_at = at + timedelta(minutes=minute)
            given = {"expires_at": expiry_of(category, since=said_at), "category": category, **fields}
            found.append(believe(self.space, content, at=said_at, vector=vector, **given))
        return found

    def compress(self, *, now: datetime, **options) -> CompanyCompression | None:
        return compress(self.space, now=now, embedder=EMBEDDER, **options)

    def force(self, *, now: datetime, **options) -> CompanyCompression:
        """Compress whether it is due or not."""
        done = self.compress(now=now, trigger=CompanyCompression.Trigger.MONTHLY, **options)
        assert done is not None
        return done

    def active(self, now: datetime = NOW) -> list[CompanyFact]:
        with space_scope(self.space):
            return list(CompanyFact.objects.for_space(self.space).active(now).order_by("said_at", "id"))

    def words(self, *, now: datetime) -> list[str]:
        return [fact.content for fact in self.active(now=now)]

    def rows(self) -> dict[UUID, CompanyFact]:
        with space_scope(self.space):
            return {row.pk: row for row in CompanyFact.objects.for_space(self.space).order_by("id")}

    def row(self, pk: UUID) -> CompanyFact:
        return self.rows()[pk]

    def get(self, fact: CompanyFact) -> CompanyFact:
        return self.row(fact.pk)

    def look(self) -> list[tuple]:
        """Return all that is stored of all facts, so that two moments can be compared."""
        names = [field.attname for field in CompanyFact._meta.concrete_fields if field.name != "search"]
        return [tuple(str(getattr(row, name)) for name in names) for row in self.rows().values()]

    def successor(self, fact: CompanyFact) -> CompanyFact:
        """Return what stands in a fact's place now: itself, or the end of its chain."""
        rows = self.rows()
        row = rows[fact.pk]
        while row.superseded_by_id is not None:
            row = rows[row.superseded_by_id]
        return row


def different(count: int) -> np.ndarray:
    """Return (count, d) vectors of unit length that have nothing to do with each other."""
    made = np.random.default_rng(7).standard_normal((count, EMBEDDER.dimension)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def unrelated(count: int) -> Sequence[str]:
    """Return facts that share neither a subject nor a value, each with a value of its own."""
    return [
        f"Item{chr(97 + number // 26)}{chr(97 + number % 26)} is kept under {2000 + number}"
        for number in range(count)
    ]
