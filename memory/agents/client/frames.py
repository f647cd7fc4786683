"""From selected nodes to frames within a budget. Pure: the same nodes, the same bytes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memory.agents.client.contexts import KINDS, Task
from memory.algorithms.hdod import cut_text, materialise, render

Node = Mapping[str, Any]
Count = Callable[[str], int]
#: What knowledge may take of the budget where the others leave room. Source: row K4.
MOST = 0.60
#: What each of the others may take: together so much that 40 % are left for knowledge.
SHARES = {"identity": 0.10, "problem": 0.15, "episodic": 0.15, "constraints": 0.10, "scratchpad": 0.10}
EPISODE_CHARS = 400


def compose(
    task: Task,
    query: str,
    nodes: Sequence[Node],
    *,
    identity: str,
    scratchpad: str,
    budget_tokens: int,
    count: Count,
) -> tuple[dict[str, Any], list[str], int]:
    """Return the frames in their order, the paths of the nodes that they show, and the tokens they cost.

    Args:
        nodes: selected, best first.
    """
    episodes = [node for node in nodes if node.get("type") == "episode"]
    texts = {
        "identity": identity,
        "problem": task.problem or query,
        "constraints": task.constraints,
        "scratchpad": scratchpad,
    }
    frames: dict[str, Any] = {
        kind: fit(text, int(SHARES[kind] * budget_tokens), count=count) for kind, text in texts.items()
    }
    frames["episodic"], told = tell_episodes(
        episodes, budget_tokens=int(SHARES["episodic"] * budget_tokens), count=count
    )
    used = sum(count(text) for text in frames.values() if text)
    room = max(0, min(int(MOST * budget_tokens), budget_tokens - used))
    knowledge = [node for node in nodes if node.get("type") != "episode"]
    frames["knowledge"], shown = materialise(knowledge, budget_tokens=room, count=count)
    if shown:
        used += count(render(frames["knowledge"]))
    return {kind: frames[kind] for kind in KINDS}, [*shown, *told], used


def fit(text: str, budget_tokens: int, *, count: Count) -> str:
    """Return as much of the beginning of a text as the budget has room for."""
    low, high = 0, len(text)
    if count(text) <= budget_tokens:
        return text
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(cut_text(text, middle)) <= budget_tokens else (low, middle - 1)
    return cut_text(text, low) if low else ""


def tell_episodes(episodes: Sequence[Node], *, budget_tokens: int, count: Count) -> tuple[str, list[str]]:
    """Return the episodes as a list, the earliest first, and the paths of those in it; the last ones stay when room is short."""
    lines: list[str] = []
    shown: list[str] = []
    for node in sorted(episodes, key=_when, reverse=True):
        line = _line(node)
        if count("\n".join([line, *lines])) > budget_tokens:
            break
        lines.insert(0, line)
        shown.append(node["id"])
    return "\n".join(lines), shown


def _when(node: Node) -> tuple[str, str]:
    """Return by what episodes are ordered: the time that they say, else their path, which begins with one."""
    return str((node.get("meta") or {}).get("at", "")), node["id"]


def _line(node: Node) -> str:
    payload = node.get("payload") or {}
    text = " ".join(str(payload.get("details") or payload.get("definition") or node.get("label", "")).split())
    outcome = payload.get("outcome")
    return cut_text(f"- {text}{f' ({outcome})' if outcome else ''}", EPISODE_CHARS)
