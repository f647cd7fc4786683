"""Mood and goals: each form and button of that page, from a mood written down to a device let in."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import date, time
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from pydantic import BaseModel, ConfigDict, ValidationError

from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.strict_json import load_json
from companion_site.accounts.systems import let_device_in, shut_device_out
from companion_site.errors import CompanionError, InvalidInput, NotFound
from companion_site.http import JSON, wants_json
from memory.student.life import goals
from memory.student.life.deletion import restore_deleted
from memory.student.life.facts.resolution import close_fact, finish_fact, reopen_fact
from memory.student.life.gratitude import delete_gratitude, log_gratitude
from memory.student.life.metrics import delete_measure, set_measures
from memory.student.life.moods import delete_mood, tell_mood
from memory.student.life.wishes import PersonWishes, change_wishes
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.life_forms import (
    GoalForm,
    GratitudeForm,
    MeasuresForm,
    MoodForm,
    NoteForm,
    WishesForm,
)
from memory.student.pages.life_page import drop_undo, find_undo, keep_undo, life_page
from memory.student.pages.navigation import refusals_on

#: Parts of the page that a change goes back to.
PARTS = frozenset({"moods", "goals", "gratitude", "measures", "wishes", "device", "kept"})
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
FACT_VERBS = {"done": finish_fact, "close": close_fact, "reopen": reopen_fact}


class SomeWishes(BaseModel):
    """Wishes of which some are named; the others stay as they are."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    avoid: list[str] = []
    calm: bool = False
    speaks: bool = False
    initiative_on: bool = True
    quiet_from: time = time()
    quiet_until: time = time()


def to_part(part: str) -> HttpResponse:
    """Go back to a part of the page."""
    anchor = f"#{part}" if part in PARTS else ""
    return redirect(f"{reverse('memory:life')}{anchor}")


@require_safe
@memory_page
def life(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Show mood over weeks, goals, the journal, the measures and the wishes."""
    return life_page(request, access)


@require_POST
@memory_page
def mood(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Write down how the person feels now."""
    form = MoodForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            told = tell_mood(access.space, **form.cleaned_data, now=timezone.now(), actor=access.person)
            if told is not None:
                messages.success(request, _("Written down."))
                return to_part("moods")
            form.add_error(None, _("Your memory is switched off, so no mood is written down."))
    return life_page(request, access, wrong={"mood_form": form}, status=400)


@require_POST
@memory_page
def remove_mood(request: PersonRequest, access: MemoryAccess, mood_id: UUID) -> HttpResponse:
    """Delete one mood."""
    now = timezone.now()
    deleted = delete_mood(access.space, mood_id, now=now, actor=access.person)
    keep_undo(request, deleted, part="moods", now=now)
    return to_part("")


@require_POST
@memory_page
def gratitude(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Add to the gratitude journal."""
    form = GratitudeForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            log_gratitude(access.space, form.cleaned_data["text"], now=timezone.now(), actor=access.person)
            return to_part("gratitude")
    return life_page(request, access, wrong={"gratitude_form": form}, status=400)


@require_POST
@memory_page
def remove_gratitude(request: PersonRequest, access: MemoryAccess, gratitude_id: UUID) -> HttpResponse:
    """Delete one entry of the journal."""
    now = timezone.now()
    deleted = delete_gratitude(access.space, gratitude_id, now=now, actor=access.person)
    keep_undo(request, deleted, part="gratitude", now=now)
    return to_part("")


@require_POST
@memory_page
def undo(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Have back what was deleted last."""
    now = timezone.now()
    kept = find_undo(request, now=now)
    if kept is None:
        raise NotFound()
    restore_deleted(access.space, kept.deleted, now=now, actor=access.person)
    drop_undo(request)
    messages.success(request, _("It is back."))
    return to_part(kept.part)


@require_POST
@memory_page
def add_goal(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Set a goal."""
    form = GoalForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            goals.set_goal(access.space, form.cleaned_data["text"], now=timezone.now(), actor=access.person)
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
    change, kind = TEXTS[verb]
    form = kind(request.POST)
    text = request.POST.get(form.add_prefix("text"), "")
    if form.is_valid():
        with refusals_on(form, "text"):
            change(access.space, goal_id, form.cleaned_data["text"], now=timezone.now(), actor=access.person)
            return to_part("goals")
    typed = {"goal": goal_id, "verb": verb, "text": text, "errors": form.errors.get("text", [])}
    return life_page(request, access, extra={"typed": typed}, status=400)


@require_POST
@memory_page
def measures(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Set measures of one day by hand."""
    form = MeasuresForm(request.POST)
    if form.is_valid() and not form.values():
        form.add_error(None, _("Give at least one number."))
    if form.is_valid():
        day, values = form.cleaned_data["day"], form.values()
        with refusals_on(form):
            set_measures(access.space, day, values, now=timezone.now(), actor=access.person)
            return to_part("measures")
    return life_page(request, access, wrong={"measures_form": form}, status=400)


@require_POST
@memory_page
def remove_measure(request: PersonRequest, access: MemoryAccess, day: str, name: str) -> HttpResponse:
    """Delete one measure of one day."""
    try:
        on = date.fromisoformat(day)
    except ValueError:
        raise NotFound() from None
    now = timezone.now()
    deleted = delete_measure(access.space, on, name, now=now, actor=access.person)
    keep_undo(request, deleted, part="measures", now=now)
    return to_part("")


@require_POST
@memory_page
def device(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Let a device in and show its secret, once; or shut it out."""
    now = timezone.now()
    if request.POST.get("do") == "shut-out":
        if shut_device_out(access.person, now=now):
            messages.success(request, _("Shut out. What it sent stays until you delete it."))
        return to_part("device")
    return life_page(request, access, extra={"device_secret": let_device_in(access.person, now=now)})


@require_POST
@memory_page
def fact(request: PersonRequest, access: MemoryAccess, fact_id: UUID, verb: str) -> HttpResponse:
    """Say that something is done with, that it is never to be brought up, or that it is to be kept in mind again."""
    if verb not in FACT_VERBS:
        raise NotFound()
    if FACT_VERBS[verb](access.space, fact_id, now=timezone.now(), actor=access.person):
        messages.success(request, _("Done for this time."))
    return to_part("kept")


@require_POST
@memory_page
def wishes(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Change wishes: all of them from the page's form; those that are named where JSON is asked for."""
    if wants_json(request):
        return _answer_in_json(request, access)
    form = WishesForm(request.POST)
    if form.is_valid():
        with refusals_on(form, "avoid"):
            change_wishes(access.space, **form.changes(), now=timezone.now(), actor=access.person)
            messages.success(request, _("Your companion will keep to that."))
            return to_part("wishes")
    return life_page(request, access, wrong={"wishes_form": form}, status=400)


def _answer_in_json(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    try:
        changes = _read(request)
        changed = change_wishes(access.space, **changes, now=timezone.now(), actor=access.person)
    except CompanionError as refused:
        return JsonResponse({"error": refused.code, "message": str(refused)}, status=400)
    return JsonResponse(describe_wishes(changed))


def describe_wishes(wishes: PersonWishes) -> dict[str, Any]:
    """Return wishes as JSON has them."""
    hours = {name: getattr(wishes, name).strftime("%H:%M") for name in ("quiet_from", "quiet_until")}
    return {**asdict(wishes), "avoid": list(wishes.avoid), **hours}


def _read(request: PersonRequest) -> dict[str, Any]:
    given: Any = load_json(request.body) if request.content_type == JSON else _fields(request.POST)
    try:
        named = SomeWishes.model_validate(given)
    except ValidationError:
        raise InvalidInput() from None
    changes = {name: getattr(named, name) for name in named.model_fields_set}
    if any(getattr(value, "tzinfo", None) for value in changes.values()):
        raise InvalidInput()
    return changes


def _fields(posted: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: posted[name] for name in posted if name != "csrfmiddlewaretoken"}
    if "avoid" in found:
        found["avoid"] = [line for line in found["avoid"].splitlines() if line.strip()]
    return found
