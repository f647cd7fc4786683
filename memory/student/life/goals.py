"""A person's goals, and how it goes with them. The space is unlocked by the caller."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.vault.columns import opener
from companion_site.vault.scope import space_scope, write_scope
from memory.models import Goal, GoalNote
from memory.student.life.journals import ShownNote
from memory.student.life.limits import LIFE, LifeRefused, clean_words, find_same_words

#: what is on record of a goal that is now in a state
MOVED = {Goal.State.DONE: "reached", Goal.State.DROPPED: "dropped", Goal.State.ACTIVE: "reopened"}
#: what is shown of a goal beside its words
_COLUMNS = ("state", "origin", "created_at", "updated_at", "closed_at", "message_id")


@dataclass(frozen=True, kw_only=True)
class ShownGoal:
    """A goal with its notes, the newest first."""

    id: UUID
    text: str
    state: str
    origin: str
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None
    message_id: UUID | None
    notes: tuple[ShownNote, ...] = ()

    @property
    def is_active(self) -> bool:
        return self.state == Goal.State.ACTIVE

    @property
    def is_reached(self) -> bool:
        return self.state == Goal.State.DONE


def set_goal(
    space: UUID,
    text: str,
    *,
    now: datetime,
    actor: models.Model | None = None,
    message_id: UUID | None = None,
) -> Goal:
    """Set a goal. Said again, in the same message or while it is pursued, it is the same goal.

    Args:
        message_id: the message that it came up in; None where the person wrote it down.

    Raises:
        LifeRefused: nothing is said, or too much.
    """
    words = clean_words(text, most=LIFE.goal_chars)
    with write_scope(space):
        rows = Goal.objects.for_space(space)
        same = models.Q(state=Goal.State.ACTIVE)
        if message_id is not None:
            same |= models.Q(message_id=message_id)
        earlier = find_same_words(rows.filter(same), words)
        if earlier is not None:
            return _touch(earlier, now=now) if earlier.state == Goal.State.ACTIVE else earlier
        if rows.count() >= LIFE.goals or rows.filter(state=Goal.State.ACTIVE).count() >= LIFE.active_goals:
            raise LifeRefused(why="too-many")
        goal = Goal.objects.create(
            space_id=space,
            text=words,
            origin=Goal.Origin.PERSON if message_id is None else Goal.Origin.CONVERSATION,
            created_at=now,
            updated_at=now,
            message_id=message_id,
        )
        record_event("memory.goal_set", chain=space, actor=actor, subject=goal, now=now)
    return goal


def edit_goal(
    space: UUID, goal_id: UUID, text: str, *, now: datetime, actor: models.Model | None = None
) -> Goal:
    """Put other words in the place of a goal's.

    Raises:
        NotFound.
        LifeRefused: nothing is said, or too much.
    """
    words = clean_words(text, most=LIFE.goal_chars)
    with write_scope(space):
        goal = Goal.objects.for_space(space).find(pk=goal_id)
        if goal.text != words:
            goal.text, goal.updated_at = words, now
            goal.save(update_fields=["text", "updated_at"])
            record_event("memory.goal_edited", chain=space, actor=actor, subject=goal, now=now)
    return goal


def note_goal(
    space: UUID,
    goal_id: UUID,
    text: str,
    *,
    now: datetime,
    actor: models.Model | None = None,
    message_id: UUID | None = None,
) -> GoalNote:
    """Note how it went with a goal that is pursued. From the same message the same words are one note.

    Raises:
        NotFound.
        LifeRefused: nothing is said, or too much, or the goal was reached or dropped.
    """
    words = clean_words(text, most=LIFE.note_chars)
    with write_scope(space):
        goal = Goal.objects.for_space(space).find(pk=goal_id)
        notes = GoalNote.objects.for_space(space).filter(goal=goal)
        earlier = find_same_words(notes.filter(message_id=message_id), words) if message_id else None
        if earlier is not None:
            return earlier
        if goal.state != Goal.State.ACTIVE:
            raise LifeRefused(why="goal-closed")
        if notes.count() >= LIFE.notes_of_goal:
            raise LifeRefused(why="too-many")
        note = GoalNote.objects.create(space_id=space, goal=goal, text=words, at=now, message_id=message_id)
        _touch(goal, now=now)
        record_event(
            "memory.goal_noted", chain=space, actor=actor, subject=goal, data={"note": str(note.pk)}, now=now
        )
    return note


def list_goals(
    space: UUID,
    *,
    states: Iterable[str] | None = None,
    most: int | None = None,
    notes_each: int = LIFE.notes_of_goal,
) -> list[ShownGoal]:
    """Return the goals of a space, all or those of some states, the last touched first.

    Args:
        most: goals at the most.
        notes_each: of each goal so many of its latest notes; nothing else is opened.
    """
    with space_scope(space):
        rows = Goal.objects.for_space(space)
        if states is not None:
            rows = rows.filter(state__in=list(states))
        goals = list(rows.order_by("-updated_at", "-id").values("id", "text", *_COLUMNS)[:most])
        notes = _find_notes(space, [goal["id"] for goal in goals], each=notes_each) if notes_each else {}
        open_text = opener(space, Goal, "text")
        return [
            ShownGoal(
                **{**goal, "text": open_text(goal["id"], goal["text"])},
                notes=tuple(notes.get(goal["id"], ())),
            )
            for goal in goals
        ]


def _find_notes(space: UUID, goals: Sequence[UUID], *, each: int) -> dict[UUID, list[ShownNote]]:
    """Return so many of the latest notes of each goal, the newest first; inside the space's scope."""
    rows = GoalNote.objects.for_space(space).filter(goal_id__in=goals)
    # Of many notes the database sends the one that is wanted.
    latest = rows.order_by("goal_id", "-at", "-id").distinct("goal_id")
    rows = latest if each == 1 else rows.order_by("-at", "-id")
    open_text = opener(space, GoalNote, "text")
    found: dict[UUID, list[ShownNote]] = defaultdict(list)
    for pk, goal, box, at, message_id in rows.values_list("pk", "goal_id", "text", "at", "message_id"):
        if len(found[goal]) < each:
            found[goal].append(ShownNote(id=pk, text=open_text(pk, box), at=at, message_id=message_id))
    return found


def move_goal(
    space: UUID, goal_id: UUID, state: Goal.State, *, now: datetime, actor: models.Model | None = None
) -> Goal:
    """Note that a goal was reached or let go, or take a closed one up again; closed or open already, it stays as it is.

    Raises:
        NotFound.
        LifeRefused: so many are pursued already.
    """
    with write_scope(space):
        goal = Goal.objects.for_space(space).find(pk=goal_id)
        opens = state == Goal.State.ACTIVE
        if opens == (goal.state == Goal.State.ACTIVE):
            return goal
        active = Goal.objects.for_space(space).filter(state=Goal.State.ACTIVE)
        if opens and active.count() >= LIFE.active_goals:
            raise LifeRefused(why="too-many")
        goal.state, goal.updated_at, goal.closed_at = state, now, None if opens else now
        goal.save(update_fields=["state", "updated_at", "closed_at"])
        record_event(f"memory.goal_{MOVED[state]}", chain=space, actor=actor, subject=goal, now=now)
    return goal


def _touch(goal: Goal, *, now: datetime) -> Goal:
    goal.updated_at = max(goal.updated_at, now)
    goal.save(update_fields=["updated_at"])
    return goal
