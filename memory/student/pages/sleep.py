"""The pages of sleep: when it last came and will come again, a way to have it now, how far it is, and what each run did."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.llm.offline import OfflineCompanion
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, SleepRun
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.changes import changes_of_run
from memory.student.pages.navigation import render_page
from memory.student.pages.pending import Waiting, say_trigger
from memory.student.sleep.history import recent_runs
from memory.student.sleep.params import SLEEP
from memory.student.sleep.requests import OPEN, find_open_run, request_sleep
from memory.student.sleep.selectors import waiting_for
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


def await_sleep(space: UUID) -> Waiting:
    """Return what the page of sleep shows until its last batch is done."""
    with space_scope(space):
        run = SleepRun.objects.for_space(space).filter(state__in=OPEN).first()
        percent = _percent(space, run) if run is not None else 100
        awaits_key = Space.objects.filter(pk=space, awaiting_key_since__isnull=False).exists()
    return Waiting(
        title=_("Sleeping"),
        label=_label(run, awaits_key=awaits_key),
        percent=percent,
        is_open=run is not None,
        state_url=reverse("memory:sleep_state"),
        done_url=reverse("memory:sleep"),
    )


def _label(run: SleepRun | None, *, awaits_key: bool) -> str:
    if run is None:
        return str(SleepRun.State.SUCCESS.label)
    if run.state == SleepRun.State.WAITING and awaits_key:
        return _("Waiting for your next log-in")
    return str(run.get_state_display())


def _percent(space: UUID, run: SleepRun) -> int:
    """Return the share of what this sleep looks at that it has looked at. Inside the space's scope."""
    done = _done_before(space, run)
    left = waiting_for(space, run).count()
    here = min(left, SLEEP.most_items)
    return int(100 * (done + run.progress * here) / max(done + left, 1))


def _done_before(space: UUID, run: SleepRun) -> int:
    """Return how many memories the earlier runs of the same sleep have looked at."""
    done = 0
    if run.trigger != SleepRun.Trigger.CONTINUED:
        return done
    earlier = SleepRun.objects.for_space(space).filter(pk__lt=run.pk).order_by("-id")
    for trigger, processed in earlier.values_list("trigger", "processed").iterator():
        done += processed
        if trigger != SleepRun.Trigger.CONTINUED:
            break
    return done


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


@require_http_methods(["GET", "HEAD", "POST"])
@memory_page
def sleep(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Say what sleep does, when it came and will come, and have it now."""
    if request.method == "POST":
        return _let_sleep(request, access)
    now = timezone.now()
    waiting = await_sleep(access.space)
    page = list_ended(access.space, request.GET.get("page"))
    context = {
        "plan": plan_of(access.space, now=now),
        "memory_on": access.person.memory_on,
        "waiting": waiting if waiting.is_open else None,
        "page": page,
        "runs": [show_run(run) for run in page],
        "newest": find_newest(access.space),
        "numbers": SLEEP,
    }
    return render_page(request, access, "sleep", context)


@require_safe
@memory_page
def sleep_run(request: PersonRequest, access: MemoryAccess, run_id: UUID) -> HttpResponse:
    """Show one run: what it made, of what, and a way to undo each."""
    run, now = show_run(find_run(access.space, run_id)), timezone.now()
    waiting = await_sleep(access.space)
    context = {
        "run": run,
        "plan": plan_of(access.space, now=now),
        "newest": find_newest(access.space),
        "waiting": waiting if run.is_open and waiting.is_open else None,
        "changes": changes_of_run(access.space, run_id, now=now),
        "numbers": SLEEP,
    }
    return render_page(request, access, "sleep_run", context)


@require_safe
@memory_page
def sleep_state(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Say how far a sleep is, for a page that waits."""
    return JsonResponse(await_sleep(access.space).tell())


def _let_sleep(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    now = timezone.now()
    has_work = plan_of(access.space, now=now).waiting or find_open_run(access.space)
    if not access.person.memory_on:
        messages.info(request, _("Your memory is switched off, so there is nothing to sleep over."))
    elif not has_work:
        messages.info(request, _("There is nothing new to sleep over."))
    else:
        request_sleep(access.space, now=now)
    return redirect("memory:sleep")


def say_error(code: str) -> str:
    """Return what an error on the record means for the person."""
    meanings = {
        "llm.unavailable": _("The language model could not be reached."),
        "llm.timeout": _("The language model took too long."),
        "llm.rate-limited": _("The language model had too much to do."),
        "llm.rejected": _("The language model did not accept what it was asked."),
        "llm.malformed": _("What the language model answered could not be used."),
        "llm.refused": _("The language model declined to answer."),
        "llm.interrupted": _("The language model broke off."),
        "llm.too-long": _("There was more than the language model can read at once."),
        "sleep.not-accounted-for": _("What was thought out did not say what becomes of every memory."),
        "sleep.never-at-rest": _("Your memory changed again and again meanwhile."),
        "embeddings.unavailable": _("What gives words their place by meaning could not be loaded."),
        "space.locked": _("Your memory was locked meanwhile."),
    }
    return meanings.get(code) or _("Something went wrong that has nothing to do with what you said.")


def say_thinker(run: SleepRun) -> str:
    """Return by what a run thought; empty where it did not come so far."""
    if run.provider == OfflineCompanion.name:
        return _("without a language model")
    return run.model or run.provider


def say_duration(milliseconds: int | None) -> str:
    """Return how long something took, as one would say it; empty where that is not known."""
    if milliseconds is None:
        return ""
    seconds = round(milliseconds / 1000)
    if seconds < 1:
        return _("less than a second")
    if seconds < 60:
        return ngettext("%(n)s second", "%(n)s seconds", seconds) % {"n": seconds}
    return _("%(minutes)s min %(seconds)s s") % {"minutes": seconds // 60, "seconds": seconds % 60}
