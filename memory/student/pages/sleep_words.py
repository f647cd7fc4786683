"""What a record of sleep says, in words: why a try came to nothing, by what it thought, how long it took."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion_site.llm.offline import OfflineCompanion
from memory.models import SleepRun


def say_error(code: str) -> str:
    """Return what an error on the record means for the person."""
    meanings = {
        "llm.unavailable": _("The language model could not be reached."),
        "llm.timeout": _("The language model took too long."),
        "llm.rate-limited": _("The language model had too much to do."),
        "llm.rejected": _("The language model did not accept what it was asked."),
        "llm.malformed": _("What the language model answered could not be used."),
        "llm.refused": _("The language model declined to answer."),
        "llm.interrupted": _("The language model broke off."),
        "llm.too-long": _("There was more than the language model can read at once."),
        "sleep.not-accounted-for": _("What was thought out did not say what becomes of every memory."),
        "sleep.never-at-rest": _("Your memory changed again and again meanwhile."),
        "embeddings.unavailable": _("What gives words their place by meaning could not be loaded."),
        "space.locked": _("Your memory was locked meanwhile."),
    }
    return meanings.get(code) or _("Something went wrong that has nothing to do with what you said.")


def say_thinker(run: SleepRun) -> str:
    """Return by what a run thought; empty where it did not come so far."""
    if run.provider == OfflineCompanion.name:
        return _("without a language model")
    return run.model or run.provider


def say_duration(milliseconds: int | None) -> str:
    """Return how long something took, as one would say it; empty where that is not known."""
    if milliseconds is None:
        return ""
    seconds = round(milliseconds / 1000)
    if seconds < 1:
        return _("less than a second")
    if seconds < 60:
        return ngettext("%(n)s second", "%(n)s seconds", seconds) % {"n": seconds}
    return _("%(minutes)s min %(seconds)s s") % {"minutes": seconds // 60, "seconds": seconds % 60}
