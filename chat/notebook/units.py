"""One measure told in another unit, by pint."""

import re
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from chat.notebook.numerals import NUMBER, read_number, spell_out, write_number
from companion_site.llm.types import Language

if TYPE_CHECKING:
    from pint import UnitRegistry

#: what people write, by the name that the library knows; the words of both languages, singular and plural, "_" within those of two
_WRITTEN = {
    "millimeter": "mm millimetre millimetres millimeter millimeters",
    "centimeter": "cm centimetre centimetres centimeter centimeters",
    "meter": "m metre metres meter meters",
    "kilometer": "km kilometre kilometres kilometer kilometers",
    "inch": "inch inches tum",
    "foot": "foot feet ft fot",
    "yard": "yard yards",
    "mile": "mile miles engelska_mil",
    "ten_kilometer": "mil",
    "milligram": "mg milligram milligrams",
    "gram": "g gram grams",
    "hectogram": "hg hekto hektogram",
    "kilogram": "kg kilo kilos kilogram kilograms",
    "tonne": "ton tons tonne tonnes",
    "ounce": "oz ounce ounces uns",
    "pound": "lb lbs pound pounds pund skålpund",
    "milliliter": "ml millilitre millilitres milliliter milliliters",
    "centiliter": "cl centilitre centilitres centiliter centiliters",
    "deciliter": "dl decilitre decilitres deciliter deciliters",
    "liter": "l litre litres liter liters",
    "cup": "cup cups",
    "tablespoon": "tbsp tablespoon tablespoons",
    "teaspoon": "tsp teaspoon teaspoons",
    "second": "s sec secs second seconds sekund sekunder",
    "minute": "min mins minute minutes minut minuter",
    "hour": "h hr hrs hour hours tim timme timma timmar",
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
UNITS = {word.replace("_", " "): name for name, words in _WRITTEN.items() for word in words.split()}
_UNIT = "|".join(re.escape(word) for word in sorted(UNITS, key=len, reverse=True))
_DEGREES = r"(?:degrees?\s+|grader\s+|°\s?)?"
_INTO = re.compile(
    rf"(?P<number>-?{NUMBER})\s*{_DEGREES}(?P<unit>{_UNIT})\s+(?:is |are |är |blir )?(?:in|to|into|i|till|as)\s+{_DEGREES}(?P<into>{_UNIT})\b"
)
_HOW_MANY = re.compile(
    rf"\b(?:how many|how much|hur många|hur mycket)\s+{_DEGREES}(?P<into>{_UNIT})\s+(?:is|are|(?:is|are) (?:there )?in|in|do \w+ get from|är|är det på|är det i|går det på|blir|på|i)\s+(?P<number>-?{NUMBER})\s*{_DEGREES}(?P<unit>{_UNIT})\b"
)
_ONE = re.compile(r"\b(?:an?|one|en|ett)\b(?= )")
DECIMALS = 4
#: What has no more decimals is told whole; all else is told with three below ten, and with one above.
EXACT_DECIMALS, DECIMALS_BELOW_TEN = 2, 3


def find_conversion(text: str, language: Language) -> str:
    """Return "3 km = 3,000 m", or "3 miles ≈ 4.828 km" where more digits would tell nobody more.

    The unit words are as they were written; "" where a message asks for no conversion, or the units measure different things.
    """
    said = _ONE.sub("1", spell_out(text))
    found = _INTO.search(said) or _HOW_MANY.search(said)
    if found is None:
        return ""
    sign = -1 if found["number"].startswith("-") else 1
    number = read_number(found["number"].removeprefix("-"), language)
    if number is None:
        return ""
    result = _convert(sign * number, UNITS[found["unit"]], UNITS[found["into"]])
    if result is None:
        return ""
    is_exact = round(result, EXACT_DECIMALS) == result
    decimals = EXACT_DECIMALS if is_exact else DECIMALS_BELOW_TEN if abs(result) < 10 else 1
    told = f"{write_number(result, language, decimals=decimals)} {found['into']}"
    equals = "=" if is_exact else "\u2248"
    return f"{write_number(sign * number, language)} {found['unit']} {equals} {told}"


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
