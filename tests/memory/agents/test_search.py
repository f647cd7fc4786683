"""Finding what an agent knows: by meaning and by words, its own and what its packs lend."""

import json
from datetime import timedelta

import pytest

from companion_site.embeddings.service import get_embedder, no_meaning
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.agents.context_store import save_context
from memory.agents.contexts import build_context
from memory.agents.search import search_memory
from memory.models import AgentSource, PackNode
from memory.packs.mounts import unmount
from memory.packs.search import search_packs
from tests.embeddings.failing import embedding_server as embedding_server
from tests.embeddings.failing import fail_embedding as fail_embedding
from tests.factories import NOW
from tests.memory.agents.conftest import lend_pack, make_agent, node, rows_of
from tests.memory.packs.making import link

pytestmark = pytest.mark.spec("K2")

LATER = NOW + timedelta(hours=1)
FILES = node("skill.files", "skill", label="Closing files", says="A file is closed by with.", tags=["python"])
BREAD = node("fact.bread", "fact", label="Sourdough", says="Bread is baked in the oven.")
WITH = node(
    "pack.python.with", "pattern", label="with statement", says="with closes a file.",
    links=[link("pack.python.stack", 0.9)]
)  # fmt: skip
STACK = node(
    "pack.python.stack", "snippet", label="ExitStack", payload={"code": "with ExitStack() as stack: ..."}
)
START = node("pack.python.start", label="How to begin", says="Read this.", meta={"default": True})
ASKED = {"task": {"id": "t1", "tags": ["python"]}, "budget_tokens": 4_000, "now": LATER}


def paths(found):
    return [hit.node["id"] for hit in found]


def test_a_search_finds_by_meaning_and_by_words(teach, agent):
    """What says the same in other words is found, and so is a rare word; what has neither is left out."""
    teach(FILES, BREAD, node("fact.code", "fact", says="Error E4711 means no licence."))
    assert paths(search_memory(agent, "How is a file closed?"))[0] == "skill.files"
    assert paths(search_memory(agent, "E4711"))[0] == "fact.code"
    assert "fact.bread" not in paths(search_memory(agent, "How is a file closed?"))


def test_a_search_keeps_types_tags_and_number(teach, agent):
    """Only what is of one of the types and carries one of the tags comes back, and never more than k."""
    teach(FILES, BREAD, node("fact.files", "fact", label="Files", says="A file is closed once.", tags=["io"]))
    query = "closed file"
    assert paths(search_memory(agent, query, types=["fact"])) == ["fact.files"]
    assert paths(search_memory(agent, query, tags=["Python", "none"])) == ["skill.files"]
    assert len(search_memory(agent, query, k=1)) == 1
    assert search_memory(agent, query, types=["tool"]) == []


def test_what_packs_lend_is_found_beside_the_agents_own(teach, agent, owner_key):
    """A mounted pack answers with its key as the source; unmounted, it does not, and another agent never sees it."""
    teach(FILES)
    pack = lend_pack(agent, WITH, STACK)
    found = search_memory(agent, "How is a file closed?")
    sources = {hit.node["id"]: hit.source for hit in found}
    assert (sources["skill.files"], sources[WITH["id"]]) == ("own", "python-core")
    assert paths(search_memory(agent, "closes a file", types=["pattern"])) == [WITH["id"]]
    other = make_agent(owner_key, name="Other")
    assert search_memory(other, "How is a file closed?") == []
    with pytest.raises(NotFound):
        unmount(other.key, pack, person=other.person, now=NOW)
    unmount(agent.key, pack, person=agent.person, now=NOW)
    assert paths(search_memory(agent, "How is a file closed?")) == ["skill.files"]


def test_a_question_leads_on_within_a_pack_and_between_pack_and_agent(agent, teach):
    """Links of a pack are walked; so are an agent's own into a pack, in both directions."""
    lend_pack(agent, WITH, STACK, START)
    teach(
        node("episode.one", "episode", label="zzz one", links=[link(WITH["id"], 0.8)]),
        node("fact.odd", "fact", label="qqqq", links=[link(STACK["id"], 0.7)]),
    )
    terms = {
        entry["path"]: entry["terms"] for entry in build_context(agent, query="closing a file", **ASKED).nodes
    }
    assert terms[STACK["id"]]["edge"] >= 0.7
    assert terms["episode.one"]["edge"] == 0.8
    lit = {
        entry["path"] for entry in build_context(agent, query="qqqq", **{**ASKED, "task": {"id": "t9"}}).nodes
    }
    assert {"fact.odd", STACK["id"]} <= lit


def test_the_agents_own_node_stands_before_a_packs_of_the_same_path(agent, teach):
    """What the agent says of a path itself is found and told, however much better the pack's answers; that takes no place."""
    lend_pack(agent, WITH, STACK)
    teach(node(WITH["id"], "pattern", label="My with", says="Some file or other."), BREAD)
    found = search_memory(agent, "with statement closes a file", k=1)
    assert [(hit.source, hit.node["label"]) for hit in found] == [("own", "My with")]
    built = build_context(agent, query="with closes a file", **ASKED)
    assert [entry["source"] for entry in built.nodes if entry["path"] == WITH["id"]] == ["own"]


def test_where_little_is_found_the_defaults_of_the_domain_stand_in(agent):
    """A question that finds too little gets the defaults of packs of the task's domain, and of no other."""
    lend_pack(agent, WITH, STACK, START)
    lend_pack(agent, node("cook.start", label="Cook", meta={"default": True}), key="cooking", tags=("food",))
    built = build_context(agent, query="zxqv", save=False, **ASKED)
    assert built.stats["sparse"]
    shown = {entry["path"] for entry in built.nodes}
    assert START["id"] in shown
    assert "cook.start" not in shown
    other = build_context(
        agent, query="zxqv", save=False, **{**ASKED, "task": {"id": "t1", "tags": ["food"]}}
    )
    assert [entry["path"] for entry in other.nodes] == ["cook.start"]


def test_a_pack_that_proves_useless_is_weighed_down(agent):
    """An outcome counts for the pack that lent what was shown, under its key. Reading, building and saving leave its rows as they are."""
    pack = lend_pack(agent, WITH, STACK)

    def rows():
        with space_scope(pack):
            return list(PackNode.objects.for_space(pack).order_by("position").values())

    before = rows()
    for _ in range(30):
        save_context(agent, task_id="t1", frames=[], nodes=[WITH["id"]], outcome="failed", now=NOW)
    (row,) = rows_of(agent, AgentSource)
    assert (row.name, row.shown, row.helped) == ("python-core", 30, 0)
    built = build_context(agent, query="closing a file", **ASKED)
    trust = [entry["trust"] for entry in built.nodes if entry["source"] == "python-core"]
    assert trust and max(trust) < 0.85
    assert rows() == before


OWN = (
    node("skill.files", "skill", label="Closing files", says="A file is closed by with."),
    node("fact.bread", "fact", label="Sourdough", says="Bread is baked in the oven."),
)
LENT = (
    node("pack.with", "pattern", label="with statement", says="It closes a file at the end."),
    node("pack.loop", "pattern", label="for loop", says="It goes through a list."),
)


def test_where_a_question_cannot_be_embedded_its_words_find(teach, agent, fail_embedding):
    """What has a word of the question is found, of the agent and of its pack, without a similarity to zeros; what has none is not guessed
    at. A context holds what the words light up; how far it is from the question is not claimed."""
    teach(*OWN)
    pack = lend_pack(agent, *LENT)
    fail_embedding()
    found = search_memory(agent, "How is a file closed?")
    assert {hit.node["id"] for hit in found} == {"skill.files", "pack.with"}
    assert all(0.0 < hit.score < 1.0 for hit in found)
    assert search_memory(agent, "automobiles") == []
    built = build_context(agent, query="How is a file closed?", **ASKED)
    assert {"skill.files", "pack.with"} <= {one["path"] for one in built.nodes}
    assert built.stats["drift"] is None and built.stats["tick"] == 1
    json.dumps([*built.nodes, built.stats], allow_nan=False)
    hits = search_packs([pack], vector=no_meaning(get_embedder().dimension), words="file", k=5)
    assert [(hit.path, hit.cosine) for hit in hits] == [("pack.with", 0.0)]
