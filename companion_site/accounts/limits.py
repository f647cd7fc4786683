"""How often something may be done, counted in the database, so that a limit holds over all processes and machines.

Each limit is a bucket that leaks evenly: `most` fit in at once, and it is empty again after `within`. One statement counts any
number of limits. What is counted is known by a keyed hash (of `SECRET_KEY`, which is not in the database): people type passwords
into the field of the name. Call it outside a transaction, which would undo the count and hold up others.

Source: the generic cell rate algorithm, ITU-T I.371.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import digest

from django.conf import settings
from django.db import connection

from companion_site.accounts.models import LimitCount

HASH_BYTES = 16


@dataclass(frozen=True, kw_only=True)
class Limit:
    """`most` times in `within`; each is forgotten `within` / `most` after the one before."""

    name: str
    most: int
    within: timedelta = timedelta(minutes=1)

    @property
    def step(self) -> timedelta:
        return self.within / self.most

    def of(self, who: str, where: str = "") -> "Bucket":
        """Return the bucket of one asker.

        Args:
            where: what is counted apart for the same asker, such as an address.
        """
        return Bucket(self, keyed_hash(who), keyed_hash(self.name, who, where))


@dataclass(frozen=True)
class Bucket:
    """One limit of one asker."""

    limit: Limit
    who: str
    key: str


def keyed_hash(*words: str) -> str:
    """Return 32 hexadecimal digits that stand for words, and that nobody without `SECRET_KEY` can make or guess from."""
    raw = b"".join(
        len(part).to_bytes(8) + part for part in (word.encode("utf-8", "surrogatepass") for word in words)
    )
    return digest(settings.SECRET_KEY.encode(), b"companion/limits/1" + raw, sha256)[:HASH_BYTES].hex()


def count(buckets: Sequence[Bucket], *, now: datetime) -> timedelta | None:
    """Count one use in each bucket, or in none.

    Returns:
        None where it was counted; else how long to wait until it would be.
    """
    ordered = sorted(
        buckets, key=lambda bucket: bucket.key
    )  # one order, or two askers could wait for each other
    taken = _add(ordered, now)
    refused = [bucket for bucket in ordered if bucket.key not in taken]
    if not refused:
        return None
    give_back([bucket for bucket in ordered if bucket.key in taken], now=now)
    rows = LimitCount.objects.filter(key__in=[bucket.key for bucket in refused])
    waits = [row.until + row.step * (1 - row.most) - now for row in rows]
    return max([*waits, timedelta(0)])


def give_back(buckets: Sequence[Bucket], *, now: datetime) -> None:
    """Take back one use of each bucket; what is empty then goes."""
    if not buckets:
        return
    ordered = sorted(buckets, key=lambda bucket: bucket.key)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH kept AS (
                SELECT key FROM accounts_limitcount WHERE key = ANY(%(keys)s) ORDER BY key FOR UPDATE
            ), gone AS (
                DELETE FROM accounts_limitcount USING kept
                WHERE accounts_limitcount.key = kept.key AND until - step <= %(now)s
            )
            UPDATE accounts_limitcount SET until = until - step FROM kept
            WHERE accounts_limitcount.key = kept.key AND until - step > %(now)s
            """,
            {"keys": [bucket.key for bucket in ordered], "now": now},
        )


def forget(buckets: Sequence[Bucket]) -> None:
    """Empty buckets."""
    LimitCount.objects.filter(key__in=[bucket.key for bucket in buckets]).delete()


def sweep(*, now: datetime) -> int:
    """Delete buckets that have leaked empty; return how many."""
    return LimitCount.objects.filter(until__lte=now).delete()[0]


def _add(buckets: Sequence[Bucket], now: datetime) -> set[str]:
    """Count in the buckets where there is room; return their keys."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO accounts_limitcount AS kept (key, "limit", who, most, step, until)
            SELECT asked.*, %(now)s + asked.step
            FROM unnest(%(keys)s::text[], %(limits)s::text[], %(whos)s::text[], %(mosts)s::int[], %(steps)s::interval[])
                AS asked(key, "limit", who, most, step)
            ON CONFLICT (key) DO UPDATE
            SET until = GREATEST(kept.until, %(now)s) + EXCLUDED.step, most = EXCLUDED.most, step = EXCLUDED.step
            WHERE GREATEST(kept.until, %(now)s) + EXCLUDED.step <= %(now)s + EXCLUDED.step * EXCLUDED.most
            RETURNING key
            """,
            {
                "keys": [bucket.key for bucket in buckets],
                "limits": [bucket.limit.name for bucket in buckets],
                "whos": [bucket.who for bucket in buckets],
                "mosts": [bucket.limit.most for bucket in buckets],
                "steps": [bucket.limit.step for bucket in buckets],
                "now": now,
            },
        )
        return {key for (key,) in cursor.fetchall()}
