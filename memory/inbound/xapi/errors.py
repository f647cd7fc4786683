"""What the lesson API refuses, each with its status. Messages say what to do and repeat nothing of what was sent."""

from django.utils.translation import gettext_lazy as _

from companion_site.accounts.system_requests import RequestRefused


class StatementRefused(RequestRefused):
    code = "xapi.refused"
    message = _("This is no statement that can be taken in.")


class StatementTooLarge(StatementRefused):
    code = "xapi.too-large"
    message = _("Send less at a time: at most 100 statements and 1 MB a request.")
    status = 413


class StatementConflict(StatementRefused):
    code = "xapi.conflict"
    message = _("A statement of this id came before and said something else. Nothing was taken in.")
    status = 409
