"""What an agent finds while its memory goes over to another model, beside what words alone find."""

from dataclasses import replace

import numpy as np

from companion_site.embeddings.calibration import load_pairs
from companion_site.embeddings.service import get_embedder
from memory.agents.nodes import upsert_memory
from memory.agents.question import ask
from memory.agents.search import find_hits, working_set_of
from memory.reembedding.space import reembed
from tests.factories import NOW
from tests.memory.agents.conftest import make_agent, node
from tests.memory.reembedding.conftest import one_batch

FIRST = 5


def share_found(agent, answers) -> float:
    found = 0
    with agent.open() as space:
        held = working_set_of(space)
        for question, path in answers:
            with held.lock:
                hits = find_hits(held, (), question, k=FIRST)
                found += path in {held.contents[hit.row]["id"] for hit in hits if hit.row is not None}
    return found / len(answers)


def test_an_agent_never_finds_less_than_by_words(ada, change_model):
    """At each quarter of the way as much is found as by words alone: a node without a vector is not put behind the rest."""
    pairs = load_pairs()
    rows = [
        row for row in zip(pairs.kinds, pairs.left, pairs.right, strict=True)
        if row[0] in {"paraphrase", "related", "unrelated"}
    ]  # fmt: skip
    agent = make_agent(ada.key)
    nodes = [node(f"fact.n{at:03}", "fact", label=text) for at, (_, text, _) in enumerate(rows)]
    upsert_memory(agent, nodes, now=NOW)
    change_model()
    answers = [
        (ask(question, embedder=get_embedder()), f"fact.n{at:03}")
        for at, (kind, _, question) in enumerate(rows)
        if kind == "paraphrase"
    ]
    by_words = [(replace(asked, vector=np.zeros_like(asked.vector)), path) for asked, path in answers]
    floor = share_found(agent, by_words)
    assert floor > 0.4, floor
    shares = []
    for _ in range(5):
        shares.append(share_found(agent, answers))
        reembed(agent.space, key=agent.key, now=NOW, pace=one_batch(-(-len(nodes) // 4)))
    assert min(shares) >= floor, (floor, shares)
    assert shares[-1] > floor + 0.1, (floor, shares)
