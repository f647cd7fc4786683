"""What cannot be settled or undone in a student's memory, and why."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError


class AlreadySettled(CompanionError):
    code = "memory.already-settled"
    message = _("This was settled already.")


class NoLongerHeld(CompanionError):
    code = "memory.no-longer-held"
    message = _("One of these two is not held any more, so there is nothing to decide.")


class CannotUndo(CompanionError):
    code = "memory.cannot-undo"
    message = _("This cannot be undone.")
    reasons = {
        "content-gone": _(
            "This cannot be brought back any more: its words were kept for a while, and are gone."
        ),
        "change-buried": _("Something later was built on this. Take that back first."),
        "held-again": _("The same words are remembered again already, so there is nothing to bring back."),
        "words-gone": _("The words of this memory are gone, so it cannot be brought back."),
    }
