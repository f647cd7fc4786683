"""The contexts that an agent built or saved, as its owner reads them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.models import AgentContext

WORDS: dict[str, str | Promise] = {
    "identity": _("Identity"),
    "problem": _("Problem"),
    "knowledge": _("Knowledge"),
    "episodic": _("What was done"),
    "constraints": _("Constraints"),
    "scratchpad": _("Scratchpad"),
}
#: Contexts on one page of their list.
A_PAGE = 20


@dataclass(frozen=True, kw_only=True)
class ShownFrame:
    """One frame, as text."""

    kind: str
    label: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ShownContext:
    """A context, its words opened.

    Attributes:
        is_built: the site built it; a program saved the others.
        nodes: as `memory.agents.pages.scores` takes them.
    """

    id: UUID
    task: str
    is_built: bool
    saved_at: datetime
    tokens: int
    outcome: str
    outcome_label: str
    covered: bool | None
    drift: float | None
    working_set: int | None
    frames: Sequence[ShownFrame]
    nodes: Sequence[dict[str, Any]]


def contexts_of(space: UUID, *, page: int) -> tuple[list[ShownContext], bool]:
    """Return a page of an agent's contexts, the newest first, and whether there are older ones. The space is unlocked."""
    first = (page - 1) * A_PAGE
    with space_scope(space, reading=True):
        rows = list(AgentContext.objects.for_space(space).order_by("-id")[first : first + A_PAGE + 1])
    return [show_context(row) for row in rows[:A_PAGE]], len(rows) > A_PAGE


def find_context(space: UUID, context: UUID) -> ShownContext:
    """Return one context. The space is unlocked.

    Raises:
        NotFound: the agent has none of this id.
    """
    with space_scope(space, reading=True):
        row = AgentContext.objects.for_space(space).filter(pk=context).first()
    if row is None:
        raise NotFound()
    return show_context(row)


def show_context(row: AgentContext) -> ShownContext:
    content = row.content
    return ShownContext(
        id=row.pk,
        task=content["task_id"],
        is_built=row.working_set is not None,
        saved_at=row.saved_at,
        tokens=row.tokens,
        outcome=row.outcome,
        outcome_label=row.get_outcome_display(),
        covered=row.covered,
        drift=row.drift,
        working_set=row.working_set,
        frames=show_frames(content["frames"]),
        nodes=content.get("shown") or [{"path": path} for path in content["nodes"]],
    )


def show_frames(frames: Sequence[dict[str, Any]]) -> list[ShownFrame]:
    """Return frames as texts, in the order given; empty ones are left out."""
    return [
        ShownFrame(kind=frame["kind"], label=str(WORDS[frame["kind"]]), text=_text(frame["data"]))
        for frame in frames
        if frame["data"]
    ]


def _text(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=2)
