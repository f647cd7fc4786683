"""Where a fact and a live figure speak of the same thing: the books are right, whatever is remembered.

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
