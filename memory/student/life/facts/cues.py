"""Turns of phrase by which a fact of somebody's life is known, in both languages, and those that only sound like one.

What somebody lives with is said in the first person and in the present; what is past, called off, told of others, of books
and films, asked or imagined is none.
"""

import re

_KIN = (
    r"(?:(?:step|grand|half-?|god)?(?:mum|mom|mother|mummy|dad|father|daddy|parents?|brothers?|sisters?|sons?|daughters?|child(?:ren)?|kids?"
    r"|ma|pa)|siblings?|twins?|husband|wife|partner|boyfriend|girlfriend|fianc\w+|spouse|uncle|aunt(?:ie)?|cousins?|niece|nephew|gran|granny"
    r"|family|best friend|(?:old |close |good )?friend|in-laws|dog|cat|puppy|kitten)"
)
_KIN_SV = (
    r"(?:(?:stora?|lilla?|halv|tvilling|styv|bonus|gud)?-?(?:mamma|pappa|mor|far|bror|syster|brorsa|syrra|bröder|systrar|barn|son|dotter|söner|döttrar)"
    r"|(?:mor|far)(?:mor|far|bror|föräldrar)|föräldrar|syskon|man|fru|make|maka|sambo|särbo|pojkvän|flickvän|kille|tjej|fästm\w+|moster|faster"
    r"|kusin(?:er)?|barnbarn|brorson|systerson|brorsdotter|systerdotter|familj|bästa (?:kompis|vän|väninna)|kompis|vän|väninna|svär(?:mor|far|föräldrar)"
    r"|hund|katt|tvillingar)"
)
_MY = r"(?:my|our)(?: \w+){0,1}"
_MY_SV = r"(?:min|mitt|mina|vår|vårt|våra)(?: (?:äldre|yngre|lilla|stora|äldsta|yngsta|gamla|nya|kära))?"
_ALONE_SV = r"(?:mamma|pappa|mormor|morfar|farmor|farfar|brorsan|syrran)"
_ALONE = r"(?:mum|mom|dad|grandma|grandpa|granny|grandad|gran)"
_COUNT = r"(?:an?|one|two|three|four|five|six|seven|\d+)(?: (?:older|younger|little|big|elder|twin|small|half|grown-?up|wonderful))*"
_COUNT_SV = r"(?:en|ett|två|tre|fyra|fem|sex|sju|\d+)(?: (?:äldre|yngre|små|stora|lilla|vuxna|underbara))*"
#: what somebody close lastingly is, has or does
_IS = (
    r"(?:(?:is|are)(?! (?:\w+ing|at (?:work|home)|in (?:the|my)|not|left|here|there|late|angry|mad|sick|ill|on|visiting))|(?:has|have)(?! (?:not |never )?(?:\w+ed\b|got a black|an? (?:\w+ )?(?:appointment|test|exam|meeting|interview)))|was born|works?|lives?|moved|studies|study|teaches|drives|speaks|plays|loves?|likes?|hates?|takes|suffers|started"
    r"|turned|turns|died|passed away|comes|goes to|got (?:divorced|married)|divorced|retired|became|means)"
)
_IS_SV = (
    r"(?:är(?! (?:här|där|arg|sen|sjuk|på väg))|har(?! (?:inte |just |redan )?(?:(?!ett\b|kronisk)\w+(?:at|it|tt|gt|rt|st)\b|tid|prov|möte|en tid|blåtira))|heter|jobbar|arbetar|bor|flyttade|har flyttat|studerar|pluggar|läser|undervisar|kör|talar|pratar|spelar|älskar|gillar|hatar|tar|äter"
    r"|lider|började|har börjat|fyllde|fyller|dog|gick bort|kommer från|går på|skildes|gifte sig|skilde sig|betyder)"
)
_NAME = r"(?: (?-i:[A-ZÅÄÖ])[\w-]+)?"

_MEDICINE = (
    r"(?:medic(?:ine|ation)s?|meds|pills?|tablets?|capsules?|inhalers?|insulin|antibiotics?|penicillin|painkillers?|antidepressants?|sleeping pills"
    r"|eye ?drops?|ear ?drops?|nasal spray|ointment|blood thinners?|vitamins?|vitamin [a-z]\d*|iron tablets?|supplements?|beta ?blockers?|statins?|injections?|the pill|birth control"
    r"|levaxin|levothyroxine|concerta|ritalin\w*|elvanse|medikinet|strattera|sertraline?|fluoxetine|citalopram|escitalopram|venlafaxine|mirtazapine|zoloft|prozac"
    r"|metformin|methotrexate|ozempic|waran|warfarin|eliquis|xarelto|aspirin|ibuprofen|paracetamol|alvedon|ipren|omeprazole?|losec|prednisolone|cortisone"
    r"|enalapril|amlodipine|metoprolol|bisoprolol|losartan|simvastatin|atorvastatin|ventolin|symbicort|bricanyl|lithium|melatonin|propavan|lamotrigine|valproate)"
)
_MEDICINE_SV = (
    r"(?:\w*(?:medicin|mediciner|medicinen|medicinerna|tablett|tabletter|tabletten|tabletterna|piller|pillret|kapslar|droppar|sprutor|spruta|inhalator|inhalatorn|vitamin|vitaminer|salva)"
    r"|insulin\w*|penicillin\w*|antibiotika\w*|kortison\w*|värktablett\w*|antidepressiva?|sömnmedel|blodförtunnande|betablockerare|nässpray\w*|p-piller|järn\b"
    r"|levaxin|concerta|ritalin\w*|elvanse|medikinet|strattera|sertralin|fluoxetin|citalopram|escitalopram|venlafaxin|mirtazapin|zoloft"
    r"|metformin|metotrexat|ozempic|waran|warfarin|eliquis|xarelto|aspirin|ibuprofen|paracetamol|alvedon|ipren|omeprazol|losec|prednisolon"
    r"|enalapril|amlodipin|metoprolol|bisoprolol|losartan|simvastatin|atorvastatin|ventolin\w*|symbicort|bricanyl|litium|melatonin|propavan|lamotrigin|valproat)"
)
_ILLNESS = (
    r"(?:asthma|diabetes|type [12] diabetes|adhd|add|autism|asperger\w*|epilepsy|migraines?|arthritis|osteoporosis|cancer|depression|anxiety|ocd|ptsd|bipolar\w*|anorexia|bulimia"
    r"|high blood pressure|hypertension|copd|celiac disease|coeliac disease|crohn\w*|eczema|psoriasis|tinnitus|insomnia|sleep apnea|fibromyalgia|endometriosis|ibs|ms|parkinson\w*"
    r"|thyroid \w+|hypothyroidism|heart (?:failure|disease|condition|problems?)|panic (?:attacks?|disorder)|hay ?fever|allerg(?:y|ies)|scoliosis|dyslexia|anaemia|anemia|a pacemaker|rheumatism|gout|chronic \w+)"
)
_ILLNESS_SV = (
    r"(?:astma|diabetes|typ [12]-diabetes|adhd|add|autism|asperger\w*|epilepsi|migrän|artrit|artros|benskörhet|osteoporos|cancer|depression\w*|ångest\w*|panikångest|panikattacker|ocd|tvång|ptsd"
    r"|bipolär\w*|anorexi|bulimi|högt blodtryck|kol|celiaki|crohns?|eksem|psoriasis|tinnitus|sömnlöshet|sömnapné|fibromyalgi|endometrios|ibs|ms|parkinsons?|hypotyreos|sköldkörtel\w*"
    r"|hjärt(?:svikt|fel|problem)|pollenallergi|\w*allergi(?:er)?|skolios|dyslexi|blodbrist|järnbrist|pacemaker|reumatism|reumatisk\w*|ledgångsreumatism|gikt|kronisk \w+|utmattningssyndrom)"
)
_BODY = r"(?:knees?|back|neck|shoulders?|hips?|hands?|foot|feet|legs?|head|stomach|heart|eyes?|joints?|blood pressure|blood sugar|cholesterol|hearing|eyesight|sleep|balance|pulse|memory)"
_BODY_SV = r"(?:knä|knät|knän|rygg|ryggen|nacke|nacken|axlar?|axeln|höft|höften|höfter|händer|hand|fot|fötter|ben|huvud|huvudet|mage|magen|hjärta|hjärtat|ögon|leder|blodtryck|blodsocker|kolesterol|hörsel|syn|sömn|balans|puls|minne)"
_LASTING = r"(?:for (?:\w+ )?(?:weeks|months|years|ages)|since|ever since|always|often|constantly|every (?:night|day|morning)|these days|lately|chronic\w*|again and again|too (?:high|low)|bad|poor|weak|failing)"
_LASTING_SV = r"(?:i (?:\w+ )?(?:veckor|månader|år|flera|många)|sedan|ända sedan|alltid|ofta|jämt|ständigt|hela tiden|varje (?:natt|dag|morgon)|på sistone|kronisk\w*|för (?:högt|lågt)|dålig\w*|svag\w*|nedsatt)"

_VISIT = (
    r"(?:appointment|dentist|doctor|gp|physio\w*|psychologist|therapist|therapy session|counsell?or|optician|hairdresser|surgery|operation|check-?up|blood test|x-ray|mri|scan|vaccination|eye exam|clinic|hospital|health centre|specialist|nurse|midwife"
    r"|interview|meeting|exam|test|quiz|presentation|essay|assignment|report|thesis|homework|deadline|driving test|lesson|class trip|trip|flight|train|ferry|bus|wedding|funeral|christening|birthday party|party|concert|play|show|match|game|tournament|graduation|reunion|dinner|lunch|brunch|coffee|fika|date|visit|viewing|move|ceremony|mentor|tutor|rehearsal)"
)
_VISIT_SV = (
    r"(?:\w*(?:tid|tandläkare\w*|läkare\w*|läkarbesök\w*|läkartid\w*|doktor\w*|vårdcentral\w*|sjukhus\w*|sjukgymnast\w*|fysioterapeut\w*|psykolog\w*|terapeut\w*|terapi\w*|kurator\w*|optiker\w*|frisör\w*|operation\w*|kontroll\w*|undersökning\w*|blodprov\w*|röntgen|vaccin\w*|specialist\w*|barnmorska\w*"
    r"|intervju\w*|möte\w*|prov\w*|tenta\w*|tentamen|redovisning\w*|presentation\w*|uppsats\w*|inlämning\w*|rapport\w*|läxa\w*|uppkörning\w*|lektion\w*|resa\w*|flyg\w*|tåg\w*|färja\w*|buss\w*|bröllop\w*|begravning\w*|dop\w*|fest\w*|kalas\w*|konsert\w*|föreställning\w*|match\w*|turnering\w*|student\w*|middag\w*|lunch\w*|fika\w*|dejt\w*|besök\w*|visning\w*|flytt\w*|avslutning\w*|mentor\w*|repetition\w*))"
)


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


FAMILY = _compile(
    rf"{_MY} {_KIN}{_NAME}(?:,? (?:who|and \w+))?,? (?:\w+ly |also |still |now |just |both )?{_IS}|{_MY} {_KIN}'s name is|(?:i|we|i've|we've)(?: got| have)+ {_COUNT} {_KIN}",
    rf"{_ALONE} (?:\w+ly |also |still |now |just )?{_IS}",
    r"(?:i'm|i am|we are|we've been|i've been|i got) (?:happily )?(?:married|divorced|engaged|widowed|a (?:single )?(?:mother|father|mum|mom|dad|parent|grandmother|grandfather|widow(?:er)?))",
    rf"{_MY_SV} {_KIN_SV}{_NAME}(?: som)? (?:\w+ligen |också |fortfarande |nu |just |båda )?{_IS_SV}|(?:jag|vi) har {_COUNT_SV} {_KIN_SV}",
    rf"{_ALONE_SV} (?:också |fortfarande |nu )?(?:{_IS_SV}|gick i pension)",
    r"(?:jag|vi) (?:är|har varit|blev) (?:lyckligt )?(?:gifta?|skilda?|förlovade?|änka|änkling|(?:ensamstående )?(?:mamma|pappa|förälder|mormor|morfar|farmor|farfar))|(?:är|blev) (?:jag|vi) (?:gifta?|skilda?)",
)

HEALTH = _compile(
    rf"(?:i|i've)(?: also| just| both)?(?: have| got| have got| have had| suffer from| live with| developed| was diagnosed with| am diagnosed with| get)(?: \w+)?(?: \w+)? {_ILLNESS}",
    rf"i (?:have|get|suffer from|live with|developed) {_ILLNESS}|(?:diagnosed with|for my|because of my|due to my|my) {_ILLNESS}",
    r"(?:i'm|i am) (?:\w+ )?(?:allergic to|intolerant|\w+ intolerant|diabetic|asthmatic|epileptic|autistic|dyslexic|bipolar|disabled|blind|deaf|hard of hearing|colou?r-?blind|pregnant|in a wheelchair|in recovery|on the spectrum|anaemic|overweight|underweight)",
    rf"my {_BODY}(?: \w+)? (?:has|have|is|are|hurts?|aches?|gets?)\b.*\b{_LASTING}|my {_BODY} (?:so |very )?(?:often|always|constantly) (?:hurts?|aches?)|because my {_BODY} (?:hurts?|aches?)",
    r"(?:i sleep|(?:i've|i have) (?:slept|been sleeping)) (?:so |very |really )?(?:badly|poorly|terribly)|(?:i wear|i use|i walk with|i need) (?:\w+ )?(?:hearing aids?|a hearing aid|(?:reading )?glasses|contact lenses|a walker|a (?:walking )?stick|a cane|crutches|a prosthe\w+)",
    r"(?:i|i've) (?:had|have had) a (?:\w+ )?(?:stroke|heart attack|hip replacement|knee replacement|concussion|miscarriage|bypass|pacemaker)|i can(?:no|')t (?:eat|tolerate|digest) (?:gluten|lactose|nuts|dairy|milk|eggs)|i (?:quit|stopped) (?:smoking|drinking)|i smoke",
    rf"(?:jag|vi)(?: har| fick| lider av| lever med| får| har fått| har haft)(?: \w+)?(?: \w+)? {_ILLNESS_SV}|(?:jag har|jag fick|lider av|lever med|diagnosen|för min|på grund av min|min) {_ILLNESS_SV}|har jag (?:\w+ )?{_ILLNESS_SV}",
    r"jag är (?:\w+ )?(?:allergisk mot|överkänslig mot|\w*intolerant|diabetiker|astmatiker|epileptiker|autistisk|dyslektiker|bipolär|funktionsnedsatt|blind|döv|hörselskadad|färgblind|gravid|sjukskriven|utbränd|nykter alkoholist|överviktig)",
    rf"{_MY_SV} {_BODY_SV} (?:har|är|gör|värker|blir|krånglar)\b.*{_LASTING_SV}|(?:så |väldigt )?(?:ofta|alltid|jämt|ständigt) (?:så )?ont i (?:\w+ )?{_BODY_SV}|(?:så |väldigt )?(?:ofta|alltid|jämt|ständigt) (?:har |får )?ont i (?:\w+ )?{_BODY_SV}|ont i (?:\w+ )?{_BODY_SV}\b.*{_LASTING_SV}",
    r"jag (?:sover|har sovit) (?:så |väldigt |riktigt )?(?:dåligt|illa)|jag (?:har|använder|bär|går med|behöver) (?:\w+ )?(?:hörapparat\w*|glasögon|linser|rullator|käpp|kryckor|protes)|går (?:\w+ )?med (?:käpp|rullator|kryckor)|jag (?:sitter i|använder) rullstol",
    r"jag (?:har )?(?:haft|fick|fått|hade) (?:en |ett )?(?:stroke|hjärtinfarkt|hjärnskakning|missfall|pacemaker|ny höft|nytt knä)|jag tål inte|jag (?:har slutat|slutade) (?:röka|dricka|snusa)|jag (?:röker|snusar)\b",
)

PREFERENCE = _compile(
    r"(?:i|we)(?: really| just| still| absolutely| also| do| always|'ve always| have always)*,? (?:love|loved|like|enjoy|enjoyed|adore|hate|hated|dislike|detest|loathe|prefer|preferred)(?! (?:to know|it when you|your|this (?:answer|reply|app|explanation|task|homework)|that answer|the answer|you))",
    r"(?:i|we) (?:really |just )?(?:don't|do not|never) (?:really |much |even )?(?:like|enjoy|eat|drink|care for)|i (?:can't|cannot) stand|(?:my|our) (?:\w+ )?favou?rites?|i'd (?:much )?rather|i would rather|my hobb(?:y|ies)|my interests?",
    r"(?:i'm|i am)(?: really| very| so| quite)? (?:into|fond of|keen on|crazy about|passionate about|interested in|a fan of|a (?:big|huge) fan of|a (?:vegetarian|vegan|pescatarian|morning person|night owl)|vegetarian|vegan|teetotal)",
    r"(?:love|hate|enjoy|adore) (?:them|mornings|it there)",
    r"(?:jag|vi)(?: verkligen| bara| fortfarande| också| alltid| har alltid)* (?:älskar|älskat|gillar|gillat|hatar|hatat|avskyr|avskytt|ogillar|föredrar|uppskattar|njuter av)(?! (?:ditt|din|det här svaret|den här (?:uppgiften|läxan)|dig))|(?:älskar|gillar|hatar|avskyr|föredrar) (?:jag|vi)(?! (?:inte )?(?:ditt|din|dig))",
    r"(?:jag|vi) tycker (?:\w+ )?(?:om|bra om)(?! att)|jag tycker (?:inte |mycket |väldigt mycket )?om att|tycker (?:jag|vi) (?:\w+ )?om\b|(?:mitt|min|mina|våra?) (?:\w+ )?(?:favorit\w*|hobby|hobbyer|intressen|fritidsintresse\w*)|det bästa jag vet|jag står inte ut med",
    r"(?:jag|vi) (?:\w+ )?(?:\w+ )?hellre|(?:dricker|äter|läser|går|lyssnar) (?:jag|vi) hellre|jag är (?:\w+ )?(?:förtjust i|intresserad av|galen i|tokig i|svag för|vegetarian|vegan|morgonmänniska|kvällsmänniska|nattuggla|ett? (?:stort )?fan av)|(?:jag|vi) (?:äter|dricker) (?:aldrig|inte)\b",
)

_SWORN = r"(?:promised|have promised|'ve promised|swore|vowed|agreed|offered|volunteered|committed)"
PROMISE = _compile(
    rf"(?:i|we)(?: have|'ve)?(?: also| already)? {_SWORN}|i promise\b(?! you can)|i (?:gave|have given|'ve given) (?:\w+ ){{1,3}}(?:my word|a promise)|my promise to|i (?:told|said to) (?:\w+ ){{1,3}}(?:that )?(?:i'd|i would|i'll|i will)|i said (?:that )?(?:i'd|i would|i'll|i will)",
    r"(?:i )?(?:must|have to|need to|should|got to|'ve got to|gotta|better) (?:remember|not forget) to|i (?:mustn't|can't|must not|shouldn't|cannot) forget (?:to|about)|(?:don't let me|never let me) forget|(?:please )?remind me (?:to|about|that)|i owe (?!my life)[\w ]{1,30}(?:an? (?:answer|call|reply|visit|favou?r|apology|letter)|money|\d+)",
    r"(?:jag|vi)(?: har)?(?: också| redan)? (?:lovade|lovat|svor|svurit|åtog mig|åtagit mig|gick med på|erbjöd mig|erbjudit mig)|jag lovar\b(?! dig)|har (?:jag|vi) (?:också )?(?:lovat|svurit)|jag (?:gav|har gett|har givit) (?:\w+ ){1,3}mitt (?:ord|löfte)|mitt löfte till|jag (?:sa|har sagt|sade) (?:till (?:\w+ ){1,3})?att jag (?:skulle|ska)|lovade jag\b",
    r"(?:jag )?(?:måste|behöver|ska|bör) (?:jag )?(?:komma ihåg|minnas|inte glömma) att|(?:jag )?får (?:jag )?inte glömma|låt mig inte glömma|påminn mig (?:om|att)|jag är skyldig (?:\w+ ){1,3}(?:ett svar|en tjänst|ett samtal|pengar|en ursäkt|\d+)",
)

MEDICATION = _compile(
    rf"(?:i|i'm|i've|we)(?: \w+){{0,4}}? (?:take|taking|took|taken|use|using|need|inject|injecting|started|start|started on|starting|on|put on|prescribed|given|get|swallow|have)(?: \w+){{0,6}}? {_MEDICINE}",
    rf"(?:put|prescribed|given) me (?:on )?(?:\w+ ){{0,3}}{_MEDICINE}|my (?:\w+ ){{0,3}}{_MEDICINE}|{_MEDICINE} (?:is|are) .*\bfor me|(?:take|taking) (?:\w+ ){{0,3}}{_MEDICINE}|(?:and|also) take {_MEDICINE}|i inject",
    rf"(?:jag|vi)(?: \w+){{0,4}}? (?:tar|tog|tagit|ta|använder|behöver|äter|äta|får|fått|sprutar|injicerar|började med|börjat med|börja med|ordinerades|medicinerar med|går på|har)(?: \w+){{0,4}}? {_MEDICINE_SV}",
    rf"(?:skrivit ut|ordinerat|skrev ut)(?: \w+){{0,2}} {_MEDICINE_SV}|(?:min|mitt|mina) (?:\w+ ){{0,2}}{_MEDICINE_SV}|{_MEDICINE_SV} (?:tar|äter|använder|ska) jag|(?:och|också) (?:tar|äter) {_MEDICINE_SV}|jag tar insulin|(?:tar|äter|använder) jag (?:\w+ ){{0,3}}{_MEDICINE_SV}",
)

#: needs a coming day beside it, or no day at all
APPOINTMENT = _compile(
    rf"(?:i|we|i've|we've)(?: also)?(?: have|'ve got| got| have got)(?: \w+){{0,5}}? {_VISIT}|(?:i'm|i am|we're|we are|i'll be|we'll be)(?: also)? (?:going|seeing|having|meeting|visiting|travell?ing|flying|attending|taking|off to|leaving|moving|getting|starting)",
    rf"(?:my|our|the) (?:[\w']+ ){{0,2}}{_VISIT}(?: \w+){{0,5}}? (?:is|are|takes place|leaves|departs|starts|begins|will be|has been (?:moved|booked|set))|(?:my|our|the) (?:\w+ )?{_VISIT} is (?:booked|set|scheduled|due)|go(?:ing)? to the (?:dentist|doctor|hospital|clinic|optician)",
    r"(?:i'm|i am|we're|we are) (?:booked|invited|expected|scheduled|called)|(?:is|are) coming (?:over|to visit|for dinner)|i (?:see|meet) (?:the|my) (?:doctor|dentist|therapist|psychologist)",
    rf"(?:jag|vi)(?: \w+)? har(?: \w+){{0,4}}? {_VISIT_SV}|har (?:jag|vi)(?: \w+){{0,4}}? {_VISIT_SV}|(?:jag|vi) ska(?: \w+)? (?:till|på|iväg|fika|träffa|hälsa på|besöka|resa|åka|flyga|gå på|gå till|ta|ha|operera\w*|opereras|äta|flytta|börja|röntga\w*|vara)|ska (?:jag|vi)(?: \w+)? (?:till|på|fika|träffa|hälsa på|besöka|resa|åka|flyga|gå|ta|ha|operera\w*|opereras|äta|flytta|börja)",
    rf"(?:min|mitt|mina|vår|vårt|våra) (?:\w+ )?{_VISIT_SV}(?: \w+){{0,5}}? (?:är|går|börjar|äger rum|ska|avgår)|{_VISIT_SV} (?:är|går|börjar|ska lämnas in|är bokad|avgår)|följa med till (?:tandläkaren|läkaren|doktorn)|(?:är|blev) (?:bjuden|kallad|inbjuden|inbokad)|(?:jag|vi) (?:träffar|reser|åker|flyger|opereras|fikar med)|kommer (?:och hälsar på|på besök|på middag)",
)

#: needs something that comes again beside it, or one of these words
HABIT = _compile(
    r"(?:i|we) (?:usually|normally|always|often|tend to|generally)|my (?:morning |evening |daily |weekly )?routine|(?:i'm|i am) in the habit of",
    r"(?:jag|vi) (?:brukar|gör alltid|har för vana)|brukar (?:jag|vi)|(?:jag|vi) \w+ (?:alltid|oftast|vanligtvis|för det mesta)|\w+ (?:jag|vi) (?:alltid|oftast|vanligtvis)|min (?:morgon|kvälls)?rutin\w*",
)
#: who has a routine: the person, alone or with others
SELF = _compile(r"i|i'm|i've|we|we've|we're", r"jag|vi")
#: what somebody wants to do regularly, or feels about a day of the week, is no routine yet
NOT_YET = _compile(
    r"(?:i|we) (?:will|shall|want to|plan to|should|need to|ought to|would like to|hope to)|(?:i|we)'ll|going to|(?:hate|love|like|dislike) (?:mon|tues|wednes|thurs|fri|satur|sun)days",
    r"(?:jag|vi) (?:ska|vill|borde|tänker|behöver|skulle|hoppas|kommer att)|(?:ska|vill|borde|tänker|hoppas) (?:jag|vi)|(?:hatar|älskar|gillar|avskyr) (?:mån|tis|ons|tors|fre|lör|sön)dagar",
)

# --- what only sounds like it -----------------------------------------------------------------------------------------

STAGE = _compile(
    r"(?:in|from|of) (?:the|a|my|this|that|our) (?:\w+ )?(?:film|movie|book|novel|story|series|play|game|text|chapter|song|podcast|show|exercise|example|case(?: study)?|dream|sims)|main character|protagonist|case study|in (?:biology|chemistry|history|spanish|english|german|french|physics|maths?|science|art)(?: class)?",
    r"i (?:filmen|boken|romanen|berättelsen|serien|pjäsen|spelet|texten|kapitlet|låten|podden|uppgiften|exemplet|fallstudien|drömmen|sagan)|huvudperson\w*|fallstudie\w*|på (?:biologin|kemin|historian|spanskan|engelskan|svenskan|tyskan|franskan|fysiken|matten|bilden|lektionen)",
)
CALLED_OFF = _compile(
    r"cancel\w*|called off|won't be going|not going (?:any ?more|after all)|(?:but )?i(?:'ve)? (?:quit|stopped|gave up)(?! (?:smoking|drinking))|used to|no longer|not any ?more|any ?more",
    r"inställ\w*|avbokad\w*|avbokat|avbokade|blir inte av|har slutat(?! (?:röka|dricka|snusa))|slutade(?! (?:röka|dricka|snusa))|förr (?:\w+ )?(?:jag|vi)|brukade|inte längre|inte (?:\w+ )?mer",
)
IMAGINED = _compile(
    r"if i (?:had|were|was|could)|i wish|i'd like to know|i would like to know|imagine|suppose|what if|should i|(?:do|did|can|could|would|will|have|are) you",
    r"om jag (?:hade|vore|var|kunde|fick)|jag önskar|jag skulle vilja veta|tänk om|borde jag|(?:kan|tycker|vet|har|skulle|tror|vill|är) du",
)
PAST = _compile(
    r"yesterday|last (?:\w+day|week|month|year|night|weekend|spring|summer|autumn|fall|winter)|\w+ (?:days?|weeks?|months?|years?) ago|(?:i|we) (?:had|was|were|went|saw|met|did|ate|got|took|visited|read|wrote|talked|played)",
    r"i ?går|förra (?:\w+dagen|veckan|månaden|året|helgen)|i (?:mån|tis|ons|tors|fre|lör|sön)dags|för \w+ (?:dagar|veckor|månader|år) sedan|(?:jag|vi) (?:hade|var|gick|såg|träffade|gjorde|åt|fick|tog|besökte|läste|skrev|pratade|spelade)",
)
KEPT = _compile(
    r"and i (?:did|kept|have)|which i did|but i (?:didn't|did not|forgot)|i kept my",
    r"(?:och|vilket) det gjorde jag|och jag (?:gjorde|höll)|men jag (?:glömde|gjorde inte)|jag höll mitt",
)
NOT_PROMISED = _compile(
    r"(?:can't|cannot|won't|never|don't|didn't) (?:\w+ )?(?:promise|promised)|promise me|you (?:said|told|promised)|promised (?:\w+ )?nothing|promised (?:me|us)(?: \w+){0,3}$|(?:he|she|they|you|mum|mom|dad|teacher) (?:has |have |had )?promised",
    r"(?:kan|vill|har|vågar) (?:jag )?inte (?:\w+ )?lova\w*|lova (?:mig|att du)|du (?:sa|sade|lovade|har lovat)|lova\w* (?:mig själv )?ingenting|(?:han|hon|de|du|mamma|pappa|läraren) (?:har |hade )?lova\w*",
)
#: whose medicine it is when not the person's
OTHERS = _compile(
    rf"(?:his|her|their|the \w+'s) (?:\w+ ){{0,2}}{_MEDICINE}|(?:my|our) {_KIN}{_NAME} (?:\w+ )?(?:takes|uses|needs|is on|has|started)|(?:the neighbou?r|he|she|they|people|patients) (?:\w+ )?(?:takes?|uses?|needs?)",
    rf"(?:hans|hennes|deras|grannens) (?:\w+ ){{0,2}}{_MEDICINE_SV}|{_MY_SV} {_KIN_SV}{_NAME} (?:\w+ )?(?:tar|äter|använder|behöver|har|går på)|(?:grannen|han|hon|de|folk|patienter|{_ALONE_SV}) (?:\w+ )?(?:tar|äter|använder|behöver)",
)

NOT_TAKEN = _compile(
    rf"(?:don't|do not|never|didn't|won't) (?:\w+ )?(?:take|use|need|have)(?: \w+){{0,3}} {_MEDICINE}|(?:took|had|forgot)(?: \w+){{0,4}} {_MEDICINE}",
    rf"(?:tar|äter|använder|behöver|har) (?:jag )?(?:inte|aldrig|inga)(?: \w+){{0,3}} {_MEDICINE_SV}|(?:tog|glömde)(?: \w+){{0,4}} {_MEDICINE_SV}",
)
#: what is to come, but for somebody else
NOT_MINE = _compile(
    r"on (?:television|tv|the radio)|(?:he|she|they|the \w+) (?:has|have) (?:an? )?(?:\w+ )?(?:appointment|exam|test|meeting)",
    r"på (?:tv|radio)|visas på|(?:han|hon|de|grannen|läraren) har (?:en |ett )?(?:\w+ )?(?:tid|prov|möte)",
)
#: an appointment without a day
BOOKED = _compile(
    r"(?:i|i've|we|we've)(?: have| 've| got| have got)* (?:an? )?(?:\w+ )?(?:appointment|job interview|surgery|operation)\b|(?:i'm|i am|is) booked",
    r"(?:jag|vi) har (?:fått )?(?:en )?(?:\w*tid (?:hos|på|till)|läkartid|tandläkartid|anställningsintervju|jobbintervju)|(?:är|blev) inbokad",
)
