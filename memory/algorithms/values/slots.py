"""Single-valued things that statements say of somebody: where they live, what is called what, a favourite, a school.

A slot has one value at a time, so another value means that the earlier one no longer holds. What one can have or do
several of (likes, languages, friends, visits) is no slot.
"""

from collections.abc import Callable, Iterator

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.places import reads_as_region, reads_as_town
from memory.algorithms.values.slot import (
    JOBS,
    PLACE_WORDS,
    Slot,
    amounts_of,
    ideas_after,
    key_of_owner,
    subject_of,
)
from memory.algorithms.values.slots_of_activities import (
    read_about,
    read_ambition,
    read_application,
    read_best_way,
    read_choice,
    read_destination,
    read_number,
    read_position,
    read_stage,
    read_training,
)
from memory.algorithms.values.slots_of_people import (
    read_best_friend,
    read_call_me,
    read_called,
    read_identity,
    read_lives_with,
    read_role,
    read_seat,
    read_shares,
)
from memory.algorithms.values.words import kinds

#: Dwellings and company, which say how somebody lives and not where.
_DWELLING = frozenset(
    {
        "house",
        "flat",
        "room",
        "new",
        "small",
        "big",
        "home",
        "tre",
        "två",
        "trea",
        "tvåa",
        "villa",
        "radhu",
        "terrac",
        "own",
        "eg",
    }
)


_SCHOOL_WORDS = frozenset(
    {"school", "secondary", "high", "academy", "college", "skolan", "primary", "grammar"}
)


_CLASS_YEARS = {"sjuan": "7", "åttan": "8", "nian": "9", "sexan": "6", "femman": "5"}


def find_slots(clause: Clause) -> Iterator[Slot]:
    """Yield the single-valued things that a clause gives a value to; none of a denial or of the past."""
    if clause.denied or clause.is_past or "someof_" in clause.ideas:
        return
    for read in _READERS:
        slot = read(clause)
        if slot is not None and slot.values:
            yield slot


def _favourite(clause: Clause) -> Slot | None:
    ideas = clause.ideas
    if "favourite" not in ideas or clause.owner not in ("me", "mother", "father", "sister", "brother"):
        return None
    thing = ideas_after(clause, "favourite")[:1]
    rest = clause.core - {"favourite", *thing}
    if not thing or clause.joined.startswith("someof_") or not {"be", "become", "called_"} & set(ideas):
        return None
    return Slot(
        "favourite", key_of_owner(clause, *thing), frozenset(rest) - {"become", "new"} | amounts_of(clause)
    )


def _residence(clause: Clause) -> Slot | None:
    for marker in ("live_", "live"):
        if marker in clause.ideas and not clause.is_shared:
            break
    else:
        return None
    ideas = list(clause.ideas)
    start = ideas.index(marker)
    if marker == "live" and not {"in", "on", "at"} & set(ideas[start + 1 : start + 6]):
        return None
    preposition = next(
        (spot for spot in range(start, len(ideas)) if ideas[spot] in ("in", "on", "at")), start
    )
    if marker == "live_" and ideas[start + 1 : start + 2] and ideas[start + 1] in clause.core:
        preposition = start
    place: list[str] = []
    for idea in ideas[preposition + 1 :]:
        if idea in ("with", "and", "near", "in", "at", "by", "since", "outside", "between") and place:
            break
        if idea in clause.core and idea not in _DWELLING and kinds().get(idea) != "person":
            place.append(idea)
    named = {
        idea for idea in place if idea in clause.names or any(name.startswith(idea) for name in clause.names)
    }
    named |= {idea for idea in place if reads_as_town(idea) or reads_as_region(idea)}
    return Slot(
        "residence", key_of_owner(clause, *subject_of(clause, marker)), frozenset(named), sure=bool(named)
    )


def _age(clause: Clause) -> Slot | None:
    plain = [quantity for quantity in clause.quantities if quantity.dimension == "plain"]
    if len(plain) != 1 or clause.when.fields():
        return None
    said = "yearsold" in clause.ideas or "turn_" in clause.ideas
    bare = clause.joined.endswith("be #plain") and not clause.core - clause.persons
    if not (said or bare) or (clause.core - clause.persons - {"yearsold", "now"}):
        return None
    return Slot("age", key_of_owner(clause), frozenset({f"{plain[0].amount:g}"}))


def _job(clause: Clause) -> Slot | None:
    if "workas_" in clause.ideas:
        return Slot(
            "job",
            key_of_owner(clause, *subject_of(clause, "workas_")),
            frozenset(ideas_after(clause, "workas_", stop=PLACE_WORDS)[:2]),
        )
    if "be" not in clause.ideas or clause.scope or "freetime_" in clause.ideas:
        return None
    spot = clause.ideas.index("be")
    value = ideas_after(clause, "be", stop=PLACE_WORDS | {"for", "now", "of", "than", "as"})
    mine = clause.owner == "me"
    if not value or clause.ideas[spot + 1] not in ("a_", value[0]) or (mine and clause.ideas[0] != "i"):
        return None
    is_job = kinds().get(value[-1]) == "job" or (value[-1] in JOBS and value[-1] != clause.owner)
    # One may have two jobs of one's own; of another person one tells the one that they have.
    return (
        Slot("job", key_of_owner(clause), frozenset(value), sure=not mine or clause.is_changed)
        if is_job
        else None
    )


def _workplace(clause: Clause) -> Slot | None:
    if "workat_" not in clause.ideas or clause.when.fields() or clause.owner == "me":
        return None
    value = ideas_after(clause, "workat_", stop=PLACE_WORDS)
    return Slot(
        "workplace", key_of_owner(clause, *subject_of(clause, "workat_")), frozenset(value), sure=False
    )


def _school(clause: Clause) -> Slot | None:
    if "goto_" not in clause.ideas:
        return None
    value = ideas_after(clause, "goto_", stop=frozenset({"with", "and", "in", "after", "at", "every", "by"}))
    named = frozenset(value) - {"school"}
    schoolish = any(
        idea in _SCHOOL_WORDS or idea.endswith(("skol", "skola", "gymnasi", "skole")) for idea in value
    )
    return Slot("school", key_of_owner(clause, *subject_of(clause, "goto_")), named, sure=schoolish)


def _reply_language(clause: Clause) -> Slot | None:
    languages = [idea for idea in clause.core if idea in _LANGUAGES]
    asked = {"answer", "write", "speak", "explain"} & clause.core
    if len(languages) != 1 or not asked or not {"in", "on"} & set(clause.ideas) or clause.scope:
        return None
    if not {"i", "you"} & set(clause.ideas) or clause.core - asked - set(languages) - {"want"}:
        return None
    return Slot("reply language", frozenset(), frozenset(languages))


_LANGUAGES = frozenset({"english", "swedish", "french", "german", "spanish", "finnish", "arabic", "polish"})


def _ride(clause: Clause) -> Slot | None:
    rides = [idea for idea in clause.core if kinds().get(idea) == "ride"]
    if (
        "ride_" not in clause.ideas
        or len(rides) != 1
        or clause.when.fields()
        or clause.is_shared
        or clause.scope
    ):
        return None
    places = clause.core & {"school", "work", "job", "practice", "secondary"}
    return Slot("ride", key_of_owner(clause, *places), frozenset(rides)) if places else None


def _lesson_place(clause: Clause) -> Slot | None:
    courses = [idea for idea in clause.core if kinds().get(idea) == "course"]
    if len(courses) != 1 or "have" not in clause.ideas or "in" not in clause.ideas or clause.when.fields():
        return None
    value = [idea for idea in clause.ideas[list(clause.ideas).index("in") + 1 :] if idea in clause.core]
    is_event = any(kinds().get(idea) == "event" for idea in clause.core)
    if not value or set(courses) & set(value) or is_event:
        return None
    return Slot("lesson place", key_of_owner(clause, *courses), frozenset(value[:1]))


def _painted(clause: Clause) -> Slot | None:
    colours = frozenset(idea for idea in clause.core if kinds().get(idea) == "colour")
    if len(colours) == 1 and "hair" in clause.core and clause.owner == "me":
        return Slot("colour of", key_of_owner(clause, "hair"), colours)
    if len(colours) != 1 or "be" not in clause.ideas or "favourite" in clause.core:
        return None
    if not {"my", "our"} & set(clause.ideas):
        return None
    rest = clause.core - colours - {"mål", "paint", "colour"}
    return Slot("colour of", key_of_owner(clause, *rest), colours) if len(rest) == 1 else None


_READERS: tuple[Callable[[Clause], Slot | None], ...] = (
    _favourite, read_about, read_best_way, read_stage, read_choice, read_position, read_number, _residence, read_called, read_call_me, _age, _job, read_training, read_destination, _workplace, _school, read_best_friend, read_role, read_identity, read_lives_with, read_shares,
    _reply_language, read_seat,
    read_ambition, read_application, _ride, _lesson_place, _painted,
)  # fmt: skip
