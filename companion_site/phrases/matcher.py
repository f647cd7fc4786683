"""The search itself: one automaton over the letters of all phrases proposes, the rules of the language decide."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import ahocorasick

from companion_site.phrases.compounds import LONGEST_REST
from companion_site.phrases.folding import Gap, Reading, classify_gap, read_plain, read_strict
from companion_site.phrases.inflection import is_form
from companion_site.phrases.patterns import (
    Found,
    Pattern,
    Phrase,
    SignPattern,
    has_signs,
    prepare_letters,
    prepare_signs,
    read_signs,
    to_literal,
)
from companion_site.phrases.sequences import StemSequences
from companion_site.phrases.verification import find_rest, is_phrase

#: The beginning of what, once complete, is read as something else: a character by its code, or a tag.
_INCOMPLETE = re.compile(r"(?:&[#\w]{0,26}|%[0-9a-fA-F]?|<[^<>]{0,200})\Z")
#: Of a long text so much of the end is looked at for what could go on.
_TAIL = 20_000


class SignSearch:
    """All phrases with signs as one automaton."""

    def __init__(self, patterns: Iterable[SignPattern]) -> None:
        self._automaton, self._longest = _build_automaton((pattern.signs, pattern) for pattern in patterns)

    def find(self, text: str) -> Iterator[tuple[SignPattern, int, int]]:
        """Yield each phrase that stands in the text, with its span."""
        if not self._longest:
            return
        signs, gaps, places = read_signs(text)
        for last, group in self._automaton.iter(signs):
            for pattern in group:
                first = last - len(pattern.signs) + 1
                if _stands(signs, gaps, first, last, pattern):
                    yield pattern, places[first][0], places[last][1]

    def open_from(self, text: str) -> int | None:
        """Return the first place from which a phrase could still come, if the text went on."""
        if not self._longest:
            return None
        signs, _, places = read_signs(text)
        for first in range(max(0, len(signs) - self._longest), len(signs)):
            if self._automaton.match(signs[first:]):
                return places[first][0]
        return None


def _stands(signs: str, gaps: list[bool], first: int, last: int, pattern: SignPattern) -> bool:
    if first and signs[first].isalnum() and signs[first - 1].isalnum() and not gaps[first]:
        return False
    after = last + 1
    if after < len(signs) and signs[last].isalnum() and signs[after].isalnum() and not gaps[after]:
        return False
    return all(
        gaps[first + k] == pattern.gaps[k]
        for k in range(1, len(pattern.signs))
        if pattern.signs[k].isalnum() and pattern.signs[k - 1].isalnum()
    )


class PhraseMatcher:
    """Finds many phrases in a text at once. Immutable; safe to share between threads.

    The cost of a search grows with the text and with what is found there, not with the number of phrases. A blank phrase
    is left out: nothing can be it. Of one with more than 300 letters the first 300 are looked for.

    Args:
        phrases: what to look for; several may share a key.
        strict: whether disguises count: look-alikes, figures for letters, letters spelled out, accents left
            out, names broken by markup.
    """

    def __init__(self, phrases: Iterable[Phrase], *, strict: bool = False) -> None:
        lettered: list[Pattern] = []
        signed = []
        for phrase in phrases:
            if not has_signs(phrase.text):
                lettered.extend(prepare_letters(phrase, strict=strict))
            elif (pattern := prepare_signs(phrase)) is not None:
                signed.append(pattern)
        self._strict = strict
        self._signs = SignSearch(signed)
        self._sequences = StemSequences(lettered, strict=strict)
        self._automaton, self._longest = _build_automaton((pattern.letters, pattern) for pattern in lettered)

    def find(self, text: str) -> list[Found]:
        """Return every phrase that occurs, by start, the longest first; they may overlap."""
        found: dict[tuple[str, int, int], bool] = {}
        hits: Iterator[tuple[Pattern | SignPattern, int, int]]
        hits = chain(self._find_letters(text), self._signs.find(text))
        for pattern, start, end in hits:
            exact = _is_exact(text, start, end, pattern.literal)
            found[pattern.key, start, end] = exact or found.get((pattern.key, start, end), False)
        rows = [Found(key, start, end, exact) for (key, start, end), exact in found.items()]
        return sorted(rows, key=lambda row: (row.start, -row.end, row.key))

    def _read(self, text: str) -> list[Reading]:
        return read_strict(text) if self._strict else [read_plain(text)]

    def _find_letters(self, text: str) -> Iterator[tuple[Pattern, int, int]]:
        if not self._longest:
            return
        for reading in self._read(text):
            for pattern, first, last in chain(self._find_runs(reading), self._sequences.find(reading)):
                yield pattern, reading.starts[first], reading.ends[_end_of_form(reading, last, pattern)]

    def _find_runs(self, reading: Reading) -> Iterator[tuple[Pattern, int, int]]:
        for first, last, group in self._propose(reading):
            for pattern in group:
                if is_phrase(reading, first, last, pattern, strict=self._strict):
                    yield pattern, first, last

    def _propose(self, reading: Reading) -> Iterator[tuple[int, int, list[Pattern]]]:
        for last, group in self._automaton.iter(reading.letters):
            yield last - len(group[0].letters) + 1, last, group

    def open_from(self, text: str) -> int:
        """Return the first place from which a phrase could still come to stand, if the text went on.

        Its length, if none could. A word that is not finished does not count as open by itself: whoever cuts a stream
        keeps it back anyway.
        """
        if len(text) > 2 * _TAIL:
            return len(text) - _TAIL + self.open_from(text[-_TAIL:])
        places = [len(text)]
        cut = _INCOMPLETE.search(text)
        for part in (text, text[: cut.start()]) if cut else (text,):
            for reading in self._read(part):
                places.append(self._open_letters(reading))
        signs = self._signs.open_from(text)
        return min(places) if signs is None else min(*places, signs)

    def _open_letters(self, reading: Reading) -> int:
        text, size = reading.text, len(reading.letters)
        if not size or not self._longest:
            return len(text)
        trailing = classify_gap(text[reading.ends[-1] :])
        firsts = [size]
        for first in range(max(0, size - self._longest), size):
            if self._automaton.match(reading.letters[first:]) and _may_go_on(reading, first, trailing):
                firsts.append(first)
                break
        tail = max(reading.heads[-1], size - LONGEST_REST - 2)
        firsts += [first for first, last, _ in self._propose(reading) if last >= tail]
        unfinished = trailing == Gap.NONE
        if trailing <= Gap.SPACE:
            sequence = self._sequences.open_from(reading, unfinished=unfinished)
            firsts.append(size if sequence is None else sequence)
        first = min(firsts)
        return reading.starts[first] if first < size else len(text)


def _is_exact(text: str, start: int, end: int, literal: str) -> bool:
    """Say whether a span is the phrase's very words and no part of a longer word."""
    inside = (start and text[start - 1].isalnum()) or (end < len(text) and text[end].isalnum())
    return to_literal(text[start:end]) == literal and not (
        inside and literal[0].isalnum() and literal[-1].isalnum()
    )


def _build_automaton(
    patterns: Iterable[tuple[str, Pattern | SignPattern]],
) -> tuple[ahocorasick.Automaton, int]:
    """Return an automaton that finds the patterns by their words, and how long the longest is."""
    grouped: dict[str, list[Pattern | SignPattern]] = {}
    for words, pattern in patterns:
        grouped.setdefault(words, []).append(pattern)
    automaton = ahocorasick.Automaton()
    for words, group in grouped.items():
        automaton.add_word(words, group)
    if grouped:
        automaton.make_automaton()
    return automaton, max(map(len, grouped), default=0)


def _end_of_form(reading: Reading, last: int, pattern: Pattern) -> int:
    """Return the last letter of the form that a phrase stands in: the ending belongs to it, a compound's rest does not."""
    tail = find_rest(reading, last, last)[1]
    return last + len(tail) if is_form(pattern.plain[max(pattern.joints, default=0) :], tail) else last


def _may_go_on(reading: Reading, first: int, trailing: Gap) -> bool:
    """Say whether letters up to the end could be the beginning of a phrase, by what stands between them."""
    widest = max([trailing, *reading.gaps[first + 1 :]])
    if widest < Gap.STOP:
        return True
    alone = all(reading.heads[k] == k == reading.tails[k] for k in range(first, len(reading.gaps)))
    return widest < Gap.BARRIER and alone
