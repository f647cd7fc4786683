"""Characters that pass for a Latin letter: the ones found in disguised names, beyond what Unicode itself folds.

Compatibility folding (NFKC) has full-width, mathematical, circled and superscript letters already. The tables here add
what it leaves alone: letters of other scripts, small capitals, boxed letters and the digits and signs of "leet".
"""

import json
from pathlib import Path

# By Latin letters, the code points of what looks like each, casefolded. The rare ones are of rarer scripts, and capitals whose
# small forms do not look so, as Unicode's confusable characters (UTS 39) group them.
_TABLES = json.loads((Path(__file__).parent / "lookalikes.json").read_text(encoding="utf-8"))
# What a name loses in print when its accents are left out; NFKD has the rest.
_BARE = {"å": "a", "ä": "a", "ö": "o", "ø": "o", "æ": "a", "ß": "s", "đ": "d", "ł": "l", "ð": "d", "þ": "p"}

#: A digit as a letter; "1" is both "i" and "l", so the skeleton makes these two one.
LEET_DIGITS = {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t"}
#: A sign as a letter, where it stands between letters.
LEET_SIGNS = {"@": "a", "$": "s", "!": "i", "|": "l", "€": "e", "£": "l", "¡": "i"}
#: Signs that also begin a word so.
LEADING_SIGNS = frozenset("@$€")


def _read(table: dict[str, str]) -> dict[str, str]:
    return {chr(int(code, 16)): letter for letter, codes in table.items() for code in codes.split()}


#: A casefolded letter of another script as the Latin letter that it looks like.
LOOKALIKES = _read(_TABLES["common"])
#: A character as the Latin letter that it looks like.
RARE_LOOKALIKES = _read(_TABLES["rare"])
#: What Unicode calls symbols and are letters in a box: white on black circles and squares, flags' letters.
BOXED = {
    chr(first + place): chr(ord("a") + place) for first in (0x1F150, 0x1F170, 0x1F1E6) for place in range(26)
}
_LETTERS = LEET_DIGITS | LOOKALIKES
_LATIN = str.maketrans(_LETTERS)
#: The same without accents, and "i" and "l" one.
_SKELETON = str.maketrans(
    {
        char: _BARE.get(letter, letter).replace("i", "l")
        for char, letter in (_LETTERS | _BARE | {"i": "l"}).items()
    }
)


def to_skeleton(folded: str) -> str:
    """Return folded letters and digits as what is compared when disguises count, as many characters."""
    return folded.translate(_SKELETON)


def to_latin(folded: str) -> str:
    """Return folded letters as Latin ones, accents kept, and digits as the letters they stand for."""
    return folded.translate(_LATIN)
