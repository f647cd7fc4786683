"""Phrases with signs that matter ("C++", "R&B", an emoji): found sign by sign, white space aside."""

from collections.abc import Iterable, Iterator

import ahocorasick

from companion_site.phrases.patterns import SignPattern, read_signs


class SignSearch:
    """All phrases with signs as one automaton."""

    def __init__(self, patterns: Iterable[SignPattern]) -> None:
        grouped: dict[str, list[SignPattern]] = {}
        for pattern in patterns:
            grouped.setdefault(pattern.signs, []).append(pattern)
        self._longest = max(map(len, grouped), default=0)
        self._automaton = ahocorasick.Automaton()
        for signs, group in grouped.items():
            self._automaton.add_word(signs, group)
        if grouped:
            self._automaton.make_automaton()

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
