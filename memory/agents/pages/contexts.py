"""The contexts that an agent built or saved, as its owner reads them: their frames, and why nodes stand in them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.agents.pages.nodes import LABELS
from memory.agents.search import OWN
from memory.agents.workingset import AgentWorkingSet
from memory.algorithms.activation import ACTIVATION, TERMS

FRAME_WORDS: dict[str, str | Promise] = {
    "identity": _("Identity"),
    "problem": _("Problem"),
    "knowledge": _("Knowledge"),
    "episodic": _("What was done"),
    "constraints": _("Constraints"),
    "scratchpad": _("Scratchpad"),
}


def show_frames(frames: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """Return frames as texts with their labels, in the order given; empty ones are left out."""
    return [
        {"label": str(FRAME_WORDS[frame["kind"]]), "text": _text(frame["data"])}
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


def legend() -> list[tuple[str, str | Promise]]:
    """Return the terms with their words, in the order in which they are drawn."""
    return [(term, TERM_WORDS[term]) for term in TERMS]


def show_scored(held: AgentWorkingSet, nodes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the nodes of a context with what their scores are made of, in the order given.

    Each has the "id" of the agent's own node, None where a pack lent it or it is gone, and as "source" the key of that pack.

    Args:
        nodes: as `Context.nodes` has them, or {"path"} alone, which leaves "slices" empty.
    """
    shown = []
    for node in nodes:
        source, row = node.get("source", OWN), held.row_of.get(node["path"])
        more = {
            "id": held.ids[row] if source == OWN and row is not None else None,
            "type_label": str(LABELS.get(node.get("type", ""), "")),
            "source": "" if source == OWN else source,
            "slices": _slices(node.get("terms", {}), trust=node.get("trust", 1.0)),
        }
        shown.append({**node, **more})
    return shown


def _slices(terms: Mapping[str, float], *, trust: float) -> list[dict[str, Any]]:
    """Return the parts of a bar of 100 that stands for 1, as attributes have them; together they are as long as the score."""
    slices, at = [], 0.0
    for term in TERMS if terms else ():
        share = getattr(ACTIVATION.weights, term) * float(terms.get(term, 0.0)) * trust
        place = {"x": f"{100 * at:.2f}", "width": f"{100 * share:.2f}"}
        slices.append({"term": term, "label": str(TERM_WORDS[term]), "share": share, **place})
        at += share
    return slices
