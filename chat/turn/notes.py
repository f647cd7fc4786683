"""What is known of a person's life now, put in words twice: for the coach as lines to speak from, for the planner as
kinds, numbers and days to decide by. Pure.

The person's own words stand apart from ours (`Note.quote`), so that whoever writes them out can mark them as theirs.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from chat.turn.snapshot import SURE, Mode, Note, Snapshot
from memory.student.life.facts.loops import OpenLoop, Portrait
from memory.student.life.feelings import EmotionState, MoodTrend, PrimaryEmotion, SocialNeed

TODAY = "Today, by their own measures:"
LOOPS = "Open in their life now:"
GOALS = "Goals they pursue:"
GRATITUDE = "What they are grateful for:"
PORTRAIT = "About them, in their own words:"
RELATIONSHIP = "You two:"
MEASURES: Mapping[str, str] = {
    "sleep_hours": "hours of sleep",
    "steps": "steps",
    "active_minutes": "active minutes",
    "resting_pulse": "resting pulse",
}
TRUST = {
    "new": "just met",
    "trusted": "know each other well",
}
#: which part of a portrait serves which mode; how they like to be spoken with always does
PARTS: Mapping[Mode, Sequence[str]] = {
    "answer": ("preferences",),
    "support": ("preferences", "family"),
    "coach": ("preferences", "routines"),
    "gratitude": ("preferences", "family"),
    "game": ("preferences", "family"),
    "reminder": ("preferences", "health", "routines"),
    "small_talk": ("preferences",),
}
#: what is written behind something open whose day is over
PAST = "over"
#: lines of each part
MOST_OF_PART = 3


MOODS: Mapping[PrimaryEmotion, str] = {
    "sadness": "sad",
    "joy": "glad",
    "anxiety": "worried",
    "loneliness": "lonely",
    "calm": "calm",
    "neutral": "",
}
NEEDS: Mapping[SocialNeed, str] = {
    "wants_connection": "would like company",
    "wants_space": "would like to be left in peace",
    "wants_guidance": "would like to be shown a way",
    "unknown": "",
}


def guess_mood(emotion: EmotionState, trend: MoodTrend) -> str:
    """Return how somebody seems, for a prompt; "" where it was not read surely, and where there is nothing to say."""
    sure = emotion.confidence >= SURE and emotion.primary_emotion != "neutral"
    words = [MOODS[emotion.primary_emotion], NEEDS[emotion.social_need]] if sure else []
    if trend.is_declining:
        words.append(f"each of the last {trend.declining_days} days was lower than the one before")
    return "; ".join(filter(None, words))


def write_notes(snapshot: Snapshot, portrait: Portrait, *, mode: Mode, now: datetime) -> tuple[Note, ...]:
    """Return the lines for the coach, those that must not be lost first; a goal that is pursued is not told as open once more."""
    goals = {goal.text for goal in snapshot.goals}
    notes = [
        Note(heading=LOOPS, words=_loop_words(loop, now), quote=loop.text)
        for loop in snapshot.open_loops
        if loop.due is not None or loop.text not in goals
    ]
    if snapshot.today:
        measured = ", ".join(
            f"{value:g} {MEASURES.get(name, name)}" for name, value in sorted(snapshot.today.items())
        )
        notes.append(Note(heading=TODAY, words=f"[{measured}]"))
    notes += [
        Note(heading=GOALS, quote=" — ".join(filter(None, (goal.text, goal.last_word))))
        for goal in snapshot.goals
    ]
    notes += [
        Note(heading=GRATITUDE, words=f"[{_day(one.at, now)}]" if one.at else "", quote=one.text)
        for one in snapshot.gratitude
    ]
    notes += _portrait_notes(portrait, mode)
    notes += _relationship_notes(snapshot, now)
    return tuple(notes)


def write_plain(
    snapshot: Snapshot, emotion: EmotionState, trend: MoodTrend, *, mode: Mode, now: datetime
) -> str:
    """Return the lines for the planner: none of the person's words, so that nothing they said can decide by being said."""
    lines = [
        f"last_mode={mode}",
        f"emotion={emotion.primary_emotion}/{emotion.intensity} energy={emotion.energy} need={emotion.social_need}",
        f"declining_days={trend.declining_days}",
        f"trust={snapshot.trust}",
        f"active_goals={len(snapshot.goals)} message_is_about_one={'yes' if snapshot.near_goal else 'no'}",
        f"gratitude={len(snapshot.gratitude)} memories={len(snapshot.facts)}",
        *(
            f"open_loop kind={loop.kind} priority={loop.priority} due={_until(loop, now)}"
            for loop in snapshot.open_loops
        ),
    ]
    if snapshot.today:
        lines.append(
            "today " + " ".join(f"{name}={value:g}" for name, value in sorted(snapshot.today.items()))
        )
    return "\n".join(lines)


def _portrait_notes(portrait: Portrait, mode: Mode) -> Iterator[Note]:
    for part in PARTS[mode]:
        for text in getattr(portrait, part)[:MOST_OF_PART]:
            yield Note(heading=PORTRAIT, words=f"[{part}]", quote=text)


def _relationship_notes(snapshot: Snapshot, now: datetime) -> Iterator[Note]:
    """Yield how long they have known each other, where it is not the usual, and the last good moment that is not told among the others."""
    if snapshot.trust in TRUST:
        yield Note(heading=RELATIONSHIP, words=f"[{TRUST[snapshot.trust]}]")
    moment = snapshot.last_positive
    if moment is not None and moment.text not in {one.text for one in snapshot.gratitude}:
        yield Note(
            heading=RELATIONSHIP, words=f"[last good moment, {_day(moment.at, now)}]", quote=moment.text
        )


def _loop_words(loop: OpenLoop, now: datetime) -> str:
    when = ""
    if loop.due is not None:
        due = loop.due.astimezone(now.tzinfo)
        when = f", {due:%Y-%m-%d}" + ("" if loop.is_all_day else f" {due:%H:%M}")
    return f"[{loop.kind}, {loop.priority}{when}{f', {PAST}' if loop.is_past else ''}]"


def _until(loop: OpenLoop, now: datetime) -> str:
    if loop.due is None:
        return "unknown"
    return f"{(loop.due - now).total_seconds() / 3600:+.0f}h"


def _day(moment: datetime, now: datetime) -> str:
    """Return the day of a moment in the time zone that `now` is in."""
    return f"{moment.astimezone(now.tzinfo):%Y-%m-%d}"
