"""What is said without a model to whoever is in danger, perhaps is, or spoke of it a moment ago, and whom to call.

Which way is taken depends on the turn alone; the words are in `phrases/` (`offline_phrases.CareWords`).
"""

import re
from collections.abc import Sequence

from companion_site.llm.offline_phrases import WORDS
from companion_site.llm.types import Care, HelpLine, Language

_APART = re.compile(r"[\s\u00a0-]+")


def write_care(care: Care, *, language: Language, turn: int) -> list[str]:
    """Return the paragraphs of a reply to a message about danger; after danger, the one before the ordinary reply.

    Args:
        turn: how many replies there are before it.
    """
    words = WORDS[language].care
    if care.danger is None:
        return [words.after[turn % len(words.after)]]
    ways = words.sure if care.danger == "sure" else words.perhaps
    somebody = words.young if care.is_young else words.adult
    lines = write_lines(care.lines, language)
    return [part.replace("{somebody}", somebody).replace("{lines}", lines) for part in ways[turn % len(ways)]]


def write_lines(lines: Sequence[HelpLine], language: Language) -> str:
    """Return whom to call as a list, one a line."""
    return "\n".join(
        f"- **{line.number}**: {line.words[language]}" if line.number else f"- {line.words[language]}"
        for line in lines
    )


def find_unnamed(care: Care | None, text: str, language: Language) -> str:
    """Return whom to call, to stand behind a model's reply to danger that names none of them; "" where it names one.

    Where danger is sure, the first of the lines must be named: a model may forget a number, or know another country's.
    """
    if care is None or care.danger is None or not care.lines or not text.strip():
        return ""
    said = _APART.sub("", text)
    named = [_APART.sub("", line.number or line.words[language]) in said for line in care.lines]
    if named[0] if care.danger == "sure" else any(named):
        return ""
    words = WORDS[language].care
    opening = words.whom_sure if care.danger == "sure" else words.whom_perhaps
    return f"\n\n{opening}\n\n{write_lines(care.lines, language)}"
