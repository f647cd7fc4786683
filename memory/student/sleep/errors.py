"""What can go wrong in a sleep, beside the language model."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError


class BatchNotAccountedFor(CompanionError):
    """What was thought out leaves something open about a memory, or does to one what may not be done to it."""

    code = "sleep.not-accounted-for"
    message = _("What was thought out in sleep does not say what becomes of every memory.")


class NeverAtRest(CompanionError):
    code = "sleep.never-at-rest"
    message = _("The memory changed again and again while it slept.")
