"""What a person asks the companion to be: a game, somebody who only listens, a coach; and that something went well. Pure."""

import re
from collections.abc import Iterable

_GAME = re.compile(
    r"\b(?:play (?:a |some )?(?:memory )?(?:game|quiz)|(?:memory )?game with my memories|let'?s play|quiz me (?:about|on) (?:me|my life|my memories)"
    r"|spela (?:ett |något )?(?:minnes)?spel|leka (?:en )?(?:minnes)?lek|ska vi (?:spela|leka)|minnesspel|fråga ut mig om mina minnen)\b",
    re.IGNORECASE,
)
_LISTEN = re.compile(
    r"\b(?:just listen|only listen|don'?t want (?:any )?advice|no advice|need to vent|just need to (?:talk|say)|leave me alone|want to be alone"
    r"|bara lyssna|lyssna bara|vill inte ha (?:några )?råd|inga råd|behöver bara prata|lämna mig i fred|vill vara i fred|vill vara ensam)\b",
    re.IGNORECASE,
)
_COACH = re.compile(
    r"\b(?:my goals?|set a goal|reach(?:ing)? my|new habit|coach me|help me (?:to )?(?:start|stop|begin|get going|plan|keep|change|focus)|where (?:do|should) i (?:start|begin)"
    r"|get better at|can'?t get (?:started|going)|procrastinat\w+|stuck"
    r"|mitt mål|mina mål|sätta (?:ett )?mål|ny vana|coacha mig|hjälp mig (?:att )?(?:börja|sluta|komma igång|planera|ändra|fokusera)|var ska jag börja"
    r"|bli bättre på|kommer inte (?:igång|i gång)|skjuter upp|kört fast)\b",
    re.IGNORECASE,
)
_WELL = re.compile(
    r"\b(?:i (?:did it|made it|passed|managed|succeeded|won|finished|finally)|i'?ve (?:passed|finished|managed)|so proud|i'?m proud|went (?:so |really |very )?well"
    r"|jag (?:klarade|lyckades|vann|fixade|blev klar|är stolt|har klarat|har lyckats)|gick (?:så |jätte|riktigt |väldigt )?bra|äntligen klar)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|cannot|inte|aldrig|ej)\b|n't\b", re.IGNORECASE)
_GRATEFUL = re.compile(
    r"\b(?:(?:i'?m|i am|feel|so|really) (?:so |very |really )?(?:grateful|thankful)|gratitude"
    r"|(?:jag är|känner mig|så|väldigt) (?:så |väldigt |verkligen )?tacksam|tacksamhet)\b",
    re.IGNORECASE,
)


def asks_for_game(clauses: Iterable[str]) -> bool:
    return _any(_GAME, clauses)


def asks_to_be_heard(clauses: Iterable[str]) -> bool:
    """Tell whether somebody wants an ear, and no advice."""
    return any(_LISTEN.search(_plain(clause)) for clause in clauses)


def asks_for_coaching(clauses: Iterable[str]) -> bool:
    return any(_COACH.search(_plain(clause)) for clause in clauses)


def tells_of_success(clauses: Iterable[str]) -> bool:
    return _any(_WELL, clauses)


def is_grateful(clauses: Iterable[str]) -> bool:
    return _any(_GRATEFUL, clauses)


def _any(pattern: re.Pattern[str], clauses: Iterable[str]) -> bool:
    """Tell whether a clause says so; "I have not finished" does not."""
    return any(pattern.search(clause) and not _NOT.search(clause) for clause in map(_plain, clauses))


def _plain(clause: str) -> str:
    """Return a clause with the apostrophes of a keyboard: those of a phone are others."""
    return clause.replace("\u2019", "'")
