"""What somebody means by their message: clause by clause, as a question, a wish, a plan and so on, and as a whole for a reply without a model.

Everything here is the person's own words, as they stand in the message; nothing is put into other words or inferred. A
clause has one kind: the first that fits of those that follow each other here. What is denied ("I will not go") or only
supposed ("if I went") is neither plan nor wish nor promise.

To be played with, coached or only heard is asked for by the person themselves, of the companion: "my grandpa wanted to play a game",
"I keep putting it off" and "she never listens" tell something, and ask for none of it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chat.turn.snapshot import SURE, is_down, is_low
from companion_site.embeddings.service import embed_question_with, get_embedder
from companion_site.language import Language, find_dates, hide_foreign
from companion_site.llm.types import Cue
from memory.reading.params import READING
from memory.reading.questions import find_about, find_sought
from memory.reading.service import ASKS, get_heads, wish_chances
from memory.reading.splitter import split
from memory.reading.words import find_words, table, write_out
from memory.student.life.feelings import UNKNOWN, EmotionState

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


#: what a sentence may begin with before it says something
_OPENING = re.compile(
    r"(?:(?:[\s\-*•,.!?…:;)\]]|\d{1,2}[.)]\s)+"
    r"|(?:hi|hello|hey|hejsan|hej|hallå|tjena|morsning|tja)(?:\s+(?:there|på dig|hej))?(?=[\s,.!])"
    r"|(?:ok|okay|okej|okey|well|thanks|thank you|tack|yes|yeah|yep|no|ja|japp|nej|jo|jaha|oh|åh|oj|puh|alright|sure|great|cool|perfect|right"
    r"|visst|toppen|perfekt|precis|nåja|så där|sådär|hörru|hörrudu|du(?=,)|btw|by the way|anyway|anyhow|hur som helst|för övrigt|förresten|actually"
    r"|alltså|jo men|typ|också|also|just so you know|så du vet|as i said|som sagt|to be honest|ärligt talat|hm+|mm+|so|så|and|och|but|men)"
    r"(?=[\s,.!:])[,.!:…]*(?:\s+(?=\w))?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a message.

    Attributes:
        text: word for word, without the stops around it.
        is_asked: whether it ends as a question.
    """

    text: str
    is_asked: bool


def trim(piece: str) -> str:
    """Return a clause without greetings and interjections before it, and without what ends it."""
    start = 0
    while (match := _OPENING.match(piece, start)) is not None and match.end() > start:
        start = match.end()
    return piece[start:].strip(" \t\n,;:.!…\u2013\u2014\"'()[]»”")


IntentionKind = Literal[
    "reminder_wish", "promise", "thanks", "greeting", "request", "question", "wish", "plan", "supposition", "statement"
]  # fmt: skip


_I_EN, _I_SV = r"(?:i|we)", r"(?:jag|vi)"
_ADVERB_EN = r"(?:\s(?:also|really|still|just|so|definitely|always|only|now))?"
_ADVERB_SV = r"(?:\s(?:också|verkligen|fortfarande|bara|så|gärna|alltid|nu|nog|absolut|helst))?"
_TIME_SV = r"(?:i\s?morgon|imorgon|ikväll|i kväll|idag|i dag|snart|nästa \w+|(?:på )?\w+dag|efter \w+|om \w+ \w+|sen|senare)"
_PATTERNS: dict[Language, tuple[tuple[IntentionKind, str], ...]] = {
    "en": (
        ("reminder_wish", r"\b(?:remind me|don't let me forget|make sure (?:that )?i (?:don't forget|remember)"
                          r"|(?:i )?(?:need|have|want|must|should)(?: to)? remember (?:to|that|the|my)|i (?:must not|mustn't|can't|shouldn't) forget)\b"),
        ("promise", rf"\b{_I_EN}{_ADVERB_EN} (?:promise|swear)\b|\bi give you my word\b"),
        ("thanks", r"^(?:many |ok |okay )?(?:thanks|thank you|thx|cheers|much appreciated)\b"),
        ("greeting", r"^(?:hi|hello|hey|good (?:morning|evening|afternoon|night)|bye|goodbye|see you)\b(?!.*\b(?:i|my)\b)"),
        ("request", r"^(?:please |so )?(?:(?:can|could|will|would) you\b|(?:please )?(?:help me|explain|show me|give me|tell me|quiz me|write|"
                    r"summari[sz]e|translate|list|solve|check|compare|define|describe|calculate|suggest|recommend|correct|proofread|draft|prove|rewrite"
                    r"|let's|let us)\b)|^please\b"),
        ("question", r"^(?!(?:when|where|what|how|who) (?:i|i'm|i've|we|it|he|she|they|the|my|this|that)\b)(?:and |but |so )?(?:what|how|why|where|who|which|when|whose|is|are|do|does|did|can|could|should|am|was|were|have|has)"
                     r"\s(?:is|are|was|were|do|does|did|can|could|should|would|will|if|i|you|we|it|there|this|that|he|she|they|the|my|many|much|about)\b"
                     r"|^(?:and |but |so )?(?:(?:what|how|why|where|who|when) (?:even|exactly|on earth|else)|how come|which \w+|who \w+|what (?:kind|sort|time|day|year))\s\w"
                     r"|^i wonder\b"),
        ("wish", rf"\b{_I_EN}{_ADVERB_EN} (?:wish|hope|want to|want a|would like|would love|long for|dream of)\b|\b(?:i'd|we'd){_ADVERB_EN} (?:like|love|rather)\b"),
        ("plan", rf"\b(?:{_I_EN}{_ADVERB_EN} (?:will|am going|are going|plan|intend|have decided|am thinking of|am (?:seeing|meeting|starting)|have an appointment)"
                 rf"|(?:i'm|we're){_ADVERB_EN} (?:going|planning|seeing|meeting|starting|about to|thinking of)|(?:i'll|we'll)|i've decided)\b"),
    ),
    "sv": (
        ("reminder_wish", r"\b(?:påminn(?:a)? mig|låt mig inte glömma|(?:jag )?(?:måste|behöver|ska|vill|borde)(?: inte)? (?:komma ihåg|minnas)"
                          r"|(?:jag )?får inte glömma)\b"),
        ("promise", rf"\b{_I_SV}{_ADVERB_SV} (?:lovar|svär)\b|\blovar{_ADVERB_SV} att\b"),
        ("thanks", r"^(?:ok |okej |stort |tusen )?tack\b(?!\svare)"),
        ("greeting", r"^(?:hej|hejsan|tjena|hallå|tja|god (?:morgon|kväll|natt|middag)|godnatt|godmorgon|hejdå|vi (?:ses|hörs))\b(?!.*\b(?:jag|min|mitt)\b)"),
        ("request", r"^(?:snälla |så )?(?:(?:kan|kunde|skulle|vill) du\b|(?:hjälp mig|förklara|visa|ge mig|berätta|förhör mig|skriv|sammanfatta|översätt|lista|lös|"
                    r"kolla|jämför|definiera|beskriv|räkna ut|föreslå|rätta|bevisa|låt oss)\b)|^snälla\b"),
        ("question", r"^(?!(?:när|var|vad|hur|vem) (?:jag|vi|det|den|han|hon|de|man|du)\b)(?:och |men |så )?(?:(?:vad|hur|varför|var|vem|vilken|vilket|vilka|när)\s(?:är|var|gör|gjorde|kan|ska|skulle|menar|betyder|händer|många|mycket"
                     r"|heter|blir|löser|fungerar|räknar|skriver|tycker|har|får|vill|tror|man|jag|du)|(?:kan|får|ska|är|har|vet|tror|tycker|vill|förstår|borde)"
                     r"\s(?:du|jag|vi|man|det|ni|han|hon|de))\b"
                     r"|^(?:och |men |så )?(?:(?:vad|hur|varför|var|vem|när) (?:ens|exakt|egentligen|i hela friden|annars)|vilk(?:en|et|a) \w+|vem \w+|hur \w{3,}[rs])\s\w"
                     r"|^(?:jag )?undrar\b"),
        ("wish", rf"\b{_I_SV}{_ADVERB_SV} (?:önskar|hoppas|vill|skulle{_ADVERB_SV} vilja|drömmer om|längtar efter)\b"),
        ("plan", rf"\b{_I_SV}{_ADVERB_SV} (?:ska|skall|tänker|planerar|kommer att|har bestämt|har tid|tänkte)\b"
                 rf"|\b{_TIME_SV}\s(?:ska|åker|går|börjar|träffar|har|tänker) {_I_SV}\b|\b(?:ska|tänker) {_I_SV}\b"),
    ),
}  # fmt: skip
_KNOWN: dict[Language, tuple[tuple[IntentionKind, re.Pattern[str]], ...]] = {
    language: tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in patterns)
    for language, patterns in _PATTERNS.items()
}
_DENIED = re.compile(
    r"^[\s\w]{0,20}?\b(?:not|never|won't|don't|wouldn't|didn't|inte|aldrig|ej)\b", re.IGNORECASE
)
_SUPPOSED = re.compile(
    r"^(?:(?:and|but|och|men)\s)?(?:if|unless|suppose|imagine|om|ifall|tänk om|what if)\s", re.IGNORECASE
)
#: what a clause sheds at both ends
_EDGES = " \t\n,.!:;…"
#: fewer words state nothing by themselves
LEAST_WORDS = 3
#: of a message so many clauses are heard
MOST_CLAUSES = 40
#: kinds that a denial takes away, and a supposition
_MEANT: frozenset[IntentionKind] = frozenset(("promise", "wish", "plan", "reminder_wish"))


def cut(text: str) -> list[Clause]:
    """Return the clauses of a message in order, each just as it stands there.

    Code, addresses and quoted lines are not the person's words.
    """
    prose = hide_foreign(text)
    found = []
    for one in split(prose, limit=MOST_CLAUSES):
        said = text[one.start : one.end].strip(_EDGES) if prose[one.start : one.end].strip() else ""
        first, _, rest = said.partition(" ")
        if first.lower() in table("joining"):
            # "Thanks for the help": what is left says too little to stand alone.
            said = rest.strip(_EDGES) if len(rest.split()) >= LEAST_WORDS else ""
        if said:
            found.append(Clause(text=said, is_asked="?" in prose[max(one.start, one.end - 1) : one.end + 1]))
    return found


def name_kind(clause: str, *, language: Language, is_asked: bool) -> IntentionKind:
    """Return what is meant by a clause; "Hi, I'm going home" is a plan."""
    plain = clause.replace("\u2019", "'")
    kind = _name_kind(plain, language, is_asked=is_asked)
    return _name_kind(trim(plain), language, is_asked=is_asked) if kind == "statement" else kind


def _name_kind(plain: str, language: Language, *, is_asked: bool) -> IntentionKind:
    if _SUPPOSED.match(plain):
        return "question" if is_asked else "supposition"
    for kind, pattern in _KNOWN[language]:
        found = pattern.search(plain)
        if found is None or (kind in _MEANT and is_asked):
            continue
        if kind in _MEANT and _is_denied(plain, found, kind):
            return "statement"
        return kind
    return "question" if is_asked else "statement"


def _is_denied(plain: str, found: re.Match[str], kind: IntentionKind) -> bool:
    """Tell whether the words of a wish, plan or promise are followed by a denial, or hold one."""
    if kind == "reminder_wish":
        return plain[: found.start()].lower().split()[-1:] in (["don't"], ["inte"])
    return _DENIED.match(plain[found.start() : found.end() + 12]) is not None


#: kinds of clauses that state something about the person or their life
_STATING: frozenset[IntentionKind] = frozenset(("statement", "plan", "promise", "wish"))


@dataclass(frozen=True, kw_only=True)
class Intention:
    """What somebody means by a clause.

    Attributes:
        text: the clause, word for word.
        times: the dates and times that it names, word for word.
    """

    kind: IntentionKind
    text: str
    times: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What a message says: an intention for each clause, and the clauses that state something."""

    intentions: tuple[Intention, ...] = ()
    facts: tuple[str, ...] = ()


def listen_step(text: str, *, language: Language) -> Heard:
    """Return what a message says; by rules, so it is the same every time and costs less than a millisecond."""
    intentions = tuple(
        Intention(
            kind=name_kind(clause.text, language=language, is_asked=clause.is_asked),
            text=clause.text,
            times=tuple(find_dates(clause.text)),
        )
        for clause in cut(text)
    )
    facts = dict.fromkeys(
        one.text for one in intentions if one.kind in _STATING and len(one.text.split()) >= LEAST_WORDS
    )
    return Heard(intentions=intentions, facts=tuple(facts))


#: what somebody wants who has work ahead of them
WORK = ("plan", "practise", "advice")
#: "What did we talk about?" names no matter: what of one has so much to do with the conversation is about it.
OF_NO_MATTER = 0.2
#: what a wish that is no such question asks for; each is answered in its own way
_WISHED: tuple[tuple[Cue, str], ...] = (
    ("thanks", "thanks"),
    ("goodbye", "goodbye"),
    ("greeting", "greeting"),
    ("companion", "about_companion"),
    ("conversation", "about_conversation"),
    ("explain", "explain"),
    ("task", "do_task"),
)


def name_cue(text: str, *, vector: NDArray[np.floating] | None, emotion: EmotionState = UNKNOWN) -> Cue:
    """Return what a message is; how somebody feels comes before what they want, but for what was told of a name, a place, a time or a number,
    and for what the companion is and who reads along, which a feeling is easily read into.

    Args:
        vector: (d,) of the message; without one nothing is known.
    """
    if vector is None or not vector.any():
        return "other"
    heads, written = get_heads(), write_out(text)
    if written != text:
        text, vector = written, embed_question_with(get_embedder(), written)
    told = heads.read_texts("intent", [text], vector[None])["intent"]
    if find_sought(text) and told.of("about_me") >= READING.intent:
        return "question"
    if told.of("about_companion") >= READING.surely_wants:
        return "companion"
    if is_low(emotion) or (is_down(emotion) and told.of("feelings") >= READING.intent):
        return "heavy"
    if wish_chances([text], vector[None], heads)[0] >= READING.confirms_wish:
        return "wish"
    if told.of("remember_this") >= READING.asks_to_remember:
        return "remember"
    names_nothing = find_about(text, ()) is None and not find_sought(text)
    if names_nothing and told.of("about_conversation") >= OF_NO_MATTER:
        return "conversation"
    asks = sum(map(told.of, ASKS)) >= READING.intent
    is_question, words = text.rstrip().endswith("?"), frozenset(find_words(text))
    if words & table("you") and not words & table("self"):
        # "How are you?" asks for nothing that was told.
        of_it = told.of("small_talk") + told.of("about_companion") >= READING.intent
        if (asks and names_nothing) or (of_it and is_question and not find_sought(text)):
            return "companion"
    if asks:
        return "question"
    for cue, intent in _WISHED:
        if told.of(intent) >= READING.intent:
            return cue
    if told.of("small_talk") >= READING.surely_wants and not find_sought(text):
        return "greeting"
    if emotion.primary_emotion == "joy" and emotion.confidence >= SURE:
        return "glad"
    if sum(map(told.of, WORK)) < READING.intent:
        return "other"
    return "days" if "coming" in find_sought(text) else "plan"
