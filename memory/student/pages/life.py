"""Mood and goals: what the page shows, and each of its forms and buttons, from a mood written down to a device let in."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import TypeAdapter
from pydantic import ValidationError as Malformed

from companion_site.accounts.access import Access, student_action, student_page
from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.strict_json import load_json
from companion_site.accounts.systems import device_since, let_device_in, shut_device_out
from companion_site.errors import InvalidInput, NotFound
from companion_site.http import wants_json
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope
from memory.models import Goal, LifeFact
from memory.student.life import goals
from memory.student.life.deletion import delete_found, restore_deleted
from memory.student.life.facts.loops import OPEN_KINDS
from memory.student.life.facts.selectors import settle_facts, standing
from memory.student.life.facts.store import close_fact, finish_fact, reopen_fact
from memory.student.life.goals import list_goals
from memory.student.life.journals import list_notes, write_note
from memory.student.life.kinds import JOURNALS, Journal
from memory.student.life.metrics import Name, list_measures, set_measures
from memory.student.life.moods import mood_trend, moods_between, tell_mood
from memory.student.life.wishes import PersonWishes, change_wishes, read_wishes
from memory.student.pages.life_forms import (
    LEVELS,
    GoalForm,
    JournalForm,
    MeasuresForm,
    MoodForm,
    NoteForm,
    WishesForm,
)
from memory.student.pages.life_plot import DAYS, WORDS, draw_moods
from memory.student.pages.navigation import refusals_on, render_page

SESSION_FIELD = "life_deleted"
#: Within so long somebody notices that they meant another one.
OFFERED = timedelta(minutes=15)
Kind = LifeFact.Kind
#: The newest are shown; what is older is found among the memories.
MOST_READ = 300
#: Shown at once; the rest of the journal is one link away.
MOST_MOODS, MOST_NOTES, MEASURED_DAYS = 20, 20, 14


def find_undo(request: PersonRequest, *, now: datetime) -> dict[str, str] | None:
    """Return what can be had back, if anything, with the part of the page that it belongs to."""
    kept: dict[str, str] | None = request.session.get(SESSION_FIELD)
    if kept and now - datetime.fromisoformat(kept["at"]) > OFFERED:
        del request.session[SESSION_FIELD]
        return None
    return kept


def list_kept_in_mind(space: UUID) -> list[dict[str, Any]]:
    """Return the facts that are kept in mind, by kind, the last noted first, and those that are closed apart.

    What comes up by itself, until somebody says that it is done with, stands first. The space is unlocked by the caller.
    """
    with space_scope(space):
        facts = settle_facts(space, standing(space).order_by("-noted_at", "-id")[:MOST_READ])
    order = (*OPEN_KINDS, *(kind for kind in Kind if kind not in OPEN_KINDS))
    parts = [
        {
            "kind": kind,
            "label": kind.label,
            "can_be_done": kind in OPEN_KINDS,
            "open": [fact for fact in facts if fact.kind == kind and fact.closed_at is None],
            "closed": [fact for fact in facts if fact.kind == kind and fact.closed_at is not None],
        }
        for kind in order
    ]
    return [part for part in parts if part["open"] or part["closed"]]


def life_page(
    request: PersonRequest,
    access: Access,
    *,
    typed: Mapping[str, forms.Form] | None = None,
    extra: Mapping[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return the page, with what was typed wrong in its place.

    Args:
        typed: forms with errors, by the part of the page that each stands in.
    """
    now = timezone.now()
    everything = request.GET.get("show") == "all"
    forms_of_page: dict[str, forms.Form] = {
        "moods": MoodForm(),
        "goals": GoalForm(),
        "notes": NoteForm(),
        **{one.name: JournalForm(journal=one) for one in JOURNALS},
        "measures": MeasuresForm(initial={"day": timezone.localdate(now)}),
        "wishes": WishesForm(initial=asdict(read_wishes(access.space))),
        **(typed or {}),
    }
    every_goal = list_goals(access.space)
    context: dict[str, Any] = {
        **_moods(access, now=now, everything=everything),
        "goals": [goal for goal in every_goal if goal.is_active],
        "closed_goals": [goal for goal in every_goal if not goal.is_active],
        **_measures(access, now=now),
        "kept_in_mind": list_kept_in_mind(access.space),
        "undo": find_undo(request, now=now),
        "memory_on": access.person.memory_on,
        "forms": forms_of_page,
        "journals": [
            _journal(access, one, forms_of_page[one.name], everything=everything) for one in JOURNALS
        ],
        **(extra or {}),
    }
    return render_page(request, access, "life", context, status=status)


def _moods(access: Access, *, now: datetime, everything: bool) -> dict[str, Any]:
    moods = moods_between(access.space, now - timedelta(days=DAYS), now)
    levels = dict(LEVELS)
    told = [
        {"mood": mood, "word": WORDS[mood.state.primary_emotion], "level": levels[mood.state.intensity]}
        for mood in moods
    ]
    return {
        "trend": mood_trend(access.space, now),
        "plot": draw_moods(moods, today=timezone.localdate(now)),
        "moods": told if everything else told[:MOST_MOODS],
        "more_moods": 0 if everything else max(len(told) - MOST_MOODS, 0),
    }


def _journal(access: Access, journal: Journal, form: forms.Form, *, everything: bool) -> dict[str, Any]:
    notes = list_notes(access.space, journal, most=None if everything else MOST_NOTES + 1)
    shown = notes if everything else notes[:MOST_NOTES]
    address = f"memory:life_remove_{journal.model._meta.model_name}"
    return {
        "is": journal,
        "form": form,
        "notes": shown,
        "has_more": len(notes) > len(shown),
        "remove": address,
    }


def _measures(access: Access, *, now: datetime) -> dict[str, Any]:
    since = timezone.localdate(now) - timedelta(days=MEASURED_DAYS - 1)
    days = list_measures(access.space, since=since)
    return {
        "measure_names": [name.label for name in Name],
        "measured": [
            {"day": day, "cells": [(str(name), name.label, values.get(name)) for name in Name]}
            for day, values in days.items()
        ],
        "device_since": device_since(access.person),
    }


#: What each form of the page writes: by what, where its refusals stand, and what is said then.
FORMS: dict[str, tuple[Callable[..., forms.Form], Callable[..., Any], str | None, str | Promise]] = {
    "moods": (MoodForm, tell_mood, None, gettext_lazy("Written down.")),
    "goals": (GoalForm, goals.set_goal, None, ""),
    **{
        one.name: (partial(JournalForm, journal=one), partial(write_note, journal=one), None, "")
        for one in JOURNALS
    },
    "measures": (MeasuresForm, set_measures, None, ""),
    "wishes": (WishesForm, change_wishes, "avoid", gettext_lazy("Your companion will keep to that.")),
}
#: Parts of the page that a change goes back to.
PARTS = {*FORMS, "device", "kept"}
#: What a button does to a goal.
MOVES = {"reached": Goal.State.DONE, "drop": Goal.State.DROPPED, "reopen": Goal.State.ACTIVE}
#: What a text does to a goal, and the form it comes in.
TEXTS: dict[str, tuple[Callable[..., Any], type[forms.Form]]] = {
    "note": (goals.note_goal, NoteForm),
    "edit": (goals.edit_goal, GoalForm),
}
FACT_VERBS = {"done": finish_fact, "close": close_fact, "reopen": reopen_fact}


#: checks what JSON says of wishes
WISHES = TypeAdapter(PersonWishes)


def to_part(part: str) -> HttpResponse:
    """Go back to a part of the page."""
    anchor = f"#{part}" if part in PARTS else ""
    return redirect(f"{reverse('memory:life')}{anchor}")


@student_page
def life(request: PersonRequest, access: Access) -> HttpResponse:
    """Show mood over weeks, goals, the journal, the measures and the wishes."""
    return life_page(request, access)


@student_action
def write(request: PersonRequest, access: Access, part: str) -> HttpResponse:
    """Write down what a form of the page says; of wishes only those that are named, where JSON is asked for."""
    if part not in FORMS:
        raise NotFound()
    if part == "wishes" and wants_json(request):
        change_wishes(access.space, **_read_named(request.body), now=timezone.now(), actor=access.person)
        return HttpResponse(status=204)
    kind, service, field, said = FORMS[part]
    form = kind(request.POST)
    if form.is_valid():
        with refusals_on(form, field):
            row = service(access.space, **form.cleaned_data, now=timezone.now(), actor=access.person)
            if row is not None:
                if said:
                    messages.success(request, str(said))
                return to_part(part)
            form.add_error(None, _("Your memory is switched off, so no mood is written down."))
    return life_page(request, access, typed={part: form}, status=400)


@student_action
def remove(
    request: PersonRequest, access: Access, kind: type[SpaceModel], part: str, **which: Any
) -> HttpResponse:
    """Delete the row that an address names; it can be had back for a while."""
    now = timezone.now()
    try:
        deleted = delete_found(kind, access.space, **which, now=now, actor=access.person)
    except ValidationError:  # no day
        raise NotFound() from None
    # What was kept before is gone for good.
    request.session[SESSION_FIELD] = {**deleted, "part": part, "at": now.isoformat()}
    return to_part("")


@student_action
def undo(request: PersonRequest, access: Access) -> HttpResponse:
    """Have back what was deleted last."""
    now = timezone.now()
    deleted = find_undo(request, now=now)
    if deleted is None:
        raise NotFound()
    restore_deleted(access.space, deleted, now=now, actor=access.person)
    del request.session[SESSION_FIELD]
    messages.success(request, _("It is back."))
    return to_part(deleted.get("part", ""))


@student_action
def change_goal(request: PersonRequest, access: Access, goal_id: UUID, verb: str) -> HttpResponse:
    """Do to a goal what a button or a line of text says."""
    if verb in TEXTS:
        return _say(request, access, goal_id, verb)
    if verb not in MOVES:
        raise NotFound()
    goals.move_goal(access.space, goal_id, MOVES[verb], now=timezone.now(), actor=access.person)
    if verb == "reached":
        messages.success(request, _("Reached! Well done."))
    return to_part("goals")


def _say(request: PersonRequest, access: Access, goal_id: UUID, verb: str) -> HttpResponse:
    change, kind = TEXTS[verb]
    form = kind(request.POST)
    text = request.POST.get(form.add_prefix("text"), "")
    if form.is_valid():
        with refusals_on(form, "text"):
            change(access.space, goal_id, form.cleaned_data["text"], now=timezone.now(), actor=access.person)
            return to_part("goals")
    wrong = {"goal": goal_id, "verb": verb, "text": text, "errors": form.errors.get("text", [])}
    return life_page(request, access, extra={"wrong": wrong}, status=400)


@student_action
def device(request: PersonRequest, access: Access) -> HttpResponse:
    """Let a device in and show its secret, once; or shut it out."""
    now = timezone.now()
    if request.POST.get("do") == "shut-out":
        if shut_device_out(access.person, now=now):
            messages.success(request, _("Shut out. What it sent stays until you delete it."))
        return to_part("device")
    return life_page(request, access, extra={"device_secret": let_device_in(access.person, now=now)})


@student_action
def fact(request: PersonRequest, access: Access, fact_id: UUID, verb: str) -> HttpResponse:
    """Say that something is done with, that it is never to be brought up, or that it is to be kept in mind again."""
    if verb not in FACT_VERBS:
        raise NotFound()
    if FACT_VERBS[verb](access.space, fact_id, now=timezone.now(), actor=access.person):
        messages.success(request, _("Done for this time."))
    return to_part("kept")


def _read_named(body: bytes) -> dict[str, Any]:
    """Return the wishes that a script names."""
    given = load_json(body)
    try:
        told = WISHES.validate_python(given)
    except Malformed:
        raise InvalidInput() from None
    if not given.keys() <= vars(told).keys():
        raise InvalidInput()
    changes = {name: getattr(told, name) for name in given}
    if any(getattr(value, "tzinfo", None) for value in changes.values()):
        raise InvalidInput()
    return changes
