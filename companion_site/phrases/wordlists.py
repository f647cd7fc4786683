"""How common a word is in English and Swedish, by wordfreq's lists."""

from wordfreq import get_frequency_dict

from companion_site.language import Language

#: A word so many times rarer in one language than in the other is a loan or a slip there.
FOREIGN_RATIO = 30.0


def frequency(word: str, language: Language) -> float:
    """Return how often a casefolded word occurs, 0 if it is in no list."""
    frequencies: dict[str, float] = get_frequency_dict(language, "best")
    return frequencies.get(word, 0.0)


def is_listed(word: str) -> bool:
    """Say whether either language has the word."""
    return frequency(word, "sv") > 0.0 or frequency(word, "en") > 0.0


def languages_of(word: str) -> tuple[Language, ...]:
    """Return the languages that a word may be of: both, if no list has it."""
    english, swedish = frequency(word, "en"), frequency(word, "sv")
    if english > FOREIGN_RATIO * swedish:
        return ("en",)
    return ("sv",) if swedish > FOREIGN_RATIO * english else ("en", "sv")
