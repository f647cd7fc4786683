"""Clean-ups as the pages show them: how far one has come, and what it did, in numbers and in memories."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun
from memory.student.compression.requests import OPEN
from memory.student.pages.pending import Waiting, say_trigger

LATEST = 10


@dataclass(frozen=True, kw_only=True)
class ShownRun:
    """One clean-up in numbers."""

    id: UUID
    trigger: str
    state: str
    state_label: str
    percent: int
    requested_at: datetime
    finished_at: datetime | None
    before: int | None
    after: int | None
    pruned: int
    merged: int
    into: int

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def is_done(self) -> bool:
        return self.state == CompressionRun.State.DONE

    @property
    def changed_nothing(self) -> bool:
        return self.is_done and not self.pruned and not self.merged


def list_runs(space: UUID) -> list[ShownRun]:
    """Return the last clean-ups, the newest first."""
    with space_scope(space):
        return [show_run(run) for run in CompressionRun.objects.for_space(space).order_by("-id")[:LATEST]]


def find_run(space: UUID, run_id: UUID) -> ShownRun:
    """Return one clean-up.

    Raises:
        NotFound: the space has none of that id.
    """
    with space_scope(space):
        run = CompressionRun.objects.for_space(space).filter(pk=run_id).first()
    if run is None:
        raise NotFound()
    return show_run(run)


def show_run(run: CompressionRun) -> ShownRun:
    pruned, merged = run.loss.get("pruned", {}), run.loss.get("merged", {})
    return ShownRun(
        id=run.pk,
        trigger=say_trigger(run),
        state=run.state,
        state_label=run.get_state_display(),
        percent=round(100 * run.progress),
        requested_at=run.requested_at,
        finished_at=run.finished_at,
        before=run.before.get("nodes"),
        after=run.after.get("nodes"),
        pruned=pruned.get("nodes", 0),
        merged=merged.get("nodes", 0),
        into=merged.get("into", 0),
    )


def await_run(run: ShownRun) -> Waiting:
    """Return what the page of a clean-up shows until it is over."""
    return Waiting(
        title=_("Cleaning up"),
        label=run.state_label,
        percent=run.percent,
        is_open=run.is_open,
        state_url=reverse("memory:clean_up_state", args=[run.id]),
        done_url=reverse("memory:clean_up_run", args=[run.id]),
    )
