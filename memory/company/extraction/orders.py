"""Words that tell the companion what to claim, to hide or to ignore: data like all others, and never a fact.

How somebody wants to be helped is honest and passes ("always answer briefly", "remind me"), and so does what people say
of themselves ("we always write that …"). What is told apart here is an order about what is true, what others may
know, and which rules hold.
"""

import re

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
