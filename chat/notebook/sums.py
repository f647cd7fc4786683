"""Sums, shares and VAT out of a message, worked out exactly.

A message is read only where it is surely a sum: an expression, "15 % of 240", "1 200 plus VAT". What else holds numbers is left alone.
"""

import ast
import operator
import re
from collections.abc import Callable
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from chat.notebook.numerals import NUMBER, read_number, spell_out, write_number
from chat.notebook.units import UNITS
from companion_site.llm.types import Language

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
_MONEY = r"[£$€]?\s*"
_EACH = re.compile(
    rf"(?P<count>{NUMBER})\s+[^\W\d]+\s+(?P<at>at|à|a|@|för|of|med|om|på)\s+{_MONEY}(?P<each>{NUMBER})\s*(?:kr|kronor|£|€|\$)?\s*"
    r"(?P<one>each|apiece|a piece|per\s+\w+|an?\s+\w+|i?\s?timmen|styck|stycket|st|vardera)?"
)
_OF_UNIT = re.compile(r"(?:how many|how much|hur många|hur mycket)\s+(?P<unit>\w+)")
#: What one of a kind comes to ("a win is 3 points"), and so many of a kind.
_ONE_OF = re.compile(
    rf"\b(?:an?|one|each|every|en|ett|varje)\s+(?P<kind>[^\W\d]+)\s+(?:is|costs|gives|takes|weighs|är|kostar|ger|tar|väger)\s+{_MONEY}"
    rf"(?P<each>{NUMBER})"
)
_SO_MANY = re.compile(rf"(?P<count>{NUMBER})\s+(?P<kind>[^\W\d]+)")
_LEAST_OF_KIND = 3
#: What one has and what something costs, in either order, and that the difference is asked for.
_HAVE = re.compile(rf"\b(?:have|i've|got|saved|har|sparat)\s+(?:\w+\s+)?{_MONEY}(?P<have>{NUMBER})")
_COSTS = re.compile(
    rf"\b(?:costs?|spend|spent|pay|paid|need|kostar|handlar för|betalar|behöver)\s+(?:\w+\s+)?{_MONEY}(?P<costs>{NUMBER})"
)
_DIFFERENCE = re.compile(r"\b(?:short|left|more|missing|over|kvar|över|saknas|fattas|mer|till)\b")
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
#: Two of these within a sum are fractions that are counted with, not two divisions; a result with a larger denominator is read by nobody.
_FRACTIONS = re.compile(r"\d / \d.*\d / \d")
LARGEST_DENOMINATOR = 999
_SIGNS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class NoSum(Exception):
    """This has no value that can be written down."""


class Sum(NamedTuple):
    """What was worked out: what stands left of the equals sign, as the language writes it, and the result; of fractions as one, too."""

    asked: str
    result: Decimal
    is_percent: bool = False
    fraction: Fraction | None = None


def find_sum(text: str, language: Language) -> str:
    """Return the sum that a message asks for, as "17 * 6 = 102"; "" for none, and for one without a value (a division by nought)."""
    said = spell_out(text)
    if not any(char.isdigit() for char in said) or len(said) > LONGEST:
        return ""
    with localcontext() as context:
        context.prec = PRECISION
        try:
            found = next(filter(None, (read(said, language) for read in READERS)), None)
            if found is None or abs(found.result) >= LARGEST:
                return ""
            unit = (" %" if language == "sv" else "%") if found.is_percent else ""
            return f"{found.asked}{_write_fraction(found)} = {write_number(found.result, language)}{unit}"
        except (NoSum, DivisionByZero, InvalidOperation, Overflow, ZeroDivisionError):
            return ""


def _write_fraction(found: Sum) -> str:
    """Return the result as a fraction, where it is one; "" elsewhere."""
    one = found.fraction
    if one is None or not 1 < one.denominator <= LARGEST_DENOMINATOR:
        return ""
    return f" = {one.numerator}/{one.denominator}"


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


def _read_each(said: str, language: Language) -> Sum | None:
    """Return so many at so much each: "7 hours at £8.35 an hour", "how many litres are 12 kegs of 30 litres"."""
    found = _EACH.search(said)
    if found is None:
        return None
    if not found["one"] and found["at"] not in ("à", "@"):
        # "12 of 30" is no sum, but for a measure that is asked for.
        asked, behind = _OF_UNIT.search(said), said[found.end() :].split()
        unit = UNITS.get(behind[0].strip("?.,!")) if behind else None
        if asked is None or unit is None or UNITS.get(asked["unit"]) != unit:
            return None
    count, each = _number(found["count"], language), _number(found["each"], language)
    return Sum(f"{write_number(count, language)} * {write_number(each, language)}", count * each)


def _read_kinds(said: str, language: Language) -> Sum | None:
    """Return what so many of one or more kinds come to: "if a win is 3 points and a draw is 1, how many points are 5 wins and 2 draws"."""
    each = {one["kind"]: _number(one["each"], language) for one in _ONE_OF.finditer(said)}
    parts = []
    for many in _SO_MANY.finditer(_ONE_OF.sub(" ", said) if each else ""):
        kinds = (kind for kind in each if many["kind"].startswith(kind[: max(len(kind) - 1, _LEAST_OF_KIND)]))
        if kind := next(kinds, None):
            parts.append((_number(many["count"], language), each[kind]))
    if not parts:
        return None
    shown = (f"{write_number(count, language)} * {write_number(worth, language)}" for count, worth in parts)
    return Sum(" + ".join(shown), sum((count * worth for count, worth in parts), Decimal(0)))


def _read_difference(said: str, language: Language) -> Sum | None:
    """Return what is short, or what is left, of what somebody has beside what something costs."""
    have, costs = _HAVE.search(said), _COSTS.search(said)
    if have is None or costs is None or not _DIFFERENCE.search(said):
        return None
    more, less = sorted((_number(have["have"], language), _number(costs["costs"], language)), reverse=True)
    return Sum(f"{write_number(more, language)} - {write_number(less, language)}", more - less)


def _read_expression(said: str, language: Language) -> Sum | None:
    """Return the value of the longest run of numbers and signs that has both."""
    is_plain = _PLAINLY.fullmatch(said.strip()) is not None
    for words, sign in _WORDS:
        said = re.sub(words, f" {sign} ", said)
    found = max(_runs(said, language), key=lambda run: len(run[0]), default=None)
    if found is None or (_RUN_TOGETHER.search(said) and not is_plain and not re.search(r"[+*^(√]", said)):
        return None
    code, shown = found
    parsed = _parse(code)
    counts_with_fractions = _FRACTIONS.search(shown) and not re.search(r"[√^]", shown)
    return Sum(
        shown, _value(parsed, Decimal), fraction=_value(parsed, Fraction) if counts_with_fractions else None
    )


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
    if not ("sqrt" in code and "d(" in code) and not re.search(r"\).*[-+*/].*d\(", code):
        return runs
    rooted = re.sub(r"sqrt\*(d\('[^']*'\)|\([^()]*\))", r"root(\1)", code)
    return [
        *runs,
        (rooted, re.sub(r"(√) |\( | \)| \^ ", lambda match: match.group().strip(), " ".join(shown))),
    ]


def _parse(code: str) -> ast.expr:
    try:
        return ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoSum() from None


def _value(node: ast.expr, kind: type[Decimal] | type[Fraction]) -> Any:
    """Work out a parsed expression; only numbers, the four signs, powers and roots are known, these two of decimals alone."""
    match node:
        case ast.Call(func=ast.Name(id="d"), args=[ast.Constant(value=str(written))]):
            return kind(written)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, kind)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _value(inner, kind)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_value(left, kind), _value(right, kind))
        case ast.Call(func=ast.Name(id="root"), args=[inner]) if kind is Decimal:
            value = _value(inner, Decimal)
            if value < 0:
                raise NoSum()
            return value.sqrt()
        case ast.BinOp(left=left, op=ast.Pow(), right=right) if kind is Decimal:
            exponent = _value(right, Decimal)
            if abs(exponent) > MOST_EXPONENT:
                raise NoSum()
            return _value(left, Decimal) ** exponent
    raise NoSum()


#: in the order in which they are tried
READERS = (_read_vat, _read_share, _read_expression, _read_each, _read_kinds, _read_difference)
