"""Single words that are the two ends of one matter, in both languages; a denial turns one into the other.

Only ends of which a thing is at one at a time, and that nobody uses to tell one thing from another ("my little
brother"): moods and sizes are left out.
"""

#: axis: English words of the one end, of the other | Swedish words of the one, of the other
_TABLE = """
hours: full-time fulltime, part-time parttime | heltid heltidsanställd, deltid
price: expensive pricey, cheap inexpensive | dyr dyrt dyra, billig billigt billiga
speed: fast quick, slow | snabb snabbt snabba, långsam långsamt långsamma
power: strong, weak | stark starkt starka, svag svagt svaga
safety: safe, dangerous unsafe | säker säkert säkra, farlig farligt farliga
doors: indoors, outdoors | inomhus, utomhus
fill: full, empty | full fullt fulla, tom tomt tomma
wetness: wet, dry | blöt blött blöta, torr torrt torra
duty: compulsory mandatory obligatory, optional voluntary | obligatorisk obligatoriskt, frivillig frivilligt valfri valfritt
pay: paid, unpaid | avlönad betald, oavlönad obetald
lasting: permanent, temporary | permanent, tillfällig tillfälligt
curl: straight, curly wavy | rakt, lockigt
rule: strict, lenient | sträng stränga, släpphänt
manners: polite, rude | artig artiga, otrevlig ohövlig
zeal: hardworking diligent, lazy | flitig flitiga, lat lata
publicity: public, private | offentlig offentligt, privat
contact: online remotely, in-person on-site | online distans, på-plats
"""


def _read_table() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {"en": {}, "sv": {}}
    for line in filter(None, _TABLE.splitlines()):
        axis, words = line.split(":")
        for language, ends in zip(("en", "sv"), words.split("|"), strict=True):
            for sign, end in zip("+-", ends.split(","), strict=True):
                found[language].update(dict.fromkeys(end.split(), f"@{axis}{sign}"))
    return found


#: language → word → the end it stands for
ENDS = _read_table()
