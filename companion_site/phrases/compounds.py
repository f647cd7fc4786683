"""Whether a word that contains a name is a compound with it: "dragningskraft" is with "kraft", "spring" is not with "ring".

What is left on either side must be words of the language by wordfreq's lists, in Swedish with the letters that join
("dragning-s-kraft", "kraft-s-fält"). What only looks like a word there is ruled out: prefixes, suffixes, and verbs' own
endings ("värdering" is "värdera" + "ing", not "värde" + "ring").
"""

from itertools import takewhile

from companion_site.language import Language, frequency, stem_words
from companion_site.phrases.inflection import is_form, is_listed, languages_of

_EN_FRONTS = (
    "and app are but can chan con cor dis end for from had has her him his inter its mar men mis not off our out over par per post "
    "pre pro ref rein self she son sub super sup sur than that the then they this too trans under uni was were with you your"
)
_EN_BACKS = (
    "able acre acres age ages ally all ance ant ary ate ded end ent ered ers ess est for ful gen get ial ian ible ics ine ing ings ion ions "
    "ish ism isms ist ists ity ive ize less let lets ling lings ment ments mon ness ous out over rally rate rated rates rating self sion some "
    "son ster tan ted ten ter ters than the tic tics tion tions ton tor ual ward wards wise with"
)
_SV_FRONTS = (
    "ade and att bar con den der det dis eller ens era ett för fören han har hen hon inom inte kom kon man med men min mis mot när "
    "och oss per pre pro sam ska sub trans uni var ver via"
)
_SV_BACKS = (
    "ade age ana and ande andet anden ang angen anger are aren arna ast att bar bara bart den der des det dom dome domen ell ella ellt else elsen end ende ens "
    "ent era eras erat erna ers est för han har hen het heten heter hon hur ical iga ige igen igt ika ing ingar ingen inte ion ionen "
    "isk iska iskt ism ismen ist isten ister lar ler lig liga ligen ligt ling lingar men min nad nar nas nat ner ning ningar ningen "
    "nings och oss rar ras rat ren res ska skap ten ter tern tion tionen tioner tionär tionärer var ver"
)

#: No first part of a compound: prefixes, small words, and bits of words that the lists happen to have.
NO_FRONTS: dict[Language, frozenset[str]] = {
    "en": frozenset(_EN_FRONTS.split()),
    "sv": frozenset(_SV_FRONTS.split()),
}
#: No last part of a compound: suffixes and endings.
NO_BACKS: dict[Language, frozenset[str]] = {
    "en": frozenset(_EN_BACKS.split()),
    "sv": frozenset(_SV_BACKS.split()),
}
#: As part of a compound a word must be so common, the shorter the more: short strings are listed by accident.
_LEAST_FREQUENCY = {3: 6e-6, 4: 1e-6}
_LEAST_FREQUENCY_OF_LONG = 3e-7
#: And more so beside a name of three letters.
_LEAST_FREQUENCY_BESIDE_SHORT = 1e-5
#: From here on a name is too long to stand in another word by accident, unless that word is a word by itself.
LONG_NAME = 8
#: The rest of a longer word is not looked at.
LONGEST_REST = 40
_JOINING = frozenset("eou")
_SHORTEST_PART = 3
_SHORTEST_VERB = 5
_VERB_ENDINGS = ("ing", "ade", "ades", "ande")
#: "earring" is no form of "to ear".
_NO_VERBS = frozenset(("earr",))


def is_compound(left: str, name: str, right: str) -> bool:
    """Say whether a folded word is a compound that the name is a part of.

    Args:
        left, right: what stands before and after the name in the word; one of them at least.
        name: the folded name.
    """
    if len(name) < _SHORTEST_PART:
        return False
    if max(len(left), len(right)) > LONGEST_REST:
        return len(name) >= LONG_NAME
    word = left + name + right
    if len(name) >= LONG_NAME and not is_listed(word):
        return True
    return any(_splits(left, name, right, language) for language in languages_of(word))


def _splits(left: str, name: str, right: str, language: Language) -> bool:
    is_last = is_form(name, right)
    if (is_last and name in NO_BACKS[language]) or (not left and name in NO_FRONTS[language]):
        return False
    if len(name) == _SHORTEST_PART and not _has_common_parts(left, "" if is_last else right, language):
        return False
    if left and not _is_front(left, language):
        return False
    if not is_last and not _is_back(right, language):
        return False
    if language == "en":
        return _is_english_compound(left, name, right, is_last=is_last)
    return not _is_verb_form(left, name, right)


def _has_common_parts(left: str, right: str, language: Language) -> bool:
    parts = ((left, left.removesuffix("s")), (right, right.removeprefix("s")))
    return all(
        max(frequency(part, language), frequency(bare, language)) >= _LEAST_FREQUENCY_BESIDE_SHORT
        for part, bare in parts
        if part
    )


def _is_english_compound(left: str, name: str, right: str, *, is_last: bool) -> bool:
    """Say whether the word is listed, and no ending runs over the edge of its last part ("gene-ration" ends in -ation).

    Snowball says how much of a word is ending; where it is much more than of the last part alone, the parts are none.
    """
    word, last = left + name + right, name + right if is_last else right
    if not is_listed(word):
        return False
    stem, last_stem = stem_words([word, last], "en")
    over = _count_ending(word, stem) - _count_ending(last, last_stem)
    return over < len("ing") or (word.endswith("ing") and not _is_english_verb(word[:-3]))


def _count_ending(word: str, stem: str) -> int:
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, stem, strict=False)))
    return len(word) - same


def _is_english_verb(base: str) -> bool:
    verbs = (base, base + "e", base[:-1] if base[-1] == base[-2] else base)
    return base not in _NO_VERBS and any(frequency(verb, "en") > 0.0 for verb in verbs)


def _is_front(left: str, language: Language) -> bool:
    if left in NO_FRONTS[language]:
        return False
    if language == "en":
        return _is_part(left, language)
    return _is_swedish_front(left) or any(
        left[:at] not in NO_FRONTS["sv"] and _is_swedish_front(left[:at]) and _is_swedish_front(left[at:])
        for at in _cuts(left)
    )


def _is_swedish_front(part: str) -> bool:
    """Say whether a part is one word, with a joining letter or without the vowel that it loses in front."""
    if _is_part(part, "sv"):
        return True
    if len(part) <= _SHORTEST_PART:
        return False
    if part[-1] == "s" and _is_part(part[:-1], "sv"):
        return True
    if part[-1] in _JOINING and any(_is_part(part[:-1] + lost, "sv") for lost in ("", "a", "e")):
        return True
    return any(_is_part(part + lost, "sv") for lost in ("a", "e"))


def _is_back(right: str, language: Language) -> bool:
    if right in NO_BACKS[language]:
        return False
    if _is_part(right, language):
        return True
    return language == "sv" and (_is_back_inflected(right) or _is_back_linked(right))


def _is_back_inflected(right: str) -> bool:
    return any(
        right[:at] not in NO_BACKS["sv"] and _is_part(right[:at], "sv") and is_form(right[:at], right[at:])
        for at in range(max(_SHORTEST_PART, len(right) - 5), len(right))
    )


def _is_back_linked(right: str) -> bool:
    """Say whether a Swedish last part begins with a joining "s", or is two words."""
    if len(right) > _SHORTEST_PART + 1 and right[0] == "s" and _is_part(right[1:], "sv"):
        return True
    return any(
        _is_part(right[:at].removesuffix("s"), "sv")
        and right[at:] not in NO_BACKS["sv"]
        and _is_part(right[at:], "sv")
        for at in _cuts(right)
    )


def _cuts(part: str) -> range:
    return range(_SHORTEST_PART, len(part) - _SHORTEST_PART + 1)


def _is_part(part: str, language: Language) -> bool:
    least = _LEAST_FREQUENCY.get(len(part), _LEAST_FREQUENCY_OF_LONG)
    return len(part) >= _SHORTEST_PART and frequency(part, language) >= least


def _is_verb_form(left: str, name: str, right: str) -> bool:
    """Say whether a part is what a Swedish verb made of more than it ("lagra": "lagr-ing", not "lag-ring")."""
    word = left + name
    if left and any(
        word.endswith(ending) and _ends_with_verb(word[: -len(ending)], least=len(left) + 1)
        for ending in _VERB_ENDINGS
    ):
        return True
    return right.endswith("ing") and frequency(word + right[:-3] + "a", "sv") > 0.0


def _ends_with_verb(base: str, *, least: int) -> bool:
    """Say whether what stands before the ending is, or ends with, a verb that begins before the name and ends inside it."""
    if len(base) < least:
        return False
    return any(
        frequency(base[start:] + "a", "sv") > 0.0
        for start in range(min(least - 1, len(base) - _SHORTEST_VERB + 2))
        if len(base) - start + 1 >= _SHORTEST_VERB
    )
