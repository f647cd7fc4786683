"""What a program is refused for, beside the errors of what it asked for.

CompanionError
 ├─ InvalidInput
 │   └─ BadRequest            a parameter or the body does not fit the description; `fields` says where
 │       ├─ NotJson           415
 │       ├─ NotAForm          415
 │       ├─ BodyTooLarge      413
 │       └─ KeyReused         422
 ├─ NoToken                   401, as accounts' BadToken
 ├─ ScopeMissing              403
 ├─ StillRunning              409
 └─ TooManyCalls              429
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, InvalidInput, TryLater


class BadRequest(InvalidInput):
    code = "api.bad-request"
    message = _("This request does not fit the API's description.")

    def __init__(
        self, message: str | Promise | None = None, *, fields: Mapping[str, Sequence[Any]] | None = None
    ) -> None:
        super().__init__(message)
        self.fields = dict(fields or {})


class NotJson(BadRequest):
    code = "api.media-type"
    message = _("Send JSON, with the content type application/json.")


class NotAForm(BadRequest):
    code = "api.not-a-form"
    message = _("Send a form with the file, with the content type multipart/form-data.")


class BodyTooLarge(BadRequest):
    code = "api.too-large"
    message = _("The body is larger than may be sent.")


class KeyReused(BadRequest):
    code = "api.key-reused"
    message = _("This Idempotency-Key came before with another request.")


class NoToken(CompanionError):
    code = "token.missing"
    message = _("Send a token: Authorization: Bearer cmp_….")


class ScopeMissing(CompanionError):
    code = "token.scope-missing"
    message = _("This token may not be used for that.")

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope


class StillRunning(CompanionError):
    code = "api.still-running"
    message = _("The first request with this Idempotency-Key has not ended yet.")
    retryable = True


class TooManyCalls(TryLater):
    code = "api.too-many"
    message = _("That is more than this token may ask for. Please wait a moment.")
