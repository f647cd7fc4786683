"""What an agent notes of its own work: observations as episodes, discoveries as skills, each with edges to what it is about."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from companion_site.embeddings.protocol import Embedder
from companion_site.ids import new_id
from companion_site.shortening import shorten
from memory.agents.access import AgentAccess
from memory.agents.nodes import upsert_memory
from memory.agents.question import clean_task_id
from memory.nodes.errors import NodeInvalid
from memory.nodes.limits import LABEL_CHARS, LINKS, clean_path, clean_text

TEXT_CHARS = 20_000
OBSERVED, LEARNED = "observed", "learned"
#: how strongly an episode hangs together with what it is about, and a skill with it
ABOUT_WEIGHT = 0.8
LABEL = 120


def observe(
    access: AgentAccess,
    *,
    task_id: str,
    text: str,
    about: Sequence[str] = (),
    outcome: str = "",
    tags: Sequence[str] = (),
    session: str = "",
    now: datetime,
    embedder: Embedder | None = None,
) -> str:
    """Note what was done and what came of it; return the path of the new episode.

    Args:
        about: paths of what it concerns, the agent's own or of its packs.
        outcome: how it ended, in a word or two.
        session: by which `recall_context` finds it again.

    Raises:
        NodeInvalid: what is wrong with it first.
    """
    task = clean_task_id(task_id, field="task_id")
    said = _required(text, "text")
    ended = clean_text(outcome, field="outcome", most=200)
    at = now.astimezone(UTC)
    path = f"episode.{at:%Y-%m-%d}.{at:%H%M%S}-{new_id().hex[-12:]}"
    meta = {"source": OBSERVED, "task": task}
    if session:
        meta["session"] = clean_task_id(session, field="session")
    node = {
        "id": path,
        "type": "episode",
        "label": shorten(said, LABEL),
        "payload": {"details": said, **({"outcome": ended} if ended else {})},
        "links": _links(about, "about"),
        "tags": list(tags),
        "meta": meta,
    }
    upsert_memory(access, [node], now=now, embedder=embedder)
    return path


def learn_skill(
    access: AgentAccess,
    *,
    path: str,
    label: str,
    definition: str,
    examples: Sequence[str] = (),
    anti_patterns: Sequence[str] = (),
    about: Sequence[str] = (),
    tags: Sequence[str] = (),
    task_id: str | None = None,
    now: datetime,
    embedder: Embedder | None = None,
) -> str:
    """Note a way of working that was found; return its path. Said again, it is added to.

    Raises:
        NodeInvalid: what is wrong with it first.
    """
    meta = {"source": LEARNED}
    if task_id is not None:
        meta["task"] = clean_task_id(task_id, field="task_id")
    payload: dict[str, Any] = {"definition": _required(definition, "definition")}
    for name, texts in (("examples", examples), ("anti_patterns", anti_patterns)):
        if texts:
            payload[name] = list(texts)
    node = {
        "id": clean_path(path, field="path"),
        "type": "skill",
        "label": clean_text(label, field="label", most=LABEL_CHARS) or None,
        "payload": payload,
        "links": _links(about, "about"),
        "tags": list(tags),
        "meta": meta,
    }
    upsert_memory(access, [node], now=now, embedder=embedder)
    return path


def _required(text: object, field: str) -> str:
    found = clean_text(text, field=field, most=TEXT_CHARS)
    if not found:
        raise NodeInvalid(field, "missing")
    return found


def _links(about: object, rel: str) -> list[dict[str, Any]]:
    if not isinstance(about, list | tuple):
        raise NodeInvalid("about", "kind")
    if len(about) > LINKS:
        raise NodeInvalid("about", "too-many")
    paths = dict.fromkeys(clean_path(path, field="about") for path in about)
    return [{"to": path, "rel": rel, "w": ABOUT_WEIGHT} for path in paths]
