"""Phrases of states and of changes between them: what one has become, got, finished or left; how often; which year.

Read before the other phrases, on casefolded text with contractions opened, in either language. A change of state says
the state that it ends in: what one has bought one has, where one has moved one lives.
"""

_HAVE = r"(?:have |has |had |har |hade )?"
_BE = r"(?:am |is |are |was |were |been |be |är |blev |var |blivit |bli )?"

EARLY: tuple[tuple[str, str], ...] = (
    (r"\brätt (?=bra|dålig|så\b|ofta|svår|lätt|kul|trött|många|mycket)", " "),
    (r"\b(?:own flat|own place|own apartment|egen lägenhet|eget boende|egen bostad)\b", " @athome- "),
    (r"\b(?:vegan|veganer)\b", " vegan_ @meat- "),
    (r"\b(?:the one|den|det) (?=(?:about|with|where|om|med|där)\b)", " "),
    (r"^(?:my |min |mina )?(?:mum|mom|dad|parents|mamma|pappa|föräldrar) (?:lets?|allows?|låter) (?:me|mig)(?: to)?\b", " i may "),
    (r"\b(?:not (?:have )?any|no|inga|inte några) (?:allergies|allergier)\b", " noallergy_ "),
    (r"\b(?:in|on) (?:his|her|my|their) (?:free|spare) time\b|\bpå fritiden\b|\bas a hobby\b|\bsom hobby\b", " freetime_ "),
    (r"\b(?:visade det sig|det visade sig(?: att)?|it turned out(?: that)?|(?:as )?it turns out(?: that)?|turned out that)\b", " "),
    # who speaks of whom
    (r"^(?:they|de|dom|someone|somebody|någon|nån) (?=(?:\w+ ){1,2}(?:me|us|my|our|mig|oss|min|mitt|mina|vår|vårt)\b)", " "),
    (r"^(?:please )?(?:stop|skip|leave out|avoid|cut out|no more|sluta|skippa|hoppa över|undvik)\b(?: att| med)?", " not "),
    (r"\b(?:like|love|appreciate|gillar|älskar|uppskattar) (?:it|det) (?:when|if|that|när|om|att) (?:you|du)\b", " =want @want+ "),
    (r"\b(prefers?|föredrar) ((?:\w+ ){1,4}?)(?:to|over|framför|före)\b", r" \1 \2 than "),
    # finished or not
    (rf"\b{_HAVE}(not |inte )?(?:already |redan |yet |äntligen |finally )?(?:finished|completed|done with|gjort klart|slutfört)\b", r" \1 @done+ "),
    (rf"\b{_BE}(not |inte )?(?:\w+ )?(?:finished|done|complete|completed|färdig|färdigt|färdiga|klar|klart|klara)\b(?! (?:at|by) )(?: with| med)?", r" \1 @done+ "),
    # in a couple or not
    (rf"\b{_BE}(?:engaged|förlovad|förlovade)\b(?: to| med)?", " @together+ "),
    (r"\b(?:broke off|called off|brutit|bröt|avbröt) (?:the |my |our |her |his |their )?(?:engagement|förlovningen)\b", " @together- "),
    (r"\b(?:are|is|är|being) (?:still )?(?:together|tillsammans|ett par|a couple)\b(?! (?:med|with))", " @together+ "),
    (r"\bsambo(?:s)?\b(?: med)?", " @together+ "),
    (r"\b(?:have|has|got|har|träffat) (?:a |an |en |ett )(?:partner|husband|wife|fru|man)\b", " have @together+ "),
    # in work or not
    (r"\b(?:retired|pensionär|pensionärer|pensionerad|gått i pension|gick i pension)\b", " @employed- "),
    (r"\b(?:start(?:ed|ing)?|began|börja(?:t|de|r)?) (?:work(?:ing)? |jobba |arbeta )?(?:as|som)\b", " workas_ "),
    (r"\b(?:läser till|utbildar (?:mig|sig) till|pluggar till|(?:study|studying|studies|training) to (?:be|become))\b(?: an?| en)?", " studyfor_ "),
    (r"\b(?:on sick leave|signed off sick|sjukskriven)\b", " @well- "),
    (r"\b(?:self-employed|egenföretagare)\b", " @ownfirm+ "),
    (r"\b(?:am|is|are|är) (?:employed|anställd)\b", " be @ownfirm- "),
    # what one has, shares, stays with, belongs to
    (r"\b(?:own|eget|egen|egna) (room|bedroom|rum|sovrum)\b", r" @shared- \1 "),
    (r"\b(?:share|shares|sharing|delar|dela|delade|delat)\b", r" \g<0> @shared+ "),
    (r"\b(?:stay(?:ing|s)?|stannar|stanna)(?: kvar)? (?:at|in|on|with|på|i|hos)\b", " @stay+ "),
    (r"\b(?:going to|will|want to|ska|tänker|vill) (?:quit|leave|drop out of|resign from|hoppa av|sluta (?:på|i|med|hos)|säga upp mig från)\b", " @stay- "),
    (rf"\b{_HAVE}(?:left|leaves|lämnade|lämnat|gick ur|gått ur|quit)\b(?= (?:the |my |our |min |mitt |vår )?(?:[\w-]+ )?(?:club|team|choir|band|group|course|company|class|society|council|firm|crew|klubben|kören|laget|bandet|gruppen|kursen|föreningen))", " @stopped "),
    (rf"\b{_HAVE}(?:just |recently |finally |precis |äntligen )?(?:bought|purchased|adopted|acquired|köpt|köpte|skaffat|skaffade|adopterat|fått tag på)\b", " have acquired_ "),
    (rf"\b{_HAVE}(not |inte )?(?:found|received|hittat|hittade|fått)\b(?= (?:a|an|any|en|ett|någon|något|nån)\b)", r" have \1 acquired_ "),
    (r"\b(?:passed|klarade|klarat|tagit|tog|took) (?:my |the |min |mitt )?(?:driving test|uppkörningen|uppkörning|körkort|körkortet)\b", " have acquired_ driving licence "),
    (r"\b(?:driving licence|driving license|driver s_ licen[cs]e|driver's licen[cs]e|körkortet|körkort)\b", " =licence "),
    (r"\b(?:have |has |had |har )?(?:dropped|given up|quit|left|hoppat av|hoppade av|lagt ner)(?: out of)? (?=(?:law|med|medical|drama|art) school\b)", " @stopped "),
    # whole or not
    (r"\b(?:broke|gick sönder)(?= *(?:$|[.,!;?]|yesterday|today|igår|idag|last|i ))", " @whole- "),
    (r"\b(?:works|working|fungerar|funkar) (?:fine|well|perfectly|again|bra|igen|som den ska|som det ska)\b", " @whole+ "),
    (r"\b(?:does|do) not work\b(?= *(?:$|[.,!;?]|any|at all))|\b(?:fungerar|funkar) inte\b", " @whole- "),
    (r"\b(?:sönder|ur funktion)\b", " @whole- "),
    (r"\b(?:moved|flyttade|flyttat|pushed back|changed|ändrade|ändrat) (?:my|our|the|min|mitt|vår|vårt) (?=(?:[\w-]+ )?(?:appointment|check-up|lesson|interview|meeting|test|exam|tid|lektion|prov|möte|intervju|\w+prov(?:et)?|\w+tid(?:en)?)\b)", " @rescheduled "),
    (r"\b(lives?|bor|bo) (?:out )?(?:in the country|in the countryside|in a village|på landet|i en (?:liten )?by)\b", r" \1 @rural+ "),
    (r"\b(?:lives?|bor|bo|moved|flyttat|flyttade) (?:in ?to |in i |in till |in |i |till )(?:the )?(?:city|city centre|town centre|stan|centrum|mitt i stan)\b", " live @rural- "),
    (r"\b(?:moved|moving|flyttat|flyttade|flyttar) (?:back |hem |tillbaka )?(?:in |home )?(?:with|hos)\b", " live_ with "),
    (r"\b(?:moved|moving|flyttat|flyttade|flyttar) (?:back |hem |tillbaka |in |home )+(?:to|till)\b", " live_ "),
    (r"\b(?:have|has|got|har|fick|fått) (?:a |an |ett |my |mitt )?(?!no |not |inget )(?:[\w-]+ )?(?:job|jobb|extrajobb|sommarjobb)\b(?=\s*(?:$|[.,!;?]|(?:at|in|as|on|with|now|and|again|på|i|som|hos|nu|och|igen)\b))", r" @employed+ \g<0> "),
    (r"\b(?:started (?:work )?at|börjat (?:jobba )?(?:på|hos)|började (?:jobba )?(?:på|hos))\b", " startat_ goto_ "),
    (r"\b(?:choose|chose|chosen|choosing|picked|pick|picking|välja|väljer|valde|valt)\b(?! (?:to|\w+ over)\b)", " choose_ "),
    (r"\b(?:is|are|been|är|har varit) (?:missing|försvunnen|försvunnet|borta)\b|\b(?:ran away|has run away|rymt|rymde|försvunnit)\b", " @found- "),
    (r"\b(?:came back|come back|is back|turned up|came home|kommit tillbaka|kom tillbaka|kommit hem|är tillbaka)\b", " @found+ "),
    (r"\b(?:paid|pay|betalat|betalade|betalt)(?: (?:\w+ )?(?:back|tillbaka))\b(?: till)?", " @owe- "),
    (r"\b(?:owes?|is in debt to|är skyldig)\b", " @owe+ "),
    (r"\b(?:can|may|could|får|kan) (?:stop|quit|sluta)\b(?: med| att)?", " may not "),
    (r"\bvet (inte )?hur (?:man|jag|en)\b", r" can \1 "),
    (r"\b(?:is about|are about|handlar om)\b", " isabout_ "),
    (r"\b(?:is|are|am|är) (?:really |very |so |quite |väldigt |jätte)?(?:good|great|fine|bra|toppen)\b(?! (?:at|på|for|för|with|med|when|om|that|att))", " be @good+ "),
    (r"\b(?:is|are|am|är) (?:really |very |so |quite |väldigt |jätte)?(?:bad|awful|terrible|dålig|dåligt|dåliga|hemskt?)\b(?! (?:at|på|for|för|with|med|when|om|that|att))", " be @good- "),
    # gone, risen, the best of all
    (r"\b(?:stole|nicked|snodde|stal)\b(?= (?:my|our|min|mitt|mina|vår|vårt)\b)", " @gone "),
    (r"\b(?:took|taken|got|had|tog|tagit) (my|our|min|mitt|vår|vårt) ([\w-]+) (?:off|away|out|bort|av)\b", r" @gone \1 \2 "),
    (r"\b(?:went (?:up|down)|rose|fell|has risen|increased|was raised|gick (?:upp|ner)|har höjts|höjdes|sänktes|ökade|ökat|minskade) (?:to|till)\b", " be "),
    (r"\b(?:(?:is|are|är) (?:\w+ )?)?(?:the best (?:part|thing|bit) (?:of|about|in)|det (?:bästa|roligaste) (?:på|med|i))\b", " @like+ "),
    (r"\bof (?:my|her|his|our|their) own\b", " "),
    (r"\b(?:own|owns|äger)\b(?= (?:an?|any|no|en|ett|ingen|inget|någon|något)\b)", " have "),
    # eating
    (r"\b(?:eats?|eating|äter) (?:no|not any|inget|inte|aldrig) (?:meat|kött)\b|\b(?:do not|does not|never|aldrig) (?:eats?|äter) (?:any )?(?:meat|kött)\b", " @meat- "),
    # sites and due dates
    (r"\b(?:is|are|was|be|been) due\b|\b(?:has|have|must|needs?|ought)(?: to)? be (?:in|handed in|submitted)\b|\bska (?:vara )?(?:inlämnad|inlämnat|lämnas in|vara inne|in)\b|\binlämningen (?:av|för) ", " be =deadline "),
    (r"\b(?:cook|cooks|cooking|laga mat|lagar mat|lagade mat)\b(?! (?:for|på|at|in|i) (?:a|an|ett?|the)\b)", " =cooking_ =cookfood "),
    (r"\b(?:(?:at|around|vid|runt|kring) )?(?:midnight|midnatt)\b", " at 12 o'clock "),
    (r"\b(?:noon|midday)\b", " at 12 o'clock "),
    # which year of school
    (r"\b(?:first|första) (?:year|grade|form|class|klass|året|ring)\b", " =year 1 "),
    (r"\b(?:second|andra) (?:year|grade|form|class|klass|året|ring)\b", " =year 2 "),
    (r"\b(?:third|tredje) (?:year|grade|form|class|klass|året|ring)\b", " =year 3 "),
    (r"\b(?:fourth|fjärde) (?:year|grade|form|class|klass|året)\b", " =year 4 "),
    (r"\b(?:fifth|femte) (?:year|grade|form|class|klass|året)\b", " =year 5 "),
    (r"\b(?:sixth|sjätte) (?:year|grade|form|class|klass|året)\b", " =year 6 "),
    (r"\b(?:seventh|sjunde) (?:year|grade|form|class|klass|året)\b", " =year 7 "),
    (r"\b(?:eighth|åttonde) (?:year|grade|form|class|klass|året)\b", " =year 8 "),
    (r"\b(?:ninth|nionde) (?:year|grade|form|class|klass|året)\b", " =year 9 "),
    # how often
    (r"\b(?:every (?:single )?(?:day|morning|evening|night)|each (?:day|morning|evening|night)|daily|varje (?:dag|morgon|kväll|natt)|dagligen)\b", " 7 timesaweek "),
    (r"\b(?:twice|två gånger) (?:a|per|i|each|every|om) (?:week|veckan|vecka)\b", " 2 timesaweek "),
    (r"\b(?:once|en gång) (?:a|per|i|each|every|om) (?:week|veckan|vecka)\b|\b(?:weekly|varje vecka|every week)\b", " 1 timesaweek "),
    (r"\b(?:once|en gång) (?:a|per|i|om) (?:month|månaden|månad)\b|\b(?:monthly|varje månad|every month)\b", " 0.25 timesaweek "),
    (r"\b(?:times|days|gånger|dagar|dar) (?:a|per|i|each|every|om) (?:week|veckan|vecka)\b", " timesaweek "),
    (r"\b(?:rarely|seldom|hardly ever|almost never|sällan|nästan aldrig)\b", " @often- "),
    (r"\b(?:always|constantly|alltid|jämt|hela tiden)\b", " @often+ "),
    (r"\b(?:very often|often|ofta)\b", " @often+ "),
    (r"\b(?:a )?(?:beginner|novice|nybörjare)\b(?: at| in| on| på| i)", " @skill- "),
)  # fmt: skip
