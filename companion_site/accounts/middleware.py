"""What stands between a request and its view: the log-in, the person's language, and the grant under which they are answered."""

from collections.abc import AsyncIterator, Callable, Iterator
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme

from companion_site.accounts.sessions import LogIn
from companion_site.vault.grants import Grant, granted
from companion_site.vault.sessions import forget_key


class LogInMiddleware(LoginRequiredMiddleware):
    """Leads who is not logged in to the log-in, and from there to a page: back to the form where one was sent."""

    def handle_no_permission(self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]):
        if request.method in READING:
            return super().handle_no_permission(request, view_func)
        return _lead_to_log_in(request)


#: ways of asking for a page, which changes nothing
READING = ("GET", "HEAD")


def _lead_to_log_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the log-in, which knows the page to go on to and whether something that was typed is lost."""
    if request.method in READING:
        return redirect_to_login(request.get_full_path())
    where = urlencode({"next": _page_of_form(request), "unsaved": 1})
    return redirect(f"{resolve_url(settings.LOGIN_URL)}?{where}")


def _page_of_form(request: HttpRequest) -> str:
    """Return the page of this site that a form was sent from, the start page where that is not known."""
    page = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure()):
        return resolve_url("home")
    place = urlsplit(page)
    return f"{place.path}?{place.query}" if place.query else place.path


def language_middleware(get_response):
    """Activate the profile's language for logged-in people who have not chosen another in this browser."""

    def middleware(request):
        chosen = bool(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME))
        if request.user.is_authenticated and not chosen:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return get_response(request)

    return middleware


def grant_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer a logged-in person under a grant; where their log-in ends meanwhile, they are sent to the log-in instead."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_authenticated or (key := request.session.session_key) is None:
            return get_response(request)
        space_key = request.space_key  # type: ignore[attr-defined]
        with granted(LogIn(key), space_key.space if space_key is not None else None) as grant:
            response = get_response(request)
            if grant.ended:
                response.close()
                return _log_in_again(request)
            if isinstance(response, StreamingHttpResponse):
                _cut_when_ended(response, grant)
            return response

    return middleware


def _log_in_again(request: HttpRequest) -> HttpResponse:
    request.session.flush()
    forget_key(request)
    return _lead_to_log_in(request)


def _cut_when_ended(response: StreamingHttpResponse, grant: Grant) -> None:
    pieces = response.streaming_content

    async def asked(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        with grant.using():
            async for piece in pieces:
                if grant.ended:
                    return
                yield piece

    def asked_in_turn(pieces: Iterator[bytes]) -> Iterator[bytes]:
        with grant.using():
            for piece in pieces:
                if grant.ended:
                    return
                yield piece

    response.streaming_content = asked(pieces) if response.is_async else asked_in_turn(pieces)  # type: ignore[arg-type]
