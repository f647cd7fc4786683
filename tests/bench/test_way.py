"""The ways through our modules: what counts as a climb and as a return, and what a message really passes."""

import sys
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import ANY

import pytest

from bench.commands import CouldNotLive
from bench.way import WALKS, find_layers, follow, recording, render, walk_to_fact, walk_to_memory
from companion_site.accounts.models import Company, Person
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.agents.profiles import clean_name
from memory.models import CompanyFact, MemoryNode

LAYERS = {"chat.talk": 2, "memory.student": 1, "memory.reading": 1, "site.vault": 0}
SAY, STORE, READ, OPEN = "chat.talk.say", "memory.student.store", "memory.reading.words", "site.vault.boxes"
SCOPE = "site.vault.scope"
#: Said, stored and read, each of which opens a box.
PLAIN = [("", SAY), (SAY, STORE), (STORE, OPEN), (SAY, READ), (READ, OPEN)]


@pytest.mark.parametrize(
    ("calls", "climbs", "returns"),
    [
        # the first entry of a package is no return, one from outside is the first where it comes first
        (PLAIN[:4], [], []),
        (PLAIN, [], [("memory.reading", "site.vault")]),
        ([*PLAIN[:2], (STORE, SAY)], [(STORE, SAY)], [("memory.student", "chat.talk")]),
        # a call down and one within a layer do not climb; two modules are told, whoever else calls the same one
        ([*PLAIN[:4], (STORE, READ), (OPEN, STORE)], [(OPEN, STORE)], ANY),
        ([(OPEN, STORE), (SCOPE, STORE)], [(OPEN, STORE), (SCOPE, STORE)], []),
    ],
)
def test_a_call_into_a_higher_layer_climbs_and_an_entry_from_elsewhere_returns(calls, climbs, returns):
    """And what is called again counts once: a message of a hundred statements has the way of a message of one."""
    way = follow(calls, LAYERS)
    assert (way.climbs, way.returns) == (climbs, returns)
    assert follow(calls * 100, LAYERS) == way


def test_calls_within_a_package_are_on_its_way_and_no_arrows():
    """Its modules are told in the order in which they were entered."""
    way = follow([("", STORE), (STORE, "memory.student.rows"), ("memory.student.rows", STORE)], LAYERS)
    assert way.packages == {"memory.student": [STORE, "memory.student.rows"]}
    assert way.count() == {"packages": 1, "modules": 2, "arrows": 0, "climbs": 0, "returns": 0}


def test_a_package_stands_above_what_it_imports_and_beside_what_imports_it_back():
    """However long the circle; the longest chain of imports decides."""
    circle = [("b", "c"), ("c", "d"), ("d", "b")]
    assert find_layers([("a", "b"), ("a", "e"), *circle, ("c", "e"), ("e", "f")]) == {
        "a": 3,
        "b": 2,
        "c": 2,
        "d": 2,
        "e": 1,
        "f": 0,
    }


def test_a_way_is_told_package_by_package():
    """Its figures first, its climbs last."""
    assert list(render("a way", follow([*PLAIN[:3], (OPEN, STORE)], LAYERS))) == [
        "a way: 3 packages, 3 modules, 3 arrows, 1 climbs, 1 returns",
        "  chat.talk (arrows into it: 0): say",
        "  memory.student (arrows into it: 2): store",
        "  site.vault (arrows into it: 1): boxes",
        f"  climb: {OPEN} -> {STORE}",
        "",
    ]


def test_calls_are_recorded_where_they_are_made_and_no_longer():
    """In the block and its thread alone; what profiled before does so again."""
    before = sys.getprofile()
    with recording() as calls:
        assert not calls
        clean_name("Ada")
        sorted(["b", "a"], key=clean_name)
        with ThreadPoolExecutor() as pool:
            pool.submit(new_id).result()
    new_id()
    assert sys.getprofile() is before
    assert ("", "memory.agents.profiles") in calls
    assert "companion_site.ids" not in {called for _, called in calls}
    assert all(caller.startswith("memory.") for caller, _ in calls if caller)


@pytest.mark.usefixtures("committed")
def test_what_is_said_is_read_and_stored_on_its_way():
    """A message becomes a memory, another a company's fact, and a question a context, each by the packages that are there for it."""
    memory, fact, context = (follow(walk(), {}) for walk in WALKS.values())
    assert next(iter(memory.packages)) == next(iter(fact.packages)) == "chat.services"
    assert {"memory.reading", "memory.student", "companion_site.vault"} <= set(memory.packages)
    assert "memory.student.ingest.store" in memory.packages["memory.student"]
    assert {"memory.reading", "memory.company"} <= set(fact.packages)
    assert next(iter(context.packages)) == "memory.agents"
    for owner, rows in (
        (Person.objects.get(username="way-student"), MemoryNode),
        (Company.objects.get(), CompanyFact),
    ):
        with space_scope(owner.space_id):
            assert rows.objects.for_space(owner.space_id).count() == 2


@pytest.mark.usefixtures("committed")
def test_a_way_that_leads_nowhere_is_none(monkeypatch):
    """A message that nothing is kept of would show a shorter way than others have."""
    for name, walk in (("SAID", walk_to_memory), ("SAID_AT_WORK", walk_to_fact)):
        monkeypatch.setattr(f"bench.way.{name}", ("haha ok",))
        with pytest.raises(CouldNotLive, match="haha ok"):
            walk()
