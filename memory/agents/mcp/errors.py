"""What a request for a tool can be refused for before a tool is asked."""

import math
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, InvalidInput


class ArgumentsInvalid(InvalidInput):
    """The arguments of a call are not what the tool takes; says which, never what stood there."""

    code = "mcp.arguments-invalid"

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        told = [f"{place}: {texts[0]}" for place, texts in fields.items()]
        self.problems = "; ".join(told[:5])[:1000]

    def __str__(self) -> str:
        return self.problems


class RequestTooLarge(InvalidInput):
    code = "mcp.too-large"
    message = _("That is more than one request may carry.")


class MayNotImport(CompanionError):
    code = "mcp.may-not-import"
    message = _("This token may not take in packs. Make one that may, or keep the nodes as the agent's own.")


class Refused(CompanionError):
    """A request that is answered before the protocol sees it.

    Attributes:
        status: of HTTP.
        headers: that go with it.
    """

    code = "mcp.refused"
    status = 400
    headers: tuple[tuple[str, str], ...] = ()


class WrongHost(Refused):
    code = "mcp.wrong-host"
    message = _("This site is not known by that name.")


class WrongOrigin(Refused):
    code = "mcp.wrong-origin"
    message = _("Pages of other sites may not ask here.")
    status = 403


class WrongMethod(Refused):
    code = "mcp.wrong-method"
    message = _("Send a message with POST.")
    status = 405
    headers = (("Allow", "POST"),)


class BodyTooLarge(Refused):
    code = "mcp.body-too-large"
    message = RequestTooLarge.message
    status = 413
    headers = (("Connection", "close"),)


class TokenMissing(Refused):
    code = "mcp.token-missing"
    message = _("Send the agent's token as a bearer token.")
    status = 401
    headers = (("WWW-Authenticate", 'Bearer realm="Companion"'),)


class TokenRefused(Refused):
    code = "mcp.token-bad"
    message = _("This token opens nothing. It may have been revoked, or have expired.")
    status = 401
    headers = (("WWW-Authenticate", 'Bearer realm="Companion", error="invalid_token"'),)


class TokenMayNot(Refused):
    code = "mcp.token-may-not"
    message = _("This token does not open an agent's memory.")
    status = 403
    headers = (("WWW-Authenticate", 'Bearer realm="Companion", error="insufficient_scope", scope="agent"'),)


class TooOften(Refused):
    code = "mcp.too-often"
    message = _("That is more often than one agent may ask. Please wait a moment.")
    status = 429
    retryable = True

    def __init__(self, *, retry_after_s: float) -> None:
        super().__init__()
        self.headers = (("Retry-After", str(max(1, math.ceil(retry_after_s)))),)


class NotNow(Refused):
    code = "mcp.not-now"
    message = _("The memory cannot be reached right now. Please try again.")
    status = 503
    retryable = True
    headers = (("Retry-After", "2"),)
