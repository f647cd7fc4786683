"""The kinds of rows that a person's life is told in, and what a message may ask to be noted of them.

Each is declared here once; its page, copies, undo and notes go by it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from companion_site.vault.rows import SpaceModel
from memory.models import DailyMetric, Goal, GoalNote, Gratitude, Initiative, Mood, Wishes
from memory.models.life import Note

#: Moods by the words that people have for them, in the order in which they are offered.
MOODS = (
    ("joy", pgettext_lazy("mood", "Glad")),
    ("calm", pgettext_lazy("mood", "Calm")),
    ("neutral", pgettext_lazy("mood", "Neither good nor bad")),
    ("anxiety", pgettext_lazy("mood", "Worried")),
    ("sadness", pgettext_lazy("mood", "Sad")),
    ("loneliness", pgettext_lazy("mood", "Lonely")),
)


def one_line(words: str | None) -> str:
    """Return words on one line."""
    return " ".join((words or "").split())


def day_of(at: Any) -> str:
    """Return the day here of a time, as a copy has it."""
    return f"{timezone.localtime(at):%Y-%m-%d}"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of row.

    Attributes:
        name: of its list in a copy, and in addresses.
        once: columns in which no two rows of a memory are alike; None: any may be.
        title: its heading in a copy that is read; "" for what stands in none, or below its goal.
        line: what one row says there.
        part: of the page, where each row can be deleted and had back; "" for what nobody deletes.
        row: names one row in an address.
    """

    model: type[SpaceModel]
    name: str
    once: tuple[str, ...] | None = None
    title: str | Promise = ""
    line: Callable[[Any], str] = str
    part: str = ""
    row: str = "<uuid:pk>"


def _tell_note(row: Note) -> str:
    return f"{one_line(row.text)} ({day_of(row.at)})"


def _tell_goal(row: Goal) -> str:
    told = f"{one_line(row.text)} ({row.get_state_display()}, {day_of(row.created_at)})"
    return "\n  - ".join([told, *map(_tell_note, row.notes.order_by("pk"))])


def _tell_mood(row: Mood) -> str:
    state = row.state
    note = f": {one_line(state['note'])}" if state.get("note") else ""
    felt = dict(MOODS).get(state.get("primary_emotion"), "")
    return f"{day_of(row.at)}: {felt}{note}"


def _tell_measure(row: DailyMetric) -> str:
    return f"{row.day}: {row.get_name_display()} {row.value.get('value')}"


@dataclass(frozen=True, kw_only=True)
class Journal(Kind):
    """Short notes, each by itself: written on the page, or read from a message whose sentence calls for one.

    Attributes:
        chars, most: characters of a note, and notes in all.
        heading, label, button, empty, whole: what its part of the page says; `label` stands at the field.
        asked: what a model is told the words are; noted: what stands under the reply.
        head: what the reader calls a sentence that calls for a note; "" where no head does.
    """

    model: type[Note]
    line: Callable[[Any], str] = _tell_note
    chars: int
    most: int
    heading: str | Promise
    label: Any
    button: str | Promise
    empty: str | Promise
    whole: str | Promise
    asked: str
    noted: str | Promise
    head: str = ""

    @property
    def action(self) -> str:
        """What a message that calls for a note asks to be done."""
        return f"log_{self.name}"


GRATITUDE = Journal(
    model=Gratitude,
    name="gratitude",
    title=_("Gratitude"),
    part="gratitude",
    chars=500,
    most=10_000,
    heading=_("Gratitude journal"),
    label=_("I am grateful for"),
    button=_("Add to the journal"),
    empty=_("Nothing here yet. Write down one good thing of today, however small."),
    whole=_("The whole journal"),
    asked="what they are grateful for",
    noted=_("In your gratitude journal: %(text)s"),
    head="gratitude",
)
JOURNALS = (GRATITUDE,)
#: in the order in which they refer to one another, and are told
KINDS: tuple[Kind, ...] = (
    Kind(model=Goal, name="goals", title=_("Goals"), line=_tell_goal, part="goals"),
    Kind(model=GoalNote, name="goal_notes", part="goals"),
    *JOURNALS,
    Kind(
        model=Mood,
        name="moods",
        once=("message_id", "origin"),
        title=_("Moods"),
        line=_tell_mood,
        part="moods",
    ),
    Kind(
        model=DailyMetric,
        name="measures",
        once=("day", "name"),
        title=_("Measures"),
        line=_tell_measure,
        part="measures",
        row="<str:day>/<slug:name>",
    ),
    Kind(model=Wishes, name="wishes", once=()),
    Kind(model=Initiative, name="initiatives", once=("day",)),
)


SET_GOAL, UPDATE_GOAL, LOG_MOOD = "set_goal", "update_goal", "log_mood"
#: what a model may ask for; it tells moods as feelings
BY_MODEL = (SET_GOAL, UPDATE_GOAL, *(journal.action for journal in JOURNALS))
#: what became of a goal
NOTE, DONE, DROPPED = CHANGES = ("note", "done", "dropped")


@dataclass(frozen=True, kw_only=True)
class Action:
    """One thing to be noted.

    Attributes:
        text: the goal, how it went with one, or what a journal is to hold; in the person's words.
        goal: of an update, its place among the goals given; change: one of `CHANGES`.
        feeling: of a mood, its emotion, intensity and energy.
    """

    type: str
    text: str = ""
    goal: int = 0
    change: str = NOTE
    feeling: dict[str, Any] = field(default_factory=dict)
