"""The step that notes what a message asks for: goals, how it goes with them, gratitude, mood.

It runs when the reply is complete, on the person's own words: never on the companion's, never on remembered text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from chat.access import ChatAccess
from chat.coaching.actions import CoachingAction, read_actions
from chat.coaching.applying import apply_actions
from chat.coaching.asking import read_by_model
from chat.models import Message
from chat.notices import announce_noted
from chat.planning.topics import make_avoider
from chat.threads import in_thread
from chat.turn.asking import form_without
from chat.turn.stepping import Form
from companion_site.language import as_language
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import LanguageModelError
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.life.goals import list_goals
from memory.life.wishes import read_wishes
from memory.models import Goal


@dataclass(frozen=True, kw_only=True)
class CoachInput:
    """One message and who said it.

    Attributes:
        memory_on: off, nothing is read and nothing written.
        is_danger: whether the message is about danger, or nobody could tell; then nothing is noted.
        avoids: whether a text is about what they do not want to speak of, beside what its words alone tell.
        gateway: asks a model; None reads without one.
    """

    access: ChatAccess
    message_id: UUID
    text: str
    language: str
    memory_on: bool
    now: datetime
    is_danger: bool = False
    avoids: Callable[[str], bool] = lambda text: False
    gateway: Gateway | None = None


@dataclass(frozen=True, kw_only=True)
class Coached:
    """What was noted.

    Attributes:
        form: how the message was read; "" where it was not.
        count: how many things were written down.
    """

    form: Form | Literal[""] = ""
    count: int = 0


async def coach_step(given: CoachInput) -> Coached:
    """Note what a message asks for, in one transaction; a second time nothing happens."""
    if given.is_danger or not (given.memory_on and given.access.remembers):
        return Coached()
    pursued = await in_thread(_pursued, given)
    form, actions = await _read(given, [text for _, text in pursued])
    count = await in_thread(_apply, given, actions, [goal for goal, _ in pursued]) if actions else 0
    if count:
        await in_thread(_announce, given)
    return Coached(form=form, count=count)


async def _read(given: CoachInput, goals: Sequence[str]) -> tuple[Form, list[CoachingAction]]:
    language = as_language(given.language)
    form: Form = "offline"
    if given.gateway is not None and given.gateway.providers:
        try:
            read = await read_by_model(given.text, language=language, goals=goals, gateway=given.gateway)
            return "model", read
        except (LanguageModelError, TimeoutError) as error:
            form = form_without(error, step="coach")
    return form, await in_thread(read_actions, given.text, language=language, goals=goals)


def _pursued(given: CoachInput) -> list[tuple[UUID, str]]:
    """Return the goals that are pursued; where a model is asked, without those about a topic that the person avoids."""
    space = given.access.space
    with unlocked(space, given.access.key):
        pursued = [(goal.id, goal.text) for goal in list_goals(space, states=[Goal.State.ACTIVE])]
        if given.gateway is None:
            return pursued
        avoider = make_avoider(read_wishes(space).avoid)
    return [(goal, text) for goal, text in pursued if not (avoider.avoids(text) or given.avoids(text))]


def _apply(given: CoachInput, actions: Sequence[CoachingAction], pursued: Sequence[UUID]) -> int:
    access = given.access
    with unlocked(access.space, access.key):
        return apply_actions(access, given.message_id, actions, pursued=pursued, now=given.now)


def _announce(given: CoachInput) -> None:
    """Tell open pages, which show what was noted under the reply."""
    space = given.access.space
    with space_scope(space):
        replies = Message.objects.for_space(space).filter(
            parent_id=given.message_id, role=Message.Role.COMPANION
        )
        found = replies.values_list("conversation_id", "pk").first()
    if found is not None:
        conversation, reply = found
        announce_noted(conversation, given.message_id, reply)
