"""Building the context of a task: what its question lights up, as frames within a budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from companion_site.accounts.access import Access
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.llm.tokens import TOKENS_PER_MESSAGE, estimate_tokens
from memory.agents import mounts
from memory.agents.activation import Lit, activate, active_tags
from memory.agents.context_store import LitUp, hygiene, keep_built
from memory.agents.episodes import last_scratchpad
from memory.agents.frames import KINDS, SCRATCHPAD, Task, as_list, compose_frames
from memory.agents.question import Question, ask, clean_task
from memory.agents.search import OWN
from memory.agents.workingset import AgentWorkingSet, working_set_of
from memory.models import Pack
from memory.nodes import PATH_CHARS, clean_text

#: of the knowledge nodes, those that drift is measured on
TOP = 3


@dataclass(frozen=True, kw_only=True)
class Context:
    """What an agent is given for a task.

    Attributes:
        frames: identity, problem, knowledge, episodic, constraints, scratchpad, in this order; texts, the knowledge a
            dictionary of dictionaries.
        nodes: what stands in them, best first: {"path", "type", "score", "terms", "trust", "source"}.
        stats: {"covered", "drift", "working_set", "resonance", "sparse", "candidates", "tick"}.
    """

    frames: dict[str, Any]
    nodes: Sequence[dict[str, Any]]
    tokens: int
    stats: Mapping[str, Any]


def build_context(
    access: Access,
    *,
    query: str,
    task: Mapping[str, Any],
    budget_tokens: int,
    persona: str | None = None,
    now: datetime,
    save: bool = True,
    embedder: Embedder | None = None,
) -> Context:
    """Return the context of a task. Of the same memory, asked the same at the same time, the same bytes.

    Args:
        task: {"id", "tags", "problem"?, "constraints"?}.
        persona: path or name of the persona to take; None: the profile's; "": none.
        save: keep it, which is one tick: what it lit up resonates more, everything else less.

    Raises:
        NodeInvalid: what is asked cannot be understood.
    """
    given = clean_task(task)
    embedder = embedder or get_embedder()
    question = ask(query, embedder=embedder)
    taken = None if persona is None else clean_text(persona, field="persona", most=PATH_CHARS)
    with access.open() as space:
        held = working_set_of(space, embedder=embedder)
        packs = mounts.mounted_packs(held)
        with held.lock:
            role = held.profile.persona if taken is None else taken
            lit = activate(held, packs, question, task=given, persona=role, now=now)
            nodes = _load(held, packs, lit)
            framed = compose_frames(
                _texts(held, task=given, persona=role, question=question),
                [node for node in nodes if node["type"] != "episode"],
                [node for node in nodes if node["type"] == "episode"],
                budget_tokens=budget_tokens,
                count=estimate_tokens,
                around=dict.fromkeys(KINDS, TOKENS_PER_MESSAGE),
            )
            paths = set(framed.kept)
            kept = [node for node in nodes if node["id"] in paths]
            stats = _measure(held, lit, kept, task=given)
            lit_up = _lit_up(held, lit, kept)
        shown = _explain(kept, lit)
        if save:
            content = {
                "task_id": given.id,
                "frames": [frame for frame in as_list(framed.frames) if frame["kind"] != "scratchpad"],
                "nodes": [node["id"] for node in kept],
                "shown": shown,
            }
            figures = {"tokens": framed.tokens, "covered": stats["covered"], "drift": stats["drift"]}
            stats |= keep_built(access, lit_up, content, now=now, embedder=embedder, **figures)
    return Context(frames=framed.frames, nodes=shown, tokens=framed.tokens, stats=stats)


def _load(held: AgentWorkingSet, packs: Sequence[Pack], lit: Lit) -> list[dict[str, Any]]:
    """Return the nodes that are taken, best first: content and type, and where each stands among the candidates.

    "text" is what a node says in the knowledge frame; None for an episode, which does not stand there.
    """
    taken = lit.taken.tolist()
    borrowed = mounts.load_lent([node for at in taken if (node := lit.lent[at]) is not None])
    keys = mounts.keys_of(packs)
    created = held.numbers["created_at"]
    nodes = []
    for at in taken:
        where = lit.lent[at]
        if where is None:
            row = int(lit.rows[at])
            content = held.contents[row]
            text = None if content["type"] == "episode" else held.text_at(row)
            own = {"from": OWN, "at": float(created[row])}
            nodes.append({**content, **own, "candidate": at, "text": text})
        elif where in borrowed:
            found = borrowed[where]
            lender = {"from": keys[where[0]], "at": 0.0}
            nodes.append({**found.node, **lender, "candidate": at, "text": found.text})
    return nodes


def _texts(held: AgentWorkingSet, *, task: Task, persona: str, question: Question) -> dict[str, str]:
    profile = held.profile
    return {
        "identity": "\n".join(filter(None, [profile.identity, _tell_persona(held, persona)])),
        "problem": task.problem or question.text,
        "constraints": "\n".join(filter(None, [profile.constraints, task.constraints])),
        "scratchpad": last_scratchpad(held, task.id) or SCRATCHPAD,
    }


def _tell_persona(held: AgentWorkingSet, persona: str) -> str:
    row = held.row_of.get(persona)
    if row is None:
        return persona and f"Persona: {persona}"
    content = held.contents[row]
    definition = content["payload"].get("definition")
    told = f": {definition}" if isinstance(definition, str) and definition else ""
    return f"Persona: {content['label']}{told}"


def _measure(
    held: AgentWorkingSet, lit: Lit, kept: Sequence[dict[str, Any]], *, task: Task
) -> dict[str, Any]:
    """Return what can be counted of a context: coverage and drift of its knowledge, the working set it came from."""
    known = [node for node in kept if node["type"] != "episode"]
    domain = active_tags(held, task)
    # All are 0 where the question has no vector: then nothing is known of how far it is.
    compared = known[:TOP] if lit.cosine.any() else []
    near = [1.0 - float(lit.cosine[node["candidate"]]) for node in compared]
    return {
        # A node belongs to a domain by a tag, or by a segment of its path.
        "covered": any(not domain.isdisjoint([*node["tags"], *node["id"].split(".")]) for node in known)
        if domain
        else None,
        "drift": round(float(np.mean(near)), 6) if near else None,
        "sparse": lit.sparse,
        "candidates": len(lit.rows),
        "tick": held.tick,
        **hygiene(held),
    }


def _lit_up(held: AgentWorkingSet, lit: Lit, kept: Sequence[dict[str, Any]]) -> LitUp:
    """Return which of the agent's own nodes are raised by a context."""
    used = [node["candidate"] for node in kept if node["from"] == OWN]
    # What was only looked at on the way stays as it is: otherwise nothing that is linked would ever cool down.
    at = np.union1d(np.flatnonzero(lit.found), lit.taken).astype(np.int64)
    at = at[lit.rows[at] >= 0]
    return LitUp([held.ids[row] for row in lit.rows[at]], lit.score[at], np.isin(at, used))


def _explain(nodes: Sequence[Mapping[str, Any]], lit: Lit) -> list[dict[str, Any]]:
    """Return of each node what its score is made of."""
    at = np.array([node["candidate"] for node in nodes], dtype=np.int64)
    names = list(lit.activation.terms)
    figures = np.array([lit.score, lit.trust, *lit.activation.terms.values()])[:, at].round(6).T.tolist()
    return [
        {
            "path": node["id"],
            "type": node["type"],
            "score": score,
            "terms": dict(zip(names, terms, strict=True)),
            "trust": trust,
            "source": node["from"],
        }
        for node, (score, trust, *terms) in zip(nodes, figures, strict=True)
    ]
