"""Numbers as people write them in English and Swedish, into exact decimals and back."""

import re
from decimal import Decimal

from companion_site.llm.types import Language
from memory.company.live.text import format_number

#: "1 250,50", "1,250.50", "1.250,50", ".5": digits with separators between them
NUMBER = r"(?:\d[\d\u00a0\u202f .,']{0,30}\d|\d|[.,]\d{1,15})"
MOST_DIGITS = 15
_GROUPED = re.compile(r"\d{1,3}([.,' ]\d{3})+")
_SPACES = re.compile(r"[\u00a0\u202f']")


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
