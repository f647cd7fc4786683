"""Turns of phrase by which a promise, a secret or a threat is known, and those that only sound like one.

A threat is looked for generously: who is hit, cut off or wants to die may say so in three words and without a comma. What
takes a threat back is narrow: figures of speech, contests, and talk of books, games, news and school subjects.
"""

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


# --- threats --------------------------------------------------------------------------------------------------------

#: The one who speaks is in danger from themselves; no book or game takes it back.
SELF_HARM = _compile(
    r"(?:kill|killing|hurt|hurting|harm|harming|cut|cutting|starve|starving|hang|hanging|drown|shoot|burn) ?myself"
    r"(?! (?:shaving|cooking|while|on (?:the|a) (?:paper|stove|knife|glass)))",
    r"(?:end|take|taking|ending) my (?:own )?life|(?:end|ending) it all|(?:can|to|will|gonna|want to) end it",
    r"(?:i|i'm|im|i've|ive|me)(?: \w+){0,5} (?:suicidal|suicide)|kms|self[- ]harm(?:ing|ed)?",
    r"(?:i |i'd |id |i just |just |really |^)(?:\w+ )?(?:want(?:ed)? to|wanna|wants to|going to|gonna|rather) (?:just )?"
    r"(?:die|be dead|disappear)(?! (?:of|from|laughing|in the game|for))",
    r"(?:don'?t|do not|dont|no longer)(?: \w+){0,2} (?:want to|wanna|wish to) (?:live|be alive|exist|be here|wake up)"
    r"|(?:can'?t|cannot)(?: \w+){0,2} (?:live|go on)(?: \w+){0,2} (?:any ?more|longer|like this)|tired of (?:living|life|being alive)",
    r"wish (?:that )?i (?:was|were|had) (?:dead|gone|never (?:been )?born|not alive)",
    r"(?:no|any) (?:point|reason|sense) (?:in|to) (?:be|being|live|living|go on|going on)(?! (?:late|early|here for))",
    r"(?:better|happier)(?: off)?(?: \w+){0,2} (?:without me|if i (?:was|were|am|wasn'?t|weren'?t)(?: \w+)? (?:dead|gone|here|alive))",
    r"(?:no ?one|nobody|who) would(?:n'?t)?(?: even| ever| really)? (?:notice|care|miss me|mind)(?: \w+){0,2}(?: if i|$)",
    r"(?:cut|cuts|cutting|slit|scratch|burn(?:ed|t)?) (?:up )?(?:my|both my|at my) (?:arms?|wrists?|thighs?|legs?|skin)",
    r"(?:thought|think|thinking|dream\w*|want(?:ed)?|going|feel(?:ing)?|consider\w*|about|stood)(?: \w+){0,5} jump(?:ing|ed)? "
    r"(?:from|off|in front of) (?:a|the|that|my) (?:\w+ )?(?:bridge|roof|train|building|balcony|window|cliff|car)",
    r"(?:saved?|saving|collect\w*|hoard\w*|took|taken|swallow\w*)(?: \w+){0,4} (?:pills|tablets)|overdos(?:e|ed|ing)"
    r"|how many(?: \w+){0,2} (?:pills|tablets|paracetamol)|(?:goodbye|farewell|suicide) (?:letter|note)s?|painless(?:ly)?(?: \w+){0,2} (?:die|death)",
    r"(?:stopped|quit) eating(?: (?:because|since|so|at all|completely|for days)|[.!]?$)|make myself (?:throw up|vomit|sick)"
    r"|throw(?:ing)? up (?:after|on purpose|my food)",
    r"(?:jag|ja|vill|ska|tänker|att|bara)(?: \w+){0,5} (?:ta|tar|tog|tagit) (?:livet av m[ie][gj]|mitt (?:eget )?liv)"
    r"|(?:avsluta|avslutar) (?:mitt liv|livet|allt)|göra? slut på (?:allt|mitt liv|alltihop|det)(?! roliga)",
    r"(?:jag|ja)(?: \w+){0,6} (?:självmord\w*|suicid\w*|självskad\w*)|självmordstankar|döda (?:mig|mej) själv|hänga (?:mig|mej)(?! (?:med|upp|på|i|efter))",
    r"(?:vill|orkar|ids|klarar|vet)(?: \w+){0,3} (?:inte|ej|aldrig)(?: \w+){0,4} (?:leva|finnas|existera|vakna(?: upp)?)(?! (?:på|utan|som))",
    r"(?:jag |ja |^)(?:(?:bara|verkligen|ibland) )?(?:vill|ville|önskar|längtar efter att|kommer|ska)(?: (?:bara|verkligen|hellre|nog|helst))? dö"
    r"(?! (?:av|för en|i spelet))|(?:jag |ja |^)(?:vill|ville) (?:bara |helst )?(?:försvinna|vara död)(?! (?:av|från (?:lektion|mötet)))",
    r"önskar (?:att )?jag (?:var|vore|inte|aldrig)(?: \w+){0,2} (?:död|född|fanns|borta|levde)|trött på (?:att leva|livet)",
    r"ingen (?:mening|idé)(?: \w+){0,3} (?:leva|finnas|fortsätta leva|livet)|livet är (?:meningslöst|inte värt)",
    r"(?:bättre|gladare|lyckligare)(?: \w+){0,2} (?:utan m[ie][gj]|om jag (?:var|vore|inte|dog))",
    r"ingen (?:skulle|hade|kommer)(?: \w+){0,2} (?:märka|märkt|bry|brytt|sakna|saknat)(?: sig| mig| mej| om)?(?: \w+){0,3}(?: om jag| mig| mej|$)",
    r"(?:skär|skar|skurit|ristar|bränner)(?: jag)? (?:mig|mej)(?: själv)?(?! (?:i (?:fingret|tummen|foten|handen|tungan)|på (?:ett |en )?(?:papp|glas|kniv|spis|burk)))"
    r"|(?:skada|skadar|skadat|göra|gör|gjort)(?: jag)? (?:mig|mej) (?:själv|illa)(?: själv)?|(?:gör|göra) (?:mig|mej) själv illa",
    r"(?:tänk\w*|fundera\w*|vill|ville|ska|stod|höll på)(?: \w+){0,4} hoppa(?:de)? (?:från|ut|framför)(?: \w+)? (?:bro\w*|tak\w*|tåg\w*|fönst\w*|balkong\w*|bil\w*)",
    r"(?:spara\w*|samla\w*|tagit|tog|ta|svalt)(?: \w+){0,3} (?:tabletter|piller|sömntabletter)|överdos\w*|avskedsbrev\w*|hur många(?: \w+){0,2} (?:tabletter|piller|alvedon)",
    r"(?:slutat|slutade) äta(?: (?:för|eftersom|helt|mat|frukost och)|[.!]?$)|svälter (?:mig|mej)|kräks (?:med flit|efter|upp)|kräkas (?:med flit|efter|upp)",
)

_GAMES = r"at|in|by|to|again|twice|with \d|\d"
_NO_CONTEST = rf"(?! (?:(?:again|twice|easily|once) )?(?:{_GAMES}) (?!the (?:face|head|stomach|back|arm|leg|corridor|hallway|toilet)))(?! \d)"
_CONTEST_SV = (
    r"(?! (?:igen |alltid |lätt |med \d+ )*i (?!ansikt|mag|huvud|rygg|arm|nack|bröst|skrev|korridor|skola|omkläd|ben|kropp))"
    r"(?! (?:igen )?med \d)(?! (?:ner|ned|fri|till ro|att|ihop|lös|fram|i slang)(?!\w))"
)

#: Somebody does something to the one who speaks, or to those close to them, or is said to be about to.
HARM = _compile(
    rf"(?:beats?|beating|beaten) (?:me|us|him|her|them|my {_KIN})(?: up)?{_NO_CONTEST}|beat(?:s|en|ing)? (?:\w+ )?up (?!eggs)",
    rf"(?:hits?|hitting|kicks?|kicked|kicking|slaps?|slapped|punch(?:es|ed)?|chok(?:es|ed|ing)|strangl(?:es|ed)|stabb?(?:s|ed)?|whips?"
    rf"|shov(?:es|ed)|spits? (?:on|at)|grop(?:es|ed|ing)|molest(?:s|ed)|rap(?:es|ed|ing)|abus(?:es|ed|ing)|assault(?:s|ed)|attack(?:s|ed)"
    rf"|threaten(?:s|ed|ing)?|blackmail(?:s|ed|ing)?|harass(?:es|ed|ing)?|stalk(?:s|ed|ing)?|torment(?:s|ed)?|humiliat(?:es|ed)"
    rf"|bull(?:y|ies|ied|ying)|touch(?:es|ed|ing)|burn(?:s|ed|ing)|starves) (?:me|us|him|her|my {_KIN})(?! (?:up (?:on|later|if)|deeply|emotionally|base))",
    rf"(?:he|she|they|people|someone|somebody|{_KIN}|boys?|girls?|guys?|man|woman|kids?|{_NAME}) threatened|threaten(?:s|ed|ing)? to",
    r"(?:i'?m|i am|i get|i got|i was|i've been|ive been|we are|we get|get|getting|being|been|she is|he is|is|was)(?: \w+){0,2} "
    r"(?:bullied|harassed|abused|beaten(?: up)?|molested|raped|assaulted|blackmailed|threatened|stalked|mistreated)(?! (?:at|in|by \d))",
    rf"(?:going to|gonna|will|'ll|wants? to|wanna|could|would|planning to|plan to|dream of|to)(?: \w+){{0,5}}? (?:kill|killing|stab|shoot|hurt"
    rf"|beat up|murder|rape|knife|strangle|attack|poison|burn down|blow up) (?:me|us|him|her|them|you|everyone|everybody|every(?: single)? one|people"
    rf"|someone|somebody|all of|(?:his|her|my|our|the|that) (?:{_KIN}|school)|{_NAME})",
    r"(?:bring|brings|bringing|brought|take|takes|took|carry|carries|carrying|has|have|got|hid|hide)(?: \w+){0,3} (?:knife|knives|gun|pistol|weapon|bomb)"
    r"(?: \w+){0,3} (?:school|class|bag|backpack|locker|pocket)",
    r"(?:grabbed|grabs|holds?|held|took|pushed|pinned|drags?|dragged) me(?: \w+){0,2} (?:by|down|against|throat|neck|hair|arm)(?! the ball)",
    r"(?:nudes?|naked|nude) ?(?:pictures?|photos?|pics?|images?|videos?)?(?: \w+){0,3} (?:of me|of her|of him|of us|from me)|(?:my|send(?:ing)?(?: \w+){0,2}) nudes?"
    r"|dick ?pics?",
    r"call(?:s|ed|ing)? (?:me|her|him)(?: \w+){0,3} (?:fat|ugly|stupid|retard\w*|slut|whore|faggot|monkey|pig|disgusting|worthless|freak|loser|names)",
    r"(?:tell|tells|told|telling|says?) (?:me|her|him|i should)(?: to)? (?:kill (?:myself|herself|himself)|die|go die)",
    r"(?:spread(?:s|ing)?|post(?:s|ed|ing)?|share[sd]?|film(?:s|ed)?)(?: \w+){0,3} (?:rumou?rs|lies|videos?|pictures?|photos?)(?: \w+){0,2} (?:about|of) (?:me|her|him)",
    r"(?:throw|threw|throws|steal|steals|hide|hides|destroy\w*|ruin\w*) my (?:things|stuff|bag|clothes|books|shoes)",
    r"(?:met|know|talk\w*|chat\w*)(?: \w+){0,3} online(?: \w+){0,8} (?:meet|alone|quiet|secret|pictures)",
    r"(?:older|grown|adult|strange|unknown) (?:man|guy|men|woman)(?: \w+){0,6} (?:meet|alone|pictures|photos|touch\w*|follow(?:s|ed|ing)?)",
    r"(?:scared|afraid|terrified|dare not|don'?t dare)(?: \w+){0,2} (?:go|going|come|coming|be|being|sleep) (?:at )?home",
    rf"(?:scared|afraid|terrified) of (?:my )?(?:{_KIN}|him|what he|what she|what they)(?! (?:thinks?|will say|says?|leav|dying))",
    r"lock(?:s|ed|ing)? (?:me|us|her|him) (?:in|out|up)|(?:get|gets|got|given|without)(?: \w+){0,2} (?:no food|any food|food)(?: \w+){0,3}(?:$| at home| when| for days)|without food",
    r"(?:forc(?:e|es|ed|ing)|mak(?:e|es|ing)|made|sell|sold)(?: \w+){0,4} (?:marry|have sex|undress|sexual|touch him|touch her)|forced marriage|married off",
    rf"(?:{_KIN}|friend|he|she)(?: \w+){{0,9}} (?:(?:kill|hurt|harm|cut|starve)(?:s|ed|ing)? (?:herself|himself)|(?:take|end)(?:s|ing)? (?:her|his) (?:own )?life|wants? to die|suicidal|doesn'?t want to live)",
    r"(?:bruises|burn marks|cuts|scars)(?: \w+){0,3} (?:on|all over) (?:my|her|his) (?:arms?|legs?|body|back|face|neck)",
    # Swedish
    rf"(?:slår|slog|slagit|slå)(?: \w+){{0,2}}? (?:mig|mej|oss|honom|henne|dem|dom|mamma|lillebror|lillasyster|min {_KIN_SV}){_CONTEST_SV}",
    r"(?:sparkar?|sparkade|knuffar|knuffade|misshandla\w*|hota\w*|mobba\w*|våldt\w+|våldför\w*|ofreda\w*|trakassera\w*|strypt?e?r?|spottar på|spottade på"
    r"|förfölj\w+|utpress\w*|antasta\w*|tafsa\w* på|kränk\w*|plågar?|plågade|spöa\w*(?: upp)?|knivhugg\w*|knivhöggs?|överföll|dödshota\w*|bränner|brände|piskar?|piskade)"
    r"(?: \w+)?? (?:mig|mej|oss|henne|honom|mamma|lillebror|lillasyster)",
    r"(?:hota\w*)(?: \w+)? (?:att|med att)",
    r"(?:blir|blev|blivit|bli|är)(?: \w+){0,2} (?:mobbad|mobbade|slagen|slagna|misshandlad|hotad|trakasserad|utfryst|våldtagen|antastad|utpressad|förföljd|plågad)(?! (?:i|med \d))",
    rf"(?:{_KIN_SV}|han|hon|man|mannen|gubbe\w*) tar på (?:mig|mej)(?! (?:skulden|ansvaret|jack|sko))|strupgrepp|tog stryptag",
    rf"(?:ska|tänker|vill|kommer|skulle|kan|planerar)(?: \w+){{0,7}}? (?:döda|mörda|skjuta|knivhugga|skada|slå (?:ner|ihjäl|sönder)|spöa|strypa|våldta|bränna ner|spränga)"
    rf" (?:upp )?(?:mig|mej|oss|honom|henne|dem|dom|alla|allihop\w*|någon|folk|er|skolan|min {_KIN_SV}|{_NAME})",
    r"(?:ta|tar|tog|bär|bära|har|gömt|gömmer)(?: \w+){0,3} (?:kniv\w*|pistol\w*|vapen|bomb\w*)(?: \w+){0,3} (?:skolan|klassen|väska\w*|skåp\w*|ficka\w*|ryggsäck\w*)",
    r"nakenbild\w*|nakna bilder|nudes?|(?:bilder|filmer|film)(?: \w+){0,3} (?:min|sin|ens) kropp|lägg\w* ut (?:bilder|filmer|nakenbild\w*) på (?:mig|mej)",
    r"kallar (?:mig|mej|henne|honom)(?: för)?(?: \w+){0,3} (?:fet\w*|ful\w*|äckl\w*|hora|luder|bög\w*|cp|idiot|apa|svartskalle|gris|värdelös|missfoster|dum i huvudet)",
    r"(?:säger|sa|sagt|skriver|skrev)(?: \w+){0,3} (?:ska|borde|kan)(?: \w+){0,2} (?:dö|ta livet|hänga mig)",
    r"(?:sprider|spred|spridit|delar|lägger ut|filmar)(?: \w+){0,3} (?:rykten|lögner|bilder|filmer)(?: \w+){0,2} (?:om|på|av) (?:mig|mej)|fryser (?:ut |mig|mej)|fryst ut",
    r"(?:slänger|kastar|gömmer|förstör|snor|tar) mina (?:saker|kläder|böcker|skor|grejer)",
    r"(?:träffa\w*|känner|chatta\w*|skriver med)(?: \w+){0,6} (?:på nätet|online)(?: \w+){0,8} (?:träffa\w*|ensam|tyst|hemligt|bilder)",
    r"(?:äldre|vuxen|okänd|främmande) (?:man|kille|gubbe|kvinna)(?: \w+){0,8} (?:ensam|bilder|träffas|följer|förföljer|tafsa\w*)",
    r"(?:vågar|törs|vill) (?:inte|ej|aldrig) (?:gå|komma|åka|vara|sova) hem(?:ma)?(?! (?:sent|själv|i mörkret))|rädd (?:för )?att (?:gå|komma|vara) hem(?:ma)?",
    rf"(?:rädd|livrädd) för (?:min )?(?:{_KIN_SV}|honom|vad (?:han|hon|de|min))(?! (?:tycker|tänker|ska säga|säger))",
    r"låser (?:in|ute|ut) (?:mig|mej|oss)|låst in (?:mig|mej)|inlåst|(?:får|fick|utan)(?: \w+)? (?:ingen )?mat(?: (?:hemma|när|på flera)|[.!]?$)",
    r"(?:tvinga\w*)(?: \w+){0,4} (?:gifta|sex|sexuell\w*|klä av|ta på)|(?:bort)?gift mot (?:min|sin) vilja|barnäktenskap|hedersförtryck|hedersvåld",
    rf"(?:{_KIN_SV}|han|hon|hen)(?: \w+){{0,9}} (?:(?:ta|tar|tagit) (?:sitt (?:eget )?liv|livet av sig)|skär sig|vill (?:inte leva|dö)|göra? sig illa|svälter sig|skadar sig själv)",
    r"(?:blåmärken|brännmärken|skärsår|ärr)(?: \w+){0,3} (?:på|över|längs) (?:mina|hennes|hans|hela|armarna|benen|kroppen|ryggen|ansiktet|halsen)",
)

#: Anxiety that is more than nerves: named as such, about school and its tests, or come to panic.
DISTRESS = _compile(
    r"(?:test|exam|performance|school) anxiety|(?:panic|anxiety) attacks?",
    r"(?:anxious|anxiety|terrified|panicking|in (?:a )?panic)(?: \w+){0,3} (?:about|over|before|during|of|when)(?: \w+){0,4} (?:tests?|exams?|quiz\w*|finals|school|presentations?)",
    r"prov ?ångest\w*|skol ?ångest\w*|panik(?:ångest|attack)\w*|ångestattack\w*",
    r"(?:ångest|livrädd|skräckslagen|panik)(?: \w+){0,2} (?:inför|över|för|under|på|vid|när)(?: \w+){0,4} (?:prov\w*|tent\w*|skola\w*|redovisning\w*|nationella)",
)

#: Figures of speech that end in nobody's harm.
FIGURE = _compile(
    r"(?:homework|exam|test|joke|meme|song|work|school|maths?|physics|legs?|feet|back|head|shoes|heat|suspense|boredom|it|this|that|which|is|are|was) (?:is |are |was |were )?"
    r"(?:\w+ )?(?:killing|killed|destroy\w*|murdered|slaughtered|kills) (?:me|us)",
    r"(?:die|died|dying|dead) (?:of|from|with|laughing|to (?:see|know|try|hear|go|get|meet))|dead tired|(?:kill|murder|die) for (?:a|an|some|that|this|one)",
    r"(?:mum|mom|mother|dad|father|parents|teacher|coach|sister|brother|boss|he|she|they|you)(?: \w+){0,2} (?:kill|murder|strangle) me(?:,)? (?:if|when|for|because|unless|but)",
    r"kill(?:ed|ing)? (?:it|time|the (?:process|server|vibe|lights?|bugs?))|shoot (?:me|him|her|them|us) (?:an? |your )?(?:e-?mail|message|text|question)"
    r"|hit me up|(?:photo|picture|film|video)[- ]?shoot|shoot(?:ing)? (?:hoops|a film|a video|the scene)|kick(?:s|ed)? (?:me )?out of the (?:game|group|call)",
    r"(?:dö|dör|dog|död) av (?:skratt|hunger|skam|tristess|nyfikenhet|värme|törst|trötthet|stress|längtan|cringe|leda)|dödstrött|skratta\w* (?:ihjäl|så jag dog)|skrattar ihjäl"
    r"|(?:längtar|jobbar|pluggar|väntar|svettas|fryser|skäms|tråkar ut)(?: \w+)? ihjäl|(?:döda|dö|mörda) för (?:en|ett|lite|att få)",
    r"(?:läxa\w*|prov\w*|uppgift\w*|skämt\w*|låt\w*|matte\w*|fysik\w*|skola\w*|den|det|värme\w*|ben\w*|fötter\w*)(?: \w+){0,4} (?:tar|tog) (?:livet av|död på) (?:mig|mej|oss)"
    r"|(?:läxa\w*|prov\w*|uppgift\w*|skämt\w*|matte\w*|träning\w*) dödar?(?:de)? (?:mig|mej|oss)",
    r"(?:mamma|pappa|föräldrar\w*|lärare\w*|tränare\w*|syrran|brorsan|han|hon|de|ni|du)(?: \w+){0,3} (?:dödar|mördar|döda|mörda|slår ihjäl|strypa|stryper) (?:mig|mej)(?:,)? (?:om|när|för)",
    r"så (?:\w+ )?(?:att )?jag (?:dör|dog)|träningsvärk\w*",
)

#: Where things happen that are not meant: in books, films, games and matches.
STAGE = _compile(
    r"(?:in|from|of|at the end of) (?:the|a|an|this|that|my|our) (?:\w+ )?(?:book|novel|film|movie|game|play|story|series|show|poem|song|myth|text|chapter|match|episode|fairy ?tale|video game|drama)",
    r"i (?:den )?(?:boken|romanen|filmen|spelet|pjäsen|berättelsen|sagan|serien|dikten|låten|texten|kapitlet|avsnittet|matchen|myten|dramat|novellen)|slutet av (?:pjäsen|boken|filmen|romanen)",
)

#: What is told of in news, lessons and essays, and asked about the world.
TOLD = _compile(
    r"(?:book|novel|film|movie|game|play|poem|story|song|series|essay|presentation|article|chapter|lecture|documentary|lesson|project|report|text|myth|speech)s?(?: \w+){0,3} about",
    r"on the news|the news|in the (?:news)?paper|newspaper|(?:read|reading|learn(?:ed|t|ing)?|wrote|writing|talk(?:ed|ing)?|hear(?:d)?|lecture|lesson|studied|studying) (?:that|about|how)(?! (?:he|she|they|my) )",
    r"(?:soldiers?|army|armies|slaves?|king|queen|emperor|zombies?|orcs?|monsters?|aliens?|dragons?|villain|enemies|war|century|nazis?|vikings?|romeo|juliet|macbeth|hamlet|minecraft|fortnite|malaria|statistics)",
    r"(?:1[0-9]|20[01])\d\d|(?:suicide|bullying|violence) prevention|(?:essay|presentation|talk|paper|debate|survey) (?:on|about)|homework about",
    r"(?:how|what|why|when|who|where|which) (?:many|much|does|did|is|was|were|are|do)(?! (?:i|he|she|they|my|pills))(?!.*\bi\b)",
    r"(?:bok\w*|roman\w*|film\w*|spel\w*|pjäs\w*|dikt\w*|berättelse\w*|sång\w*|serie\w*|uppsats\w*|redovisning\w*|artikel\w*|kapit\w*|föreläsning\w*|dokumentär\w*|lektion\w*|projekt\w*|rapport\w*|text\w*|tal)"
    r"(?: \w+){0,3} (?:om|handlar|av)|handlar om",
    r"nyheterna|tidningen|(?:läste|läser|lärde|skriver|skrev|pratade|pratar|hörde|föreläsning|studerar) (?:oss )?(?:om|att)(?! (?:han|hon|de|min) )",
    r"(?:soldat\w*|armé\w*|slav(?:ar|en|arna)?|kung(?:en|ar)?|drottning\w*|kejsare\w*|zombie\w*|monster\w*|drak(?:e|en|ar)|fiende\w*|krig\w*|\w+kriget|århundrade\w*|nazist\w*|viking\w*|statistik\w*)",
    r"(?:hur|vad|varför|när|vem|var|vilka) (?:många|mycket|gör|är|var|dog|dör|dödar|betyder|mördades)(?! (?:jag|han|hon|de|min|tabletter|piller))(?!.*\bjag\b)",
)

# --- the other categories -------------------------------------------------------------------------------------------

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
