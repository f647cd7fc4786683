"""Single-valued things that somebody does or means to do: training, choices, journeys, places in a team or a school."""

from memory.algorithms.values.clauses import Clause
from memory.algorithms.values.slot import JOBS, PLACE_WORDS, Slot, ideas_after, key_of_owner
from memory.algorithms.values.words import kinds


def read_best_way(clause: Clause) -> Slot | None:
    """Read how something goes best: "I learn best by listening"."""
    ideas = clause.ideas
    if "best" not in ideas or ideas[:1] not in (("i",), ("we",)):
        return None
    spot = ideas.index("best")
    act = frozenset(idea for idea in ideas[:spot] if idea in clause.core)
    way = [idea for idea in ideas[spot + 1 :] if idea in clause.core or idea[0] == "@"]
    return Slot("best way", act, frozenset(way)) if act and way and "when" not in clause.scope else None


def read_training(clause: Clause) -> Slot | None:
    if "studyfor_" not in clause.ideas:
        return None
    value = ideas_after(clause, "studyfor_", stop=PLACE_WORDS)
    return Slot("training", key_of_owner(clause), frozenset(value))


def read_destination(clause: Clause) -> Slot | None:
    """Read where a journey goes that has its time: "we are going to Crete this summer"."""
    ideas = clause.ideas
    period = {
        f"{name}={value}" for name, value in clause.when.fields().items() if name in ("season", "month")
    }
    period |= {idea for idea in clause.core if kinds().get(idea) == "event"}
    if "to" not in ideas or not _GOING & set(ideas) or len(period) != 1:
        return None
    value = ideas_after(clause, "to", stop=PLACE_WORDS | {"for", "to"})
    named = frozenset(idea for idea in value if idea in clause.names or kinds().get(idea) == "place")
    return Slot("destination", key_of_owner(clause, *period), named)


_GOING = frozenset({"will", "going", "go", "åk", "res", "travel", "fly", "flying"})


def read_stage(clause: Clause) -> Slot | None:
    """Read which kind of school somebody is at."""
    stages = frozenset(idea for idea in clause.core if kinds().get(idea) == "stage")
    at = {"goto_", "begun_", "start"} & set(clause.ideas) and "will" not in clause.ideas
    return (
        Slot("stage", key_of_owner(clause), stages)
        if at and len(stages) == 1 and clause.owner != "me"
        else None
    )


def read_about(clause: Clause) -> Slot | None:
    """Read what a work of one's own is about."""
    if "isabout_" not in clause.ideas or clause.ideas[:1] not in (("my",), ("our",)):
        return None
    spot = clause.ideas.index("isabout_")
    what = frozenset(idea for idea in clause.ideas[:spot] if idea in clause.core)
    value = frozenset(ideas_after(clause, "isabout_"))
    return Slot("about", key_of_owner(clause, *what), value) if len(what) == 1 else None


def read_choice(clause: Clause) -> Slot | None:
    """Read which course somebody chooses."""
    if "choose_" not in clause.ideas or {"or", "between"} & set(clause.ideas):
        return None
    courses = [
        idea for idea in ideas_after(clause, "choose_", stop=PLACE_WORDS) if kinds().get(idea) == "course"
    ]
    return Slot("choice", key_of_owner(clause), frozenset(courses)) if len(courses) == 1 else None


def read_position(clause: Clause) -> Slot | None:
    """Read where somebody plays in a team."""
    positions = frozenset(idea for idea in clause.core if kinds().get(idea) == "position")
    sports = [idea for idea in clause.core if kinds().get(idea) == "sport"]
    if len(positions) != 1 or not {"be", "play_verb"} & set(clause.ideas):
        return None
    return Slot("position", key_of_owner(clause, *sports), positions)


#: What has a number of its own.
_NUMBERED = frozenset({"locker", "room", "seat", "desk", "platform", "group", "plat"})


def read_number(clause: Clause) -> Slot | None:
    """Read the number of what one has one of: "locker 12", "my locker is number 30"."""
    if "#plain" not in clause.ideas or clause.owner != "me":
        return None
    before = [idea for idea in clause.ideas[: clause.ideas.index("#plain")] if idea not in ("be", "number")]
    plain = [quantity.amount for quantity in clause.quantities if quantity.dimension == "plain"]
    if not before or before[-1] not in _NUMBERED or len(plain) != 1:
        return None
    return Slot("number", key_of_owner(clause, before[-1]), frozenset({f"{plain[0]:g}"}))


def read_ambition(clause: Clause) -> Slot | None:
    if "become_" not in clause.ideas or clause.owner != "me":
        return None
    value = ideas_after(clause, "become_", stop=frozenset({"when", "in", "and", "or", "at", "for"}))
    jobs = frozenset(idea for idea in value if kinds().get(idea) == "job")
    if value and value[0] in _QUALITIES:
        return None
    if any(kinds().get(idea) == "person" and idea not in JOBS for idea in value):
        return None
    return Slot("ambition", frozenset(), jobs or frozenset(value), sure=bool(jobs) or len(value) == 1)


#: What one may want to be beside any calling.
_QUALITIES = frozenset(
    {
        "bet",
        "bett",
        "better",
        "bättr",
        "bättre",
        "good",
        "bra",
        "hap",
        "happ",
        "glad",
        "rich",
        "rik",
        "famou",
        "känd",
    }
)


def read_application(clause: Clause) -> Slot | None:
    if "apply_" not in clause.ideas or clause.owner != "me":
        return None
    value = ideas_after(clause, "apply_", stop=frozenset({"instead", "in", "and", "or", "at", "for"}))
    return Slot("application", frozenset(), frozenset(value) - {"program", "line", "linje"})
