"""The step that notes what a message asks for: goals, how it goes with them, gratitude, mood.

It runs when the reply is complete, on the person's own words: never on the companion's, never on remembered text.
"""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np

from chat.access import ChatAccess
from chat.coaching.actions import read_actions
from chat.coaching.store import apply_actions
from chat.models import Message
from chat.notices import announce_noted
from chat.threads import in_thread
from companion_site.language import as_language
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import Goal
from memory.student.life.goals import list_goals


@dataclass(frozen=True, kw_only=True)
class CoachInput:
    """One message and who said it.

    Attributes:
        memory_on: off, nothing is read and nothing written.
        vector: (d,) of the text, where it is known.
        is_danger: whether the message is about danger, or nobody could tell; then nothing is noted.
    """

    access: ChatAccess
    message_id: UUID
    text: str
    language: str
    memory_on: bool
    now: datetime
    vector: np.ndarray | None = field(default=None, repr=False)
    is_danger: bool = False


async def coach_step(given: CoachInput) -> int:
    """Note what a message asks for, in one transaction, and return for how much there is a row; a second time nothing happens."""
    if given.is_danger or not (given.memory_on and given.access.remembers):
        return 0
    count = await in_thread(_note, given)
    if count:
        await in_thread(_announce, given)
    return count


def _note(given: CoachInput) -> int:
    access = given.access
    with unlocked(access.space, access.key):
        pursued = list_goals(access.space, states=[Goal.State.ACTIVE])
        actions = read_actions(
            given.text,
            language=as_language(given.language),
            goals=[goal.text for goal in pursued],
            vector=given.vector,
        )
        return apply_actions(
            access, given.message_id, actions, pursued=[goal.id for goal in pursued], now=given.now
        )


def _announce(given: CoachInput) -> None:
    """Tell open pages, which show what was noted under the reply."""
    space = given.access.space
    with space_scope(space):
        replies = (
            Message.objects.for_space(space)
            .current()
            .filter(parent_id=given.message_id, role=Message.Role.COMPANION)
        )
        found = replies.values_list("conversation_id", "pk").first()
    if found is not None:
        conversation, reply = found
        announce_noted(conversation, given.message_id, reply)
