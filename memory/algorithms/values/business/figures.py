"""The figures of a company's fact: amounts, shares, accounts, dates, periods, counts, each with what it measures.

Money is in kronor whatever the notation ("120k", "SEK 120,000", "0,12 Mkr"). Of a date only what is said is compared.
"""

import re
from dataclasses import dataclass

from memory.algorithms.values.quantities import MONTHS, NUMBER_WORDS, SEASONS, WEEKDAYS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_COUNTED = {word: value for word, value in NUMBER_WORDS.items() if value > 1 and word not in ("dozen",)}
_COUNT_WORD = "|".join(sorted(_COUNTED, key=len, reverse=True))
_NUMBER = r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d{1,3}(?:[,.]\d{3})+(?!\d)|\d+(?:[.,]\d+)?"
_ORDINALS = {
    word: place
    for place, words in enumerate(
        ("third tredje", "fourth fjärde", "fifth femte", "sixth sjätte", "seventh sjunde", "eighth åttonde"),
        3,
    )
    for word in words.split()
}
_SCALES = {
    "k": 1e3, "tkr": 1e3, "tsek": 1e3, "ksek": 1e3, "thousand": 1e3, "tusen": 1e3, "tusenlappar": 1e3,
    "mkr": 1e6, "msek": 1e6, "million": 1e6, "millions": 1e6, "miljon": 1e6, "miljoner": 1e6, "mn": 1e6, "m": 1e6,
}  # fmt: skip
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_FOREIGN = {"€": "eur", "eur": "eur", "euro": "eur", "euros": "eur", "$": "usd", "usd": "usd", "dollars": "usd", "dollar": "usd", "£": "gbp", "gbp": "gbp", "nok": "nok", "dkk": "dkk"}  # fmt: skip
_UNIT = r"(?:kr|sek|kronor|kronors|crowns|:-|" + "|".join(map(re.escape, _FOREIGN)) + ")"

_SPAN = re.compile(
    rf"(?:\b\d{{1,2}} )?\b(?P<from>{_MONTH})\b\.?\s?(?:\u2013|\u2014|-|to|till|until|through|t\.?o\.?m\.?)\s?(?:\d{{1,2}} )?\b(?P<to>{_MONTH})\b"
)
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)(?:-(?P<day>[0-3]\d))?\b")
_DAY_MONTH = re.compile(
    rf"\b(?P<day>[0-3]?\d)(?:st|nd|rd|th|:e|:a|e)? (?:of )?(?P<month>{_MONTH})\b\.?(?:,? (?P<year>(?:19|20)\d\d)\b)?"
)
_MONTH_DAY = re.compile(
    rf"\b(?P<month>{_MONTH})\b\.? (?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?![\d,. ]*(?:kr|sek|k\b|%|\d))(?:,? (?P<year>(?:19|20)\d\d)\b)?"
)
_MONTH_YEAR = re.compile(rf"\b(?P<month>{_MONTH})\b\.?(?: (?P<year>(?:19|20)\d\d)\b)?")
_DAY = re.compile(r"\b(?:den|the) (?P<day>[0-3]?\d)(?::e|:a|st|nd|rd|th)?\b(?![,.]?\d| ?(?:kr|sek|k\b|%|\d))")
_QUARTER = re.compile(
    r"\b(?:q|kvartal |kv |quarter )(?P<number>[1-4])\b|\b(?P<word>first|second|third|fourth|första|andra|tredje|fjärde) (?:quarter|kvartalet)\b"
)
_QUARTER_WORDS = {
    "first": 1,
    "första": 1,
    "second": 2,
    "andra": 2,
    "third": 3,
    "tredje": 3,
    "fourth": 4,
    "fjärde": 4,
}
_ACCOUNT = re.compile(r"\b(?:konto|kontot|konton|account|accounts)\s(?P<number>[1-8]\d{3})\b")
_EDITION = re.compile(r"\b(?P<name>bas)[ -]?(?P<year>20\d\d)\b")
_SHARED = re.compile(r"\b(?P<one>\d{1,3})/(?P<other>\d{1,3})\b")
_PERCENT = re.compile(rf"(?P<number>{_NUMBER}|\b(?:{_COUNT_WORD})\b)\s?(?:%|percent\b|procent\b|per cent\b)")
_MONEY = re.compile(
    rf"(?:\b(?P<front>sek|kr|eur|usd|gbp|nok|dkk)\s?|(?P<sign>[€$£])\s?)?(?<![\w.])(?P<number>{_NUMBER}|\b(?:{_COUNT_WORD})\b)(?:\s?(?P<scale>{_SCALE})\b)?(?:\s?(?P<unit>{_UNIT})(?!\w))?"
)
_DURATION = re.compile(
    rf"(?P<number>\b\d+|\b(?:{_COUNT_WORD}|one|en|ett))[ -](?P<unit>days?|dagar|dagars|dgr|weeks?|veckor|veckors|months?|månader|månaders|hours?|timmar|years?|års?)\b"
)
_DURATIONS = {"d": ("days", 1), "w": ("days", 7), "v": ("days", 7), "m": ("months", 1), "h": ("hours", 1), "t": ("hours", 1), "y": ("months", 12), "å": ("months", 12)}  # fmt: skip
_YEAR = re.compile(r"\b(?P<year>(?:19|20)\d\d)(?:s|:s)?\b(?!\s?(?:kr|sek|k\b|kronor|%))")
_SINGLE = re.compile(
    r"(?:(?<=har )|(?<=has )|(?<=have )|(?<=only )|(?<=bara )|(?<=endast )|\b(?=single|enda))(?:one|en|ett|single|enda)\s(?=(?:employee|anställd|owner|ägare|delägare|shareholder|ledamot|member|suppleant|deputy|styrelseledamot)\b)"
)
_BROKEN = re.compile(
    r"\b(?:brutet räkenskapsår|broken (?:fiscal|financial) year|split (?:fiscal|financial) year)\b"
)
_MAY = re.compile(r"\bmay\b(?!\s(?:\d|19|20|\u2013|-|to\b|until\b))")
_BEFORE_MAY = re.compile(r"(?:\b(?:in|of|since|for|to|until|from|by|this|last|next|the|\u2013|-|\d)\s?)$")


@dataclass(frozen=True, slots=True)
class Figures:
    """Values by what they measure: `money` in kronor, `percent`, `days`, `account`, `count`, `year`, `month` and so on."""

    values: dict[str, frozenset[float]]

    def of(self, name: str) -> frozenset[float]:
        return self.values.get(name, frozenset())


def read_figures(text: str) -> tuple[str, Figures]:
    """Return the text with each figure taken out, and the figures.

    Args:
        text: casefolded.
    """
    found: dict[str, set[float]] = {}

    def put(name: str, value: float) -> str:
        found.setdefault(name, set()).add(value)
        return " "

    text = _MAY.sub(lambda match: match.group() if _BEFORE_MAY.search(text[: match.start()]) else "", text)
    text = _BROKEN.sub(lambda match: put("broken", 1) + "=fiscalyear ", text)
    text = _EDITION.sub(lambda match: put("edition", float(match["year"])) + match["name"] + " ", text)
    text = _SPAN.sub(lambda match: put("span", 100.0 * MONTHS[match["from"]] + MONTHS[match["to"]]), text)
    text = _QUARTER.sub(
        lambda match: put("quarter", int(match["number"] or 0) or _QUARTER_WORDS[match["word"]]), text
    )
    text = _ACCOUNT.sub(lambda match: put("account", float(match["number"])) + "=account ", text)
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _MONTH_YEAR):
        text = pattern.sub(lambda match: _take_date(match, put), text)
    text = _DAY.sub(lambda match: put("day", float(match["day"])), text)
    text = _SHARED.sub(
        lambda match: put("percent", float(match["one"])) + put("percent", float(match["other"])), text
    )
    text = _PERCENT.sub(lambda match: put("percent", _count(match["number"])), text)
    text = _DURATION.sub(lambda match: _take_duration(match, put), text)
    text = _SINGLE.sub(lambda match: put("count", 1.0), text)
    text = _YEAR.sub(lambda match: put("year", float(match["year"])), text)
    text = _MONEY.sub(lambda match: _take_amount(match, put), text)
    text = re.sub(r"[^\W\d_]+", lambda match: _take_word(match, put), text)
    return text, Figures({name: frozenset(values) for name, values in found.items()})


def _count(word: str) -> float:
    if word in ("one", "en", "ett"):
        return 1.0
    if word in _COUNTED:
        return float(_COUNTED[word])
    plain = re.sub(r"[ \u00a0\u202f]", "", word)
    if re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", plain):
        return float(re.sub(r"[,.]", "", plain))
    return float(plain.replace(",", "."))


def _take_date(match: re.Match[str], put) -> str:  # type: ignore[no-untyped-def]
    parts = match.groupdict()
    month = MONTHS.get(parts["month"]) or int(parts["month"])
    if not 1 <= month <= 12:
        return match.group()
    put("month", float(month))
    for name in ("day", "year"):
        if parts.get(name):
            put(name, float(parts[name]))
    return " "


def _take_duration(match: re.Match[str], put) -> str:  # type: ignore[no-untyped-def]
    name, size = _DURATIONS[match["unit"][0]]
    return str(put(name, size * _count(match["number"])))


def _take_amount(match: re.Match[str], put) -> str:  # type: ignore[no-untyped-def]
    number = match["number"]
    amount = _count(number) * _SCALES.get(match["scale"] or "", 1.0)
    unit = match["unit"] or match["front"] or match["sign"] or ""
    if unit in _FOREIGN:
        return str(put(_FOREIGN[unit], amount))
    if unit or match["scale"] or (amount >= 1000 and re.search(r"\d[ \u00a0\u202f,.]\d{3}", number)):
        return str(put("money", round(amount, 2)))
    if re.fullmatch(r"[1-8]\d{3}", number):
        return str(put("account", amount))
    return str(put("count", amount))


def _take_word(match: re.Match[str], put) -> str:  # type: ignore[no-untyped-def]
    word = match.group()
    if word in WEEKDAYS:
        return str(put("weekday", float(WEEKDAYS[word])))
    if word in _ORDINALS:
        return str(put("ordinal", float(_ORDINALS[word])))
    if word in SEASONS and word not in ("vår", "fall"):
        return str(put("season", float(SEASONS[word])))
    return word
