"""What is said in several words, or turned round by its words: attitudes, ends, cancellations, function words.

`@axis+` and `@axis-` are two opposite ends of one matter: "like" and "hate", "long" and "short". A denial turns an end
into the other one. Longer patterns come first.
"""

import re

from memory.algorithms.values.phrases_of_change import EARLY

_ANY = r"(?:\s(?:really|just|so|absolutely|verkligen|bara|så|absolut|jätte\w*))?"

#: pattern, replacement; read in this order, in either language, on casefolded text with contractions opened
_PHRASES: tuple[tuple[str, str], ...] = (
    # what ended or was called off
    (
        r"\b(?:(?:is|are|was|were|has been|have been|got|been|gets|blev|blir|är|har blivit|var|blivit)\s)?(?:now\s|nu\s)?"
        r"(?:cancelled|canceled|called off|inställd|inställt|inställda|avblåst)\b",
        " @off ",
    ),
    (r"\b(?:is|are) not (?:happening|going ahead|taking place)(?: any ?more| after all)?\b", " @off "),
    (r"\b(?:blir|blev) (?:det )?(?:inte|inget|ingen) av\b|\b(?:blir|blev) (?:det )?(?:inget|ingen|inga)\b", " @off "),
    (
        r"\b(?:(?:is|are|was|were|has been|have been|got|been|blev|blir|är|har blivit|blivit)\s)?"
        r"(?:postponed|pushed back|put off|brought forward|rescheduled|uppskjuten|uppskjutet|framflyttad|framflyttat|"
        r"senarelagd|senarelagt|tidigarelagd|tidigarelagt|flyttades|skjuts upp|sköts upp)\b",
        " @rescheduled ",
    ),
    (
        r"\b(?:(?:has|have|had|was|were|is|are|been|got|gets|has been|have been|är|blev|har|blivit|har blivit|blir)\s)+"
        r"(?:moved|changed|shifted|flyttad|flyttat|flyttats|flyttade|ändrad|ändrat|ändrats|ändrade)(?= (?:to|from|till|från|forward|fram|back)\b)(?! (?:to|till) (?!\d|the \d|den \d|i |in |jan|feb|mar|apr|maj|may|jun|jul|aug|sep|okt|oct|nov|dec|tomorrow|later|earlier|senare|tidigare|mon|tue|wed|thu|fri|sat|sun|mån|tis|ons|tor|fre|lör|sön|next|nästa|room|sal))",
        " @rescheduled ",
    ),
    (r"\b(?:flyttas|flyttades|ändras) till\b", " @rescheduled "),
    (r"\b(?:(?:has|have|got|fick|fått|har fått)\s)*(?:a |en |ett )?(?:new (?:date|time|day)|nytt? (?:datum|tid|dag)|ny tid)\b", " @rescheduled "),
    # something else instead
    (r"\b(?:instead of|rather than|i stället för|istället för|snarare än)\b", " dropped_ "),
    (r"\bpicked (\w+) over (\w+)", r" \1 dropped_ \2 "),
    (r"\b(?:have |has |had |har )?(?:decided|chosen|bestämt mig för|beslutat)(?: against| not to| att inte)\b", " not "),
    (r"\b(?:am |is |are )?(?:skipping|hoppar över|ställer in|avstår från|dropping out of|backing out of)\b", " @off "),
    (r"\b(?:changed my mind about|ångrat mig om|har ångrat)\b", " @off "),
    (r"\b(?:broke up|split up|gjorde slut|gjort slut|det är slut|har separerat|separerade)\b(?: with| med| mellan)?", " @together- "),
    (r"\b(?:am|is|are|we are) (?:not|no longer) (?:together|a couple)\b|\binte (?:längre )?(?:ihop|tillsammans|ett par)\b(?: längre)?(?: med)?", " @together- "),
    (r"\b(?:single|singel)\b", " @together- "),
    (r"\b(?:going out with|dating|seeing someone|in a relationship|ihop med|(?:är|är ju) tillsammans med|got together with|blev ihop med|är ihop)\b", " @together+ "),
    (r"\b(?:fell out|fallen out|not speaking(?: to)?|not on speaking terms|are enemies|osams|ovänner|bråkat)\b(?: with| med)?", " @friendly- "),
    (r"\b(?:made up|friends again|made peace|sams(?: igen)?|vänner igen|blivit sams)\b(?: with| med)?", " @friendly+ "),
    (r"\b(?:(?:getting |got )?divorced?|separated|skilda|skild|skilsmässan?|skilt sig|skiljt sig|skilde sig|skiljer sig)\b", " @married- "),
    (r"\b(?:married|gifta?|gift sig)\b", " @married+ "),
    (r"\b(?:has |have |got |är |har |blivit )*(?:fixed|repaired|mended|working again|lagad|lagat|lagade|hel igen|reparerad)\b", " @whole+ "),
    (r"\b(?:broken|cracked|smashed|does not work|out of order|trasig|trasigt|trasiga|sönder|sprucken|sprucket)\b", " @whole- "),
    (r"\b(?:have a cold|ill|sick|poorly|unwell|injured|förkyld|sjuk|sjukt|skadad|krasslig)\b", " @well- "),
    (r"\b(?:recovered|healthy|well again|healed|fit again|better now|frisk(?: igen)?|friskt|läkt|återställd|kry(?: igen)?)\b", " @well+ "),
    (r"\b(?:lost|misplaced|tappat bort|tappade bort|tappat|blivit av med|borta)\b(?= (?:my|our|min|mitt|mina|vår|vårt))", " @found- "),
    (r"\b(?:found|got back|hittat|hittade|fått tillbaka|fick tillbaka)\b(?= (?:my|our|the|min|mitt|mina|vår|vårt))", " @found+ "),
    (r"\b(?:alone|on my own|by myself|ensam|för mig själv|på egen hand|själv(?= än)|individually)\b", " @company- "),
    (r"\b(?:in (?:a )?(?:groups?|pairs|teams?)|with others|group work|i (?:grupp|grupper|par)|tillsammans med andra|grupparbete)\b", " @company+ "),
    (r"\b(?:it )?(?:(?:complete |total )?silence|quiet|silent|(?:knäpp|alldeles )?tyst|tystnad)\b", " @sound- "),
    (r"\b(?:(?:with |hög |loud )?music (?:on|playing)|with (?:loud )?music|to music|(?:ha |har |hög |med |till )+musik(?: på)?|musik i (?:öronen|lurarna))\b", " @sound+ "),
    (r"\b(?:(?:in|at) the front|front row|längst fram|långt fram|främst)\b", " @front+ "),
    (r"\b(?:(?:in|at) the back|back row|längst bak|långt bak)\b", " @front- "),
    (r"\b(?:has |have |har )?(?:moved out|left home|flyttat hemifrån|flyttade hemifrån|flyttat ut)\b", " @athome- "),
    (r"\b(?:lives? (?:with us|at home)|still at home|bor (?:hemma|hos oss|kvar hemma))\b", " @athome+ "),
    (r"\b(?:do not|har inte|har) (?:have )?(?:any|a|no|någon|nån|ingen) (boyfriend|girlfriend|kille|tjej|pojkvän|flickvän)\b", r" @together- \1 "),
    (r"\b(?:have|has|got|har) (?:a |en )?(boyfriend|girlfriend|kille|tjej|pojkvän|flickvän)\b", r" have @together+ \1 "),
    (r"\b(my|min) (boyfriend|girlfriend|kille|tjej|pojkvän|flickvän)\b", r"\1 \2 @partner "),
    (r"\b(?:i think|i find|i feel|jag tycker|jag tror|jag känner)(?: that| att)\b", " i "),
    (r"^(?:i find|jag tycker)\b(?! (?:\w+ )?(?:om|illa)\b)", " i "),
    (r"\b(?:är du snäll|if you can|if possible|om du kan|tack)\b", " "),
    (r"\b(?:head teacher)\b", " headteacher "),
    (r"\b(?:is in charge of|is responsible for|runs|har hand om|ansvarar för|är ansvarig för|leder)\b", " incharge_ "),
    (r"\b(?:(?:is|are) off)(?=$|[.,!])", " @off "),
    (r"\b(?:(?:got|was|were|blev|has been|har blivit|is|är) )(?:stolen|nicked|stulen|stulet|stulna|snodd)\b", " @gone "),
    (r"\b(?:have |has |har )?(?:sold|sålt|sålde)\b", " @gone "),
    (r"\b(?:broke down|gick sönder|har gått sönder)\b", " @whole- "),
    (r"\b(?:(?:would like|want|prefer|vill|föredrar) (?:to be|att bli|bli|att) (?:called|kalla(?:d|s)(?: för)?))\b", " callme_ "),
    (r"\b(?:downstairs|på nedervåningen|där nere)\b", " @upstairs- "),
    (r"\b(?:upstairs|på övervåningen|där uppe)\b", " @upstairs+ "),
    (r"\b(?:closed|shut|stängt?|stängda)\b", " @open- "),
    (r"\b(?:(?:is|are|är) (?:open|öppet|öppen|öppna))\b", " be @open+ "),
    (r"\b(?:messy|untidy|stökigt?|rörigt?)\b", " @tidy- "),
    (r"\b(?:tidy|clean|städa(?:t|d)|ordning och reda)\b", " @tidy+ "),
    # liking
    (r"\b(?:can ?not stand|hate|hates|detest|detests|loathe|loathes|dislike|dislikes|despise|hatar|avskyr|ogillar|står inte ut med|tål inte att|det värsta jag vet|is the worst|are the worst|värst av allt)\b", " @like- "),
    (rf"\b(?:tycker|tyckte){_ANY}(?:\s(?:mycket|väldigt mycket|jättemycket|väldigt|så))?\s(?:illa om)\b", " @like- "),
    (rf"\btycker{_ANY}\s(?:inte|ej)\s(?:\w+\s){{0,3}}om\b|\bgillar (?:inte|ej)\b", " not @like+ "),
    (rf"\btycker{_ANY}(?:\s(?:mycket|väldigt mycket|jättemycket|väldigt|så|också))?\som\b", " @like+ "),
    (r"\b(?:like|likes|love|loves|adore|adores|enjoy|enjoys|am fond of|fond of|am into|keen on|gillar|älskar|diggar|det (?:bästa|godaste|roligaste) jag vet|(?:is|are) the best thing(?: ever)?)\b", " @like+ "),
    # fear
    (r"\b(?:scared|afraid|terrified|frightened|petrified) of\b|\b(?:have a |my )?(?:fear|phobia) of\b|\b(?:jätte|skit|lite |livrädd)?(?:rädd|rädda|skraj|livrädd)\s?(?:för)?\b|\bjätterädd för\b", " @fear+ "),
    (r"\b(?:frightens?|scares?|terrif(?:y|ies)|bothers?) (?:me|him|her|us)\b|\bskrämmer\b|\b(?:scary|läskig|läskigt|skrämmande)\b", " @fear+ "),
    (r"\bhöjdskräck\b", " @fear+ =height "),
    # ease and skill
    (r"\b(?:bad|terrible|awful|hopeless|rubbish|weak|poor) at\b|\bdålig på\b|\bkass på\b|\busel på\b", " @skill- "),
    (r"\b(?:good|great|brilliant|strong) at\b|\b(?:bra|duktig|grym|vass|jättebra) på\b", " @skill+ "),
    (r"\b(?:struggle|struggles|struggling) with\b|\b(?:hard|difficult|tough|tricky|svår|svårt|svåra|knepigt?|kämpar med|har svårt för)\b(?: for me| för mig| med)?", " @ease- "),
    (r"\b(?:easy|simple|a piece of cake|lätt|lätta|enkelt?|enkla|barnlek)\b(?: for me| för mig)?", " @ease+ "),
    (r"\b(?:boring|dull|tråkig|tråkigt|tråkiga|trist|sooo? boring)\b", " @fun- "),
    (r"\b(?:fun|exciting|interesting|kul|rolig|roligt|roliga|spännande|intressant)\b", " @fun+ "),
    # diet, allergies
    (r"\b(?:vegetarian|vegan|vegetarisk|veganskt?|vegetarianer|do not eat meat|äter inte kött|äter inget kött)\b", " @meat- "),
    (r"\b(?:eat|eats|eating|äter) (?!no\b|not\b|inget\b|inte\b)(?:\w+ )?(?:meat|kött)\b", " @meat+ "),
    (r"\b(?:am |is |är )?(?:gluten|laktos|lactose)[\s-]?(?:intolerant|allergi(?:ker|c|sk))\b|\b(?:celiaki|coeliac)\b", " @tolerate- =gluten "),
    (r"\b(?:allergic to|intolerant to|allergisk mot|överkänslig mot)\b", " @tolerate- "),
    (r"\b(?:tål)\b|\btolerate\b", " @tolerate+ "),
    # how to be helped, and other ends
    (r"\b(?:short|brief|concise|briefly|short and sweet|korta?|kortfatta(?:t|de)|kortare|shorter)\b", " @length- "),
    (r"\b(?:long|detailed|longer|lengthy|in detail|långa?|långt|utförliga?|detaljera(?:d|t|de)|längre(?= svar| förkl))\b", " @length+ "),
    (r"\b(?:step by step|steg för steg)\b", " stepwise "),
    (r"\b(?:left[\s-]?handed|vänsterhän(?:t|ta))\b", " @handed- "),
    (r"\b(?:right[\s-]?handed|högerhän(?:t|ta))\b", " @handed+ "),
    (r"\b(?:early riser|morning person|morgonmänniska|morgonpigg)\b", " @early+ "),
    (r"\b(?:night owl|evening person|kvällsmänniska|nattuggla)\b", " @early- "),
    (r"\b(?:out of work|unemployed|has no job|have no job|got no job|arbetslösa?|between jobs|lost (?:his|her|my) job|har inget (?:extra)?jobb)\b", " @employed- "),
    (r"\bin a cast\b|\bi gips\b|\bgipsad\b", " have =cast "),
    (r"\bär ((?:\w+ ){1,3})(?:borta|av|över|slut)(?=$|[.!,])", r" \1 @gone "),
    (r"\b(?:the )?(?:doctor|doctors|läkaren|doktorn|test|testet|testerna|results?|proverna) (?:says?|said|shows?|showed|säger|sa|sade|visar|visade)(?: that| att)?\b", " "),
    (r"\b(?:our|my|the) only\b|\b(?:only|just) one\b|\b(?:bara|endast) (?:en|ett)\b|\b(?:min|mitt|vår|vårt) enda\b", " 1 "),
    (r"\b(?:inget|no|not a|not an item|inte något) (?:par|couple)\b", " @together- "),
    (r"\b(?:ignore|overlook|strunta i|struntar i|låt bli|bry dig inte om|bortse från|leave alone|do not worry about)\b", " @attend- "),
    (r"\b(?:correct|fix|point out|rätta|rättar|påpeka|påpekar)\b", " @attend+ "),
    (r"\b(?:not|inte) (?:until|förrän|before|före)\b", " in "),
    (r"\b(?:can not wait|not only|no (?:problem|doubt|matter|wonder|trouble)|inga problem|utan problem|inte bara|inte minst|do not forget|glöm inte)\b", " "),
    # ends of states
    (r"\b(?:any ?more|any ?longer|längre|numera|nowadays|these days|at all|alls|ett dugg|after all|överhuvudtaget)\b", " "),
    (r"\bno longer\b", " not "),
    (r"\b(?:came off|is off|are off|is gone|are gone|is finally off|togs av|är borta|är avtagen|är av|got rid of|is finished|are finished|försvann)\b", " @gone "),
    (r"\b(?:died|passed away|was put down|put to sleep|dog(?= (?:i |förra|för |när|av |härom))|dött|avliva(?:des|ts)|fick somna in|somnade in|has died|is dead|är död)\b", " @gone "),
    (r"\b(?:swapped|traded|exchanged|replaced|bytte(?: ut)?|har bytt(?: ut)?|bytt(?: ut)?) (?:my|our|min|mitt|vår|vårt) ([\w-]+(?: [\w-]+)?) (?:for|with|mot|till)\b[^,.;!?]*", r" @gone \1 "),
    (r"\b(?:sold|gave away|got rid of|lost|sålde|sålt|gav bort|blev av med|tappade bort)\b(?= (?:my|our|the|min|mitt|vår|vårt)\b)", " @gone "),
    (r"\b(?:stopped|quit|gave up|given up|dropped out of|slutat|slutade|lagt av|lade av|hoppat av|hoppade av|har slutat)\b(?: with| att| med| i| på)?(?= )", " @stopped "),
    # moving on to another value
    (r"\b(?:moved to|have moved to|has moved to|moved in(?:to)?(?: with)?|flyttade till|har flyttat till|flyttat till|flyttar till|flyttade in (?:i|hos)|flyttat in (?:i|hos))\b", " live_ "),
    (r"\b(?:switched|changed|transferred|bytte|har bytt|bytt|byter) (?:school |skola )?(?:to|till)\b", " goto_ "),
    # to be, to have
    (r"\b(?:is called|are called|am called|is named|goes by|go by|was named|heter|kallas(?: för)?|fick heta|döpte (?:vi|jag) till|renamed|name is|names are|namn är)\b", " called_ "),
    (r"\b(?:call me|kalla mig|säg)\b", " callme_ "),
    (r"\b(?:works? as|working as|jobbar som|arbetar som|(?:got|has|have) a job as|(?:fått|fick|har) jobb som)\b", " workas_ "),
    (r"\b(?:works? (?:at|in|for)|working (?:at|in|for)|(?:jobbar|arbetar) (?:extra )?(?:på|i|hos|åt)|got a job at|(?:fått|fick) jobb (?:på|i|hos))\b", " workat_ "),
    (r"\b(?:next to|beside|bredvid|intill)\b", " beside_ "),
    (r"\b(?:best|closest|bästa|närmaste) (?:friend|mate|pal|buddy|kompis|kompisen|vän|vännen|polare)\b", " =bestfriend "),
    (r"\b(?:i år|this year|next|nästa|kommande|coming)\b", " "),
    (r"\b(?:mr|mrs|miss|ms|dr|madame|sir|fru|herr)\b", " "),
    (r"\b(?:teaches|teaching|undervisar|takes us for|takes me for)\b", " teach_ "),
    (r"\b(?:took over|taken over|tog över|tagit över|taking over)(?: from| efter| as| som)?\b", " be "),
    (r"\b(?:have got|has got|is having)\b", " have "),
    (r"\b(lille|lilla|lill|store|stora|stor)(bror\w*|brors\w*|syster|syrra\w*)\b", r" \1 \2 "),
    (r"\b(?:in |i )?(?:the )?(?:femman)\b", " =year 5 "),
    (r"\b(?:går |börja\w* )?i sexan\b", " =year 6 "),
    (r"\b(?:går |börja\w* )?i sjuan\b", " =year 7 "),
    (r"\b(?:går |börja\w* )?i åttan\b", " =year 8 "),
    (r"\b(?:går |börja\w* )?i nian\b", " =year 9 "),
    (r"\b(är|blir|fyller|fyllt|fyllde|am|is|are|turned) ((?:bara |only |just )?\w+) (?:år|years)(?! \w*(?:äldre|yngre|older|younger|ago|sedan|kvar|left|sen))(?: old| gammal| gamla| gammalt)?\b", r"\1 \2 yearsold "),
    (r"\b(?:twice|två gånger)\b", " 2 times "),
    (r"\b(?:once|en gång)\b", " 1 times "),
    (r"\b(?:have |has |had |har )?(?:learned|learnt|lärt (?:mig|sig)|lärde (?:mig|sig))(?: how to| to| att)?\b", " can "),
    (r"\b(?:have |has |har )?(?:started|begun|taken up|joined|börjat|gått med i|började|blivit medlem i)\b(?! at | on |s)(?: to| att| with| med| på| i)?(?= )", " begun_ "),
    (r"\b(?:years? old|år gammal|år gamla|yrs old|year-old)\b", " yearsold "),
    (r"\b(?:fyller|turn|turns|turned|turning|fyllde|har fyllt)\b(?= (?:just )?(?:\d|[a-zåäö]+\b))", " turn_ "),
    (r"\b(?:is )?(?:the|den|det) (?P<f>\w+)(?: som)? (?:i|jag) (?:like|love|@like\+|gillar|älskar)(?: allra)? (?:best|most|mest|bäst)\b", r" favourite \g<f> "),
    (r"\bnumber one\b", " favourite "),
    (r"\b(?:one of|some of|en av|ett av|några av)\b", " someof_ "),
    (r"\b(?:(?:best|strongest) (?=subject\b|thing\b|food\b|colou?r\b|book\b|film\b)|(?:bästa|starkaste) (?=ämne|mat\b|färg|bok|film))", " favourite "),
    (r"\b(?:want to be(?:come)?|wanna be|dream of becoming|vill bli|drömmer om att bli|going to be(?:come)?|dream job is|drömjobb är|ska bli)\b(?: an?| en| ett)?", " become_ "),
    (r"\b(?:apply(?:ing)? (?:to|for)|söka till|söker till|sökt till|söka|choose|väljer)\b", " apply_ "),
    (r"\b(?:go to|goes to|attend|attends|going to school at|går på|går i|study at|pluggar på|start(?:ed)? at|börja(?:de|t|r) på)\b", " goto_ "),
    (r"\b(?:prefer|prefers|would rather have|föredrar|vill helst ha|vill hellre ha)\b", " @want+ "),
    (r"\b(?:get up|gets up|wake up|wakes up|går upp|kliver upp|stiger upp|vaknar)\b|\bgår (?=jag upp)", " getup_ "),
    (r"\b(?:go to bed|goes to bed|lägger mig|går och lägger mig|somnar|fall asleep)\b", " gobed_ "),
    (r"\b(?:takes?|ride|rides|catch|catches|tar|åker|cyklar|cycle|cycles|bike|bikes|walk|walks|går|promenerar|gets? the|drive|drives)\b(?= (?:\w+ ){0,4}(?:to|till) (?:\w+ )?(?:school|skolan|college|work|jobbet|gymnasiet|träningen|practice))", r" \g<0> ride_ "),
    (r"\b(?:able to|know how to|knows how to|kunna)\b", " can "),
    (r"\b(?:allowed to|får lov att|permission to)\b", " may "),
)  # fmt: skip

#: The part of the day at which something goes best.
BEST = re.compile(r"\b(?:best|bäst)\b")
DAYPARTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"\b(?:(?:early )?(?:in|on) the |(?:tidigt )?på |early )?(?:mornings?|morgonen|morgnarna|förmiddagen)\b"
        ),
        " @DAYTIME+ ",
    ),
    (
        re.compile(
            r"\b(?:(?:late )?(?:in|at|on) (?:the )?|(?:sent )?på |late )?(?:evenings?|nights?|kvällen|kvällarna|natten)\b"
        ),
        " @DAYTIME- ",
    ),
)

_MARK = re.compile(r"@\w+")
_PUT_IN = re.compile(r"(?<![\w=@])(?:have|be|can|may|not|favourite|will|than)\b(?!_)")
PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    # Marks in capitals: no later pattern, which reads casefolded text, can match inside one.
    # A word put in is an idea already ("="): it is not looked up in the statement's language.
    (re.compile(pattern), _PUT_IN.sub(r"=\g<0>", _MARK.sub(lambda mark: mark.group().upper(), replacement)))
    for pattern, replacement in (*EARLY, *_PHRASES)
)

#: English contractions, opened before anything else is read.
CONTRACTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"[\u2018\u2019\u00b4`]", "'"),
        (r"\b(?:can't|cant|cannot)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|should|would|could|must|need)n't\b", r"\1 not"),
        (r"\b(do|does|did|is|was|have|would)nt\b", r"\1 not"),
        (r"\b(i)'?m\b", r"\1 am"),
        (r"\b(i|you|we|they)'ve\b", r"\1 have"),
        (r"\b(i|you|we|they|he|she)'d\b", r"\1 would"),
        (r"\b(i|you|we|they|he|she|it)'ll\b", r"\1 will"),
        (r"\b(you|we|they)'re\b", r"\1 are"),
        (r"\b(it|he|she|that|there|what|here)'s\b", r"\1 is"),
        (r"\b(\w+)s'(?=\s)", r"\1 s_"),
        (r"\b([\w-]+)'s\b", r"\1 s_"),
    )
)

_FUNCTION_EN = (
    "i:i me:i my:my mine:my myself:i we:we us:we our:our ours:our he:he him:he his:his she:she her:her hers:her "
    "they:they them:they their:their it:it its:it you:you your:you am:be is:be are:be was:was were:was been:be be:be "
    "being:be has:have have:have having:have had:had do:do does:do did:did can:can could:could may:may allowed:may "
    "will:will would:would shall:will must:must should:should got:have gets:have get:have a:a_ an:a_ the: this:this "
    "that:that these:this those:that there:there here:here in:in at:at on:on to:to from:from with:with without:without "
    "of:of for:for by:by and:and or:or but:but so:so than:than as:as not:not no:no never:never none:no nothing:no nobody:no "
    "neither:not nor:or very: really: quite: pretty: totally: definitely: definately: just: only:only also:also too:also "
    "even: now: currently: still: already: finally: again: actually: honestly: well: please: instead:instead always: "
    "usually: mostly: mainly: often:often sometimes:sometimes every:every each:every all:all any:any some: lot: lots: "
    "much: many: more:more most:most because:because when:when if:if after:after before:before until:until since:since "
    "about:about over:over under:under near:near up:up down:down out:out off:off give:give gave:give one:#1"
)
_FUNCTION_SV = (
    "jag:i mig:i mej:i min:my mitt:my mina:my vi:we oss:we vår:our vårt:our våra:our han:he honom:he hans:his hon:she "
    "henne:she hennes:her de:they dem:they dom:they deras:their det:it den:it dess:it du:you dig:you dej:you din:you ditt:you "
    "dina:you är:be var:was vart:was varit:be vara:be blev:was har:have ha:have haft:had hade:had kan:can kunde:could får:may "
    "genom:by ligger:be bäst:best helst:best fått:have fick:got ska:will skall:will kommer:will skulle:would måste:must bör:should en:a_ ett:a_ denna:this detta:this "
    "dessa:this där:there här:here i:in på:on till:to från:from med:with utan:without av:of för:for åt:for och:and "
    "eller:or men:but så:so än:than som:as inte:not ej:not icke:not aldrig:never ingen:no inget:no inga:no ingenting:no "
    "varken:not väldigt: verkligen: ganska: jätte: typ: nog: ju: bara:only också:also även: nu: just: fortfarande: redan: "
    "äntligen: igen: faktiskt: ärligt: snälla: gärna: istället:instead stället:instead alltid: oftast: mest: ofta:often "
    "ibland:sometimes varje:every varenda:every alla:all allt:all någon:any något:any några:any nån:any många: mycket: mer:more mera:more "
    "eftersom:because därför:because när:when om:if efter:after innan:before före:before tills:until sedan:since sen:since "
    "över:over under:under nära:near upp:up ner:down ut:out att:to man:one hos:with gör:do göra:do precis: riktigt: helt: "
    "ge:give ger:give göra:do hemma:home mellan:between hennes:her sig: själv: också:also"
)


def _read_function_words(lines: str) -> dict[str, str]:
    return {word: meaning for word, _, meaning in (entry.partition(":") for entry in lines.split())}


FUNCTION = {"en": _read_function_words(_FUNCTION_EN), "sv": _read_function_words(_FUNCTION_SV)}
