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
    # who speaks of whom
    (r"^(?:they|de|dom) (?:\w+ ){1,2}(?=(?:me|us|mig|oss)\b)", " "),
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
    # eating
    (r"\b(?:eats?|eating|äter) (?:no|not any|inget|inte|aldrig) (?:meat|kött)\b|\b(?:do not|does not|never|aldrig) (?:eats?|äter) (?:any )?(?:meat|kött)\b", " @meat- "),
    # sites and due dates
    (r"\b(?:is|are|was|be|been) due\b|\b(?:has|have|must|needs?|ought)(?: to)? be (?:in|handed in|submitted)\b|\bska (?:vara )?(?:inlämnad|inlämnat|lämnas in|vara inne|in)\b|\binlämningen (?:av|för) ", " be =deadline "),
    (r"\b(?:cook|cooks|cooking|laga mat|lagar mat|lagade mat)\b(?! (?:for|på|at|in|i) (?:a|an|ett?|the)\b)", " =cooking_ =cookfood "),
    (r"\b(?:midnight|midnatt)\b", " at 12 o'clock "),
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
    (r"\b(?:a beginner|beginner|nybörjare)\b(?: at| in| on| på| i)?", " =beginner @skill- "),
)  # fmt: skip
