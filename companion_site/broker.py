"""Whose job is next: each space's jobs stand in a lane of its own, and the lanes take turns.

The queue's own broker takes jobs in no order at all, so whoever queues much keeps everybody waiting. Here one job of a lane is
taken, then the lane goes behind all that waited longer: with n lanes waiting, a new one's first job is taken after n others at most.
"""

from datetime import datetime
from time import sleep
from typing import Any

from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.models import OrmQ

#: parts of a row's key: the queue, the lane, the kind of job
LANE, KIND = 2, 3
#: longer names of a queue and a kind are cut: the column holds 100 characters
KEY_LENGTH = 100


def part_of_key(number: int) -> Func:
    """Return what reads one part of a row's key in the database; "" where it has none."""
    return Func(F("key"), Value("/"), Value(number), function="split_part", output_field=TextField())


class FairBroker(ORM):
    """Jobs as rows, taken lane by lane.

    Args:
        lane: where what is queued by this broker stands; the site's own jobs have none.
        kind: what the job does, told to whoever looks after the site.
    """

    def __init__(self, list_key: str | None = None, *, lane: str = "", kind: str = "") -> None:
        super().__init__(list_key)
        self._lane, self._kind = lane, kind
        #: when each lane that still waits was last taken from
        self._taken: dict[str, datetime] = {}

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        self._lane = self._kind = ""
        self._taken = {}

    def enqueue(self, task: str) -> int:
        """Store a job in its lane; return its number."""
        queue = self.list_key or Conf.CLUSTER_NAME
        key = f"{queue}/{self._lane}/{self._kind}" if self._lane or self._kind else queue
        row = self.get_connection().create(key=key[:KEY_LENGTH], payload=task, lock=timezone.now())
        return int(row.pk)

    def dequeue(self) -> list[tuple[int, str]] | None:
        """Take the next job of the lane whose turn it is; None, after a pause, where there is none."""
        taken = self.take(now=timezone.now())
        if taken is None:
            sleep(Conf.POLL)
        return [taken] if taken is not None else None

    def take(self, *, now: datetime) -> tuple[int, str] | None:
        """Take one job, if there is one: its number and what it carries."""
        first = (
            self._rows()
            .filter(lock__lt=now)
            .annotate(lane=part_of_key(LANE))
            .order_by("lane", "id")
            .distinct("lane")
            .values_list("lane", "id", "lock")
        )
        waiting = sorted(
            (max(lock, self._taken.get(lane, lock)), number, lane, lock) for lane, number, lock in first
        )
        # A lane that has nothing waiting is forgotten: what it queues next is newer than when it was last taken from.
        self._taken = {lane: self._taken[lane] for _, _, lane, _ in waiting if lane in self._taken}
        for _, number, lane, lock in waiting:
            # Where another process was faster the row has another lock now, or has gone.
            mine = self._rows().filter(pk=number, lock=lock)
            payload = mine.values_list("payload", flat=True).first()
            if payload is not None and mine.update(lock=self.timeout(None)):
                self._taken[lane] = now
                return number, payload
        return None

    def queue_size(self) -> int:
        """Return how many jobs could run."""
        return self._rows().filter(lock__lte=timezone.now()).count()

    def lock_size(self) -> int:
        """Return how many jobs are in work, or for later."""
        return self._rows().filter(lock__gt=timezone.now()).count()

    def purge_queue(self) -> Any:
        """Remove all jobs."""
        return self._rows().delete()

    def _rows(self) -> QuerySet[OrmQ]:
        queue = self.list_key or Conf.CLUSTER_NAME
        return self.get_connection().filter(Q(key=queue) | Q(key__startswith=f"{queue}/"))
