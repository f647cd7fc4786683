"""What a fact is about, in words that another fact about the same shares, without its values."""

from companion_site.language import Language, detect_language, stem_words, word_information, words
from memory.algorithms.quantities import MONTHS, NUMBER_WORDS, ORDINALS, SEASONS, UNIT_WORDS, WEEKDAYS

#: Bits from which a word says what a fact is about: "dividend" has 17, "employees" 14, "took" 11.6, "vill" 8.
TELLING_BITS = 12.0
#: What a fact of any company may say, whatever it is about.
_ANY_WORDS = (
    "company companies business firm ab bolag bolaget bolagets företag företaget use uses using used använder används "
    "prefer prefers want wants decided bought köpte sålde sold tog valde chose beslutade bestämde föredrar föredra "
    "funderar discussed considering kronor month months monthly månad månaden year yearly årlig pays paid betalar "
    "betalade reminder reminders påminnelse påminnelser answers answer svar fråga frågor"
)
_SAYS_NOTHING = frozenset(
    {*_ANY_WORDS.split(), *MONTHS, *WEEKDAYS, *SEASONS, *NUMBER_WORDS, *ORDINALS, *UNIT_WORDS}
)


def find_subjects(text: str, language: str) -> frozenset[str]:
    """Return the stems of a text's telling words."""
    known = _as_known(language, text)
    found = [word for word in dict.fromkeys(words(text)) if word not in _SAYS_NOTHING]
    bits = word_information(found, known)
    stems = stem_words(found, known)
    return frozenset(stem for stem, told in zip(stems, bits, strict=True) if told >= TELLING_BITS)


def _as_known(language: str, text: str) -> Language:
    if language == "sv":
        return "sv"
    return "en" if language == "en" else detect_language(text, default="en")
