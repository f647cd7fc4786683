"""Numbers as people write them in English and Swedish, into exact decimals and back."""

import re
from decimal import Decimal

from companion_site.llm.types import Language
from memory.algorithms.quantities import NUMBER_WORDS
from memory.company.live.text import format_number
from memory.reading.words import write_out

#: "1 250,50", "1,250.50", "1.250,50", ".5": digits with separators between them
NUMBER = r"(?:\d[\d\u00a0\u202f .,']{0,30}\d|\d|[.,]\d{1,15})"
MOST_DIGITS = 15
_GROUPED = re.compile(r"\d{1,3}([.,' ]\d{3})+")
_SPACES = re.compile(r"[\u00a0\u202f']")
#: "One" is an article as often, and is left to who reads units.
_IN_WORDS = re.compile(
    rf"\b(?:{'|'.join(word for word in NUMBER_WORDS if word not in ('one', 'ett', 'en'))})\b"
)
_AND_A_HALF = re.compile(r"\b(\d+|an?|one|en|ett)(?: (?:and a|och en) (?:half|halv)\b|\s?\u00bd)")
_HALF = re.compile(r"\bhalf an? (?=\w)|\ben halv(?:t)? ?(?=\w)|\bett halvt (?=\w)")


def spell_out(text: str) -> str:
    """Return a question in small letters with its numbers in figures and halves as decimals.

    "Hur många minuter e två och en halv timme" becomes "hur många minuter är 2.5 timme", as it is spelled
    (`memory.reading.words.write_out`).
    """
    said = " ".join(write_out(text).casefold().split())
    said = _IN_WORDS.sub(lambda found: str(NUMBER_WORDS[found[0]]), said)
    said = _AND_A_HALF.sub(lambda found: f"{found[1] if found[1].isdigit() else 1}.5", said)
    said = _HALF.sub("0.5 ", said)
    return said


def read_number(written: str, language: Language) -> Decimal | None:
    """Return what a written number is; None where it is none, or longer than anybody writes.

    A lone point or comma before three digits parts thousands where the language writes them so ("1,250" in English, "1.250" in
    Swedish), else decimals.
    """
    text = _SPACES.sub(" ", written.strip())
    if text.count(" ") and not re.fullmatch(r"\d{1,3}( \d{3})+([.,]\d+)?", text):
        return None
    text = text.replace(" ", "")
    last = max(text.rfind("."), text.rfind(","))
    thousands = "," if language == "en" else "."
    if "." in text and "," in text:
        whole, decimals = text[:last], text[last + 1 :]
        text = f"{re.sub('[.,]', '', whole)}.{decimals}"
    elif last >= 0 and text[last] == thousands and _GROUPED.fullmatch(text):
        text = text.replace(thousands, "")
    elif text.count(",") + text.count(".") > 1:
        if not _GROUPED.fullmatch(text):
            return None
        text = re.sub("[.,]", "", text)
    else:
        text = text.replace(",", ".")
    if not re.fullmatch(r"\d*\.?\d+", text) or len(text) > MOST_DIGITS:
        return None
    return Decimal(text)


def write_number(number: Decimal, language: Language, *, decimals: int = 6) -> str:
    """Return a number as the language writes it, with at most so many decimals and no zeros behind them."""
    return format_number(round(number, decimals), language)
