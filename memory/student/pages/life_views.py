"""The page of mood and goals: how somebody feels, what they are grateful for, and having back what was deleted."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput, NotFound
from memory.student.life.deletion import restore_deleted
from memory.student.life.gratitude import delete_gratitude, log_gratitude
from memory.student.life.moods import delete_mood, tell_mood
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.life_forms import GratitudeForm, MoodForm
from memory.student.pages.life_page import life_page
from memory.student.pages.life_undo import drop_undo, find_undo, keep_undo

#: Parts of the page that a change goes back to.
PARTS = frozenset({"moods", "goals", "gratitude", "measures", "wishes", "device", "kept"})


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
        try:
            told = tell_mood(access.space, **form.cleaned_data, now=timezone.now(), actor=access.person)
        except InvalidInput as refused:
            form.add_error(None, str(refused))
        else:
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
    keep_undo(
        request, delete_mood(access.space, mood_id, now=now, actor=access.person), part="moods", now=now
    )
    return to_part("")


@require_POST
@memory_page
def gratitude(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Add to the gratitude journal."""
    form = GratitudeForm(request.POST)
    if form.is_valid():
        try:
            log_gratitude(access.space, form.cleaned_data["text"], now=timezone.now(), actor=access.person)
        except InvalidInput as refused:
            form.add_error(None, str(refused))
        else:
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
