"""Why a company's memory or its live state cannot be changed as somebody asks; each says what to do instead."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.system_requests import RequestRefused
from companion_site.errors import CompanionError, InvalidInput


class Settled(CompanionError):
    """Nothing is to be decided about a fact any more: somebody did in another tab, or it was said again."""

    code = "company.settled"
    reasons = {
        "fact-unchanged": _("Nothing has replaced this fact, so there is nothing to undo."),
        "already-undone": _(
            "This change was undone already. What was brought back stands further on in the fact's history."
        ),
        "undone-by-hand": _("Somebody undid this by hand. If it holds after all, say so in a conversation."),
        "superseded-since": _(
            "What replaced this fact has itself been replaced since. Undo that later change first."
        ),
        "held-again": _("The same words are believed again already, so there is nothing to bring back."),
        "nothing-to-review": _(
            "This fact is not waiting for a review: somebody has reviewed it, or something has replaced it."
        ),
        "not-in-doubt": _(
            "This fact is not in doubt: somebody has decided about it, it was said again, or something has replaced it."
        ),
    }


class MemoryBusy(CompanionError):
    code = "company.memory-busy"
    message = _("Others are changing the company's memory. Please try again in a moment.")
    retryable = True


class StateRefused(RequestRefused):
    code = "state.refused"
    message = _("This is no state of a company that can be taken in.")


class StateChanged(StateRefused):
    code = "state.changed"
    message = _("The figures have changed since this page was opened. This is what the file changes now.")
    status = 409


class SieRefused(InvalidInput):
    """Carries the line, counted from 1; None where it is about the whole file."""

    code = "sie.refused"
    message = _("This is no SIE file that can be read.")

    def __init__(self, problem: str | None = None, *, line: int | None = None) -> None:
        self.line = line
        if problem and line:
            problem = gettext("Line %(line)d: %(problem)s") % {"line": line, "problem": problem}
        super().__init__(problem)
