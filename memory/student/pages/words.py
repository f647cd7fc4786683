"""Numbers of a memory in words: how sure, how strong. The bounds are the interface's own; nothing computes with them."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from memory.student.assessment import SURE

#: at least so sure it is called likely; what is sure needs no "perhaps" in an assessment either
LIKELY = 0.5
#: at least so heavy it is called strong, at least so heavy it is called clear
STRONG, CLEAR = 0.66, 0.33


def say_confidence(confidence: float) -> str:
    """Return how sure the companion is that this is what was meant."""
    if confidence >= SURE:
        return _("quite sure")
    return _("fairly sure") if confidence >= LIKELY else _("not sure")


def say_gravity(gravity: float) -> str:
    """Return how present a memory is now."""
    if gravity >= STRONG:
        return pgettext("memory", "strong")
    return pgettext("memory", "clear") if gravity >= CLEAR else pgettext("memory", "faint")
