"""Directions for one reply: our own words, which stand in the system role behind the companion's instructions.

They say what the reply is for and how it is done; never a word of the person's, of a memory or of a goal goes into them.
"""

from collections.abc import Sequence
from typing import Protocol

from chat.coaching.skills import SKILLS, choose_skills
from companion_site.language import Language
from companion_site.llm.types import Guidance


class Planned(Protocol):
    """What a plan tells about a reply; its aim in words is not read here."""

    @property
    def mode(self) -> str: ...
    @property
    def goal(self) -> str: ...
    @property
    def coach_intensity(self) -> str: ...
    @property
    def danger(self) -> bool: ...


class Toned(Protocol):
    """A tone, with its directive: one of the fixed ones."""

    @property
    def directive(self) -> str: ...


_MODES: dict[Language, dict[str, str]] = {
    "en": {
        "support": "This reply is for support: listen and be with them. Solve nothing, unless they ask for it.",
        "coach": "This reply is for coaching: help them find their own next step. The answers are theirs.",
        "gratitude": "This reply turns to what was good: invite them to name one thing that they are grateful for, however small.",
        "game": "This reply offers a short memory game with good memories of their own, from the notes and nothing else. Give "
        "the beginning of one and let them tell the rest. It is play: nothing is right or wrong.",
        "reminder": "This reply brings to mind one thing from the notes that is due or was promised: name it once, kindly, and "
        "then go on with what they said.",
        "small_talk": "This reply is a light conversation. No coaching, unless they ask for it.",
    },
    "sv": {
        "support": "Det här svaret är till för stöd: lyssna och var med dem. Lös ingenting, om de inte ber om det.",
        "coach": "Det här svaret är till för coachning: hjälp dem att hitta sitt eget nästa steg. Svaren är deras.",
        "gratitude": "Det här svaret vänder sig till det som var bra: bjud in dem att nämna en sak de är tacksamma för, hur liten "
        "den än är.",
        "game": "Det här svaret erbjuder en kort minneslek med deras egna goda minnen, ur anteckningarna och inget annat. Ge "
        "början på ett och låt dem berätta resten. Det är en lek: inget är rätt eller fel.",
        "reminder": "Det här svaret påminner om en sak ur anteckningarna som snart ska ske eller som är lovad: nämn den en gång, "
        "vänligt, och gå sedan vidare med det de sa.",
        "small_talk": "Det här svaret är ett lätt samtal. Ingen coachning, om de inte ber om det.",
    },
}
_GOALS: dict[Language, dict[str, str]] = {
    "en": {
        "reflect": "What it should come to: they hear their own thought once more, a little clearer.",
        "validate_feelings": "What it should come to: they feel that what they feel has been taken in.",
        "clarify_goal": "What it should come to: it is clearer what they want.",
        "suggest_tiny_step": "What it should come to: one very small step that they can say yes or no to.",
        "celebrate": "What it should come to: what went well is seen, together with what they did for it.",
        "ask_gratitude": "What it should come to: they think of something that was good.",
    },
    "sv": {
        "reflect": "Vad det ska leda till: de hör sin egen tanke en gång till, lite klarare.",
        "validate_feelings": "Vad det ska leda till: de känner att det de känner har tagits emot.",
        "clarify_goal": "Vad det ska leda till: det är klarare vad de vill.",
        "suggest_tiny_step": "Vad det ska leda till: ett mycket litet steg som de kan säga ja eller nej till.",
        "celebrate": "Vad det ska leda till: det som gick bra blir sett, tillsammans med vad de gjorde för det.",
        "ask_gratitude": "Vad det ska leda till: de kommer att tänka på något som var bra.",
    },
}
_DANGER: dict[Language, str] = {
    "en": "This message may be about danger. Take it seriously and be with them: say that you have heard it, make nothing light "
    "of it, and point them plainly to people who can help now: somebody they trust, and 112 in an emergency. No coaching, no "
    "game, no goal, no reminder.",
    "sv": "Det här meddelandet kan handla om fara. Ta det på allvar och var med dem: säg att du har hört det, gör inget lättvindigt "
    "av det, och visa tydligt på människor som kan hjälpa nu: någon de litar på, och 112 vid nödläge. Ingen coachning, ingen "
    "lek, inget mål, ingen påminnelse.",
}
_ALWAYS: dict[Language, str] = {
    "en": "Always: at most one question. No diagnosis and no name for what they might have. Never “you must” or “you should”; "
    "no blame. The examples show the manner only: never repeat them.",
    "sv": "Alltid: högst en fråga. Ingen diagnos och inget namn på vad de kan ha. Aldrig ”du måste” eller ”du borde”; ingen "
    "skuld. Exemplen visar bara sättet: upprepa dem aldrig.",
}
_EXAMPLE: dict[Language, str] = {"en": "For example", "sv": "Till exempel"}
_TONE: dict[Language, str] = {"en": "Tone", "sv": "Ton"}


def directions(plan: Planned, tone: Toned | None, language: Language) -> str:
    """Return how the reply is to be made: mode, goal, skills with examples, tone, and what always holds."""
    if plan.danger:
        return "\n".join([_DANGER[language], _ALWAYS[language]])
    skills = SKILLS[language]
    modes, goals = _MODES[language], _GOALS[language]
    lines = [modes.get(plan.mode, modes["small_talk"]), goals.get(plan.goal, "")]
    for name in choose_skills(plan.mode, plan.goal, plan.coach_intensity):
        examples = " ".join(f"“{example}”" for example in skills[name].examples)
        lines.append(f"- {skills[name].aim} {_EXAMPLE[language]}: {examples}")
    if tone is not None and tone.directive:
        lines.append(f"{_TONE[language]}: {tone.directive}")
    return "\n".join(line for line in [*lines, _ALWAYS[language]] if line)


def guidance_of(plan: Planned, *, about: Sequence[str] = ()) -> Guidance | None:
    """Return the same for the companion without a model; None in danger, where it has its own words.

    Args:
        about: what the reply speaks of, from the curated context: what is open, good memories, or goals.
    """
    if plan.danger:
        return None
    return Guidance(
        mode=plan.mode,
        goal=plan.goal,
        coach_intensity=plan.coach_intensity,
        skills=choose_skills(plan.mode, plan.goal, plan.coach_intensity),
        about=tuple(about),
    )
