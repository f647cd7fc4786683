"""Coverage, drift, utility and hygiene: as pictures of one agent with what to do, and for a scraper about all of them."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from companion_site.accounts.models import Person
from companion_site.ids import new_id
from companion_site.metrics.collector import held_gauges
from companion_site.metrics.counts import days_until
from companion_site.vault.scope import space_scope
from memory.agents.context_store import save_context
from memory.agents.contexts import build_context
from memory.agents.figures import change_of_drift, figures
from memory.agents.pages.figures import MOST_DRIFT_RISE, see
from memory.agents.workingset import hash_task
from memory.models import AgentContext
from tests.cases import cases
from tests.factories import make_student, open_space
from tests.live import logged_in
from tests.memory.agents.conftest import make_agent, node
from tests.site.test_metrics import key, samples_of

pytestmark = pytest.mark.spec("K9")

AN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}", re.IGNORECASE)


def kept(agent, *, ago=timedelta(minutes=5), **numbers):
    """Write a context down as if it had been kept some time ago."""
    at = timezone.now() - ago
    with agent.open() as space, space_scope(space):
        AgentContext.objects.create(
            id=new_id(),
            space_id=space,
            task_hash=hash_task(space, "t"),
            content={"task_id": "t", "frames": [], "nodes": []},
            tick=1,
            saved_at=at,
            **numbers,
        )


def built(agent, *, ago=timedelta(minutes=5), covered=True, drift=0.2, working_set=10, resonance=0.5):
    kept(agent, ago=ago, covered=covered, drift=drift, working_set=working_set, resonance=resonance)


def seen(agent, *, span=14):
    found = see(agent, span=span, now=timezone.now())
    return found, {str(one.label): one for one in found["standings"]}


def test_a_memory_that_does_well_asks_for_nothing(opened):
    """Good numbers stand without advice."""
    for day in range(6):
        built(opened, ago=timedelta(days=day))
        kept(opened, ago=timedelta(days=day), outcome="helped")
    found, standings = seen(opened)
    assert found["contexts"] == 6 and all(one.is_well and not one.advice for one in standings.values())
    assert [standings[name].value for name in ("Coverage", "Drift", "Utility", "Hygiene")] == [
        "100 %", "20 / 100", "100 %", "10",
    ]  # fmt: skip


@cases(
    ("name", "contexts", "advice"),
    [
        ("Coverage", [{"covered": day % 2 == 0} for day in range(6)], "Mount a pack"),
        (
            "Drift",
            [{"drift": 0.2 if day > 2 else 0.2 + MOST_DRIFT_RISE + 0.01} for day in range(6)],
            "moved on",
        ),
        ("Hygiene", [{"working_set": 760}], "push others out"),
    ],
)
def test_what_is_bad_says_what_to_do(opened, name, contexts, advice):
    """One figure that is bad is marked, with what to do about it, and no other."""
    for day, numbers in enumerate(contexts):
        built(opened, ago=timedelta(days=day), **numbers)
    _found, standings = seen(opened)
    assert advice in standings[name].advice
    assert [label for label, one in standings.items() if not one.is_well] == [name]


def test_drift_is_compared_by_contexts_and_only_over_days_enough(opened):
    """A day with many contexts weighs more; three days are too few to tell."""
    for day, drift in ((5, 0.1), (4, 0.1), (1, 0.4)):
        built(opened, ago=timedelta(days=day), drift=drift)
    observed = figures(opened, since=timezone.now() - timedelta(days=9), now=timezone.now())
    assert change_of_drift(observed["days"]) is None
    for _number in range(3):
        built(opened, drift=0.2)
    observed = figures(opened, since=timezone.now() - timedelta(days=9), now=timezone.now())
    assert change_of_drift(observed["days"]) == pytest.approx((0.4 + 3 * 0.2) / 4 - 0.1)


def test_the_pictures_hold_what_contexts_left(opened, teach):
    """Real contexts over the real services become points of the real day; nothing is nought where nothing was."""
    teach(node("a", label="Closing files", tags=["python"]))
    now = timezone.now()
    build_context(
        opened,
        query="closing files",
        task={"id": "t", "tags": ["python"]},
        budget_tokens=2000,
        now=now,
    )
    save_context(opened, task_id="t", frames=[], outcome="helped", now=now)
    pictures = {one.chart.slug: one for one in seen(opened)[0]["pictures"]}
    assert set(pictures) == {"coverage", "drift", "utility", "working-set", "resonance"}
    assert pictures["coverage"].chart.days == days_until(now)
    assert pictures["coverage"].chart.series[0].values == [None] * 13 + [100.0]
    assert pictures["utility"].chart.series[0].values[-1] == 1 and len(pictures["utility"].bars) == 1
    drift = figures(opened, since=now - timedelta(days=1), now=now)["total"]["distance"]
    assert pictures["drift"].chart.series[0].values[-1] == pytest.approx(100 * drift)


@pytest.fixture
def many(committed):
    """Two agents of two people, with contexts of the last hour, the last day and longer ago."""
    agents = [
        make_agent(open_space(make_student(name).person), name=f"Secretive {name}") for name in ("ada", "bo")
    ]
    built(agents[0], drift=0.1, working_set=10, resonance=0.2)
    built(agents[1], drift=0.3, working_set=30, resonance=0.4, covered=False)
    built(agents[1], drift=0.3, working_set=30, resonance=0.4, covered=None)
    for outcome in ("helped", "helped", "failed"):
        kept(agents[0], outcome=outcome)
    built(agents[0], ago=timedelta(hours=5), covered=False, drift=None)
    return agents


def test_a_scraper_and_staff_are_told_of_all_agents_together(many):
    """Sums, shares and means over every agent, within each window, and two pictures on the page of figures. Neither an id nor a name of an
    agent or its person is in it."""
    held_gauges.forget()
    text = Client().get("/metrics").text
    held_gauges.forget()
    told, hour = samples_of(text), {"window": "1h"}
    assert told[key("companion_agents")] == 2
    assert told[key("companion_agent_contexts", kind="built", **hour)] == 3
    assert told[key("companion_agent_contexts", kind="saved", **hour)] == 3
    assert told[key("companion_agent_coverage_ratio", **hour)] == 0.5
    assert told[key("companion_agent_drift", stat="mean", **hour)] == pytest.approx(0.7 / 3)
    assert told[key("companion_agent_drift", stat="p95", **hour)] == pytest.approx(0.3)
    assert told[key("companion_agent_outcomes", outcome="helped", **hour)] == 2
    assert told[key("companion_agent_utility_ratio", **hour)] == pytest.approx(2 / 3)
    assert told[key("companion_agent_working_set_nodes", stat="max", **hour)] == 30
    assert told[key("companion_agent_resonance", stat="mean", **hour)] == pytest.approx(1 / 3)
    assert told[key("companion_agent_coverage_ratio", window="24h")] == pytest.approx(1 / 3)
    mine = "\n".join(line for line in text.splitlines() if "companion_agent" in line)
    assert not AN_ID.search(mine) and "Secretive" not in text and "ada" not in mine.replace("metadata", "")
    labels = {
        name for sample in told for name, _value in sample[1:] if sample[0].startswith("companion_agent")
    }
    assert labels == {"window", "kind", "stat", "outcome"}
    make_student("root", role=Person.Role.STAFF)
    page = logged_in("root").get("/admin/figures/").text
    assert 'id="figure-agent-contexts"' in page and 'id="figure-agent-drift"' in page
    assert "Secretive" not in page
    pictured = re.search(r'aria-label="(Contexts of agents[^"]*)"', page)[1]
    assert "Covered 1, Not covered 2, No domain named 1" in pictured
