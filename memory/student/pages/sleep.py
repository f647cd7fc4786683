"""Sleep as the pages show it: when it last came and will come again, and what each run did, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.paginator import Page, Paginator

from companion_site.errors import NotFound
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, SleepRun
from memory.student.pages.pending import say_trigger
from memory.student.pages.sleep_words import say_duration, say_error, say_thinker
from memory.student.sleep.history import recent_runs
from memory.student.sleep.requests import OPEN
from memory.student.sleep.timing import awaiting

State = SleepRun.State
RUNS_ON_A_PAGE = 20


@dataclass(frozen=True, kw_only=True)
class ShownSleep:
    """One run in numbers and words.

    Attributes:
        kept: taken into long-term memory word for word.
        parts: how many insights of each category.
        try_number: 1 for the first try at a batch.
    """

    id: UUID
    state: str
    state_label: str
    trigger: str
    try_number: int
    requested_at: datetime
    finished_at: datetime | None
    processed: int
    covered: int
    kept: int
    let_go: int
    left: int
    created: int
    updated: int
    parts: Sequence[tuple[str, int]]
    thinker: str
    duration: str
    error: str

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def is_partial(self) -> bool:
        return self.state == State.PARTIAL

    @property
    def has_failed(self) -> bool:
        return self.state == State.FAILED

    @property
    def found_nothing(self) -> bool:
        return not self.is_open and not self.has_failed and not self.processed


@dataclass(frozen=True, kw_only=True)
class Plan:
    """When a memory slept and will sleep.

    Attributes:
        waiting: how many memories have yet to be slept over.
        next_at: None where nothing is planned.
        awaits_key: whether work waits until the person logs in again.
    """

    last_at: datetime | None
    next_at: datetime | None
    is_due: bool
    awaits_key: bool
    waiting: int


def plan_of(space: UUID, *, now: datetime) -> Plan:
    """Return when it last slept, and when it will again."""
    row = Space.objects.only("next_sleep_at", "awaiting_key_since").get(pk=space)
    with space_scope(space):
        waiting = awaiting(space).count()
        slept = SleepRun.objects.for_space(space).filter(processed__gt=0).order_by("-id")
        last_at = slept.values_list("finished_at", flat=True).first()
    return Plan(
        last_at=last_at,
        next_at=row.next_sleep_at,
        is_due=row.next_sleep_at is not None and row.next_sleep_at <= now,
        awaits_key=row.awaiting_key_since is not None,
        waiting=waiting,
    )


def list_ended(space: UUID, number: str | None) -> Page:
    """Return one page of the records of runs that have ended, the newest first; of no such number the nearest."""
    with space_scope(space):
        ended = SleepRun.objects.for_space(space).filter(finished_at__isnull=False).order_by("-id")
        page = Paginator(ended, RUNS_ON_A_PAGE).get_page(number)
        page.object_list = list(page.object_list)
    return page


def find_newest(space: UUID) -> UUID | None:
    """Return the last run that was begun; what failed before it has been tried again."""
    begun = (run.pk for run in recent_runs(space, 2) if run.state != State.WAITING)
    return next(begun, None)


def find_run(space: UUID, run_id: UUID) -> SleepRun:
    """Return one run's record.

    Raises:
        NotFound: the space has none of that id.
    """
    with space_scope(space):
        run = SleepRun.objects.for_space(space).filter(pk=run_id).first()
    if run is None:
        raise NotFound()
    return run


def show_run(run: SleepRun) -> ShownSleep:
    return ShownSleep(
        id=run.pk,
        state=run.state,
        state_label=str(run.get_state_display()),
        trigger=say_trigger(run),
        try_number=run.attempt,
        requested_at=run.requested_at,
        finished_at=run.finished_at,
        processed=run.processed,
        covered=run.covered,
        kept=max(0, run.processed - run.covered - run.let_go - run.left),
        let_go=run.let_go,
        left=run.left,
        created=run.created,
        updated=run.updated,
        parts=[
            (str(category.label), run.categories[category])
            for category in MemoryNode.Category
            if category in run.categories
        ],
        thinker=say_thinker(run),
        duration=say_duration(run.duration_ms),
        error=say_error(run.error) if run.error else "",
    )
