"""Every error this project raises on purpose, in one tree.

CompanionError
 ├─ InvalidInput            what came in cannot be used as it is
 │   ├─ EmptyMessage
 │   ├─ ClientIdReused      the id that a program gave came before with other content
 │   └─ MessageTooLong
 ├─ NotFound                no such thing, or not yours: the answer is the same
 ├─ SpaceLocked             the space's key is not open here
 │   └─ WrongKey            a password, code or lease did not open the slot
 ├─ SpaceMissing            a row was asked for without naming its space
 ├─ BoxBroken               a sealed value does not open: damaged, moved or foreign
 ├─ AuditRefused            the record could not be written, so nothing was
 ├─ CheckpointFailed        no checkpoint of the record could be made
 └─ TryLater                too often, or too many at once; says when to come back
     └─ TooManyMessages

Language-model errors hang below CompanionError in `companion_site.llm.errors`. A message never holds content.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext


class CompanionError(Exception):
    """Base of the tree. `code` and the HTTP `status` are for machines, `message` for the person."""

    code = "companion.error"
    status = 409
    message: str | Promise = _("Something went wrong. Please try again.")
    retryable = False
    #: seconds after which to ask again; None where nobody said
    retry_after_s: float | None = None
    #: what one class says where only the message tells why, by the last word of the code
    reasons: Mapping[str, Promise] = MappingProxyType({})

    def __init__(
        self,
        message: str | Promise | None = None,
        *,
        why: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        if why is not None:
            self.code, self.message = f"{self.code.partition('.')[0]}.{why}", self.reasons[why]
        if message is not None:
            self.message = message
        self.retry_after_s = retry_after_s or self.retry_after_s
        super().__init__(str(self.code))

    def __str__(self) -> str:
        return str(self.message)


class InvalidInput(CompanionError):
    code = "input.invalid"
    status = 422
    message = _("That could not be understood.")


class EmptyMessage(InvalidInput):
    code = "message.empty"
    message = _("Write something first.")


class ClientIdReused(InvalidInput):
    code = "client-id.reused"
    message = _("This client_id came before with other content. Send what is new under a new one.")
    status = 409


class MessageTooLong(InvalidInput):
    code = "message.too-long"
    message = _("That message is too long: {most} characters at most. Please split it into shorter parts.")

    def __init__(self, most: int) -> None:
        super().__init__(format_lazy(self.message, most=most))


class TryLater(CompanionError):
    code = "try-later"
    status = 429
    message = _("That was too often. Please wait a moment, then try again.")
    retryable = True

    def __init__(self, message: str | Promise | None = None, *, retry_after_s: float = 10) -> None:
        super().__init__(message, retry_after_s=max(1, math.ceil(retry_after_s)))


class TooManyMessages(TryLater):
    """Somebody sends messages faster than anybody writes."""

    code = "message.too-many"

    def __init__(self, *, retry_after_s: float) -> None:
        seconds = max(1, math.ceil(retry_after_s))
        message = ngettext(
            "You are writing faster than I can read. Send this again in a second.",
            "You are writing faster than I can read. Send this again in %(seconds)d seconds.",
            seconds,
        )
        super().__init__(message % {"seconds": seconds}, retry_after_s=retry_after_s)


class NotFound(CompanionError):
    code = "not-found"
    status = 404
    message = _("There is nothing here, or it is not yours.")


class SpaceLocked(CompanionError):
    code = "space.locked"
    status = 403
    message = _("Your memory is locked. Log in again to open it.")


class WrongKey(SpaceLocked):
    code = "space.wrong-key"
    message = _("That password or code does not open this memory.")


class SpaceMissing(CompanionError):
    code = "space.missing"
    message = _("This can only be read inside one space.")


class BoxBroken(CompanionError):
    code = "space.box-broken"
    message = _("Something stored here is damaged and cannot be opened.")


class AuditRefused(CompanionError):
    code = "audit.refused"
    message = _("This could not be recorded, so it was not done.")


class CheckpointFailed(CompanionError):
    code = "audit.checkpoint-failed"
    message = _("No checkpoint of the record could be made.")
