"""Whom to call: help lines by country from one file (`HELP_LINES`), and beside them a school's own.

    {"SE": [{"number": "112", "urgent": true, "en": "if you are in danger right now", "sv": "..."}, ...]}

Of a line, "for" is young, adult or all (the default); an urgent one is named only where danger is sure.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import structlog
from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error

from companion_site.llm.types import HelpLine, Language, Whose

logger = structlog.get_logger(__name__)

_NUMBER = re.compile(r"\+?[0-9](?:[ -]?[0-9])*")
#: within words, where a digit or two may be of a room or a class
_NUMBER_IN_WORDS = re.compile(r"[0-9](?:[ -]?[0-9]){2}")


class BadLines(Exception):
    """The file of help lines cannot be used; the message says where and why."""


def lines_for(*, country: str = "", own: str = "", is_young: bool, is_sure: bool) -> tuple[HelpLine, ...]:
    """Return whom to call, in the order of the file, a school's own lines last.

    Args:
        country: a country code of the file; "" and one that it does not have stand for `HELP_COUNTRY`.
        own: a school's own lines, one a line.
        is_sure: whether danger is sure; only then the urgent ones are named.
    """
    lines = load_lines(settings.HELP_LINES)
    if country and country not in lines:
        logger.warning("help_lines.unknown_country", country=country)
    found = lines[country] if country in lines else lines[settings.HELP_COUNTRY]
    whose = {"all", "young" if is_young else "adult"}
    named = [line for line in found if line.whose in whose and (is_sure or not line.is_urgent)]
    named += [
        HelpLine(number="", words=dict.fromkeys(get_args(Language), line))
        for line in map(str.strip, own.splitlines())
        if line
    ]
    return tuple(named)


def find_unnumbered(own: str) -> str | None:
    """Return the first of a school's own lines that has no telephone number."""
    lines = [line for line in map(str.strip, own.splitlines()) if line]
    return next((line for line in lines if not _NUMBER_IN_WORDS.search(line)), None)


@cache
def load_lines(path: Path) -> Mapping[str, Sequence[HelpLine]]:
    """Return the lines of each country, read once a process.

    Raises:
        BadLines: the file cannot be read, or a line in it cannot be used.
    """
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadLines(f"{path} cannot be read: {error}") from None
    if not isinstance(told, dict):
        raise BadLines(f"{path} holds no countries: it takes an object of country codes.")
    return {country: _read_country(country, rows) for country, rows in told.items()}


def check_help_lines(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return why somebody in danger could not be told whom to call."""
    try:
        lines = load_lines(settings.HELP_LINES)
    except BadLines as error:
        return [Error(f"HELP_LINES: {error}", id="llm.E003")]
    if settings.HELP_COUNTRY not in lines:
        known = ", ".join(sorted(lines))
        return [
            Error(
                f"HELP_COUNTRY is {settings.HELP_COUNTRY!r}; HELP_LINES has {known or 'no country'}.",
                id="llm.E004",
            )
        ]
    return []


def _read_country(country: str, rows: object) -> Sequence[HelpLine]:
    if not isinstance(rows, list):
        raise BadLines(f"{country} is no list of lines.")
    lines = [_read_line(f"{country}, line {number}", row) for number, row in enumerate(rows, 1)]
    if not any(line.is_urgent and line.whose == "all" for line in lines):
        raise BadLines(f"{country} has no urgent line for all, such as an emergency number.")
    for whose in ("young", "adult"):
        if not any(line.whose in {"all", whose} and not line.is_urgent for line in lines):
            raise BadLines(f"{country} has no line for who is {whose} that is not urgent.")
    return lines


def _read_line(place: str, row: object) -> HelpLine:
    if not isinstance(row, dict):
        raise BadLines(f"{place}: an object is needed.")
    number, whose, urgent = row.get("number"), row.get("for", "all"), row.get("urgent", False)
    words: dict[str, Any] = {language: row.get(language) for language in get_args(Language)}
    if not isinstance(number, str) or not _NUMBER.fullmatch(number):
        raise BadLines(f"{place}: {number!r} is no telephone number.")
    if whose not in get_args(Whose) or not isinstance(urgent, bool):
        raise BadLines(f'{place}: "for" is one of {", ".join(get_args(Whose))}, "urgent" is true or false.')
    for language, text in words.items():
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            raise BadLines(f'{place}: "{language}" needs one line of words.')
    return HelpLine(number=number, words=words, whose=whose, is_urgent=urgent)
