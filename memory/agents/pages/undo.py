"""The node that was removed last, kept sealed in its owner's session so that one click has it back.

The row itself is emptied at once. What brings it back is a box sealed with the agent's key and bound to the node, so that
whoever reads the session reads nothing.
"""

import json
from base64 import b64decode, b64encode
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from companion_site.accounts.access import Access
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import BoxBroken, CompanionError, NotFound
from companion_site.vault.boxes import Place
from companion_site.vault.keyring import key_of
from memory.agents.nodes import upsert_memory
from memory.agents.workingset import working_set_of

SESSION_FIELD = "agent_node_removed"
#: Within so long somebody notices that they meant another one.
OFFERED = timedelta(minutes=15)
_TABLE, _FIELD = "memory_agent_removed", "node"


class PathTaken(CompanionError):
    """Something else was remembered under the path meanwhile."""

    code = "agent.path-taken"
    message = _("Something else is remembered there by now, so it was left as it is.")


def keep_removed(
    request: PersonRequest, access: Access, node_id: UUID, node: dict[str, Any], *, now: datetime
) -> None:
    """Keep what brings a removed node back; what was kept before is gone for good. The space is unlocked here."""
    box = key_of(access.space).seal(
        json.dumps(node, ensure_ascii=False).encode(), Place(access.space, _TABLE, node_id, _FIELD)
    )
    request.session[SESSION_FIELD] = {
        "agent": str(access.space),
        "node": str(node_id),
        "box": b64encode(box).decode(),
        "at": now.isoformat(),
    }


def is_offered(request: PersonRequest, space: UUID, *, now: datetime) -> bool:
    """Tell whether a node of this agent can be had back."""
    kept = request.session.get(SESSION_FIELD)
    if not kept:
        return False
    if now - datetime.fromisoformat(kept["at"]) > OFFERED:
        del request.session[SESSION_FIELD]
        return False
    return bool(kept["agent"] == str(space))


def bring_back(request: PersonRequest, access: Access, *, now: datetime) -> str:
    """Remember the removed node again, with its use and resonance; return its path.

    Raises:
        NotFound: there is nothing to have back. PathTaken.
    """
    if not is_offered(request, access.space, now=now):
        raise NotFound()
    kept = request.session[SESSION_FIELD]
    place = Place(access.space, _TABLE, UUID(kept["node"]), _FIELD)
    with access.open() as space:
        try:
            node: dict[str, Any] = json.loads(key_of(space).open(b64decode(kept["box"]), place))
        except BoxBroken:
            raise NotFound() from None
        if node["id"] in working_set_of(space).row_of:
            raise PathTaken()
    upsert_memory(access, [node], merge=False, now=now)
    del request.session[SESSION_FIELD]
    return str(node["id"])
