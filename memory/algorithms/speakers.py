"""Whose words a question asks about. Pure: English and Swedish pronouns, and the names of those who spoke."""

import re
from collections.abc import Sequence

_USER_WORDS = frozenset(
    {"i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself"}
    | {"jag", "mig", "mej", "min", "mitt", "mina"}
)
_COMPANION_WORDS = frozenset(
    {"you", "you're", "you've", "you'd", "your", "yours", "yourself"}
    | {"du", "dig", "dej", "din", "ditt", "dina"}
)
#: Speakers of conversations that name roles, not people.
_USER_ROLES = frozenset({"user", "human", "student"})
_COMPANION_ROLES = frozenset({"assistant", "companion", "ai", "bot"})

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def find_speakers(
    text: str, names: Sequence[str], *, user: int | None = None, companion: int | None = None
) -> frozenset[int]:
    """Return the numbers of the speakers that a question names, in words or by "I" and "you".

    Args:
        text: the question.
        names: the speaker with number i is called `names[i]`; a full name is also known by its first word. A name
            that is a role ("user", "assistant") is also meant by "I" or "you"; an empty one only by `user`.
        user: the number that "I" and "jag" stand for, besides.
        companion: the number that "you" and "du" stand for, besides.
    """
    said = {_bare(word) for word in _words(text)}
    found = {number for number, name in enumerate(names) if said & _known_as(name)}
    for pronouns, roles, one in (
        (_USER_WORDS, _USER_ROLES, user),
        (_COMPANION_WORDS, _COMPANION_ROLES, companion),
    ):
        if said & pronouns:
            found.update(number for number, name in enumerate(names) if name.casefold() in roles)
            found |= set() if one is None else {one}
    return frozenset(found)


def strip_names(text: str, names: Sequence[str]) -> str:
    """Return the question without the names of `names`, for its lexical tokens.

    A name in a conversation mostly addresses the other person ("Thanks, Anna!"), so as a search word it leads to
    what was said *to* Anna; the speaker's weight does the work better.
    """
    known = frozenset().union(*(_known_as(name) for name in names))
    return _WORD.sub(lambda match: "" if _bare(match.group().casefold()) in known else match.group(), text)


def _words(text: str) -> list[str]:
    return [match.group().casefold().replace("\u2019", "'") for match in _WORD.finditer(text)]


def _bare(word: str) -> str:
    """Return the word without an English genitive."""
    return word.replace("\u2019", "'").removesuffix("'s").removesuffix("'")


def _known_as(name: str) -> frozenset[str]:
    """Return a name's first word, and its Swedish genitive."""
    words = _words(name)
    if not words:
        return frozenset()
    return frozenset({words[0], words[0] + "s"})
