"""What the page of mood and goals shows: the rows of a person's life, what is kept in mind, and the last deletion, to be undone."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.utils import timezone

from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.systems import device_since
from companion_site.errors import BoxBroken
from companion_site.vault.scope import space_scope
from memory.models import LifeFact
from memory.student.life.deletion import Deleted
from memory.student.life.facts.loops import OPEN_KINDS
from memory.student.life.facts.selectors import settle_facts, standing
from memory.student.life.goals import list_goals
from memory.student.life.journals import list_notes
from memory.student.life.kinds import JOURNALS, Journal
from memory.student.life.metrics import Name, list_measures
from memory.student.life.moods import mood_trend, moods_between
from memory.student.life.wishes import read_wishes
from memory.student.pages.access import MemoryAccess
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
from memory.student.pages.navigation import render_page

SESSION_FIELD = "life_deleted"
#: Within so long somebody notices that they meant another one.
OFFERED = timedelta(minutes=15)
Kind = LifeFact.Kind
#: The newest are shown; what is older is found among the memories.
MOST_READ = 300
#: Shown at once; the rest of the journal is one link away.
MOST_MOODS, MOST_NOTES, MEASURED_DAYS = 20, 20, 14


def keep_undo(request: PersonRequest, deleted: Deleted, *, part: str, now: datetime) -> None:
    """Keep what brings a deleted row back; what was kept before is gone for good."""
    request.session[SESSION_FIELD] = {**deleted.to_json(), "part": part, "at": now.isoformat()}


def find_undo(request: PersonRequest, *, now: datetime) -> tuple[Deleted | None, str]:
    """Return what can be had back, if anything, and the part of the page that it belongs to."""
    kept = request.session.get(SESSION_FIELD)
    if kept and now - datetime.fromisoformat(kept["at"]) > OFFERED:
        drop_undo(request)
    elif kept:
        with suppress(BoxBroken):
            return Deleted.from_json(kept), kept.get("part", "")
    return None, ""


def drop_undo(request: PersonRequest) -> None:
    """Forget what could be had back."""
    request.session.pop(SESSION_FIELD, None)


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
    access: MemoryAccess,
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
    context: dict[str, Any] = {
        **_moods(access, now=now, everything=everything),
        **_goals(access),
        **_measures(access, now=now),
        "kept_in_mind": list_kept_in_mind(access.space),
        "undo": find_undo(request, now=now)[0],
        "memory_on": access.person.memory_on,
        "forms": forms_of_page,
        "journals": [
            _journal(access, one, forms_of_page[one.name], everything=everything) for one in JOURNALS
        ],
        **(extra or {}),
    }
    return render_page(request, access, "life", context, status=status)


def _moods(access: MemoryAccess, *, now: datetime, everything: bool) -> dict[str, Any]:
    moods = moods_between(access.space, now - timedelta(days=DAYS), now + timedelta(seconds=1))
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


def _goals(access: MemoryAccess) -> dict[str, Any]:
    goals = list_goals(access.space)
    return {
        "goals": [goal for goal in goals if goal.is_active],
        "closed_goals": [goal for goal in goals if not goal.is_active],
    }


def _journal(access: MemoryAccess, journal: Journal, form: forms.Form, *, everything: bool) -> dict[str, Any]:
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


def _measures(access: MemoryAccess, *, now: datetime) -> dict[str, Any]:
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
