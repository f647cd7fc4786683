"""Figures about memory, as the setting `FIGURES` names them: how sleep goes, and what failed and waits for a look."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from companion_site.accounts.models import Person
from companion_site.errors import NotFound
from companion_site.metrics.figures import ReviewList, Standing, ToReview, shown_number, shown_time
from memory.figures.charts import charts as charts
from memory.figures.gauges import count_to_review
from memory.figures.gauges import gauges as gauges
from memory.student.sleep.history import list_failed, overdue_spaces, review_run

FAILED_SLEEPS = "failed-sleeps"
#: Failed tries shown at once; the next come up when these have been reviewed.
MOST_SHOWN = 10


def count_overdue_sleeps(now: datetime) -> int:
    """Return how many spaces should have slept long ago: what `/readyz` tells beside its checks."""
    return overdue_spaces(now).count


def standings(now: datetime) -> Iterator[Standing]:
    """Yield whether sleep is late."""
    overdue = overdue_spaces(now)
    late = _("none") if overdue.oldest is None else shown_time((now - overdue.oldest).total_seconds() * 1000)
    yield Standing(
        label=_("Overdue sleeps"),
        value=shown_number(overdue.count),
        is_well=not overdue.count,
        advice=_(
            "The latest should have slept %(late)s ago. Look whether the worker runs and its schedules are due; "
            "a space that fails again and again stands in the list below."
        )
        % {"late": late}
        if overdue.count
        else "",
    )
    yield Standing(label=_("Failed sleeps to look at"), value=shown_number(count_to_review()))


def review_lists() -> Iterator[ReviewList]:
    """Yield the failed tries that nobody has looked at."""
    yield ReviewList(
        slug=FAILED_SLEEPS,
        title=_("Failed sleeps"),
        told=_(
            "Each is one try that came to nothing; no memory was changed by it, and the next try comes by itself. "
            "Mark as reviewed what you have looked into."
        ),
        empty=_("No failed sleep waits for a look."),
        head=(_("Error"), _("Try"), _("Provider")),
        rows=[
            ToReview(
                space=failed.space_id,
                row=failed.pk,
                page="memory_sleeprun",
                at=failed.requested_at,
                cells=(failed.error, str(failed.attempt), failed.provider or "\u2013"),
            )
            for failed in list_failed(limit=MOST_SHOWN)
        ],
    )


def mark_reviewed(slug: str, space: UUID, row: UUID, *, now: datetime, actor: Person) -> None:
    """Note that somebody has looked at a failed try. Raises NotFound: there is no such try, or no such list."""
    if slug != FAILED_SLEEPS:
        raise NotFound()
    review_run(space, row, now=now, actor=actor)
