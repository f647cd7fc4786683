"""A person's agents: made, opened, given up. What opens an agent's space is a sealed row of its owner's."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from companion_site.accounts.access import Access
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Bearer, list_tokens, revoke_token
from companion_site.audit.services import record_event
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import (
    add_token_slot,
    bump_version,
    close_space,
    create_agent_space,
    unlock_by_token,
)
from memory.agents.errors import TooMuch
from memory.agents.profiles import clean_name, clean_profile
from memory.agents.workingset import agent_working_sets
from memory.models import Agent, AgentKey

#: how many agents one person may have at once
MOST = 50


def access_by_token(bearer: Bearer) -> Access:
    """Return the access that a token gives; what it may do with it, its scopes say.

    Raises:
        NotFound: the token opens a space, but no agent's.
    """
    if bearer.space.kind != Space.Kind.AGENT:
        raise NotFound()
    return Access(bearer.person, bearer.space.pk, bearer.key)


@dataclass(frozen=True)
class OpenAgent(Access):
    """An agent whose space is open, with its row, and the key of its owner's own space, which opened it."""

    agent: Agent
    owner_key: SpaceKey


def create_agent(
    key: SpaceKey, *, owner: Person, name: str, profile: Mapping[str, Any], now: datetime
) -> OpenAgent:
    """Make an agent of the person whose own space `key` opens, all of it or nothing.

    Raises:
        NotFound: the space is not this person's. InvalidInput: name or profile. TooMuch.
    """
    name, cleaned = clean_name(name), clean_profile(profile)
    if owner.space_id != key.space:
        raise NotFound()
    with transaction.atomic(), unlocked(key.space, key):
        with write_scope(key.space):
            if AgentKey.objects.for_space(key.space).count() >= MOST:
                raise TooMuch(why="too-many")
        space, agent_key = create_agent_space(owner=owner, now=now)
        slot, secret = add_token_slot(agent_key, now=now)
        with unlocked(space.pk, agent_key), space_scope(space.pk):
            agent = Agent.objects.create(
                space_id=space.pk, name=name, profile=asdict(cleaned), created_at=now
            )
            record_event("agents.created", chain=space.pk, actor=owner, subject=agent, now=now)
        with space_scope(key.space):
            AgentKey.objects.create(
                space_id=key.space,
                agent_space_id=space.pk,
                name=name,
                slot_id=slot.pk,
                secret=secret.hex(),
                created_at=now,
            )
    return OpenAgent(owner, space.pk, agent_key, agent, key)


def list_agents(key: SpaceKey) -> dict[UUID, str]:
    """Return the names of the agents of the person whose own space `key` opens, by their spaces, the oldest first."""
    with unlocked(key.space, key), space_scope(key.space):
        rows = AgentKey.objects.for_space(key.space).order_by("id")
        return {row.agent_space_id: row.name for row in rows}


def open_agent(key: SpaceKey, space: UUID, *, person: Person, now: datetime) -> OpenAgent:
    """Open an agent by the key that its owner's own space keeps. Raises NotFound: this person has no such agent."""
    if person.space_id != key.space:
        raise NotFound()
    with unlocked(key.space, key), space_scope(key.space):
        row = AgentKey.objects.for_space(key.space).find(agent_space_id=space)
        slot_id, secret = row.slot_id, bytes.fromhex(row.secret)
    try:
        agent_key = unlock_by_token(space, slot_id, secret, now=now)
    except SpaceLocked:
        raise NotFound() from None
    return OpenAgent(person, space, agent_key, read_agent(space), key)


def read_agent(space: UUID) -> Agent:
    """Return the agent's row; its name and profile open inside `unlocked`. Raises NotFound: the space is no agent's."""
    with space_scope(space):
        agent: Agent = Agent.objects.for_space(space).find()
    return agent


def change_agent(owned: OpenAgent, *, name: str, profile: Mapping[str, Any], now: datetime) -> Agent:
    """Give an agent a name and a profile, in its own space and in its owner's list, all of it or nothing; return its row.

    Raises:
        InvalidInput: name or profile.
    """
    name, cleaned = clean_name(name), clean_profile(profile)
    key = owned.owner_key
    with transaction.atomic():
        with unlocked(key.space, key), write_scope(key.space):
            row = AgentKey.objects.for_space(key.space).find(agent_space_id=owned.space)
            row.name = name
            row.save(update_fields=["name"])
        with owned.open() as space, write_scope(space):
            agent = owned.agent
            agent.name, agent.profile = name, asdict(cleaned)
            agent.save(update_fields=["name", "profile"])
            bump_version(space)
            record_event("agents.changed", chain=space, actor=owned.person, subject=agent, now=now)
    return agent


def delete_agent(owned: OpenAgent, *, now: datetime) -> None:
    """Give an agent up: nothing opens its memory again."""
    key, space, person = owned.owner_key, owned.space, owned.person
    with transaction.atomic():
        with unlocked(key.space, key), write_scope(key.space):
            AgentKey.objects.for_space(key.space).find(agent_space_id=space).delete()
        for token in list_tokens(space, now=now):
            revoke_token(space, token.pk, actor=person, now=now)
        close_space(Space.objects.get(pk=space), now=now, actor=person)
    agent_working_sets.forget(space)
