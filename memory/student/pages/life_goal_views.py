"""Goals on the page of mood and goals: set, put into other words, noted, reached, let go, taken up again, deleted."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput, NotFound
from memory.student.life import goals
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.life_forms import GoalForm, NoteForm
from memory.student.pages.life_page import life_page
from memory.student.pages.life_undo import keep_undo
from memory.student.pages.life_views import to_part

#: What a button does to a goal.
MOVES: dict[str, Callable[..., Any]] = {
    "reached": goals.close_goal,
    "drop": goals.drop_goal,
    "reopen": goals.reopen_goal,
}
#: What a text does to a goal, and the form it comes in.
TEXTS: dict[str, tuple[Callable[..., Any], type[forms.Form]]] = {
    "note": (goals.note_goal, NoteForm),
    "edit": (goals.edit_goal, GoalForm),
}


@require_POST
@memory_page
def add_goal(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Set a goal."""
    form = GoalForm(request.POST)
    if form.is_valid():
        try:
            goals.set_goal(access.space, form.cleaned_data["text"], now=timezone.now(), actor=access.person)
        except InvalidInput as refused:
            form.add_error(None, str(refused))
        else:
            return to_part("goals")
    return life_page(request, access, wrong={"goal_form": form}, status=400)


@require_POST
@memory_page
def change_goal(request: PersonRequest, access: MemoryAccess, goal_id: UUID, verb: str) -> HttpResponse:
    """Do to a goal what a button or a line of text says."""
    now = timezone.now()
    if verb in TEXTS:
        return _say(request, access, goal_id, verb)
    if verb == "delete":
        deleted = goals.delete_goal(access.space, goal_id, now=now, actor=access.person)
        keep_undo(request, deleted, part="goals", now=now)
        return to_part("")
    if verb not in MOVES:
        raise NotFound()
    MOVES[verb](access.space, goal_id, now=now, actor=access.person)
    if verb == "reached":
        messages.success(request, _("Reached! Well done."))
    return to_part("goals")


@require_POST
@memory_page
def remove_note(request: PersonRequest, access: MemoryAccess, note_id: UUID) -> HttpResponse:
    """Delete one note on a goal."""
    now = timezone.now()
    deleted = goals.delete_note(access.space, note_id, now=now, actor=access.person)
    keep_undo(request, deleted, part="goals", now=now)
    return to_part("")


def _say(request: PersonRequest, access: MemoryAccess, goal_id: UUID, verb: str) -> HttpResponse:
    """Note how it went with a goal, or put it into other words."""
    change, kind = TEXTS[verb]
    form = kind(request.POST)
    text = request.POST.get(form.add_prefix("text"), "")
    if form.is_valid():
        try:
            change(access.space, goal_id, form.cleaned_data["text"], now=timezone.now(), actor=access.person)
        except InvalidInput as refused:
            form.add_error("text", str(refused))
        else:
            return to_part("goals")
    typed = {"goal": goal_id, "verb": verb, "text": text, "errors": form.errors.get("text", [])}
    return life_page(request, access, extra={"typed": typed}, status=400)
