"""Whether a word is a form of another, in English and Swedish: plurals, genitives, definite forms, plain verb endings.

Explicit endings rather than equal Snowball stems: Snowball gives "universe" and "university" one stem, and leaves
"krafternas" and "speglar" apart from their words. Where the word lists know better, they decide ("ringer" is no form
of "ring": there is no "ringerna").
"""

from companion_site.language import Language, frequency

#: A word so many times rarer in one language than in the other is a loan or a slip there.
FOREIGN_RATIO = 30.0
_EN_NOUN = frozenset(("s", "es"))
_EN_VERB = frozenset(("ed", "ing", "ings"))
_LEXICAL = (
    "being beings building buildings during evening evenings feeling feelings meaning meanings setting settings string "
    "strings thing things nothing something anything everything wedding weddings clothing ceiling morning"
)
_NOUN_ENDINGS = (
    "n t en et ar er or na rna arna erna orna ns ts ens ets ars ers ors nas rnas arnas ernas ornas s r"
)
_ENDINGS_AFTER_A = "r de t d s des ts nde ndes"
_ENDINGS_AFTER_M = "met men mar mer mets mens marna merna"
#: Nouns in -ing that mean something else than their verb.
_EN_LEXICAL = frozenset(_LEXICAL.split())
_SV_NOUN = frozenset(_NOUN_ENDINGS.split())
_SV_AFTER_A = frozenset(_ENDINGS_AFTER_A.split())
_SV_AFTER_M = frozenset(_ENDINGS_AFTER_M.split())
#: Plural endings that some words only look like they have.
_SV_PLURAL = frozenset(("ar", "er", "or"))
_SURELY_LATIN = 8
#: Plurals that replace an ending; in shorter words believed where a list has the plural.
_EN_PLURALS = (
    ("fe", "ves"),
    ("lf", "lves"),
    ("sis", "ses"),
    ("xis", "xes"),
    ("leus", "lei"),
    ("ius", "ii"),
    ("lus", "li"),
    ("gus", "gi"),
    ("ium", "ia"),
    ("tum", "ta"),
    ("enon", "ena"),
    ("erion", "eria"),
    ("edron", "edra"),
    ("ix", "ices"),
    ("ex", "ices"),
)
_VOWELS = frozenset("aeiouyåäö")
#: A word that common has its plural in the lists.
_COMMON = 1e-6
_PLURAL_SHARE = 10.0
#: "based" is a form of "base" rather than of "bas", if the one is so much more common.
_SILENT_E_SHARE = 10.0
#: A plural is at most so many times as common as the definite form.
_DEFINITE_SHARE = 100.0
_SV_AFTER_VOWEL = frozenset(("r", "t", "ts", "rna", "rnas"))
#: Shorter words take no ending that doubles as a word's own last letters.
_LONG_ENOUGH = 3


def is_listed(word: str) -> bool:
    """Say whether either language has the word."""
    return frequency(word, "sv") > 0.0 or frequency(word, "en") > 0.0


def languages_of(word: str) -> tuple[Language, ...]:
    """Return the languages that a word may be of: both, if no list has it."""
    english, swedish = frequency(word, "en"), frequency(word, "sv")
    if english > FOREIGN_RATIO * swedish:
        return ("en",)
    return ("sv",) if swedish > FOREIGN_RATIO * english else ("en", "sv")


def is_form(name: str, tail: str) -> bool:
    """Say whether a folded word and what follows it in its word make a form of it."""
    if not tail:
        return True
    if len(tail) > 5 or len(name) < _LONG_ENOUGH:
        return tail == "s" and len(name) > 1 and name[-1] != "s"
    word = name + tail
    return (_may_be(name, word, "en") and _is_english_ending(name, tail)) or (
        _may_be(name, word, "sv") and _is_swedish_ending(name, tail)
    )


def _may_be(name: str, word: str, language: Language) -> bool:
    """Say whether a word can be a form of the name in a language: "planet" is Swedish too, "plane" is not."""
    languages = languages_of(word)
    if language not in languages:
        return False
    return len(languages) == 1 or not is_listed(word) or language in languages_of(name)


def _is_english_ending(name: str, tail: str) -> bool:
    if tail in _EN_NOUN:
        return name[-1] != "s" if tail == "s" else name[-1] in "sxzho"
    if name[-1] == "e" and tail == "d":
        return True
    verb = tail.removeprefix(name[-1]) if name[-1] not in _VOWELS else tail
    if verb not in _EN_VERB or name[-1] in "aeiou" or name + tail in _EN_LEXICAL:
        return False
    return frequency(name + "e", "en") <= _SILENT_E_SHARE * frequency(name, "en")


def _is_swedish_ending(name: str, tail: str) -> bool:
    if tail in _SV_NOUN:
        return _takes(name, tail) and (tail not in _SV_PLURAL or _is_plural(name, tail))
    if name[-1] == "a":
        return tail in _SV_AFTER_A
    return name[-1] == "m" and tail in _SV_AFTER_M


def _takes(name: str, tail: str) -> bool:
    if name[-1] in _VOWELS:
        return True
    if name[-1] == "s" and tail == "s":
        return False
    return tail not in _SV_AFTER_VOWEL and (tail[0] != "n" or name[-1] in "lr")


def _is_plural(name: str, tail: str) -> bool:
    """Say whether the word lists allow a plural: the definite forms must be there too ("celler": "cellen", "cellerna").

    "ringer" is none of "ring" (a verb: there is no "ringerna"), nor "massor" of "mass" ("massan", not "massen"), nor
    "målar" of "mål" (neuter: "målet").
    """
    word = name + tail
    if not frequency(word, "sv"):
        return frequency(name, "sv") < _COMMON
    plural = frequency(word + "na", "sv")
    others = (frequency(name + other + "na", "sv") for other in _SV_PLURAL)
    if not plural or plural < max(others) / _PLURAL_SHARE:
        return False
    definite = max(frequency(name + "en", "sv"), frequency(name + "n", "sv"))
    rivals = (
        frequency(name + "an", "sv"),
        frequency(name + "et", "sv"),
        frequency(word, "sv") / _DEFINITE_SHARE,
    )
    return definite >= max(rivals)


def other_forms(name: str) -> set[str]:
    """Return the forms of a folded word that change more than its end; each may take a further "s"."""
    if len(name) < _LONG_ENOUGH + 1:
        return set()
    return _other_english(name) | _other_swedish(name)


def _other_english(name: str) -> set[str]:
    forms: set[str] = set()
    for ending, plural in _EN_PLURALS:
        form = name.removesuffix(ending) + plural
        if name.endswith(ending) and (len(name) >= _SURELY_LATIN or is_listed(form)):
            forms.add(form)
    if name[-1] == "y" and name[-2] not in _VOWELS:
        forms |= {name[:-1] + "ies", name[:-1] + "ied"}
    if name[-1] == "e" and name[-2] not in "eoy":
        forms.add(name[:-1] + "ing")
    return forms - _EN_LEXICAL


def _other_swedish(name: str) -> set[str]:
    stem, last = name[:-1], name[-1]
    if last == "a":
        return {stem + "or", stem + "orna"}
    if last == "e":
        return {stem + "ar", stem + "arna"}
    if name[-2] == "e" and last in "lnr" and name[-3] not in _VOWELS:
        short = name[:-2] + last
        return {short + ending for ending in ("ar", "arna", "er", "erna", "et", "en")}
    if name.endswith("ium") or name.endswith("eum"):
        return {name[:-2] + ending for ending in ("et", "er", "erna")}
    return set()
