"""API tokens on the account page: made, seen once and revoked."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from companion_site.accounts.errors import TooManyTokens
from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.token_list import TokenForm, tokens_context
from companion_site.accounts.tokens import issue_token, revoke_token
from companion_site.accounts.views import account_context
from companion_site.errors import NotFound, SpaceLocked


@require_POST
@never_cache
def make_token(request: PersonRequest) -> HttpResponse:
    """Make a token and show it, once."""
    person, now = request.user, timezone.now()
    form = TokenForm(request.POST, person=person, auto_id="token_%s")
    if request.space_key is None or request.space_key.space != person.space_id:
        raise SpaceLocked()
    if form.is_valid():
        try:
            token, text = issue_token(
                request.space_key,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                actor=person,
                now=now,
                expires_at=form.expires_at(now),
            )
        except TooManyTokens as refused:
            form.add_error(None, str(refused))
        else:
            return render(request, "accounts/token.html", {"token": token, "text": text})
    context = account_context(request) | tokens_context(request, form)
    return render(request, "accounts/account.html", context, status=422)


@require_POST
@never_cache
def revoke(request: PersonRequest, token_id: UUID) -> HttpResponse:
    """Take a token back; it needs no key, so that a lost one can always be shut out."""
    if request.user.space_id is None:
        raise NotFound()
    revoke_token(request.user.space_id, token_id, actor=request.user, now=timezone.now())
    messages.success(request, _("Revoked: this token opens nothing any more."))
    return redirect(f"{resolve_url('accounts:account')}#tokens-title")
