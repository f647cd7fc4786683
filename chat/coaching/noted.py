"""What stands under a reply of what was noted of its message: read from the rows themselves. The space is unlocked by the caller."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from chat.coaching.store import closed_by
from companion_site.shortening import shorten
from companion_site.vault.scope import space_scope
from memory.models import Goal, GoalNote, Gratitude, Mood

MOST_CHARS = 90
MOODS: dict[str, str | Promise] = {
    "joy": pgettext_lazy("mood", "Glad"),
    "calm": pgettext_lazy("mood", "Calm"),
    "neutral": pgettext_lazy("mood", "Neither good nor bad"),
    "anxiety": pgettext_lazy("mood", "Worried"),
    "sadness": pgettext_lazy("mood", "Sad"),
    "loneliness": pgettext_lazy("mood", "Lonely"),
}


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
        yield Noted(goal.pk, goal.message_id, _("Goal set: %(goal)s") % {"goal": _short(goal.text)})
    for note in GoalNote.objects.for_space(space).filter(**of).select_related("goal"):
        yield Noted(note.pk, note.message_id, _say_note(note))
    for thanks in Gratitude.objects.for_space(space).filter(**of):
        words = {"text": _short(thanks.text)}
        yield Noted(thanks.pk, thanks.message_id, _("In your gratitude journal: %(text)s") % words)
    for mood in Mood.objects.for_space(space).filter(**of, origin=Mood.Origin.TOLD):
        yield Noted(mood.pk, mood.message_id, _("Mood noted: %(mood)s") % {"mood": _mood(mood.state)})


def _say_note(note: GoalNote) -> str:
    goal = {"goal": _short(note.goal.text)}
    if closed_by(note):
        if note.goal.state == Goal.State.DONE:
            return _("Goal reached: %(goal)s") % goal
        return _("Goal let go: %(goal)s") % goal
    return _("Noted on your goal: %(goal)s") % goal


def _mood(state: dict) -> str:
    if state["primary_emotion"] == "neutral" and state.get("energy") == "low":
        return str(pgettext_lazy("energy", "Tired"))
    return str(MOODS[state["primary_emotion"]])


def _short(text: str) -> str:
    return shorten(text, MOST_CHARS)
