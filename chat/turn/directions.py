"""Directions for one reply: our own words, which stand in the system role behind the companion's instructions.

A model answers best what it is not told how to answer, so there are directions for what it cannot know by itself: danger and the turns after
it, and what the person asked for (to be coached, played with, only heard, or spoken with calmly). Everything else is the model's own. The
companion without a model goes by the whole plan (`guidance_of`). Never a word of the person's, of a memory or of a goal goes into directions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chat.turn.plan import Plan
from chat.turn.tone import Tone
from companion_site.language import Language
from companion_site.llm.care import write_lines
from companion_site.llm.types import Care, Guidance

SkillName = Literal[
    "active_listening",
    "open_questions",
    "micro_goals",
    "normalisation",
    "reframing",
    "autonomy",
    "accountability",
]


@dataclass(frozen=True, kw_only=True)
class Skill:
    """One skill in one language.

    Attributes:
        aim: what a reply does that has it.
        examples: replies that have it.
    """

    aim: str
    examples: tuple[str, ...]


ENGLISH: dict[SkillName, Skill] = {
    "active_listening": Skill(
        aim="Give back what you heard before anything else: what happened and what it means to them, with a word or two "
        "of their own. Guess no feeling that they have not shown.",
        examples=(
            "It sounds as if the argument with your sister is still going round in your head.",
            "I hear that the audition matters to you, because you have waited a year for it.",
        ),
    ),
    "open_questions": Skill(
        aim="Ask one open question at the most, which cannot be answered by yes or no. Follow their goal, then how it is "
        "now, then what could be tried, then where they begin.",
        examples=(
            "What would you like to have more of in your week?",
            "How does an ordinary evening look right now?",
            "Which two or three ways could you try?",
            "Where would you like to begin tomorrow?",
        ),
    ),
    "micro_goals": Skill(
        aim="Make a next step so small that it can hardly fail: with a size in minutes or in number and a time of the day, "
        "as an offer, and ask how it feels to them.",
        examples=(
            "How would five minutes of tidying after dinner today feel to you?",
            "What if you wrote two lines before breakfast tomorrow, and then stopped?",
        ),
    ),
    "normalisation": Skill(
        aim="Say that what they feel is understandable in their situation, without making it small and without comparing.",
        examples=(
            "It is natural to feel torn when two friends ask for different things.",
            "Many people feel empty for a while after something big is over.",
        ),
    ),
    "reframing": Skill(
        aim="Find the wish behind the complaint and say it back, so that their own aim stands there and something small is "
        "within reach. Never argue with what they feel.",
        examples=(
            "Behind “nothing I write is any good” I hear that you want your texts to say what you mean.",
            "You want more say over your mornings; let us look for one small thing that is in your hands.",
        ),
    ),
    "autonomy": Skill(
        aim="Leave the choice with them: offer, never tell, and make it easy to say no.",
        examples=(
            "I am with you in this, and the choice is yours.",
            "If you like, we can look at it together; if not, that is fine as well.",
        ),
    ),
    "accountability": Skill(
        aim="Where they told you earlier of something that they wanted, come back to it softly, in their words, and ask what "
        "helped and what was in the way. Never blame, never count failures.",
        examples=(
            "Last week you told me that you wanted to swim more often. What has helped, and what has been in the way?",
            "You said on Monday that you would ring your uncle. How did you fare with it?",
        ),
    ),
}

SWEDISH: dict[SkillName, Skill] = {
    "active_listening": Skill(
        aim="Ge tillbaka det du hörde före allt annat: vad som hände och vad det betyder för personen, med ett par av deras "
        "egna ord. Gissa ingen känsla som de inte har visat.",
        examples=(
            "Det låter som att bråket med din syster fortfarande snurrar i huvudet.",
            "Jag hör att provspelningen är viktig för dig, eftersom du har väntat ett år på den.",
        ),
    ),
    "open_questions": Skill(
        aim="Ställ högst en öppen fråga, en som inte kan besvaras med ja eller nej. Följ deras mål, sedan hur det är nu, sedan "
        "vad som kan prövas, sedan var de börjar.",
        examples=(
            "Vad skulle du vilja ha mer av i din vecka?",
            "Hur ser en vanlig kväll ut just nu?",
            "Vilka två eller tre sätt skulle du kunna pröva?",
            "Var vill du börja i morgon?",
        ),
    ),
    "micro_goals": Skill(
        aim="Gör nästa steg så litet att det knappt kan misslyckas: med en storlek i minuter eller antal och en tid på dagen, "
        "som ett erbjudande, och fråga hur det känns.",
        examples=(
            "Hur skulle fem minuters städning efter middagen i dag kännas för dig?",
            "Tänk om du skrev två rader före frukosten i morgon, och sedan slutade: hur låter det?",
        ),
    ),
    "normalisation": Skill(
        aim="Säg att det de känner är begripligt i deras läge, utan att göra det litet och utan att jämföra.",
        examples=(
            "Det är naturligt att känna sig kluven när två vänner ber om olika saker.",
            "Många känner sig tomma en tid efter att något stort är över.",
        ),
    ),
    "reframing": Skill(
        aim="Hitta önskan bakom klagomålet och säg den, så att deras eget mål står där och något litet är inom räckhåll. "
        "Argumentera aldrig mot det de känner.",
        examples=(
            "Bakom ”inget jag skriver duger” hör jag att du vill att dina texter ska säga det du menar.",
            "Du vill bestämma mer över dina morgnar; låt oss leta efter en liten sak som ligger i dina händer.",
        ),
    ),
    "autonomy": Skill(
        aim="Låt valet vara deras: erbjud, säg aldrig till, och gör det lätt att säga nej.",
        examples=(
            "Jag finns med dig i det här, och valet är ditt.",
            "Om du vill kan vi titta på det tillsammans; annars är det också bra.",
        ),
    ),
    "accountability": Skill(
        aim="Har de tidigare berättat om något de ville, kom mjukt tillbaka till det med deras ord och fråga vad som hjälpte och "
        "vad som kom i vägen. Lägg aldrig skuld, räkna aldrig misslyckanden.",
        examples=(
            "Förra veckan berättade du att du ville simma oftare. Vad har hjälpt, och vad har kommit i vägen?",
            "Du sa i måndags att du skulle ringa din morbror. Hur gick det för dig?",
        ),
    ),
}

SKILLS: dict[Language, dict[SkillName, Skill]] = {"en": ENGLISH, "sv": SWEDISH}

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


_MODES: dict[Language, dict[str, str]] = {
    "en": {
        "support": "They asked to be listened to: listen and be with them. Give no advice, unless they ask for it.",
        "coach": "They asked to be coached: help them find their own next step. The answers are theirs. What they ask for besides, "
        "answer first.",
        "game": "They asked for a game. This reply offers a short memory game with good memories of their own, from the notes and nothing else. Give "
        "the beginning of one and let them tell the rest. It is play: nothing is right or wrong.",
    },
    "sv": {
        "support": "De bad om att bli lyssnade på: lyssna och var med dem. Ge inga råd, om de inte ber om det.",
        "coach": "De bad om coachning: hjälp dem att hitta sitt eget nästa steg. Svaren är deras. Det de frågar om därutöver "
        "besvarar du först.",
        "game": "De bad om en lek. Det här svaret erbjuder en kort minneslek med deras egna goda minnen, ur anteckningarna och inget annat. Ge "
        "början på ett och låt dem berätta resten. Det är en lek: inget är rätt eller fel.",
    },
}
_GOALS: dict[Language, dict[str, str]] = {
    "en": {
        "reflect": "What it should come to: they hear their own thought once more, a little clearer.",
        "validate_feelings": "What it should come to: they feel that what they feel has been taken in.",
        "clarify_goal": "What it should come to: it is clearer what they want.",
        "suggest_tiny_step": "What it should come to: one very small step that they can say yes or no to.",
    },
    "sv": {
        "reflect": "Vad det ska leda till: de hör sin egen tanke en gång till, lite klarare.",
        "validate_feelings": "Vad det ska leda till: de känner att det de känner har tagits emot.",
        "clarify_goal": "Vad det ska leda till: det är klarare vad de vill.",
        "suggest_tiny_step": "Vad det ska leda till: ett mycket litet steg som de kan säga ja eller nej till.",
    },
}
#: by how surely the message is about danger
_DANGER: dict[Language, dict[str, str]] = {
    "en": {
        "sure": "This message speaks of danger to somebody. Answer briefly and warmly, in words that a thirteen-year-old understands. "
        "Thank them for telling you, say that you take it seriously and that they are not to carry it alone. Say that you are a program, "
        "and lead them to people who can help now: somebody they trust who can be with them, and the lines below, number for number. "
        "End with one question: whether they are safe, or who can be with them. Do not ask for details, do not doubt what they say, "
        "promise no secrecy.",
        "perhaps": "This message may be about danger, and may not. Ask once, kindly and plainly, how they are and whether they are safe; "
        "without alarm. Say whom they can talk to: somebody they trust, and the lines below, number for number. What they ask or tell, "
        "answer too, carefully, and nothing that could harm anybody.",
    },
    "sv": {
        "sure": "Det här meddelandet talar om fara för någon. Svara kort och varmt, med ord som en trettonåring förstår. Tacka för att de "
        "berättar, säg att du tar det på allvar och att de inte ska bära det ensamma. Säg att du är ett program, och visa på människor som "
        "kan hjälpa nu: någon de litar på som kan vara hos dem, och numren nedan, siffra för siffra. Sluta med en enda fråga: om de är i "
        "säkerhet, eller vem som kan vara hos dem. Fråga inte efter detaljer, betvivla inte det de säger, lova inte att tiga.",
        "perhaps": "Det här meddelandet kan handla om fara, och kanske inte. Fråga en gång, vänligt och rakt, hur de mår och om de är "
        "trygga; utan att skrämma. Säg vem de kan prata med: någon de litar på, och numren nedan, siffra för siffra. Det de frågar om "
        "eller berättar svarar du också på, varsamt, och inget som kan skada någon.",
    },
}
_NOTHING_ELSE: dict[Language, str] = {
    "en": "No coaching, no game, no goal, no praise, no reminder. If there are notes, they are for you alone: quote nothing from them and "
    "do not say that you remember.",
    "sv": "Ingen coachning, ingen lek, inget mål, inget beröm, ingen påminnelse. Finns det anteckningar är de bara till för dig: citera "
    "ingenting ur dem och säg inte att du minns.",
}
_LINES: dict[Language, str] = {"en": "Whom they can call:", "sv": "Vem de kan ringa:"}
_AFTER_DANGER: dict[Language, str] = {
    "en": "A moment ago they spoke of what may be danger. Answer what they say now, gently and without play. Let them feel in half a sentence "
    "that you are still there for that, without going into it. No coaching, no game, no goal, no cheering.",
    "sv": "Alldeles nyss talade de om något som kan vara fara. Svara på det de säger nu, varsamt och utan lek. Låt dem känna i en halv "
    "mening att du finns kvar för det, utan att gå in på det. Ingen coachning, ingen lek, inget mål, inget jubel.",
}
_ALWAYS: dict[Language, str] = {
    "en": "Always: at most one question. No diagnosis and no name for what they might have. Never “you must” or “you should”; "
    "no blame. The examples show the manner only: never repeat them.",
    "sv": "Alltid: högst en fråga. Ingen diagnos och inget namn på vad de kan ha. Aldrig ”du måste” eller ”du borde”; ingen "
    "skuld. Exemplen visar bara sättet: upprepa dem aldrig.",
}
_EXAMPLE: dict[Language, str] = {"en": "For example", "sv": "Till exempel"}
_CALM: dict[Language, str] = {
    "en": "They wish to be spoken with calmly: no exclamation marks, no excitement.",
    "sv": "De vill bli tilltalade lugnt: inga utropstecken, ingen uppspelthet.",
}
_TONE: dict[Language, str] = {"en": "Tone", "sv": "Ton"}


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
    spoken = f"{_TONE[language]}: {tone.directive}" if tone is not None and tone.directive else ""
    if not plan.is_wished:
        return "\n".join([_CALM[language], spoken]).strip() if calm else ""
    skills = SKILLS[language]
    lines = [_MODES[language].get(plan.mode, ""), _GOALS[language].get(plan.goal, "")]
    for name in choose_skills(plan.mode, plan.goal, plan.coach_intensity):
        examples = " ".join(f"“{example}”" for example in skills[name].examples)
        lines.append(f"- {skills[name].aim} {_EXAMPLE[language]}: {examples}")
    lines += [_CALM[language] if calm else "", spoken, _ALWAYS[language]]
    return "\n".join(line for line in lines if line)


def directions_of_care(care: Care, language: Language) -> str:
    """Return how a message about danger is answered, with whom to call, and an ordinary one after it."""
    if care.danger is None:
        return "\n".join([_AFTER_DANGER[language], _ALWAYS[language]])
    whom = [_LINES[language], write_lines(care.lines, language)]
    return "\n".join([_DANGER[language][care.danger], _NOTHING_ELSE[language], *whom, _ALWAYS[language]])


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
