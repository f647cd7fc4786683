"""Memories of thousands of companies, written at once: sizes as uneven as companies are, in the order of their saying.

Rows of different companies lie mixed in the tables, as they do where all of them talk at the same time; so reading one
company's facts touches about as many pages as it has facts.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import numpy as np
import psycopg
from django.db import connections
from pgvector.psycopg import register_vector

from bench.students import NOW
from bench.vectors import mix_vectors
from companion_site.embeddings.protocol import Embedder
from memory.company.params import COMPANY

YEARS = 3
#: Spread of the sizes (of their logarithm): of 20,000 companies the middle one has 17 facts, one in a hundred 530, the
#: largest some thousands.
SPREAD = 1.5
#: Of what is not believed any more, the share that expired; the rest was superseded. Companies never compressed yet.
EXPIRED, UNCOMPRESSED = 0.15, 0.02
#: As many sentences are embedded; the other facts have mixtures of their vectors.
EMBEDDED = 400
LOT = 20_000
TABLES = ("company_memory", "company_memory_vector", "company_kpi")
CATEGORIES = ("preference", "unresolved", "decision", "knowledge")
SENTENCES = (
    "Tog {amount} kr i utdelning, beslutat med {person}", "{person} sköter {topic} från och med i {month}",
    "Vill ha påminnelser om {topic} i {month}", "Funderar på {topic} men har inte bestämt sig, {person} frågar igen",
    "Har {number} anställda som arbetar med {topic}", "Chose {topic} over the other offer, {amount} kr a year",
    "{person} handles {topic} since {month}", "Prefers short explanations when it comes to {topic}",
    "Needs to look at {topic} with {person} before {month}", "Paid {amount} kr for {topic} in {month}",
)  # fmt: skip
TOPICS = (
    "momsredovisningen", "lönerna", "årsredovisningen", "leasingbilen", "pensionerna", "kundfakturorna", "lagret",
    "K10-blanketten", "hyresavtalet", "bokslutet", "the annual report", "the VAT return", "the payroll", "the car lease",
    "the unpaid invoices", "the office rent", "the pension plan", "the stock count", "the audit", "the new web shop",
)  # fmt: skip
PEOPLE = ("Anna", "Björn", "Fatima", "Oskar", "Åsa", "the auditor", "revisorn", "Mikael", "Lind & Co", "Eva")
MONTHS = ("januari", "mars", "maj", "juni", "oktober", "December", "February", "April", "August", "November")


@dataclass(frozen=True)
class Scale:
    """What was made.

    Attributes:
        spaces: the companies' spaces, the largest first.
        sizes: (companies,) facts of each, falling.
    """

    spaces: Sequence[UUID]
    sizes: np.ndarray


@dataclass(frozen=True)
class _Rows:
    """(n,) columns of all facts, in the order of their saying."""

    space: np.ndarray
    created_s: np.ndarray
    expires_s: np.ndarray
    by: np.ndarray
    category: np.ndarray


def draw_sizes(facts: int, companies: int) -> np.ndarray:
    """Return (companies,) how many facts each has, falling; at least one each, `facts` in all."""
    rng = np.random.default_rng(0)
    drawn = rng.lognormal(sigma=SPREAD, size=companies)
    sizes = np.maximum(1, np.floor(drawn * facts / drawn.sum()).astype(np.int64))
    sizes[np.argmax(sizes)] += facts - int(sizes.sum())
    return np.sort(sizes)[::-1]


def make_companies(facts: int, companies: int, *, embedder: Embedder, with_vectors: int) -> Scale:
    """Write the memories of `companies` companies; the first `with_vectors` of them, the largest, have vectors."""
    scale = Scale([uuid4() for _ in range(companies)], draw_sizes(facts, companies))
    rows = _draw_rows(scale.sizes)
    ids = [_id_at(int(moment * 1000), number) for number, moment in enumerate(rows.created_s.tolist())]
    owner = _owner()
    with _unforced(owner):
        _copy_spaces(owner, scale.spaces)
        _copy_facts(owner, scale, rows, ids)
        _copy_vectors(owner, scale, rows, ids, embedder, with_vectors)
    for table in ("vault_space", *TABLES):
        owner.execute(f"VACUUM ANALYZE {table}")
    connections["owner"].close()
    return scale


def _owner() -> psycopg.Connection:
    """Return the owner's connection as the driver has it."""
    connections["owner"].ensure_connection()
    return connections["owner"].connection


@contextmanager
def _unforced(owner: psycopg.Connection) -> Iterator[None]:
    """Let the owner write rows of all spaces, for once; row-level security stands as before afterwards."""
    for table in TABLES:
        owner.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    try:
        yield
    finally:
        for table in TABLES:
            owner.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")


def _draw_rows(sizes: np.ndarray) -> _Rows:
    """Return every fact: when, whose, and what became of it; the last of each company are believed."""
    rng = np.random.default_rng(1)
    count, starts = int(sizes.sum()), np.concatenate([[0], np.cumsum(sizes)[:-1]])
    space = np.repeat(np.arange(len(sizes)), sizes)
    moments = NOW.timestamp() - rng.uniform(1, YEARS * 365 * 86_400, size=count)
    moments = moments[np.lexsort((moments, space))]
    place = np.arange(count) - starts[space]
    believed = np.minimum(sizes, rng.integers(COMPANY.least_after, COMPANY.most_active, size=len(sizes)))
    believed = np.where(rng.random(len(sizes)) < UNCOMPRESSED, sizes, believed)
    over = place < (sizes - believed)[space]
    expired = over & (rng.random(count) < EXPIRED)
    later = np.minimum(place + rng.integers(1, 12, size=count), sizes[space] - 1)
    by = np.where(over & ~expired, starts[space] + later, -1)
    soon = moments + rng.uniform(1, 30 * 86_400, size=count)
    category = rng.choice(4, size=count, p=[0.1, 0.15, 0.35, 0.4])
    ahead = NOW.timestamp() + rng.uniform(1, 150 * 86_400, size=count)
    expires = np.where(
        expired, np.minimum(soon, NOW.timestamp() - 1), np.where(category % 2 == 1, ahead, np.nan)
    )
    order = np.argsort(moments, kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    by = np.where(by >= 0, rank[np.maximum(by, 0)], -1)
    return _Rows(space[order], moments[order], expires[order], by[order], category[order])


def _id_at(milliseconds: int, number: int) -> UUID:
    """Return an identifier that sorts by time, as the site's own do."""
    low = (number * 0x9E3779B97F4A7C15 + 0xABCDEF) & ((1 << 62) - 1)
    return UUID(int=(milliseconds << 80) | (7 << 76) | ((number & 0xFFF) << 64) | (2 << 62) | low)


def _copy_spaces(owner: psycopg.Connection, spaces: Sequence[UUID]) -> None:
    columns = "id, kind, sealed, version, created_at"
    with owner.cursor().copy(f"COPY vault_space ({columns}) FROM STDIN") as copy:
        for space in spaces:
            copy.write_row((space, "company", False, 0, NOW - timedelta(days=YEARS * 365)))
    columns = "id, space_id, key, label, value, unit, as_of, source, updated_at"
    with owner.cursor().copy(f"COPY company_kpi ({columns}) FROM STDIN") as copy:
        for space in spaces:
            for key, value in (("employees", 3), ("cash", 410_000), ("unpaid_invoices", 4)):
                copy.write_row((uuid4(), space, key, "", value, "", NOW.date(), "api", NOW))


FACT_COLUMNS = (
    "id, space_id, category, origin, content, fingerprint, language, confidence, created_at, confirmed_at, "
    "confirmations, expires_at, superseded_at, superseded_by_id, superseded_reason, said_at, metadata, "
    "source_message_id"
)


def _copy_facts(owner: psycopg.Connection, scale: Scale, rows: _Rows, ids: Sequence[UUID]) -> None:
    texts = [str(one) for one in ids]
    spaces = [str(space) for space in scale.spaces]
    with owner.cursor().copy(f"COPY company_memory ({FACT_COLUMNS}) FROM STDIN") as copy:
        for start in range(0, len(ids), LOT):
            numbers = range(start, min(start + LOT, len(ids)))
            copy.write("".join(_fact_line(number, rows, texts, spaces) for number in numbers))


def _fact_line(number: int, rows: _Rows, ids: Sequence[str], spaces: Sequence[str]) -> str:
    by, said = int(rows.by[number]), _moment(rows.created_s[number])
    values = (
        ids[number], spaces[rows.space[number]], CATEGORIES[rows.category[number]], "stated", make_sentence(number),
        f"{number:064x}", "sv" if number % 10 < 5 else "en", "0.9", said, said, "0", _moment(rows.expires_s[number]),
        _moment(rows.created_s[by]) if by >= 0 else "\\N", ids[by] if by >= 0 else "\\N",
        "restated" if by >= 0 else "", said, "{}", ids[number],
    )  # fmt: skip
    return "\t".join(values) + "\n"


def _moment(seconds: float) -> str:
    return "\\N" if np.isnan(seconds) else datetime.fromtimestamp(float(seconds), UTC).isoformat()


def make_sentence(number: int) -> str:
    """Return one thing that a company could have said; another for each number."""
    return SENTENCES[number % len(SENTENCES)].format(
        topic=TOPICS[number // 7 % len(TOPICS)],
        person=PEOPLE[number // 11 % len(PEOPLE)],
        month=MONTHS[number // 13 % len(MONTHS)],
        amount=f"{number % 997} {number % 10}00",
        number=number % 97,
    )


def _copy_vectors(
    owner: psycopg.Connection,
    scale: Scale,
    rows: _Rows,
    ids: Sequence[UUID],
    embedder: Embedder,
    companies: int,
) -> None:
    """Write vectors in PostgreSQL's binary form, which takes a tenth of the time of text."""
    sample = [make_sentence(number * 37) for number in range(EMBEDDED)]
    known = np.concatenate([embedder.embed(sample[start : start + 8]) for start in range(0, EMBEDDED, 8)])
    vectors = mix_vectors(known, 4 * EMBEDDED * 10)
    rng = np.random.default_rng(2)
    columns = "id, space_id, fact_id, model, dimension, embedding"
    chosen = np.flatnonzero(rows.space < companies)
    register_vector(owner)
    copying = f"COPY company_memory_vector ({columns}) FROM STDIN WITH (FORMAT BINARY)"
    with owner.cursor().copy(copying) as copy:
        copy.set_types(["uuid", "uuid", "uuid", "text", "int4", "vector"])
        for start in range(0, len(chosen), LOT):
            part = chosen[start : start + LOT]
            pairs = rng.integers(len(vectors), size=(2, len(part)))
            mixed = vectors[pairs[0]] + vectors[pairs[1]]
            mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
            for number, vector in zip(part.tolist(), mixed, strict=True):
                fact, space = ids[number], scale.spaces[rows.space[number]]
                copy.write_row((fact, space, fact, embedder.model, embedder.dimension, vector))
