"""What a person asks the companion to be: a game, somebody who only listens, a coach; and that something went well. Pure.

To be played with, coached or only heard is asked for by the person themselves, of the companion: "my grandpa wanted to play a game",
"I keep putting it off" and "she never listens" tell something, and ask for none of it.
"""

import re
from collections.abc import Iterable, Sequence

#: what may stand before the words that ask, and what of it is asked for
_OPENS = r"^(?:(?:hi|hey|hello|ok|okay|yes|well|so|and|now|then|but|please|hej|ja|nu|så|och|men|snälla|okej)\b[\s,!.]*)*"
_MAY_EN = (
    r"(?:(?:can|could|shall|should|will) (?:we|you|i)(?: please)?|(?:i|we)(?:'d| would)? (?:just |really )?(?:want|like|love|need)(?: you)? to"
    r"|(?:do|would) you (?:want|like) to|let's|let us|please|why don't we)"
)
_MAY_SV = r"(?:(?:kan|kunde|ska|skulle|får|vill) (?:vi|du|jag)(?: inte)?|(?:jag|vi) (?:vill|skulle vilja|behöver)(?: att du)?(?: gärna| bara)?|låt oss|snälla)"
#: a game of the companion's, not one of chess, and with nobody else
_WITH = (
    r"(?=\W*$|\s+(?:now|please|together|again|today|tonight|then|first|nu|tillsammans|igen|först|i kväll|ikväll|i dag|idag)\b"
    r"|\s+(?:with|about|from|of|on|med|om|ur|av) (?:me|you|us|my (?:own )?(?:good )?memories|my life|mig|dig|oss|mina (?:egna )?(?:goda )?minnen|mitt liv)\b)"
)
_GAME = re.compile(
    rf"{_OPENS}(?:{_MAY_EN} )?(?:play (?:(?:a|some|another|the) )?(?:(?:memory|guessing|little|small) )*(?:game|quiz){_WITH}"
    rf"|quiz me (?:about|on) (?:me|my life|my memories)\b)"
    rf"|{_OPENS}(?:let's|let us|shall we|can we|could we) play(?: something)?{_WITH}"
    rf"|{_OPENS}(?:{_MAY_SV} )?(?:spela (?:(?:ett|något) )?(?:litet )?(?:minnes)?spel(?:et)?{_WITH}|leka (?:(?:en|någon) )?(?:minnes)?lek(?:en)?{_WITH}"
    rf"|fråga ut mig om (?:mina minnen|mitt liv)\b)"
    rf"|{_OPENS}(?:ska vi|kan vi|låt oss) (?:spela|leka)(?: något)?{_WITH}",
    re.IGNORECASE,
)
_LISTEN = re.compile(
    rf"{_OPENS}(?:{_MAY_EN} )?(?:(?:just|only) (?:listen|hear me)|(?:please )?leave me alone|be quiet and listen)\b"
    r"|\bi (?:just |only |really )*(?:don't|do not) (?:want|need)(?: any)? advice\b|^(?:please,? )?no advice\b"
    r"|\bi (?:just |only |really )*(?:need|want|have) (?:you )?to (?:just |only )?(?:vent|listen|talk about it|say it|get it off|be (?:left )?alone)\b"
    r"|\bi (?:just|only) (?:need|want) to (?:talk|say)\b"
    rf"|{_OPENS}(?:{_MAY_SV} )?(?:bara lyssna|lyssna bara|lämna mig i fred)\b"
    r"|\bjag (?:\w+ )?(?:vill|behöver) inte ha (?:några )?råd\b|^(?:snälla,? )?inga råd\b|\b(?:jag )?vill inte ha (?:några )?råd\b"
    r"|\bjag (?:bara )?(?:behöver|vill) (?:bara )?(?:prata(?: av mig)?|vara (?:i fred|ensam))\b|\bjag vill (?:bara )?att du (?:bara )?lyssnar\b",
    re.IGNORECASE,
)
_COACH = re.compile(
    rf"{_OPENS}(?:{_MAY_EN} )?(?:coach me|be my coach|set (?:myself )?(?:a|my|some) (?:new )?goals?(?! for me)"
    r"|help me (?:to )?(?:(?:set|find|reach|choose) (?:a|my|some) (?:new )?goals?|reach (?:it|my)|get (?:going|started|better at)|start|begin|stop|keep|change|focus"
    r"|(?:build|make) (?:a|some) (?:new )?habits?))\b"
    rf"|{_OPENS}(?:{_MAY_SV} )?(?:coacha mig|vara min coach|sätta (?:upp )?(?:ett|mina|några) (?:nya? )?mål"
    r"|hjälp(?:a)? mig (?:att )?(?:(?:sätta|hitta|nå|välja) (?:upp )?(?:ett|mitt|mina) (?:nytt )?mål|nå mitt|komma (?:igång|i gång)|bli bättre på|börja|sluta|hålla|ändra"
    r"|fokusera|skaffa (?:en )?(?:ny )?vana))\b",
    re.IGNORECASE,
)
#: who does not say it as a question and wants an answer all the same
_HELP = re.compile(
    r"\b(?:i (?:\w+ )?(?:need|want|could use) (?:(?:a little|some|your|a bit of) )*help\b|i (?:really |still |just )?(?:don't|do not|can't|cannot) (?:understand|get|see|remember)"
    r" (?:what|how|why|when|where|which|the|this|it)\b|i(?:'d| would) like to (?:know|understand|learn)\b|i want to (?:know|understand)\b"
    r"|i need (?:an? )?(?:explanation|answer)|i have a question\b"
    r"|jag (?:\w+ )?(?:behöver|vill ha|skulle behöva) (?:lite |din |mer )*hjälp\b|jag (?:förstår|fattar|minns) (?:verkligen |fortfarande )?inte (?:vad|hur|varför|när|var|vilken|det)\b"
    r"|jag (?:vill|skulle vilja|behöver) (?:veta|förstå|lära mig)\b|jag har en fråga\b)",
    re.IGNORECASE,
)
#: what is asked only to be listened to, or agreed with
_PHATIC = re.compile(
    r"^(?:(?:and |och )?guess what|(?:do )?you know(?: what)?|right|ok(?:ay)?|really|huh|see|isn't it|don't you think|vet du(?: vad)?|gissa vad|eller hur|va|visst|okej|inte sant|förstår du)$",
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


def asks_for_game(clauses: Sequence[str]) -> bool:
    """Tell whether somebody wants to be played with; what is to be played may follow ("let's play: you are a dragon"), and is another game then."""
    for place, clause in enumerate(map(_plain, clauses)):
        if _GAME.search(clause) and not _NOT.search(clause):
            return _names_its_game(clause) or place == len(clauses) - 1
    return False


def asks_to_be_heard(clauses: Iterable[str]) -> bool:
    """Tell whether somebody wants an ear, and no advice."""
    return any(_LISTEN.search(_plain(clause)) for clause in clauses)


def asks_for_coaching(clauses: Iterable[str]) -> bool:
    """Tell whether somebody asks to be helped along by questions and small steps."""
    return _any(_COACH, clauses)


def asks_for_help(clauses: Iterable[str]) -> bool:
    """Tell whether somebody wants an answer without asking a question: "I don't understand how it works"."""
    return any(_HELP.search(_plain(clause)) for clause in clauses)


def is_phatic(clause: str) -> bool:
    """Tell whether a question wants no answer: "guess what?"."""
    return _PHATIC.match(_plain(clause).strip(" .,!?…")) is not None


def tells_of_success(clauses: Iterable[str]) -> bool:
    return _any(_WELL, clauses)


def is_grateful(clauses: Iterable[str]) -> bool:
    return _any(_GRATEFUL, clauses)


def _any(pattern: re.Pattern[str], clauses: Iterable[str]) -> bool:
    """Tell whether a clause says so; "I have not finished" does not."""
    return any(pattern.search(clause) and not _NOT.search(clause) for clause in map(_plain, clauses))


def _names_its_game(clause: str) -> bool:
    return re.search(r"game|quiz|spel(?!a\b)|lek(?!a\b)|minne|memor", clause, re.IGNORECASE) is not None


def _plain(clause: str) -> str:
    """Return a clause with the apostrophes of a keyboard: those of a phone are others."""
    return clause.replace("\u2019", "'")
