"""Phrases of several words whose inner words are inflected ("svart hål": "det svarta hålet"), by their stems."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from companion_site.language import LANGUAGES, Language, frequency, stem_words
from companion_site.phrases.compounds import LONG_NAME
from companion_site.phrases.folding import Gap, Reading, latin
from companion_site.phrases.inflection import is_form
from companion_site.phrases.lookalikes import to_skeleton
from companion_site.phrases.patterns import Pattern, words_of

_Node = dict[str, Any]
_HERE = ""
_SHORTEST_NEUTER = 4
_ENDING = re.compile("(?<=[eiouyåäö])(?:rnas|rna|ns|ts|rs|n|t|r)$")


class StemSequences:
    """All phrases of two words and more as one tree of stems for each language."""

    def __init__(self, patterns: Iterable[Pattern], *, strict: bool) -> None:
        self._strict = strict
        self._roots: dict[Language, _Node] = {language: {} for language in LANGUAGES}
        several = [pattern for pattern in patterns if pattern.own and pattern.joints]
        rows = [words_of(pattern) for pattern in several]
        self._deepest = max(map(len, rows), default=0)
        flat = [word for row in rows for word in row]
        for language in LANGUAGES:
            stemmed = iter(self._stem(flat, language))
            for pattern, row in zip(several, rows, strict=True):
                self._insert(self._roots[language], [next(stemmed) for _ in row], pattern)
        for pattern, row in zip(several, rows, strict=True):
            common = [_drop_neuter(word) for word in row[:-1]]
            if common != row[:-1]:
                self._insert(self._roots["sv"], self._stem([*common, row[-1]], "sv"), pattern)

    def _stem(self, words: list[str], language: Language) -> list[str]:
        found = stem_words(words, language)
        return [to_skeleton(stem) for stem in found] if self._strict else found

    def _stem_said(self, words: list[str], language: Language) -> list[set[str]]:
        """Return each word's stems: Swedish definite forms after a vowel keep their ending in Snowball ("energin")."""
        found = [{stem} for stem in self._stem(words, language)]
        if language == "sv":
            bare = [_ENDING.sub("", word) for word in words]
            for stems, stem in zip(found, self._stem(bare, language), strict=True):
                stems.add(stem)
        return found

    @staticmethod
    def _insert(node: _Node, path: list[str], pattern: Pattern) -> None:
        for stem in path:
            node = node.setdefault(stem, {})
        node.setdefault(_HERE, []).append(pattern)

    def find(self, reading: Reading) -> Iterator[tuple[Pattern, int, int]]:
        """Yield each phrase that stands there in some form, with its first and last letter."""
        if not self._deepest:
            return
        heads, words = self._read_words(reading)
        for language in LANGUAGES:
            stemmed = self._stem_said(words, language)
            for i in range(len(words)):
                yield from self._walk(reading, heads, words, stemmed, i, self._roots[language])

    def _read_words(self, reading: Reading) -> tuple[list[int], list[str]]:
        heads = sorted(set(reading.heads))
        if self._strict:
            return heads, [latin(reading, head, reading.tails[head]) for head in heads]
        return heads, [reading.plain[head : reading.tails[head] + 1] for head in heads]

    def _walk(
        self,
        reading: Reading,
        heads: list[int],
        words: list[str],
        stemmed: list[set[str]],
        i: int,
        root: _Node,
    ) -> Iterator[tuple[Pattern, int, int]]:
        nodes = [root]
        for j in range(i, len(words)):
            nodes = _step(reading, heads, stemmed, i, j, nodes)
            for pattern in chain.from_iterable(node.get(_HERE, ()) for node in nodes):
                if self._is_near(words[i : j + 1], pattern):
                    yield pattern, heads[i], reading.tails[heads[j]]
            if not nodes:
                return

    def _is_near(self, said: list[str], pattern: Pattern) -> bool:
        """Say whether words with the phrase's stems are its words: that long, or each one's plain form."""
        if len(pattern.plain) >= LONG_NAME:
            return True
        return all(
            word == own or (word.startswith(own) and is_form(own, word[len(own) :]))
            for word, own in zip(said, words_of(pattern), strict=True)
        )

    def open_from(self, reading: Reading, *, unfinished: bool) -> int | None:
        """Return the first letter from which a phrase could still come, if the text went on.

        Args:
            reading: the end of a text.
            unfinished: whether its last word could go on.
        """
        if not self._deepest:
            return None
        heads, words = self._read_words(reading)
        complete = len(words) - 1 if unfinished else len(words)
        if complete < len(words) and reading.gaps[heads[complete]] > Gap.SPACE:
            return None
        begin = max(0, complete - self._deepest)
        alive: list[int] = []
        for language in LANGUAGES:
            stemmed = self._stem_said(words[begin:complete], language)
            for i in range(len(stemmed)):
                if _reaches_end(reading, heads[begin:complete], stemmed, i, self._roots[language]):
                    alive.append(heads[begin + i])
                    break
        return min(alive, default=None)


def _reaches_end(reading: Reading, heads: list[int], stemmed: list[set[str]], i: int, root: _Node) -> bool:
    """Say whether the words from the i-th on are the first words of a phrase that has more."""
    nodes = [root]
    for j in range(i, len(stemmed)):
        nodes = _step(reading, heads, stemmed, i, j, nodes)
        if not nodes:
            return False
    return any(key != _HERE for node in nodes for key in node)


def _drop_neuter(word: str) -> str:
    """Return a Swedish adjective without its neuter ending ("surt regn": "det sura regnet"); any other word as it is."""
    if len(word) < _SHORTEST_NEUTER or word[-1] != "t" or frequency(word + "a", "sv"):
        return word
    return word[:-1] if frequency(word[:-1] + "a", "sv") else word


def _step(
    reading: Reading, heads: list[int], stemmed: list[set[str]], i: int, j: int, nodes: list[_Node]
) -> list[_Node]:
    """Return the nodes that the j-th word leads on to, none over the end of a sentence."""
    if j > i and reading.gaps[heads[j]] > Gap.SPACE:
        return []
    return [node[stem] for node in nodes for stem in stemmed[j] if stem in node]
