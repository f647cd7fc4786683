"""What a sealed box says, and the words that memories form from where it says any.

Whoever seals writes one of these as JSON; whoever opens reads it again and trusts it no further: lengths, languages and
times are checked on both sides. The words are written so that each statement can stand by itself later.
"""

import re
from abc import ABC, abstractmethod
from datetime import UTC, date, datetime
from functools import cache
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from django.utils import translation
from django.utils.translation import gettext as _
from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from companion_site.errors import BoxBroken
from companion_site.language import LANGUAGES, Language
from companion_site.vault.models import SealedBox

TITLE_LENGTH, TEXT_LENGTH, NAME_LENGTH = 200, 4000, 100
#: Nothing is told of before; the year 1 in another time zone is none that a database or a calendar could give back.
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TITLE_LENGTH)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TEXT_LENGTH)]
SomeText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=TEXT_LENGTH)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)]
Moment = Annotated[AwareDatetime, Field(ge=EARLIEST)]


class Part(BaseModel):
    """What holds nothing but what is named."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Sent(Part):
    """What every box says: when."""

    kind: ClassVar[SealedBox.Kind]

    at: Moment

    def to_bytes(self) -> bytes:
        return self.model_dump_json().encode()


class Contents(Sent, ABC):
    """What memories form from, and in which language it is."""

    language: Language

    def to_words(self) -> str:
        """Return what formation reads, in the language of the box."""
        with translation.override(self.language):
            return self.compose()

    @abstractmethod
    def compose(self) -> str:
        """Return the words, in the language that is set."""


class Observation(Contents):
    """What a teacher noticed about a student."""

    kind = SealedBox.Kind.OBSERVATION
    says: Literal["observation"] = "observation"
    by: Name
    text: Text

    def compose(self) -> str:
        return _("My teacher %(name)s noticed: %(text)s") % {"name": self.by, "text": _ended(self.text)}


class Lesson(Contents):
    """A lesson that a student had, and how it went."""

    kind = SealedBox.Kind.LESSON
    says: Literal["lesson"] = "lesson"
    title: Title
    taught: SomeText = ""
    result: SomeText = ""

    def compose(self) -> str:
        if self.taught:
            first = _("In a lesson about %(title)s: %(taught)s") % {
                "title": self.title,
                "taught": self.taught,
            }
        else:
            first = _("I had a lesson about %(title)s.") % {"title": self.title}
        if not self.result:
            return _ended(first)
        second = _("How the lesson about %(title)s went: %(result)s")
        return f"{_ended(first)} {_ended(second % {'title': self.title, 'result': self.result})}"


#: what stands in place of a lesson's words, to find them again
_PLACES = {"title": "\0", "taught": "\1"}


@cache
def _lesson_patterns() -> tuple[re.Pattern[str], ...]:
    """Return in each language what `Lesson.compose` makes of a title and what was taught."""
    patterns = []
    for language in LANGUAGES:
        with translation.override(language):
            written = re.escape(_("In a lesson about %(title)s: %(taught)s") % _PLACES)
        written = written.replace(re.escape("\0"), "(?P<title>[^:]{1,200})").replace(
            re.escape("\1"), "(?P<taught>.+)"
        )
        patterns.append(re.compile(written, re.DOTALL))
    return tuple(patterns)


def read_lesson(text: str) -> tuple[str, str] | None:
    """Return title and teaching of a lesson that a memory formed from; None where it tells no such thing."""
    for pattern in _lesson_patterns():
        if found := pattern.match(text):
            return found["title"].strip(), found["taught"].strip()
    return None


class PromptRun(Contents):
    """What a lesson asked, and what the student made of it."""

    kind = SealedBox.Kind.PROMPT_RUN
    says: Literal["prompt_run"] = "prompt_run"
    prompt: SomeText = ""
    response: Text

    def compose(self) -> str:
        response = _ended(self.response)
        if not self.prompt:
            return _("In a lesson I answered: %(answer)s") % {"answer": response}
        prompt = self.prompt.rstrip(" .?!…")
        return _("A lesson asked “%(prompt)s”, and I answered: %(answer)s") % {
            "prompt": prompt,
            "answer": response,
        }


class OwnTurn(Part):
    """One turn of the student's in a session, with its place among all turns."""

    position: Annotated[int, Field(ge=1, le=1_000_000)]
    at: Moment
    language: Language
    text: Text


class Session(Contents):
    """A tutoring session, or a part of it: what the student said there. Only the first part tells what it was about."""

    kind = SealedBox.Kind.TRANSCRIPT
    says: Literal["transcript"] = "transcript"
    conversation: UUID
    title: Annotated[str, StringConstraints(strip_whitespace=True, max_length=TITLE_LENGTH)] = ""
    tutor: Annotated[str, StringConstraints(strip_whitespace=True, max_length=NAME_LENGTH)] = ""
    turns: Annotated[list[OwnTurn], Field(max_length=100)]

    def compose(self) -> str:
        said = {"title": self.title, "tutor": self.tutor}
        if self.tutor:
            return _ended(_("I had a tutoring session about %(title)s with %(tutor)s.") % said)
        return _ended(_("I had a tutoring session about %(title)s.") % said)


class DayMeasures(Part):
    """The measures of one day, by their names in `DailyMetric.Name`."""

    day: date
    values: dict[str, float]


class Measures(Sent):
    """What a person's own device measured. No memory forms of numbers: they become measures of days."""

    kind = SealedBox.Kind.METRICS
    says: Literal["measures"] = "measures"
    days: Annotated[list[DayMeasures], Field(max_length=100)]


AnyContents = Observation | Lesson | PromptRun | Session | Measures
_READER: TypeAdapter[AnyContents] = TypeAdapter(Annotated[AnyContents, Field(discriminator="says")])


def read_contents(kind: str, raw: bytes, *, now: datetime) -> AnyContents:
    """Return what a box of `kind` says; a time ahead of `now` counts as now.

    Raises:
        BoxBroken: it says nothing that could be understood, or is of another kind than its row.
    """
    try:
        contents = _READER.validate_json(raw)
    except ValidationError:
        raise BoxBroken() from None
    if contents.kind != kind:
        raise BoxBroken()
    return contents.model_copy(update={"at": min(contents.at, now)})


def _ended(text: str) -> str:
    """Return a text that ends as a sentence does."""
    text = text.rstrip()
    return text if text.endswith((".", "!", "?", "…", "”", '"', ")")) else f"{text}."
