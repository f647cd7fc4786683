"""Log-in, log-out and the account page: parse, authorise, call a service, render."""

from contextlib import suppress
from functools import wraps
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.contrib import auth, messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from companion_site.accounts import forms, invitations, services, sessions, tokens
from companion_site.accounts.access import own_key
from companion_site.accounts.attempts import attempt, remember_browser
from companion_site.accounts.errors import BadInvitation
from companion_site.accounts.models import Invitation, Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput, NotFound, SpaceLocked
from companion_site.http import form_page
from companion_site.vault import services as vault
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.checks import key_is_missing
from companion_site.vault.grants import let_go_of_grant, open_grants
from companion_site.vault.leases import queue_between_sessions
from companion_site.vault.models import KeySlot
from companion_site.vault.sessions import forget_key, hand_over_key

logger = structlog.get_logger(__name__)


def _public(view):
    """Open a page to people who are not logged in, and keep what they type out of reports."""
    return wraps(view)(login_not_required(sensitive_post_parameters()(view)))


@form_page
@_public
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in and open the person's memory with the same password."""
    if request.user.is_authenticated and request.method == "GET":
        return redirect(_next(request))
    form = forms.LogInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name, password, now = form.cleaned_data["username"], form.cleaned_data["password"], timezone.now()
        with attempt(request, name, now=now) as tried:
            person = auth.authenticate(request, username=name, password=password)
            if person is not None:
                tried.succeed()
                key = None
                with suppress(SpaceLocked):  # after a reset
                    key = services.unlock_at_log_in(person, password=password, now=now)
        if person is not None:
            return remember_browser(request, _open(request, person, key), person)
        logger.info("accounts.log_in_refused")
        form.add_error(None, _("Log-in name and password do not fit together."))
    context = {"form": form, "next": _given(request, "next"), "unsaved": _given(request, "unsaved")}
    return render(request, "accounts/login.html", context)


@require_POST
@login_not_required
def log_out(request: PersonRequest) -> HttpResponse:
    """End the session; the key goes with it. Where it has ended by itself, the log-in is all that is left to show."""
    if request.space_key is not None:
        queue_between_sessions(request.space_key, now=timezone.now())
    forget_key(request)
    space = request.user.space_id if request.user.is_authenticated else None
    auth.logout(request)
    if space is not None:
        open_grants().forget_unless_open(space)
    return redirect("accounts:login")


def locked(request: PersonRequest) -> HttpResponse:
    """Tell a logged-in person that their memory is closed, and how it opens."""
    space = services.personal_space(request.user)
    context = {
        "key_is_missing": key_is_missing(space),
        "has_password": vault.has_slot(space, KeySlot.Kind.PASSWORD),
        "has_recovery": vault.has_slot(space, KeySlot.Kind.RECOVERY),
    }
    return render(request, "accounts/locked.html", context)


@form_page
def account(request: PersonRequest) -> HttpResponse:
    """Show what a person can change about their own log-in; take their choice of language from any page."""
    if request.method == "POST":
        return _choose_language(request)
    return render(request, "accounts/account.html", _account_context(request))


@require_POST
@sensitive_post_parameters()
def change_password(request: PersonRequest) -> HttpResponse:
    """Change the password of log-in and memory together."""
    form, now = forms.ChangePasswordForm(request.POST, person=request.user), timezone.now()
    key = own_key(request.user, request.space_key)
    if form.is_valid():
        with attempt(request, request.user.username, now=now) as tried:
            if request.user.check_password(form.cleaned_data["current_password"]):
                tried.succeed()
                let_go_of_grant()
                services.change_password(
                    request.user, key=key, password=form.cleaned_data["new_password"], now=now
                )
        if not tried.has_succeeded:
            form.add_error("current_password", _("This is not your current password."))
    if not form.is_valid():
        return render(request, "accounts/account.html", _account_context(request, form), status=422)
    sessions.keep_log_in(request, request.user)
    hand_over_key(request, key)
    messages.success(
        request, _("Your password is changed. Everything you told your companion is still there.")
    )
    return redirect("accounts:account")


@require_POST
def renew_recovery_code(request: PersonRequest) -> HttpResponse:
    """Make a new recovery code and show it, once."""
    key = own_key(request.user, request.space_key)
    code = vault.renew_recovery_code(key, now=timezone.now(), actor=request.user)
    return render(request, "accounts/recovery_code.html", {"code": code})


@require_POST
def switch_memory(request: PersonRequest) -> HttpResponse:
    """Switch the person's memory off, or on again."""
    if not request.user.can_chat:
        raise NotFound()
    form = forms.MemoryForm(request.POST)
    if not form.is_valid():
        raise InvalidInput()
    if services.switch_memory(request.user, on=form.is_on, key=request.space_key, now=timezone.now()):
        messages.success(request, _("Your memory is on.") if form.is_on else _("Your memory is off."))
    return _back_to_account("memory-title")


@require_POST
def end_log_in(request: PersonRequest, log_in: UUID) -> HttpResponse:
    """Log the person out in one of their browsers."""
    sessions.end_log_in(request.user, log_in, now=timezone.now(), actor=request.user)
    messages.success(request, _("Logged out there."))
    return _back_to_account("log-ins-title")


@require_POST
def end_other_log_ins(request: PersonRequest) -> HttpResponse:
    """Log the person out everywhere but here."""
    here = request.session.session_key
    sessions.end_log_ins(request.user, now=timezone.now(), actor=request.user, but=here)
    messages.success(request, _("Logged out everywhere else."))
    return _back_to_account("log-ins-title")


@require_POST
def make_token(request: PersonRequest) -> HttpResponse:
    """Make a token and show it, once."""
    form = _token_form(request.user, request.POST)
    key = own_key(request.user, request.space_key)
    if issued := form.issue(key, actor=request.user, now=timezone.now()):
        token, text = issued
        return render(request, "accounts/token.html", {"token": token, "text": text})
    return render(request, "accounts/account.html", _account_context(request, token_form=form), status=422)


@require_POST
def revoke_token(request: PersonRequest, token_id: UUID) -> HttpResponse:
    """Take a token back; it needs no key, so that a lost one can always be shut out."""
    if request.user.space_id is None:
        raise NotFound()
    tokens.revoke_token(request.user.space_id, token_id, actor=request.user, now=timezone.now())
    messages.success(request, _("Revoked: this token opens nothing any more."))
    return _back_to_account("tokens-title")


@form_page
@_public
def recover(request: HttpRequest) -> HttpResponse:
    """Open the memory with the recovery code and set a new password."""
    form = forms.RecoverForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given, now = form.cleaned_data, timezone.now()
        with attempt(request, given["username"], now=now) as tried:
            person = services.find_person(given["username"])
            let_go_of_grant()
            try:
                key, code = services.recover(
                    person, code=given["code"], password=given["new_password"], now=now
                )
                tried.succeed()
            except SpaceLocked:
                logger.info("accounts.recovery_refused")
        if person is not None and tried.has_succeeded:
            return _begin_anew(request, person, key, code)
        form.add_error(None, _("Log-in name and recovery code do not fit together."))
    return render(request, "accounts/recover.html", {"form": form})


@form_page
@_public
def join(request: HttpRequest) -> HttpResponse:
    """Ask for the code of an invitation, show whose account it is, and let that person choose their password."""
    form, now = forms.InvitationForm(request.POST or None), timezone.now()
    if request.method == "POST" and form.is_valid():
        try:
            with attempt(request, None, now=now) as tried:
                invitation = invitations.find_invitation(form.cleaned_data["code"], now=now)
                tried.succeed()
            return _choose_password(request, invitation)
        except BadInvitation as refused:
            logger.info("accounts.invitation_refused")
            form.add_error("code", str(refused))
    return render(request, "accounts/invitation.html", {"form": form})


def _choose_password(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Show the form that a code opens, in the language of its person; take what they chose."""
    person = invitation.person
    kind = forms.FirstPasswordForm if person.space_id is None else forms.NewPasswordByInvitationForm
    chosen = "new_password" in request.POST
    form = kind(request.POST if chosen else None, person=person, initial={"code": request.POST["code"]})
    if not request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME):
        translation.activate(person.language)
    if chosen and form.is_valid():
        given, now = form.cleaned_data, timezone.now()
        with attempt(request, person.username, now=now) as tried:
            let_go_of_grant()
            try:
                accepted = invitations.accept(
                    given["code"],
                    password=given["new_password"],
                    recovery_code=given.get("recovery_code", ""),
                    now=now,
                )
                tried.succeed()
            except SpaceLocked:
                form.add_error(
                    "recovery_code",
                    _("This code does not open your memory. Without it, leave the field empty."),
                )
        if tried.has_succeeded:
            if accepted.key is None:
                return _open(request, accepted.person, None)
            return _begin_anew(request, accepted.person, accepted.key, accepted.recovery_code)
    return render(request, "accounts/invited.html", {"form": form, "person": person})


@form_page
@_public
def start_anew(request: HttpRequest) -> HttpResponse:
    """Give the old memory up, say so plainly first, and begin with an empty one."""
    form = forms.StartAnewForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given, now = form.cleaned_data, timezone.now()
        with attempt(request, given["username"], now=now) as tried:
            person = auth.authenticate(
                request, username=given["username"], password=given["current_password"]
            )
            if person is not None:
                tried.succeed()
                let_go_of_grant()
                key, code = services.start_anew(person, password=given["new_password"], now=now)
        if person is not None:
            return _begin_anew(request, person, key, code)
        form.add_error(None, _("Log-in name and password do not fit together."))
    return render(request, "accounts/start_anew.html", {"form": form})


def _open(request: HttpRequest, person: Person, key: SpaceKey | None) -> HttpResponse:
    """Log a person in and lead them on; where their memory stays locked, to where they read how it opens."""
    _begin_session(request, person, key)
    if key is None:
        return _in_own_language(redirect("accounts:locked"))
    if _given(request, "unsaved"):
        messages.warning(
            request, _("You were logged out, so what you typed was not saved. Please type it again.")
        )
    return _in_own_language(redirect(_next(request)))


def _begin_anew(request: HttpRequest, person: Person, key: SpaceKey, code: str) -> HttpResponse:
    _begin_session(request, person, key)
    page = render(request, "accounts/recovery_code.html", {"code": code})
    return remember_browser(request, _in_own_language(page), person)


def _begin_session(request: HttpRequest, person: Person, key: SpaceKey | None) -> None:
    # Always a session of its own: Django keeps the old one when the same person logs in again.
    request.session.flush()
    auth.login(request, person)
    if key is not None:
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


def _account_context(
    request: PersonRequest,
    form: forms.ChangePasswordForm | None = None,
    *,
    token_form: forms.TokenForm | None = None,
) -> dict[str, Any]:
    person = request.user
    context = {
        "form": form or forms.ChangePasswordForm(person=person),
        "unlocked": request.space_key is not None,
        **sessions.log_ins_context(request),
    }
    if person.space_id is not None:
        context["tokens"] = tokens.show_tokens(person.space_id, now=timezone.now())
        context["token_form"] = token_form or _token_form(person)
    return context


def _token_form(person: Person, data: QueryDict | None = None) -> forms.TokenForm:
    return forms.TokenForm(data, scopes=forms.scopes_for(person))


def _back_to_account(place: str) -> HttpResponse:
    return redirect(f"{resolve_url('accounts:account')}#{place}")


def _given(request: HttpRequest, name: str) -> str:
    return request.POST.get(name) or request.GET.get(name) or ""


def _next(request: HttpRequest) -> str:
    target = _given(request, "next")
    if url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        return target
    return resolve_url("home")
