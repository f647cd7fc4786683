"""Which regular expressions may take time that is quadratic in a text: read from their parse trees, since no clock is asked.

A search begins at every character. Where it can begin anywhere inside what an unbounded repeat takes, and fail behind it, each
beginning goes over the same characters again. Characters stand for their kind: a sample of every kind there is.
"""

import re
import re._constants as sre
import re._parser as parser
from collections.abc import Iterator
from dataclasses import dataclass, replace

SAMPLE = (
    "\t\n\x0b\r "
    + "".join(map(chr, range(33, 127)))
    + "\x00\x85\u00a0\u00ad\u200b\u2028\u0301\u0130\u017f\u00e5\u00c5\u00e4\u00c4\u00f6\u00d6\u00e9\u00df"
    + "\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2026\u00ab\u00bb\u00a1\u0661\u6211\u0627\U0001f600\uff1c"
)
ALL = frozenset(SAMPLE)
WORD = frozenset(char for char in SAMPLE if re.match(r"\w", char))
MANY = 64


@dataclass(frozen=True)
class Item:
    """One element in the order of a path: the characters it may take, whether it must, and whether it goes on for ever."""

    chars: frozenset[str] = frozenset()
    needed: bool = False
    endless: bool = False
    #: what it looks for and takes nothing of: it may fail
    checks: bool = False
    #: a place where it can only begin: what must not stand before it; None for a word's edge
    guards: frozenset[str] | None = frozenset()
    is_edge: bool = False
    #: the groups that it stands in and that may be left out: where it fails they are
    left_out: frozenset[int] = frozenset()


def find_quadratic(pattern: re.Pattern[str]) -> list[str]:
    """Return the repeats of a pattern, as what they take, that make a search in them quadratic."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE | re.UNICODE)
    found = []
    for path in _paths(list(tree), pattern.flags):
        for place, item in enumerate(path):
            if (
                item.endless
                and _may_fail(item, path[place + 1 :])
                and _begins_anywhere(path[:place], item.chars)
            ):
                shown = "".join(sorted(item.chars))
                found.append(shown if len(shown) < 20 else f"{shown[:20]!r}… of {len(shown)}")
    return sorted(set(found))


def _may_fail(repeat: Item, rest: list[Item]) -> bool:
    return any((item.needed or item.checks) and item.left_out <= repeat.left_out for item in rest)


def _begins_anywhere(before: list[Item], chars: frozenset[str]) -> bool:
    """Tell whether what comes first can be taken from the very characters that the repeat takes, at more than one place."""
    room = chars
    for item in before:
        if item.is_edge and (room <= WORD or not room & WORD):
            return False
        if item.guards is None:
            return False
        room = room - item.guards
        if not room:
            return False
        if item.needed and not item.chars & chars:
            return False
    return True


def _paths(tree: list, flags: int) -> list[list[Item]]:
    """Return the ways through a pattern, alternatives apart; of very many the first."""
    paths: list[list[Item]] = [[]]
    for op, value in tree:
        ways = _ways(op, value, flags)
        paths = [path + way for path in paths for way in ways][:MANY]
    return paths


def _ways(op, value, flags: int) -> list[list[Item]]:
    if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
        return [[Item(chars=_chars(op, value, flags), needed=True)]]
    if op is sre.BRANCH:
        return [path for branch in value[1] for path in _paths(list(branch), flags)]
    if op is sre.SUBPATTERN:
        return _paths(list(value[3]), (flags | value[1]) & ~value[2])
    if op is sre.ATOMIC_GROUP:
        return _paths(list(value), flags)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least, most, body = value
        inner = _paths(list(body), flags)
        taken = frozenset().union(*(item.chars for path in inner for item in path))
        if most is not sre.MAXREPEAT:
            if least:
                return inner
            group = frozenset({id(body)})
            return [[], *([replace(item, left_out=item.left_out | group) for item in path] for path in inner)]
        loop = [Item(chars=taken, endless=True)]
        return [*([loop] if least == 0 else []), *([path[:1] + loop for path in inner] if least else [])]
    if op is sre.ASSERT or op is sre.ASSERT_NOT:
        direction, body = value
        if direction > 0:
            return [[Item(checks=True)]]
        last = [path[-1] for path in _paths(list(body), flags) if path]
        if op is sre.ASSERT_NOT and all(len(path) == 1 for path in _paths(list(body), flags)):
            return [[Item(checks=True, guards=frozenset().union(*(item.chars for item in last)))]]
        if op is sre.ASSERT:
            return [[Item(checks=True, guards=ALL - frozenset().union(*(item.chars for item in last)))]]
        return [[Item(checks=True)]]
    if op is sre.AT:
        if value in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            lines = value is sre.AT_BEGINNING and flags & re.MULTILINE
            return [[Item(checks=True, guards=ALL - {"\n"} if lines else None)]]
        return [[Item(checks=True, is_edge=value is sre.AT_BOUNDARY)]]
    return [[Item(checks=True)]]


def _chars(op, value, flags: int) -> frozenset[str]:
    if op is sre.ANY:
        return ALL if flags & re.DOTALL else ALL - {"\n"}
    if op in (sre.LITERAL, sre.NOT_LITERAL):
        # A rare sign stands for itself.
        same = {chr(value)}
        if flags & re.IGNORECASE:
            same |= {chr(value).lower(), chr(value).upper()}
        return frozenset(same) if op is sre.LITERAL else ALL - same
    chars, negated = set(), False
    for kind, what in value:
        if kind is sre.NEGATE:
            negated = True
        elif kind is sre.LITERAL:
            chars |= _chars(sre.LITERAL, what, flags)
        elif kind is sre.RANGE:
            chars |= {
                char for char in SAMPLE if any(what[0] <= ord(one) <= what[1] for one in _cases(char, flags))
            }
        elif kind is sre.CATEGORY:
            chars |= {char for char in SAMPLE if re.match(_CATEGORIES[what], char)}
    return ALL - frozenset(chars) if negated else frozenset(chars)


def _cases(char: str, flags: int) -> Iterator[str]:
    yield char
    if flags & re.IGNORECASE:
        yield from (one for one in (char.lower(), char.upper()) if len(one) == 1)


_CATEGORIES = {
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
}
