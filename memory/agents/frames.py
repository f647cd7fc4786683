"""The frames of a context, in their order and within its budget: who, what, what is known, what was done, what binds, notes.

Pure, since agents' own programs compose them too. What is remembered stands in frames as data; none of them is a place for
instructions of the site's own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from memory.agents.params import CONTEXT
from memory.algorithms.hdod import cut_text, materialise, render

KINDS = ("identity", "problem", "knowledge", "episodic", "constraints", "scratchpad")
FORMATS: Mapping[str, str] = {kind: "hdod.json" if kind == "knowledge" else "markdown" for kind in KINDS}
#: What a scratchpad begins with; a task's last one is carried on.
SCRATCHPAD = "Plan:\n\nInvariants:\n\nOpen questions:\n"
#: An episode is one line of so many characters at the most, its outcome of so many.
EPISODE_CHARS, OUTCOME_CHARS = 400, 40
#: Of what is not the knowledge frame's, what each frame may take before any takes more; and who is served first then.
SHARES: Mapping[str, float] = {
    "problem": 0.35,
    "constraints": 0.20,
    "episodic": 0.20,
    "identity": 0.15,
    "scratchpad": 0.10,
}
Node = Mapping[str, Any]
Count = Callable[[str], int]


@dataclass(frozen=True, kw_only=True)
class Task:
    """What an agent works on.

    Attributes:
        id: by which its episodes are found again.
        problem: in words; the query stands in for it.
    """

    id: str
    tags: Sequence[str] = ()
    problem: str = ""
    constraints: str = ""


@dataclass(frozen=True)
class Frames:
    """The frames by kind in their order, and the paths of the nodes that stand in the knowledge and episodic ones."""

    frames: dict[str, Any]
    kept: Sequence[str]
    tokens: int


def compose_frames(
    texts: Mapping[str, str],
    knowledge: Sequence[Node],
    episodes: Sequence[Node],
    *,
    budget_tokens: int,
    count: Count,
    around: Mapping[str, int],
) -> Frames:
    """Return the frames: the others take what knowledge leaves of the budget.

    Args:
        texts: of identity, problem, constraints and scratchpad.
        knowledge, episodes: nodes of the wire, best first; beside what they say an episode has "at", seconds since the epoch,
            and what is known may have its "text" as `materialise` takes it.
        count: tokens of a text; around: by kind, what a frame that is not empty costs beside them.
    """

    def cost(kind: str, text: str) -> int:
        return count(text) + around[kind] if text else 0

    lines = [tell_episode(episode) for episode in episodes]
    needs = {kind: cost(kind, text) for kind, text in (*texts.items(), ("episodic", "\n".join(lines)))}
    left = budget_tokens - sum(needs.values())
    least, most = (int(budget_tokens * share) for share in (CONTEXT.knowledge_least, CONTEXT.knowledge_most))
    for_knowledge = min(max(left, least), most)
    rooms = share_out(needs, budget_tokens - for_knowledge)
    told = {node["id"]: node["text"] for node in reversed(knowledge) if "text" in node}
    tree, kept = materialise(
        knowledge, budget_tokens=for_knowledge - around["knowledge"], count=count, texts=told
    )
    line_up, told_episodes = _fit_episodes(episodes, lines, rooms["episodic"], partial(cost, "episodic"))
    fitted = {kind: fit_text(text, rooms[kind], partial(cost, kind)) for kind, text in texts.items()}
    every: dict[str, Any] = {**fitted, "knowledge": tree, "episodic": line_up}
    frames = {kind: every[kind] for kind in KINDS}
    said = {**fitted, "episodic": line_up, "knowledge": render(tree) if tree else ""}
    return Frames(frames, [*kept, *told_episodes], sum(cost(kind, text) for kind, text in said.items()))


def as_list(frames: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return frames in the form in which they are saved; empty ones are left out."""
    return [{"kind": kind, "format": FORMATS[kind], "data": data} for kind, data in frames.items() if data]


def tell_episode(node: Node) -> str:
    """Return an episode as one line: when, how it ended, what it was."""
    payload, label = node.get("payload") or {}, node.get("label") or node["id"].rpartition(".")[2]
    outcome = payload.get("outcome")
    ended = f" [{_one_line(outcome, OUTCOME_CHARS)}]" if isinstance(outcome, str) and outcome else ""
    details = payload.get("details") or payload.get("definition") or ""
    if not isinstance(details, str) or not details:
        text = label
    else:
        text = details if details.startswith(label.rstrip("…")) else f"{label}: {details}"
    when = f"{datetime.fromtimestamp(node['at'], UTC):%Y-%m-%d %H:%M}" if node["at"] else "once"
    return f"- {when}{ended} {_one_line(text, EPISODE_CHARS)}"


def _one_line(text: str, most: int) -> str:
    return cut_text(" ".join(text.split()), most)


def share_out(needs: Mapping[str, int], room: int) -> dict[str, int]:
    """Return how many tokens each frame gets: what it needs within its share, then of what the others leave over."""
    given = {kind: min(needs[kind], int(room * share)) for kind, share in SHARES.items()}
    left = room - sum(given.values())
    for kind in SHARES:
        more = min(needs[kind] - given[kind], left)
        given[kind] += more
        left -= more
    return given


def fit_text(text: str, room: int, cost: Count) -> str:
    """Return as much of the beginning of a text as costs no more than the room, cut at a sentence or word."""
    if cost(text) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(cut_text(text, middle)) <= room else (low, middle - 1)
    return cut_text(text, low)


def _fit_episodes(
    episodes: Sequence[Node], lines: Sequence[str], room: int, cost: Count
) -> tuple[str, list[str]]:
    """Return the episodic frame, oldest first, and the paths that stand in it: the best as far as they fit whole."""
    kept: list[int] = []
    for at in range(len(episodes)):
        if cost("\n".join(lines[one] for one in [*kept, at])) <= room:
            kept.append(at)
    in_time = sorted(kept, key=lambda at: (episodes[at]["at"], episodes[at]["id"]))
    return "\n".join(lines[at] for at in in_time), [episodes[at]["id"] for at in kept]
