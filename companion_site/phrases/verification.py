"""Whether letters that are those of a phrase are the phrase: by what stands between and around them."""

from companion_site.phrases.compounds import LONG_NAME, LONGEST_REST, is_compound
from companion_site.phrases.folding import Gap, Reading
from companion_site.phrases.inflection import is_form, is_listed
from companion_site.phrases.lookalikes import LEET_DIGITS, LEET_SIGNS, RARE_LOOKALIKES, to_latin
from companion_site.phrases.patterns import Pattern, to_literal, word_at

#: Fewer letters than this are not believed to be spelled out or written in figures.
_SHORTEST_DISGUISE = 3
_FOREIGN_FROM = "\u0250"
_SAME, _FIGURE, _BARE, _OTHER = "same", "figure", "bare", "other"


def is_phrase(reading: Reading, first: int, last: int, pattern: Pattern, *, strict: bool) -> bool:
    """Say whether letters `first` to `last` of a reading, which a pattern has too, are its phrase."""
    if reading.heads[first] == reading.heads[last]:
        stands = _stands_in_word(reading, first, last, pattern)
    else:
        stands = _stands_across(reading, first, last, pattern, strict=strict)
    return stands and (not strict or _is_fair_disguise(reading, first, last, pattern))


def _stands_in_word(reading: Reading, first: int, last: int, pattern: Pattern) -> bool:
    left, right = find_rest(reading, first, last)
    if not left and not right:
        return not pattern.joints or _may_be_joined(pattern)
    if pattern.is_unspaced:
        return True
    if not left and (right == "s" if not pattern.own else is_form(_last_word(pattern), right)):
        return not pattern.joints or _may_be_joined(pattern)
    if not pattern.own:
        return right in ("", "s") and is_compound(left, pattern.plain, "")
    return is_compound(left, pattern.plain, right)


def _may_be_joined(pattern: Pattern) -> bool:
    """Say whether a phrase of several words, written as one, is still that ("blackhole", but not "onset")."""
    return len(pattern.plain) >= LONG_NAME or not is_listed(pattern.plain)


def _last_word(pattern: Pattern) -> str:
    return pattern.plain[max(pattern.joints, default=0) :]


def find_rest(reading: Reading, first: int, last: int) -> tuple[str, str]:
    """Return what stands before and after a span in its word; a capital in "blackHole" and figures set it off."""
    head, tail = reading.heads[first], reading.tails[last]
    left = reading.plain[max(head, first - LONGEST_REST - 1) : first]
    right = reading.plain[last + 1 : min(tail, last + LONGEST_REST + 1) + 1]
    if left and (left.isdigit() or _begins_hump(reading, first)):
        left = ""
    if right and (right.isdigit() or _begins_hump(reading, last + 1)):
        right = ""
    return left, right


def _begins_hump(reading: Reading, i: int) -> bool:
    text, before, here = reading.text, reading.starts[i - 1], reading.starts[i]
    return text[here].isupper() and text[before].islower()


def _stands_across(reading: Reading, first: int, last: int, pattern: Pattern, *, strict: bool) -> bool:
    """Judge letters that other signs stand between: the phrase's own spaces, or its words taken apart."""
    if _is_verbatim(reading, first, last, pattern):
        return True
    joints = pattern.joints
    widest = inside = 0
    for k in range(first + 1, last + 1):
        gap = reading.gaps[k]
        if gap:
            widest = max(widest, gap)
            if k - first not in joints:
                inside = max(inside, gap)
        elif k - first in joints:
            inside = max(inside, Gap.NONE)
    if widest >= Gap.BARRIER:
        return False
    if strict and _is_spelled_out(reading, first, last):
        return True
    if widest >= Gap.STOP or not _may_be_apart(inside, pattern, strict=strict):
        return False
    return _ends_well(reading, first, last, pattern, inside=inside)


def _is_verbatim(reading: Reading, first: int, last: int, pattern: Pattern) -> bool:
    """Say whether a phrase stands there sign for sign, full stops of its own and all."""
    said = to_literal(reading.text[reading.starts[first] : reading.starts[last] + 1])
    if not said or said not in pattern.literal:
        return False
    before, _, after = pattern.literal.partition(said)
    own_ends = not any(map(str.isalnum, before + after))
    return own_ends and find_rest(reading, first, last) == ("", "")


def _may_be_apart(inside: int, pattern: Pattern, *, strict: bool) -> bool:
    if inside <= Gap.BROKEN:
        return True
    if not strict or len(pattern.plain) < _SHORTEST_DISGUISE:
        return False
    return inside <= Gap.HYPHEN or len(pattern.plain) >= LONG_NAME


def _is_spelled_out(reading: Reading, first: int, last: int) -> bool:
    if last - first + 1 < _SHORTEST_DISGUISE:
        return False
    return all(reading.heads[k] == k == reading.tails[k] for k in range(first, last + 1))


def _ends_well(reading: Reading, first: int, last: int, pattern: Pattern, *, inside: int) -> bool:
    left, right = find_rest(reading, first, last)
    if not left and (not right or (is_form(_last_word(pattern), right) if pattern.own else right == "s")):
        return True
    long = len(pattern.plain) >= LONG_NAME
    if inside > (Gap.HYPHEN if long else Gap.BROKEN) or (left and pattern.joints) or not pattern.own:
        return False
    if not pattern.joints:
        return is_compound(left, pattern.plain, right)
    return long and is_compound("", _last_word(pattern), right)


def _is_fair_disguise(reading: Reading, first: int, last: int, pattern: Pattern) -> bool:
    """Say whether letters that differ from the phrase's own do so as disguises do, and not as another word does."""
    said = reading.plain[first : last + 1]
    if said == pattern.plain:
        return True
    if len(said) < _SHORTEST_DISGUISE and said.isascii():
        return False
    kinds = [_classify(reading, first + k, wanted) for k, wanted in enumerate(pattern.plain)]
    if _OTHER in kinds or (_FIGURE in kinds and not _is_word_with_figures(reading, first, last, kinds)):
        return False
    return _BARE not in kinds or not _is_other_word(reading, first, last, pattern)


def _classify(reading: Reading, k: int, wanted: str) -> str:
    said, raw = reading.plain[k], reading.text[reading.starts[k]]
    if (
        said == wanted
        or said >= _FOREIGN_FROM
        or raw in RARE_LOOKALIKES
        or (to_latin(said) == wanted != said and not said.isdigit())
    ):
        return _SAME
    if raw in LEET_DIGITS or raw in LEET_SIGNS:
        return _FIGURE
    if raw == "I" and wanted == "l":
        return _SAME
    return (
        _BARE if "l" not in (said, wanted) and "i" not in (said, wanted) and not wanted.isdigit() else _OTHER
    )


def _is_word_with_figures(reading: Reading, first: int, last: int, kinds: list[str]) -> bool:
    """Say whether it is letters with some figures, and not a number ("14th", "1700-talet")."""
    text, start, end = reading.text, reading.starts[first], reading.ends[last]
    if 2 * kinds.count(_FIGURE) > len(kinds) or text[start : start + 2].isdigit():
        return False
    before = start > 0 and text[start].isdigit() and text[start - 1].isdigit()
    return not before and not (end < len(text) and text[end - 1].isdigit() and text[end].isdigit())


def _is_other_word(reading: Reading, first: int, last: int, pattern: Pattern) -> bool:
    """Say whether what lacks accents, or has some more, is no disguise: a part of a word, or words as they are written.

    "mal" is none of "mål"'s disguises, "karna" is one of "kärna"'s.
    """
    left, right = find_rest(reading, first, last)
    if left or not is_form(_last_word(pattern), right):
        return True
    k = first
    while k <= last:
        if not is_listed(word_at(reading, k)):
            return False
        k = reading.tails[k] + 1
    return True
