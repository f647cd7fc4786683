"""Letters of rarer scripts, and capitals, that look like a Latin letter though their small forms do not.

Code points by Latin letter, as Unicode's table of confusable characters (UTS 39) groups them.
"""

_TABLE: dict[str, str] = {
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
RARE_LOOKALIKES = {chr(int(code, 16)): letter for letter, codes in _TABLE.items() for code in codes.split()}
