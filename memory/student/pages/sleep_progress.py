"""How far a sleep is: over all its batches, of which each is a run of its own."""

from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import SleepRun
from memory.student.pages.pending import Waiting
from memory.student.sleep.params import SLEEP
from memory.student.sleep.requests import OPEN
from memory.student.sleep.selectors import waiting_for


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
