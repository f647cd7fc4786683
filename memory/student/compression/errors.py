"""What cannot be undone, and why."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError


class ContentGone(CompanionError):
    code = "memory.content-gone"
    message = _("This cannot be brought back any more: its words were kept for a while, and are gone.")


class ChangeBuried(CompanionError):
    code = "memory.change-buried"
    message = _("Something later was built on this. Take that back first.")
