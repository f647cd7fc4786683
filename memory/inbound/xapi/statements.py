"""xAPI statements (1.0.3) as far as they tell of lessons, checked and read into what a box says.

What the standard allows beyond that is left unread; what is read is bounded.

Source: the Experience API 1.0.3, part two, sections 2.2 to 2.6 and 4.
"""

from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlsplit
from uuid import UUID

from django.utils import translation
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from companion_site.ids import new_id
from companion_site.language import Language
from companion_site.vault.models import SealedBox
from memory.inbound.contents import TEXT_LENGTH, TITLE_LENGTH, Lesson, Moment, PromptRun

LESSON_VERBS = ("attempted", "completed", "failed", "passed")
PROMPT_VERBS = ("answered", "responded")
VERBS = "http://adlnet.gov/expapi/verbs/"

Iri = Annotated[str, StringConstraints(max_length=2000, pattern=r"^[A-Za-z][A-Za-z0-9+.-]*:\S+$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=TEXT_LENGTH)]
Tag = Annotated[str, StringConstraints(max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")]
LanguageMap = Annotated[dict[Tag, Words], Field(max_length=50)]
Points = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]


class Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


class Account(Part):
    """Who the statement is about: a log-in name of this site."""

    homePage: Iri
    name: Annotated[str, StringConstraints(max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Actor(Part):
    objectType: Annotated[str, StringConstraints(pattern="^Agent$")] = "Agent"
    account: Account


class Verb(Part):
    id: Iri

    @field_validator("id")
    @classmethod
    def known(cls, value: str) -> str:
        if value.removeprefix(VERBS) not in (*LESSON_VERBS, *PROMPT_VERBS):
            raise ValueError(f"use one of {', '.join((*LESSON_VERBS, *PROMPT_VERBS))} below {VERBS}")
        return value

    @property
    def name(self) -> str:
        return self.id.removeprefix(VERBS)


class Definition(Part):
    name: LanguageMap = {}
    description: LanguageMap = {}


class Activity(Part):
    objectType: Annotated[str, StringConstraints(pattern="^Activity$")] = "Activity"
    id: Iri
    definition: Definition = Definition()


class Score(Part):
    scaled: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)] | None = None
    raw: Points | None = None
    max: Points | None = None


class Result(Part):
    score: Score = Score()
    success: bool | None = None
    completion: bool | None = None
    response: Words = ""


class Statement(Part):
    """One statement. `given` is what it is compared by when its id comes again."""

    id: UUID = Field(default_factory=new_id)
    actor: Actor
    verb: Verb
    object: Activity
    result: Result = Result()
    timestamp: Moment | None = None

    @field_validator("object")
    @classmethod
    def named(cls, value: Activity) -> Activity:
        if not any(name for name in value.definition.name.values()):
            raise ValueError("give definition.name in at least one language")
        return value

    def read(self, language: Language, *, now: datetime) -> Lesson | PromptRun:
        """Return what the statement tells, in the student's language where it has it.

        Raises:
            ValueError: a prompt run without what the student answered.
        """
        at = min(self.timestamp or now, now)
        tag = _pick(self.object.definition.name, language)
        written: Language = (
            "sv" if tag.lower().startswith("sv") else "en" if tag.lower().startswith("en") else language
        )
        title = self.object.definition.name[tag][:TITLE_LENGTH]
        description = self.object.definition.description
        told = description[_pick(description, written)] if description else ""
        if self.verb.name in PROMPT_VERBS:
            return PromptRun(at=at, language=written, prompt=told or title, response=self.result.response)
        return Lesson(at=at, language=written, title=title, taught=told, result=self.describe_result(written))

    def describe_result(self, language: Language) -> str:
        """Return how it went as a sentence: the verb, the score, what the student wrote."""
        with translation.override(language):
            said = {
                "attempted": _("Tried it"),
                "completed": _("Completed it"),
                "failed": _("Did not pass"),
                "passed": _("Passed"),
            }[self._outcome()]
            share = self._share()
            if share is not None:
                said = _("%(said)s with %(share)s %%") % {"said": said, "share": share}
        told = f"{said}. {self.result.response}" if self.result.response else said
        return told[:TEXT_LENGTH]

    def _outcome(self) -> str:
        """Return the verb, made plainer by `result.success` where somebody merely completed it."""
        if self.verb.name == "completed" and self.result.success is not None:
            return "passed" if self.result.success else "failed"
        return self.verb.name

    def _share(self) -> int | None:
        """Return the score in whole per cent, where there is one that means something."""
        score = self.result.score
        if score.scaled is not None:
            return round(100 * score.scaled)
        if score.raw is not None and score.max and 0 <= score.raw <= score.max:
            return round(100 * score.raw / score.max)
        return None


KINDS = {
    **dict.fromkeys(LESSON_VERBS, SealedBox.Kind.LESSON),
    **dict.fromkeys(PROMPT_VERBS, SealedBox.Kind.PROMPT_RUN),
}
WRITTEN: dict[str, Language] = {"en": "en", "sv": "sv"}
#: what a store of statements adds or may change, so that two copies of one statement may differ in it
SET_BY_STORES = {"authority", "stored", "version"}


def belongs_here(statement: Statement, host: str) -> bool:
    """Tell whether the actor's account is one of this site, whose address is `host`."""
    return (urlsplit(statement.actor.account.homePage).netloc or "").casefold() == host.casefold()


def identity_of(given: dict[str, Any]) -> dict[str, Any]:
    """Return what makes a statement the same when its id comes again."""
    return {name: value for name, value in given.items() if name not in SET_BY_STORES}


def _pick(words: dict[str, str], language: Language) -> str:
    """Return the tag of a language map that is the reader's, else English, else the first with words."""
    filled = [tag for tag, text in words.items() if text] or list(words)
    for wanted in (language, "en"):
        for tag in filled:
            if tag.lower().split("-")[0] == wanted:
                return tag
    return filled[0]
