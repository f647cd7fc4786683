"""Directions for one reply: our own words, which stand in the system role behind the companion's instructions.

A model answers best what it is not told how to answer, so there are directions for what it cannot know by itself: danger and the turns after
it, and what the person asked for (to be coached, played with, only heard, or spoken with calmly). Everything else is the model's own. The
companion without a model goes by the whole plan (`guidance_of`). Never a word of the person's, of a memory or of a goal goes into directions.
"""

from collections.abc import Sequence

from chat.turn.plan import Plan
from chat.turn.skills import SKILLS, choose_skills
from chat.turn.tone import Tone
from companion_site.language import Language
from companion_site.llm.care import write_lines
from companion_site.llm.types import Care, Guidance

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
        skills=choose_skills(plan.mode, plan.goal, plan.coach_intensity),
        about=tuple(about),
    )
