"""Sealing measures to the person whose device sent them: all of them, or nothing."""

from datetime import datetime
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.vault.errors import NoInbox, SpaceClosed, StatementDiffers
from companion_site.vault.inbox import pending_boxes, seal_to
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from memory.inbound.contents import DayMeasures, Measures
from memory.inbound.measures.errors import MeasuresConflict, NobodyThere, TooManyWaiting
from memory.inbound.measures.parsing import Reported

#: So many boxes of measures wait at most for a person who does not log in: one a day, for a year.
MOST_WAITING = 400


def take_in(person: Person, reported: Reported, *, now: datetime) -> UUID:
    """Seal measures into their person's space; return their id. Sent again, nothing changes.

    Raises:
        NobodyThere: the person has no space that anything can be sealed to.
        MeasuresConflict: the id came before and said something else.
        TooManyWaiting: the person has not logged in for long.
    """
    measured, space = reported.measured, person.space_id
    if space is None or person.role != Person.Role.STUDENT:
        raise NobodyThere()
    contents = Measures(at=now, days=[DayMeasures(day=one.day, values=one.values) for one in measured.days])
    if not _came_before(space, measured.id):
        waiting = pending_boxes(space, kinds=[SealedBox.Kind.METRICS])
        if len(waiting) >= MOST_WAITING:
            raise TooManyWaiting()
    try:
        seal_to(
            space,
            kind=SealedBox.Kind.METRICS,
            text=contents.to_bytes(),
            sender=None,
            statement_id=measured.id,
            identity=reported.identity,
            now=now,
        )
    except StatementDiffers:
        raise MeasuresConflict() from None
    except (NoInbox, SpaceClosed):
        raise NobodyThere() from None
    return measured.id


def _came_before(space: UUID, statement: UUID) -> bool:
    with space_scope(space):
        return SealedBox.objects.for_space(space).filter(statement_id=statement).exists()
