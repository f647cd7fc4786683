"""The frames of a context, in their order and within its budget: who, what, what is known, what was done, what binds, notes.

Sizes are counted as they are for the chat (`companion_site.llm.tokens`). What is remembered stands in frames as data;
none of them is a place for instructions of the site's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from companion_site.llm.tokens import BYTES_PER_TOKEN, TOKENS_PER_MESSAGE, count_tokens, estimate_tokens
from companion_site.shortening import shorten
from memory.agents.params import ContextParams
from memory.algorithms.hdod import cut_text, materialise, render

KINDS = ("identity", "problem", "knowledge", "episodic", "constraints", "scratchpad")
FORMATS: Mapping[str, str] = {kind: "hdod.json" if kind == "knowledge" else "markdown" for kind in KINDS}
#: What a scratchpad begins with; a task's last one is carried on.
SCRATCHPAD = "Plan:\n\nInvariants:\n\nOpen questions:\n"
#: An episode is one line of so many characters at the most.
EPISODE_CHARS = 400
#: Of what is not the knowledge frame's, what each frame may take before any takes more; and who is served first then.
SHARES: Mapping[str, float] = {
    "problem": 0.35,
    "constraints": 0.20,
    "episodic": 0.20,
    "identity": 0.15,
    "scratchpad": 0.10,
}


@dataclass(frozen=True, kw_only=True)
class Told:
    """What the frames are made of, each the most important first.

    Attributes:
        knowledge: nodes in wire form, each with its "text" as `materialise` takes it.
    """

    identity: str
    problem: str
    knowledge: Sequence[Mapping[str, Any]]
    episodes: Sequence[Mapping[str, Any]]
    constraints: str
    scratchpad: str


@dataclass(frozen=True)
class Frames:
    """The frames by kind in their order, and the paths of the nodes that stand in the knowledge and episodic ones."""

    frames: dict[str, Any]
    kept: Sequence[str]
    tokens: int


def compose_frames(told: Told, *, budget_tokens: int, params: ContextParams) -> Frames:
    """Return the frames: the knowledge frame takes 40 to 60 % of the budget at the most, the others what is left."""
    lines = [tell_episode(episode) for episode in told.episodes]
    texts = {
        "identity": told.identity,
        "problem": told.problem,
        "constraints": told.constraints,
        "scratchpad": told.scratchpad,
        "episodic": "\n".join(lines),
    }
    needs = {kind: count_tokens([text]) if text else 0 for kind, text in texts.items()}
    least, most = (int(budget_tokens * share) for share in (params.knowledge_least, params.knowledge_most))
    for_knowledge = min(max(budget_tokens - sum(needs.values()), least), most)
    rooms = share_out(needs, budget_tokens - for_knowledge)
    tree, kept = materialise(
        told.knowledge,
        budget_tokens=for_knowledge - TOKENS_PER_MESSAGE,
        count=estimate_tokens,
        texts={node["id"]: node["text"] for node in reversed(told.knowledge)},
    )
    episodes, told_episodes = _fit_episodes(told.episodes, lines, rooms["episodic"])
    frames = {
        "identity": fit_text(told.identity, rooms["identity"]),
        "problem": fit_text(told.problem, rooms["problem"]),
        "knowledge": tree,
        "episodic": episodes,
        "constraints": fit_text(told.constraints, rooms["constraints"]),
        "scratchpad": fit_text(told.scratchpad, rooms["scratchpad"]),
    }
    return Frames(frames, [*kept, *told_episodes], count_frames(frames))


def count_frames(frames: Mapping[str, Any]) -> int:
    """Return the tokens of frames by estimate, each as one message; an empty one costs nothing."""
    texts = [render(data) if isinstance(data, dict) else data for data in frames.values() if data]
    return count_tokens(texts)


def as_list(frames: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return frames in the form in which they are saved; empty ones are left out."""
    return [{"kind": kind, "format": FORMATS[kind], "data": data} for kind, data in frames.items() if data]


def tell_episode(node: Mapping[str, Any]) -> str:
    """Return an episode as one line: when, how it ended, what it was."""
    payload = node["payload"]
    outcome = payload.get("outcome")
    ended = f" [{shorten(outcome, 40)}]" if isinstance(outcome, str) and outcome else ""
    details = payload.get("details") or payload.get("definition") or ""
    more = details if isinstance(details, str) and not details.startswith(node["label"].rstrip("…")) else ""
    text = f"{node['label']}: {more}" if more else node["label"]
    when = f"{datetime.fromtimestamp(node['at'], UTC):%Y-%m-%d %H:%M}" if node["at"] else "once"
    return f"- {when}{ended} {shorten(text, EPISODE_CHARS)}"


def share_out(needs: Mapping[str, int], room: int) -> dict[str, int]:
    """Return how many tokens each frame gets: what it needs within its share, then of what the others leave over."""
    given = {kind: min(needs[kind], int(room * share)) for kind, share in SHARES.items()}
    left = room - sum(given.values())
    for kind in SHARES:
        more = min(needs[kind] - given[kind], left)
        given[kind] += more
        left -= more
    return given


def fit_text(text: str, room: int) -> str:
    """Return a text of at most so many tokens, cut at a sentence or word; "" where that is not worth a message."""
    if not text or count_tokens([text]) <= room:
        return text
    most_bytes = int((room - TOKENS_PER_MESSAGE) * BYTES_PER_TOKEN)
    if most_bytes <= 0:
        return ""
    characters = len(text.encode()[:most_bytes].decode(errors="ignore"))
    cut = cut_text(text, characters)
    while cut and count_tokens([cut]) > room:
        characters -= 1
        cut = cut_text(text, characters)
    return cut


def _fit_episodes(
    episodes: Sequence[Mapping[str, Any]], lines: Sequence[str], room: int
) -> tuple[str, list[str]]:
    """Return the episodic frame, oldest first, and the paths that stand in it: the best as far as they fit whole."""
    kept: list[int] = []
    for at in range(len(episodes)):
        if count_tokens(["\n".join(lines[one] for one in [*kept, at])]) <= room:
            kept.append(at)
    in_time = sorted(kept, key=lambda at: (episodes[at]["at"], episodes[at]["id"]))
    return "\n".join(lines[at] for at in in_time), [episodes[at]["id"] for at in kept]
