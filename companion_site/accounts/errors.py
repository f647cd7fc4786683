"""What can be wrong with a log-in or a token."""

import math

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from companion_site.errors import CompanionError, InvalidInput, TryLater


class BadToken(CompanionError):
    code = "token.bad"
    status = 401
    message = _("This token opens nothing. It may have been revoked, or have expired.")


class TooManyTokens(InvalidInput):
    code = "token.too-many"
    message = _("There are as many tokens as there may be. Revoke one first.")


class TooManyAttempts(TryLater):
    """What is refused is the attempt, whether the secret is right or not."""

    code = "accounts.too-many-attempts"
    message = _("Too many attempts.")

    def __init__(self, *, retry_after_s: float) -> None:
        minutes = math.ceil(retry_after_s / 60) or 1
        message = ngettext(
            "Too many attempts. Wait %(minutes)d minute, then try again. If you cannot wait, use the browser that you always use, or ask the "
            "staff.",
            "Too many attempts. Wait %(minutes)d minutes, then try again. If you cannot wait, use the browser that you always use, or ask the "
            "staff.",
            minutes,
        )
        super().__init__(message % {"minutes": minutes}, retry_after_s=retry_after_s)


class BadInvitation(InvalidInput):
    code = "invitation.bad"
    message = _(
        "This code opens nothing. Look whether it is typed as it is written. It works once, and only for some days: if you "
        "have chosen a password before, log in with it; else ask whoever gave you the code for a new one."
    )
