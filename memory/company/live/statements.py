"""What a sentence says of the live figures: the books are right, whatever is remembered.

Two things are asked: whether a sentence states a figure as it is now, so that it need not be remembered beside the books; and
which figure says otherwise than a fact that is remembered.

A sentence states a figure where it gives a number for it as things are: "2 employees", "två anställda", "the bank balance is
120k". A plan, a limit, last year's number, a part of the whole and the number of an account state none. In doubt a sentence states
nothing: a fact that is remembered beside the books does less harm than one that is not remembered at all. English stands before
Swedish; case is not looked at.
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
    "have|has|having|had|there are|there is|with|employ|employs|got|of|are|we're|is|see",
    "har|finns|är|med|ligger|på|har nu|sysselsätter|ser|fått",
)
#: what stands before the number of a whole
LEAD = rf"(?:^\W*|\b{HAVING}(?: (?:{ABOUT}|a total of))* )"
#: what stands between a figure's name and its number: some words on which one, then a verb, a colon or an equals sign
GAP = rf"(?:[^.;:!?\d]{{0,60}}?\b{IS}|[^.;:!?\d]{{0,25}}[:=])(?: {ABOUT})*[ :=]+"
#: what may follow on the number of a whole; on a part of it, something that tells which part ("on parental leave")
WHOLE = r"(?=\s*(?:$|[,;:)(]|" + (
    either(
        "and|of whom|in|at|by|right|today|now|just|worth|totalling|totally|but|so|currently|including|at the moment",
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
        r"om(?! (?:året|dagen|månaden))|ifall|när|tills|innan|skulle|borde|kunde|vill|ville|\w*mål(?:et)?|målsättning",
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

_SCALES = {"k": 1e3, "tkr": 1e3, "tusen": 1e3, "thousand": 1e3, "mkr": 1e6, "msek": 1e6, "m": 1e6, "million": 1e6,
           "miljoner": 1e6, "miljon": 1e6, "mnkr": 1e6}  # fmt: skip
_COUNTS = {**NUMBER_WORDS, "en": 1, "tjugofem": 25, "no": 0, "ingen": 0, "inga": 0}
_NUMBER = (
    r"(?<![\w.,/])(?<!\w-)(?P<number>\d{1,3}(?:[ .,]\d{3})+(?!\d)|\d+(?:[.,]\d+)?|" + "|".join(_COUNTS) + r")"
    r"(?:\s?(?P<scale>"
    + "|".join(sorted(_SCALES, key=len, reverse=True))
    + r")(?!\w))?(?:\s?(?P<currency>kr|sek|kronor|crowns)(?!\w))?(?![\w/-]| ?(?:%|percent|procent))"
)
#: From so much on a bare number is read as money rather than as a count.
_COUNTED = 1_000
_ELSEWHEN, _GIVES_NUMBER = (re.compile(pattern, re.IGNORECASE) for pattern in (ELSEWHEN, _NUMBER))
#: What is said or asked of another time than now.
ANOTHER_TIME = re.compile(
    r"(?<![\w-])(?:19|20)\d\d(?!\w)|\b(?:last year|förra året|i fjol|previous year|föregående år)\b"
)


def covers(content: str) -> frozenset[str]:
    """Return the keys of the figures that a sentence states, English or Swedish."""
    clauses = _present_clauses(content)
    named = {key: (*known.spoken, *known.stated) for key, known in FIGURES.items()}
    return frozenset(
        key for key, names in named.items() if [*_numbers_of(clauses, names, counts=not FIGURES[key].unit)]
    )


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
    clauses = _present_clauses(content)
    for figure in figures:
        if figure.key not in FIGURES and not figure.label:
            # It has no name that people would call it by.
            continue
        said = [abs(one) for one in _numbers_of(clauses, names_of(figure), counts=not unit_of(figure))]
        if said and not any(isclose(one, abs(float(figure.value)), rel_tol=0.005) for one in said):
            return figure
    return None


def _present_clauses(content: str) -> list[str]:
    """Return what a sentence says with a number of how things are now, folded, clause by clause."""
    clauses = (clause.strip(" .!;") for clause in CLAUSE_END.split(content.translate(PLAIN)))
    return [
        fold_words(clause)
        for clause in clauses
        if _GIVES_NUMBER.search(clause) and not _ELSEWHEN.search(clause)
    ]


def _numbers_of(clauses: Iterable[str], names: Sequence[str], *, counts: bool) -> Iterator[float]:
    """Yield the numbers that folded clauses give for what has one of these names: counts, or amounts of money."""
    for text in clauses:
        named = [re.escape(name) for name in sorted(names, key=len, reverse=True) if name in text]
        if not named:
            continue
        name = rf"{either(*named)}\w*"
        near = rf"(?: {IS})?(?: {ABOUT})*[ :=]+"
        # Of a count only the whole is one, and only where somebody has it.
        lead, gap, whole = (LEAD, near, WHOLE) if counts else ("", either(GAP, near), "")
        before = rf"{lead}{_NUMBER}\s(?:of our |\w+\s)?(?:in (?:the |our )?|i\s)?{name}{whole}"
        after = rf"\b{name}{gap}(?:- ?)?{_NUMBER}"
        for match in (*re.finditer(before, text), *re.finditer(after, text)):
            number = _read(match["number"]) * _SCALES.get(match["scale"] or "", 1.0)
            if (number < _COUNTED and not match["scale"] and not match["currency"]) == counts:
                yield number


def _read(number: str) -> float:
    if number in _COUNTS:
        return float(_COUNTS[number])
    if re.fullmatch(r"\d{1,3}(?:[ .,]\d{3})+", number):
        return float(re.sub(r"\D", "", number))
    return float(number.replace(",", "."))
