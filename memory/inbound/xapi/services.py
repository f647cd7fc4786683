"""Sealing reported statements to the students they are about: all of a request, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from uuid import UUID

from django.db import transaction
from pydantic import ValidationError

from companion_site.accounts.classes import student_of_school
from companion_site.accounts.models import LearningSystem, Person
from companion_site.language import as_language
from companion_site.vault.errors import NoInbox, SpaceClosed, StatementDiffers
from companion_site.vault.inbox import seal_to
from companion_site.vault.models import SealedBox
from memory.inbound.xapi.errors import StatementConflict, StatementRefused
from memory.inbound.xapi.parsing import Reported
from memory.inbound.xapi.statements import KINDS, belongs_here

NOBODY = (
    "Statement {place}: the actor is no student of this school that can be reached. Name them by actor.account, with the "
    "address of this site as homePage and their log-in name as name; they must have logged in once."
)


@dataclass(frozen=True, kw_only=True)
class Letter:
    """One statement on its way to a student."""

    place: int
    space: UUID
    report: Reported
    text: bytes


def take_in(system: LearningSystem, reported: Sequence[Reported], *, host: str, now: datetime) -> list[UUID]:
    """Seal each statement into its student's space; return their ids in the order given.

    Raises:
        StatementRefused: somebody is not a student of the system's school; which reason it is stays untold.
        StatementConflict: an id came before and said something else.
    """
    letters = [_address(system, report, place, host, now) for place, report in enumerate(reported)]
    if is_sent_elsewhere(system, {letter.report.statement.id: letter.space for letter in letters}):
        raise StatementConflict()
    with transaction.atomic():
        # In the order of the spaces: two requests at once never wait for each other in a circle.
        for letter in sorted(letters, key=attrgetter("space")):
            _seal(letter, now=now)
    return [report.statement.id for report in reported]


def _address(system: LearningSystem, report: Reported, place: int, host: str, now: datetime) -> Letter:
    student = student_of_school(system.school, report.statement.actor.account.name)
    if student is None or student.space_id is None or not belongs_here(report.statement, host):
        raise StatementRefused(NOBODY.format(place=place))
    return Letter(place=place, space=student.space_id, report=report, text=_read(student, report, place, now))


def _read(student: Person, report: Reported, place: int, now: datetime) -> bytes:
    try:
        return report.statement.read(as_language(student.language), now=now).to_bytes()
    except ValidationError:
        raise StatementRefused(
            f"Statement {place}: result.response: give what the student answered."
        ) from None


def _seal(letter: Letter, *, now: datetime) -> None:
    statement = letter.report.statement
    try:
        seal_to(
            letter.space,
            kind=KINDS[statement.verb.name],
            text=letter.text,
            sender=None,
            statement_id=statement.id,
            identity=letter.report.identity,
            now=now,
        )
    except StatementDiffers:
        raise StatementConflict() from None
    except (NoInbox, SpaceClosed):
        raise StatementRefused(NOBODY.format(place=letter.place)) from None


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
