"""Which of the two languages have a word, by wordfreq's lists."""

from companion_site.language import Language, frequency

#: A word so many times rarer in one language than in the other is a loan or a slip there.
FOREIGN_RATIO = 30.0


def is_listed(word: str) -> bool:
    """Say whether either language has the word."""
    return frequency(word, "sv") > 0.0 or frequency(word, "en") > 0.0


def languages_of(word: str) -> tuple[Language, ...]:
    """Return the languages that a word may be of: both, if no list has it."""
    english, swedish = frequency(word, "en"), frequency(word, "sv")
    if english > FOREIGN_RATIO * swedish:
        return ("en",)
    return ("sv",) if swedish > FOREIGN_RATIO * english else ("en", "sv")
