"""The words of a company's fact as ideas of the business vocabulary; what is on no list stays as its stem."""

import re
from functools import cache

from memory.algorithms.values.business.lexicon import BUSINESS_THINGS
from memory.algorithms.values.business.lexicon_of_acts import BUSINESS_ACTS
from memory.algorithms.values.business.stopwords import EMPTY
from memory.algorithms.values.quantities import MONTHS
from memory.algorithms.values.words import fold

_LANGUAGES = ("en", "sv")
_SHORTEST_STEM = 4
_SHORTEST_PART = 3
_ENDINGS_OF_VERBS = "ar er r ade at as ades ats de t d da des ts te tes s ande"
_VERB_ENDINGS = tuple(_ENDINGS_OF_VERBS.split())
#: First parts of compounds that are no words of the list.
_FIRST_PARTS = {
    "månads": "monthly",
    "kvartals": "quarterly",
    "års": "yearly",
    "vecko": "weekly",
    "halvårs": "halfyearly",
}
_MERE_TAILS = frozenset(
    {
        "bolag",
        "bolaget",
        "firma",
        "firman",
        "företag",
        "företaget",
        "byrå",
        "byrån",
        "lösning",
        "plan",
        "planen",
    }
)
_MERE_COMPANY = frozenset({"företags", "bolags", "firma"})
#: What a phrase's last word may end in.
_INFLECTED = {
    "en": r"(?:'s|s)?",
    "sv": r"(?:s|n|en|et|t|ar|er|or|arna|erna|orna|ens|ets|a|na|ns)?",
}


@cache
def _table() -> tuple[tuple[str, str, dict[str, tuple[str, ...]]], ...]:
    rows = []
    for line in filter(None, (BUSINESS_THINGS + BUSINESS_ACTS).splitlines()):
        head, forms = line.split(":", 1)
        idea, kind = head.split()
        english, swedish = (tuple(part.split()) for part in forms.split("|"))
        rows.append((idea, kind, {"en": english, "sv": swedish}))
    return tuple(rows)


@cache
def kinds_of_business() -> dict[str, str]:
    """Return the kind of each idea."""
    return {idea: kind for idea, kind, _ in _table()}


@cache
def _exact_forms() -> dict[str, dict[str, str]]:
    """Return for each language what every listed form of one word means; what is listed first counts."""
    found: dict[str, dict[str, str]] = {language: {} for language in _LANGUAGES}
    for idea, _, forms in _table():
        for language in _LANGUAGES:
            for form in (form for form in forms[language] if "-" not in form):
                found[language].setdefault(form, idea)
    for idea, kind, forms in _table():
        verbs = (
            form for form in forms["sv"] if kind == "act" and form[-1] == "a" and len(form) >= _SHORTEST_PART
        )
        for verb in verbs:
            for ending in _VERB_ENDINGS:
                found["sv"].setdefault(verb[:-1] + ending, idea)
    return found


@cache
def _forms() -> dict[str, dict[str, str]]:
    """Return for each language what every listed form and its stem mean."""
    found: dict[str, dict[str, str]] = {}
    for language, exact in _exact_forms().items():
        stems: dict[str, str] = {}
        for form, idea in exact.items():
            stem = fold(form, language)
            if len(stem) >= _SHORTEST_STEM:
                stems.setdefault(stem, idea)
        found[language] = {**stems, **exact}
    return found


@cache
def _phrases() -> dict[str, tuple[re.Pattern[str], dict[str, str]]]:
    """Return for each language what finds the forms of several words, the longest first, and what they mean."""
    found: dict[str, tuple[re.Pattern[str], dict[str, str]]] = {}
    for language in _LANGUAGES:
        ideas: dict[str, str] = {}
        for idea, _, forms in _table():
            for form in forms[language]:
                if "-" in form:
                    ideas.setdefault(form.replace("-", " "), idea)
        listed = sorted(ideas, key=len, reverse=True)
        turns = "|".join(re.escape(form).replace(r"\ ", "[ -]") for form in listed)
        found[language] = (re.compile(rf"(?<![\w=])(?P<form>{turns}){_INFLECTED[language]}\b"), ideas)
    return found


def mark_business(text: str, language: str) -> str:
    """Return a casefolded text with what is said in several words as `=idea`; both languages' phrases count."""
    for known in _in_order(language):
        pattern, ideas = _phrases()[known]
        text = pattern.sub(lambda match, ideas=ideas: f" ={ideas[match['form'].replace('-', ' ')]} ", text)  # type: ignore[misc]
    return text


def hide_phrases(text: str) -> str:
    """Return a text, as cased, with what is known in several words blanked out: none of it is a name."""
    for pattern, _ in _phrases().values():
        text = re.compile(pattern.pattern, re.IGNORECASE).sub(lambda match: "." * len(match.group()), text)
    return text


def _in_order(language: str) -> tuple[str, ...]:
    return ("en", "sv") if language == "en" else ("sv", "en")


def read_word(word: str, language: str) -> tuple[tuple[str, ...], frozenset[float]] | None:
    """Return the ideas of a casefolded word and the months in it ("oktobermoms"); None of a word on no list."""
    own, other = _in_order(language)
    idea = _look_up(word, own)
    if idea:
        return (idea,), frozenset()
    if word in EMPTY:
        return (), frozenset()
    parts = _split(word) if own == "sv" else None
    if parts is not None:
        return parts
    idea = _forms()[other].get(word)
    if idea:
        return (idea,), frozenset()
    return _split(word) if len(word) > 2 * _SHORTEST_PART and own == "en" else None


def _look_up(word: str, language: str) -> str | None:
    known = _forms()[language]
    if word in known:
        return known[word]
    if word in EMPTY:
        return None
    stem = fold(word, language)
    if stem in (known if len(stem) >= _SHORTEST_STEM else _exact_forms()[language]):
        return known[stem]
    if language == "sv":
        bare = fold(stem, language)
        if len(bare) >= _SHORTEST_STEM and bare in known:
            return known[bare]
    return None


def _split(word: str) -> tuple[tuple[str, ...], frozenset[float]] | None:
    """Return the parts of a Swedish compound where all are known, a month among them; the longest last part first."""
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        head, tail = word[:cut], word[cut:]
        if head in _MERE_COMPANY and _look_up(tail, "sv"):
            return (str(_look_up(tail, "sv")),), frozenset()
        if tail in EMPTY | _MERE_TAILS and len(tail) > _SHORTEST_PART and _part(head):
            return (str(_part(head)),), frozenset()
        month = MONTHS.get(head) if len(head) > _SHORTEST_PART else None
        first = None if month else _part(head)
        if not month and not first:
            continue
        idea = _look_up(tail, "sv")
        rest = (
            ((idea,), frozenset[float]())
            if idea
            else _split(tail)
            if len(tail) > 2 * _SHORTEST_PART
            else None
        )
        if rest is None:
            continue
        ideas, months = rest
        return ((*ideas, *((first,) if first else ()))), months | ({float(month)} if month else frozenset())
    return None


def _part(part: str) -> str | None:
    """Return the idea of a compound's first part: as it stands, with a joining s, or without its last vowel."""
    if part in _FIRST_PARTS:
        return _FIRST_PARTS[part]
    known = _exact_forms()["sv"]
    forms = (part, part.removesuffix("s"), part + "a", part + "e", part.removesuffix("u") + "a")
    return next((known[form] for form in forms if len(form) >= _SHORTEST_PART and form in known), None)


def unknown_stem(word: str, language: str) -> str:
    """Return by what a word on no list is compared."""
    return fold(word, language)
