"""Measures of days on the page of mood and goals, typed or sent by the person's own device; and what is kept in mind."""

from datetime import date
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.systems import let_device_in, shut_device_out
from companion_site.errors import InvalidInput, NotFound
from memory.student.life.facts.resolution import close_fact, finish_fact, reopen_fact
from memory.student.life.metrics import delete_measure, set_measures
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.life_forms import MeasuresForm
from memory.student.pages.life_page import life_page
from memory.student.pages.life_undo import keep_undo
from memory.student.pages.life_views import to_part

FACT_VERBS = {"done": finish_fact, "close": close_fact, "reopen": reopen_fact}


@require_POST
@memory_page
def measures(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Set measures of one day by hand."""
    form = MeasuresForm(request.POST)
    if form.is_valid() and not form.values():
        form.add_error(None, _("Give at least one number."))
    if form.is_valid():
        day, values = form.cleaned_data["day"], form.values()
        try:
            set_measures(access.space, day, values, now=timezone.now(), actor=access.person)
        except InvalidInput as refused:
            form.add_error(None, str(refused))
        else:
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
