"""The words in which people say who they are: name, age, school, grade, family, language, home, work."""

import re

from companion_site.language import as_language

_KIN = r"(?:mum|mom|mother|dad|father|parents?|(?:step|half)?-?(?:brother|sister|mother|father)s?|siblings?|husband|wife|partner|grandm\w+|grandf\w+|grandparents?|sons?|daughters?|kids|children|family|twins?|cousins?|aunt|uncle)"
_KIN_SV = r"(?:mamma|mor|pappa|far|föräldrar|(?:stor|lill|halv|tvilling|styv)?-?(?:bror|syster|bröder|systrar|brorsa|syrra)\w*|syskon|man|fru|sambo|mormor|morfar|farmor|farfar|(?:mor|far)föräldrar|son|söner|dotter|döttrar|barn|familj|kusin\w*|moster|faster|farbror|morbror)"
_COUNT = r"(?:an?|one|two|three|four|five|six|\d+)(?: (?:older|younger|little|big|elder|twin|small|half))*"
_COUNT_SV = r"(?:en|ett|två|tre|fyra|fem|sex|\d+)(?: (?:äldre|yngre|små|stora|lilla))*"
_PATTERNS = {
    "en": (
        rf"\bmy (?:full |first |last |real )?name(?:'s| is)\b|\b(?:i am|i'm) called\b|\bcall me [A-ZÅÄÖ]"
        rf"|\b(?:i am|i'm|i was|i just turned|i turned|i'll be|i will be) (?:\d{{1,2}}|(?:six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty)\b)(?: years? old)?(?! (?:minutes?|hours?|days?|points?|%|times|pages|km|kilomet\w+|weeks?|months?|late|behind))"
        rf"|\b(?:i|we) (?:live|grew up|was born|were born|were raised|was raised|moved (?:here|to|from))\b|\b(?:i am|i'm|i come|we are|we're|we come|my family (?:is|comes)) from\b|\bmy (?:home country|home ?town|roots|native|mother tongue|first language|second language)\b"
        rf"|\b(?:i am|i'm) (?:in|a student (?:in|at)) (?:the )?(?:\w+ )?(?:grade|year|class|\d+\w{{0,2}} grade)\b|\b(?:i go to|i attend|i study at|my school (?:is|'s)|i'm at|i am at) (?:[A-ZÅÄÖ]|a |an )?[\w ]*(?:school|academy|college|university|gymnasium)\b|\bi (?:study|am studying|'m studying) (?:the |at )|\bmy school is called\b"
        rf"|\b(?:i|we) have {_COUNT} {_KIN}\b|\bmy (?:\w+ )?{_KIN} (?:is|are|was|were|works?|lives?|live|drives?|teaches|comes?|speaks?|moved|died|passed)\b|\bmy (?:\w+ )?{_KIN} and (?:my )?\w+ (?:are|work|live)\b|\b(?:i am|i'm) (?:an only child|married|divorced|adopted|single|engaged|a (?:single )?(?:mother|father|mom|mum|dad|parent)|the (?:oldest|youngest))\b"
        rf"|\b(?:i am|i'm) an? (?:\w+ )?(?:woman|man|girl|boy|immigrant|refugee|christian|muslim|jew|jewish|hindu|buddhist|nurse|teacher|student|engineer|electrician|apprentice|veteran)\b"
        rf"|\b(?:we|i) (?:speak|talk)(?: [\w-]+){{1,3}} at home\b|\bis my (?:second|first|native) language\b|\bi work (?:as|at|for|in)\b|\bmy job is\b"
    ),
    "sv": (
        rf"\b(?:jag heter|mitt (?:för|efter)?namn är|jag kallas|kalla mig)\b|\bjag (?:är|fyller|fyllde|blir) (?:\d{{1,2}}|(?:sex|sju|åtta|nio|tio|elva|tolv|\w+ton|tjugo|trettio|fyrtio|femtio)\b)(?: år)?(?! (?:minuter|timmar|dagar|poäng|procent|gånger|sidor|km|veckor|månader))"
        rf"|\b(?:jag|vi) (?:bor|växte upp|är född\w*|är uppvuxen|flyttade (?:hit|till|från)|kommer från|är från)\b|\bmin familj (?:kommer|är) från\b|\bmitt (?:hemland|modersmål|andraspråk|förstaspråk)\b|\b(?:är|var) mitt (?:modersmål|andraspråk|förstaspråk)\b"
        rf"|\bjag går (?:i (?:förskole\w+|ettan|tvåan|trean|fyran|femman|sexan|sjuan|åttan|nian|årskurs|klass|[1-9][a-f]?|gymnasiet)|på [A-ZÅÄÖ]?\w*(?:skolan|gymnasiet|läroverket|\w+programmet)|(?:första|andra|tredje) (?:året|ring))\b|\bmin skola heter\b|\bjag (?:läser|går|studerar)(?: på)? \w*(?:programmet|linjen)\b"
        rf"|\b(?:jag|vi) har {_COUNT_SV} {_KIN_SV}\b|\bmin[a]?(?: \w+)? {_KIN_SV} (?:är|var|arbetar|jobbar|bor|kör|kommer|talar|pratar|flyttade|dog)\b|\bmin[a]? {_KIN_SV} och (?:min )?\w+ (?:är|bor|arbetar)\b|\bjag är (?:ensambarn|gift|skild|adopterad|singel|förlovad|äldst|yngst|(?:ensamstående )?(?:mamma|pappa|förälder))\b"
        rf"|\bjag är en (?:\w+ )?(?:kvinna|man|tjej|kille|flicka|pojke|invandrare|flykting|transkvinna|transman)\b|\b(?:jag|vi) (?:talar|pratar) (?:\w+ ){{1,3}}hemma\b|\bhemma (?:talar|pratar) vi\b|\bjag (?:arbetar|jobbar) (?:som|på|hos)\b|\bmitt (?:jobb|yrke) är\b"
    ),
}
_KNOWN = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _PATTERNS.items()}


def says_who(text: str, language: str) -> bool:
    """Tell whether a statement says in so many words who the person is."""
    known = _KNOWN[as_language(language)]
    return known.search(text.replace("\u2019", "'")) is not None
