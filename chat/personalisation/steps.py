"""Why a reply came out as it did, in plain words for its person: what was read of them, what it was for, how it sounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from chat.models import Message

Names = Mapping[str, str | Promise]

EMOTIONS: Names = {
    "sadness": pgettext_lazy("read in a message", "sad"),
    "joy": pgettext_lazy("read in a message", "glad"),
    "anxiety": pgettext_lazy("read in a message", "worried"),
    "loneliness": pgettext_lazy("read in a message", "lonely"),
    "calm": pgettext_lazy("read in a message", "calm"),
    "neutral": pgettext_lazy("read in a message", "nothing in particular"),
}
MODES: Names = {
    "answer": pgettext_lazy("what a reply is for", "to answer what you asked"),
    "support": pgettext_lazy("what a reply is for", "to be there for you"),
    "coach": pgettext_lazy("what a reply is for", "to help you get somewhere"),
    "gratitude": pgettext_lazy("what a reply is for", "to stay with what is good"),
    "game": pgettext_lazy("what a reply is for", "to play with your good memories"),
    "reminder": pgettext_lazy("what a reply is for", "to remind you of something"),
    "small_talk": pgettext_lazy("what a reply is for", "to talk with you"),
}
GOALS: Names = {
    "inform": pgettext_lazy("goal of a reply", "to give you what you asked for"),
    "reflect": pgettext_lazy("goal of a reply", "to show that you were heard"),
    "validate_feelings": pgettext_lazy("goal of a reply", "to take your feeling seriously"),
    "clarify_goal": pgettext_lazy("goal of a reply", "to find out what you want"),
    "suggest_tiny_step": pgettext_lazy("goal of a reply", "to offer one small step"),
    "celebrate": pgettext_lazy("goal of a reply", "to be glad with you"),
    "ask_gratitude": pgettext_lazy("goal of a reply", "to ask what you are grateful for"),
}
TONES: Names = {
    "warm_empathic": pgettext_lazy("tone", "warm"),
    "calm_soothing": pgettext_lazy("tone", "calming"),
    "supportive_caring": pgettext_lazy("tone", "caring"),
    "coach_grounded": pgettext_lazy("tone", "steady"),
    "reflective_thoughtful": pgettext_lazy("tone", "thoughtful"),
    "cheerful_light": pgettext_lazy("tone", "cheerful"),
    "playful_energetic": pgettext_lazy("tone", "playful"),
    "serious_direct": pgettext_lazy("tone", "serious"),
}


@dataclass(frozen=True)
class Line:
    """One thing that is said of how a reply came about."""

    label: str
    words: str


def steps_shown(message: Message) -> Sequence[Line]:
    """Return why a reply came out as it did; nothing where its row does not say. The space is unlocked."""
    outcome = message.outcome if message.role == Message.Role.COMPANION else None
    if not isinstance(outcome, Mapping) or "plan" not in outcome:
        return []
    plan, tone = outcome["plan"], outcome.get("tone", {})
    lines = [
        _line(_("How you seemed:"), EMOTIONS, outcome.get("emotion", {}).get("primary_emotion")),
        _line(_("What the reply is for:"), MODES, plan.get("mode")),
        _line(_("What it tries:"), GOALS, plan.get("goal")),
        _line(_("Its tone:"), TONES, tone.get("name")),
        *_left_out(outcome.get("dropped", {})),
        *_failed(message),
    ]
    return [line for line in lines if line is not None]


def _line(label: str, names: Names, name: Any) -> Line | None:
    return Line(label, str(names[name])) if name in names else None


def _left_out(dropped: Mapping[str, int]) -> list[Line]:
    """Return how much was left out, what is avoided apart: never what it was."""
    avoided = int(dropped.get("avoided", 0))
    others = sum(dropped.values()) - avoided
    lines = []
    if others:
        words = ngettext(
            "%(count)d thing that mattered less now", "%(count)d things that mattered less now", others
        )
        lines.append(Line(_("Left out:"), words % {"count": others}))
    if avoided:
        words = ngettext(
            "%(count)d thing that you do not want to speak of",
            "%(count)d things that you do not want to speak of",
            avoided,
        )
        lines.append(Line(_("Left out:"), words % {"count": avoided}))
    return lines


def _failed(message: Message) -> list[Line]:
    failed = sum(step.get("form") == "failed" for step in message.steps)
    if not failed:
        return []
    words = ngettext("%(count)d step did not work", "%(count)d steps did not work", failed)
    return [Line(_("Missing:"), words % {"count": failed})]
