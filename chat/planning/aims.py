"""The aim of a reply as a sentence of our own words: it may stand in a system role, so nothing of the person's is in it. Pure."""

from collections.abc import Mapping, Sequence

from chat.planning.kinds import Goal, Mode
from memory.reading.service import Danger

GOAL_WORDS: Mapping[Goal, str] = {
    "inform": "give them what they asked for",
    "reflect": "show that you have heard what matters to them",
    "validate_feelings": "let them feel that what they feel is allowed",
    "clarify_goal": "help them say what they want, in their own words",
    "suggest_tiny_step": "gently offer one tiny step that they can surely take",
    "celebrate": "be glad with them about what is good",
    "ask_gratitude": "ask what they are grateful for today",
}
MODE_WORDS: Mapping[Mode, str] = {
    "answer": "answer what they ask",
    "support": "be there",
    "coach": "coach",
    "gratitude": "stay with what is good",
    "game": "play a small guessing game with their own good memories",
    "reminder": "bring up what is due, in passing",
    "small_talk": "answer what they say",
}
LOOP_WORDS: Mapping[str, str] = {
    "appointment": "their appointment",
    "medication": "their medicine",
    "promise": "what they promised",
    "goal": "their goal",
}


#: of a message that is surely, and perhaps, about danger
DANGER_WORDS: Mapping[Danger, str] = {
    "sure": "Take it seriously, stay calm, and lead them to people who can help now.",
    "perhaps": "Ask kindly and plainly how they are and whether they are safe, and say whom they can talk to.",
}
AFTER_DANGER = "Answer what they say, gently, and let them feel that you are still there."


def write_aim(
    mode: Mode, goal: Goal, *, low: bool, loops: Sequence[str], danger: Danger | None, gentle: bool
) -> str:
    """Return what the reply is to come to, such as "Calm down, show that you remember their appointment, ..."."""
    if danger is not None:
        return DANGER_WORDS[danger]
    if gentle:
        return AFTER_DANGER
    parts = ["help them calm down"] if low else []
    parts.append(MODE_WORDS[mode])
    named = list(dict.fromkeys(LOOP_WORDS[kind] for kind in loops if kind in LOOP_WORDS))
    if named and mode in {"support", "reminder"}:
        parts.append(f"show that you remember {' and '.join(named[:2])}")
    parts.append(GOAL_WORDS[goal])
    sentence = ", ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."
