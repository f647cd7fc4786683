"""By which words a clause is known as a question, a wish, a plan, a promise and so on, in both languages.

A clause has one kind: the first that fits of those that follow each other here. What is denied ("I will not go") or only supposed ("if I
went") is neither plan nor wish nor promise.
"""

import re
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from chat.turn.clauses import LONGEST_SENTENCE, split_clauses
from companion_site.language import Language, hide_foreign
from memory.company.extraction.statements import split_sentences

IntentionKind = Literal[
    "reminder_wish", "promise", "thanks", "greeting", "request", "question", "wish", "plan", "supposition", "statement"
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Cut:
    """A clause, word for word, and whether it ends in a question mark."""

    text: str
    is_asked: bool


_I_EN, _I_SV = r"(?:i|we)", r"(?:jag|vi)"
_ADVERB_EN = r"(?:\s(?:also|really|still|just|so|definitely|always|only|now))?"
_ADVERB_SV = r"(?:\s(?:också|verkligen|fortfarande|bara|så|gärna|alltid|nu|nog|absolut|helst))?"
_TIME_EN = (
    r"(?:(?:tomorrow|tonight|today|later|soon|next \w+|this \w+|(?:on )?\w+day|after \w+|in \w+ \w+)[,\s]+)?"
)
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
#: what stands between an opening and what follows it, and what a clause sheds at both ends
_PARTING = ",.!:;\u2013\u2014-"
_EDGES = " \t\n,.!:;…"
#: of a message so many clauses are heard
MOST_CLAUSES = 40
#: kinds that a denial takes away, and a supposition
_MEANT: frozenset[IntentionKind] = frozenset(("promise", "wish", "plan", "reminder_wish"))


def cut(text: str) -> list[Cut]:
    """Return the clauses of a message in order, each just as it stands there.

    Code, addresses and quoted lines are not the person's words.
    """
    clauses = (clause for sentence in split_sentences(hide_foreign(text)) for clause in _clauses(sentence))
    return [
        Cut(text=_as_written(clause.text, text), is_asked=clause.is_asked)
        for clause in islice(clauses, MOST_CLAUSES)
    ]


def name_kind(clause: str, *, language: Language, is_asked: bool) -> IntentionKind:
    """Return what is meant by a clause."""
    plain = clause.replace("\u2019", "'")
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


def _as_written(clause: str, text: str) -> str:
    """Return a clause with the spaces that it has in the text."""
    found = re.search(r"\s+".join(map(re.escape, clause.split())), text)
    return found.group() if found else clause


def _clauses(sentence: str) -> list[Cut]:
    """Return the clauses of one sentence; the whole of it where its parts are too short, or not its own words."""
    parts = split_clauses(sentence)
    whole = sentence[:LONGEST_SENTENCE].strip(_EDGES)
    told = sum(len(part.text) for part in parts)
    if not parts or any(part.text not in sentence for part in parts) or told < len(whole) // 2:
        return [Cut(text=whole, is_asked=sentence.rstrip().endswith("?"))] if whole.strip("?") else []
    texts = [part.text for part in parts]
    before = sentence[: sentence.index(texts[0])]
    opening = before.strip(_EDGES)
    # "Hi, I'm home" opens with a greeting; "Thanks so much for that" is one clause.
    parted = before.rstrip().endswith(tuple(_PARTING))
    if opening and not parted:
        texts[0] = (before + texts[0]).strip(_EDGES)
    first = [Cut(text=opening, is_asked=False)] if opening and parted else []
    asked = (part.is_asked for part in parts)
    return [*first, *(Cut(text=text, is_asked=is_asked) for text, is_asked in zip(texts, asked, strict=True))]


def _is_denied(plain: str, found: re.Match[str], kind: IntentionKind) -> bool:
    """Tell whether the words of a wish, plan or promise are followed by a denial, or hold one."""
    if kind == "reminder_wish":
        return plain[: found.start()].lower().split()[-1:] in (["don't"], ["inte"])
    return _DENIED.match(plain[found.start() : found.end() + 12]) is not None
