"""Archives that never change, and the figures of what is built."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import ProgrammingError, transaction

from companion_site.vault.scope import space_scope
from memory.agents import snapshots as snapshots_module
from memory.agents.context_store import save_context
from memory.agents.contexts import build_context
from memory.agents.errors import TooMuch
from memory.agents.figures import figures
from memory.agents.snapshots import project_snapshot
from memory.models import AgentSnapshot
from tests.factories import NOW
from tests.memory.agents.conftest import PROFILE, node, rows_of
from tests.memory.packs.making import link
from tests.refusals import refused

LATER = NOW + timedelta(hours=1)


@pytest.mark.spec("K4")
def test_a_snapshot_holds_nodes_links_resonance_and_frames(teach, agent):
    """An archive has every node with its links and resonance, the agent, and the frames of its contexts. What changes later does not
    change it, and the database refuses to rewrite or remove it."""
    teach(node("b", label="closing files", links=[link("a")]), node("a"))
    build_context(agent, query="closing files", task={"id": "t1"}, budget_tokens=500, now=NOW)
    taken = project_snapshot(agent, now=LATER)
    assert (taken.nodes, taken.tick) == (2, 1)
    teach(node("b", label="second"))
    with agent.open(), space_scope(agent.space):
        rows = AgentSnapshot.objects.for_space(agent.space)
        archive = rows.get(pk=taken.id).archive
        for change in (lambda: rows.update(nodes=7), rows.delete):
            with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
                change()
    assert archive == taken.archive
    assert archive["agent"] == {"name": "Kari", "profile": PROFILE, "tick": 1}
    first, second = archive["nodes"]
    assert (first["id"], second["id"], second["links"]) == ("a", "b", [link("a")])
    assert second["label"] == "closing files" and second["resonance"]["value"] > 0
    (context,) = archive["contexts"]
    assert {"identity", "problem", "knowledge"} <= {frame["kind"] for frame in context["frames"]}


def test_a_snapshot_and_all_together_have_a_bound(teach, agent, monkeypatch):
    """One too large, or one more than there is room for, is not kept; one that is there is still given."""
    teach(node("a"))
    with monkeypatch.context() as small, refused(TooMuch, "snapshot-too-large"):
        small.setattr(snapshots_module, "MOST_BYTES", 100)
        project_snapshot(agent, now=NOW)
    assert rows_of(agent, AgentSnapshot) == []
    first = project_snapshot(agent, now=NOW)
    monkeypatch.setattr(snapshots_module, "MOST_BYTES_IN_ALL", first.size + 10)
    assert project_snapshot(agent, now=LATER).id == first.id
    teach(node("b"))
    with refused(TooMuch, "snapshots-full"):
        project_snapshot(agent, now=LATER)
    assert [row.pk for row in rows_of(agent, AgentSnapshot)] == [first.id]


@pytest.mark.spec("K9")
def test_figures_tell_coverage_drift_utility_and_hygiene_by_day(teach, agent, settings):
    """Coverage over contexts with a domain, drift of their best nodes, share of good outcomes, size and warmth of the working set."""
    settings.TIME_ZONE = "Europe/Stockholm"
    teach(
        node("fact.python.files", "fact", says="A file is closed by hand.", tags=["python"]),
        node("fact.bread", "fact", says="Sourdough bread is baked."),
    )
    late = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)  # the third of March in Stockholm
    ask = {"budget_tokens": 2_000}
    hit = build_context(agent, query="closing a file", task={"id": "t1", "tags": ["python"]}, now=NOW, **ask)
    miss = build_context(agent, query="bread baked", task={"id": "t2", "tags": ["rust"]}, now=late, **ask)
    save_context(agent, task_id="t1", frames=[], outcome="helped", now=NOW)
    save_context(agent, task_id="t2", frames=[], outcome="failed", now=late)
    assert (hit.stats["covered"], miss.stats["covered"]) == (True, False)
    seen = figures(agent, since=NOW - timedelta(days=1), now=late + timedelta(days=1))
    total, (first, second) = seen["total"], seen["days"]
    names = ("contexts", "coverage", "utility", "outcomes")
    assert [total[name] for name in names] == [2, 0.5, 0.5, 2]
    assert [str(day["day"]) for day in seen["days"]] == ["2026-03-02", "2026-03-03"]
    assert [(day["coverage"], day["utility"]) for day in seen["days"]] == [(1.0, 1.0), (0.0, 0.0)]
    assert first["distance"] == pytest.approx(hit.stats["drift"]) and 0 < first["distance"] < 0.25
    assert first["held"] == hit.stats["working_set"]
    assert second["warmth"] == pytest.approx(miss.stats["resonance"])
    assert figures(agent, since=late + timedelta(hours=1), now=late + timedelta(days=1))["days"] == []
