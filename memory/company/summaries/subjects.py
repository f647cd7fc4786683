"""What a fact is about, in words that another fact about the same shares: in both languages, without its values."""

from companion_site.language import Language, detect_language, word_information, words
from memory.algorithms.values.business.words import kinds_of_business, read_word
from memory.algorithms.values.quantities import MONTHS, NUMBER_WORDS, ORDINALS, SEASONS, UNIT_WORDS, WEEKDAYS
from memory.algorithms.values.words import gloss

#: Bits from which a word says what a fact is about: "dividend" has 17, "employees" 14, "took" 11.6, "vill" 8.
TELLING_BITS = 12.0
#: What a fact of any company may say, whatever it is about.
_ANY_WORDS = (
    "company companies business firm ab bolag bolaget bolagets företag företaget use uses using used använder används "
    "prefer prefers want wants decided bought köpte sålde sold tog valde chose beslutade bestämde föredrar föredra "
    "funderar discussed considering kronor month months monthly månad månaden year yearly årlig pays paid betalar "
    "betalade reminder reminders påminnelse påminnelser answers answer svar fråga frågor"
)
_TOPIC_OF_ACT = {
    "hire": "employee",
    "borrow": "loan",
    "repay": "loan",
    "lease": "lease",
    "insure": "insurance",
}
_SAYS_NOTHING = frozenset(
    {*_ANY_WORDS.split(), *MONTHS, *WEEKDAYS, *SEASONS, *NUMBER_WORDS, *ORDINALS, *UNIT_WORDS}
)


def find_subjects(text: str, language: str) -> frozenset[str]:
    """Return the ideas of a text's telling words, the same in English and Swedish where both are known.

    What is done is no subject: things that were bought have nothing in common by that. A few acts name their topic.
    """
    known = _as_known(language, text)
    found = [word for word in dict.fromkeys(words(text)) if word not in _SAYS_NOTHING]
    bits = word_information(found, known)
    telling = [word for word, information in zip(found, bits, strict=True) if information >= TELLING_BITS]
    return frozenset(idea for word in telling for idea in _ideas(word, known))


def _as_known(language: str, text: str) -> Language:
    if language == "sv":
        return "sv"
    return "en" if language == "en" else detect_language(text, default="en")


def _ideas(word: str, language: Language) -> list[str]:
    read = read_word(word, language)
    if read is None:
        return gloss(word, language)
    kinds = kinds_of_business()
    named = (_TOPIC_OF_ACT.get(idea, "" if kinds.get(idea) == "act" else idea) for idea in read[0])
    return [idea for idea in named if idea]
