"""Writing what a message asks to be noted into its person's goals, gratitude journal and mood log; showing it, and taking it back.

Each row names the message that it came from, so what stands under a reply is always what is there. What one message asks
for is written once: what was taken back does not return when its reply is made anew.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from chat.access import ChatAccess
from chat.coaching.actions import CoachingAction
from chat.models import Message
from chat.querysets import memory_is_on
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.errors import InvalidInput, NotFound
from companion_site.shortening import shorten
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import lock_space, space_scope
from memory.models import Goal, GoalNote, Gratitude, Mood
from memory.student.life import goals, gratitude
from memory.student.life.deletion import delete_found
from memory.student.life.limits import LIFE
from memory.student.life.moods import tell_mood
from memory.student.pages import life_forms

logger = structlog.get_logger(__name__)

APPLIED, UNDONE = "chat.actions_applied", "chat.action_undone"


def apply_actions(
    access: ChatAccess,
    message_id: UUID,
    actions: Sequence[CoachingAction],
    *,
    pursued: Sequence[UUID] = (),
    now: datetime,
) -> int:
    """Write down what a message asks for, all in one transaction; return for how much of it there is now a row.

    Nothing is written where its words are gone, its memory is off by now, or it was done before. The space is unlocked by
    the caller.

    Args:
        pursued: the goals that "goal" of an update counts in.
    """
    if not actions:
        return 0
    with space_scope(access.space):
        lock_space(access.space)
        message = _may_note(access, message_id)
        if message is None or _events(access.space, APPLIED).filter(subject_id=message_id).exists():
            return 0
        count = sum(_apply(access, action, message_id, pursued, now=now) for action in actions)
        if count:
            record_event(
                APPLIED,
                chain=access.space,
                actor=access.person,
                subject=message,
                data={"count": count},
                now=now,
            )
    return count


def undo_action(access: ChatAccess, message_id: UUID, row_id: UUID, *, now: datetime) -> None:
    """Take back one thing that a message had noted; taken back already, it stays so. The space is unlocked by the caller.

    A goal that has been pursued since, so that more hangs on it than this message, is let go rather than deleted.

    Raises:
        NotFound: nothing of this message has that id, and never had.
    """
    with space_scope(access.space):
        lock_space(access.space)
        row = _find(access.space, message_id, row_id)
        if row is None:
            if _events(access.space, UNDONE).filter(data__row=str(row_id), subject_id=message_id).exists():
                return
            raise NotFound()
        message = Message.objects.for_space(access.space).get(pk=message_id)
        record_event(
            UNDONE,
            chain=access.space,
            actor=access.person,
            subject=message,
            data={"row": str(row_id)},
            now=now,
        )
        _take_back(access, row, now=now)


def closed_by(note: GoalNote) -> bool:
    """Tell whether a note is the word by which its goal was closed."""
    return note.goal.state != Goal.State.ACTIVE and note.goal.closed_at == note.at


def _may_note(access: ChatAccess, message_id: UUID) -> Message | None:
    """Return the message, if its words are there and may be noted."""
    rows = Message.objects.for_space(access.space).said_by_person().current()
    rows = rows.filter(memory_is_on("conversation__"), text_removed_at__isnull=True)
    message = rows.filter(pk=message_id, conversation__author_id=access.person.pk).first()
    return None if message is None or message.was_said_unremembered else message


def _events(space: UUID, action: str):
    return AuditEvent.objects.filter(chain=space, action=action)


def _apply(
    access: ChatAccess, action: CoachingAction, message_id: UUID, pursued: Sequence[UUID], *, now: datetime
) -> int:
    """Write one action down; what a limit or a change meanwhile refuses is left out."""
    space, given = access.space, action.payload
    common: dict[str, Any] = {"now": now, "actor": access.person, "message_id": message_id}
    try:
        with space_scope(space):  # all of an action, or nothing
            match action.type:
                case "set_goal":
                    goals.set_goal(space, given["text"], **common)
                case "update_goal":
                    _update_goal(access, pursued[given["goal"]], given, message_id, now=now)
                case "log_gratitude":
                    gratitude.log_gratitude(space, given["text"], **common)
                case "log_mood":
                    tell_mood(space, **given, **common)
    except (InvalidInput, NotFound) as refused:
        logger.info("coaching.refused", action=action.type, code=refused.code)
        return 0
    return 1


def _update_goal(access: ChatAccess, goal: UUID, given: dict, message_id: UUID, *, now: datetime) -> None:
    text = given["text"][: LIFE.note_chars]
    goals.note_goal(access.space, goal, text, now=now, actor=access.person, message_id=message_id)
    if given["change"] == "done":
        goals.move_goal(access.space, goal, Goal.State.DONE, now=now, actor=access.person)
    elif given["change"] == "dropped":
        goals.move_goal(access.space, goal, Goal.State.DROPPED, now=now, actor=access.person)


def _find(space: UUID, message_id: UUID, row_id: UUID) -> SpaceModel | None:
    """Return the row of a message, whichever kind it is; a goal only while it is pursued, as it is shown."""
    wanted = {"pk": row_id, "message_id": message_id}
    return (
        Goal.objects.for_space(space).filter(**wanted, state=Goal.State.ACTIVE).first()
        or GoalNote.objects.for_space(space).filter(**wanted).first()
        or Gratitude.objects.for_space(space).filter(**wanted).first()
        # A mood read from a message is no action; it is deleted on its page.
        or Mood.objects.for_space(space).filter(**wanted, origin=Mood.Origin.TOLD).first()
    )


def _take_back(access: ChatAccess, row: SpaceModel, *, now: datetime) -> None:
    space = access.space
    common: dict[str, Any] = {"now": now, "actor": access.person}
    if isinstance(row, Goal):
        notes = GoalNote.objects.for_space(space).filter(goal=row)
        if notes.exclude(message_id=row.message_id).exists():
            goals.move_goal(space, row.pk, Goal.State.DROPPED, **common)
            return
    elif isinstance(row, GoalNote) and closed_by(row):
        goals.move_goal(space, row.goal_id, Goal.State.ACTIVE, **common)
    delete_found(type(row), space, pk=row.pk, **common)


MOST_CHARS = 90
MOODS: dict[str, str | Promise] = dict(life_forms.MOODS)


@dataclass(frozen=True)
class Noted:
    """One thing that was noted of a message.

    Attributes:
        id: of the row.
        message_id: the person's message.
        text: what the line says.
    """

    id: UUID
    message_id: UUID
    text: str


def noted_of(space: UUID, messages: Iterable[UUID]) -> dict[UUID, list[Noted]]:
    """Return what was noted of each of these messages, the earliest first."""
    wanted = list(messages)
    found: dict[UUID, list[Noted]] = defaultdict(list)
    if not wanted:
        return found
    with space_scope(space):
        for noted in sorted(_noted(space, wanted), key=lambda one: one.id):
            found[noted.message_id].append(noted)
    return found


def _noted(space: UUID, messages: list[UUID]) -> Iterator[Noted]:
    of = {"message_id__in": messages}
    for goal in Goal.objects.for_space(space).filter(**of, state=Goal.State.ACTIVE):
        yield Noted(
            goal.pk, goal.message_id, _("Goal set: %(goal)s") % {"goal": shorten(goal.text, MOST_CHARS)}
        )
    for note in GoalNote.objects.for_space(space).filter(**of).select_related("goal"):
        yield Noted(note.pk, note.message_id, _say_note(note))
    for thanks in Gratitude.objects.for_space(space).filter(**of):
        words = {"text": shorten(thanks.text, MOST_CHARS)}
        yield Noted(thanks.pk, thanks.message_id, _("In your gratitude journal: %(text)s") % words)
    for mood in Mood.objects.for_space(space).filter(**of, origin=Mood.Origin.TOLD):
        yield Noted(mood.pk, mood.message_id, _("Mood noted: %(mood)s") % {"mood": _mood(mood.state)})


def _say_note(note: GoalNote) -> str:
    goal = {"goal": shorten(note.goal.text, MOST_CHARS)}
    if closed_by(note):
        if note.goal.state == Goal.State.DONE:
            return _("Goal reached: %(goal)s") % goal
        return _("Goal let go: %(goal)s") % goal
    return _("Noted on your goal: %(goal)s") % goal


def _mood(state: dict) -> str:
    if state["primary_emotion"] == "neutral" and state.get("energy") == "low":
        return str(pgettext_lazy("energy", "Tired"))
    return str(MOODS[state["primary_emotion"]])
