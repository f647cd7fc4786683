"""Whether two facts of a company say the same: no value differs, and what is left over in words is on one side only.

A paraphrase changes the whole wording; a sentence with one word exchanged ("sells honey", "sells eggs") is another fact
though embedders place it nearer. So words on no list may stand on both sides only where little else is shared.
"""

from dataclasses import dataclass

from memory.algorithms.values.business.matters import (
    Matter,
    dates_agree,
    dates_exclude,
    topics_exclude,
    weak_exclude,
)
from memory.algorithms.values.business.statement import Claim
from memory.algorithms.values.business.words import kinds_of_business


@dataclass(frozen=True, slots=True, kw_only=True)
class FactParams:
    """Bounds of the comparison, as calibrated similarities.

    Attributes:
        plain: where all that is known is equal and nothing is unknown.
        same: from which one of two wordings in one language may have words of its own.
        same_across: the same between two languages.
        strange: from which both may have words on no list.
        looser: from which one may say something more.
        exchanged: share of common words from which words on either side are an exchange, and no paraphrase.
    """

    plain: float = 0.3
    same: float = 0.8
    same_across: float = 0.65
    strange: float = 0.84
    looser: float = 0.84
    exchanged: float = 0.5


_FIGURES = (
    "money", "percent", "days", "months", "hours", "account", "count", "ordinal", "span", "edition", "broken",
    "eur", "usd", "gbp", "nok", "dkk",
)  # fmt: skip
#: What may be left unsaid: moving says where one is then, paying that there is something to pay.
_SILENT = frozenset({"move", "pay", "payout", "file", "provision", "receive", "start", "sell", "send"})
_SILENT_MANNER = frozenset({"moment", "tone"})
#: Kinds of which one fact may say something more and still be the same.
_LOOSE = frozenset({"act", "process", "content", "software", "industry", "role", "rank", "occupation", "offering", "channel", "clientele"})  # fmt: skip
_MOST_MORE = 2


def rules_out_same(one: Matter, other: Matter) -> bool:
    """Tell whether two facts cannot be the same whoever says so: an amount, a date, a name, a denial differs."""
    if any(one.figures(name) != other.figures(name) for name in _FIGURES) or dates_exclude(one, other):
        return True
    if topics_exclude(one, other) or _manners_exclude(one, other):
        return True
    named = one.names <= other.names or other.names <= one.names
    placed = not (one.places and other.places) or one.places == other.places
    return not named or not placed or _stands_differently(one.claim, other.claim)


def _manners_exclude(one: Matter, other: Matter) -> bool:
    """Tell whether two facts give one attribute two values: monthly and quarterly, K2 and K3."""
    return any(not one.manner[kind] & other.manner[kind] for kind in one.manner.keys() & other.manner.keys())


def say_one_thing(one: Matter, other: Matter, *, across: bool, similarity: float, params: FactParams) -> bool:
    """Tell whether two facts are the same.

    Args:
        across: that they are in two languages.
        similarity: calibrated, 0..1.
    """
    if rules_out_same(one, other) or weak_exclude(one, other) or one.places != other.places:
        return False
    near = similarity >= params.looser
    if one.names != other.names and not (near and one.names and other.names):
        return False
    if not dates_agree(one, other) and not (near and (one.names & other.names or one.places)):
        return False
    left, right = _more(one, other), _more(other, one)
    strange_left, strange_right = unmatched(one.claim.unknown, other.claim.unknown)
    if left or right:
        return near and _may_say_more(left, right, strange_left, strange_right) and _share(one, other)
    if not _share(one, other):
        return False
    if strange_left and strange_right:
        return similarity >= params.strange and (across or _overlap(one, other) < params.exchanged)
    if strange_left or strange_right:
        return similarity >= (params.same_across if across else params.same)
    return similarity >= params.plain


def _more(one: Matter, other: Matter) -> frozenset[str]:
    """Return what one says of the business vocabulary and the other does not."""
    found = (one.topics - other.topics) | (one.acts - other.acts - _SILENT)
    for kind in one.manner.keys() - _SILENT_MANNER:
        found |= one.manner[kind] - other.manner.get(kind, frozenset())
    return found


def _may_say_more(
    left: frozenset[str], right: frozenset[str], strange_left: frozenset[str], strange_right: frozenset[str]
) -> bool:
    if (left or strange_left) and (right or strange_right):
        return False
    more = left | right
    return len(more) <= _MOST_MORE and all(kinds_of_business()[idea] in _LOOSE for idea in more)


def _share(one: Matter, other: Matter) -> bool:
    """Tell whether two facts have more in common than a name."""
    shared = (one.anchors & other.anchors) - one.names - one.places
    return bool(shared or one.claim.unknown & other.claim.unknown or (one.weak & other.weak))


def _overlap(one: Matter, other: Matter) -> float:
    """Return the share of their words that two facts have in common."""
    left, right = set(one.claim.words), set(other.claim.words)
    return len(left & right) / max(1, len(left), len(right))


def _stands_differently(one: Claim, other: Claim) -> bool:
    if one.is_open != other.is_open or one.is_learning != other.is_learning:
        return True
    is_open = one.is_open
    denied = one.is_negative != other.is_negative and not is_open and not (one.rejected or other.rejected)
    planned = one.is_planned != other.is_planned and not is_open and not (one.is_wished and other.is_wished)
    rejected = bool(one.rejected & other.ideas) or bool(other.rejected & one.ideas)
    return denied or planned or one.is_only != other.is_only or rejected


def unmatched(one: frozenset[str], other: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of either that the other has not, in whatever inflection."""
    return (
        frozenset(word for word in one if not any(_akin(word, found) for found in other)),
        frozenset(word for word in other if not any(_akin(word, found) for found in one)),
    )


#: What the two languages spell differently in words that they share.
_SPELT = str.maketrans({"c": "k", "z": "s", "w": "v"})


def _akin(one: str, other: str) -> bool:
    one, other = one.translate(_SPELT), other.translate(_SPELT)
    shared = min(len(one), len(other))
    return one == other or (shared >= 5 and one[:5] == other[:5] and abs(len(one) - len(other)) <= 3)
