"""What the companion without a model can say, in both languages.

Each list holds ways of saying one thing; which one is taken depends on the turn alone, so that a reply can be told in
advance. Nothing here states anything about the world or the person.
"""

from dataclasses import dataclass
from typing import Literal

from companion_site.llm.types import Language

Cue = Literal["danger", "heavy", "stuck", "win", "plan", "thanks", "greeting", "other"]

#: Tried in this order: how someone is comes before what they plan.
CUE_ORDER: tuple[Cue, ...] = ("danger", "heavy", "stuck", "win", "plan", "thanks", "greeting")


@dataclass(frozen=True)
class Phrases:
    """One language's phrases. `cues` are word beginnings, matched where a word starts."""

    notice: str
    told_me: str
    told_me_several: str
    noted: str
    noted_several: str
    changed: str
    nothing_known: str
    #: put before a pack's words
    from_pack: str
    connects: str
    #: put before what is not sure to be so
    unsure: str
    asks_back: str
    quote: str
    cues: dict[Cue, tuple[str, ...]]
    negations: tuple[str, ...]
    question_words: tuple[str, ...]
    acknowledge: dict[Cue, tuple[str, ...]]
    ask: dict[Cue, tuple[str, ...]]
    first_step: tuple[str, ...]


ENGLISH = Phrases(
    notice=(
        "Just so you know: I have no language model to think with right now, so I keep it simple. "
        "I can show you what you have told me, and help you find a first step."
    ),
    told_me="You told me:",
    told_me_several="This is what you have told me:",
    noted="I have noted:",
    noted_several="This is what I have noted:",
    changed="Thank you, then the new one holds. Before, I had noted:",
    nothing_known="I have nothing from you about that, and without a language model I would only be guessing.",
    from_pack="In the pack {} I find:",
    connects="It makes me think of something you told me:",
    unsure="If I remember rightly:",
    asks_back="I am not sure of that; tell me if it is not so.",
    quote="“{}”",
    cues={
        "danger": (
            "kill myself",
            "suicid",
            "want to die",
            "hurt myself",
            "harm myself",
            "self-harm",
            "end my life",
            "abuse",
            "don't want to live",
        ),
        "heavy": (
            "sad",
            "anxious",
            "anxiety",
            "worried",
            "worry",
            "afraid",
            "scared",
            "stress",
            "tired",
            "exhaust",
            "lonely",
            "alone",
            "nervous",
            "upset",
            "angry",
            "awful",
            "overwhelm",
            "hopeless",
            "depress",
            "cry",
            "crying",
            "died",
            "passed away",
            "grief",
            "bullied",
            "bully",
        ),
        "stuck": (
            "stuck",
            "can't",
            "cannot",
            "don't understand",
            "confus",
            "hard",
            "difficult",
            "lost",
            "failed",
            "failing",
            "procrastinat",
        ),
        "win": ("passed", "managed", "succeeded", "proud", "finally", "finished", "solved", "won"),
        "plan": (
            "exam",
            "exams",
            "test",
            "tests",
            "homework",
            "assignment",
            "essay",
            "deadline",
            "study",
            "studying",
            "plan",
            "project",
            "presentation",
            "lesson",
            "tomorrow",
            "need to",
            "have to",
            "goal",
        ),
        "thanks": ("thank", "thx", "cheers"),
        "greeting": ("hi", "hello", "hey", "good morning", "good evening", "good afternoon"),
    },
    negations=("not", "n't", "never", "didnt", "havent"),
    question_words=(
        "what",
        "which",
        "who",
        "whom",
        "whose",
        "when",
        "where",
        "why",
        "how",
        "do",
        "does",
        "did",
        "is",
        "are",
        "was",
        "were",
        "can",
        "could",
        "have",
        "has",
    ),
    acknowledge={
        "danger": (
            "Thank you for telling me. This is too important to carry alone, and I am not enough here: please talk to "
            "someone right now, a grown-up you trust or a friend who can be with you. If you are in danger, call 112 "
            "or your local emergency number.",
        ),
        "heavy": (
            "That sounds heavy, and it is good that you put words to it.",
            "That sounds like a lot to carry.",
        ),
        "stuck": (
            "Getting stuck is part of it, even if it does not feel that way.",
            "I hear that this is hard going.",
        ),
        "win": ("That is worth stopping at for a moment.", "Well done; that took something."),
        "plan": ("I hear what you have in front of you.", "That is a clear thing to work towards."),
        "thanks": ("You are welcome.", "Glad it was of use."),
        "greeting": ("Hello, good to hear from you.", "Hi there."),
        "other": ("I have read what you wrote.", "Thank you for telling me."),
    },
    ask={
        "danger": ("Who can you reach right now?",),
        "heavy": ("What weighs the most right now?", "What would make the rest of today a little lighter?"),
        "stuck": ("Where exactly does it stop making sense?", "What have you tried so far?"),
        "win": ("What did you do that made it work?", "What would you like to take with you from it?"),
        "plan": ("What would “done” look like?", "Which part of it feels the least clear?"),
        "thanks": ("Is there anything else on your mind?", "What would you like to do next?"),
        "greeting": ("What is on your mind today?", "How has your day been so far?"),
        "other": ("What matters most to you in this?", "What would you like to come out of it?"),
    },
    first_step=(
        "If you like, take a first step like this: 1. Write down in one sentence what you want to be done with. "
        "2. Pick the smallest part of it. 3. Give that part ten minutes, then tell me how it went.",
        "A way to begin, if you want one: 1. List what you already know about it. 2. Put a question mark where you "
        "are unsure. 3. Choose one question mark and start there.",
    ),
)

SWEDISH = Phrases(
    notice=(
        "Bara så att du vet: jag har ingen språkmodell att tänka med just nu, så jag håller det enkelt. "
        "Jag kan visa vad du har berättat för mig och hjälpa dig att hitta ett första steg."
    ),
    told_me="Du har berättat för mig:",
    told_me_several="Det här har du berättat för mig:",
    noted="Jag har noterat:",
    noted_several="Det här har jag noterat:",
    changed="Tack, då gäller det nya. Förut hade jag noterat:",
    nothing_known="Om det har jag inget från dig, och utan språkmodell skulle jag bara gissa.",
    from_pack="I paketet {} hittar jag:",
    connects="Det får mig att tänka på något du har berättat:",
    unsure="Om jag minns rätt:",
    asks_back="Det är jag inte säker på; säg till om det inte stämmer.",
    quote="”{}”",
    cues={
        "danger": (
            "ta livet av mig",
            "självmord",
            "vill dö",
            "skada mig",
            "självskad",
            "vill inte leva",
            "övergrepp",
        ),
        "heavy": (
            "ledsen",
            "orolig",
            "oro",
            "ångest",
            "rädd",
            "stress",
            "trött",
            "utmatt",
            "ensam",
            "nervös",
            "arg",
            "hemsk",
            "jobbig",
            "hopplös",
            "deprim",
            "gråt",
            "ont i magen",
            "dog",
            "gick bort",
            "gått bort",
            "sorg",
            "mobb",
        ),
        "stuck": (
            "kört fast",
            "kör fast",
            "sitter fast",
            "fastnat",
            "kan inte",
            "förstår inte",
            "fattar inte",
            "svår",
            "krångl",
            "misslyck",
            "skjuter upp",
            "vilse",
        ),
        "win": ("klarade", "lyckades", "stolt", "äntligen", "löste", "vann", "godkän"),
        "plan": (
            "prov",
            "tenta",
            "läxa",
            "läxor",
            "uppsats",
            "inlämning",
            "plugg",
            "plan",
            "projekt",
            "redovisning",
            "lektion",
            "imorgon",
            "i morgon",
            "borde",
            "måste",
            "behöver",
            "mål",
        ),
        "thanks": ("tack",),
        "greeting": ("hej", "hallå", "tjena", "god morgon", "godmorgon", "god kväll"),
    },
    negations=("inte", "aldrig", "ej"),
    question_words=(
        "vad",
        "vilken",
        "vilket",
        "vilka",
        "vem",
        "vems",
        "när",
        "var",
        "varför",
        "hur",
        "har",
        "kan",
        "är",
        "minns",
        "vet",
    ),
    acknowledge={
        "danger": (
            "Tack för att du berättar. Det här är för viktigt för att bära ensam, och jag räcker inte till: prata med "
            "någon nu, en vuxen du litar på eller en vän som kan vara hos dig. Är du i fara, ring 112.",
        ),
        "heavy": (
            "Det låter tungt, och det är bra att du sätter ord på det.",
            "Det låter som mycket att bära.",
        ),
        "stuck": ("Att köra fast hör till, även om det inte känns så.", "Jag hör att det går trögt."),
        "win": ("Det är värt att stanna upp vid en stund.", "Bra gjort; det krävde något av dig."),
        "plan": ("Jag hör vad du har framför dig.", "Det är något tydligt att arbeta mot."),
        "thanks": ("Varsågod.", "Roligt att det var till nytta."),
        "greeting": ("Hej, roligt att höra från dig.", "Hej på dig."),
        "other": ("Jag har läst det du skrev.", "Tack för att du berättar."),
    },
    ask={
        "danger": ("Vem kan du nå just nu?",),
        "heavy": ("Vad tynger mest just nu?", "Vad skulle göra resten av dagen lite lättare?"),
        "stuck": ("Var exakt slutar det att hänga ihop?", "Vad har du prövat hittills?"),
        "win": ("Vad gjorde du som fick det att fungera?", "Vad vill du ta med dig från det?"),
        "plan": ("Hur ser det ut när det är klart?", "Vilken del känns minst tydlig?"),
        "thanks": ("Är det något mer du tänker på?", "Vad vill du göra härnäst?"),
        "greeting": ("Vad tänker du på i dag?", "Hur har din dag varit hittills?"),
        "other": ("Vad är viktigast för dig i det här?", "Vad vill du att det ska leda till?"),
    },
    first_step=(
        "Om du vill, börja så här: 1. Skriv i en mening vad du vill bli klar med. 2. Välj den minsta delen av det. "
        "3. Ge den delen tio minuter och berätta sedan hur det gick.",
        "Ett sätt att komma i gång, om du vill ha ett: 1. Lista vad du redan vet om saken. 2. Sätt ett frågetecken "
        "där du är osäker. 3. Välj ett frågetecken och börja där.",
    ),
)

PHRASES: dict[Language, Phrases] = {"en": ENGLISH, "sv": SWEDISH}
