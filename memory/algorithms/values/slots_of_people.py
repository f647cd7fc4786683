"""Single-valued things between people: names, roles, company."""

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.slot import SEVERAL, Slot, holder, ideas_after, key_of_owner
from memory.algorithms.values.words import kinds


def read_called(clause: Clause) -> Slot | None:
    if "called_" not in clause.ideas or "have" in clause.ideas:
        return None
    before = clause.ideas[: clause.ideas.index("called_")]
    key = [idea for idea in before if idea in clause.core]
    value = ideas_after(clause, "called_", stop=frozenset({"and", "in", "on", "at", "with", "for"}))
    if key:
        definite = ("my" in before or "our" in before or len(before) == len(key)) and not set(key) & SEVERAL
        return Slot("called", key_of_owner(clause, *key), frozenset(value), sure=definite)
    return (
        Slot("called", key_of_owner(clause), frozenset(value)) if holder(clause) == "me" and before else None
    )


def read_call_me(clause: Clause) -> Slot | None:
    if "callme_" not in clause.ideas:
        return None
    value = ideas_after(clause, "callme_", stop=frozenset({"and", "in", "at", "or"}))
    return Slot("call me", frozenset(), frozenset(value[:1]))


def read_best_friend(clause: Clause) -> Slot | None:
    if "bestfriend" not in clause.core or "be" not in clause.ideas or not {"my"} & set(clause.ideas):
        return None
    spots = sorted((clause.ideas.index("bestfriend"), clause.ideas.index("be")))
    where = frozenset(
        idea for idea in clause.ideas[spots[0] : spots[1]] if kinds().get(idea) in ("thing", "site")
    )
    return Slot("best friend", where, clause.core - {"bestfriend", "friend"} - where)


_ROLES = frozenset({"teacher", "coach", "tutor", "captain", "head", "partner", "boyfriend", "girlfriend"})


def read_role(clause: Clause) -> Slot | None:
    """Read "our maths teacher is NAME", "NAME is the captain", "we have NAME in maths", "NAME teaches us maths"."""
    named = clause.core & clause.names
    courses = (
        frozenset(idea for idea in clause.core if kinds().get(idea) in ("course", "instrument", "sport"))
        - named
    )
    if clause.ideas[:2] == ("i", "be") and clause.core & _ROLES and "a_" not in clause.ideas and not named:
        return Slot("role", clause.core, frozenset({"me"}))
    if not named or clause.scope:
        return None
    if len(courses) == 1 and ("teach_" in clause.ideas or _is_taught(clause, named, courses)):
        return Slot("teacher", courses, named)
    if "incharge_" in clause.ideas:
        return Slot("in charge", clause.core - named, named)
    roles = clause.core & _ROLES
    if not roles or not {"be", "called_"} & set(clause.ideas) or "a_" in clause.ideas:
        return None
    if "teacher" in roles:
        return (
            Slot("teacher", courses, named)
            if len(courses) == 1 and len(clause.core - named - {"new", "ny"}) == 2
            else None
        )
    return Slot("role", frozenset(clause.core - named - {"new", "ny", "year", "form"}), named)


def _is_taught(clause: Clause, named: frozenset[str], courses: frozenset[str]) -> bool:
    ideas = clause.ideas
    if "have" not in ideas or "in" not in ideas or clause.core - named - courses:
        return False
    spot = ideas.index("in")
    return any(idea in named for idea in ideas[:spot]) and any(idea in courses for idea in ideas[spot:])


def read_identity(clause: Clause) -> Slot | None:
    """Read "my lab partner is NAME", "our car is a NAME": a thing one has one of, and a name right after the copula."""
    ideas = clause.ideas
    if (
        not ideas
        or ideas[0] not in ("my", "our")
        or "be" not in ideas
        or clause.scope
        or clause.when.fields()
    ):
        return None
    spot = ideas.index("be")
    key = frozenset(idea for idea in ideas[1:spot] if idea in clause.core)
    after = [idea for idea in ideas[spot + 1 :] if idea != "a_"]
    if len(key) != 1 or key & (SEVERAL | _ROLES) or not after or after[0] not in clause.names:
        return None
    value = frozenset(idea for idea in after if idea in clause.core)
    return Slot("identity", key_of_owner(clause, *key), value) if not any(map(kinds().get, value)) else None


def read_lives_with(clause: Clause) -> Slot | None:
    """Read with which parent somebody lives; shared weeks are no single value."""
    if not {"live", "live_"} & set(clause.ideas) or clause.is_shared or clause.owner != "me":
        return None
    marker = "live" if "live" in clause.ideas else "live_"
    after = set(clause.ideas[clause.ideas.index(marker) :])
    with_whom = clause.persons & after
    return (
        Slot("lives with", key_of_owner(clause), with_whom) if "with" in after or marker == "live_" else None
    )


def read_shares(clause: Clause) -> Slot | None:
    """Read with whom somebody shares a room."""
    if not {"share", "room"} <= clause.core or "with" not in clause.ideas or clause.owner != "me":
        return None
    whom = frozenset(ideas_after(clause, "with"))
    return Slot("shares with", frozenset(), whom, sure=not whom & clause.scope)


def read_seat(clause: Clause) -> Slot | None:
    if "beside_" not in clause.ideas or "sit" not in clause.core or clause.owner != "me":
        return None
    value = ideas_after(clause, "beside_", stop=frozenset({"in", "on", "at", "and"}))
    return Slot("seat", frozenset(clause.core - set(value) - {"sit"}), frozenset(value))
