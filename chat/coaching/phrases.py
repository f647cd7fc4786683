"""The turns of phrase by which people tell how it goes with their goals, in both languages; compared casefolded."""

import re
from dataclasses import dataclass
from functools import cache

from companion_site.language import Language


@dataclass(frozen=True, kw_only=True)
class Wording:
    """One language's turns of phrase.

    Attributes:
        others: how a clause begins that is about somebody else, or nobody; uncertain: what has not happened, or may not.
        dropped: what gives a goal up; denied: what makes a thing not so, or not surely; joins: what begins another thought.
        idle: words that tell nothing of which goal is meant.
        alike: words that tell of the same thing done, a line each.
    """

    others: str
    uncertain: str
    dropped: str
    denied: str
    joins: str
    idle: str
    asks: str
    alike: tuple[str, ...]

    @property
    def taken_back(self) -> str:
        """What denies a thing a few words before it: "I will never give up"."""
        return rf"{self.denied}(?: (?!(?:{self.joins})\b)[\w']+){{0,4}} $"


ENGLISH = Wording(
    others=(
        r"(?:my|his|her|their|our) (?:\w+ )?(?:sister|brother|mum|mom|mother|dad|father|friend|friends|teacher|class|team|boss|cousin"
        r"|grandma|grandpa|aunt|uncle|partner|wife|husband|son|daughter|neighbour|parents|school|book|dog|cat)\b"
        r"|(?:he|she|they|we|you|it|people|everyone|everybody|somebody|someone|nobody|no one|none|nothing|mum|mom|dad|grandma|grandpa"
        r"|our|the|a|an|his|her|their|there|this|that)\b"
    ),
    uncertain=r"\b(?:maybe|perhaps|might|may|will|would|could|should|going to|i'll|i'd|want|wants|if|tomorrow|supposed)\b",
    dropped=(
        r"\b(?:giv(?:e|en|ing) up|gave up|drop(?:ping)?(?! (?:by|in|off|out)\b)|dropped(?! (?:by|in|off|out|my)\b)|quit(?:ting)?"
        r"|let(?:ting)? (?!(?:me|us|him|her|them|you|my)\b)(?:\w+ ){1,4}go|don't want to (?:\w+ ){1,6}any ?(?:more|longer)"
        r"|no longer want|abandon\w*)\b|^(?:let's |i'll |just )?forget about\b"
    ),
    denied=(
        r"\b(?:not|\w+n't(?! believe\b)|never|no|almost|nearly|hardly|maybe|perhaps|might|may|could|should|if|whether|unless"
        r"|feel(?:ing)? like|tempted|close to)\b"
    ),
    joins="and|but|so|because",
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
    others=(
        r"(?:min|mitt|mina|hans|hennes|deras|vår|vårt) (?:\w+ )?(?:syster|bror|mamma|pappa|mor|far|vän|vänner|kompis|kompisar|lärare|klass"
        r"|lag|chef|kusin|mormor|morfar|farmor|farfar|moster|faster|partner|fru|man|son|dotter|granne|föräldrar|skola|bok|hund|katt)\b"
        r"|(?:han|hon|de|dom|vi|du|ni|man|folk|alla|någon|ingen|inga|inget|mamma|pappa|mormor|morfar|farmor|farfar|vår|vårt|våra|hans"
        r"|hennes|deras|den|denna|detta|bussen)\b"
    ),
    uncertain=r"\b(?:kanske|kunde|ska|skall|skulle|borde|vill|om|i ?morgon|kommer att|måste|tänker)\b",
    dropped=(
        r"\b(?:ger? upp|gett upp|gav upp|släpper|släppt|strunta(?:r)? i|lägger ner|lagt ner|slutar? med|vill inte längre|skippar?|överger)\b"
        r"(?! (?:\w+ )?(?:inte|aldrig|kanske)\b)"
    ),
    denied=r"\b(?:inte(?! (?:tro|fatta|förstå)\b)|aldrig|ej|nästan|knappt|kanske|om|ifall|borde|kunde|skulle|nära|sugen)\b",
    joins="och|men|så|för",
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
def pattern(language: Language, name: str) -> re.Pattern[str]:
    """Return one compiled word list of a language, such as "dropped"."""
    return re.compile(rf"{getattr(WORDING[language], name)}")
