"""How much a reply draws on what it was given, in words."""

from django.utils.translation import gettext as _

from chat.personalisation.attribution import Shows


def say_shows(shows: Shows | None) -> str:
    """Return whether the reply draws on it; nothing is said where that was not measured."""
    if shows is None:
        return ""
    return {
        Shows.CLEARLY: _("The reply draws on this."),
        Shows.FAINTLY: _("The reply touches on this."),
        Shows.NOT: _("At hand, but not used."),
    }[shows]
