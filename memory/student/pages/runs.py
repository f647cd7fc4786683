"""The pages of work on the memory: what a clean-up and a sleep do, a way to have them now, how far they are, and what each did."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion_site.accounts.access import Access, student_form, student_page
from companion_site.accounts.requests import PersonRequest
from companion_site.llm.offline import OfflineCompanion
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun, SleepRun
from memory.student.compression.run import request_compression
from memory.student.pages.changes import changes_of_run
from memory.student.pages.navigation import render_page
from memory.student.params import SLEEP
from memory.student.runs import find_open
from memory.student.sleep.selectors import waiting_for
from memory.student.sleep.timing import awaiting, request_sleep

CLEAN_UPS_SHOWN = 10
SLEEPS_ON_A_PAGE = 20
SomeRun = TypeVar("SomeRun", CompressionRun, SleepRun)


@dataclass(frozen=True)
class Shown:
    """One run of a clean-up or a sleep with what is said of it; all but why it ran is of sleep alone."""

    row: Any

    @property
    def trigger(self) -> str:
        """Why it ran; on these pages the person who asked is the one who reads."""
        if self.row.trigger == self.row.Trigger.REQUESTED:
            return _("Asked for by you")
        return str(self.row.get_trigger_display())

    @property
    def thinker(self) -> str:
        """By what it thought; empty where it did not come so far."""
        if self.row.provider == OfflineCompanion.name:
            return _("without a language model")
        return self.row.model or self.row.provider

    @property
    def duration(self) -> str:
        return say_duration(self.row.duration_ms)

    @property
    def error(self) -> str:
        return say_error(self.row.error) if self.row.error else ""


def find_run(Kind: type[SomeRun], space: UUID, run_id: UUID) -> SomeRun:
    """Return one run's record.

    Raises:
        NotFound: the space has none of that id.
    """
    with space_scope(space):
        return Kind.objects.for_space(space).find(pk=run_id)


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """How far work is.

    Attributes:
        state_url: where a script asks how far it is.
        done_url: where what it did is shown.
    """

    title: str
    label: str
    percent: int
    is_open: bool
    state_url: str
    done_url: str

    def tell(self) -> dict[str, Any]:
        """Return what a page that waits asks for again and again."""
        return {"open": self.is_open, "percent": self.percent, "label": self.label}


def await_clean_up(run: CompressionRun) -> Waiting:
    """Return what the page of a clean-up shows until it is over."""
    return Waiting(
        title=_("Cleaning up"),
        label=run.get_state_display(),
        percent=round(100 * run.progress),
        is_open=run.is_open,
        state_url=reverse("memory:clean_up_state", args=[run.pk]),
        done_url=reverse("memory:clean_up_run", args=[run.pk]),
    )


@student_form
def clean_up(request: PersonRequest, access: Access) -> HttpResponse:
    """Say what a clean-up does, and start one."""
    space = access.space
    if request.method == "POST":
        run = request_compression(space, trigger=CompressionRun.Trigger.REQUESTED, now=timezone.now())
        return redirect("memory:clean_up_run", run.pk)
    with space_scope(space):
        rows = CompressionRun.objects.for_space(space).order_by("-id")[:CLEAN_UPS_SHOWN]
        runs = [Shown(row) for row in rows]
    running = next((run.row for run in runs if run.row.is_open), None)
    context = {
        "waiting": await_clean_up(running) if running else None,
        "runs": [run for run in runs if not run.row.is_open],
    }
    return render_page(request, access, "clean_up", context)


@student_page
def clean_up_run(request: PersonRequest, access: Access, run_id: UUID) -> HttpResponse:
    """Show one clean-up: how far it is, or what it did."""
    run = Shown(find_run(CompressionRun, access.space, run_id))
    changes = [] if run.row.is_open else changes_of_run(access.space, run_id, now=timezone.now())
    context = {"run": run, "waiting": await_clean_up(run.row), "changes": changes}
    return render_page(request, access, "clean_up_run", context)


@student_page
def clean_up_state(request: PersonRequest, access: Access, run_id: UUID) -> HttpResponse:
    """Say how far a clean-up is, for a page that waits."""
    return JsonResponse(await_clean_up(find_run(CompressionRun, access.space, run_id)).tell())


def await_sleep(space: UUID) -> Waiting:
    """Return what the page of sleep shows until its last batch is done."""
    percent, label = 100, str(SleepRun.State.SUCCESS.label)
    with space_scope(space):
        run = find_open(SleepRun, space)
        if run is not None:
            percent, label = _percent(space, run), str(run.get_state_display())
            awaits_key = Space.objects.filter(pk=space, awaiting_key_since__isnull=False).exists()
            if run.state == SleepRun.State.WAITING and awaits_key:
                label = _("Waiting for your next log-in")
    return Waiting(
        title=_("Sleeping"),
        label=label,
        percent=percent,
        is_open=run is not None,
        state_url=reverse("memory:sleep_state"),
        done_url=reverse("memory:sleep"),
    )


def _percent(space: UUID, run: SleepRun) -> int:
    """Return the share of what this sleep looks at that it has looked at, by earlier runs too. Inside the space's scope."""
    done = 0
    if run.trigger == SleepRun.Trigger.CONTINUED:
        earlier = SleepRun.objects.for_space(space).filter(pk__lt=run.pk).order_by("-id")
        for trigger, processed in earlier.values_list("trigger", "processed").iterator():
            done += processed
            if trigger != SleepRun.Trigger.CONTINUED:
                break
    left = waiting_for(space, run).count()
    here = min(left, SLEEP.most_items)
    return int(100 * (done + run.progress * here) / max(done + left, 1))


def plan_of(space: UUID, *, now: datetime) -> dict[str, Any]:
    """Return when a memory slept last and will again, whether that waits for a log-in, and how much has yet to be slept over."""
    row = Space.objects.only("next_sleep_at", "awaiting_key_since").get(pk=space)
    with space_scope(space):
        waiting = awaiting(space).count()
        slept = SleepRun.objects.for_space(space).filter(processed__gt=0).order_by("-id")
        last_at = slept.values_list("finished_at", flat=True).first()
    return {
        "last_at": last_at,
        "next_at": row.next_sleep_at,
        "is_due": row.next_sleep_at is not None and row.next_sleep_at <= now,
        "awaits_key": row.awaiting_key_since is not None,
        "waiting": waiting,
    }


def _find_newest(space: UUID) -> UUID | None:
    """Return the last run that was begun; what failed before it has been tried again."""
    with space_scope(space):
        begun = SleepRun.objects.for_space(space).exclude(state=SleepRun.State.WAITING)
        return begun.order_by("-id").values_list("pk", flat=True).first()


@student_form
def sleep(request: PersonRequest, access: Access) -> HttpResponse:
    """Say what sleep does, when it came and will come, and have it now."""
    now = timezone.now()
    plan, waiting = plan_of(access.space, now=now), await_sleep(access.space)
    if request.method == "POST":
        if not access.person.memory_on:
            messages.info(request, _("Your memory is switched off, so there is nothing to sleep over."))
        elif not plan["waiting"] and not waiting.is_open:
            messages.info(request, _("There is nothing new to sleep over."))
        else:
            request_sleep(access.space, now=now)
        return redirect("memory:sleep")
    with space_scope(access.space):
        ended = SleepRun.objects.for_space(access.space).filter(finished_at__isnull=False).order_by("-id")
        page = Paginator(ended, SLEEPS_ON_A_PAGE).get_page(request.GET.get("page"))
        runs = [Shown(run) for run in page]
    context = {
        "plan": plan,
        "memory_on": access.person.memory_on,
        "waiting": waiting if waiting.is_open else None,
        "page": page,
        "runs": runs,
        "newest": _find_newest(access.space),
        "numbers": SLEEP,
    }
    return render_page(request, access, "sleep", context)


@student_page
def sleep_run(request: PersonRequest, access: Access, run_id: UUID) -> HttpResponse:
    """Show one run: what it made, of what, and a way to undo each."""
    run, now = Shown(find_run(SleepRun, access.space, run_id)), timezone.now()
    waiting = await_sleep(access.space)
    context = {
        "run": run,
        "plan": plan_of(access.space, now=now),
        "newest": _find_newest(access.space),
        "waiting": waiting if run.row.is_open and waiting.is_open else None,
        "changes": changes_of_run(access.space, run_id, now=now),
        "numbers": SLEEP,
    }
    return render_page(request, access, "sleep_run", context)


@student_page
def sleep_state(request: PersonRequest, access: Access) -> HttpResponse:
    """Say how far a sleep is, for a page that waits."""
    return JsonResponse(await_sleep(access.space).tell())


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
