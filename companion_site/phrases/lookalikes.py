"""Characters that pass for a Latin letter: the ones found in disguised names, beyond what Unicode itself folds.

Compatibility folding (NFKC) has full-width, mathematical, circled and superscript letters already. The table here adds
what it leaves alone: letters of other scripts, small capitals, boxed letters and the digits and signs of "leet".
"""

# A Latin letter, and the code points of what looks like it, casefolded.
_TABLE: dict[str, str] = {
    "a": "0430 03b1 0251 1d00 0430 ab7a",
    "b": "0432 044c 03b2 0299 0185",
    "c": "0441 03f2 1d04 217d abaf",
    "d": "0501 0257 1d05 217e",
    "e": "0435 03b5 0451 0454 04bd 1d07 212f",
    "f": "0192 a730 03dd 0493",
    "g": "0261 050d 0581 0262",
    "h": "043d 04bb 0570 029c 03b7",
    "i": "0456 03b9 0457 0131 0269 026a ab75 04cf",
    "j": "0458 03f3 0575 1d0a",
    "k": "043a 03ba 1d0b 049b",
    "l": "217c 029f 01c0 043b 2cd1",
    "m": "043c 1d0d 217f",
    "n": "043f 03b7 0578 0274 043f",
    "o": "043e 03bf 03c3 0585 1d0f 0585 0e50",
    "p": "0440 03c1 1d18 03f1",
    "q": "051b 0566 0563",
    "r": "0433 0280 027e 0440",
    "s": "0455 a731 0282 03c2",
    "t": "0442 03c4 1d1b 0565",
    "u": "03c5 057d 1d1c 0446 03bc",
    "v": "03bd 0475 1d20 2174",
    "w": "0461 051d 0561 1d21 03c9 0448",
    "x": "0445 03c7 2179 00d7",
    "y": "0443 03b3 04af 028f 10e7",
    "z": "1d22 0290 01b6",
    "å": "04d1",
    "ä": "04d3",
    "ö": "04e7",
}
# What a name loses in print when its accents are left out; NFKD has the rest.
_BARE = {"å": "a", "ä": "a", "ö": "o", "ø": "o", "æ": "a", "ß": "s", "đ": "d", "ł": "l", "ð": "d", "þ": "p"}

#: A digit as a letter; "1" is both "i" and "l", so the skeleton makes these two one.
LEET_DIGITS = {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t"}
#: A sign as a letter, where it stands between letters.
LEET_SIGNS = {"@": "a", "$": "s", "!": "i", "|": "l", "€": "e", "£": "l", "¡": "i"}
#: Signs that also begin a word so.
LEADING_SIGNS = frozenset("@$€")


def _read_table() -> dict[str, str]:
    table: dict[str, str] = {}
    for letter, codes in _TABLE.items():
        for code in codes.split():
            table.setdefault(chr(int(code, 16)), letter)
    return table


def _box_letters() -> dict[str, str]:
    """Return the boxed letters that Unicode calls symbols: white on black circles and squares, flags' letters."""
    firsts = (0x1F150, 0x1F170, 0x1F1E6)
    return {chr(first + place): chr(ord("a") + place) for first in firsts for place in range(26)}


#: A casefolded letter of another script as the Latin letter that it looks like.
LOOKALIKES = _read_table()
#: Symbols that are letters in a box.
BOXED = _box_letters()


def _map_letters(*, bare: bool) -> dict[int, str]:
    """Return the map from folded characters to Latin letters; without accents, and "i" and "l" one, if bare."""
    pairs = {**LEET_DIGITS, **LOOKALIKES}
    if not bare:
        return {ord(char): letter for char, letter in pairs.items()}
    pairs |= _BARE | {"i": "l"}
    return {
        ord(char): {"i": "l"}.get(_BARE.get(letter, letter), _BARE.get(letter, letter))
        for char, letter in pairs.items()
    }


_SKELETON = _map_letters(bare=True)
_LATIN = _map_letters(bare=False)


def to_skeleton(folded: str) -> str:
    """Return folded letters and digits as what is compared when disguises count, as many characters."""
    return folded.translate(_SKELETON)


def to_latin(folded: str) -> str:
    """Return folded letters as Latin ones, accents kept, and digits as the letters they stand for."""
    return folded.translate(_LATIN)
