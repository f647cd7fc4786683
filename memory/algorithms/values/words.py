"""A text as a gloss: its words as ideas, the same in English and Swedish, in the order said.

Known words become their idea ("mamma" and "mum": `mother`), known compounds their parts ("biologiprovet": `biology exam`),
function words their English meaning, numbers and dates a token; anything else stays as it is, without its ending.
"""

import re
from functools import cache

from memory.algorithms.values.antonyms import ENDS
from memory.algorithms.values.lexicon import read_table
from memory.algorithms.values.phrases import BEST, CONTRACTIONS, DAYPARTS, FUNCTION, PHRASES

_ENDINGS = {
    "en": "ings ing ies ied ers es ed er s e y",
    "sv": "arnas ernas ornas arna erna orna ande ende aste ades ade ens ets are ast ar er or en et na ad at as de te es ns n a e t s",
}
#: Inflections by their length, longest first; a stem keeps at least three letters.
_ENDINGS_BY_LENGTH = {
    language: [
        (length, frozenset(ending for ending in endings.split() if len(ending) == length))
        for length in range(max(map(len, endings.split())), 0, -1)
    ]
    for language, endings in _ENDINGS.items()
}
_SHORTEST_STEM = 3
_SHORTEST_PART = 3
_LONG_STEM = 6
_TOKEN = re.compile(r"[#@=]?[^\W_](?:[\w'+-]*[\w+-])?_?")


def fold(word: str, language: str) -> str:
    """Return the word without its ending; what two forms of one word share."""
    for length, endings in _ENDINGS_BY_LENGTH.get(language, ()):
        if len(word) - length >= _SHORTEST_STEM and word[-length:] in endings:
            word = word[:-length]
            break
    # The letter that some forms double: "swimming" and "swim", "rummet" and "rum".
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word


@cache
def _forms() -> dict[str, dict[str, str]]:
    """Return for each language what every listed form and its stem mean."""
    exact: dict[str, dict[str, str]] = {"en": {}, "sv": {}}
    stems: dict[str, dict[str, str]] = {"en": {}, "sv": {}}
    for idea, _, english, swedish in read_table():
        for language, listed in (("en", english), ("sv", swedish)):
            for form in listed:
                exact[language].setdefault(form, idea)
                if len(form) > _SHORTEST_STEM:
                    stems[language].setdefault(fold(form, language), idea)
    return {language: {**stems[language], **exact[language]} for language in exact}


@cache
def kinds() -> dict[str, str]:
    """Return the kind of each idea."""
    return {idea: kind for idea, kind, _, _ in read_table()}


def is_known(word: str, language: str) -> bool:
    """Tell whether a casefolded word is an ordinary one, so that its capital says nothing."""
    plain = word.replace("\u2019", "'").split("'")[0]
    known = plain in FUNCTION.get(language, {}) or _look_up(plain, language) is not None
    return known or bool(_split_compound(plain, language))


def expand(text: str) -> str:
    """Return the casefolded text with contractions opened."""
    plain = text.casefold()
    for pattern, replacement in CONTRACTIONS:
        plain = pattern.sub(replacement, plain)
    return plain


def mark_phrases(text: str) -> str:
    """Return the text with what is said in several words as one token."""
    for pattern, replacement in PHRASES:
        text = pattern.sub(replacement, text)
    if BEST.search(text):
        for pattern, replacement in DAYPARTS:
            text = pattern.sub(replacement, text)
    return text


def gloss(text: str, language: str, *, names: frozenset[str] = frozenset()) -> list[str]:
    """Return the ideas of a text in order; function words that carry nothing are left out.

    Args:
        names: casefolded words that were written as names, which mean nothing else ("Oliver", in Swedish also olives).
    """
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if token in names or token.removesuffix("s") in names:
            found.append(_name(token, language))
        else:
            found.extend(_translate(token, language))
    return found


def _name(token: str, language: str) -> str:
    """Return a name as it stands, or the idea of one that is a language, a place or somebody of the family."""
    idea = _forms().get(language, {}).get(token)
    return idea if idea and kinds()[idea] in ("course", "place", "person") else fold(token, language)


def _translate(token: str, language: str) -> list[str]:
    if token[0] == "=":
        return [token[1:]]
    if token[0] in "#@" or token.endswith("_"):
        return [token.lower()]
    end = ENDS.get(language, {}).get(token)
    if end is not None:
        return [end]
    meaning = FUNCTION.get(language, {}).get(token)
    if meaning is not None:
        return [meaning] if meaning else []
    idea = _look_up(token, language)
    if idea:
        return [idea]
    return _split_compound(token, language) or [_own_stem(token, language)]


def _own_stem(word: str, language: str) -> str:
    """Return the word without its ending, unless what is left would read as a function word ("noter": "not")."""
    stem = fold(word, language)
    if language == "sv" and len(stem) > _LONG_STEM and word[-1] in "nt":
        # "operation" and "operationen": what is left may end in what reads as an ending.
        stem = fold(stem, language)
    return word if stem in _meanings() else stem


@cache
def _meanings() -> frozenset[str]:
    return frozenset(meaning for words in FUNCTION.values() for meaning in words.values())


def _look_up(word: str, language: str) -> str | None:
    """Return the idea of a word; a borrowed word is known in the other language too."""
    known = _forms().get(language, {})
    if word in known:
        return known[word]
    stem = fold(word, language)
    if stem in known:
        return known[stem]
    if language == "sv":
        bare = fold(stem, language)
        if bare in known and len(bare) > _SHORTEST_STEM:
            return known[bare]
    return None


def _split_compound(word: str, language: str) -> list[str]:
    """Return the parts of a Swedish compound or a hyphenated word where both are known, or the first is."""
    if "-" in word:
        parts = [part for part in word.split("-") if part]
        return [idea for part in parts for idea in _translate(part, language)] if len(parts) > 1 else []
    if language != "sv" or len(word) < 2 * _SHORTEST_PART + 1:
        return []
    for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART, -1):
        first = _look_up_part(word[:cut])
        if first is None:
            continue
        second = _look_up(word[cut:], language)
        if second:
            return [first, second]
    return []


def _look_up_part(part: str) -> str | None:
    """Return the idea of a compound's first part: as it stands, with a joining s, or without its last vowel."""
    known = _forms()["sv"]
    for form in (part, part.removesuffix("s"), part + "a", part + "e"):
        if form in known and len(part) > _SHORTEST_PART:
            return known[form]
    return None
