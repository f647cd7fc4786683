"""What of a reading may be believed: each candidate is a new fact, or refused with the reason.

Refused are orders to the companion, raw figures that the live state covers, what has a personal number in it, and what a short list of
words shows to be somebody's private life. How somebody wants to be helped is honest and passes ("always answer briefly"), and so does
what people say of themselves ("we always write that …"): an order is about what is true, what others may know, and which rules hold.
"""

import math
import re
from collections.abc import Collection, Iterable
from functools import cached_property

from companion_site.language import hide_foreign, sanitise, words
from companion_site.llm.scrubbing.detector import find_personal_numbers, fold_marks
from memory.company.extraction.dialogue import CATEGORIES, Candidate, Dialogue, Line
from memory.company.facts import NewFact, fingerprint
from memory.company.live.catalogue import FIGURES, TERMS
from memory.company.live.statements import covers
from memory.company.params import COMPANY
from memory.models import CompanyRefusal
from memory.reading.grounding import is_grounded
from memory.reading.splitter import cut_sentences

#: a state of now, which a decision or a habit is not
_DECIDED = re.compile(
    r"(?<!\w)(?:decided|agreed|will|going to|always|usually|never|every|write off|wrote off|written off|pay (?:it|them)|from now on|set|lowered|raised"
    r"|beslut\w*|bestäm\w*|ska|alltid|brukar|aldrig|varje|skriv\w* av|betala tillbaka|hädanefter|höj\w*|sänk\w*|satte)(?!\w)",
    re.IGNORECASE,
)
#: what every company's books hold, whether or not it has been pushed; how many people work there is not among it
RAW = frozenset(FIGURES) - {"employees"}


def is_covered(clause: str, standing: Collection[str] = ()) -> bool:
    """Tell whether a clause only says a figure that the live state has, or would have.

    Args:
        standing: the keys of the figures that are there now ("employees").
    """
    return not _DECIDED.search(clause) and not covers(clause).isdisjoint(RAW.union(standing))


#: before an order so many characters are looked at for whose it is
LEAD_CHARS = 300

_OTHERS = (
    r"(?:her|him|them|he|she|they|others?|anyone|anybody|everyone|everybody|somebody|someone|users?|the (?:others?|other \w+|auditors?|accountants?|owners?|board|bank|team|users?|inspector)"
    r"|my (?:partner|colleagues?|co-owner|brother|sister|wife|husband|boss|accountant)|skatteverket|the tax agency"
    r"|henne|honom|dem|dom|hon|han|de|andra|alla|någon|ingen|användare\w*|revisorn?|ägar\w+|styrelsen|banken|kolleg\w+|min (?:kollega|kompanjon|bror|syster|fru|man|chef|delägare))"
)
_CLAIM = r"(?:say|answer|reply|claim|state|insist|pretend|maintain|assert|confirm|repeat|assume|believe|respond|act as if|write|tell (?:\w+ ){1,3}?)(?:ing)?"
_CLAIM_SV = (
    r"(?:säga?|svara|påstå|hävda|låtsas|bekräfta|upprepa|uppge|intyga|utgå från|tro|skriva?|berätta|tala om)"
)
#: between the verb and what is to be claimed
_OPENS = r"[\s:\"'\u201c\u201d«»]"
_WHAT = rf"(?={_OPENS}*(?:that|the company|our|we|i|it|there|yes|no)\b)"
_WHAT_SV = rf"(?={_OPENS}+(?:\w+\s)?(?:att|bolaget|vi|vår|vårt|jag|ja|nej)\b)"


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in alternatives), re.IGNORECASE)


#: what to claim; each ends with the verb, so that whoever is spoken of comes after it
_CLAIMS = _compile(
    rf"\b(?:always|never|from now on|just|you (?:must|should|shall|will|have to|are to)|i want you to|please|make sure (?:to|you)|keep|when asked|remember to|and)\s+(?:\w+\s){{0,2}}?{_CLAIM}{_WHAT}",
    rf"^\W*{_CLAIM}(?=\s+that\b)",
    r"\b(?:keep|go on|continue) (?:saying|claiming|telling|repeating)\b|\bpretend(?:ing)?(?= (?:that|to be|you)\b)|\bsay so\b",
    r"\banswer (?:every|all|any) question\w*(?=.{0,40}\bwith\b)|\bsvara (?:alla|varje)\b.{0,40}\bmed (?:ja|nej)\b",
    rf"\b(?:alltid|aldrig|från och med nu|hädanefter|framöver|i fortsättningen|du (?:ska|skall|måste|får|bör)|jag vill att du|se till att|och)\s+(?:\w+\s){{0,3}}?{_CLAIM_SV}r?{_WHAT_SV}",
    r"^\W*(?:\w+\s){0,1}?(?:säg|svara|påstå|hävda|låtsas|bekräfta|uppge|intyga)(?=\s+(?:\w+\s){0,2}?att\b)|\blåtsas(?= (?:att|som|vara)\b)",
    rf"\b(?:svara|säg|påstå|uppge)\s+(?:alltid|aldrig|bara|konsekvent)(?=\s+(?:att|ja|nej)\b|{_OPENS}*:{_OPENS}*(?:att|ja|nej|bolaget|vi|vår|vårt|jag)\b)",
    r"\b(?:if|when|whenever|should)\b.{0,60}\b(?:asks?|wonders?|logs? in|inquires?|wants to know)\b.{0,40}\b(?:tell|say|answer|reply|claim|state|deny|confirm)\b",
    r"\b(?:om|när|ifall)\b.{0,60}\b(?:frågar|undrar|loggar in|vill veta)\b.{0,40}\b(?:säg|säga|svara|påstå|hävda|berätta|uppge|förneka|bekräfta)\b",
)
#: to whom, what to hide, and which rules hold
_RULES = _compile(
    rf"\b(?:tell|inform|assure|convince)\s+{_OTHERS}\b.{{0,60}}\bthat\b|\b(?:säg|berätta|intala|försäkra)\s+(?:det\s+)?(?:till|för|åt)?\s*{_OTHERS}\b",
    rf"\b(?:never|don't|do not|must not|mustn't) (?:ever )?(?:mention|reveal|disclose|show|tell|admit|bring up)\b.{{0,60}}\b{_OTHERS}\b",
    rf"\b(?:nämn|avslöja|visa|berätta|säg|ta upp)(?:a|r)? (?:aldrig|inte|ingenting|inget)\b.{{0,60}}\b{_OTHERS}\b|\b(?:aldrig|inte) (?:nämna|avslöja|berätta|visa|säga)\b.{{0,60}}\b{_OTHERS}\b",
    rf"\b(?:hide|conceal|keep quiet about|cover up|deny)\b|\b(?:dölj|dölja|mörka|mörklägg|tig om|förneka)\b|\b(?:keep|håll)\b.{{0,60}}\b(?:secret from|hemlig\w* för) {_OTHERS}",
    r"\b(?:ignore|disregard|forget|override|bypass|drop)\b.{0,30}\b(?:instructions?|rules?|prompts?|everything|guidelines|restrictions|limits?|all|what you|safety)\b",
    r"\b(?:ignorera|strunta i|glöm|bortse från|åsidosätt|hoppa över)\b.{0,30}\b(?:instruktion\w*|regler\w*|allt|prompt\w*|riktlinj\w*|begränsning\w*|tidigare|spärr\w*)\b",
    r"^\W*(?:system|assistant|developer|admin|companion|systemmeddelande|utvecklare)\s*:|\bsystem ?(?:prompt|text|meddelande|message|instruction)\w*|\bdeveloper mode\b|\bjailbreak\b",
    r"\byou are now\b|\bact as (?:if you|an?|the)\b|\brole-?play\b|\bdu är nu\b|\bagera som\b|\bspela rollen\b",
    r"\b(?:verified|registered|logged in) as (?:an? )?admin\w*|\b(?:stop|quit|skip) asking for (?:confirmation|permission|approval)\b|\bsluta fråga om (?:lov|bekräftelse|tillåtelse)\b",
    r"\b(?:store|save|remember|note|record|treat|accept|register|keep|add)\b.{0,30}\bas (?:a |an |the )?(?:\w+ )?(?:truth|fact|rule|true|confirmed|verified|certain|settled fact|standing rule)\b",
    r"\b(?:kom ihåg|spara|lagra|notera|lägg in|behandla|registrera|anteckna|minns)\b.{0,30}\bsom (?:en |ett )?(?:\w+ )?(?:sanning\w*|fakt\w*|regel|sant|bekräftat|säkert)\b",
    r"\bapprove (?:all|every|any)\b|\bgodkänn(?:a|as)?\b.{0,30}\b(?:all\w*|utan kontroll)\b|\b(?:approve|pay|book|godkänn\w*|betala\w*|bokför\w*)\b.{0,40}\b(?:without (?:checking|control|review)|utan (?:kontroll|att kolla|granskning))\b",
    r"\b(?:to|in|into|from|update|change|erase|clear) your (?:\w+ )?memory\b|\b(?:ditt|i|från) minnet?\b.{0,20}\batt\b|\b(?:ditt|ditt eget) minne\b|\byour new (?:task|role|name)\b|\bdin nya (?:uppgift|roll)\b",
    r"\btreat me as\b|\bbehandla mig som\b|\bgive me (?:full |admin )?(?:access|rights)\b|\bge mig (?:full |alla )?(?:åtkomst|behörighet\w*|rättigheter)\b|\bwithout telling\b|\butan att (?:säga|berätta|tala om)\b",
    r"\b(?:print|reveal|show|output|repeat|visa|skriv ut|avslöja)\b.{0,20}\b(?:your (?:prompt|instructions|rules)|din(?:a)? (?:prompt|instruktioner|regler))\b|\b(?:answer|reply|respond) only with\b|\bsvara (?:bara|endast) med\b",
    r"\b(?:new|permanent|standing|fixed) (?:instruction|order)\b|\b(?:ny|fast|permanent|stående) (?:instruktion|order)\b",
)
#: whoever says "we always write that …" tells of themselves
_OURSELVES = re.compile(
    r"\b(?:(?-i:I)|i(?=\s+(?:always|never|also|just|will|have|had|told|said|say|write|keep|asked|would))|we|they|he|she|us|man|vi|jag|de|dom"
    r"|hon|han|oss)\b(?! (?:want you|vill att du))",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|du|dig|ni)\b", re.IGNORECASE)


def is_order(sentence: str) -> bool:
    """Tell whether a sentence tells the companion what to claim, to hide or to ignore."""
    plain = " ".join(sentence.replace("\u2019", "'").split())
    claims = (_is_to_you(plain, match.start(), match.group()) for match in _CLAIMS.finditer(plain))
    return any(claims) or any(_is_to_you(plain, match.start(), "") for match in _RULES.finditer(plain))


def _is_to_you(sentence: str, start: int, order: str) -> bool:
    """Tell whether the order that starts there is the companion's, by who is named in its clause before the verb."""
    lead = sentence[max(0, start - LEAD_CHARS) : start]
    clause = f"{re.split(r'[.,;:!?]', lead)[-1]} {order}"
    return _YOU.search(clause) is not None or _OURSELVES.search(clause) is None


#: Beginnings of words that speak of the business: what a company's facts and figures are about, and the company itself.
_BUSINESS_WORDS = (
    *(form.split("|")[0] for pair in TERMS for form in pair if pair != ("remind|er", "påmin|nelse")),
    *(name for figure in FIGURES.values() for name in figure.spoken),
    "company", "companies", "business", "firm", "contract", "lease", "deliver", "the board", "we sell", "we hire", "we bought",
    "bolag", "företag", "styrels", "avtal", "kontrakt", "leverans", "vi sälj", "vi anställ", "vi köpte",
)  # fmt: skip
BUSINESS = re.compile(rf"(?<!\w)(?!taxi)(?:{'|'.join(map(re.escape, _BUSINESS_WORDS))})", re.IGNORECASE)
PRIVATE = re.compile(
    r"(?<!\w)(?:"
    r"my (?:son|daughter|kids?|children|neighbou?r|dog|cat|knees?|back|head|mum|mom|grandm\w+|grandf\w+|cousin|boyfriend|girlfriend|birthday)|(?:the |our )(?:kids?|dog|cat|neighbou?rs?|match|game|film|movie|series|weather)|football|soccer|hockey|kilomet\w+|marathon|gym|tooth|teeth|holiday(?:s)? in|vacation|birthday|weather|rain\w*|snow\w*|dinner|recipes?|concert|goal in|netflix|songs?"
    r"|min (?:son|dotter|granne|hund|katt|rygg|mamma|mormor|farmor|morfar|farfar|kusin|pojkvän|flickvän)|mina (?:barn|ungar|knän)|(?:barnen|ungarna|hunden|katten|grannen|grannarna|matchen|filmen|serien|vädret)|fotboll\w*|hockey\w*|kilomet\w+|maraton\w*|gymmet|tand(?:en)?|semestern i|födelsedag\w*|regn\w*|snö\w*|middag\w*|recept\w*|konsert\w*|melodifestivalen|häst|låt(?:en)?|fyller (?:\w+) på"
    r")(?!\w)",
    re.IGNORECASE,
)


Reason = CompanyRefusal.Reason
#: of very many candidates so many times as many are looked at as are taken
EXAMINED = 5


_COLON = re.compile(r":\s*\n\s*")


class _Source:
    """A message that facts are said to come from, with its sentences and those of messages that it puts right."""

    def __init__(self, line: Line, *beside: Line) -> None:
        self.line = line
        self.said = "\n\n".join(one.text for one in (*beside, line))

    @cached_property
    def sentences(self) -> list[tuple[frozenset[str], bool]]:
        """Return the words of each sentence, and whether it is an order; what follows a colon belongs to it."""
        prose = _COLON.sub(": ", hide_foreign(self.said))
        return [(frozenset(words(one)), is_order(one)) for one in cut_sentences(prose)]

    def orders(self, content: str) -> bool:
        """Tell whether a sentence that some content tells is an order, however the content puts it."""
        told = set(words(content))
        shared = [(len(told & said), order) for said, order in self.sentences]
        return max(shared, default=(0, False))[1]


def check(
    candidates: Iterable[Candidate],
    dialogue: Dialogue,
    *,
    standing: Collection[str] = (),
    most: int = COMPANY.most_facts,
) -> tuple[list[NewFact], list[CompanyRefusal]]:
    """Return the facts that may be believed, each once, and what is refused."""
    sources = {line.position: _Source(line) for line in dialogue.sources}
    facts: dict[str, NewFact] = {}
    refused: list[CompanyRefusal] = []
    for number, candidate in enumerate(candidates):
        source = sources.get(candidate.message)
        if source is not None and candidate.beside:
            source = _Source(source.line, *(sources[one].line for one in candidate.beside if one in sources))
        content = " ".join(sanitise(candidate.content[: 2 * COMPANY.most_chars]).split())
        content = content.strip(" -•*").rstrip(" .!;,")
        if number >= EXAMINED * most or len(facts) >= most:
            reason: CompanyRefusal.Reason | None = Reason.TOO_MANY
        else:
            reason = _find_fault(candidate, content, source, standing)
        if reason is not None or source is None:
            refused.append(_refused(reason or Reason.NOT_SAID, content, source))
        else:
            line = source.line
            fact = NewFact(
                category=candidate.category,
                content=content[:1].upper() + content[1:],
                language=line.language,
                confidence=candidate.confidence,
                said_at=line.said_at,
                conversation=dialogue.conversation,
                message=line.id,
                said_by=line.speaker,
            )
            facts.setdefault(fingerprint(content), fact)
    return list(facts.values()), refused


def _find_fault(
    candidate: Candidate,
    content: str,
    source: _Source | None,
    standing: Collection[str],
) -> CompanyRefusal.Reason | None:
    """Return why a candidate is not taken; None where nothing speaks against it."""
    if source is None or not content:
        return Reason.NOT_SAID
    if len(content) > COMPANY.most_chars:
        return Reason.TOO_LONG
    if is_order(content) or source.orders(content):
        return Reason.INSTRUCTION
    if candidate.category not in CATEGORIES:
        return Reason.UNKNOWN_CATEGORY
    if not math.isfinite(candidate.confidence) or not 0.0 < candidate.confidence <= 1.0:
        return Reason.BAD_CONFIDENCE
    if not is_grounded(content, source.said, language=source.line.language):
        return Reason.NOT_SAID
    if _has_personal_number(content):
        return Reason.PERSONAL_NUMBER
    if is_covered(content, standing):
        return Reason.COVERED
    return Reason.OFF_TOPIC if _is_off_topic(content) else None


def _has_personal_number(content: str) -> bool:
    return any(find_personal_numbers(fold_marks(content)))


def _is_off_topic(content: str) -> bool:
    return PRIVATE.search(content) is not None and BUSINESS.search(content) is None


def _refused(reason: CompanyRefusal.Reason, content: str, source: _Source | None) -> CompanyRefusal:
    # What is private stays private, whatever else is wrong with it: that something was refused is told, not what.
    is_private = _is_off_topic(content) or _has_personal_number(content)
    shown = "" if is_private else content[: COMPANY.most_chars]
    message = source.line.id if source else None
    return CompanyRefusal(reason=reason, content=shown, source_message_id=message)
