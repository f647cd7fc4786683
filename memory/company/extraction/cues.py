"""Turns of phrase, English and Swedish, by which a clause is known for a fact of some kind, or for none."""

import re


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


DECISION = _compile(
    r"(?:have |has |'ve |'s )?(?:decided|resolved|agreed|settled|chosen|opted)(?: \w+)? (?:to|on|for|that|not)|(?:made up (?:my|our) minds?)",
    r"(?:we|i|they|the (?:board|company|office|owners?)|our \w+)(?:'ve| have| has| had|'d)? (?:just |now |already |finally |also )?(?:went with|chose|picked"
    r"|signed|hired|fired|switched|moved|cancelled|canceled|terminated|ended|bought|sold|leased|took out|took|set|raised|lowered|cut|paid back|repaid"
    r"|put|dropped|closed|opened|registered|changed|skipped|stopped|started using|appointed|let go|written off|wrote off|scrapped|postponed the plan"
    r"|agreed|decided|gone|taken|made|given|gave|hired|signed up|ordered|booked a|merged|renewed|extended)",
    r"(?:i'll|we'll|i will|we will|let's|we're going to|i'm going to|we are going to) (?:go (?:with|for)|take|use|switch|keep|choose|stick|register|pay|hire|move)"
    r"|we(?:'re| are) (?:going with|buying|taking|switching|moving|hiring|leaving)",
    r"(?:is|are|was|were|has been|have been|been) (?:hired|employed from|appointed|to be (?:credited|written off|paid)|cancelled|given notice)"
    r"|(?:got|gets|was given|were given) (?:a |an )?(?:\w+ )?(?:bonus|raise|permanent|notice|position|promotion|leave)",
    r"(?:har |hade )?(?:bestämt|beslutat|beslöt|beslutade|enades|enats|kommit överens|kom överens|bestämde|valde|valt|avgjort)",
    r"(?:vi|jag|styrelsen|bolaget|ägarna)?(?:har |hade )?(?:skrev på|skrivit på|skrev under|tecknade|tecknat|anställde|anställt|bytte|bytt|flyttade"
    r"|flyttat|sade upp|sa upp|sagt upp|avslutade|avslutat|köpte|köpt|sålde|sålt|höjde|höjt|sänkte|sänkt|betalade tillbaka|betalat tillbaka|satte av"
    r"|satt av|tog ut|tagit ut|lade ner|lagt ner|lade ut|lagt ut|ställde in|ställt in|släppt|släppte|gått över|gick över|registrerade|registrerat"
    r"|skrev av|skrivit av|tackade (?:ja|nej)|tackat (?:ja|nej)|utsåg|utsett|förlängde|förlängt)",
    r"(?:ställde|lade|sade|sa|valde|tog|bytte|köpte|sålde|skrev|flyttade|anställde|betalade|höjde|sänkte|avslutade|släppte) (?:vi|jag)",
    r"(?:vi|jag) (?:kör|tar|köper|går|väljer|byter|satsar|behåller|anställer|flyttar|säger upp|delar ut|sätter|höjer|sänker|skippar|låter|lägger|leasar|registrerar)"
    r"|då (?:kör|tar|väljer|gör|blir) (?:vi|jag|det)|(?:blev|blir)(?: \S+){1,3} till slut|blev det (?:till slut|bestämt)",
    r"(?:är|blev|blir) (?:nu )?(?:anställd|uppsagd|fastanställd|vald|utsedd)|(?:ska|skall) (?:krediteras|skrivas av|betalas ut|sägas upp|delas ut|läggas ner)"
    r"|har gått (?:upp|ner) till|(?:har |fick |får )(?:fast tjänst|bonus|löneförhöjning|fast anställning|tjänstledigt)",
)
PREFERENCE = _compile(
    r"i(?:'d| would)? (?:much |really )?(?:prefer|rather)|i want you to|i(?:'d| would) (?:like|love|appreciate)(?: it)?(?: if)? you|(?:remind|warn|alert|notify|tell|ask|show) me"
    r"|run \w+(?: \w+){0,3} by me|(?:keep|make) (?:it|them|your|the|answers?)(?: \w+){0,2} (?:short|brief|simple|plain|concise)|(?:in|use) (?:plain|simple|short)"
    r"|(?:answer|reply|write|explain|speak)(?: to me)?(?: it)? (?:in|with|as if|like|short|slowly|briefly)|(?:don't|do not|no need to|needn't|please|always|never) (?:\w+ )?(?:explain|ask|use|give|show|write"
    r"|answer|reply|skip|send|round|keep|include|add)|i(?:'m| am) (?:a beginner|used to|not used to|new to|no expert|no accountant)|you (?:can|may|could) (?:skip|leave out|be|use|write|keep)|how i (?:like|want|prefer)"
    r"|step by step|bullet points|let me (?:check|see|decide|approve)|first names?|be (?:informal|formal|casual|blunt|direct)|i (?:like|love|want) (?:it|answers|getting|to get|to see|to have)",
    r"jag (?:föredrar|vill (?:hellre|helst|gärna|alltid|att du|se|ha|få)|gillar|uppskattar|är (?:van|nybörjare|ovan|ingen))|(?:påminn|varna|säg till|meddela|visa|fråga|larma)(?: (?:gärna|mig|oss|alltid|mej))+"
    r"|(?:svara|skriv|förklara|håll|prata|använd|ta|visa|ge)(?: (?:mig|det|dig|gärna|alltid|helst|inte|aldrig|svaren?|bara))* (?:kort|kortfattat|enkelt|enkla|på|med|utan|som|långsamt|steg|punktlist\w*|siffror|exempel)"
    r"|du (?:får (?:gärna|inte)|behöver inte|kan (?:väl |gärna |lika gärna )?(?:hoppa|skippa|skriva|svara|vara|förklara|använda)|ska (?:gärna|helst))|säg(?:a|er)? du|(?:hålla|håll) det (?:avslappnat|kort|enkelt)"
    r"|steg för steg|punktlist\w+|låt mig (?:kolla|se|godkänna|bestämma)|(?:var|vara) (?:informell|rak|tydlig|kort)\w*|utan (?:krångliga|svåra|facktermer|krångel|fikonspråk)|säg till (?:om|när|direkt)",
)
UNRESOLVED = _compile(
    r"(?:have|has|had|did|is|are|was|were|do|does)(?:n't| not)(?: \w+){0,4}(?: yet| decided| settled| signed| sent| looked| gone| got round| sure| clear| done| finished)|not (?:\w+ )?yet|still (?:open|undecided|unclear|have(?:n't| to| not)|need|hasn't|not|waiting|thinking|considering|on my)"
    r"|(?:no|without a) decision|undecided|haven't made up|up in the air|(?:we're|we are|i'm|i am|been) (?:thinking|considering|wondering|torn|toying|looking into|waiting|unsure|not sure|weighing)"
    r"|(?:don't|do not) know (?:if|whether|who|when|what|which|how)|not sure (?:if|whether|who|when|what|which|how)|(?:i|we) (?:really )?(?:need|have|ought|must|should|want|would like|'d like|mean)(?: to)? (?:\w+ )?(?:look|review|go through|understand|learn|sort|check|talk|send|decide|find|fix|finish|get|ask|call|hire)"
    r"|postponed|put off|on hold|pending|remains to|to be decided|(?:will|has|have) to wait|maybe we should|might (?:hire|sell|move|buy|switch|take)|talked about|discussed|yet to",
    r"(?:har|hade|är|blir|blev|vet|kan)(?: \w+)? (?:inte|ännu inte|fortfarande inte)(?: \w+){0,3} (?:hunnit|bestämt|bestämma|klart|klar|skickat|gjort|gått|fått|än|ännu|om|vem|när|hur|vilken|säker|avgjort|påskrivet|kommit)|inte (?:\w+ ){0,3}(?:än|ännu|klart|bestämt|avgjort)|(?:ännu|fortfarande) (?:oklart|öppet|inte|kvar|inget)"
    r"|vet inte (?:om|vem|när|vad|hur|vilken)|oklart|(?:funderar|fundera|funderat|grunnar|klurar|velar) (?:på|kring|om|över)|överväger|diskuterar|(?:pratat|diskuterat|snackat) om|osäker(?:t|a)? (?:på|om)|inget (?:är )?(?:beslut|bestämt|klart)|(?:får|måste|ska) vänta|skjut(?:er|it) (?:upp|på)|sköt upp|pausat|uppskjut\w+"
    r"|(?:jag|vi) (?:måste|behöver|borde|skulle behöva|vill|skulle vilja|får)(?: \w+)? (?:titta|gå igenom|förstå|lära|reda|kolla|prata|skicka|bestämma|hitta|fixa|ta tag|höra|ordna|se över)|återstår|kvar att|väntar på|hann aldrig|kanske (?:ska|borde|blir|säljer|köper|anställer)",
)
KNOWLEDGE = _compile(
    r"(?:our|the) (?:\w+ ){0,3}(?:is|are|runs?|has|have|goes|comes?|sits|consists?|pays?)|we (?:are|have|sell|run|rent|own|lease|use|make|import|export|employ|invoice|send|buy|do|work|report|operate|deliver|produce|bill|get|outsource)|(?:i|he|she|they) (?:own|owns|handle|handles|run|runs|do|does|hold|holds|take care|sits?|chairs?)"
    r"|there are \w+(?: \w+)? of us|employees|is called|my (?:brother|sister|wife|husband|father|mother|partner|dad|mum|co-owner)(?: \w+)? (?:owns|has|is|handles|holds|runs)|customers? \w+|our|winters?|summers?",
    r"(?:vår|vårt|våra) |vi (?:är|har|säljer|driver|hyr|äger|leasar|använder|gör|importerar|exporterar|fakturerar|skickar|köper|jobbar|redovisar|levererar|tillverkar|tar betalt|ligger|lejer ut)|jag (?:äger|sköter|driver|har|sitter|är|gör|heter)|(?:heter|äger|sköter|ägs av|består av|går från|löper)|anställda|oss är|hos oss"
    r"|min (?:bror|syster|fru|man|sambo|pappa|mamma|kompanjon|delägare) (?:äger|har|är|sköter|driver)|kunden|bolaget (?:har|är|äger)|dotterbolaget|holdingbolaget|driftbolaget|det mesta",
)
#: something done or settled, whatever it was; counts where the company is spoken of
DONE = _compile(
    r"(?:we|i|they|\w+)(?:'ve|'s| have| has)? (?:just |now |already |finally |also |recently )?(?:\w{2,}ed|went|took|made|gave|got|put|set|cut|left|let|paid|sold|bought|brought|built|chose|began|became|kept|lent|rose|sent|spent|won|lost|shut|split|drew|withdrew)",
    r"(?:we|i) (?:will|are going to|'ll|won't)|from (?:now on|january|february|march|april|may|june|july|august|september|october|november|december|next|the first|\d)|as of|starting",
    r"(?:vi|jag|\w+) (?:\w{2,}(?:ade|dde|tte|kte|pte|ste|xte|lde|nde|rde|gde|vde)|tog|gav|fick|gick|lät|satte|lade|blev|drog|slöt|skrev|bröt|steg|vann|höll|kom|sålde|gjorde)",
    r"(?:har|hade) (?:nu |precis |just |redan |äntligen |också |även |inte )?(?:\w{2,}(?:at|tt|nt|rt|lt|gt|pt|kt|it|yt|st)|gjort|satt|lagt|fått)|blir det|det blev|ska (?:nu )?(?:ha|få|ta|köpa|sälja|anställa|flytta|byta|betala|sluta|börja)|från (?:och med|januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december|nyår|nästa|\d)|fr\.?o\.?m",
)
#: what somebody tells of their own company
OURS = _compile(
    r"the (?:fiscal year|financial year|year-end|auditor|board|owners?|office|premises|payroll|warehouse|shop|workshop|rent|payment terms|bookkeeping|accounts?|vat|chair\w*|loan|subsidiary|holding company|parent company)"
    r" (?:is|are|has|have|runs?|goes|consists?|sits?|lies|belongs|follows?|ends?|starts?)",
    r"(?:räkenskapsåret|bokslutet|revisorn|styrelsen|ägar\w+|kontoret|lokal\w+|lagret|butiken|verkstaden|hyran|\w+hyran|betalningsvillkoren|bokföringen|lön\w+|momsen|ordföranden|lånet|banklånet|moderbolaget|dotterbolaget|kassan|bolaget)"
    r" (?:är|har|går|består|ligger|hör|tillhör|följer|slutar|börjar|sköts|löper|betalas|redovisas)|är (?:vd|ordförande|revisor|suppleant|delägare|ägare)",
    r"we|we're|our|ours|us|i|i'm|my|the company|the firm|the business",
    r"vi|vår|vårt|våra|oss|jag|min|mitt|mina|bolaget|firman|företaget|\w+bolaget",
)
#: what only sounds like a fact: supposed, quoted of somebody else, or on the way to an answer
SUPPOSED = _compile(
    r"if (?:i|we|you|they|he|she|it|the)|suppose|imagine|let's say|for example|in theory|would (?:it|that|we|i) be|had we|wish(?:ed)? (?:we|i)|joking|kidding|hypothetically",
    r"om (?:jag|vi|man|du|det|de|han|hon) (?!ska\b|skall\b)|anta att|tänk om|låt säga|till exempel|i teorin|skulle (?:det|vi|jag) (?:vara|bli)|skojar|skämtar|hypotetiskt|hade vi",
)
#: asked without a mark
QUESTION = re.compile(
    r"(?:(?:but|and|so|men|och|så|then|då)\s)?(?:what|how|why|where|who|which|when|whose|vad|hur|varför|var|vem|vilken|vilket|vilka|när)\s"
    r"(?:is|are|was|were|do|does|did|can|could|should|would|will|about|if|many|much|is|är|var|gör|gjorde|kan|ska|skulle|menar|betyder|händer|många|mycket"
    r"|heter|blir|ser|fungerar|gäller|stor|stort|lång|länge|kostar|krävs|menas|räknas|bokför|gör)\b"
    r"|(?:what|how)\s.*\bmean$|(?:what's|how's|who's|where's)\b|(?:can|could|would|will|do|does|did|is|are|should|may|have|has)\s(?:you|i|we|it|there|this|that|they|he|she|one|a|an|the|vat)\b"
    r"|(?:kan|kunde|skulle|får|ska|är|har|vet|tror|tycker|vill|förstår|måste|finns|går|blir|brukar|såg|minns)\s(?:du|jag|vi|man|det|ni|den|de|en|ett)\b"
    r"|(?:jag undrar|undrar|i wonder|i was wondering|wondering)\b",
    re.IGNORECASE,
)
#: for this one time: a task
TASK = re.compile(
    r"(?:please |snälla |kan du |can you |could you |kunde du )?(?:help|explain|tell me (?:about|what|how|why)|give me|show me|write|make|summari[sz]e|translate|list|continue|repeat|check|book|calculate|create|draft|draw up|redo|compare|send|open|hjälp"
    r"|förklara|berätta|ge mig|visa|skriv|gör|sammanfatta|översätt|lista|fortsätt|upprepa|kolla|bokför|räkna|skapa|jämför|skicka|öppna|ta fram|gå igenom)\b",
    re.IGNORECASE,
)
HEDGE = _compile(
    r"maybe|perhaps|probably|might|i guess|i think|not sure|as far as i know|if i remember",
    r"kanske|nog|antagligen|möjligen|osäker|tror jag|jag tror|vad jag vet|om jag minns",
)
#: begins with a word for what was named before
POINTING = re.compile(
    r"(?:it|it's|its|they|they're|them|he|he's|she|she's|that|that's|this|those|these|which|det|de|dom|den|han|hon|hen|detta|dessa|vilket|där|så)\b(?!\s+(?:mesta|flesta|sista|första|nya|gamla|company|firm|year|month))",
    re.IGNORECASE,
)
#: and yet names what it is about: "it is still open who …"
EXPLETIVE = re.compile(
    r"(?:it|it's|det)\b.*?\b(?:open|clear|unclear|decided|undecided|settled|sure|bestämt|oklart|klart|avgjort|öppet|säkert)\b.*\b(?:who|whether|if|when|what|which|how|that|vem|om|när|vad|hur|vilken|vilket|att)\b"
    r"|(?:det|den|de|that|this|those|these)\s+(?:är\s+)?\w+\s+(?:som|who|that)\b",
    re.IGNORECASE,
)
