"""The words that plans and tones are made of; closed, so that nothing else can stand in a plan."""

from typing import Literal, get_args

Mode = Literal["answer", "support", "coach", "gratitude", "game", "reminder", "small_talk"]
Goal = Literal[
    "inform",
    "reflect",
    "validate_feelings",
    "clarify_goal",
    "suggest_tiny_step",
    "celebrate",
    "ask_gratitude",
]
TrustLevel = Literal["new", "growing", "trusted"]
ToneName = Literal[
    "warm_empathic",
    "calm_soothing",
    "supportive_caring",
    "coach_grounded",
    "reflective_thoughtful",
    "cheerful_light",
    "playful_energetic",
    "serious_direct",
]
MODES: tuple[Mode, ...] = get_args(Mode)
GOALS: tuple[Goal, ...] = get_args(Goal)
TONES: tuple[ToneName, ...] = get_args(ToneName)


def as_mode(name: object) -> Mode | None:
    """Return the mode of that name; None for what is none."""
    return next((mode for mode in MODES if mode == name), None)
