"""Probe, bloom, trim: which nodes a task lights up, the agent's own and, beside them, what packs lend of theirs."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from scipy.sparse import csr_array

from memory.agents import mounts
from memory.agents.frames import Task
from memory.agents.links import links_of
from memory.agents.mounts import LentNode, LentShape
from memory.agents.params import SEARCH
from memory.agents.question import Question
from memory.agents.search import find_hits, measure_own
from memory.agents.workingset import AgentWorkingSet, hash_source, hash_task, resonance_now
from memory.algorithms.activation import (
    ACTIVATION,
    TYPE_CODE,
    bloom,
    score_activation,
    share_of_tags,
    source_weight,
    stay_resonant,
    trim,
)
from memory.algorithms.relevance import Relevance
from memory.models import Pack
from memory.packs.cache import graph_of

DAY_S = 86_400.0


def find_surroundings(
    held: AgentWorkingSet,
    packs: Sequence[Pack],
    question: Question,
    *,
    rows: Collection[int],
    seeds: Collection[LentNode],
) -> tuple[csr_array, Sequence[LentShape]]:
    """Return the graph around own seeds (`rows`) and lent ones (`seeds`), as far as activation goes.

    A lent node of a path that the agent has itself, or that an earlier pack has, is left out: the agent knows better.

    Returns:
        (n + m, n + m) weights of n own rows, then m lent nodes; own links lead both ways, those of a pack as it says. The m
        lent nodes, in a fixed order.
    """
    if not packs:
        return held.linked.adjacency, ()
    ends = {path for row in rows for path, _weight in links_of(held.contents[row])}
    linked = mounts.nodes_of_paths(packs, ends - held.row_of.keys())
    reached = mounts.reach_lent({*seeds, *linked.values()})
    known = set(held.row_of)
    lent: list[LentShape] = []
    parts: list[tuple[UUID, np.ndarray]] = []
    for pack in packs:
        if pack.space_id not in reached:
            continue
        positions = reached[pack.space_id]
        told = mounts.shapes_of(pack.space_id, positions, question)
        kept = [at for at, shape in enumerate(told) if shape.path not in known]
        known.update(told[at].path for at in kept)
        parts.append((pack.space_id, positions[kept]))
        lent += [told[at] for at in kept]
    return _join(held, parts, lent), lent


def _join(
    held: AgentWorkingSet, parts: Sequence[tuple[UUID, np.ndarray]], lent: Sequence[LentShape]
) -> csr_array:
    """Return the graph of own rows and lent nodes; what an agent links to in a pack holds both ways.

    Args:
        parts: each pack's space, with the positions of the nodes that it lends, rising.
    """
    own, first = held.linked.adjacency.tocoo(), len(held)
    between = [
        (row, first + at, weight)
        for at, shape in enumerate(lent)
        for row, weight in held.linked.outward.get(shape.path, {}).items()
    ]
    rows, nodes, weights = np.array(between, dtype=np.float64).reshape(-1, 3).T
    ends = [(own.row, own.col, own.data), (rows, nodes, weights), (nodes, rows, weights)]
    for space, positions in parts:
        source, target, weight = graph_of(space).edges_among(positions)
        ends.append((first + source, first + target, weight))
        first += len(positions)
    source, target, weight = (np.concatenate(column) for column in zip(*ends, strict=True))
    return csr_array((weight, (source.astype(np.int64), target.astype(np.int64))), shape=(first, first))


@dataclass(frozen=True)
class Lit:
    """What lights up: c candidates, own rows first, and which of them are taken.

    Attributes:
        rows: (c,) own row of each candidate, -1 for a lent one.
        lent: of each candidate, where it is lent from; None for an own one.
        score: (c,) 0 to 1, the activation by the weight of its source.
        trust: (c,) that weight, .5 to 1.
        cosine: (c,) with the question.
        taken: (t,) positions of those that are in the context, best first.
        found: (c,) own ones that the search or the task began with.
        sparse: the search found too little, so that packs' defaults stand in.
    """

    rows: np.ndarray
    lent: Sequence[LentNode | None]
    activation: Relevance
    score: np.ndarray
    trust: np.ndarray
    cosine: np.ndarray
    taken: np.ndarray
    found: np.ndarray
    sparse: bool


def activate(
    held: AgentWorkingSet,
    packs: Sequence[Pack],
    question: Question,
    *,
    task: Task,
    persona: str,
    now: datetime,
) -> Lit:
    """Return what a question lights up for a task; the caller holds the working set's lock, the space is unlocked."""
    episodes = task_episodes(held, task.id)
    measured = measure_own(held, question)
    hits = find_hits(held, packs, question, k=SEARCH.limit, measured=measured)
    seeds = {hit.at for hit in hits if isinstance(hit.at, int)} | set(episodes[: SEARCH.limit])
    lent_seeds = {hit.at for hit in hits if not isinstance(hit.at, int)}
    sparse = len(hits) < SEARCH.sparse
    if sparse:
        lent_seeds |= set(mounts.default_nodes(packs, active_tags(held, task))[: SEARCH.limit])
    adjacency, around = find_surroundings(held, packs, question, rows=seeds, seeds=lent_seeds)
    rows, edge = _light(held, adjacency, around, seeds, lent_seeds)
    own = rows < len(held)
    lent = [around[at] for at in rows[~own] - len(held)]
    cosine = np.concatenate([measured[0][rows[own]], [shape.cosine for shape in lent]])
    affinity = _share(held, rows[own], lent, task.tags)
    affinity[np.isin(rows, episodes)] = 1.0
    numbers = held.numbers[rows[own]]
    # Since each was used, or said anew where that is later.
    touched = np.fmax(numbers["last_used_at"], numbers["changed_at"])
    activation = score_activation(
        cosine=question.calibration.similarity(cosine) if len(cosine) else cosine,
        edge=edge,
        age_days=np.concatenate([(now.timestamp() - touched) / DAY_S, np.full(len(lent), np.nan)]),
        uses=np.concatenate([numbers["uses"], np.zeros(len(lent))]),
        task_affinity=affinity,
        persona=_persona(held, rows, lent, persona),
        params=ACTIVATION,
    )
    trust = _trust(held, packs, numbers, lent)
    types = np.concatenate([numbers["type"], [TYPE_CODE[shape.type] for shape in lent]]).astype(np.int64)
    score = activation.score * trust
    return Lit(
        rows=np.where(own, rows, -1),
        lent=[*([None] * int(own.sum())), *(shape.at for shape in lent)],
        activation=activation,
        score=score,
        trust=trust,
        cosine=cosine,
        taken=trim(score, types, caps=ACTIVATION.caps_by_code()),
        found=np.isin(rows, list(seeds)),
        sparse=sparse,
    )


def task_episodes(held: AgentWorkingSet, task_id: str) -> list[int]:
    """Return the rows of a task's episodes, the newest first."""
    rows = sorted(held.episodes.get(hash_task(held.space, task_id), ()))
    return sorted(rows, key=lambda row: -held.numbers["created_at"][row])


def active_tags(held: AgentWorkingSet, task: Task) -> frozenset[str]:
    """Return the domains that are worked in: the task's, or the agent's own where it names none."""
    return frozenset(task.tags or held.profile.domain_tags)


def _light(
    held: AgentWorkingSet,
    adjacency: csr_array,
    around: Sequence[LentShape],
    seeds: Collection[int],
    lent_seeds: Collection[LentNode],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the candidates in the order of their rows, and the greatest weight of an edge to each from what was reached.

    What still resonates from earlier contexts is a candidate too, by no edge.
    """
    place = {shape.at: row for row, shape in enumerate(around, len(held))}
    starts = [*seeds, *(place[node] for node in lent_seeds if node in place)]
    reached = bloom(
        adjacency,
        np.array(sorted(starts), dtype=np.int64),
        hops=ACTIVATION.hops,
        max_per_node=ACTIVATION.max_per_node,
        min_weight=ACTIVATION.min_edge_weight,
    )
    edge = np.zeros(adjacency.shape[0])
    lit = np.zeros(len(edge), dtype=bool)
    lit[stay_resonant(resonance_now(held), params=ACTIVATION)] = True
    lit[reached.rows], edge[reached.rows] = True, reached.edge
    lit[: len(held)] &= held.numbers["alive"]
    rows = np.flatnonzero(lit)
    return rows, edge[rows]


def _share(
    held: AgentWorkingSet, rows: np.ndarray, lent: Sequence[LentShape], wanted: Collection[str]
) -> np.ndarray:
    """Return (c,) the share of the wanted tags that each candidate carries; of equal sets it is worked out once."""
    own = share_of_tags(held.tag_sets, wanted)[held.numbers["tags"][rows]]
    return np.concatenate([own, share_of_tags([shape.tags for shape in lent], wanted)])


def _persona(held: AgentWorkingSet, rows: np.ndarray, lent: Sequence[LentShape], persona: str) -> np.ndarray:
    """Return (c,) how much each node is the persona's: by its links, or by its tags; its own node wholly."""
    if not persona:
        return np.zeros(len(rows))
    mine = rows < len(held)
    own = held.row_of.get(persona)
    if own is None:
        return _share(held, rows[mine], lent, [persona.lower()])
    weight = _share(held, rows[mine], lent, held.tag_sets[held.numbers["tags"][own]])
    linked = held.linked.adjacency[[own], :].toarray()[0]
    weight[mine] = np.maximum(weight[mine], linked[rows[mine]])
    weight[rows == own] = 1.0
    return weight


def _trust(
    held: AgentWorkingSet,
    packs: Sequence[Pack],
    numbers: np.ndarray,
    lent: Sequence[LentShape],
) -> np.ndarray:
    """Return (c,) what each node's score is multiplied by: how useful its source has proved."""
    names = [*held.source_names, *(hash_source(held.space, pack.key) for pack in packs)]
    shown, helped = np.array([held.sources.get(name, (0, 0)) for name in names]).T
    weights = np.asarray(source_weight(shown, helped))
    place = {pack.space_id: len(held.source_names) + at for at, pack in enumerate(packs)}
    of_lent = np.array([place[shape.at[0]] for shape in lent], dtype=np.int64)
    return np.concatenate([weights[numbers["source"]], weights[of_lent]])
