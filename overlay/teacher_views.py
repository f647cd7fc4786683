"""The page on which a teacher opens concepts for a class or for one student."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from companion_site.accounts.classes import taught_class, taught_student
from companion_site.accounts.models import Person, SchoolClass
from companion_site.accounts.requests import PersonRequest
from companion_site.http import form_page
from companion_site.language import fold_words
from overlay.models import Concept, Opening
from overlay.services import close_opening, list_openings, open_concept
from overlay.worlds import World, world_of

#: concepts that one page offers; the others are found by their names
OFFERED = 60
#: parts of a lesson's form whose words may name its concepts
LESSON_FIELDS = ("title", "taught", "result")
#: whom concepts are opened for, by their kind: each is found for a teacher by its id
READERS: dict[str, Callable[[Person, UUID], SchoolClass | Person]] = {
    "class": taught_class,
    "student": taught_student,
}


@form_page
@sensitive_post_parameters()
def open_concepts(request: PersonRequest, kind: str, row_id: UUID) -> HttpResponse:
    """Open concepts for a class or a student; a lesson's form sent on here finds those that it names already chosen."""
    reader = READERS[kind](request.user, row_id)
    given, world = request.POST, world_of(reader)
    chosen = _chosen(given, world)
    from_lesson = "title" in given or given.get("how") == Opening.How.LESSON
    how = Opening.How.LESSON if from_lesson else Opening.How.TEACHER
    if given.get("do") == "open" and chosen:
        with transaction.atomic():
            for concept in sorted(chosen):
                open_concept(reader, concept, by=request.user, how=how, now=timezone.now())
        text = ngettext("%(count)s concept is open.", "%(count)s concepts are open.", len(chosen))
        messages.success(request, text % {"count": len(chosen)})
        return redirect(request.path)
    context = {
        **_page(list_openings(reader), world, chosen=chosen, wanted=given.get("find", "").strip()),
        "reader": reader,
        "kind": kind,
        "row_id": row_id,
        "how": how,
        "nothing_chosen": given.get("do") == "open",
    }
    return render(request, "overlay/open_concepts.html", context)


@require_POST
def take_back(request: PersonRequest, kind: str, row_id: UUID, opening_id: UUID) -> HttpResponse:
    """Take an opening back from a class or a student."""
    reader = READERS[kind](request.user, row_id)
    close_opening(reader, opening_id, by=request.user, now=timezone.now())
    messages.success(request, _("Taken back. Who has met the concept by now keeps it."))
    return redirect(f"overlay-teaching:open_for_{kind}", row_id)


def _chosen(given: QueryDict, world: World) -> frozenset[UUID]:
    """Return the concepts that were ticked, and those that a lesson's words name."""
    values = set(given.getlist("concepts"))
    ticked = {concept.id for concept in world.concepts if str(concept.id) in values}
    words = "\n".join(given.get(name, "") for name in LESSON_FIELDS)
    return frozenset(ticked) | (world.named_in(words) if words.strip() else frozenset())


def _page(standing: list[Opening], world: World, *, chosen: frozenset[UUID], wanted: str) -> dict[str, Any]:
    taken = {item.concept_id for item in standing}
    closed = [concept for concept in world.concepts if concept.id not in taken]
    folded = fold_words(wanted)
    matching = [concept for concept in closed if concept.id in chosen or _matches(concept, folded)]
    # What was chosen stays on the page, whatever is looked for next.
    ordered = sorted(matching, key=lambda concept: (concept.id not in chosen, concept.name.casefold()))
    return {
        "has_world": bool(world.concepts),
        "standing": standing,
        "offered": [(concept, concept.id in chosen) for concept in ordered[: max(OFFERED, len(chosen))]],
        "more": max(0, len(ordered) - max(OFFERED, len(chosen))),
        "wanted": wanted,
    }


def _matches(concept: Concept, folded: str) -> bool:
    return not folded or any(folded in fold_words(name) for name in concept.names)
