"""The contexts that an agent built or saved, as its owner reads them: their frames, and why nodes stand in them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.agents.pages.nodes import LABELS
from memory.agents.params import CONTEXT
from memory.agents.search import OWN
from memory.agents.workingset import AgentWorkingSet
from memory.algorithms.activation import TERMS
from memory.models import AgentContext

FRAME_WORDS: dict[str, str | Promise] = {
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
        nodes: as `show_scored` takes them.
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
        ShownFrame(kind=frame["kind"], label=str(FRAME_WORDS[frame["kind"]]), text=_text(frame["data"]))
        for frame in frames
        if frame["data"]
    ]


def _text(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=2)


#: The terms in the order in which they are drawn, each with its word.
TERM_WORDS: Mapping[str, str | Promise] = {
    "meaning": _("Meaning"),
    "edge": _("Links"),
    "recency": _("Recently used"),
    "usage": _("Often used"),
    "task": _("Task"),
    "persona": _("Persona"),
}


@dataclass(frozen=True, kw_only=True)
class Slice:
    """What one term gives to a score: its place in a bar of 100, as attributes have it, and the number."""

    term: str
    label: str
    x: str
    width: str
    share: float


@dataclass(frozen=True, kw_only=True)
class ScoredNode:
    """A node of a context. `slices` is empty and `score` None where only its path was kept.

    Attributes:
        id: of the agent's own node; None where a pack lent it, or it is not remembered any more.
        source: the key of the pack that lent it; "" for none.
    """

    path: str
    id: UUID | None
    type_label: str
    source: str
    score: float | None
    trust: float | None
    slices: Sequence[Slice]


def legend() -> list[tuple[str, str | Promise]]:
    """Return the terms with their words, in the order in which they are drawn."""
    return [(term, TERM_WORDS[term]) for term in TERMS]


def show_scored(held: AgentWorkingSet, nodes: Sequence[Mapping[str, Any]]) -> list[ScoredNode]:
    """Return the nodes of a context with what their scores are made of, in the order given.

    Args:
        nodes: as `Context.nodes` has them, or {"path"} alone.
    """
    return [_show(held, node) for node in nodes]


def _show(held: AgentWorkingSet, node: Mapping[str, Any]) -> ScoredNode:
    row = held.row_of.get(node["path"])
    source = node.get("source", OWN)
    known = source == OWN and row is not None
    return ScoredNode(
        path=node["path"],
        id=held.ids[row] if known and row is not None else None,
        type_label=str(LABELS.get(node.get("type", ""), "")),
        source="" if source == OWN else source,
        score=node.get("score"),
        trust=node.get("trust"),
        slices=_slices(node.get("terms", {}), trust=node.get("trust", 1.0)),
    )


def _slices(terms: Mapping[str, float], *, trust: float) -> list[Slice]:
    """Return the parts of a bar; together they are as long as the score, of a bar that stands for 1."""
    slices, at = [], 0.0
    for term in TERMS if terms else ():
        share = getattr(CONTEXT.activation.weights, term) * float(terms.get(term, 0.0)) * trust
        slices.append(
            Slice(
                term=term,
                label=str(TERM_WORDS[term]),
                x=f"{100 * at:.2f}",
                width=f"{100 * share:.2f}",
                share=share,
            )
        )
        at += share
    return slices
