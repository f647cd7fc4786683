"""Writing what a message asks to be noted into its person's goals, gratitude journal and mood log; showing it, and taking it back.

Each row names the message that it came from, so what stands under a reply is always what is there. What one message asks
for is written once: what was taken back does not return when its reply is made anew.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import structlog
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from chat.access import ChatAccess
from chat.models import Message
from chat.querysets import memory_is_on
from companion_site.audit.models import AuditEvent
from companion_site.errors import InvalidInput, NotFound
from companion_site.shortening import shorten
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope, write_scope
from memory.models import Goal, GoalNote, Mood
from memory.models.life import Note
from memory.student.life import goals, kinds
from memory.student.life.deletion import delete_found
from memory.student.life.journals import write_note
from memory.student.life.kinds import JOURNALS, Action, Journal
from memory.student.life.limits import LIFE
from memory.student.life.moods import tell_mood

logger = structlog.get_logger(__name__)

APPLIED, UNDONE = "chat.actions_applied", "chat.action_undone"
_JOURNALS = {journal.action: journal for journal in JOURNALS}


def apply_actions(
    access: ChatAccess,
    message_id: UUID,
    asked: Sequence[Action],
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
    if not asked:
        return 0
    with write_scope(access.space):
        message = _may_note(access, message_id)
        if message is None or _events(access.space, APPLIED).filter(subject_id=message_id).exists():
            return 0
        count = sum(_apply(access, action, message_id, pursued, now=now) for action in asked)
        if count:
            access.record(APPLIED, message, now=now, count=count)
    return count


def undo_action(access: ChatAccess, message_id: UUID, row_id: UUID, *, now: datetime) -> None:
    """Take back one thing that a message had noted; taken back already, it stays so. The space is unlocked by the caller.

    A goal that has been pursued since, so that more hangs on it than this message, is let go rather than deleted.

    Raises:
        NotFound: nothing of this message has that id, and never had.
    """
    with write_scope(access.space):
        rows = _find_rows(access.space, [message_id])
        row = next((row for row in rows if row.pk == row_id), None)
        if row is None:
            if _events(access.space, UNDONE).filter(data__row=str(row_id), subject_id=message_id).exists():
                return
            raise NotFound()
        message = Message.objects.for_space(access.space).get(pk=message_id)
        access.record(UNDONE, message, now=now, row=str(row_id))
        _take_back(access, row, now=now)


def was_taken_back(space: UUID, message_id: UUID) -> bool:
    """Tell whether something that a message had noted was taken back."""
    with space_scope(space):
        return _events(space, UNDONE).filter(subject_id=message_id).exists()


def closed_by(note: GoalNote) -> bool:
    """Tell whether a note is the word by which its goal was closed."""
    return not note.goal.is_active and note.goal.closed_at == note.at


def _may_note(access: ChatAccess, message_id: UUID) -> Message | None:
    """Return the message, if its words are there and may be noted."""
    rows = Message.objects.for_space(access.space).said_by_person().current()
    rows = rows.filter(memory_is_on("conversation__"), text_removed_at__isnull=True)
    message = rows.filter(pk=message_id, conversation__author_id=access.person.pk).first()
    return None if message is None or message.was_said_unremembered else message


def _events(space: UUID, action: str):
    return AuditEvent.objects.filter(chain=space, action=action)


def _apply(
    access: ChatAccess, action: Action, message_id: UUID, pursued: Sequence[UUID], *, now: datetime
) -> int:
    """Write one action down; what a limit or a change meanwhile refuses is left out."""
    space = access.space
    common: dict[str, Any] = {"now": now, "actor": access.person, "message_id": message_id}
    try:
        with space_scope(space):  # all of an action, or nothing
            if action.type == kinds.SET_GOAL:
                goals.set_goal(space, action.text, **common)
            elif action.type == kinds.UPDATE_GOAL:
                _update_goal(access, pursued[action.goal], action, message_id, now=now)
            elif action.type == kinds.LOG_MOOD:
                tell_mood(space, **action.feeling, **common)
            else:
                write_note(space, _JOURNALS[action.type], action.text, **common)
    except (InvalidInput, NotFound) as refused:
        logger.info("coaching.refused", action=action.type, code=refused.code)
        return 0
    return 1


def _update_goal(access: ChatAccess, goal: UUID, action: Action, message_id: UUID, *, now: datetime) -> None:
    text = action.text[: LIFE.note_chars]
    goals.note_goal(access.space, goal, text, now=now, actor=access.person, message_id=message_id)
    if action.change != kinds.NOTE:
        state = Goal.State(action.change)
        goals.move_goal(access.space, goal, state, now=now, actor=access.person)


def _find_rows(space: UUID, messages: Collection[UUID]) -> Iterator[Any]:
    for Row, (which, _say) in NOTED.items():
        rows = Row.objects.for_space(space).filter(message_id__in=messages, **which)
        yield from rows.select_related("goal") if Row is GoalNote else rows


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
        for row in sorted(_find_rows(space, wanted), key=lambda row: row.pk):
            _which, say = NOTED[type(row)]
            found[row.message_id].append(Noted(row.pk, row.message_id, say(row)))
    return found


def _say_goal(goal: Goal) -> str:
    return _("Goal set: %(goal)s") % {"goal": shorten(goal.text, MOST_CHARS)}


def _say_note(note: GoalNote) -> str:
    goal = {"goal": shorten(note.goal.text, MOST_CHARS)}
    if not closed_by(note):
        return _("Noted on your goal: %(goal)s") % goal
    return (_("Goal reached: %(goal)s") if note.goal.is_reached else _("Goal let go: %(goal)s")) % goal


def _say_mood(mood: Mood) -> str:
    state = mood.state
    is_tired = state["primary_emotion"] == "neutral" and state.get("energy") == "low"
    felt = pgettext("energy", "Tired") if is_tired else dict(kinds.MOODS)[state["primary_emotion"]]
    return _("Mood noted: %(mood)s") % {"mood": felt}


def _say_entry(journal: Journal, note: Note) -> str:
    return str(journal.noted) % {"text": shorten(note.text, MOST_CHARS)}


#: of what a message can have noted, which rows are shown and what is said of one
NOTED: Mapping[type[SpaceModel], tuple[dict[str, str], Callable[[Any], str]]] = {
    Goal: ({"state": Goal.State.ACTIVE}, _say_goal),
    GoalNote: ({}, _say_note),
    **{journal.model: ({}, partial(_say_entry, journal)) for journal in JOURNALS},
    Mood: ({}, _say_mood),
}
