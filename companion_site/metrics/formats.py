"""Numbers as people read them."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _

SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS = 1000, 60_000, 3_600_000, 86_400_000


def shown_number(value: float | None) -> str:
    """Return a number with no more digits than say something; a dash for none."""
    if value is None:
        return "\u2013"
    rounded = round(float(value), 0 if abs(value) >= 100 else 1)
    places = 0 if rounded.is_integer() else 1
    return number_format(rounded, places, use_l10n=True, force_grouping=True)


def shown_share(share: float | None) -> str:
    """Return a share of one in per cent; a dash for none."""
    return "\u2013" if share is None else _("%(number)s %%") % {"number": shown_number(share * 100)}


def shown_time(milliseconds: float) -> str:
    """Return a time in the unit that suits it."""
    for least, unit in (
        (2 * DAY_MS, (DAY_MS, _("%(number)s days"))),
        (2 * HOUR_MS, (HOUR_MS, _("%(number)s hours"))),
        (2 * MINUTE_MS, (MINUTE_MS, _("%(number)s minutes"))),
        (SECOND_MS, (SECOND_MS, _("%(number)s s"))),
    ):
        if milliseconds >= least:
            length, words = unit
            return words % {"number": shown_number(round(milliseconds / length, 1))}
    return _("%(number)s ms") % {"number": shown_number(round(milliseconds))}
