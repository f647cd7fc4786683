"""What a sentence says of the live figures: the books are right, whatever is remembered.

Two things are asked: whether a sentence states a figure as it is now, so that it need not be remembered beside the books; and
which figure says otherwise than a fact that is remembered.

"We have 2 employees" states a figure; a plan, a limit, last year's number, a part of the whole and the number of an
account state none. In doubt a sentence states nothing: a fact that is remembered beside the books does less harm than
one that is not remembered at all. In the patterns English stands before Swedish; case is not looked at. Only staff, cash, revenue
and result are looked for here; other figures are told by their names (`extraction.validation`).

A fact speaks of a figure where it gives a number for it as things are: "2 employees", "två anställda", "the bank
balance is 120k". A number beside other words, a year, or what was true of another year speaks of no figure here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isclose

from companion_site.language import fold_words
from memory.algorithms.quantities import NUMBER_WORDS
from memory.company.live.catalogue import FIGURES, figure_label, unit_of
from memory.models import Kpi


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


#: blanks that do not break, and the sign of minus, as a keyboard has them
PLAIN = str.maketrans("\u00a0\u202f\u2212", "  -")
#: a sentence, a line, or a part of a sentence
CLAUSE_END = re.compile(r"(?<=[.!?;])\s+|\n+|,\s+|\s+(?=(?:but|men)\s)", re.IGNORECASE)


def _amount_of(*names: str) -> str:
    return rf"\b{either(*names)}\b{GAP}{SUM}"


def _count_of(names: str, *, kinds: str) -> str:
    """Return the pattern of "we have 2 employees" and of "2 employees, consulting firm"; parts of a whole are none."""
    whole = rf"{COUNT}(?: (?:{kinds}))* (?:{names})\b{WHOLE}"
    return either(
        rf"\b{HAVING}(?: (?:{ABOUT}|a total of))* {whole}",
        rf"^\W*{whole}",
        rf"\b(?:number of|antal(?:et)?) (?:{kinds})?\s?(?:{names})\b{GAP}{COUNT}\b",
    )


PATTERNS: dict[str, tuple[str, ...]] = {
    "employees": (
        _count_of(
            "employees?|employed|staff|people employed|people on the payroll|"
            "anställda?|personer anställda|heltidsanställda|medarbetare",
            kinds="full[- ]time|permanent|people|fasta|personer",
        ),
        rf"\b(?:headcount|staff count|personalstyrkan?)\b{GAP}{COUNT}\b",
        rf"\b(?:we are|we're|there are) {COUNT} (?:people employed|employed|of us (?:employed|on the payroll))\b",
        rf"\bvi är {COUNT} anställda\b",
        rf"\b(?:the company|we) employs? {COUNT} (?:people|persons)\b",
        rf"\b(?:bolaget|företaget|firman|vi) sysselsätter {COUNT} (?:personer|pers)\b",
    ),
    "cash": (
        _amount_of(
            "bank balance|account balance|cash(?: balance| position| in hand)?",
            "balance (?:in|of|on) the (?:bank|company|business)(?: account)?",
            "banksaldot?|kassan?|likvida medel|likviditeten|bankkontot?|företagskontot?",
            "saldot på (?:banken|kontot|bankkontot|företagskontot)|saldot(?= (?:på|är|ligger))",
        ),
        rf"\b{SUM} (?:in (?:the|our) (?:bank|bank account|account|business account)|in cash)\b",
        rf"\b{SUM} (?:på (?:kontot|banken|bankkontot|företagskontot)|i (?:kassan|banken))\b(?! *till\b)",
    ),
    "revenue_year": (
        _amount_of(
            "revenues?|turnover|sales|net sales",
            "(?:netto)?omsättning(?:en)?|intäkter(?:na)?|försäljning(?:en)?",
        ),
        rf"\bturn(?:s|ing)? over(?: {ABOUT})* {SUM}",
        rf"\b(?:vi|bolaget|företaget|firman) (?:omsätter|har omsatt|har fakturerat)(?: {ABOUT}| hittills)* {SUM}",
        rf"\b{SUM} (?:in (?:revenue|sales|turnover)|i (?:omsättning|intäkter))\b",
    ),
    "result_year": (
        _amount_of(
            "(?:net |operating )?(?:profit|loss|result|earnings)(?! (?:and loss )?statement)",
            "(?:rörelse|års|netto)?resultat(?:et)?|vinst(?:en)?|förlust(?:en)?",
        ),
        rf"\b(?:profit of|loss of|vinst på|förlust på)(?: {ABOUT})* {SUM}",
        rf"\b{SUM} i (?:vinst|förlust)\b(?! *utdel)",
    ),
}

_ELSEWHEN = re.compile(ELSEWHEN, re.IGNORECASE)
_STATED = {key: re.compile(either(*patterns), re.IGNORECASE) for key, patterns in PATTERNS.items()}


def covers(content: str) -> frozenset[str]:
    """Return the keys of `PATTERNS` that a sentence states, English or Swedish."""
    clauses = [clause.strip() for clause in CLAUSE_END.split(content.translate(PLAIN))]
    present = [clause for clause in clauses if not _ELSEWHEN.search(clause)]
    return frozenset(key for key, pattern in _STATED.items() if any(map(pattern.search, present)))


#: Words that may stand between a figure's name and its number: "the balance is now about 120k".
_BETWEEN = r"(?:is|are|was|of|at|now|about|around|this year|är|var|på|nu|ca|cirka|ungefär|om|i år|:|=)"
_SCALES = {"k": 1e3, "tkr": 1e3, "tusen": 1e3, "thousand": 1e3, "mkr": 1e6, "msek": 1e6, "m": 1e6, "million": 1e6,
           "miljoner": 1e6, "miljon": 1e6, "mnkr": 1e6}  # fmt: skip
_NUMBER = (
    r"(?<![\w.,/-])(?P<number>\d{1,3}(?:[ .,]\d{3})+(?!\d)|\d+(?:[.,]\d+)?|" + "|".join(NUMBER_WORDS) + r")"
    r"(?:\s?(?P<scale>"
    + "|".join(sorted(_SCALES, key=len, reverse=True))
    + r")(?!\w))?(?:\s?(?P<currency>kr|sek|kronor|crowns)(?!\w))?(?![\w/-])"
)
#: What is said or asked of another time than now.
ANOTHER_TIME = re.compile(
    r"(?<![\w-])(?:19|20)\d\d(?!\w)|\b(?:last year|förra året|i fjol|previous year|föregående år)\b"
)
#: From so much on a bare number is read as money rather than as a count.
_COUNTED = 1_000


def names_of(figure: Kpi) -> tuple[str, ...]:
    """Return what a figure goes by, casefolded: its labels, its key, and what people say."""
    labels = [figure_label(figure, "en"), figure_label(figure, "sv"), figure.label]
    folded = map(fold_words, [*labels, figure.key.replace("_", " ").replace("-", " ")])
    return tuple(
        dict.fromkeys(
            name for name in (*(FIGURES[figure.key].spoken if figure.key in FIGURES else ()), *folded) if name
        )
    )


def tell_overruling(figure: Kpi) -> str:
    """Return a figure as a line of the block has it: "Employees = 3"."""
    return f"{figure_label(figure, 'en')} = {figure.value.normalize():f} {unit_of(figure)}".rstrip()


def find_overruling(content: str, figures: Iterable[Kpi]) -> Kpi | None:
    """Return the figure that says otherwise about what a fact gives a number for; None where none does."""
    text = fold_words(content)
    if ANOTHER_TIME.search(text):
        return None
    for figure in figures:
        if figure.key not in FIGURES and not figure.label:
            # It has no name that people would call it by.
            continue
        named = [name for name in names_of(figure) if name in text]
        numbers = list(_numbers_of(text, named, counts=not unit_of(figure))) if named else []
        if numbers and not any(isclose(number, float(figure.value), rel_tol=0.005) for number in numbers):
            return figure
    return None


def _numbers_of(text: str, names: Sequence[str], *, counts: bool) -> Iterator[float]:
    """Yield the numbers that a folded text gives for what has one of these names: counts, or amounts of money."""
    name = "(?:" + "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) + r")\w*"
    before = re.compile(rf"{_NUMBER}\s(?:\w+\s)?(?:in\s|i\s)?{name}")
    after = re.compile(rf"\b{name}\s?(?:{_BETWEEN}\s?){{0,3}}{_NUMBER}")
    for match in (*before.finditer(text), *after.finditer(text)):
        number = _read(match["number"]) * _SCALES.get(match["scale"] or "", 1.0)
        if (number < _COUNTED and not match["scale"] and not match["currency"]) == counts:
            yield number


def _read(number: str) -> float:
    if number in NUMBER_WORDS:
        return float(NUMBER_WORDS[number])
    if re.fullmatch(r"\d{1,3}(?:[ .,]\d{3})+", number):
        return float(re.sub(r"\D", "", number))
    return float(number.replace(",", "."))
