"""Log-in, log-out and the account page: parse, authorise, call a service, render."""

from functools import wraps

import structlog
from axes.decorators import axes_dispatch
from django.conf import settings
from django.contrib import auth, messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from companion_site.accounts import forms, remembering, services
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.tokens_shown import tokens_context
from companion_site.errors import InvalidInput, NotFound, SpaceLocked, WrongKey
from companion_site.vault import services as vault
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.leases import queue_between_sessions
from companion_site.vault.middleware import forget_key, hand_over_key
from companion_site.vault.models import KeySlot

logger = structlog.get_logger(__name__)

form_page = require_http_methods(["GET", "HEAD", "POST"])


def _public(view):
    """Open a page to people who are not logged in, and keep what they type out of caches and reports."""
    return wraps(view)(login_not_required(never_cache(sensitive_post_parameters()(view))))


@form_page
@_public
@axes_dispatch
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in and open the person's memory with the same password."""
    if request.user.is_authenticated and request.method == "GET":
        return redirect(_next(request))
    form = forms.LogInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = auth.authenticate(request, **form.cleaned_data)
        if person is not None:
            return _open(request, person, form.cleaned_data["password"])
        logger.info("accounts.log_in_refused")
        form.add_error(None, _("Log-in name and password do not fit together."))
    return render(request, "accounts/login.html", {"form": form, "next": request.GET.get("next", "")})


@require_POST
@login_not_required
def log_out(request: PersonRequest) -> HttpResponse:
    """End the session; the key goes with it. Where it has ended by itself, the log-in is all that is left to show."""
    if request.space_key is not None:
        queue_between_sessions(request.space_key, now=timezone.now())
    forget_key(request)
    auth.logout(request)
    return redirect("accounts:login")


@login_not_required
def locked_out(request: HttpRequest, credentials=None, *args, **kwargs) -> HttpResponse:
    """Answer the log-in that came once too often."""
    logger.warning("accounts.log_in_closed")
    form = forms.LogInForm()
    context = {"form": form, "locked_out": _("Too many attempts. Wait a quarter of an hour, then try again.")}
    return render(request, "accounts/login.html", context, status=429)


@never_cache
def locked(request: PersonRequest) -> HttpResponse:
    """Tell a logged-in person that their memory is closed, and how it opens."""
    space = services.personal_space(request.user)
    context = {
        "has_password": vault.has_slot(space, KeySlot.Kind.PASSWORD),
        "has_recovery": vault.has_slot(space, KeySlot.Kind.RECOVERY),
    }
    return render(request, "accounts/locked.html", context)


@form_page
@never_cache
def account(request: PersonRequest) -> HttpResponse:
    """Show what a person can change about their own log-in; take their choice of language from any page."""
    if request.method == "POST":
        return _choose_language(request)
    return render(request, "accounts/account.html", account_context(request))


@require_POST
@never_cache
@sensitive_post_parameters()
def change_password(request: PersonRequest) -> HttpResponse:
    """Change the password of log-in and memory together."""
    form = forms.ChangePasswordForm(request.POST, person=request.user)
    if form.is_valid() and not request.user.check_password(form.cleaned_data["current_password"]):
        form.add_error("current_password", _("This is not your current password."))
    if not form.is_valid():
        return render(request, "accounts/account.html", account_context(request, form), status=422)
    key = _own_key(request)
    services.change_password(
        request.user, key=key, password=form.cleaned_data["new_password"], now=timezone.now()
    )
    auth.update_session_auth_hash(request, request.user)
    hand_over_key(request, key)
    messages.success(
        request, _("Your password is changed. Everything you told your companion is still there.")
    )
    return redirect("accounts:account")


@require_POST
@never_cache
def renew_recovery_code(request: PersonRequest) -> HttpResponse:
    """Make a new recovery code and show it, once."""
    code = vault.renew_recovery_code(_own_key(request), now=timezone.now(), actor=request.user)
    return render(request, "accounts/recovery_code.html", {"code": code})


@require_POST
@never_cache
def switch_memory(request: PersonRequest) -> HttpResponse:
    """Switch the person's memory off, or on again."""
    if not request.user.can_chat:
        raise NotFound()
    form = forms.MemoryForm(request.POST)
    if not form.is_valid():
        raise InvalidInput()
    if remembering.switch_memory(request.user, on=form.is_on, key=request.space_key, now=timezone.now()):
        messages.success(request, _("Your memory is on.") if form.is_on else _("Your memory is off."))
    return redirect(f"{resolve_url('accounts:account')}#memory-title")


@form_page
@_public
@axes_dispatch
def recover(request: HttpRequest) -> HttpResponse:
    """Open the memory with the recovery code and set a new password."""
    form = forms.RecoverForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = services.find_person(form.cleaned_data["username"])
        try:
            if person is None:
                raise WrongKey()
            key, code = services.recover(
                person,
                code=form.cleaned_data["code"],
                password=form.cleaned_data["new_password"],
                now=timezone.now(),
            )
        except SpaceLocked:
            logger.info("accounts.recovery_refused")
            _count_failure(request, form.cleaned_data["username"])
            form.add_error(None, _("Log-in name and recovery code do not fit together."))
        else:
            _begin_session(request, person, key)
            return _in_own_language(render(request, "accounts/recovery_code.html", {"code": code}))
    return render(request, "accounts/recover.html", {"form": form})


@form_page
@_public
@axes_dispatch
def start_anew(request: HttpRequest) -> HttpResponse:
    """Give the old memory up, say so plainly first, and begin with an empty one."""
    form = forms.StartAnewForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = auth.authenticate(
            request, username=form.cleaned_data["username"], password=form.cleaned_data["current_password"]
        )
        if person is not None:
            key, code = services.start_anew(
                person, password=form.cleaned_data["new_password"], now=timezone.now()
            )
            _begin_session(request, person, key)
            return _in_own_language(render(request, "accounts/recovery_code.html", {"code": code}))
        form.add_error(None, _("Log-in name and password do not fit together."))
    return render(request, "accounts/start_anew.html", {"form": form})


def _open(request: HttpRequest, person: Person, password: str) -> HttpResponse:
    """Begin the session, with the key where the password still opens it."""
    try:
        key = services.unlock_at_log_in(person, password=password, now=timezone.now())
    except SpaceLocked:
        request.session.flush()
        auth.login(request, person)
        return _in_own_language(redirect("accounts:locked"))
    _begin_session(request, person, key)
    return _in_own_language(redirect(_next(request)))


def _begin_session(request: HttpRequest, person: Person, key: SpaceKey) -> None:
    # Always a session of its own: Django keeps the old one when the same person logs in again.
    request.session.flush()
    auth.login(request, person, backend="django.contrib.auth.backends.ModelBackend")
    hand_over_key(request, key)
    vault.resume_work(key, now=timezone.now())
    queue_between_sessions(key, now=timezone.now())


def _choose_language(request: PersonRequest) -> HttpResponse:
    form = forms.LanguageForm(request.POST)
    if form.is_valid():
        request.user.language = form.cleaned_data["language"]
        request.user.save(update_fields=["language"])
    return _in_own_language(redirect(_next(request)))


def _in_own_language(response: HttpResponse) -> HttpResponse:
    """Forget the language chosen before log-in: from here on the person's own holds, on pages and sockets alike."""
    response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
    return response


def _count_failure(request: HttpRequest, username: str) -> None:
    """Count a wrong recovery code like a wrong password, so that neither can be guessed at leisure."""
    user_login_failed.send(sender=__name__, credentials={"username": username}, request=request)


def _own_key(request: PersonRequest) -> SpaceKey:
    if request.space_key is None or request.space_key.space != request.user.space_id:
        raise SpaceLocked()
    return request.space_key


def account_context(request: PersonRequest, form: forms.ChangePasswordForm | None = None) -> dict:
    return {
        "form": form or forms.ChangePasswordForm(person=request.user),
        "unlocked": request.space_key is not None,
        **tokens_context(request),
    }


def _next(request: HttpRequest) -> str:
    target = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        return target
    return resolve_url("home")
