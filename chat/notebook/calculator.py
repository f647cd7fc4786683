"""What a message asks for that can be worked out exactly: a sum, a day, a measure in another unit."""

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from functools import cache
from typing import TYPE_CHECKING

from chat.notebook.days import find_day
from companion_site.llm.types import Language
from memory.company.live.text import format_number

if TYPE_CHECKING:
    from pint import UnitRegistry

#: "1 250,50", "1,250.50", "1.250,50", ".5": digits with separators between them
NUMBER = r"(?:\d[\d\u00a0\u202f .,']{0,30}\d|\d|[.,]\d{1,15})"
MOST_DIGITS = 15
_GROUPED = re.compile(r"\d{1,3}([.,' ]\d{3})+")
_SPACES = re.compile(r"[\u00a0\u202f']")


def read_number(written: str, language: Language) -> Decimal | None:
    """Return what a written number is; None where it is none, or longer than anybody writes.

    A lone point or comma before three digits parts thousands where the language writes them so ("1,250" in English, "1.250" in
    Swedish), else decimals.
    """
    text = _SPACES.sub(" ", written.strip())
    if text.count(" ") and not re.fullmatch(r"\d{1,3}( \d{3})+([.,]\d+)?", text):
        return None
    text = text.replace(" ", "")
    last = max(text.rfind("."), text.rfind(","))
    thousands = "," if language == "en" else "."
    if "." in text and "," in text:
        whole, decimals = text[:last], text[last + 1 :]
        text = f"{re.sub('[.,]', '', whole)}.{decimals}"
    elif last >= 0 and text[last] == thousands and _GROUPED.fullmatch(text):
        text = text.replace(thousands, "")
    elif text.count(",") + text.count(".") > 1:
        if not _GROUPED.fullmatch(text):
            return None
        text = re.sub("[.,]", "", text)
    else:
        text = text.replace(",", ".")
    if not re.fullmatch(r"\d*\.?\d+", text) or len(text) > MOST_DIGITS:
        return None
    return Decimal(text)


def write_number(number: Decimal, language: Language, *, decimals: int = 6) -> str:
    """Return a number as the language writes it, with at most so many decimals and no zeros behind them."""
    return format_number(round(number, decimals), language)


#: what people write, by the name that the library knows; the words of both languages, singular and plural
_WRITTEN = {
    "millimeter": "mm millimetre millimetres millimeter millimeters",
    "centimeter": "cm centimetre centimetres centimeter centimeters",
    "meter": "m metre metres meter meters",
    "kilometer": "km kilometre kilometres kilometer kilometers",
    "inch": "inch inches tum",
    "foot": "foot feet ft fot",
    "yard": "yard yards",
    "mile": "mile miles",
    "ten_kilometer": "mil",
    "milligram": "mg milligram milligrams",
    "gram": "g gram grams",
    "hectogram": "hg hekto hektogram",
    "kilogram": "kg kilo kilos kilogram kilograms",
    "tonne": "ton tons tonne tonnes",
    "ounce": "oz ounce ounces uns",
    "pound": "lb lbs pound pounds",
    "milliliter": "ml millilitre millilitres milliliter milliliters",
    "centiliter": "cl centilitre centilitres centiliter centiliters",
    "deciliter": "dl decilitre decilitres deciliter deciliters",
    "liter": "l litre litres liter liters",
    "cup": "cup cups",
    "tablespoon": "tbsp tablespoon tablespoons",
    "teaspoon": "tsp teaspoon teaspoons",
    "second": "s sec second seconds sekund sekunder",
    "minute": "min minute minutes minut minuter",
    "hour": "h hour hours timme timmar",
    "day": "day days dag dagar dygn",
    "week": "week weeks vecka veckor",
    "year": "year years år",
    "degC": "°c celsius grader",
    "degF": "°f fahrenheit",
    "kelvin": "kelvin",
    "kilometer/hour": "km/h kmh",
    "meter/second": "m/s",
    "mile/hour": "mph",
    "meter**2": "m2 m² kvadratmeter",
    "hectare": "hectare hectares hektar",
    "kilobyte": "kb kilobyte kilobytes",
    "megabyte": "mb megabyte megabytes",
    "gigabyte": "gb gigabyte gigabytes",
}
UNITS = {word: name for name, words in _WRITTEN.items() for word in words.split()}
_UNIT = "|".join(re.escape(word) for word in sorted(UNITS, key=len, reverse=True))
_DEGREES = r"(?:degrees?\s+|grader\s+|°\s?)?"
_INTO = re.compile(
    rf"(?P<number>-?{NUMBER})\s*{_DEGREES}(?P<unit>{_UNIT})\s+(?:is |are |är |blir )?(?:in|to|into|i|till|as)\s+{_DEGREES}(?P<into>{_UNIT})\b"
)
_HOW_MANY = re.compile(
    rf"\b(?:how many|how much|hur många|hur mycket)\s+{_DEGREES}(?P<into>{_UNIT})\s+(?:is|are|are there in|in|do \w+ get from|är|är det på|är det i|går det på|blir|på|i)\s+(?P<number>-?{NUMBER})\s*{_DEGREES}(?P<unit>{_UNIT})\b"
)
_ONE = re.compile(r"\b(?:an?|one|en|ett)\b(?= )")
DECIMALS = 4


@dataclass(frozen=True)
class Conversion:
    """A measure and what it is in another unit, with the unit words as they were written."""

    number: Decimal
    unit: str
    result: Decimal
    into: str

    def write(self, language: Language) -> str:
        """Return "3 miles = 4.828 km"."""
        told = write_number(self.result, language, decimals=DECIMALS)
        return f"{write_number(self.number, language)} {self.unit} = {told} {self.into}"


def find_conversion(text: str, language: Language) -> Conversion | None:
    """Return the conversion that a message asks for; None where it asks for none, or the units measure different things."""
    said = _ONE.sub("1", " ".join(text.casefold().split()))
    found = _INTO.search(said) or _HOW_MANY.search(said)
    if found is None:
        return None
    sign = -1 if found["number"].startswith("-") else 1
    number = read_number(found["number"].removeprefix("-"), language)
    if number is None:
        return None
    result = _convert(sign * number, UNITS[found["unit"]], UNITS[found["into"]])
    return Conversion(sign * number, found["unit"], result, found["into"]) if result is not None else None


def _convert(number: Decimal, unit: str, into: str) -> Decimal | None:
    from pint.errors import DimensionalityError

    registry = _registry()
    try:
        told = registry.Quantity(float(number), unit).to(into).magnitude
    except DimensionalityError:
        return None
    return round(Decimal(repr(float(told))), DECIMALS)


@cache
def _registry() -> "UnitRegistry":
    """Return all units there are; made at the first question, since it takes a third of a second."""
    from pint import UnitRegistry

    registry: UnitRegistry = UnitRegistry()
    registry.define("ten_kilometer = 10 * kilometer")
    return registry


#: Sweden's ordinary rate; the others are named in the message.
VAT_PERCENT = Decimal(25)
LONGEST = 200
#: Of a power: what is larger has more digits than anybody reads.
MOST_EXPONENT = 60
PRECISION = 40
#: What is larger is no number that anybody reads, and would fill the page.
LARGEST = Decimal(10) ** 15

_PERCENT = r"\s*(?:%|percent|per cent|procent)"
_SHARE = re.compile(rf"(?P<share>{NUMBER}){_PERCENT}\s*(?:of|av|på)\s+(?P<whole>{NUMBER})")
_MORE = re.compile(rf"(?P<whole>{NUMBER})\s*(?P<sign>\+|-|plus|minus)\s*(?P<share>{NUMBER}){_PERCENT}")
_WHICH_SHARE = re.compile(
    rf"(?:percent|per cent|procent|%)\w*\s+(?:is|are|är|utgör)\s+(?P<part>{NUMBER})(?:\s*\w{{1,12}})?\s+(?:of|av)\s+(?P<whole>{NUMBER})"
    rf"|(?P<part2>{NUMBER})(?:\s*\w{{1,12}})?\s+(?:is|är)\s+(?:what|how many|hur många|hur stor|vilken)\s+(?:percent|per cent|procent)\w*\s+(?:of|av)\s+(?P<whole2>{NUMBER})"
)
_AMOUNT = rf"(?P<amount>{NUMBER})(?P<money>\s*(?:kr|kronor|sek|euros?|eur|€|\$|£)(?!\w))?"
_RATE = rf"(?:(?P<rate>{NUMBER}){_PERCENT}\s+)?"
_RATE_BEHIND = rf"(?:\s+(?:at|of|på|med)\s+(?P<behind>{NUMBER}){_PERCENT})?"
#: A sum of money and what is asked of its VAT, side by side: a year, a quarter or a due day beside the word is none.
_VAT_READERS = {
    "with": re.compile(
        rf"{_AMOUNT}\s+(?:with|incl(?:uding|usive|\.)?|plus|med|inkl(?:usive|\.)?)\s+{_RATE}(?:vat|moms)\b{_RATE_BEHIND}"
    ),
    "without": re.compile(
        rf"{_AMOUNT}\s+(?:without|excl(?:uding|usive|\.)?|ex\.?|before|utan|exkl(?:usive|\.)?|före)\s+{_RATE}(?:vat|moms)\b{_RATE_BEHIND}"
    ),
    "on": re.compile(rf"\b{_RATE}(?:vat|moms)(?:en)?\s+(?:is\s+|är\s+|blir\s+)?(?:on|på)\s+{_AMOUNT}"),
    "within": re.compile(
        rf"\b{_RATE}(?:vat|moms)(?:en)?\s+(?:is\s+(?:there\s+)?|är\s+(?:det\s+)?)?(?:in|i)\s+{_AMOUNT}"
    ),
}
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORDS = (
    (r"\b(?:multiplied by|times|gånger)\b|[\u00d7·]|(?<=\d)\s*x\s*(?=\d)", "*"),
    (r"\b(?:divided by|delat med|delat på|delat i|dividerat med)\b|÷", "/"),
    (r"\b(?:plus|added to)\b", "+"),
    (r"\bminus\b|[\u2212\u2013]", "-"),
    (r"\b(?:to the power of|upphöjt till|upphöjt i)\b|\^|\*\*", "^"),
    (r"\b(?:squared|i kvadrat)\b", "^2"),
    (r"\b(?:cubed|i kubik)\b", "^3"),
    (r"\b(?:the )?(?:square )?root of\b|\b(?:kvadrat)?roten ur\b|√", "sqrt "),
)
_TOKEN = re.compile(rf"\s*(?:(?P<number>{NUMBER})|(?P<sign>[-+*/^()])|(?P<root>sqrt))")
#: "9/6", "12-14" and "070-1234567" are days, houses and telephones more often than sums: what is asked of them is plain.
_RUN_TOGETHER = re.compile(r"\d[-/]\d")
_PLAINLY = re.compile(
    r"(?:(?:what(?:'s| is)|how much is|vad (?:är|blir))\s+)?[\d\s.,]*\d[-/]\d[\d\s.,]*[?=]+"
)
_SIGNS: dict[type, Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class NoSum(Exception):
    """This has no value that can be written down."""


@dataclass(frozen=True)
class Sum:
    """What was worked out: what stands left of the equals sign, as the language writes it, and the result."""

    asked: str
    result: Decimal
    is_percent: bool = False

    def write(self, language: Language) -> str:
        """Return "17 * 6 = 102"."""
        unit = (" %" if language == "sv" else "%") if self.is_percent else ""
        return f"{self.asked} = {write_number(self.result, language)}{unit}"


def find_sum(text: str, language: Language) -> Sum | None:
    """Return the sum that a message asks for; None where it asks for none, or for one without a value (a division by nought)."""
    said = text.casefold()
    if not any(char.isdigit() for char in said) or len(said) > LONGEST:
        return None
    with localcontext() as context:
        context.prec = PRECISION
        try:
            for read in (_read_vat, _read_share, _read_expression):
                found = read(said, language)
                if found is not None:
                    return found if abs(found.result) < LARGEST else None
        except (NoSum, DivisionByZero, InvalidOperation, Overflow, ZeroDivisionError):
            return None
    return None


def _number(written: str, language: Language) -> Decimal:
    number = read_number(written, language)
    if number is None:
        raise NoSum()
    return number


def _read_vat(said: str, language: Language) -> Sum | None:
    """Return VAT on a sum of money or within it, the sum with it or without it; the rate where the message names one."""
    for kind, reader in _VAT_READERS.items():
        found = reader.search(said)
        if found is None or (_YEAR.fullmatch(found["amount"]) and kind == "within" and not found["money"]):
            continue
        named = found["rate"] or found.groupdict().get("behind")
        percent = _number(named, language) if named else VAT_PERCENT
        amount, share, factor = _number(found["amount"], language), percent / 100, 1 + percent / 100
        shown, times = write_number(amount, language), write_number(factor, language)
        return {
            "with": Sum(f"{shown} * {times}", amount * factor),
            "without": Sum(f"{shown} / {times}", amount / factor),
            "on": Sum(f"{shown} * {write_number(share, language)}", amount * share),
            "within": Sum(f"{shown} - {shown} / {times}", amount - amount / factor),
        }[kind]
    return None


def _read_share(said: str, language: Language) -> Sum | None:
    """Return a percentage of a number, a number with one added or taken off, or which share one number is of another."""
    if which := _WHICH_SHARE.search(said):
        part = _number(which["part"] or which["part2"], language)
        whole = _number(which["whole"] or which["whole2"], language)
        return Sum(
            f"{write_number(part, language)} / {write_number(whole, language)}", 100 * part / whole, True
        )
    if more := _MORE.search(said):
        whole, share = _number(more["whole"], language), _number(more["share"], language)
        factor = 1 + share / 100 if more["sign"] in ("+", "plus") else 1 - share / 100
        return Sum(f"{write_number(whole, language)} * {write_number(factor, language)}", whole * factor)
    if of := _SHARE.search(said):
        share, whole = _number(of["share"], language), _number(of["whole"], language)
        asked = f"{write_number(whole, language)} * {write_number(share / 100, language)}"
        return Sum(asked, whole * share / 100)
    return None


def _read_expression(said: str, language: Language) -> Sum | None:
    """Return the value of the longest run of numbers and signs that has both."""
    is_plain = _PLAINLY.fullmatch(said.strip()) is not None
    for words, sign in _WORDS:
        said = re.sub(words, f" {sign} ", said)
    found = max(_runs(said, language), key=lambda run: len(run[0]), default=None)
    if found is None or (_RUN_TOGETHER.search(said) and not is_plain and not re.search(r"[+*^(√]", said)):
        return None
    code, shown = found
    return Sum(shown, _value(_parse(code)))


def _runs(said: str, language: Language) -> list[tuple[str, str]]:
    """Return the runs of numbers and signs: as Python reads them, and as the language writes them."""
    runs: list[tuple[str, str]] = []
    shown: list[str] = []
    code, at = "", 0
    while at < len(said):
        token = _TOKEN.match(said, at)
        if token is None:
            runs, code, shown = _kept(runs, code, shown), "", []
            at += 1
            continue
        at = token.end()
        if token["number"]:
            number = read_number(token["number"], language)
            if number is None:
                raise NoSum()
            code += f"d({str(number)!r})"
            shown.append(write_number(number, language))
        elif token["root"]:
            code += "sqrt*"
            shown.append("√")
        else:
            code += "**" if token["sign"] == "^" else token["sign"]
            shown.append(token["sign"])
    return _kept(runs, code, shown)


def _kept(runs: list[tuple[str, str]], code: str, shown: list[str]) -> list[tuple[str, str]]:
    """Add a run if it is a sum: numbers joined by a sign, or a root."""
    is_sum = ("sqrt" in code and "d(" in code) or re.search(r"\).*[-+*/].*d\(", code)
    return [*runs, (_rooted(code), _spaced(shown))] if is_sum else runs


def _rooted(code: str) -> str:
    return re.sub(r"sqrt\*(d\('[^']*'\)|\([^()]*\))", r"root(\1)", code)


def _spaced(shown: list[str]) -> str:
    text = " ".join(shown)
    return re.sub(r"(√) |\( | \)| \^ ", lambda match: match.group().strip(), text)


def _parse(code: str) -> ast.expr:
    try:
        return ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoSum() from None


def _value(node: ast.expr) -> Decimal:
    """Work out a parsed expression; only numbers, the four signs, powers and roots are known."""
    match node:
        case ast.Call(func=ast.Name(id="d"), args=[ast.Constant(value=str(written))]):
            return Decimal(written)
        case ast.Call(func=ast.Name(id="root"), args=[inner]):
            value = _value(inner)
            if value < 0:
                raise NoSum()
            return value.sqrt()
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _value(inner)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            exponent = _value(right)
            if abs(exponent) > MOST_EXPONENT:
                raise NoSum()
            return _value(left) ** exponent
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_value(left), _value(right))
    raise NoSum()


#: A longer message tells something, whatever numbers stand in it.
LONGEST_MESSAGE = 300
#: What is no question in form is one where it is hardly more than the sum.
MOST_WORDS_BESIDE = 4
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_ASKS = re.compile(r"(?:what|how|calculate|convert|vad|hur|räkna|omvandla)\b", re.IGNORECASE)


def calculate(text: str, *, language: Language, now: datetime) -> str:
    """Return the answer to a question that needs no memory and no model, as one line; "" where the message is none.

    Args:
        now: in the person's local time.
    """
    said = text.strip()
    if not said or len(said) > LONGEST_MESSAGE:
        return ""
    if day := find_day(said, language=language, now=now):
        return day.write(language)
    is_brief = len(_LETTERS.findall(said)) <= MOST_WORDS_BESIDE
    if not (is_brief or said.endswith(("?", "=")) or _ASKS.match(said)):
        return ""
    found = find_conversion(said, language) or find_sum(said, language)
    return found.write(language) if found else ""
