"""An agent that asks while no vector can be had: words find what it knows, its own and what is lent."""

import json

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder, no_meaning
from memory.agents.contexts import build_context
from memory.agents.nodes import upsert_memory
from memory.agents.search import search_memory
from memory.packs.search import cosines, search_packs
from tests.embeddings.failing import embedding_server as embedding_server
from tests.embeddings.failing import fail_embedding as fail_embedding
from tests.factories import NOW, make_student, open_space
from tests.memory.agents.conftest import lend_pack, make_agent, node

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K2")]

OWN = (
    node("skill.files", "skill", label="Closing files", says="A file is closed by with."),
    node("fact.bread", "fact", label="Sourdough", says="Bread is baked in the oven."),
)
LENT = (
    node("pack.with", "pattern", label="with statement", says="It closes a file at the end."),
    node("pack.loop", "pattern", label="for loop", says="It goes through a list."),
)


@pytest.fixture
def known(fail_embedding):
    """Return an agent's access and its pack: the agent knows something, and cannot have a question embedded from now on."""
    agent = make_agent(open_space(make_student("ada").person))
    upsert_memory(agent, list(OWN), now=NOW)
    pack = lend_pack(agent, *LENT)
    fail_embedding()
    return agent, pack


def test_a_search_goes_by_words_alone(known):
    """What has a word of the question is found, of the agent and of its pack; what has none is not guessed at."""
    agent, _pack = known
    found = search_memory(agent, "How is a file closed?")
    assert {hit.node["id"] for hit in found} == {"skill.files", "pack.with"}
    assert all(0.0 < hit.score < 1.0 for hit in found)
    assert search_memory(agent, "automobiles") == []


def test_a_context_is_built_and_kept(known):
    """A task's context holds what the words of the question light up; how far it is from the question is not claimed."""
    built = build_context(
        known[0],
        query="How is a file closed?",
        task={"id": "t1", "tags": ["python"]},
        budget_tokens=2_000,
        now=NOW,
    )
    assert {"skill.files", "pack.with"} <= {one["path"] for one in built.nodes}
    assert built.stats["drift"] is None and built.stats["tick"] == 1
    json.dumps([*built.nodes, built.stats], allow_nan=False)


def test_a_pack_is_not_compared_with_zeros(known):
    """Its hits are those with a word, without a similarity; asked for cosines, it has none."""
    vector = no_meaning(get_embedder().dimension)
    hits = search_packs([known[1]], vector=vector, words="file", k=5)
    assert [(hit.path, hit.cosine) for hit in hits] == [("pack.with", 0.0)]
    np.testing.assert_array_equal(cosines(known[1], [0, 1], vector), [0.0, 0.0])
