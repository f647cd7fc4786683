"""The turns of phrase by which people set goals, tell how it goes, are grateful and say how they are, in both languages.

Each is compared with one clause, casefolded and without quotations, from its beginning. `what` is the part that is kept.
"""

import re
from dataclasses import dataclass
from functools import cache

from companion_site.language import Language

_LEAD_EN = (
    r"(?:(?:and|but|so|well|ok|okay|now|honestly|actually|really|also|yes|yeah|hi|hey|hello|oh|then|anyway|right now|today"
    r"|tonight|this (?:morning|evening|week|month|term|year|spring|summer|autumn|winter)|next (?:week|month|term|year)"
    r"|(?:starting|beginning|from) (?:today|tomorrow|now on|monday|next \w+)|from now on|after (?:today|this)"
    r"|to be honest|at the moment|i think(?: that)?|i guess|i must say(?: that)?),? )*"
)
_LEAD_SV = (
    r"(?:(?:och|men|så|nå|ok|okej|nu|ärligt talat|faktiskt|egentligen|ja|hej|åh|sedan|i dag|idag|i kväll|ikväll|just nu"
    r"|den här (?:veckan|månaden|terminen|våren|sommaren|hösten|vintern)|det här (?:året|läsåret)|i år"
    r"|nästa (?:vecka|månad|termin|år)|(?:från|fr o m)(?: och med)? (?:i ?morgon|i ?dag|nu|måndag|nästa \w+)"
    r"|för att vara ärlig|måste säga att|jag tror att|jag tycker att),? )*"
)

#: what makes an intention one that lasts: how often, from when, until when
_LASTS_EN = (
    r"every|each|daily|weekly|twice|\w+ times|once a|a (?:day|week|month|year)|per (?:day|week|month)|regularly|from now on"
    r"|(?:starting|beginning) (?:today|tomorrow|now|monday|next)|habit|by (?:summer|christmas|easter|the end)"
    r"|before (?:summer|christmas|easter)|this (?:term|year|month|summer|autumn|spring|winter)"
)
_LASTS_SV = (
    r"varje|varannan|varenda|dagligen|var \w+ dag|gånger|en gång|(?:om|i) (?:dagen|veckan|månaden|året)|per (?:dag|vecka|månad)"
    r"|regelbundet|från och med|vana|(?:före|till) (?:sommaren|jul|påsk)|den här (?:terminen|månaden|sommaren|hösten|våren|vintern)|i år"
)
#: what tells of a change where it is wished for, and may be of the moment where it is announced
_MORE_EN = r"more|less|fewer|often|again|(?:any|no) more|on time|in time|before the \w+"
_MORE_SV = r"mer|mera|mindre|färre|oftare|ofta|igen|längre|i tid|före \w+et"
#: what is wished for in a conversation, and is no aim in life
_MOMENT_EN = (
    r"talk|speak|chat|know|hear|understand|tell|ask|say|discuss|see|show|read (?:it|this|that)|be (?:alone|left)|leave|go|sleep|eat"
    r"|start over|stop (?:now|here|talking)"
)
_MOMENT_SV = (
    r"prata|tala|snacka|veta|höra|förstå|berätta|fråga|säga|diskutera|se|visa|läsa (?:det|den)|vara (?:ensam|ifred)|gå|sova|äta|ha"
    r"|börja om|sluta (?:nu|här|prata)"
)
#: verbs that change something about how one lives
_CHANGES_EN = (
    r"(?:start|begin|stop|quit) \w+ing|learn|get better|become|be better|improve|practi[sc]e|train for|cut down|give up|keep up"
    r"|get into the habit|exercise|save up|get fit|get in(?:to)? shape|lose|pass|take up"
)
_CHANGES_SV = (
    r"(?:börja|sluta) \w+a|lära mig|bli (?:bättre|mer|en|\w+are)|förbättra|öva|träna|komma i (?:form|gång)|dra ner|ta upp|spara ihop|klara"
    r"|vänja mig|gå ner"
)


@dataclass(frozen=True, kw_only=True)
class Wording:
    """One language's turns of phrase.

    Attributes:
        goals: what sets a goal whatever it is.
        wishes, plans: what sets one where the rest tells of something that lasts, or changes something.
        grateful, moods: what tells of gratitude, and of how somebody is.
        others: how a clause begins that is about somebody else, or nobody; uncertain: what has not happened, or may not.
        reached, dropped: what became of a goal; taken_back: what makes it not so, a few words before.
        idle: words that tell nothing of which goal is meant.
    """

    lead: str
    goals: tuple[str, ...]
    wishes: tuple[str, ...]
    plans: tuple[str, ...]
    lasts: str
    more: str
    moment: str
    changes: str
    grateful: tuple[str, ...]
    not_grateful: str
    moods: tuple[str, ...]
    others: str
    uncertain: str
    reached: str
    dropped: str
    taken_back: str
    idle: str
    asks: str
    alike: tuple[str, ...]


_VERY_EN = r"(?:(?:so|very|really|truly|deeply|just|also|pretty|quite|rather|a bit|a little|somewhat|extremely|incredibly|super|too|still|actually|most|all|such|kind of|totally|terribly) )*"
_VERY_SV = r"(?:(?:så|väldigt|verkligen|jätte|riktigt|mycket|också|ganska|rätt|lite|lite grann|något|extremt|otroligt|supe?r|för|fortfarande|faktiskt|mest|alldeles|ganska så|ändå|djupt|oerhört) )*"
_WHAT = r"(?P<what>.+)"
_AM_EN = r"(?:i am|i'm|im|i feel|i'm feeling|i am feeling|i've been feeling)"
_FELT_EN = (
    r"(?P<feeling>sad|unhappy|down|low|blue|miserable|depressed|upset|heartbroken|awful|terrible|bad|lonely|alone|isolated"
    r"|left out|anxious|worried|nervous|scared|afraid|stressed|stressed out|tense|overwhelmed|panicky|happy|glad|great|good|joyful"
    r"|proud|excited|wonderful|fantastic|amazing|cheerful|calm|relaxed|peaceful|at ease|content|okay|ok|fine|tired|exhausted"
    r"|worn out|drained)"
)
_FELT_SV = (
    r"(?P<feeling>ledsen|nere|låg|deppig|olycklig|deprimerad|förkrossad|ensam|isolerad|utanför|orolig|nervös|rädd|stressad|spänd"
    r"|ängslig|överväldigad|glad|lycklig|stolt|uppspelt|toppen|bra|jättebra|fint|härligt|underbart|lugn|avslappnad|avspänd|tillfreds"
    r"|okej|ok|dåligt|jättedåligt|uselt|trött|utmattad|slut|slutkörd|jätte(?:orolig|ledsen|glad|trött|stressad|nervös|lycklig|rädd))"
)
_SO_EN = (
    r"(?=$|,| (?:today|tonight|now|right now|lately|these days|at the moment|this \w+|and|but|because|about|since|again|after|before"
    r"|when|all|too|inside|actually|as well)\b)"
)
_SO_SV = (
    r"(?=$|,| (?:i dag|idag|i kväll|ikväll|nu|just nu|på sistone|för tillfället|den här|och|men|för att|eftersom|över|inför|igen|efter"
    r"|sedan|när|hela|också|inombords|faktiskt|i morse)\b)"
)

ENGLISH = Wording(
    lead=_LEAD_EN,
    goals=(
        rf"(?:i have|i've)(?: now| finally| just)? (?:decided|made up my mind|resolved|promised myself|set myself the goal) to {_WHAT}",
        rf"i promised myself to {_WHAT}",
        rf"(?:i am|i'm) determined to {_WHAT}",
        rf"my (?:new |main |big )?(?:goal|aim|resolution)(?: for [\w ]{{1,30}}?| now| this \w+)? (?:is|will be)(?: to)? {_WHAT}",
        rf"(?:please )?(?:set|add|note|write down)(?: up)?(?: me)? (?:a |this |as a |my )?(?:new )?goal(?: for me)?(?: to|:| -) ?{_WHAT}",
        rf"(?:new |my )?goal: ?{_WHAT}",
    ),
    wishes=(
        rf"(?:i|i'd)(?: really| also| just)? (?:want|wish|hope|plan|intend|aim|mean) to {_WHAT}",
        rf"(?:i would|i'd)(?: really| also)? (?:like|love) to {_WHAT}",
    ),
    plans=(
        rf"(?:i'm|i am) (?:going|planning) to (?:try to |start )?{_WHAT}",
        rf"(?:i will|i'll)(?: try to)? {_WHAT}",
        rf"i decided to {_WHAT}",
    ),
    lasts=_LASTS_EN,
    more=_MORE_EN,
    moment=_MOMENT_EN,
    changes=_CHANGES_EN,
    grateful=(
        rf"(?:{_AM_EN} )?{_VERY_EN}(?:grateful|thankful)(?: today| tonight)? (?:for|that|to|about|because|when) {_WHAT}",
        rf"{_AM_EN} {_VERY_EN}(?:lucky|blessed|fortunate) (?:to|that|because|with) {_WHAT}",
        rf"{_AM_EN} {_VERY_EN}glad (?:that |to have )?(?P<what>(?:i have|my \w+) .+)",
        rf"(?:one|a|another|the) thing(?: that)? i(?: really| truly)? (?:appreciated?|enjoyed)(?: most)?(?: today)? (?:was|is) {_WHAT}",
        rf"(?:what|the things?)(?: that)? (?:i'm|i am) {_VERY_EN}(?:grateful|thankful) for(?: today)? (?:is|are|was)(?: that)? {_WHAT}",
        rf"(?:\w+ )?things? (?:that )?(?:i'm|i am) (?:grateful|thankful) for(?: today)?: ?{_WHAT}",
        rf"i(?: really| truly)? appreciated? {_WHAT}",
        rf"(?:please )?(?:write|put|add|log|note)(?: this)?(?: down)? (?:in|to|into) my gratitude (?:journal|diary|log): ?{_WHAT}",
        rf"(?:log |my )?gratitude: ?{_WHAT}",
    ),
    not_grateful=r"(?:for |that )?(?:you|your|if you|that you|to you)\b",
    moods=(
        rf"{_AM_EN} {_VERY_EN}{_FELT_EN}{_SO_EN}",
        rf"feeling {_VERY_EN}{_FELT_EN}{_SO_EN}",
        rf"(?:please )?(?:log|note|write down) (?:that )?(?:my mood|how i feel)(?: today)?(?: as| is|:) ?{_VERY_EN}{_FELT_EN}{_SO_EN}",
        rf"my mood(?: today)? (?:is|has been) {_VERY_EN}{_FELT_EN}{_SO_EN}",
        rf"mood: ?{_VERY_EN}{_FELT_EN}{_SO_EN}",
    ),
    others=(
        r"(?:my|his|her|their|our) (?:\w+ )?(?:sister|brother|mum|mom|mother|dad|father|friend|friends|teacher|class|team|boss|cousin"
        r"|grandma|grandpa|aunt|uncle|partner|wife|husband|son|daughter|neighbour|parents|school|book|dog|cat)\b"
        r"|(?:he|she|they|we|you|it|people|everyone|everybody|somebody|someone|nobody|no one|none|nothing|mum|mom|dad|grandma|grandpa"
        r"|our|the|a|an|his|her|their|there|this|that)\b"
    ),
    uncertain=r"\b(?:maybe|perhaps|might|may|will|would|could|should|going to|i'll|i'd|want|wants|if|tomorrow|supposed)\b",
    reached=r"\b(?:goal (?:is )?reached|(?:reached|achieved|met|completed|accomplished|finished)(?: (?!no\b)\w+)? goals?|i'm done with my goal|mission accomplished)\b",
    dropped=(
        r"\b(?:giv(?:e|en|ing) up|gave up|drop(?:ping)?(?! (?:by|in|off|out)\b)|dropped(?! (?:by|in|off|out|my)\b)|quit(?:ting)?"
        r"|let(?:ting)? (?!(?:me|us|him|her|them|you|my)\b)(?:\w+ ){1,4}go|don't want to (?:\w+ ){1,6}any ?(?:more|longer)"
        r"|no longer want|abandon\w*)\b|^(?:let's |i'll |just )?forget about\b"
    ),
    taken_back=(
        r"\b(?:not|\w+n't(?! believe\b)|never|no|almost|nearly|hardly|maybe|perhaps|might|may|could|should|if|whether|unless"
        r"|feel(?:ing)? like|tempted|close to)(?: (?!(?:and|but|so|because)\b)[\w']+){0,4} $"
    ),
    idle=(
        "a an the one two three once twice times time per week weeks month months day days daily every each year go get do make be have "
        "more less better try start stop begin keep before after at in on of to for with and or i i'm i've me my you we us someone in time "
        "up out again"
    ),
    asks=r"(?:how|what|why|when|where|who|which|do|does|did|should|shall|can|could|would|will|am|is|are|have|has)\b",
    alike=(
        "run ran running runs jog jogged jogging",
        "read reading reads book books",
        "sleep slept sleeping bed",
        "walk walked walking walks",
        "write wrote written writing",
        "eat ate eaten eating",
        "swim swam swum swimming",
        "practise practice practised practiced practising practicing",
        "call called phoned rang ring phone",
        "study studied studying studies",
        "train trained training exercise exercised workout",
        "drink drank drunk drinking",
        "cycle cycled cycling bike biked biking",
    ),
)

SWEDISH = Wording(
    lead=_LEAD_SV,
    goals=(
        rf"(?:jag har|har jag)(?: nu| äntligen| precis)? (?:bestämt mig för|beslutat mig för|lovat mig själv)(?: att)? {_WHAT}",
        rf"jag lovade mig själv(?: att)? {_WHAT}",
        rf"(?:jag är|är jag) fast besluten(?: om)? att {_WHAT}",
        rf"mitt (?:nya |stora )?(?:mål|nyårslöfte)(?: för [\w ]{{1,30}}?| nu)? (?:är|blir)(?: att)? {_WHAT}",
        rf"(?:sätt|lägg till|anteckna|skriv)(?: upp| in| ner)? (?:ett |som |mitt )?(?:nytt )?mål(?: åt mig)?(?: att|:| -) ?{_WHAT}",
        rf"(?:nytt |mitt )?mål: ?{_WHAT}",
    ),
    wishes=(
        rf"(?:jag vill|vill jag)(?: verkligen| också| gärna| bara)? {_WHAT}",
        rf"(?:jag skulle|skulle jag)(?: verkligen| också| gärna)? vilja {_WHAT}",
    ),
    plans=(
        rf"(?:jag tänker|tänker jag|jag ska|ska jag|jag skall|jag kommer att|jag hoppas|jag planerar att)(?: försöka| börja)? (?:att )?{_WHAT}",
        rf"jag bestämde mig för att {_WHAT}",
    ),
    lasts=_LASTS_SV,
    more=_MORE_SV,
    moment=_MOMENT_SV,
    changes=_CHANGES_SV,
    grateful=(
        rf"(?:(?:jag är|är jag|jag känner mig|känner jag mig) )?{_VERY_SV}tacksam(?: i dag| idag)? (?:för att|för|över att|över|mot|att|när) {_WHAT}",
        rf"(?:jag känner mig|jag är|känner jag mig|är jag) {_VERY_SV}(?:lyckligt lottad|lyckosam) (?:som|över att|att|med) {_WHAT}",
        rf"(?:jag är|är jag) {_VERY_SV}glad (?:över|för) (?:att )?(?P<what>(?:jag har|min|mitt|mina) .+)",
        rf"(?:en|en annan|det) sak(?: som| jag)?(?: jag)?(?: verkligen)? (?:uppskattade|uppskattar|njöt av)(?: mest)?(?: i dag| idag)? (?:var|är) {_WHAT}",
        rf"det (?:som )?jag är {_VERY_SV}tacksam för(?: i dag| idag)? (?:är|var)(?: att)? {_WHAT}",
        rf"(?:\w+ )?saker? (?:som )?jag är tacksam för(?: i dag| idag)?: ?{_WHAT}",
        rf"jag(?: verkligen)? uppskattade? {_WHAT}",
        rf"(?:skriv|lägg|anteckna|logga)(?: in| ner| till)?(?: det)? i min tacksamhetsdagbok: ?{_WHAT}",
        rf"(?:logga )?tacksamhet: ?{_WHAT}",
    ),
    not_grateful=r"(?:för |att )?(?:du|dig|din|ditt|dina|om du|att du)\b",
    moods=(
        rf"(?:jag är|är jag|jag känner mig|känner jag mig|jag mår|mår jag) {_VERY_SV}{_FELT_SV}{_SO_SV}",
        rf"(?:känner mig|mår) {_VERY_SV}{_FELT_SV}{_SO_SV}",
        rf"(?:logga|anteckna|skriv ner) (?:mitt humör|hur jag mår)(?: i dag| idag)?(?: som|:) ?{_VERY_SV}{_FELT_SV}{_SO_SV}",
        rf"mitt humör (?:är|har varit) {_VERY_SV}(?:{_FELT_SV[:-1]}|lågt|nere|bra)){_SO_SV}",
        rf"humör: ?{_VERY_SV}{_FELT_SV}{_SO_SV}",
    ),
    others=(
        r"(?:min|mitt|mina|hans|hennes|deras|vår|vårt) (?:\w+ )?(?:syster|bror|mamma|pappa|mor|far|vän|vänner|kompis|kompisar|lärare|klass"
        r"|lag|chef|kusin|mormor|morfar|farmor|farfar|moster|faster|partner|fru|man|son|dotter|granne|föräldrar|skola|bok|hund|katt)\b"
        r"|(?:han|hon|de|dom|vi|du|ni|man|folk|alla|någon|ingen|inga|inget|mamma|pappa|mormor|morfar|farmor|farfar|vår|vårt|våra|hans"
        r"|hennes|deras|den|denna|detta|bussen)\b"
    ),
    uncertain=r"\b(?:kanske|kunde|ska|skall|skulle|borde|vill|om|i ?morgon|kommer att|måste|tänker)\b",
    reached=(
        r"\b(?:målet är nått|mål nått|(?:nått|uppnått|klarat|nådde|uppnådde|klarade)(?: (?!(?:inte|aldrig)\b)\w+)? mål(?:et)?)\b"
    ),
    dropped=(
        r"\b(?:ger? upp|gett upp|gav upp|släpper|släppt|strunta(?:r)? i|lägger ner|lagt ner|slutar? med|vill inte längre|skippar?|överger)\b"
        r"(?! (?:\w+ )?(?:inte|aldrig|kanske)\b)"
    ),
    taken_back=(
        r"\b(?:inte(?! (?:tro|fatta|förstå)\b)|aldrig|ej|nästan|knappt|kanske|om|ifall|borde|kunde|skulle|nära|sugen)"
        r"(?: (?!(?:och|men|så|för)\b)\w+){0,4} $"
    ),
    idle=(
        "en ett två tre en gång gånger i om veckan vecka månaden månad dag dagen dagar varje per år året att och eller med till på av för mer "
        "mindre bättre börja sluta försöka göra få ha vara bli före efter jag mig min mitt mina du dig vi oss någon upp ut igen tid ska gå"
    ),
    asks=r"(?:hur|vad|varför|när|var|vem|vilken|vilket|vilka|borde|ska|kan|kunde|skulle|är|har|verkar|tror|vill|gör|mår) (?!mig\b)",
    alike=(
        "springa springer sprang sprungit springandet löpning löpningen löpa löprunda löpturen jogga joggade joggar joggat",
        "läsa läser läste läst läsningen läsning bok boken böcker",
        "sova sover sov sovit sömn lägga lägger lade lagt säng sängen",
        "promenera promenerar promenerade promenad promenaden gått gick",
        "skriva skriver skrev skrivit skrivande",
        "äta äter åt ätit",
        "simma simmar simmade simmat simning",
        "öva övar övade övat övning",
        "ringa ringer ringde ringt",
        "plugga pluggar pluggade pluggat studera studerade",
        "träna tränar tränade tränat träning träningen",
        "dricka dricker drack druckit",
        "cykla cyklar cyklade cyklat cykling",
    ),
)

WORDING: dict[Language, Wording] = {"en": ENGLISH, "sv": SWEDISH}


@cache
def patterns(language: Language, kind: str) -> tuple[re.Pattern[str], ...]:
    """Return the compiled turns of phrase of one kind: "goals", "wishes", "plans", "grateful" or "moods"."""
    wording = WORDING[language]
    return tuple(re.compile(rf"{wording.lead}{turn}") for turn in getattr(wording, kind))


@cache
def pattern(language: Language, name: str) -> re.Pattern[str]:
    """Return one compiled word list of a language, such as "reached"."""
    return re.compile(rf"{getattr(WORDING[language], name)}")
