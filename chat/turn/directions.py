"""Directions for one reply: our own words, which stand in the system role behind the companion's instructions (`directions_en.json`).

A model answers best what it is not told how to answer, so there are directions for what it cannot know by itself: danger and the turns after
it, what the person asked for (to be coached, played with, only heard, or spoken with calmly), and what was put away at their word. Everything
else is the model's own. The companion without a model goes by the whole plan (`guidance_of`). Never a word of the person's, of a memory or of
a goal goes into directions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import TypeAdapter

from chat.turn.plan import Plan
from chat.turn.snapshot import Goal, Mode
from chat.turn.tone import Tone
from companion_site.language import Language
from companion_site.llm.care import write_lines
from companion_site.llm.types import Care, Guidance
from memory.reading.service import Danger

SkillName = Literal[
    "active_listening",
    "open_questions",
    "micro_goals",
    "normalisation",
    "reframing",
    "autonomy",
    "accountability",
]


@dataclass(frozen=True)
class Directions:
    """All directions of one language.

    Attributes:
        skills: what a reply does that has one, and replies that do.
        modes, goals: of what a person may ask for.
        danger: by how surely the message is about it; lines: put before whom to call.
        forgotten: a memory was put away at their word; not_forgotten: it was not clear which.
    """

    skills: dict[SkillName, str]
    modes: dict[Mode, str]
    goals: dict[Goal, str]
    danger: dict[Danger, str]
    nothing_else: str
    lines: str
    after_danger: str
    always: str
    calm: str
    tone: str
    forgotten: str
    not_forgotten: str


def _read(language: Language) -> Directions:
    """Return a language's directions. One that is missing raises ValidationError: the site does not start without it."""
    file = Path(__file__).with_name(f"directions_{language}.json")
    return TypeAdapter(Directions).validate_json(file.read_bytes())


DIRECTIONS: dict[Language, Directions] = {language: _read(language) for language in get_args(Language)}

#: by mode, then by goal; "" is whatever the goal
_CALLED_FOR: dict[str, dict[str, tuple[SkillName, ...]]] = {
    "support": {
        "validate_feelings": ("active_listening", "normalisation", "autonomy", "open_questions"),
        "suggest_tiny_step": ("active_listening", "normalisation", "micro_goals", "autonomy"),
        "celebrate": ("active_listening", "open_questions"),
        "": ("active_listening", "open_questions", "autonomy"),
    },
    "coach": {
        "suggest_tiny_step": ("active_listening", "micro_goals", "autonomy"),
        "validate_feelings": ("active_listening", "normalisation", "open_questions"),
        "celebrate": ("active_listening", "open_questions"),
        "": ("active_listening", "open_questions", "autonomy"),
    },
    "gratitude": {
        "celebrate": ("active_listening", "open_questions"),
        "": ("open_questions", "autonomy"),
    },
    "answer": {
        "validate_feelings": ("active_listening", "normalisation", "autonomy", "open_questions"),
        "suggest_tiny_step": ("active_listening", "normalisation", "micro_goals", "autonomy"),
        "": (),
    },
    "game": {"": ("open_questions", "autonomy")},
    "reminder": {"": ("autonomy",)},
    "small_talk": {"": ("active_listening",)},
}
#: what coaching adds by how much of it is wanted
_BY_INTENSITY: dict[str, tuple[SkillName, ...]] = {
    "low": (),
    "medium": ("reframing",),
    "high": ("reframing", "accountability"),
}


def choose_skills(mode: str, goal: str, coach_intensity: str = "low") -> tuple[SkillName, ...]:
    """Return the skills that a plan calls for, the first first; of an unknown mode those of small talk."""
    by_goal = _CALLED_FOR.get(mode, _CALLED_FOR["small_talk"])
    called = by_goal.get(goal, by_goal[""])
    added = _BY_INTENSITY.get(coach_intensity, ()) if mode == "coach" and goal != "celebrate" else ()
    return (*called, *(skill for skill in added if skill not in called))


def directions(
    plan: Plan, tone: Tone | None, language: Language, *, care: Care | None = None, calm: bool = False
) -> str:
    """Return how the reply is to be made, "" where the person asked for nothing special.

    Of what they asked for: mode, goal, skills with examples, tone, and what holds for all of it.

    Args:
        care: how to answer where danger was spoken of; then nothing else is said.
        calm: they wish to be spoken with calmly, whatever they ask for.
    """
    if care is not None:
        return directions_of_care(care, language)
    words = DIRECTIONS[language]
    spoken = f"{words.tone}: {tone.directive}" if tone is not None and tone.directive else ""
    if not plan.is_wished:
        return "\n".join([words.calm, spoken]).strip() if calm else ""
    skills = choose_skills(plan.mode, plan.goal, plan.coach_intensity)
    lines = [
        words.modes.get(plan.mode),
        words.goals.get(plan.goal),
        *(f"- {words.skills[name]}" for name in skills),
        words.calm if calm else "",
        spoken,
        words.always,
    ]
    return "\n".join(filter(None, lines))


def directions_of_care(care: Care, language: Language) -> str:
    """Return how a message about danger is answered, with whom to call, and an ordinary one after it."""
    words = DIRECTIONS[language]
    if care.danger is None:
        return "\n".join([words.after_danger, words.always])
    whom = [words.lines, write_lines(care.lines, language)]
    return "\n".join([words.danger[care.danger], words.nothing_else, *whom, words.always])


def guidance_of(plan: Plan, *, about: Sequence[str] = ()) -> Guidance:
    """Return the same for the companion without a model; in danger it has its own words.

    Args:
        about: what the reply speaks of, from the curated context: what is open, good memories, or goals.
    """
    return Guidance(
        mode=plan.mode,
        goal=plan.goal,
        is_wished=plan.is_wished,
        skills=choose_skills(plan.mode, plan.goal, plan.coach_intensity),
        about=tuple(about),
    )
