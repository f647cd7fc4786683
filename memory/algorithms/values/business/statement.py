"""A company's fact, read: what it is about, what is done, its figures and names, and how it stands."""

import re
from dataclasses import dataclass
from unicodedata import normalize

from memory.algorithms.values.business import phrases as turns
from memory.algorithms.values.business.figures import Figures, read_figures
from memory.algorithms.values.business.idioms import turn, turn_preference
from memory.algorithms.values.business.words import (
    hide_phrases,
    kinds_of_business,
    mark_business,
    read_word,
    unknown_stem,
)
from memory.algorithms.values.places import reads_as_region, reads_as_town
from memory.algorithms.values.quantities import MONTHS, NUMBER_WORDS, SEASONS, WEEKDAYS

LONGEST_READ = 400
_WORD = re.compile(r"=?[^\W_][\w'\u2019-]*")
_CAPITAL = re.compile(r"[^\W\d_a-zåäöé][\w&'\u2019-]*(?:\s+(?:&\s+)?[^\W\d_a-zåäöé][\w&'\u2019-]*)*")
#: What follows a name that begins a fact: a doing, or another name.
_AFTER_NAME = re.compile(
    r"(?!(?:inte|efter|under|eller|över|per|after|för|fler|mer|its|as|or|for|our|over|this|us)\b)"
    r"(?:[^\W\d_]+(?:s|r|de|te)|och|and|är|has|had|ska|will|now|nu|numera|vill|fick|blev|tog|did|took|left|can|kan)\b"
)
#: The Swedish endings of a thing that is known; a long word with one is hardly a name.
_DEFINITE = re.compile(r"[^\W\d_]{5,}(?:an|en|et|na|ar|or|er|ng|rn|ln|ion|het)$")
_ALIASES = {"gothenburg": "göteborg", "copenhagen": "köpenhamn", "helsinki": "helsingfors", "scania": "skåne"}
_MOVED_TO = re.compile(r"\b(?:mov\w+|relocat\w+|flytt\w*)\b.*\b(?:to|till)\s*$", re.IGNORECASE)
_PLACED = re.compile(r"\b(?:in|i|near|utanför|outside)\s*$", re.IGNORECASE)
_NOT_NAMES = frozenset(
    {"ab", "sek", "kr", "mkr", "msek", "tkr", "hb", "kb", "the", "i", *MONTHS, *SEASONS, *WEEKDAYS}
)
#: Words that are first names too, where another name follows.
_FIRST_NAMES = (
    "klara per will grant bill mark frank rose faith hope joy dean max sten stig dag vera bo mona sol"
)
_ALSO_NAMES = frozenset(_FIRST_NAMES.split())
_ALNUM = re.compile(r"(?=\w*\d)(?=\w*[^\W\d_])[\w-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One fact of a company, read.

    Attributes:
        ideas: what is affirmed, of the business vocabulary.
        rejected: what "instead of", "not" sets against it.
        names: words of names of people, firms and things, casefolded.
        places: words of names of towns.
        unknown: stems of the words on no list.
        words: all words, casefolded, in order.
    """

    ideas: frozenset[str]
    rejected: frozenset[str]
    names: frozenset[str]
    places: frozenset[str]
    figures: Figures
    rejected_figures: Figures
    unknown: frozenset[str]
    words: tuple[str, ...]
    is_open: bool = False
    is_learning: bool = False
    is_planned: bool = False
    is_cancelled: bool = False
    is_denied: bool = False
    is_changed: bool = False
    is_corrected: bool = False
    is_only: bool = False
    is_also: bool = False
    is_wished: bool = False
    is_decided: bool = False

    @property
    def is_negative(self) -> bool:
        """Tell whether it denies something or calls it off."""
        return self.is_denied or self.is_cancelled


def read_claim(text: str, language: str, *, is_open: bool = False) -> Claim:
    """Return a fact as it is compared.

    Args:
        language: `en` or `sv`: whose words are looked up first.
        is_open: that it is known to be an open item, whatever its words say.
    """
    said = normalize("NFKC", text[:LONGEST_READ]).replace("\u2019", "'")
    names, places = _read_names(hide_phrases(said), language)
    plain = said.casefold()
    written = {alias for alias, town in _ALIASES.items() if town in places}
    for name in sorted(names | places | written, key=len, reverse=True):
        plain = re.sub(rf"\b{re.escape(name)}(?:'s|s)?\b", " ", plain)
    plain = turn_preference(plain)
    rejected_text = " ".join(
        match["what"] or match["other"] or "" for match in turns.REJECTED.finditer(plain)
    )
    kept = turn(turns.REJECTED.sub(" ", plain))
    open_text = turns.OPEN.search(kept) is not None
    told = turns.DENIED.sub(
        " ", turns.CANCELLED.sub(" ", turns.OPEN.sub(" ", turns.CORRECTED.sub(" ", kept)))
    )
    ideas, unknown, figures = _read_words(told, language)
    rejected, _, rejected_figures = _read_words(turn(rejected_text), language)
    is_learning = turns.LEARNING.search(kept) is not None
    bare = turns.OPEN.sub(" ", kept)
    is_cancelled = turns.CANCELLED.search(kept) is not None
    if is_learning:
        ideas |= {"understand"}
    if "unpaid" in ideas:
        ideas = ideas - {"unpaid"} | {"pay"}
        bare += " not"
    if re.search(r"\bcancel", kept):
        ideas |= {"terminate"}
    return Claim(
        ideas=ideas,
        rejected=rejected - ideas,
        names=names,
        places=places,
        figures=figures,
        rejected_figures=rejected_figures,
        unknown=unknown,
        words=tuple(_WORD.findall(said.casefold())),
        is_open=is_open or open_text,
        is_learning=is_learning,
        is_planned=turns.PLANNED.search(bare) is not None,
        is_cancelled=is_cancelled or "terminate" in ideas,
        is_denied=turns.DENIED.search(turns.CANCELLED.sub(" ", bare)) is not None,
        is_changed=turns.CHANGED.search(plain) is not None,
        is_corrected=turns.CORRECTED.search(kept) is not None or bool(rejected_figures.values),
        is_only=turns.ONLY.search(kept) is not None,
        is_also=turns.ALSO.search(kept) is not None,
        is_wished=turns.WISHED.search(kept) is not None,
        is_decided=turns.DECIDED.search(bare) is not None,
    )


def _read_words(text: str, language: str) -> tuple[frozenset[str], frozenset[str], Figures]:
    """Return the ideas of a casefolded text, the stems on no list, and its figures."""
    text, figures = read_figures(mark_business(text, language))
    ideas: set[str] = set()
    unknown: set[str] = set()
    months: set[float] = set(figures.of("month"))
    for word in _WORD.findall(text):
        if word[0] == "=":
            ideas.add(word[1:])
            continue
        for part in _parts(word):
            found = read_word(part, language)
            if found is None:
                unknown.add(unknown_stem(part, language))
                continue
            ideas |= set(found[0])
            months |= found[1]
    values = {**figures.values, **({"month": frozenset(months)} if months else {})}
    return frozenset(ideas & kinds_of_business().keys()), frozenset(unknown), Figures(values)


def _parts(word: str) -> list[str]:
    return [part for part in re.split(r"['-]", word) if len(part) > 1]


def _read_names(text: str, language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of the names of a text, and those of its towns; both casefolded, without a genitive."""
    names: set[str] = set()
    places: set[str] = set()
    for match in _CAPITAL.finditer(text):
        words = [_bare(word) for word in re.split(r"[\s&]+", match.group()) if word]
        if match.start() == 0 and not _begins_with_name(words, text[match.end() :], language):
            words = words[1:]
        words = [word for word in words if word and not _is_no_name(word)]
        own = [word for word in words if not _is_ordinary(word, language)]
        if not own:
            continue
        is_place = " " not in match.group() and _is_placed(own[0], text[: match.start()])
        if is_place and not reads_as_region(own[0]):
            places.add(_ALIASES.get(own[0], own[0]))
        else:
            names.update(words if words[0] in (own[0], *_ALSO_NAMES) else own)
    names.update(code for code in _ALNUM.findall(text.casefold()) if _is_code(code.split("-")[0], language))
    return frozenset(names), frozenset(places)


def _is_no_name(word: str) -> bool:
    return (
        word in _NOT_NAMES or any(map(str.isdigit, word)) or any(part in MONTHS for part in word.split("-"))
    )


def _bare(word: str) -> str:
    plain = word.casefold().strip("'-")
    return plain.removesuffix("'s")


def _begins_with_name(words: list[str], rest: str, language: str) -> bool:
    """Tell whether the first word of a text is a name: it is on no list, and what follows is a name or a doing."""
    first, follows = words[0] if words else "", len(words) > 1
    if follows and first in _ALSO_NAMES:
        return True
    if not first or _is_ordinary(first, language):
        return False
    if language == "sv" and not follows and _DEFINITE.match(first):
        return False
    return follows or first.endswith("s") or bool(_AFTER_NAME.match(rest.lstrip())) or reads_as_town(first)


def _is_placed(name: str, before: str) -> bool:
    return reads_as_town(name) or any(pattern.search(before) for pattern in (_PLACED, _MOVED_TO))


def _is_ordinary(word: str, language: str) -> bool:
    plain = word.casefold()
    plain = plain.split("-")[0]
    return read_word(plain, language) is not None or plain in MONTHS or plain in NUMBER_WORDS


def _is_code(code: str, language: str) -> bool:
    if read_word(code, language) is not None or re.fullmatch(
        r"\d+(?:k|m|kr|tkr|mkr|sek|st|nd|rd|th|h|e|a)|q[1-4]|\d+-\w+", code
    ):
        return False
    return re.fullmatch(r"[\w-]{2,}", code) is not None and code[0].isalpha()
