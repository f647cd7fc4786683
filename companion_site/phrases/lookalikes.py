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
    "n": "043f 0578 0274",
    "o": "043e 03bf 03c3 0585 1d0f 0585 0e50",
    "p": "0440 03c1 1d18 03f1",
    "q": "051b 0566 0563",
    "r": "0433 0280 027e",
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


def _read(table: dict[str, str]) -> dict[str, str]:
    return {chr(int(code, 16)): letter for letter, codes in table.items() for code in codes.split()}


#: A casefolded letter of another script as the Latin letter that it looks like.
LOOKALIKES = _read(_TABLE)
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


# Of rarer scripts, and capitals whose small forms do not look so, as Unicode's confusable characters (UTS 39) group them.
_RARE_TABLE: dict[str, str] = {
    "a": "13aa 15c5 a4ee 102a0 16f40",
    "b": "13cf 13f4 1472 15af 15f7 a4d0 a7b4 10282 102a1 10301",
    "c": "03f2 03f9 13df 2ca4 2ca5 a4da abaf 102a2 10302 10415 1043d 1051c",
    "d": "13a0 13e7 146f 15de 15ea a4d2 a4d3",
    "e": "13ac 2d39 a4f0 ab32 10286 118a6 118ae",
    "f": "017f 0584 15b4 1e9d a4dd a798 a799 ab35 10287 102a5 10525 118a2 118c2",
    "g": "018d 13c0 13f3 1d83 a4d6",
    "h": "13bb 13c2 157c 2c8e a4e7 102cf",
    "i": "13a5 a647 ab75 118c3",
    "j": "13ab 148d a4d9 a7b2",
    "k": "13e6 16d5 2c94 a4d7 10518",
    "l": "13de 14aa 16c1 2c92 2d4f a4e1 a4f2 1028a 10309 1041b 10526 118a3 118b2 16f16 16f28",
    "m": "039c 03fa 13b7 15f0 16d6 2c98 a4df 102b0 10311 1d6b3 1d6ed 1d727 1d761 1d79b",
    "n": "039d 057c 2c9a a4e0 10513 1d6b4 1d6ee 1d728 1d762 1d79c",
    "o": "0b20 0d20 101d 10ff 12d0 1d11 2c9e 2c9f 2d54 a4f3 ab3d 10292 102ab 10404 1042c 104c2 104ea 10516 118b5 118c8 118d7",
    "p": "13e2 146d 2ca2 2ca3 a4d1 10295",
    "q": "2d55",
    "r": "13a1 13d2 1587 1d26 2c85 a4e3 ab47 ab48 ab81 104b4 16f35",
    "s": "01bd 054f 13d5 13da a4e2 abaa 10296 10420 10448 118c1 16f3a",
    "t": "13a2 2ca6 a4d4 10297 102b1 10315 118bc 16f0a",
    "u": "028b 1200 144c a4f4 a79f ab4e ab52 104ce 104f6 118b8 118d8 16f42",
    "v": "13d9 142f 2d38 a4e6 a6df aba9 1051d 11706 118a0 118c0 16f08",
    "w": "026f 13b3 13d4 a4ea ab83 1170a 1170e 1170f",
    "x": "1541 157d 16b7 2cac 2d5d a4eb a7b3 10290 102b4 10317 10527",
    "y": "0263 03a5 03d2 13a9 13bd 1d8c 1eff 2ca8 a4ec ab5a 102b2 118a4 118dc 16f43 1d6bc 1d6f6 1d730 1d76a 1d7a4",
    "z": "0396 13c3 a4dc ab93 118a9 118c4 1d6ad 1d6e7 1d721 1d75b 1d795",
}

#: A character as the Latin letter that it looks like.
RARE_LOOKALIKES = _read(_RARE_TABLE)
