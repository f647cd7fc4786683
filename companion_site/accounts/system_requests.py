"""The edge of an API for programs: who asks, what came with it, and every refusal as JSON. Nothing of a body is logged."""

from base64 import b64decode
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import structlog
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from pydantic import BaseModel, ValidationError

from companion_site.accounts.models import Person
from companion_site.accounts.strict_json import BadJson, load_json
from companion_site.accounts.systems import Kind, find_device_owner, find_system
from companion_site.errors import InvalidInput

logger = structlog.get_logger(__name__)

View = Callable[[HttpRequest], HttpResponse]
Said = TypeVar("Said", bound=BaseModel)


class RequestRefused(InvalidInput):
    """What an API refuses, with its code and status. Messages say what to do and repeat nothing of what was sent."""

    code = "api.refused"
    message = _("This is no request that can be answered.")
    status = 400

    def __init__(
        self, message: str | Promise | None = None, *, code: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.status = code or self.code, status or self.status


class NotAuthenticated(RequestRefused):
    code = "api.not-authenticated"
    message = _("Log in with the id and the secret that belong together (HTTP Basic authentication).")
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
        raise NotAuthenticated()
    return person


@dataclass(frozen=True, kw_only=True)
class Api:
    """One API for programs: what it is called in the codes of its refusals, and how much it takes at a time.

    Attributes:
        bounds: what is said to whoever sends more.
        whole: what is called that is sent at once.
        names: that may be repeated to the sender; those of their own making are not.
    """

    name: str
    most_bytes: int
    bounds: Promise
    whole: str
    names: Collection[str]

    def refused(
        self, message: str | Promise, *, why: str = "refused", status: int | None = None
    ) -> RequestRefused:
        """Return a refusal of this API."""
        return RequestRefused(message, code=f"{self.name}.{why}", status=status)

    def too_large(self) -> RequestRefused:
        return self.refused(self.bounds, why="too-large", status=413)

    def body_of(self, request: HttpRequest) -> bytes:
        """Return the body of a request that says that it is JSON. Raises NotJson, and RequestRefused: it is too large to be read."""
        if request.content_type != "application/json":
            raise NotJson()
        try:
            return request.body
        except RequestDataTooBig:
            raise self.too_large() from None

    def read(self, raw: bytes, *, parse_float: Callable[[str], Any] = float) -> Any:
        """Return what a body says, if it is strict JSON and not too long."""
        if len(raw) > self.most_bytes:
            raise self.too_large()
        try:
            return load_json(raw, parse_float=parse_float)
        except BadJson as error:
            raise self.refused(str(error)) from None

    def check(self, form: type[Said], given: Any, *, where: str = "") -> Said:
        """Return what was sent in its form, or refuse the first thing that is wrong: where, and what is expected there."""
        try:
            return form.model_validate(given)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            known = [str(part) for part in first["loc"] if isinstance(part, int) or part in self.names]
            is_unknown = first["type"] == "extra_forbidden"
            said = (
                "a name that is not known here." if is_unknown else first["msg"].removeprefix("Value error, ")
            )
            raise self.refused(f"{where}{'.'.join(known) or self.whole}: {said}") from None


def _read_credentials(request: HttpRequest) -> tuple[str, str]:
    scheme, _separator, credentials = request.headers.get("Authorization", "").partition(" ")
    try:
        name, _separator, secret = b64decode(credentials, validate=True).decode().partition(":")
    except ValueError:
        raise NotAuthenticated() from None
    if scheme.lower() != "basic":
        raise NotAuthenticated()
    return name, secret
