"""What a company's deadlines and facts are about, told by words: no model is asked while a page opens."""

import re
from collections.abc import Mapping

from companion_site.language import fold_words, stem_words, words

#: Words by which a deadline and a fact are about the same matter, in Swedish and English, whatever is in front of or
#: behind them in a compound.
_TOPICS: Mapping[str, str] = {
    "vat": r"\w*moms\w*|mervärdesskatt\w*|vat",
    "dividend": r"\w*utdelning\w*|dela\w* ut|k10\w*|3:12\w*|dividends?",
    "employer": r"\w*anställ\w*|arbetsgivar\w*|agi|lön|lön(?:er|en|erna|e\w+)|\w*employ\w*|hir(?:e|ed|es|ing)"
    r"|payroll|salar(?:y|ies)|wages?",
    "annual accounts": r"årsredovisning\w*|årsstämm\w*|bokslut\w*|k[23]|annual (?:reports?|accounts|meeting)"
    r"|general meeting|year[- ]end",
    "financial year": r"räkenskapsår\w*|(?:fiscal|financial) year",
    "income tax": r"\w*inkomstdeklaration\w*|bolagsskatt\w*|income tax|corporate tax|tax returns?",
    "preliminary tax": r"preliminär\w*|f-?skatt\w*|debiterad\w*|preliminary tax",
    "pension": r"\w*pension\w*",
    "premises": r"lokal(?:en|er|erna|hyra\w*)?|hyr(?:a|an|or|es\w*)|premises|rent|lease",
    "insurance": r"\w*försäkring\w*|insurances?",
    "receivables": r"påminnelseavgift\w*|betalningspåminnels\w*|inkasso\w*|kundfordring\w*|receivables?",
    "owners": r"verklig\w* huvudm[aä]n\w*|aktiebok\w*|beneficial owners?|share register",
}
_PATTERNS = {name: re.compile(rf"\b(?:{words_})\b") for name, words_ in _TOPICS.items()}
#: That a person wants to be told of deadlines at all relates to each of them.
_REMINDERS = re.compile(
    r"\b(?:påminn\w*|påminnels\w*|förvarn\w*|remind\w*|deadlines?|heads[- ]up)\b"
    r"(?!\w*\s+(?:till|to)\s+(?:kund|customer))"
)
#: Words that stand in the label of any deadline and tell nothing of its matter.
_EMPTY_WORDS = (
    "bolag bolaget företag företaget sista dag datum lämna lämnas lämnar inlämning betala betalas betalning skatt "
    "skatten deklaration deklarationen klart färdig färdigt senast månad månaden kvartal kvartalet året rapport "
    "rapporten skatteverket bolagsverket company submit submission payment return declaration deadline month "
    "quarter filing ready report"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
_SHORTEST = 5


def find_topics(text: str) -> frozenset[str]:
    """Return the matters that a text names."""
    plain = fold_words(text)
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(plain))


def asks_for_reminders(text: str) -> bool:
    """Tell whether somebody said that they want to be told of deadlines."""
    return _REMINDERS.search(fold_words(text)) is not None


def find_telling_words(text: str) -> frozenset[str]:
    """Return the stems, in both languages, of the words by which a matter outside the known ones can be told."""
    long = [word for word in words(text) if len(word) >= _SHORTEST and word not in _EMPTY]
    return frozenset(stem_words(long, "sv")) | frozenset(stem_words(long, "en"))
