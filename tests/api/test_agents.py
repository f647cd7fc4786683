"""An agent's memory over the REST API, with its own token."""

from io import BytesIO
from uuid import uuid4

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from companion_site.accounts.tokens import Scope, authenticate_token
from companion_site.vault.models import Space
from companion_site.vault.services import await_key
from memory.agents.frames import KINDS
from memory.agents.mcp.toolset import admit
from memory.models import AgentContext, AgentNode
from memory.packs.format import read_pack
from tests.api.conftest import make_program
from tests.api.content import count, lose_answers, problem
from tests.factories import NOW
from tests.live import leases
from tests.memory.agents.conftest import lend_pack, make_agent, node
from tests.memory.agents.conftest import nothing_held as nothing_held
from tests.memory.packs.making import link

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]
SECRET = "the marmalade is under the third stair"


def agent_of(access, *scopes):
    opened = make_agent(access.key)
    return make_program(access, *(scopes or (Scope.AGENT,)), key=opened.key), opened


@pytest.fixture
def kari(ada):
    return agent_of(ada)[0]


def remember(program, *nodes, **more):
    return program.post("agent/nodes", {"nodes": list(nodes), **more})


def listed(program, **body):
    answer = program.post("agent/nodes/list", body)
    assert answer.status_code == 200, answer.content
    return [found["id"] for found in answer.json()["items"]]


@pytest.mark.spec("K1")
def test_a_node_is_kept_read_added_to_and_forgotten(kari):
    """As it was sent, with what an agent's memory adds; sent again it changes nothing; forgotten it is not there."""
    sent = node("skill.python.files", "skill", says="Close files.", links=[link("concept.file")])
    done = remember(kari, sent, node("concept.file"))
    counts, ids = {"created": 2, "changed": 0, "unchanged": 0}, ["skill.python.files", "concept.file"]
    assert done.json() == {**counts, "ids": ids}
    assert remember(kari, sent).json()["unchanged"] == 1
    remember(kari, node("skill.python.files", "skill", payload={"code": "with open(p): ..."}))
    (hit,) = kari.post("agent/nodes/read", {"ids": ["skill.python.files", "nothing.here"]}).json()["items"]
    assert hit["source"] == "own"
    assert hit["node"]["payload"] == {"definition": "Close files.", "code": "with open(p): ..."}
    assert hit["node"]["links"] == sent["links"] and hit["node"]["stats"] == {"uses": 0, "last_used_at": None}
    assert kari.post("agent/nodes/remove", {"id": "skill.python.files"}).status_code == 204
    problem(kari.post("agent/nodes/remove", {"id": "skill.python.files"}), 404, "not-found")
    assert listed(kari) == ["concept.file"]


@pytest.mark.spec("K1")
def test_nodes_are_listed_by_type_tag_and_path(kari):
    """Each narrows; a prefix is a path, so it ends where a segment does; pages hold each node once."""
    remember(
        kari,
        node("skill.python", "skill", tags=["python"]),
        node("skill.python.files", "skill", tags=["python", "files"]),
        node("skill.pythonic", "skill"),
        node("concept.file", tags=["files"]),
    )
    assert set(listed(kari, prefix="skill.python")) == {"skill.python", "skill.python.files"}
    assert set(listed(kari, tags=[" Files"])) == {"skill.python.files", "concept.file"}
    assert listed(kari, types=["skill"], tags=["files"]) == ["skill.python.files"]
    seen, body = [], {"limit": 3}
    while body is not None:
        page = kari.post("agent/nodes/list", body).json()
        seen += [found["id"] for found in page["items"]]
        body = {"limit": 3, "cursor": page["next"]} if page["next"] else None
    assert seen == ["concept.file", "skill.pythonic", "skill.python.files", "skill.python"]
    problem(kari.post("agent/nodes/list?limit=3", {}), 400, "api.bad-request")


@pytest.mark.spec("K2")
def test_what_is_known_is_searched_and_recalled(ada):
    """By a question or a path, the agent's own and what packs lend, by their names; by a task its episodes and frames."""
    kari, opened = agent_of(ada)
    lend_pack(opened, node("pattern.with", "pattern", label="Closing a file"))
    remember(kari, node("skill.files", "skill", label="Closing a file"))
    remember(kari, node("episode.one", "episode", label="Tidied up", meta={"task": "tidy"}))
    kari.post("agent/contexts", {"task_id": "tidy", "frames": [{"kind": "scratchpad", "data": "Plan: tidy"}]})
    found = kari.post("agent/search", {"query": "closing a file", "k": 2}).json()["items"]
    by_path = kari.post("agent/nodes/read", {"ids": ["skill.files", "pattern.with", "nothing.here"]}).json()[
        "items"
    ]
    for hits in (found, by_path):
        sources = {hit["node"]["id"]: hit["source"] for hit in hits}
        assert sources == {"skill.files": "own", "pattern.with": "python-core"}
    problem(kari.post("agent/nodes/remove", {"id": "pattern.with"}), 404, "not-found")
    told = kari.post("agent/recall", {"scope": "task", "id": "tidy"}).json()
    assert [kept["id"] for kept in told["nodes"]] == ["episode.one"]
    assert [(frame["data"], frame["task_id"]) for frame in told["frames"]] == [("Plan: tidy", "tidy")]
    problem(kari.post("agent/recall", {"scope": "task"}), 422, "agent.node-invalid")


@pytest.mark.spec("K4")
def test_a_context_is_built_and_found_again(kari):
    """Kept, it is a tick, and stands in the list with its figures; not kept, it is none."""
    remember(kari, node("skill.files", "skill", label="Closing a file", tags=["python"]))
    body = {"query": "How do I close a file?", "task": {"id": "t", "tags": ["python"]}, "budget_tokens": 2000}
    built = kari.post("agent/contexts/build", {**body, "save": False}).json()
    assert tuple(built["frames"]) == KINDS and [kept["path"] for kept in built["nodes"]] == ["skill.files"]
    assert kari.get("agent").json()["tick"] == 0 and kari.get("agent/contexts").json()["items"] == []
    assert kari.post("agent/contexts/build", body).json()["stats"]["tick"] == 1
    (kept,) = kari.get("agent/contexts").json()["items"]
    assert kept["tick"] == 1 and kept["covered"] is True and "task_id" not in kept
    one = kari.get(f"agent/contexts/{kept['id']}").json()
    assert one["task_id"] == "t" and one["nodes"] == ["skill.files"]
    for query, contexts in (("", 1), ("?since=2999-01-01T00:00:00Z", 0)):
        assert kari.get(f"agent/figures{query}").json()["total"]["contexts"] == contexts


def test_a_save_that_is_sent_again_is_kept_once(ada):
    """By its client_id, and by its key also where the answer was lost."""
    kari, opened = agent_of(ada)
    body = {"task_id": "t", "frames": [{"kind": "scratchpad", "data": "Plan"}], "client_id": str(uuid4())}
    first, again = (kari.post("agent/contexts", body) for _time in range(2))
    assert first.status_code == 201 and first.json() == again.json()
    assert first["Location"].endswith(f"/agent/contexts/{first.json()['id']}")
    for other in ({"task_id": "u"}, {"frames": []}, {"outcome": "helped"}):
        problem(kari.post("agent/contexts", {**body, **other}), 409, "client-id.reused")
    del body["client_id"]
    one = kari.post("agent/contexts", body, idempotency_key="k").json()
    lose_answers(opened.space)
    assert kari.post("agent/contexts", body, idempotency_key="k").json()["id"] == one["id"]
    assert count(AgentContext, opened.space) == 2


@pytest.mark.spec("K4")
def test_an_archive_is_kept_listed_and_read(kari):
    """The same state is the same archive; a later one stands before it and holds what came between."""
    remember(kari, node("concept.one"))
    first, again, bare = (
        kari.post("agent/snapshots", more).json() for more in ({}, {}, {"include_memory": False})
    )
    assert first == again and bare["nodes"] == 0 and bare["hash"] != first["hash"]
    remember(kari, node("concept.two"))
    second = kari.post("agent/snapshots", {}).json()
    listed = [item["id"] for item in kari.get("agent/snapshots").json()["items"]]
    assert listed == [second["id"], bare["id"], first["id"]]
    kept = kari.get(f"agent/snapshots/{first['id']}").json()
    assert [found["id"] for found in kept["archive"]["nodes"]] == ["concept.one"] and kept["hash"] == first[
        "hash"
    ]


@pytest.mark.spec("K6")
def test_nodes_are_given_out_as_a_pack(kari):
    """What a selection asks for, encrypted under the passphrase; nothing of it can be read without."""
    remember(kari, node("skill.a", "skill", payload={"definition": SECRET}), node("concept.b"))
    body = {"selection": "type:skill", "passphrase": "a stitch in time", "name": "Åäö!"}
    answer = kari.post("agent/export", body)
    assert answer["Content-Type"] == "application/octet-stream" and "no-store" in answer["Cache-Control"]
    assert SECRET.encode() not in answer.content
    pack = read_pack(BytesIO(answer.content), passphrase=body["passphrase"])
    assert [entry.path for entry in pack.nodes] == ["skill.a"]
    for selection, code in (("type:tool", "pack.nothing-selected"), ("everything", "pack.selection")):
        problem(kari.post("agent/export", {**body, "selection": selection}), 422, code)


def test_another_agent_s_things_are_not_there(ada):
    """Nodes by their paths and words, a task's scratchpad, of an agent of the same person too."""
    kari, _opened = agent_of(ada)
    other, _opened = agent_of(ada)
    remember(kari, node("concept.mine", payload={"definition": SECRET}))
    kari.post("agent/contexts", {"task_id": "t", "frames": [{"kind": "scratchpad", "data": SECRET}]})
    built = other.post("agent/contexts/build", {"query": "x", "task": {"id": "t"}, "budget_tokens": 500})
    assert built.status_code == 200 and SECRET not in built.text
    assert other.post("agent/nodes/read", {"ids": ["concept.mine"]}).json() == {"items": []}
    assert other.post("agent/search", {"query": "marmalade"}).json() == {"items": []}
    problem(other.post("agent/nodes/remove", {"id": "concept.mine"}), 404, "not-found")
    assert listed(other) == []


@pytest.mark.spec("K1")
def test_one_node_that_cannot_be_refuses_them_all(ada):
    """The answer says which and where, never what stood there; nothing was written."""
    kari, opened = agent_of(ada)
    for bad, where in (
        ({"id": "Not A Path", "type": "concept"}, "id"),
        ({"id": "concept.ok", "type": "planet"}, "type"),
        ({"id": "concept.ok", "type": "concept", "links": [{"to": "concept.ok"}]}, "links.to"),
        ("concept.ok", "node"),
    ):
        answer = remember(kari, node("concept.good"), bad)
        assert f"nodes.1.{where}" in problem(answer, 422, "agent.node-invalid")["fields"]
        assert b"planet" not in answer.content and b"Not A Path" not in answer.content
        assert count(AgentNode, opened.space) == 0


def test_work_that_waits_for_a_key_gets_going_when_the_agent_calls(ada):
    """By REST or MCP, as when a person logs in: a lease is granted and what waits is queued, once; none where nothing waits."""
    for call in (
        lambda program: program.get("agent"),
        lambda program: admit(authenticate_token(program.text, now=timezone.now())),
    ):
        kari, opened = agent_of(ada)
        call(kari)
        assert leases(opened) == 0
        await_key(opened.space, now=NOW)
        OrmQ.objects.all().delete()
        for _time in range(2):
            call(kari)
        queued = {job.name() for job in OrmQ.objects.all()}
        assert queued and all(name.endswith(str(opened.space)) for name in queued)
        assert OrmQ.objects.count() == len(queued)
        assert Space.objects.get(pk=opened.space).awaiting_key_since is None
        assert leases(opened) == 1


def test_no_word_of_it_is_logged(kari, caplog):
    """Neither a path nor a payload nor a passphrase, of a success or of a refusal; addresses hold none either."""
    remember(kari, node("concept.xenophilius", payload={"definition": SECRET}))
    kari.post("agent/search", {"query": SECRET})
    kari.post("agent/nodes/remove", {"id": "concept.xenophilius-not"})
    remember(kari, {"id": "Concept.Xenophilius", "type": "concept"})
    kari.post("agent/export", {"passphrase": "xenophilius", "selection": "type:xenophilius"})
    assert "xenophilius" not in caplog.text.lower() and "marmalade" not in caplog.text
    assert "api.refused" in caplog.text
