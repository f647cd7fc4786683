"""What a page shows while work on the memory is under way; a clean-up and a sleep say it in the same form."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from memory.models import CompressionRun, SleepRun


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """How far work is.

    Attributes:
        state_url: where a script asks how far it is.
        done_url: where what it did is shown.
    """

    title: str
    label: str
    percent: int
    is_open: bool
    state_url: str
    done_url: str

    def tell(self) -> dict[str, Any]:
        """Return what a page that waits asks for again and again."""
        return {"open": self.is_open, "percent": self.percent, "label": self.label}


def say_trigger(run: CompressionRun | SleepRun) -> str:
    """Return why it ran; on these pages the person who asked is the one who reads."""
    if run.trigger == run.Trigger.REQUESTED:
        return _("Asked for by you")
    return str(run.get_trigger_display())
