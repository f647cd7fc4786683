"""What a later fact of a company does to an earlier one: another value of the same thing, a denial, an end.

Each test takes the earlier and the later matter and tells whether the later one takes the earlier one's place. What
one can have or do several of (customers, purchases, dividends of two years) takes no other's place.
"""

from collections.abc import Callable

from memory.algorithms.values.business.endings import find_cancelled, find_ending, find_moved
from memory.algorithms.values.business.matters import (
    Matter,
    acts_agree,
    both_hold_now,
    dates_exclude,
    differ,
    names_agree,
    of_one,
    places_agree,
    topics_exclude,
    weak_exclude,
)

#: Attributes of which a thing has one at a time.
_SINGLE = (
    "period",
    "framework",
    "method",
    "form",
    "handling",
    "hours",
    "tenure",
    "product",
    "bankname",
    "habit",
)
_SINGLE_WISHES = ("language", "length", "level", "layout", "tone", "channel", "moment")
#: Roles that one holds at a time.
_HELD_BY_ONE_WORDS = (
    "auditor bookkeeper ceo deputyceo cfo salesmanager chair deputy bank insurer landlord lawyer "
    "collector factoring carrier electricity telecom cleaning payroll payrollsoftware software crm "
    "timesystem expenseapp einvoice union marketing invoicing"
)
_HELD_BY_ONE = frozenset(_HELD_BY_ONE_WORDS.split())
_ONE_PLACE = frozenset({"seat", "office", "stock", "storage", "workshop", "factory", "showroom"})
_PREMISES = _ONE_PLACE | {"shop", "studio", "restaurant", "cafe", "salon", "branch", "kitchen"}
#: Amounts that are so until another one is.
_STANDING_WORDS = (
    "rent salary price hourlyrate insurance wellness mileage perdiem sharecapital target budget "
    "forecast pension overdraft reminderfee"
)
_STANDING = frozenset(_STANDING_WORDS.split())
_COUNTED_WORDS = (
    "employee boardmember deputy owner car van lorry machine forklift intern salesperson shop office"
)
_COUNTED = frozenset(_COUNTED_WORDS.split())
_SILENT = frozenset({"pay", "payout", "file", "receive", "send"})
_COUNT_ACTS = frozenset({"lease", "insure"})
_AMOUNT_ACTS = frozenset({"lease", "insure", "pay", "raise", "lower", "receive", "file"})
_BEGINNINGS = frozenset(["hire", "start", "sign", "register", "open", "buy", "lease", "insure"])


def find_attribute(before: Matter, after: Matter) -> bool:
    """Monthly, then quarterly; K2, then K3; in English, then in Swedish."""
    if not both_hold_now(before, after) or before.claim.is_denied or after.claim.is_denied:
        return _find_wish_turned(before, after)
    if not acts_agree(before, after, aside=frozenset({"move", "file"})) or after.claim.is_also:
        return False
    for kind in _SINGLE:
        one, other = before.manner.get(kind, frozenset()), after.manner.get(kind, frozenset())
        alone = bool(before.topics) or kind in ("framework", "form", "hours", "tenure", "method")
        if one and other and not one & other and alone:
            return names_agree(before, after) or kind == "handling"
    return _find_wish_turned(before, after)


def _find_wish_turned(before: Matter, after: Matter) -> bool:
    if (
        not (before.is_settled and after.is_settled)
        or before.topics != after.topics
        or weak_exclude(before, after)
    ):
        return False
    wished = before.claim.is_wished or after.claim.is_wished
    if not wished or not names_agree(before, after) or before.claim.is_denied or after.claim.is_denied:
        return False
    kinds = [kind for kind in _SINGLE_WISHES if before.manner.get(kind) and after.manner.get(kind)]
    return any(not before.manner[kind] & after.manner[kind] for kind in kinds) and not after.claim.is_also


def find_holder(before: Matter, after: Matter) -> bool:
    """Another auditor, another bank, another keeper of the books."""
    if not both_hold_now(before, after) or len(before.topics) != 1 or not before.topics <= _HELD_BY_ONE:
        return False
    if (before.acts | after.acts) - {"quit", "start", "terminate", "hire", "move", "sign"} or before.acts - {
        "hire",
        "start",
        "move",
        "sign",
    }:
        return False
    if before.claim.is_denied or (after.claim.is_denied and "quit" not in after.acts) or after.claim.is_also:
        return False
    handed = after.manner.get("handling", frozenset()) != before.manner.get("handling", frozenset())
    if before.names and not after.names:
        return handed and "inhouse" in after.claim.ideas
    if not (before.names and after.names) or before.names == after.names:
        return False
    within = before.names <= after.names or after.names <= before.names
    return not within or "quit" in after.acts


def find_place(before: Matter, after: Matter) -> bool:
    """The office is elsewhere now."""
    if not both_hold_now(before, after) or not before.topics <= _PREMISES or len(before.topics) != 1:
        return False
    if not (before.places and after.places) or before.places & after.places or before.names != after.names:
        return False
    if (before.acts | after.acts) - {"move"} or before.manner or after.manner or after.claim.is_also:
        return False
    if before.claim.is_denied or after.claim.is_denied:
        return False
    return before.topics <= _ONE_PLACE or "move" in after.acts or after.claim.is_changed


def find_count(before: Matter, after: Matter) -> bool:
    """Two employees, then three."""
    if not both_hold_now(before, after) or not of_one(before, after) or not before.topics:
        return False
    if not before.topics <= _COUNTED or (before.acts | after.acts) - _COUNT_ACTS or before.acts != after.acts:
        return False
    return (
        differ(before, after, "count") and not before.manner and not after.manner and not after.claim.is_also
    )


def find_amount(before: Matter, after: Matter) -> bool:
    """Another rent, another salary; of what is paid once, only what is put right."""
    if before.topics != after.topics or not before.topics or not of_one(before, after):
        return False
    if not both_hold_now(before, after) or not acts_agree(before, after, aside=_AMOUNT_ACTS):
        return False
    if not differ(before, after, "money") or after.claim.is_also:
        return False
    if before.figures("money") <= after.claim.rejected_figures.of("money"):
        return True
    dated = before.figures("year") and before.figures("year") == after.figures("year")
    if dated and before.figures("month") == after.figures("month") and after.claim.is_corrected:
        return True
    one, other = before.manner.get("period"), after.manner.get("period")
    if (one and other and one != other) or (before.acts | after.acts) - _AMOUNT_ACTS:
        return False
    if "salary" in before.topics and not before.names and before.topics == {"salary"}:
        return False
    return bool(before.topics & _STANDING) or (bool(one) and one == other)


def find_share(before: Matter, after: Matter) -> bool:
    """Another share of the same owner; all of it, then less; a standing percentage."""
    if not (before.is_settled and after.is_settled) or dates_exclude(before, after) or after.claim.is_planned:
        return False
    one, other = before.figures("percent"), after.figures("percent")
    if not one or not other or one & other:
        return False
    owned = "share" in before.topics and "share" in after.topics and not topics_exclude(before, after)
    if owned and one == {100.0} and acts_agree(before, after):
        return max(other) < 100 and (names_agree(before, after) or not before.names)
    if (
        before.topics != after.topics
        or not of_one(before, after)
        or not acts_agree(before, after, aside=_AMOUNT_ACTS)
    ):
        return False
    return owned or bool(before.topics & {"interest", "discount", "margin", "pension"})


def find_term(before: Matter, after: Matter) -> bool:
    """Other days to pay, another fiscal year, another edition of the chart of accounts."""
    if (
        before.topics != after.topics
        or not (before.is_settled and after.is_settled)
        or not of_one(before, after)
    ):
        return False
    if before.claim.is_denied or after.claim.is_denied or before.claim.is_planned != after.claim.is_planned:
        return False
    if before.topics <= {"salary", "payroll", "vat", "rent", "invoice"} and not before.figures("month"):
        return differ(before, after, "day") and not after.figures("month") and before.topics != frozenset()
    if "notice" in before.topics:
        return differ(before, after, "months") or differ(before, after, "days")
    if "terms" in before.topics or before.topics == {"vacation"}:
        return differ(before, after, "days") and not dates_exclude(before, after)
    if "fiscalyear" in before.topics:
        broken = after.figures("broken") and before.figures("span") == {112.0}
        broken = broken or (before.figures("broken") and after.figures("span") == {112.0})
        return differ(before, after, "span") or bool(broken)
    return "chartofaccounts" in before.topics and differ(before, after, "edition")


def find_widened(before: Matter, after: Matter) -> bool:
    """Only in Sweden, then in Finland too."""
    if not before.claim.is_only or not (before.is_settled and after.is_settled) or after.claim.is_planned:
        return False
    if before.topics != after.topics or not of_one(before, after) or not acts_agree(before, after):
        return False
    if after.claim.is_denied or dates_exclude(before, after):
        return False
    kinds = ("market", "offering", "clientele", "channel", "language")
    return any(
        before.manner.get(kind) and after.manner.get(kind) and after.manner[kind] - before.manner[kind]
        for kind in kinds
    )


def find_denial(before: Matter, after: Matter) -> bool:
    """Denied, what was affirmed, or the reverse."""
    if (
        not (before.is_settled and after.is_settled)
        or before.topics != after.topics
        or dates_exclude(before, after)
    ):
        return False
    if weak_exclude(before, after) or not places_agree(before, after) or before.claim.is_planned:
        return False
    if after.claim.rejected and (before.topics | before.anchors) & after.claim.rejected:
        return before.claim.is_negative == after.claim.is_negative
    if before.claim.is_negative == after.claim.is_negative or not before.anchors & after.anchors:
        return False
    if before.acts - _SILENT != after.acts - _SILENT and not (
        before.claim.is_negative and not before.acts and after.acts <= _BEGINNINGS
    ):
        return False
    agree = before.manner == after.manner or (before.claim.is_negative and not before.manner)
    named = names_agree(before, after) or (before.claim.is_negative and not before.names)
    figured = not differ(before, after, "money") and not before.figures("account") ^ after.figures("account")
    return agree and named and figured and _say_what(before, after)


def _say_what(before: Matter, after: Matter) -> bool:
    """Tell whether what is denied is named, by the vocabulary or in the same words."""
    return bool(before.topics or (before.claim.unknown and before.claim.unknown == after.claim.unknown))


def find_rejected(before: Matter, after: Matter) -> bool:
    """Not the steps, only the figure; Swedish instead of English."""
    if not (before.is_settled and after.is_settled) or before.claim.is_denied:
        return False
    said = before.topics | frozenset().union(*before.manner.values())
    wanted = before.claim.is_wished == after.claim.is_wished or not before.claim.is_decided
    return bool(said) and said <= after.claim.rejected and of_one(before, after) and wanted


TESTS: tuple[Callable[[Matter, Matter], bool], ...] = (
    find_attribute, find_holder, find_place, find_count, find_amount, find_share, find_term, find_widened,
    find_denial, find_rejected, find_ending, find_moved, find_cancelled,
)  # fmt: skip
