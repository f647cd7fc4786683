"""Turns of phrase by which a promise, a secret, a debt, a fact, an instruction or an observation is known."""

import re

# Names stay case-sensitive inside patterns that are not.
_NAME = r"(?-i:[A-ZÅÄÖ]\w+)"
_KIN = (
    r"(?:(?:step|grand|half[- ]?)?(?:dad|daddy|father|mum|mom|mother|brother|sister|parents?|siblings?)|uncle|aunt|cousin"
    r"|boyfriend|girlfriend|ex|coach|teacher|friend|family|class|classmates?)"
)
_KIN_SV = (
    r"(?:(?:styv|plast|fost(?:er|rets)|stor|lill|låtsas)?(?:pappa|mamma|bror|brorsa|syster|syrra|far|mor|föräldrar)|farbror"
    r"|morbror|moster|faster|kusin|morfar|farfar|pojkvän|flickvän|kille|tjej|ex|tränare|lärare|kompis|vän|familj|klass)\w{0,3}"
)


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


PROMISE = _compile(
    rf"(?:i|we|he|she|they|you|{_KIN}|{_NAME})(?:'ve| have| has| had| also| both)? (?:promised?|swore|sworn|swear|vowed?|assured?(?= (?:me|us|him|her))|pinky[- ]promised?)(?! (?:myself|nothing))",
    r"(?:gave|give|given|have) (?:\w+ )?my (?:word|promise)|made a (?:deal|pact|promise)|shook hands on|(?:i've|i|we|have) committed to|(?:we|i|and i) agreed (?:that|to|on)",
    r"(?:you|he|she|they) (?:said|told me) (?:that )?(?:you|he|she|they)(?:'d| would| will|'ll)|i told \w+ (?:that )?i(?:'d| would| will)",
    rf"(?:jag|vi|han|hon|hen|de|dom|du|{_KIN_SV}|{_NAME})(?: har| hade| också| båda)? (?:lovar|lovade|lovat|svär|svor|svurit|försäkra(?:r|de|t))(?! (?:mig själv|ingenting|bort))",
    r"(?:gav|ger|gett) (?:\w+ )?mitt (?:ord|löfte)|(?:kom|kommit) överens om|tog i hand på|åtagit (?:mig|oss)|(?:du|han|hon|de) sa att (?:du|han|hon|de) skulle|jag sa till \w+ att jag (?:skulle|ska)",
)
SECRET = _compile(
    r"(?:don'?t|do not|never|can'?t|cannot|mustn'?t|must not|may not|not to) (?:ever )?(?:tell|say (?:it|this|anything) to|mention (?:it|this) to) (?:any ?one|anybody|a soul|my|her|him|them|mum|mom|dad|the|others)(?! (?:the (?:answer|solution)|what to))",
    r"(?:no ?one|nobody)(?: else)?(?: in \w+(?: \w+)?)? (?:knows|may know|must know|can know|should know)|between (?:us|you and me)|(?:keep|stays?) (?:this|it|that)? ?(?:to yourself|between|secret|a secret)|keep a secret|(?:hide|hiding|hid) (?:it )?from (?:every(?:one|body)|my|them|the others)",
    rf"never (?:told|said (?:this|it) to|admitted) (?:any ?one|anybody|my|this|it)|my (?:\w+ )?(?:{_KIN}|family) (?:do(?:es)?n'?t know|must ?n[o']?t (?:know|find)|have no idea|has no idea)",
    r"i have a secret|only (?:my )?\w+ knows?(?: that)?|(?:haven'?t|have not) told (?:any ?one|anybody|my|him|her|them)|(?:it'?s|this is|strictly) (?:confidential|secret|private)|in confidence",
    r"(?:no ?one|nobody|she|he|they|mum|mom|dad|mother|father) (?:must|may|can|should)(?: ?not|n'?t)?(?: ever)? find out|have to confess",
    r"(?:berätta|säg|nämn|skvallra)(?: \w+)? (?:inte|inget|ingenting|aldrig|ej)(?: (?:det|detta|här|något))*(?: här)? (?:för|till) (?:någon|nån|mina?|mamma|pappa|honom|henne|dem|andra|de andra|läraren)"
    r"|säg (?:inget|ingenting|inte något) till|får (?:inte|aldrig) (?:berätta|säga)(?: \w+)? (?:för|till)|(?:döljer|gömmer|hemlighåller)(?: \w+)? för (?:alla|min\w*|andra)|oss emellan",
    r"ingen (?:annan )?(?:i \w+ )?(?:vet|får veta|får reda|får få veta|kan veta)(?! (?:svaret|varför|hur))|mellan (?:oss|dig och mig)|behåll (?:det|detta|den) för dig|hålla? (?:det |en )?heml\w+",
    rf"aldrig (?:berättat|sagt)(?: \w+){{0,3}} (?:för|till) (?:någon|nån|min)|min\w? (?:\w+ )?{_KIN_SV} (?:vet inte|får inte (?:få )?veta|har ingen aning)|{_KIN_SV} får inte (?:få )?veta",
    r"jag har en hemlighet|bara (?:min )?\w+ (?:\w+ )?vet(?: att| om)|inte (?:berättat|sagt)(?: \w+){0,3} (?:för|till) (?:någon|nån|min\w*|mamma|pappa)|i (?:stort )?förtroende|måste erkänna|får (?:aldrig|inte) komma ut",
)
DEBT = _compile(
    r"(?:still )?owe[sd]? (?:me|him|her|them|us|you|u|my(?! (?:good|success|grade))|the|"
    + _NAME
    + r")|in debt to|(?:pay|paid|paying|pays) (?:me|him|her|them|us|\w+) back|(?:have|need|must|has|needs) (?:to )?pay(?: back)? (?-i:[A-ZÅÄÖ]\w+|my|the)|still (?:has|have|got) my|settled? (?:the|my|our|a) (?:fine|bill|debt)|(?:give|gave|given|giving|gives)(?: \w+){0,5} back(?: to|\s*[.!,]|$)",
    r"(?:have|has|need|must|should|had)(?: to)? (?:still )?(?:return|bring back|pay back|hand back)|(?:lent|borrowed|lend)(?: \w+){0,8} (?:back|return|must|have to|kronor|kr|euros?|dollars?|pounds|money)",
    r"skyldiga?(?! till (?:mord|brott))(?: \w+)? (?:mig|mej|honom|henne|dem|oss|dig|er|min\w*|läraren|"
    + _NAME
    + r"|\d+)|står i skuld|(?:betala|betalat|betalar|betalade)(?: \w+)? tillbaka|(?:måste|ska|behöver) betala (?-i:[A-ZÅÄÖ]\w+|min\w*)|har (?:fortfarande|kvar) min|gjort upp (?:om|med)|(?:lämna|lämnat|ge|gett|ger|gav)(?: (?!svaret)\w+){0,4} tillbaka",
    r"(?:lånade?|lånat)(?: \w+){0,5} (?:kronor|kr|pengar|måste|av min|av " + _NAME + r")",
)
_CONDITIONS = (
    r"dyslexic|dyslexia|dyscalculia|adhd|add|autis(?:m|tic)|asperger'?s?|tourette'?s?|epilep(?:sy|tic)|diabet(?:es|ic)|asthma(?:tic)?|allerg(?:y|ic|ies)|celiac|coeliac|migraines?|ptsd|ocd|anorexia"
    r"|bulimia|depression|bipolar|deaf|blind|colou?r[- ]?blind|hard of hearing|hearing aid|wheelchair|prosthesis|stutter|transgender|trans|non-?binary|foster (?:family|home|care)|pregnant|lactose|gluten(?:[- ](?:free|intolerant))?"
)
_CONDITIONS_SV = (
    r"dyslexi|dyslektiker|dyskalkyli|adhd|add|autism|autist\w*|asperger\w*|tourettes?|epilepsi|epileptiker|diabetes|diabetiker|astma\w*|allergi\w*|gluten\w*|celiaki|migrän|ptsd|ocd|anorexi|bulimi|depression"
    r"|bipolär|döv|blind|färgblind|hörselskad\w*|hörapparat|rullstol|protes|stammar|transkille|transtjej|trans|icke-?binär|familjehem|fosterhem|gravid|adopterad|laktos\w*"
)
FACT = _compile(
    rf"(?:i|i'm|im|i am|i have|i've|i use|i was|she|he|they)(?: \w+){{0,6}} (?:{_CONDITIONS})",
    rf"(?:my|his|her|our) (?:\w+ )?{_KIN} (?:died|passed away|has died|is dead|was killed)|(?:my|his|her) pronouns|i faint|(?:am|was|were) adopted|parents are (?:divorced|separated|deaf)",
    r"(?:my (?:first|second|native) language|not my (?:first|native) (?:language|tongue)|my mother tongue)|(?:extra|extended|more) time (?:on|for|in) (?:exams?|tests?)|diagnosed (?:with|as)",
    rf"(?:jag|jag är|jag har|hon|han|hen|de)(?: \w+){{0,7}} (?:{_CONDITIONS_SV})",
    rf"(?:min|mitt|mina|vår|hans|hennes) (?:\w+ )?{_KIN_SV} (?:dog|har dött|är död|gick bort|har gått bort)|(?:mina|hens|hans|hennes) pronomen|jag svimmar|föräldrar är (?:skilda|separerade|döva)",
    r"mitt (?:modersmål|förstaspråk|andraspråk|hemspråk)|förlängd (?:prov)?tid|mer tid på prov\w*|diagnos(?:en|tiserad)?",
)
INSTRUCTION = _compile(
    r"from now on|from today(?: on)?|in (?:the )?future|as a rule|(?:please )?(?:always|never) (?:\w+ )?(?:tell|give|ask|answer|explain|show|correct|use|write|check|speak|talk|compare|skip|start|remind|let|mention|say|help|say)",
    r"(?:don'?t|do not|dont) (?:ever )?(?:just )?(?:give|tell|show|correct|use|mention|skip|call|explain|let|talk|write|solve|spoil|reveal)(?! (?:any ?one|anybody|my|him|her|them|a soul)(?! (?:parents|sister|brother)(?: \w+)* when))",
    r"(?:i(?:'d| would)? (?:much |really )?(?:prefer|rather)(?: that| if)? you|i(?:'d| would)? (?:want|like|need) you to|you should (?:always|never))|(?:talk|speak|write|explain)(?: \w+)? (?:to me )?(?:like|as if) i(?:'m)?|you (?:mustn'?t|must not|may not|can'?t|shouldn'?t|are not allowed to) (?:skip|give|show|correct|use)|(?:no|without) (?:spoilers|answer keys?)|(?<!to )(?<!'d )(?<!should )(?<!would )stop (?:calling|using|correcting|giving|telling|asking|writing|saying)",
    rf"call me {_NAME}|(?:whenever|every time|each time|when|if) i(?:'m| am)?(?: \w+){{1,6}},? (?:you should|ask|tell|give|wait|let|show|remind|don'?t|please|just)",
    r"(?:first|before|and) (?:and )?let me try|keep (?:your|the) (?:explanations?|answers?|replies|sentences)|(?:speak|write|talk|answer|reply)(?: \w+)? (?:\w+ )?(?:swedish|english)(?: \w+)* (?:from|always|with me)|guide me|(?:quiz|test) me (?:at|every|after)|be (?:strict|patient|honest|kind) with me",
    r"från och med (?:nu|i dag|idag)|i fortsättningen|framöver|(?:ska|måste) (?:du )?(?:alltid|aldrig)|du ska (?:alltid|aldrig|inte)|(?:ge|säg|berätta|förklara|visa|rätta|använd|skriv|prata|svara|kontrollera|nämn|jämför|fråga|kolla|hjälp|påminn) "
    r"(?:mig |mej |min \w+ )?(?:alltid|aldrig|inte|inga|helst)(?! (?:till|för) (?:någon|nån|min|mamma|pappa))",
    r"(?:alltid|aldrig) (?:ge|säg|förklara|använd|skriv|rätta)|jag (?:vill|skulle vilja|vill helst|föredrar|önskar|vill gärna|behöver)(?: helst| gärna| hellre)? att du|(?<!att )(?<!ska )(?<!skulle )sluta (?:kalla|använda|rätta|ge|säga|skriva|fråga|prata)",
    rf"(?:prata|skriv|förklara|tala)(?: \w+){{0,2}} som om jag|du (?:får|ska|borde) (?:inte|aldrig) (?:hoppa|ge|visa|rätta|använda|avslöja)|inga? (?:facit|spoilers|svar) tack|kalla mig {_NAME}|(?:varje gång|när|om) jag(?: \w+){{1,5}},? (?:ska du|fråga|säg|ge|vänta|låt|visa|påminn|kan du)|påminn mig(?: \w+)* varje gång|låt mig (?:försöka|prova|tänka)|håll (?:dina|förklaring\w*|svar\w*)|led mig|var (?:sträng|tålmodig|ärlig|snäll) mot mig"
    r"|(?:prata|skriv|svara|tala)(?: \w+){0,2} (?:svenska|engelska)(?: \w+)* (?:från|alltid|med mig)",
)
OBSERVATION = _compile(
    r"i (?:always|usually|often|tend to|never|hardly ever|keep|rarely|mostly)(?! (?:lie|have to|wanted|want|loved|liked))|i (?:\w+ )?(?:learn|work|study|concentrate|focus|remember|understand|think|sleep|write|read)(?: \w+){0,2} (?:best|better|faster|more|worse|slower)",
    r"(?:every time|each time|whenever)(?: \w+){1,8} i(?! want| need)|(?:works?|help(?:s|ed)?|suits?)(?: \w+){0,4} (?:best|better)(?: \w+)? for me|(?:i|he|she|they)(?: \w+){1,4} (?:as soon as|the moment)|(?:works?|learns?|concentrates?|focuses|remembers|participates|performs|writes|reads)(?: \w+){0,4} (?:best|better|faster|more|worse|slower)",
    r"^(?:often|always|usually|rarely|seldom|noticeably|clearly|tends to|asks?|avoids?|gives? up|loses?|gets?|prefers?)(?= \w)|(?:she|he|they|the student) (?:often|always|usually|tends? to|seldom|rarely|never|loses?|avoids?|seems)",
    r"jag (?:brukar|tenderar|har en tendens|har svårt att (?:fokusera|koncentrera))|jag (?:\w+ )?(?:alltid|aldrig|ofta|sällan|oftast|knappt)(?! (?:velat|varit|sett|berätta\w*|sagt))|(?:lär|koncentrerar|arbetar|jobbar|pluggar|minns|tänker|läser|skriver|förstår)(?: \w+){0,4} (?:bäst|bättre|mer|snabbare|sämre|långsammare)",
    r"(?:fungerar|passar|hjälper)(?: \w+){0,4} (?:bäst|bättre) för mig|(?:jag|han|hon|hen)(?: \w+){1,4} (?:så fort|så snart)|(?:varje gång|så fort|när)(?: \w+){1,7} (?:får|blir|minns|tappar|glömmer|lär|går|gör) jag|^när jag(?: \w+){1,5} (?:minns|lär|blir|får|kan) jag|^varje gång(?: \w+){1,6} (?:får|blir|gör|börjar)",
    r"^(?:ofta|alltid|sällan|märkbart|tydligt|glömmer|ber|undviker|ger upp|tappar|blir|föredrar|arbetar|deltar)(?= \w)|(?:hon|han|hen|eleven) (?:brukar|\w+ (?:ofta|alltid|sällan|aldrig|bäst|mer|bättre)|tappar|undviker|verkar|deltar)",
)
#: Meant for this once, not for good: no standing instruction.
ONCE = _compile(
    r"(?:on|for|with|in|to) (?:this|that|these|it)(?: \w+)?|this (?:one|task|question|exercise|problem|time)|(?<!from )now(?! on)|today's"
    r"|(?:på|för|med|i) (?:den|det|de) här(?: \w+)?|den här (?:uppgiften|frågan|gången)|(?<!med )nu(?! ska)"
)
