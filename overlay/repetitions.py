"""What a student was asked in quizzes, and when it is due again. The caller has unlocked their space."""

from datetime import datetime
from uuid import UUID

from django.utils import timezone

from companion_site.vault import key_of
from companion_site.vault.scope import space_scope, write_scope
from overlay.algorithms.repetition import Place, Verdict, move
from overlay.models import Repetition
from overlay.worlds import World

#: what a concept is called among the things that are asked
CONCEPT = "concept {}"


def load_places(space: UUID) -> dict[str, Place]:
    """Return where everything lies that the student was asked, by its name among the things that are asked."""
    with space_scope(space):
        rows = list(Repetition.objects.for_space(space))
    return {row.item: Place(box=row.box, due_on=row.due_on) for row in rows}


def count_due(space: UUID, world: World, *, now: datetime) -> int:
    """Return how many concepts of a world are due for repetition."""
    with space_scope(space):
        rows = list(Repetition.objects.for_space(space).filter(due_on__lte=timezone.localdate(now)))
    concepts = {CONCEPT.format(concept.id) for concept in world.concepts}
    return sum(row.item in concepts for row in rows)


def note_answer(space: UUID, item: str, verdict: Verdict | None, *, question: UUID, now: datetime) -> None:
    """Count the answer to a question, once: another answer to the same question takes the place of the first.

    Args:
        verdict: None takes back what was counted for the question.
        question: the reply that asked; ids sort by time, and of an older one than the last nothing is counted any more.
    """
    digest = key_of(space).keyed_hash(f"overlay.repetition {item}")
    with write_scope(space):
        row = Repetition.objects.for_space(space).filter(item_hash=digest).first()
        if row is not None and question < row.question_id:
            return
        if row is None:
            row, before = Repetition(space_id=space, item=item, item_hash=digest), None
        elif row.question_id != question:
            before = Place(box=row.box, due_on=row.due_on)
        elif row.box_before is None:
            before = None
        else:
            before = Place(box=row.box_before, due_on=row.due_before)
        if verdict is None:
            _take_back(row, before, question)
            return
        place = move(before, verdict, today=timezone.localdate(now))
        row.box, row.due_on, row.question_id = place.box, place.due_on, question
        row.box_before = before.box if before is not None else None
        row.due_before = before.due_on if before is not None else None
        row.save()


def _take_back(row: Repetition, before: Place | None, question: UUID) -> None:
    if row.question_id != question:
        return
    if before is None:
        row.delete()
        return
    row.box, row.due_on = before.box, before.due_on
    row.save(update_fields=["box", "due_on"])
