"""Ending log-ins by the account page: parse, authorise, call a service, render."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.sessions import end_log_in, end_log_ins


@require_POST
@never_cache
def end(request: PersonRequest, log_in: UUID) -> HttpResponse:
    """Log the person out in one of their browsers."""
    end_log_in(request.user, log_in, now=timezone.now(), actor=request.user)
    messages.success(request, _("Logged out there."))
    return _back()


@require_POST
@never_cache
def end_others(request: PersonRequest) -> HttpResponse:
    """Log the person out everywhere but here."""
    end_log_ins(request.user, now=timezone.now(), actor=request.user, but=request.session.session_key)
    messages.success(request, _("Logged out everywhere else."))
    return _back()


def _back() -> HttpResponse:
    return redirect(f"{resolve_url('accounts:account')}#log-ins-title")
