"""The parts of which a sentence about a figure is made, as patterns: numbers, verbs, and what tells of another time.

English stands before Swedish. The spaces of a text are plain ones, and its case is not looked at.
"""

from memory.algorithms.quantities import NUMBER_WORDS


def either(*alternatives: str) -> str:
    return f"(?:{'|'.join(alternatives)})"


WORDS = either(*sorted({*NUMBER_WORDS, "no", "ingen", "inga", "tjugofem"} - {"one", "ett"}))
#: a number of things; "one" and "en" are more often an article, and count only after a verb of having
COUNT = either(
    r"(?<!\d)\d{1,3}(?:[ .,]?\d{3}){0,2}",
    WORDS,
    "(?<=have )one|(?<=has )one|(?<=is )one",
    "(?<=har )en|(?<=har )ett",
)
#: bounded, so that a long row of numbers costs no more than its length
DIGITS = r"(?<![\d.,])\d{1,13}(?:[ .,]\d{3}){0,4}(?:[.,]\d{1,4})?(?!\d)"
SCALE = either(
    "kr|kronor|sek|k|tkr|mkr|msek|ksek|m",
    "thousand|million|millions|billion|tusen|miljon|miljoner|miljarder|mille|spänn|:-",
)
#: a sum of money: with its unit, or with thousands, so that neither an account nor a per cent is one
SUM = (
    r"(?:sek ?)?(?:(?:minus|-|\u2013) ?)?"
    + either(
        rf"{DIGITS} ?{SCALE}(?: ?(?:kr|kronor|sek))?\b",
        rf"{DIGITS} ?:-",
        r"(?<!\d)\d{1,3}(?:[ .,]\d{3}){1,4}\b",
        r"(?<!\d)\d{5,13}\b",
        rf"{WORDS} (?:thousand|hundred thousand|millions?|tusen|hundra tusen|miljon|miljoner)\b",
        r"(?:zero|noll)\b",
    )
    + r"(?! ?(?:%|percent|procent))"
)
ABOUT = either(
    "about|around|roughly|just|some|now|currently|at|exactly|only|over|nearly|almost|still|up to|to",
    "ca|cirka|ungefär|runt|omkring|drygt|knappt|nu|just nu|i dag|idag|för närvarande|på|uppe i|nere på|bara|exakt",
    "till|strax|över|under|plus|minus|fortfarande|totalt|sammanlagt|i år",
)
IS = either(
    "is|are|stands?|shows?|totals?|amounts?|comes?|equals?|sits?|reads?|reached|has reached",
    "är|ligger|visar|uppgår|blir|står|landar|utgör|summerar",
)
HAVING = either(
    "have|has|having|had|there are|there is|with|employ|employs|got|of|are|is|see",
    "har|finns|är|med|ligger|på|har nu|sysselsätter|ser|fått",
)
#: what stands between a figure's name and its number: some words on which one, then a verb, a colon or an equals sign
GAP = rf"(?:[^.;:!?\d]{{0,60}}?\b{IS}|[^.;:!?\d]{{0,25}}[:=])(?: {ABOUT})*[ :=]+"
#: what may follow on the number of a whole; on a part of it, something that tells which part ("on parental leave")
WHOLE = r"(?=\s*(?:$|[,;:)(]|" + (
    either(
        "and|of whom|in|at|right|today|now|just|worth|totalling|totally|but|so|currently|including|at the moment",
        "och|varav|i|nu|idag|för|på|totalt|men|så|inklusive",
    )
    + r"\b))"
)

#: A clause about what was, may be, should be, or is somebody else's states nothing of how the company stands.
ELSEWHEN = (
    r"\b"
    + either(
        "if|unless|until|when|would|could|should|might|may|want|wants|aim|aims|aiming|goal|target|hope|hopes",
        "budget|budgeted|forecast|expect|expects|expected|plan|plans|planning",
        "consider|considering|thinking|discuss|discussed",
        r"below|above|under|at least|at most|(?:more|less) than(?! \d+ days)|per (?:month|hour|customer|invoice)",
        "last (?:year|month|quarter|week|autumn|spring|summer|winter)|next (?:year|month|quarter)",
        "the year before|back then|used to|was|were|had|ago|in summer|in winter|by the end",
        "another|additional|new employees|more employees",
        "(?:subsidiary|(?:parent|holding|sister) company)",
        r"customer's|supplier's|competitor\w*",
        r"om(?! (?:året|dagen|månaden))|ifall|när|tills|innan|skulle|borde|kunde|vill|ville|mål|målet|målsättning",
        "budgeterar?|budgeterad|budgeten|prognos|prognosen|räknar med|förväntar|planerar|hoppas",
        "funderar|överväger|diskuterar",
        r"minst|högst|(?:mer|mindre) än(?! \d+ dagar)|understiger|överstiger|per (?:månad|timme|kund|faktura)",
        "förra|i fjol|fjolårets|föregående|tidigare|då|var|hade|låg|blev|på sommaren|på vintern|nästa",
        "ytterligare|till anställda",
        r"(?:dotter|moder|holding|syster)bolag\w*|kunden|leverantören|konkurrent\w*",
    )
    + r"\b|\b(?:in|during|for|from|since|under|i|för|från|år) (?:19|20)\d\d\b(?! ?(?:kr|sek|:-))"
    + r"|\b(?:19|20)\d\d (?:was|had|var|hade)\b"
)
