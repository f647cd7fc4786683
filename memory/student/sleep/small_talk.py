"""Closed lists of what is said in a talk and says nothing of anybody: greetings, assent, praise, thanks, good wishes.

All of it matches whole openings, whole tails or whole clauses. What only judges "it" or "that", of which another clause must
tell what it was, and what only answers the other one ("so glad you liked it") is talk too. A denial, a name that is no
address, a number or a hard word ("it was hard") is none.
"""

import re
from collections.abc import Collection
from functools import cache

_GREETING = "hey|hi|hello|hiya|good (?:morning|evening|afternoon|night)|bye(?: bye)?|goodbye|hej(?:san)?|tjena|hallå|tja|god (?:morgon|kväll|natt)|hej då"
_ASSENT = (
    "wow|whoa|woah|oh|ooh|ah|aha|aw+|ooo*|yay|yeah|yep|yup|yes|ya|ok(?:ay)?|okej|sure(?: thing)?|absolutely|definitely|totally|exactly|indeed|agreed"
    "|right|of course|for sure|cool|nice|great|awesome|amazing|sweet|perfect|wonderful|fantastic|lovely|lucky you|haha+|hehe|lol|hm+|um|uh|gosh"
    "|man|dude|well|congrats|congratulations|way to go|good for you|no (?:problem|worries)|my pleasure|you're welcome|anytime|you bet|you're right"
    "|so true|true|got it|i see|ja|jo|japp|jaha|jadå|åh|oj|wow|nämen|precis|exakt|absolut|självklart|visst|javisst|okej då|fint|toppen|bra|kul|grymt"
    "|härligt|underbart|perfekt|skönt|grattis|ingen fara|inga problem|varsågod|det stämmer|du har rätt|alltså|typ"
)
_THANKS = (
    r"thank(?:s| you)(?: (?:so|very) much| a (?:lot|bunch|million|ton)| again| a lot)?(?: for (?:sharing(?: (?:that|this|it))?|asking|(?:the|your) (?:\w+ ){0,2}(?:help|support|advice|tips?|"
    r"encouragement|words|explanation|suggestions?|compliment|offer|pep talk)|listening|helping|being there|everything|understanding|caring|checking in))?"
    r"|i (?:really )?appreciate (?:it|that|your \w+(?: and \w+)?)|tack(?: så (?:mycket|jättemycket))?(?: igen| snälla)?(?: för (?:hjälpen|tipset|svaret|allt|att du \w+(?: \w+)?))?|tusen tack|tackar"
)
_ADVERB = (
    "so|really|very|just|super|pretty|totally|truly|absolutely|quite|always|also|too|all|soo+|definitely|such|such a|such an|a|an|the|pretty|extra|just so|how|what|what a|what an"
    "|så|väldigt|jätte|riktigt|verkligen|helt|också|en|ett|super|mycket|alltid|bara|ju"
)
_FINE = (
    "great|awesome|cool|amazing|nice|wonderful|fantastic|lovely|incredible|inspiring|inspirational|beautiful|gorgeous|impressive|special|fun|good|exciting|sweet|perfect"
    "|unforgettable|magical|powerful|touching|heartwarming|thrilling|rewarding|relaxing|refreshing|peaceful|fulfilling|interesting|adorable|cute|delicious|yummy|tasty|stunning|neat|rad|brilliant|superb"
    "|enlightening|heart-warming|breathtaking|memorable|meaningful|uplifting|motivating|priceless|fine|ok(?:ay)?|epic|worth it|a blast|a gift|a treat|a dream|breath of fresh air|the best"
    "|bra|kul|roligt|fint|häftigt|coolt|härligt|underbart|fantastiskt|skönt|mysigt|trevligt|jättebra|jättekul|jätteroligt|superkul|superbra|spännande|grymt|perfekt|vackert|inspirerande|sött|gott|lugnt|okej"
)
_THING = (
    "thing|things|news|idea|feeling|way|moment|moments|work|job|time|times|experience|experiences|stuff|place|memory|memories|reminder|achievement|accomplishment|accomplishments|step|day|view|pic|pics|picture|pictures|photo|photos|one|friend|attitude|plan|adventure|opportunity|choice"
    "|inspiration|journey|progress|start|story|combination|combo|sight|spot|goal|gift|trip|activity|mindset|grej|idé|känsla|nyheter|jobbat|gjort|dag|tid|upplevelse|bild|minne|plan"
)
#: What one sees in a message and says no more of.
_SHOWN = "photos?|pics?|pictures?|shots?|snaps?|piece|view|scene|colou?rs|bild(?:en|erna)?|foto(?:t|n)?|utsikt(?:en)?|färger(?:na)?"
_IT = (
    r"(?:(?:and|but|so|och|men|så)\s)?(?:(?:it|this|that|they|those|these|he|she|which|everything|all of it)(?:'s| is| was| are|'re| were| looks?| looked| sounds?| sounded| seems?| feels?| felt| must be| must have been| had to be| has been|'s been| would be| will be|'ll be|'d be)"
    r"|(?:det|den|de|allt)(?: är| var| blev| låter| lät| känns| kändes| verkar| måste (?:vara|ha varit)| har varit| vore| blir| ser|$)|sounds?|looks?|feels?|låter|what|vad|how|so)"
)
_YOU = (
    (
        r"(?:i'm |i am |jag är )?(?:(?:so|really|very|super|just|så|väldigt|jätte) ?)*(?:glad|happy|proud|thrilled|excited|stoked|pumped|stolt|kul|roligt) (?:for you\b.*|of you\b.*|to hear(?: (?:it|that|this|from you|about it))?(?! \w+ (?:passed|failed))|you(?:'re|'ve| \w+)\b.*|that you\b.*|your\b.*|det\b.*|för din skull|att höra(?: det)?|att du\b.*)"
        r"|you(?:'re| are| were)(?: (?:{adverb}))* (?:(?:{fine})|inspiration|rockstar|talented|strong|brave|kind|welcome|doing|lucky|helping|making)\b.*"
        r"|you(?:'ve| have)? (?:(?:{adverb}) )*(?:got this|rock|did (?:it|{adverb}).*|deserve\b.*|nailed it|look\b.*|can do it|must (?:be|feel|have)\b.*|should be (?:so |really )?proud.*)"
        r"|your (?:\w+ ){{1,4}}(?:is|are|was|were|looks?|sounds?|must|means?|inspires?)\b.*"
        r"|(?:(?:it|that|this) )?(?:sounds|looks|seems) like (?:you|your|it|a|an|they|such)\b.*"
        r"|i feel the same(?: way)?(?: too)?|jag känner likadant|we(?:'ve)? got this|take a look at (?:this|these|that|those) \w+(?: i'm at)?|you(?:'re| are) (?:gonna|going to) (?:make a (?:huge|real|big|great) difference|do (?:great|amazing|awesome|fantastic)|be (?:{adverb} )*(?:{fine}))(?: \w+)?"
        r"|i (?:totally |completely |really |so |definitely )*(?:agree|hear you|feel you|get it|get you|get that|know (?:what you mean|the feeling|how you feel|right)|understand|can imagine|can relate|love (?:it|that|this)|admire (?:you|your)\b.*|bet (?:it|that|you|they|he|she|those|this|the)\b.*)(?: with (?:you|that))?(?: (?:so much|too|how you\b.*|that you\b.*|your\b.*))?"
        r"|(?:i )?(?:can't|cannot) (?:wait|imagine) to (?:hear|see) (?:it|that|more|all|how|what|your)\b.*|(?:i )?(?:can't|cannot) wait|i (?:hope|wish) (?:you|it|your|u)\b.*|hope (?:you|it|your|all)\b.*|let me know\b.*|keep (?:it up|up\b.*|going|me (?:posted|updated)\b.*|on \w+ing\b.*|being\b.*|doing\b.*|inspiring\b.*|pushing\b.*|spreading\b.*|making\b.*|chasing\b.*)"
        r"|good luck\b.*|best of luck\b.*|(?:don't forget to )?take care(?: of yourself\b.*)?|stay (?:safe|strong|positive|in touch|awesome)\b.*|have (?:fun|a (?:great|good|nice|wonderful|lovely) \w+)\b.*|enjoy (?:it|your\b.*|every\b.*|yourself\b.*|the (?:day|moment|weekend|trip|ride))"
        r"|long time no (?:see|talk|chat)|(?:it's )?(?:been )?(?:good|great|nice|lovely|so good|so great) (?:to (?:see|hear from|talk to|chat with|catch up with|meet) you(?: (?:again|too))*|(?:seeing|hearing from|talking to|chatting with) you\b.*|catching up\b.*)|(?:talk|see you|catch up|chat) (?:soon|later|then|tomorrow)|see (?:you|ya)\b.*|talk to you (?:soon|later)"
        r"|(?:here's|check (?:it|this|that|them) out|take a look(?: at (?:this|it|these|that)(?: \w+)?)?|look at (?:this|that|it|these)(?: \w+)?|guess what|you know what|wish me luck|me too|same here|me neither|no way|(?:i )?miss(?:ed)? (?:chatting|talking|you|ya)\b.*|let's (?:do (?:it|this)|give it a (?:try|go|shot))|(?:i'd|i would) (?:love|like) to (?:try (?:it|that)|hear\b.*|see (?:it|them|that|more)\b.*|join(?: you)?)(?: some ?(?:time|day))?|that's (?:it|right|true)|count me in|i'm in|sorry (?:to hear|that happened|about)\b.*|i'm (?:so |really |very )?(?:grateful|thankful)|i'll keep (?:you|ya) (?:posted|updated)|nah,? i haven't|i love to|i'm sorry|so sorry|my bad)"
        r"|(?:you|your|that|it|this|he|she|they)(?:'s| has|'ve| have)? (?:really |truly |totally |definitely )*(?:inspires?|inspired|motivates?|means a lot|made my day|makes my day|warms my heart|made me smile|brings? (?:me |us |so much |such |lots of |a lot of |great |pure )*(?:joy|happiness|peace))(?: (?:me|us|to me|a lot|so much|and (?:joy|happiness|peace)))*"
        r"|(?:a lot|lots|so much)(?:'s| has|'ve| have)? (?:been )?(?:happened|going on|happening)\b(?: (?:since|in|lately|with)\b.*)?|long story|what's (?:up|new)|how (?:are|have) (?:you|things)\b.*"
        r"|lycka till\b.*|ha (?:det (?:bra|så kul|gött)|en (?:bra|fin|trevlig) \w+)|sköt om dig|vi (?:ses|hörs)\b.*|jag (?:håller med(?: dig)?|förstår vad du menar|kan tänka mig|hoppas (?:att )?(?:du|det)\b.*)|hoppas (?:att )?(?:du|det)\b.*|du är (?:(?:så|verkligen|jätte) ?)*(?:bra|bäst|snäll|duktig|grym|fantastisk)(?: på det)?|det betyder mycket|hör av dig\b.*"
        r"|det var (?:länge sedan|ett tag sen)|kul att (?:höra|se|träffa)\b.*|det gör du rätt i|kämpa på|samma här|jag med|vad menar du|jag är med"
    )
    .replace("{adverb}", _ADVERB)
    .replace("{fine}", _FINE)
    .replace("{{", "{")
    .replace("}}", "}")
)
_CALL = "wow|whoa|woah|oh|ooh|aw+|yay|yeah|yep|yup|haha+|gosh|åh|oj|nämen"
#: Where an opening ends: at a sign, not at a mere space.
_STOP = r"(?:\s*[,.!?…:;~\u2013\u2014]+\s*|\s+-+\s+)"
#: Who is spoken to after a word of talk; a name that stands in a sentence of its own right is none.
_NAME = r"(?:[A-ZÅÄÖ][\w'\u2019-]+|y'all|everyone|guys|buddy|friend|bro|girl|there|allihopa|du|vännen)"


@cache
def _openings() -> re.Pattern[str]:
    """Return what finds a word of talk and who it is said to; plain praise begins a sentence where nothing stops it."""
    called = rf"(?:,? {_NAME})?(?={_STOP}|$)"
    return re.compile(
        rf"\W*(?:(?i:{_GREETING}|{_CALL})(?:,? {_NAME}(?=[\s,.!?]|$))?(?:[\s,.!?…:;\u2013\u2014-]+|$)|(?i:{_THANKS}|{_ASSENT}){called}(?:{_STOP}+|$))"
    )


@cache
def _clauses() -> re.Pattern[str]:
    fine = rf"(?:(?:{_ADVERB}) )*(?:{_FINE})"
    judged = rf"{_IT} (?:{fine}(?:,? (?:and|och|but|&) )?)+(?: (?:{_THING}))?(?: (?:{_THING}))?(?: (?:of|for) (?:you|us|me|them|all)| too| though| to (?:hear|see|do|have)(?: (?:that|it|you))?| isn't it| och| and)?"
    shown = rf"(?:that|this|those|these|the|den|det|de|vilken|vilka) (?:{_SHOWN})(?: (?:is|are|was|were|looks?|är|var)|'s)? {fine}|(?:(?:such|what|vilken|vilket|så) )+(?:an? )?(?:(?:{_ADVERB}) )*(?:{_FINE}|fin|fina|vacker|snygg) (?:{_SHOWN})"
    plain = rf"(?:{fine}(?:,? (?:and|och|&) )?)+(?: (?:{_THING}))*(?: to hear| to see| of you| att höra)?"
    bare = rf"(?:it|that|this) (?:was|is) (?:{fine}|so much fun)(?: .{{0,0}})?|(?:so|such|that was so|it was so|it's so) much fun|had (?:a blast|so much fun)"
    return re.compile(
        rf"\W*(?:{_YOU}|{shown}|{judged}|{plain}|{bare}|{_GREETING}|{_THANKS}|{_ASSENT})\W*", re.IGNORECASE
    )


@cache
def _tails() -> re.Pattern[str]:
    return re.compile(
        r"(?i:, (?:you know|right|eller hur|va|visst|ok(?:ay)?|huh|haha+|lol|isn't it|don't you think|tycker du inte|or (?:something|whatever)|eller nåt))(?=[?!.]*$)[?!.]*$"
        rf"|(?i:, (?:{_ASSENT}))[!.]*$"
    )


def drop_opening(clause: str) -> str:
    """Return a clause without the greetings, assent and thanks that it begins with, and who they are said to."""
    while match := _openings().match(clause):
        clause = clause[match.end() :]
    return clause


def drop_address(clause: str, names: Collection[str]) -> str:
    """Return a clause without one of `names` where it is spoken to, at its beginning or end."""
    if not names:
        return clause
    called = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(rf"^\W*(?:{called}),\s+|, (?:{called})(?=[.!?…]*$)", "", clause)


def drop_tail(clause: str) -> str:
    """Return a clause without a closing tag ("right?", "you know")."""
    match = _tails().search(clause)
    return clause[: match.start()] if match else clause


def is_talk(clause: str) -> bool:
    """Tell whether a clause says nothing of anybody."""
    plain = clause.replace("\u2019", "'").strip()
    return not re.search(r"\w", plain) or _clauses().fullmatch(plain) is not None
