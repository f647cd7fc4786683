"""What an agent is given for a task: six frames in their order, within the budget, the same for the same."""

import json
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from companion_site.llm.tokens import count_tokens
from companion_site.vault.scope import space_scope
from memory.agents import activation, context_store
from memory.agents.client.orchestrator import episode
from memory.agents.context_store import save_context
from memory.agents.contexts import build_context
from memory.agents.frames import KINDS, SCRATCHPAD, Task
from memory.agents.nodes import remove_node, upsert_memory
from memory.agents.params import CONTEXT
from memory.agents.workingset import agent_working_sets, resonance_now, working_set_of
from memory.algorithms.activation import ACTIVATION
from memory.algorithms.hdod import render
from memory.models import AgentContext, AgentNode
from memory.nodes import NodeInvalid
from tests.cases import cases
from tests.factories import NOW, make_student, open_space
from tests.memory.agents.conftest import get_node, make_agent, node, observe, rows_of
from tests.memory.packs.making import NumbersEmbedder, link

#: an embedder that costs nothing, where it is words, links and sizes that count
SMALL = NumbersEmbedder()
LATER = NOW + timedelta(hours=1)
TASK = {"id": "t1", "tags": ["python"]}
QUERY = "How do I make sure that a file is closed?"


@pytest.fixture
def taught(teach):
    """An agent that knows something of Python, a little of cooking, and has done something before."""
    teach(
        node(
            "skill.python.context-managers",
            "skill",
            label="Context managers",
            payload={"definition": "Use with, so that a file is closed whatever happens.", "examples": ["with open(p) as f:"]},
            links=[link("concept.python.exceptions", 0.9), link("pattern.python.exit-stack", 0.4)],
            tags=["python"],
        ),
        node("concept.python.exceptions", label="Exceptions", says="What is raised is caught.", tags=["python"]),
        node("pattern.python.exit-stack", "pattern", label="ExitStack", says="Many at once.", links=[link("fact.python.lifo", 0.8)]),
        node("fact.python.lifo", "fact", label="Last in, first out", says="Callbacks run backwards."),
        node("concept.cooking.bread", label="Sourdough bread", says="Flour, water and salt, baked in the oven.", tags=["cooking"]),
    )  # fmt: skip


def build(access, **given):
    fields = {"query": QUERY, "task": TASK, "budget_tokens": 2_000, "now": LATER, **given}
    return build_context(access, **fields)


@pytest.mark.spec("K4")
def test_a_context_has_six_frames_in_their_order(taught, agent):
    """Identity, problem, knowledge, episodic, constraints, scratchpad: always all of them, always in this order. Built again, and by a
    process that loads everything anew, it is the same to the byte."""
    observe(agent, task_id="t1", text="Ran the tests: 3 failed.", outcome="failed", now=NOW)
    task = {**TASK, "problem": "Close the file", "constraints": "No asyncio."}

    def bytes_of():
        built = build(agent, task=task, save=False)
        return json.dumps([built.frames, list(built.nodes), built.tokens, dict(built.stats)])

    first = bytes_of()
    assert bytes_of() == first
    agent_working_sets.forget(agent.space)
    assert bytes_of() == first
    frames = json.loads(first)[0]
    assert tuple(frames) == KINDS
    assert frames["identity"].startswith("You are Kari")
    assert frames["problem"] == "Close the file"
    assert frames["knowledge"]["skill"]["python"]["context-managers"]["_label"] == "Context managers"
    assert frames["episodic"] == "- 2026-03-02 14:05 [failed] Ran the tests: 3 failed."
    assert frames["constraints"] == "Python 3.11. No new dependencies.\nNo asyncio."
    assert frames["scratchpad"] == SCRATCHPAD


@pytest.mark.spec("K4")
@cases("budget", [64, 200, 600, 2_000, 6_000])
def test_a_context_keeps_to_its_budget(teach, agent, budget):
    """All frames together never cost more than the budget, knowledge never more than 60 % of it."""
    teach(*(node(f"fact.python.n{n}", "fact", payload={"definition": f"closing a file, rule {n}", "details": "file " * 400}) for n in range(30)), embedder=SMALL)  # fmt: skip
    said = [f"Step {n}: closed the file. " + "It took long. " * 20 for n in range(12)]
    steps = [episode(Task(id="t1"), text, about=(), outcome="", now=NOW) for text in said]
    teach(*steps, embedder=SMALL)
    task = {"id": "t1", "problem": "Close it. " * 400, "constraints": "Never. " * 400}
    built = build(agent, embedder=SMALL, task=task, budget_tokens=budget)
    texts = [render(data) if isinstance(data, dict) else data for data in built.frames.values() if data]
    assert built.tokens == count_tokens(texts) <= budget
    knowledge = count_tokens([render(built.frames["knowledge"])])
    assert not built.frames["knowledge"] or knowledge <= 0.6 * budget


@pytest.mark.spec("K4")
def test_knowledge_has_at_least_two_fifths_of_the_budget(teach, agent):
    """However much the other frames want, 40 % are left to knowledge, and used where there is enough of it."""
    teach(
        *(
            node(f"p.n{n}", ("fact", "concept")[n % 2], payload={"definition": f"closing file {n} " * 15})
            for n in range(40)
        ),
        embedder=SMALL,
    )
    task = {"id": "t1", "problem": "Close it. " * 2_000, "constraints": "Never. " * 2_000}
    built = build(agent, embedder=SMALL, task=task, budget_tokens=2_000)
    knowledge = count_tokens([render(built.frames["knowledge"])])
    assert 0.25 * 2_000 < knowledge <= 0.40 * 2_000
    alone = build(agent, embedder=SMALL, budget_tokens=2_000)
    assert 0.45 * 2_000 < count_tokens([render(alone.frames["knowledge"])]) <= 0.60 * 2_000


@pytest.mark.spec("K2")
def test_what_the_question_finds_leads_on_over_links(taught, agent):
    """Two links away from what is found, a node is lit; what has nothing to do with it is not. Of every node that is shown, the score is
    explained by the terms, by their weights, and the trust in its source; and it counts as used, what was merely looked at does not."""
    built = build(agent)
    shown = {entry["path"]: entry for entry in built.nodes}
    assert {"skill.python.context-managers", "concept.python.exceptions", "pattern.python.exit-stack"} <= set(
        shown
    )
    assert shown["skill.python.context-managers"]["terms"]["edge"] == 1.0
    assert "concept.cooking.bread" not in shown
    for entry in built.nodes:
        assert set(entry["terms"]) == {"meaning", "edge", "recency", "usage", "task", "persona"}
        weighted = sum(getattr(ACTIVATION.weights, name) * value for name, value in entry["terms"].items())
        assert entry["score"] == pytest.approx(weighted * entry["trust"], abs=1e-5)
    scores = [entry["score"] for entry in built.nodes if entry["type"] != "episode"]
    assert all(first >= second for first, second in pairwise(scores))
    for path in ("skill.python.context-managers", "concept.cooking.bread"):
        stats = get_node(agent, path)["stats"]
        assert (stats["uses"], stats["last_used_at"]) == (
            (1, LATER.isoformat()) if path in shown else (0, None)
        )


@pytest.mark.spec("K2")
def test_a_task_and_a_persona_lift_what_is_theirs(taught, teach, agent):
    """Tags of the task, and the persona's links and tags, count for the nodes that carry them."""
    teach(
        node(
            "persona.reviewer",
            "persona",
            says="Strict.",
            links=[link("fact.python.lifo", 0.9)],
            tags=["python"],
        )
    )
    terms = {entry["path"]: entry["terms"] for entry in build(agent, persona="persona.reviewer").nodes}
    assert terms["skill.python.context-managers"]["task"] == 1.0
    assert terms["fact.python.lifo"]["persona"] == 0.9
    assert terms["concept.python.exceptions"]["persona"] == 1.0
    assert "Persona: reviewer: Strict." in build(agent, persona="persona.reviewer").frames["identity"]
    plain = {entry["path"]: entry["terms"] for entry in build(agent, persona="").nodes}
    assert all(entry["persona"] == 0.0 for entry in plain.values())


@pytest.mark.spec("K2")
def test_caps_keep_one_type_from_crowding_out_the_others(teach, agent):
    """Of fifty facts and one skill that answer alike, the skill is there, and of the facts only so many."""
    teach(
        *(
            node(f"fact.f{n}", "fact", payload={"definition": f"A file is closed by rule {n}."})
            for n in range(50)
        ),
        embedder=SMALL,
    )
    teach(node("skill.s", "skill", says="A file is closed by hand."), embedder=SMALL)
    kinds = [entry["type"] for entry in build(agent, embedder=SMALL, budget_tokens=20_000).nodes]
    assert kinds.count("fact") == ACTIVATION.caps["fact"]
    assert kinds.count("skill") == 1


@pytest.mark.spec("K2")
def test_a_context_is_one_tick_and_resonance_decays_by_it(taught, agent, monkeypatch):
    """Each context raises what it lit up; with each further one that is about something else it decays, and stays a closed form."""
    first = build(agent)
    assert first.stats["tick"] == 1
    lit = get_node(agent, "skill.python.context-managers")["resonance"]["value"]
    assert lit > 0.4
    # From here on nothing is lit but what the question finds.
    monkeypatch.setattr(activation, "ACTIVATION", replace(ACTIVATION, hops=0, epsilon=2.0))
    values = [lit]
    for _ in range(3):
        build(agent, query="sourdough bread", task={"id": "bake"})
        values.append(get_node(agent, "skill.python.context-managers")["resonance"]["value"])
    assert values == pytest.approx([lit * 0.98**ticks for ticks in range(4)], abs=1e-5)


@pytest.mark.spec("K2")
def test_what_still_resonates_is_looked_at_and_what_does_not_leaves(taught, agent):
    """A node of an earlier context is a candidate of the next without being found; below epsilon it is none."""
    build(agent)
    again = build(agent, query="zzz", task={"id": "t2"}, save=False)
    assert "skill.python.context-managers" in {entry["path"] for entry in again.nodes}
    assert again.stats["working_set"] >= 1
    with space_scope(agent.space):
        AgentNode.objects.for_space(agent.space).update(resonance=0.049)
    agent_working_sets.forget(agent.space)
    cold = build(agent, query="zzz", task={"id": "t2"}, save=False)
    assert (cold.stats["working_set"], cold.stats["resonance"]) == (0, 0.0)
    assert cold.nodes == []


@pytest.mark.spec("K2")
@pytest.mark.spec("K9")
def test_the_working_set_stays_below_eight_hundred(teach, agent):
    """However many nodes resonate, fewer than 800 are in the working set, and the figure says so."""
    for start in range(0, 1_000, 200):
        teach(*(node(f"n{n}", resonance={"value": 0.9}) for n in range(start, start + 200)), embedder=SMALL)
    assert build(agent, embedder=SMALL, save=False).stats["working_set"] == 799
    assert build(agent, embedder=SMALL).stats["working_set"] < 800


def test_what_is_kept_in_the_process_is_what_it_would_load(committed):
    """After changes taken in one by one, and committed contexts, this process holds what loading everything anew gives."""
    agent = make_agent(open_space(make_student("ada").person))
    files = node("a", label="closing files", links=[link("b"), link("pack.x", 0.9)])
    upsert_memory(agent, [files, node("b"), node("c", label="bread", children={"a": "a"})], now=NOW)
    for hours in range(3):
        build(agent, query="closing files", now=NOW + timedelta(hours=hours))
    changed = [node("b", links=[link("c", 0.9)]), node("d", "episode", meta={"task": "t1"})]
    upsert_memory(agent, changed, now=LATER)
    remove_node(agent, "c", now=LATER)
    build(agent, query="closing files", now=NOW + timedelta(hours=3))
    with agent.open() as space:
        held = working_set_of(space)
        assert held.tick == 4
        kept = picture(held), held.version
        agent_working_sets.forget(space)
        loaded = working_set_of(space)
        assert loaded is not held
        assert (picture(loaded), loaded.version) == kept


def picture(held):
    """Return what searching and activation read of a working set, by path."""
    rows = [row for row in range(len(held)) if held.contents[row]]
    paths = {row: held.contents[row]["id"] for row in rows}
    adjacency = held.linked.adjacency.tocoo()
    return {
        "nodes": sorted((paths[row], str(held.contents[row]), str(held.numbers[row])) for row in rows),
        "edges": sorted(
            (paths[a], paths[b], w)
            for a, b, w in zip(adjacency.row, adjacency.col, adjacency.data, strict=True)
        ),
        "outward": sorted(
            (to, sorted((paths[row], w) for row, w in ends.items()))
            for to, ends in held.linked.outward.items()
        ),
        "episodes": sorted(sorted(paths[row] for row in rows) for rows in held.episodes.values() if rows),
        "words": sorted((paths[row], float(held.lexical.scores(["b", "d"])[row])) for row in rows),
        "resonance": sorted((paths[row], float(resonance_now(held)[row])) for row in rows),
        "vectors": sorted((paths[row], held.vectors[row].tolist()) for row in rows),
    }


@pytest.mark.spec("K4")
def test_the_scratchpad_of_a_task_is_carried_on(taught, agent):
    """What was last saved on a task's scratchpad stands in its next contexts, whole, however small one budget was."""
    note = "Plan: read, then close. " * 20
    save_context(agent, task_id="t1", frames=[{"kind": "scratchpad", "data": note.strip()}], now=NOW)
    assert len(build(agent, budget_tokens=64).frames["scratchpad"]) < len(note)
    for _ in range(25):
        build(agent)
    assert build(agent).frames["scratchpad"] == note.strip()
    assert build(agent, task={"id": "t2"}).frames["scratchpad"] == SCRATCHPAD


@pytest.mark.spec("K4")
def test_episodes_of_the_task_are_told_in_the_order_of_their_days(taught, agent):
    """The last steps of this task come first into consideration, and are told oldest first."""
    for n in range(12):
        observe(agent, task_id="t1", text=f"step {n}", now=NOW + timedelta(minutes=n))
    lines = build(agent).frames["episodic"].splitlines()
    assert len(lines) == ACTIVATION.caps["episode"]
    assert lines == sorted(lines)


@cases(
    ("given", "field"),
    [
        ({"query": "\x00 "}, "query"),
        ({"task": {"id": ""}}, "task.id"),
        ({"task": {"id": "t", "tags": ["x" * 61]}}, "task.tags"),
        ({"persona": "x" * 301}, "persona"),
    ],
)
def test_what_cannot_be_understood_is_refused(agent, given, field):
    """A question, task, budget or persona of the wrong form is refused by its name, and nothing is kept."""
    with pytest.raises(NodeInvalid) as refused:
        build(agent, **given)
    assert refused.value.field == field
    assert rows_of(agent, AgentContext) == []


def test_what_a_node_says_is_kept_until_it_changes(taught, teach, agent):
    """Another text or another type of a node stands in the next context; what was removed is neither found, nor lit, nor kept resonating."""
    path = "skill.python.context-managers"
    build(agent)
    teach(node(path, "pattern"))
    built = build(agent, save=False).frames["knowledge"]["skill"]["python"]["context-managers"]
    assert built["_type"] == "pattern"
    teach(node(path, "pattern", says="Closes a file."))
    built = build(agent).frames["knowledge"]["skill"]["python"]["context-managers"]
    assert built["_payload"]["definition"] == "Closes a file."
    remove_node(agent, path, now=LATER)
    assert path not in {entry["path"] for entry in build(agent).nodes}


def test_the_latest_contexts_stay_and_what_was_saved(taught, agent, monkeypatch):
    """Older ones that were built here go, looked at after every so many; a scratchpad that a program saved is kept."""
    save_context(agent, task_id="t1", frames=[{"kind": "scratchpad", "data": "Begun."}], now=NOW)
    monkeypatch.setattr(context_store, "CONTEXT", replace(CONTEXT, most_kept=3, prune_every=4))
    for minute in range(7):
        build(agent, now=NOW + timedelta(minutes=1 + minute))
    kept = rows_of(agent, AgentContext)
    built = [row.tick for row in kept if row.working_set is not None]
    assert sorted(built) == [2, 3, 4, 5, 6, 7]
    build(agent, now=NOW + timedelta(minutes=9))
    kept = rows_of(agent, AgentContext)
    assert sorted(row.tick for row in kept if row.working_set is not None) == [6, 7, 8]
    assert [row.working_set for row in kept].count(None) == 1
