"""A person's agents: a sealed space each, opened by what the owner's own space keeps, or by a token."""

import pytest

from companion_site.accounts.errors import BadToken
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import authenticate_token
from companion_site.audit.models import AuditEvent
from companion_site.errors import NotFound
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import unlock
from memory.agents import agents as agents_module
from memory.agents.agents import change_agent, create_agent, delete_agent, list_agents, open_agent
from memory.agents.errors import TooMuch
from memory.agents.nodes import upsert_memory
from memory.agents.workingset import agent_working_sets
from memory.models import AgentKey
from tests.factories import NOW, make_student, open_space
from tests.memory.agents.conftest import PROFILE, get_node, held_by, make_agent, node, token_of
from tests.refusals import refused


def test_an_agent_is_opened_again_by_its_owners_key(owner_key, opened, teach):
    """What the agent learned is there when its owner opens it by the key that their own space keeps; that it was made is on record."""
    teach(node("a", label="Kept"))
    assert list_agents(owner_key) == {opened.space: "Kari"}
    again = open_agent(owner_key, opened.space, person=opened.person, now=NOW)
    assert get_node(again, "a")["label"] == "Kept"
    with again.open():
        assert (again.agent.name, again.agent.profile) == ("Kari", PROFILE)
    assert AuditEvent.objects.filter(chain=opened.space, action="agents.created").count() == 1


def test_the_recovery_code_brings_the_agent_back_too(db):
    """A person who forgot the password opens their space by the recovery code, and through it their agents."""
    joined = make_student("eve")
    made = make_agent(open_space(joined.person))
    space = Space.objects.get(pk=joined.person.space_id)
    key = unlock(space, kind=KeySlot.Kind.RECOVERY, secret=joined.recovery_code, now=NOW)
    assert open_agent(key, made.space, person=joined.person, now=NOW).key.data_key == made.key.data_key


def test_a_strangers_agent_is_not_found(opened, db):
    """Whoever names an agent that is not theirs is told that there is none, whatever they ask of it."""
    stranger = make_student("mallory").person
    key = open_space(stranger)
    for work in (
        lambda: open_agent(key, opened.space, person=stranger, now=NOW),
        lambda: create_agent(key, owner=opened.person, name="x", profile={}, now=NOW),
        lambda: open_agent(key, opened.space, person=opened.person, now=NOW),
    ):
        with pytest.raises(NotFound):
            work()
    assert list_agents(key) == {}


def test_an_agent_that_was_given_up_opens_no_more(owner_key, opened, teach, monkeypatch):
    """Deleted, an agent is gone from the list, its tokens and keys open nothing, and nothing of it is held. A person has only so many;
    one that was given up makes room."""
    teach(node("a"))
    _, text = token_of(opened)
    monkeypatch.setattr(agents_module, "MOST", 1)
    with refused(TooMuch, "too-many"):
        make_agent(owner_key)
    delete_agent(opened, now=NOW)
    assert list_agents(owner_key) == {}
    assert opened.space not in agent_working_sets
    with pytest.raises(BadToken):
        authenticate_token(text, now=NOW)
    with pytest.raises(NotFound):
        open_agent(owner_key, opened.space, person=opened.person, now=NOW)
    with space_scope(opened.space):
        assert not KeySlot.objects.for_space(opened.space).exists()
    make_agent(owner_key)


def test_making_an_agent_is_all_or_nothing(owner_key, monkeypatch):
    """Where the last step fails, there is no space, no key and no row of the agent."""

    def refuse(**values):
        raise RuntimeError("the row cannot be written")

    owner = Person.objects.get()
    monkeypatch.setattr(AgentKey.objects, "create", refuse)
    with pytest.raises(RuntimeError, match="cannot be written"):
        create_agent(owner_key, owner=owner, name="Kari", profile={}, now=NOW)
    assert not Space.objects.filter(kind=Space.Kind.AGENT).exists()


def test_a_changed_profile_holds_in_every_process(owner_key, opened):
    """Another name or profile is seen by whoever holds the agent's memory already."""
    upsert_memory(opened, [node("a")], now=NOW)
    profile = {"identity": "You are somebody else."}
    change_agent(opened, name="Nils", profile=profile, now=NOW)
    held = held_by(opened)
    assert (held.name, held.profile.identity) == ("Nils", "You are somebody else.")
