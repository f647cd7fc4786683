"""What can be wrong with a log-in or a token."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, InvalidInput


class BadToken(CompanionError):
    code = "token.bad"
    message = _("This token opens nothing. It may have been revoked, or have expired.")


class TooManyTokens(InvalidInput):
    code = "token.too-many"
    message = _("There are as many tokens as there may be. Revoke one first.")
