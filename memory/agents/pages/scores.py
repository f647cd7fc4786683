"""Why nodes are in a context, as a picture: of each, the six terms that its score is the weighted sum of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.agents.pages.browser import LABELS
from memory.agents.params import CONTEXT
from memory.agents.search import OWN
from memory.agents.workingset import AgentWorkingSet
from memory.algorithms.activation import TERMS

#: The terms in the order in which they are drawn, each with its word.
WORDS: Mapping[str, str | Promise] = {
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
    return [(term, WORDS[term]) for term in TERMS]


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
                label=str(WORDS[term]),
                x=f"{100 * at:.2f}",
                width=f"{100 * share:.2f}",
                share=share,
            )
        )
        at += share
    return slices
