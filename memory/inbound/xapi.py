"""The lesson API: what a school's learning systems report as xAPI statements (1.0.3) is sealed to the students it is about.

What the standard allows beyond lessons is left unread; what is read is bounded. Whatever is wrong is refused with its place and
what would be right, never with what was sent. Nothing of a body is logged.

Source: the Experience API 1.0.3, part two, sections 2.2 to 2.6 and 4.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import wraps
from operator import itemgetter
from typing import Annotated, Any
from urllib.parse import urlsplit
from uuid import UUID

import structlog
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from companion_site.accounts.classes import student_of_school
from companion_site.accounts.models import LearningSystem, Person
from companion_site.accounts.system_requests import View, answer_in_json, authenticate
from companion_site.ids import new_id
from companion_site.language import Language, as_language
from companion_site.vault.models import SealedBox
from memory.inbound.bodies import Inlet, Reported
from memory.inbound.contents import TEXT_LENGTH, TITLE_LENGTH, Lesson, Moment, PromptRun

logger = structlog.get_logger(__name__)

VERSION = "1.0.3"
HEADER = "X-Experience-API-Version"
MOST_STATEMENTS = 100
MOST_BYTES = 1_000_000
LESSON_VERBS = ("attempted", "completed", "failed", "passed")
PROMPT_VERBS = ("answered", "responded")
VERBS = "http://adlnet.gov/expapi/verbs/"

Iri = Annotated[str, StringConstraints(max_length=2000, pattern=r"^[A-Za-z][A-Za-z0-9+.-]*:\S+$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=TEXT_LENGTH)]
Tag = Annotated[str, StringConstraints(max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")]
LanguageMap = Annotated[dict[Tag, Words], Field(max_length=50)]
Points = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]
#: what a store of statements adds or may change, so that two copies of one statement may differ in it
SET_BY_STORES = {"authority", "stored", "version"}
#: of the standard
NAMES = {
    "id", "actor", "account", "homePage", "name", "objectType", "verb", "object", "definition", "description", "result",
    "score", "scaled", "raw", "max", "success", "completion", "response", "timestamp",
}  # fmt: skip
NOBODY = (
    "Statement {place}: the actor is no student of this school that can be reached. Name them by actor.account, with the "
    "address of this site as homePage and their log-in name as name; they must have logged in once."
)


class Part(BaseModel):
    """A part of a statement; what the standard allows beyond it is left unread."""

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


API = Inlet(
    name="xapi",
    form=Statement,
    whole="statement",
    names=NAMES,
    most_bytes=MOST_BYTES,
    bounds=gettext_lazy("Send less at a time: at most 100 statements and 1 MB a request."),
)


def _pick(words: dict[str, str], language: Language) -> str:
    """Return the tag of a language map that is the reader's, else English, else the first with words."""
    filled = [tag for tag, text in words.items() if text] or list(words)
    for wanted in (language, "en"):
        for tag in filled:
            if tag.lower().split("-")[0] == wanted:
                return tag
    return filled[0]


def parse_statements(raw: bytes, *, statement_id: UUID | None = None) -> list[Reported[Statement]]:
    """Return the statements of a request's body, one or a list.

    Args:
        statement_id: the one that the address names; then the body holds one statement, of this id or of none.
    """
    given = API.read(raw)
    items = given if isinstance(given, list) and statement_id is None else [given]
    if len(items) > MOST_STATEMENTS:
        raise API.too_large()
    reported = [_parse(item, place, statement_id) for place, item in enumerate(items)]
    ids = [report.said.id for report in reported]
    if len(set(ids)) < len(ids):
        raise API.refused("Two statements have the same id. Give each its own.")
    return reported


def _parse(item: Any, place: int, statement_id: UUID | None) -> Reported[Statement]:
    if not isinstance(item, dict):
        raise API.refused(f"Statement {place}: a statement is a JSON object.")
    if statement_id is not None:
        item = {"id": str(statement_id), **item}
    report = API.parse(item, where=f"Statement {place}: ", leave_out=SET_BY_STORES)
    if statement_id not in (None, report.said.id):
        raise API.refused("The id in the statement is not the one in the address.")
    return report


def take_in(
    system: LearningSystem, reported: Sequence[Reported[Statement]], *, host: str, now: datetime
) -> list[UUID]:
    """Seal each statement into its student's space; return their ids in the order given.

    Raises:
        RequestRefused: somebody is not a student of the system's school, which reason it is stays untold; an id came before
            and said something else.
    """
    letters = []
    for place, report in enumerate(reported):
        statement, nobody = report.said, API.refused(NOBODY.format(place=place))
        student = student_of_school(system.school, statement.actor.account.name)
        site = urlsplit(statement.actor.account.homePage).netloc
        if student is None or student.space_id is None or site.casefold() != host.casefold():
            raise nobody
        try:
            contents = statement.read(as_language(student.language), now=now)
        except ValidationError:
            raise API.refused(
                f"Statement {place}: result.response: give what the student answered."
            ) from None
        letters.append((student.space_id, report, contents, nobody))
    if is_sent_elsewhere(system, {report.said.id: space for space, report, *_ in letters}):
        raise API.conflict()
    with transaction.atomic():
        # In the order of the spaces: two requests at once never wait for each other in a circle.
        for space, report, contents, nobody in sorted(letters, key=itemgetter(0)):
            API.seal(
                space,
                contents,
                statement_id=report.said.id,
                identity=report.identity,
                nobody=nobody,
                now=now,
            )
    return [report.said.id for report in reported]


def is_sent_elsewhere(system: LearningSystem, wanted: Mapping[UUID, UUID]) -> bool:
    """Tell whether another student of this school was sent one of these ids: it cannot say the same of two people.

    Args:
        wanted: the space that each id is meant for.
    """
    # Across spaces, so by the role that sees no content.
    rows = SealedBox.objects.using("metadata").filter(statement_id__in=list(wanted))
    sent = rows.values_list("statement_id", "space_id")
    elsewhere = {space for statement, space in sent if statement and wanted[statement] != space}
    return bool(elsewhere) and Person.objects.filter(space_id__in=elsewhere, school=system.school).exists()


def _api(view: View) -> View:
    """Name the version on every answer, as the standard asks, refusals among them."""
    answered = answer_in_json(view)

    @wraps(answered)
    def answer(request: HttpRequest) -> HttpResponse:
        response = answered(request)
        response[HEADER] = VERSION
        return response

    return answer


@require_safe
@_api
def about(request: HttpRequest) -> HttpResponse:
    """Tell which versions of the standard are understood."""
    return JsonResponse({"version": [VERSION]})


@require_http_methods(["POST", "PUT"])
@_api
def statements(request: HttpRequest) -> HttpResponse:
    """Take in statements: one or a list by POST, one under a given id by PUT. None can be read back."""
    system = authenticate(request, LearningSystem)
    if not request.headers.get(HEADER, "").startswith("1.0"):
        raise API.refused(f"Send the header {HEADER}: {VERSION}.")
    body = API.body_of(request)
    reported = parse_statements(body, statement_id=_id_in_address(request))
    ids = take_in(system, reported, host=request.get_host(), now=timezone.now())
    logger.info("xapi.taken_in", system=str(system.pk), count=len(ids))
    if request.method == "PUT":
        return HttpResponse(status=204)
    return JsonResponse([str(statement_id) for statement_id in ids], safe=False)


def _id_in_address(request: HttpRequest) -> UUID | None:
    if request.method != "PUT":
        return None
    try:
        return UUID(request.GET.get("statementId", ""))
    except ValueError:
        raise API.refused("Name the statement in the address: ?statementId= and a UUID.") from None
