"""What can be wrong with writing into a sealed space."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, TryLater


class SpaceClosed(CompanionError):
    code = "space.closed"
    message = _("This memory was given up by its owner. Nothing can be sent to it any more.")


class NoInbox(CompanionError):
    code = "space.no-inbox"
    message = _("Nothing can be sent to this memory before its owner has logged in once.")


class BoxTaken(CompanionError):
    code = "box.taken"
    message = _("This was opened, taken back or refused before; it stays as it is.")


class StatementDiffers(CompanionError):
    code = "box.statement-differs"
    message = _("Something else was sent under this id before.")


class Busy(TryLater):
    code = "vault.busy"
    message = _("Very many people are logging in right now. Please wait some seconds, then try again.")
