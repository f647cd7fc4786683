"""What happened before, and what the agent notes of its own work."""

from datetime import timedelta

import pytest

from memory.agents.context_store import save_context
from memory.agents.episodes import recall_context
from tests.factories import NOW
from tests.memory.agents.conftest import get_node, held_by, make_agent, node, observe

LATER = NOW + timedelta(hours=5)


@pytest.mark.spec("K5")
def test_an_observation_is_an_episode_with_edges_to_what_it_is_about(teach, agent):
    """What was done becomes a node with its outcome, its task and an edge to each node it concerns, own or lent."""
    teach(node("skill.python.files", "skill"))
    path = observe(
        agent, task_id="t1", text="Closed the file. " * 20, about=["skill.python.files", "pack.some.node"],
        outcome="passed", now=NOW,
    )  # fmt: skip
    kept = get_node(agent, path)
    assert kept["type"] == "episode"
    assert len(kept["label"]) <= 120
    assert kept["payload"] == {"details": "Closed the file. " * 20, "outcome": "passed"}
    assert kept["links"] == [
        {"to": "skill.python.files", "rel": "about", "w": 0.8},
        {"to": "pack.some.node", "rel": "about", "w": 0.8},
    ]
    assert kept["meta"] == {"source": "observed", "task": "t1", "at": NOW.isoformat()}
    held = held_by(agent)
    ends = [held.row_of[path], held.row_of["skill.python.files"]]
    assert held.linked.adjacency[ends[0], ends[1]] == held.linked.adjacency[ends[1], ends[0]] == 0.8
    again = observe(agent, task_id="t1", text="Closed the file. " * 20, now=NOW)
    assert again != path


def test_a_session_ends_with_a_pause(agent, settings):
    """Without an id, a session is what happened since the last pause; with one, what names it."""
    settings.SESSION_IDLE_MINUTES = 30
    observe(agent, task_id="t1", text="before", session="s1", now=NOW)
    for n in (2, 3):
        observe(agent, task_id="t2", text=f"after {n}", now=NOW + timedelta(hours=n, minutes=-20 * n))
    save_context(agent, task_id="t2", frames=[{"kind": "episodic", "data": "later"}], now=NOW)
    save_context(agent, task_id="t1", frames=[{"kind": "episodic", "data": "early"}], now=NOW)
    now = NOW + timedelta(hours=2, minutes=10)
    assert labels(recall_context(agent, scope="session", now=now)) == ["after 3"]
    found = recall_context(agent, scope="session", id="s1", now=now)
    assert (labels(found), [frame["data"] for frame in found["frames"]]) == (["before"], ["early"])
    assert recall_context(agent, scope="session", now=now + timedelta(days=1)) == {"nodes": [], "frames": []}


def test_what_is_recent_is_the_newest_of_everything(agent, owner_key):
    """Across tasks, the newest first; of this agent only. By task: its episodes, the newest first, at most k, and the frames that were
    saved for it."""
    for n in range(4):
        observe(agent, task_id="t1", text=f"step {n}", now=NOW + timedelta(minutes=n))
    observe(agent, task_id="t2", text="another", now=LATER)
    observe(make_agent(owner_key, name="Other"), task_id="t1", text="not mine", now=LATER)
    save_context(
        agent, task_id="t1", frames=[{"kind": "episodic", "data": "mine"}], outcome="helped", now=NOW
    )
    save_context(agent, task_id="t2", frames=[{"kind": "episodic", "data": "other"}], now=NOW)
    assert labels(recall_context(agent, scope="recent", k=2, now=LATER)) == ["another", "step 3"]
    found = recall_context(agent, scope="task", id="t1", k=3, now=LATER)
    assert labels(found) == ["step 3", "step 2", "step 1"]
    assert [(frame["data"], frame["task_id"], frame["outcome"]) for frame in found["frames"]] == [
        ("mine", "t1", "helped")
    ]
    assert recall_context(agent, scope="task", id="t9", now=LATER) == {"nodes": [], "frames": []}


def labels(found):
    return [entry["label"] for entry in found["nodes"]]
