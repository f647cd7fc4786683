"""The edge of an API for programs: who asks, what came with it, and every refusal as JSON. Nothing of a body is logged."""

from base64 import b64decode
from collections.abc import Callable
from functools import wraps

import structlog
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from companion_site.accounts.models import Person
from companion_site.accounts.systems import Kind, find_device_owner, find_system
from companion_site.errors import InvalidInput

logger = structlog.get_logger(__name__)

View = Callable[[HttpRequest], HttpResponse]


class RequestRefused(InvalidInput):
    """What an API refuses, with its status. Messages say what to do and repeat nothing of what was sent."""

    code = "api.refused"
    message = _("This is no request that can be answered.")
    status = 400


class NotAuthenticated(RequestRefused):
    code = "api.not-authenticated"
    message = _("Log in with the system's id and secret (HTTP Basic authentication).")
    status = 401


class NotJson(RequestRefused):
    code = "api.not-json"
    message = _("Send JSON, with the content type application/json and without attachments.")
    status = 415


def answer_in_json(view: View) -> View:
    """Answer every refusal as JSON.

    Without the check against forged requests: nothing here is done by a cookie, only by the secret in the request.
    """

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        try:
            return view(request)
        except RequestRefused as error:
            logger.info("api.refused", code=error.code)
            response = JsonResponse({"error": error.code, "message": str(error)}, status=error.status)
            if error.status == 401:
                response["WWW-Authenticate"] = 'Basic realm="Companion", charset="UTF-8"'
            return response

    return csrf_exempt(login_not_required(answer))


def authenticate(request: HttpRequest, kind: type[Kind]) -> Kind:
    """Return the program that asks, a system of the kind that this API is for.

    Raises:
        NotAuthenticated: name and secret do not fit together, or the system was shut out.
    """
    name, secret = _read_credentials(request)
    system = find_system(kind, name=name, secret=secret)
    if system is None:
        raise NotAuthenticated()
    return system


def authenticate_device(request: HttpRequest) -> Person:
    """Return whose device asks.

    Raises:
        NotAuthenticated: name and secret do not fit together, or the device was shut out.
    """
    name, secret = _read_credentials(request)
    person = find_device_owner(name=name, secret=secret)
    if person is None:
        raise NotAuthenticated(
            _("Log in with your id and the secret of the device (HTTP Basic authentication).")
        )
    return person


def read_body(request: HttpRequest, *, too_large: type[RequestRefused]) -> bytes:
    """Return the body of a request that says that it is JSON.

    Raises:
        NotJson: it says that it is something else.
        RequestRefused: of the class `too_large`, where the site does not even read it.
    """
    if request.content_type != "application/json":
        raise NotJson()
    try:
        return request.body
    except RequestDataTooBig:
        raise too_large() from None


def _read_credentials(request: HttpRequest) -> tuple[str, str]:
    scheme, _separator, credentials = request.headers.get("Authorization", "").partition(" ")
    try:
        name, _separator, secret = b64decode(credentials, validate=True).decode().partition(":")
    except ValueError:
        raise NotAuthenticated() from None
    if scheme.lower() != "basic":
        raise NotAuthenticated()
    return name, secret
