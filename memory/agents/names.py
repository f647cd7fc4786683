"""What an agent is called, in its own space and in its owner's list of agents: the two are changed together."""

from datetime import datetime

from django.db import transaction

from companion_site.errors import NotFound
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import unlocked
from companion_site.vault.scope import lock_space, space_scope
from memory.agents.access import AgentAccess
from memory.agents.agents import change_agent
from memory.agents.profiles import clean_name
from memory.models import AgentKey


def rename_agent(key: SpaceKey, access: AgentAccess, *, name: str, profile: object, now: datetime) -> None:
    """Give an agent a name and a profile, all of it or nothing.

    Args:
        key: of the owner's own space, which keeps the list.

    Raises:
        NotFound: the agent is not this owner's. InvalidInput: name or profile.
    """
    name = clean_name(name)
    with transaction.atomic():
        with unlocked(key.space, key), space_scope(key.space):
            lock_space(key.space)
            row = AgentKey.objects.for_space(key.space).filter(agent_space_id=access.space).first()
            if row is None:
                raise NotFound()
            row.name = name
            row.save(update_fields=["name"])
        change_agent(access, name=name, profile=profile, now=now)
