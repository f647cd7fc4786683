"""Whether a later fact of a company ends an earlier one: sold, moved to another day, called off, decided, done."""

from memory.algorithms.values.business.matters import (
    Matter,
    acts_agree,
    dates_exclude,
    names_agree,
    places_agree,
    topics_exclude,
    weak_exclude,
)

_ENDINGS = frozenset(
    ["sellaway", "terminate", "buyout", "close", "quit", "deregister", "liquidate", "revoke", "repay"]
)
_TASKS_WORDS = "review file reconciliation finish sign pay register apply understand repay"
_TASKS = frozenset(_TASKS_WORDS.split())


def find_ending(before: Matter, after: Matter) -> bool:
    """Sold, terminated, closed: what was had is had no more."""
    ended = after.acts & _ENDINGS
    if after.claim.is_cancelled and not before.claim.is_planned and before.acts <= {"lease", "rentin"}:
        ended |= {"terminate"}
    if not ended or before.acts & (_ENDINGS | {"buy"}) or not (before.is_settled and after.is_settled):
        return False
    if dates_exclude(before, after) or after.claim.is_planned or before.claim.is_denied or not before.topics:
        return False
    if "quit" in ended:
        return False
    named = names_agree(before, after) or not after.names
    held = bool(before.acts & {"lease", "letout", "rentin", "grant0", "register"}) or not before.acts
    things = before.topics == after.topics or (after.topics < before.topics and bool(after.topics))
    things = things or (bool(before.acts & after.acts) and bool(before.names) and before.names == after.names)
    priced = bool(before.figures("money")) and "repay" not in ended
    partly = "repay" in ended and bool(after.figures("money"))
    return held and named and things and not priced and not partly and places_agree(before, after)


#: Words that set one date in another's place.
_INSTEAD = frozenset({"instead", "stället", "istället"})


def find_moved(before: Matter, after: Matter) -> bool:
    """The day of one event is another one."""
    if not (before.is_settled and after.is_settled) or not dates_exclude(before, after):
        return False
    if before.topics != after.topics or not names_agree(before, after) or not (before.names or before.topics):
        return False
    if before.claim.is_denied or after.claim.is_denied or "move" in before.acts:
        return False
    if before.figures("year") and after.figures("year") and before.figures("year") != after.figures("year"):
        return bool("move" in after.acts and before.acts & after.acts - {"move"})
    instead = bool(_INSTEAD & set(after.claim.words)) and before.acts == after.acts and bool(before.names)
    moved = ("move" in after.acts or after.claim.is_corrected) and bool(before.acts & after.acts - {"move"})
    return moved or (instead and bool(before.topics) and before.manner == after.manner)


def find_cancelled(before: Matter, after: Matter) -> bool:
    """A plan that was called off."""
    if (
        not before.is_settled
        or not after.is_settled
        or before.claim.is_cancelled
        or dates_exclude(before, after)
    ):
        return False
    off = after.claim.is_cancelled or (after.claim.is_denied and before.claim.is_planned)
    planned = (
        before.claim.is_planned
        or before.claim.is_decided
        or bool(before.acts & {"hire", "open", "lease", "register"})
    )
    if not off or not planned or before.claim.is_denied or not acts_agree(before, after):
        return False
    named = names_agree(before, after) or not (before.names and after.names)
    if not named or not places_agree(before, after) or weak_exclude(before, after):
        return False
    if before.names and names_agree(before, after) and before.topics == after.topics:
        return True
    return bool(before.topics) and before.topics == after.topics


def find_resolved(before: Matter, after: Matter) -> bool:
    """An open item that is decided or done."""
    if (
        not before.claim.is_open
        or after.claim.is_open
        or after.claim.is_learning
        or dates_exclude(before, after)
    ):
        return False
    if before.claim.is_learning and "understand" not in after.acts:
        return False
    if topics_exclude(before, after) or not acts_agree(before, after) or not places_agree(before, after):
        return False
    if not before.names <= after.names and after.names | before.names and before.names:
        return False
    if (before.topics - after.topics) and not _shares_act_and_date(before, after):
        return False
    if not _counts_follow(before, after) or weak_exclude(before, after):
        return False
    return _settles(before, after)


def _shares_act_and_date(before: Matter, after: Matter) -> bool:
    dated = any(
        before.figures(name) & after.figures(name) for name in ("month", "year", "quarter", "account")
    )
    return bool(before.acts & after.acts) and dated and not after.topics


def _counts_follow(before: Matter, after: Matter) -> bool:
    one = before.figures("ordinal")
    other = after.figures("ordinal") | after.figures("count")
    accounts = before.figures("account"), after.figures("account")
    return (not one or not other or bool(one & other)) and not (
        all(accounts) and not accounts[0] & accounts[1]
    )


def _settles(before: Matter, after: Matter) -> bool:
    claim = after.claim
    decided = claim.is_decided or claim.is_cancelled
    shared = before.acts & after.acts
    manner = any(before.manner[kind] & after.manner.get(kind, frozenset()) for kind in before.manner)
    if not (before.topics & after.topics or shared or manner):
        return False
    extra = after.topics - before.topics - {"employee", "owner", "bank"}
    if extra and not shared:
        return False
    if claim.is_denied and not decided:
        return bool(shared) and not shared & _TASKS
    if shared:
        return True
    if before.acts:
        return decided and not after.acts
    chosen = bool(after.claim.is_changed and (after.names or after.manner) and before.topics == after.topics)
    return (
        decided
        or chosen
        or bool(after.figures("money"))
        or bool(after.acts & (_TASKS | {"payout", "hire", "grant0", "revoke", "lease"}))
    )
