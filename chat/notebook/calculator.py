"""What a message asks for that can be worked out exactly: a sum, a day, a measure in another unit."""

import re
from datetime import datetime

from chat.notebook.days import find_day
from chat.notebook.sums import find_sum
from chat.notebook.units import find_conversion
from companion_site.llm.types import Language

#: A longer message tells something, whatever numbers stand in it.
LONGEST = 300
#: What is no question in form is one where it is hardly more than the sum.
MOST_WORDS_BESIDE = 4
_WORD = re.compile(r"[^\W\d_]{2,}")
_ASKS = re.compile(r"(?:what|how|calculate|convert|if|vad?|hur|räkna|omvandla|om)\b", re.IGNORECASE)


def calculate(text: str, *, language: Language, now: datetime) -> str:
    """Return the answer to a question that needs no memory and no model, as one line; "" where the message is none.

    Args:
        now: in the person's local time.
    """
    said = text.strip()
    if not said or len(said) > LONGEST:
        return ""
    if day := find_day(said, language=language, now=now):
        return day
    is_brief = len(_WORD.findall(said)) <= MOST_WORDS_BESIDE
    if not (is_brief or said.endswith(("?", "=")) or _ASKS.match(said)):
        return ""
    return find_conversion(said, language) or find_sum(said, language)
