"""The brief of a prompt: what a good assistant knows before it answers, in a few lines of data.

Now, who is there, when they last talked and of what, what is due soon, how they seem. Whatever comes from outside, a name too, stands in marks on a
line of its own and can neither close the block nor open another (`chat.turn.context.in_marks`). What stands here is not told again in the memory block.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from uuid import UUID

from chat.turn.context import in_marks
from companion_site.llm.tokens import count_tokens
from memory.student.life.facts.loops import OpenLoop

OPENING = "<COMPANION_BRIEF>"
CLOSING = "</COMPANION_BRIEF>"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: of what is due, at the most
MOST_DUE = 5


@dataclass(frozen=True, kw_only=True)
class LastTalk:
    """The last other conversation: when it was, and of what ("" where that is not to be said)."""

    at: datetime
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class Brief:
    """What goes before everything else.

    Attributes:
        now: where the person is.
        name: as they are called on the site.
        due: what is due within two days; corrected: what was noted of it before it was corrected, by its id.
        mood: how they seem, in our own words; "" where it was not read surely.
    """

    now: datetime
    name: str = ""
    last_talk: LastTalk | None = None
    due: Sequence[OpenLoop] = ()
    corrected: Mapping[UUID, tuple[str, ...]] = field(default_factory=dict)
    mood: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says in the person's words, so that nothing else says it again."""
        return tuple(one.text for one in self.due)

    def veiled(self, veil: Callable[[str], str]) -> "Brief":
        """Return the same with every text gone over, for what the student has not met yet; their name is theirs."""
        talk = self.last_talk
        return replace(
            self,
            last_talk=replace(talk, about=veil(talk.about)) if talk is not None else None,
            due=[replace(one, text=veil(one.text)) for one in self.due],
            corrected={loop: tuple(map(veil, texts)) for loop, texts in self.corrected.items()},
        )


def write_brief(brief: Brief, *, tokens: int) -> str:
    """Return the block within `tokens` by estimate; lines go from the last on, and "" where not even the first fits."""
    lines = brief_lines(brief)
    for count in range(len(lines), 0, -1):
        text = "\n".join([OPENING, *lines[:count], CLOSING])
        if count_tokens([text]) <= tokens:
            return text
    return ""


def brief_lines(brief: Brief) -> list[str]:
    """Return what it says, the most needed first."""
    now = brief.now
    lines = [f"Now: {_write_day(now.date())}, {now:%H:%M}"]
    if brief.name:
        lines.append(f"You talk with: {in_marks(brief.name)}")
    lines += [_due_line(one, brief.corrected.get(one.id, ()), now) for one in brief.due]
    if brief.last_talk is not None:
        talk = brief.last_talk
        day = talk.at.astimezone(now.tzinfo).date()
        about = f", about {in_marks(talk.about)}" if talk.about else ""
        lines.append(f"You last talked: {_near(day, now.date())}{day.isoformat()}{about}")
    if brief.mood:
        lines.append(f"They seem (a guess): {brief.mood}")
    return lines


def _due_line(one: OpenLoop, before: Sequence[str], now: datetime) -> str:
    due = (one.due or now).astimezone(now.tzinfo)
    day = f"{_near(due.date(), now.date())}{_write_day(due.date())}"
    at = "" if one.is_all_day else f" {due:%H:%M}"
    corrected = f"; before it was corrected: {' '.join(map(in_marks, before))}" if before else ""
    return f"Due {day}{at}: {in_marks(one.text)} ({one.kind}){corrected}"


def _near(day: date, today: date) -> str:
    near = {
        today: "today, ",
        today + timedelta(days=1): "tomorrow, ",
        today - timedelta(days=1): "yesterday, ",
    }
    return near.get(day, "")


def _write_day(day: date) -> str:
    return f"{WEEKDAYS[day.weekday()]} {day.isoformat()}"
