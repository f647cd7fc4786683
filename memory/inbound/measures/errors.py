"""What the measures API refuses, each with its status. Messages say what to do and repeat nothing of what was sent."""

from django.utils.translation import gettext_lazy as _

from companion_site.accounts.system_requests import RequestRefused


class MeasuresRefused(RequestRefused):
    code = "measures.refused"
    message = _("These are no measures that can be taken in.")


class MeasuresTooLarge(MeasuresRefused):
    code = "measures.too-large"
    message = _("Send less at a time: at most 31 days and 64 kB.")
    status = 413


class MeasuresConflict(MeasuresRefused):
    code = "measures.conflict"
    message = _("Something of this id came before and said something else. Nothing was taken in.")
    status = 409


class TooManyWaiting(MeasuresRefused):
    code = "measures.too-many-waiting"
    message = _("Too much waits for the person to log in. Send the rest when they have.")
    status = 429


class NobodyThere(MeasuresRefused):
    code = "measures.nobody-there"
    message = _("There is nobody to send measures to: log in to the site once, then send again.")
