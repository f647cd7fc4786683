"""What a request for a tool can be refused for, beside what refuses any program (`companion_site.api.errors`)."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from companion_site.api.errors import ScopeMissing
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
    status = 413
    headers = (("Connection", "close"),)


class MayNotImport(CompanionError):
    code = "mcp.may-not-import"
    message = _("This token may not take in packs. Make one that may, or keep the nodes as the agent's own.")


class TokenMayNot(ScopeMissing):
    code = "mcp.token-may-not"
    message = _("This token does not open an agent's memory.")


class WrongHost(CompanionError):
    code = "mcp.wrong-host"
    message = _("This site is not known by that name.")
    status = 400


class WrongOrigin(CompanionError):
    code = "mcp.wrong-origin"
    message = _("Pages of other sites may not ask here.")
    status = 403


class WrongMethod(CompanionError):
    code = "mcp.wrong-method"
    message = _("Send a message with POST.")
    status = 405
    headers = (("Allow", "POST"),)


class NotNow(CompanionError):
    code = "mcp.not-now"
    message = _("The memory cannot be reached right now. Please try again.")
    retryable = True
    status = 503
    headers = (("Retry-After", "2"),)
