"""Probe, bloom, trim over the seven tools; and going on when the memory is away.

Each call tries the memory first. Where nobody answers, a context is made of the working set alone, and what was to be
written waits. What waits goes first when the memory is back, in its order; until it has gone, everything new goes behind it.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any
from uuid import UUID, uuid4

from memory.agents.client.adapters import Adapter, MemoryUnreachable
from memory.agents.client.contexts import (
    BETWEEN,
    Context,
    Selected,
    activate,
    check_nodes,
    estimate_tokens,
    head,
)
from memory.agents.client.pending import PendingCalls, Reaching, as_sent
from memory.agents.client.workingset import WorkingSet, moment_of
from memory.agents.frames import KINDS, SCRATCHPAD, Task, as_list, compose_frames
from memory.agents.links import links_of
from memory.agents.mcp import protocol
from memory.agents.params import SEARCH
from memory.algorithms.activation import ACTIVATION
from memory.algorithms.hdod import cut_text

MOST_FETCHED = 200
#: So much of a scratchpad goes into each save of a context; a memory takes no larger frame.
NOTE_CHARS = 60_000
LABEL_CHARS = 120
#: how strongly an episode or a skill hangs together with what it is about
ABOUT_WEIGHT = 0.8

Node = Mapping[str, Any]


class MemoryOrchestrator:
    """What an agent's program keeps of its memory, and how it asks for more. One context at a time.

    Whatever is to be written raises MemoryRefused where the memory says no, and PendingFull where nobody answers and no more
    can wait.
    """

    def __init__(
        self,
        adapter: Adapter,
        *,
        identity: str = "",
        pending: PendingCalls | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        Args:
            identity: who the agent is and which tools it has, for the first frame.
            pending: where calls wait; in memory alone where nothing is given.
        """
        self.working_set = WorkingSet()
        self.pending = pending if pending is not None else PendingCalls()
        self._identity, self._now = identity, now
        self._reaching = Reaching(adapter, self.pending, clock_s=clock_s)
        self._scratchpads: dict[str, str] = {}
        self._one_at_a_time = asyncio.Lock()

    async def __aenter__(self) -> "MemoryOrchestrator":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.replay()
        finally:
            self.pending.close()

    async def build_context(
        self,
        query: str,
        task: Task,
        budget_tokens: int,
        *,
        persona: Sequence[str] = (),
        save: bool = True,
    ) -> Context:
        """Return what an agent should know for a query, and have the memory keep it.

        Args:
            persona: tags of the persona that the agent acts as.
        """
        async with self._one_at_a_time:
            self.working_set.forget_stale(now=self._now())
            self.working_set.tick += 1
            scores, is_remembered = await self._probe(query, task)
            lit = activate(
                self.working_set,
                query,
                scores if is_remembered else None,
                tags=task.tags,
                persona=persona,
                now=self._now(),
            )
            nodes = [self.working_set.node(one.path) for one in lit]
            framed = compose_frames(
                {
                    "identity": self._identity,
                    "problem": task.problem or query,
                    "constraints": task.constraints,
                    "scratchpad": self._scratchpads.get(task.id, SCRATCHPAD),
                },
                [node for node in nodes if node.get("type") != "episode"],
                [dated(node) for node in nodes if node.get("type") == "episode"],
                budget_tokens=budget_tokens,
                count=estimate_tokens,
                around={kind: estimate_tokens(head(kind) + BETWEEN) for kind in KINDS},
            )
            kept = set(framed.kept)
            self.working_set.use(framed.kept, now=self._now())
            self.working_set.forget_stale(now=self._now())
            selected: tuple[Selected, ...] = tuple(one for one in lit if one.path in kept)
            save_id = await self._save_built(task, framed.frames, selected) if save else None
        return Context(
            frames=framed.frames,
            nodes=selected,
            tokens=framed.tokens,
            is_remembered=is_remembered,
            save_id=save_id,
        )

    async def save_context(
        self,
        task: Task,
        frames: Mapping[str, Any],
        nodes: Sequence[str] = (),
        *,
        outcome: str = "",
        save_id: UUID | None = None,
    ) -> UUID:
        """Have the memory keep frames, now or when it is back; return the id of the save.

        Args:
            outcome: "helped" or "failed", where that is known; sources that do not help are weighed down.
        """
        save_id = save_id or uuid4()
        await self._reaching.write(
            protocol.SAVE_CONTEXT,
            {
                "task_id": task.id,
                "frames": as_list(frames),
                "nodes": list(nodes),
                "client_id": str(save_id),
                "outcome": outcome,
            },
        )
        if isinstance(frames.get("scratchpad"), str):
            self._scratchpads[task.id] = frames["scratchpad"]
        return save_id

    async def note(self, task: Task, text: str) -> None:
        """Put a text on a task's scratchpad; the contexts that follow carry it on."""
        await self.save_context(task, {"scratchpad": text})

    async def report(self, task: Task, context: Context, outcome: str) -> None:
        """Say whether a context was of use: "helped" or "failed". Sources that do not help are weighed down."""
        await self.save_context(task, {}, [one.path for one in context.nodes], outcome=outcome)

    async def observe(self, task: Task, text: str, *, about: Sequence[str] = (), outcome: str = "") -> str:
        """Remember that something was done and what came of it; return the path of the episode."""
        node = episode(task, text, about=about, outcome=outcome, now=self._now())
        await self.remember([node])
        return str(node["id"])

    async def learn(
        self,
        path: str,
        definition: str,
        *,
        kind: str = "skill",
        examples: Sequence[str] = (),
        anti_patterns: Sequence[str] = (),
        about: Sequence[str] = (),
        tags: Sequence[str] = (),
    ) -> None:
        """Remember something general that was learned, as a skill or a pattern."""
        payload = {"definition": definition, "examples": list(examples), "anti_patterns": list(anti_patterns)}
        learned = {
            "id": path,
            "type": kind,
            "payload": {name: value for name, value in payload.items() if value},
            "links": links_to(about),
            "tags": list(tags),
            "meta": {"source": "learned"},
        }
        await self.remember([learned])

    async def remember(self, nodes: Sequence[Node]) -> None:
        """Remember nodes, now or when the memory is back; at once they are in mind."""
        told = as_sent([dict(node) for node in nodes])
        check_nodes(told, now=self._now())
        await self._reaching.write(protocol.UPSERT_MEMORY, {"nodes": told, "merge": True})
        async with self._one_at_a_time:
            self.working_set.take_in(told, now=self._now())
            self.working_set.light_up([node["id"] for node in told], [1.0] * len(told))
            self.working_set.forget_stale(now=self._now())

    async def replay(self) -> int:
        """Make the calls that wait; return how many were made. Stops where nobody answers.

        Raises:
            NotLetIn: the memory does not listen to this program; everything waits on.
        """
        return await self._reaching.replay()

    async def _save_built(self, task: Task, frames: Mapping[str, Any], selected: Sequence[Selected]) -> UUID:
        """Save a context. Its scratchpad is what somebody wrote, whole: what a small budget cut off would be lost."""
        told = {kind: data for kind, data in frames.items() if kind != "scratchpad"}
        if task.id in self._scratchpads:
            told["scratchpad"] = cut_text(self._scratchpads[task.id], NOTE_CHARS)
        return await self.save_context(task, told, [one.path for one in selected])

    async def _probe(self, query: str, task: Task) -> tuple[dict[str, float], bool]:
        """Take in what the memory tells of a query and a task, and what that leads to.

        Returns:
            The scores of what was found, by path, and whether somebody answered.
        """
        try:
            await self.replay()
            hits = await self._search(query)
            if len(hits) < SEARCH.sparse and task.tags:
                hits = {**await self._search(" ".join(task.tags), tags=task.tags), **hits}
            recalled = await self._reaching.ask(
                protocol.RECALL_CONTEXT, {"scope": "task", "id": task.id, "k": SEARCH.limit}
            )
            episodes = recalled.get("nodes", [])
            # Frames come newest first: the scratchpad that was saved last is carried on.
            for frame in reversed(recalled.get("frames", [])):
                if frame["kind"] == "scratchpad" and isinstance(frame["data"], str):
                    self._scratchpads[task.id] = frame["data"]
            self.working_set.take_in(episodes, now=self._now())
            await self._fetch_linked([*hits, *(node["id"] for node in episodes)])
        except MemoryUnreachable:
            return {}, False
        return {**{node["id"]: 0.0 for node in episodes}, **hits}, True

    async def _search(self, query: str, *, tags: Sequence[str] = ()) -> dict[str, float]:
        """Take in what a search finds; return the scores by path."""
        filters = {"tags": list(tags)} if tags else {}
        found = await self._reaching.ask(
            protocol.SEARCH_MEMORY, {"query": query, "k": SEARCH.limit, "filters": filters}
        )
        self.working_set.take_in((hit["node"] for hit in found["nodes"]), now=self._now())
        return {hit["node"]["id"]: float(hit["score"]) for hit in found["nodes"]}

    async def _fetch_linked(self, paths: Iterable[str]) -> None:
        """Take in what the nodes at `paths` lead to, hop by hop, as far as activation looks."""
        frontier, asked = list(paths), set()
        for _ in range(ACTIVATION.hops):
            wanted = [
                to
                for path in frontier
                if path in self.working_set
                for to, _weight in heaviest(self.working_set.node(path))[: ACTIVATION.max_per_node]
            ]
            frontier = list(dict.fromkeys(wanted))
            missing = [to for to in frontier if to not in self.working_set and to not in asked]
            asked.update(missing)
            if missing:
                filters = {"ids": missing[:MOST_FETCHED]}
                found = await self._reaching.ask(protocol.SEARCH_MEMORY, {"query": "", "filters": filters})
                self.working_set.take_in((hit["node"] for hit in found["nodes"]), now=self._now())


def heaviest(node: Node) -> list[tuple[str, float]]:
    """Return where a node leads and how strongly, the heaviest first."""
    return sorted(links_of(node), key=lambda link: (-link[1], link[0]))


def episode(task: Task, text: str, *, about: Sequence[str], outcome: str, now: datetime) -> dict[str, Any]:
    """Return something that was done as a node; its path is its own, so that it can be sent twice."""
    at = now.astimezone(UTC)
    return {
        "id": f"episode.{at:%Y-%m-%d}.{at:%H%M%S}-{secrets.token_hex(6)}",
        "type": "episode",
        "label": cut_text(" ".join(text.split()), LABEL_CHARS),
        "payload": {"details": text, **({"outcome": outcome} if outcome else {})},
        "links": links_to(about),
        "tags": list(task.tags),
        "meta": {"source": "observed", "task": task.id, "at": at.isoformat()},
    }


def dated(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return an episode with "at", when it was: seconds since the epoch, 0.0 where it does not say."""
    found = moment_of((node.get("meta") or {}).get("at"))
    return {**node, "at": found.timestamp() if found else 0.0}


def links_to(about: Sequence[str]) -> list[dict[str, Any]]:
    """Return the links of a note to the nodes that it is about."""
    return [{"to": path, "rel": "about", "w": ABOUT_WEIGHT} for path in about]
