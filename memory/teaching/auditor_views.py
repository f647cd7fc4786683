"""Auditors' pages: how the students of a school seem to be, from metadata alone."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from companion_site.accounts.classes import audited_student, audited_students
from companion_site.accounts.requests import PersonRequest
from companion_site.audit.checkpoint_services import look_at_last_checkpoint
from memory.teaching.presentation import present_students, slope_context

PER_PAGE = 50


@require_safe
@never_cache
def students(request: PersonRequest) -> HttpResponse:
    """Show the students of an auditor's school at a glance."""
    page = Paginator(audited_students(request.user), PER_PAGE).get_page(request.GET.get("page"))
    now = timezone.now()
    cards = present_students(list(page.object_list), now=now)
    context = {"page": page, "students": cards, "checkpoint": look_at_last_checkpoint(now)}
    return render(request, "teaching/wellbeing.html", context)


@require_safe
@never_cache
def student(request: PersonRequest, student_id: UUID) -> HttpResponse:
    """Show the indicators of one student."""
    row = audited_student(request.user, student_id)
    (card,) = present_students([row], now=timezone.now())
    context = {"card": card, "slope": slope_context(card.wellbeing)}
    return render(request, "teaching/wellbeing_student.html", context)
