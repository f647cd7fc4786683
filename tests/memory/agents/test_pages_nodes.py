"""What an agent remembers, on pages: its tree, its search, one node, forgetting one and having it back; its contexts."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from companion_site.accounts.models import Session
from memory.agents.context_store import save_context
from memory.agents.contexts import build_context
from memory.agents.pages import undo as undo_module
from memory.agents.search import nodes_of
from tests.factories import NOW
from tests.live import logged_in
from tests.memory.agents.conftest import get_node, held_by, lend_pack, node
from tests.memory.packs.making import link

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K1")]

PATH = "skill.python.files"


def address_of(opened, path):
    """Return where a node's page is."""
    held = held_by(opened)
    return f"/agents/{opened.space}/nodes/{held.ids[held.row_of[path]]}/"


@pytest.fixture
def at(opened):
    return f"/agents/{opened.space}/nodes/"


@pytest.fixture
def taught(teach):
    """Some nodes that hang together."""
    teach(
        node(
            PATH,
            "skill",
            label="Close files",
            payload={
                "definition": "Use a with statement.",
                "code": "with open(p):\n    ...",
                "deep": {"a": [1]},
            },
            links=[link("skill.python.managers", 0.8), link("nowhere.at-all", 0.2)],
            tags=["python"],
        ),
        node("skill.python.managers", "skill", label="Context managers", children={"see": PATH}),
        node("fact.vat", "fact", label="VAT is 25 %"),
    )


def labels_in(page):
    return re.findall(r'class="memory-link"[^>]*>([^<]+)<', page)


def test_the_tree_is_walked_by_addresses_that_tell_nothing(client, at, taught):
    """Branches stand with how much is in them; an address has the keyed hash of a path, never the path. Guessed, cut and foreign names
    lead nowhere."""
    page = client.get(at).text
    branches = dict(re.findall(r'under=([0-9a-f]{64})"><span>([^<]+)</span>', page))
    assert sorted(branches.values()) == ["fact", "skill.python"]
    assert not re.search(r'href="[^"]*(skill|python|files)[^"]*"', page.replace("?type=skill", ""))
    (name,) = [name for name, label in branches.items() if label == "skill.python"]
    inside = client.get(f"{at}?under={name}").text
    assert labels_in(inside) == ["Close files", "Context managers"] and "VAT" not in inside
    for under in ("0" * 64, "x", "skill", "0" * 65):
        assert client.get(f"{at}?under={under}").status_code == 404


def test_a_search_finds_own_nodes_and_those_of_packs(client, at, taught, opened):
    """Each stands with where it comes from; a pack's node has no page of the agent's."""
    lend_pack(opened, node("pack.files", label="Files in packs", says="Closing files."))
    page = client.get(at, {"q": "closing files"}).text
    assert "Close files" in page and "Files in packs" in page and "in the pack python-core" in page
    only = client.get(at, {"q": "closing files", "type": "fact"}).text
    assert "Close files" not in only


def test_one_node_shows_what_it_says_and_where_it_leads(client, taught, opened):
    """Payload, links with their ends, what leads to it, and what leads nowhere."""
    page = client.get(address_of(opened, PATH)).text
    assert "Use a with statement." in page and "with open(p):" in page and "&quot;a&quot;: [" in page
    assert address_of(opened, "skill.python.managers") in page and "0.80" in page
    assert "nowhere.at-all" in page and "leads nowhere now" in page
    assert "Leads here" in page and "(see)" in page


def test_a_forgotten_node_is_had_back_with_its_use(client, at, taught, opened):
    """One click forgets it, one has it back, as it was: content, uses, resonance. Between them no word of it stands in the session's row."""
    build_context(opened, query="closing files", task={"id": "t"}, budget_tokens=2000, now=NOW)
    before = get_node(opened, PATH)
    address = address_of(opened, PATH)
    page = client.post(f"{address}remove/", follow=True).text
    assert "Forgotten" in page and "Undo" in page and client.get(address).status_code == 404
    assert nodes_of(opened, [PATH]) == []
    (row,) = Session.objects.all()
    kept = json.dumps(row.get_decoded())
    assert undo_module.SESSION_FIELD in kept and "files" not in kept and "statement" not in kept
    page = client.post(f"{at}undo/", follow=True).text
    assert "It is back" in page and "Close files" in page
    after = get_node(opened, PATH)
    assert before["stats"]["uses"] == 1 and after == before
    assert client.post(f"{at}undo/").status_code == 404


def test_having_back_is_offered_for_a_while_and_for_this_agent(
    client, at, taught, teach, opened, monkeypatch
):
    """On the page of another agent, or after a quarter of an hour, there is nothing to have back; nor does having back overwrite what a
    program said since."""
    client.post(f"{address_of(opened, PATH)}remove/")
    other = f"/agents/{logged_in('ada').post('/agents/new/', {'name': 'Other'}).url.split('/')[2]}/nodes/"
    assert client.post(f"{other}undo/").status_code == 404 and "had back" not in client.get(other).text
    teach(node(PATH, "skill", label="Said anew"))
    assert "Something else is remembered there" in client.post(f"{at}undo/", follow=True).text
    assert get_node(opened, PATH)["label"] == "Said anew"
    later = timezone.now() + undo_module.OFFERED + timedelta(seconds=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert client.post(f"{at}undo/").status_code == 404


@pytest.mark.spec("K4")
def test_contexts_are_listed_and_opened(client, taught, opened):
    """The newest first, with how each ended; one shows its frames and the nodes that stood in it."""
    build_context(opened, query="closing files", task={"id": "task <7>"}, budget_tokens=2000, now=NOW)
    save_context(
        opened,
        task_id="task 8",
        frames=[{"kind": "scratchpad", "data": "Plan: go"}],
        outcome="failed",
        now=NOW,
    )
    page = client.get(f"/agents/{opened.space}/contexts/").text
    assert labels_in(page) == ["task 8", "task &lt;7&gt;"] and "Failed" in page
    saved, built = re.findall(r'href="(/agents/[^"]+/contexts/[0-9a-f-]{36}/)"', page)
    assert "Plan: go" in client.get(saved).text
    page = client.get(built).text
    assert "Close files" in page and PATH in page and "You are Kari" in page and "Drift" in page


@pytest.mark.spec("K2")
def test_a_context_is_tried_out_and_nothing_of_it_is_kept(client, taught, opened):
    """The picture's parts are as long as the score; no tick, no row, no use."""
    address = f"/agents/{opened.space}/contexts/try/"
    page = client.post(address, {"query": "closing files", "tags": "python", "budget": "2000"}).text
    bars = re.findall(r"<svg class=\"agents__bar\".*?</svg>\s*<span[^>]*>([\d.]+)<", page, re.DOTALL)
    widths = re.findall(r'agents__term--\w+" x="[\d.]+" width="([\d.]+)"', page)
    assert len(bars) >= 2 and len(widths) == 6 * len(bars)
    assert sum(map(float, widths[:6])) == pytest.approx(100 * float(bars[0]), abs=0.6)
    assert "Nothing of this was kept" in page
    assert held_by(opened).tick == 0
    assert get_node(opened, PATH)["stats"]["uses"] == 0
