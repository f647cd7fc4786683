"""What the companion without a model can say, in both languages.

Each list holds ways of saying one thing; which one is taken depends on the turn alone, so that a reply can be told in
advance. Nothing here states anything about the world or the person.
"""

from dataclasses import dataclass

from companion_site.llm.types import Cue, Language


@dataclass(frozen=True)
class Phrases:
    """One language's phrases."""

    notice: str
    told_me: str
    told_me_several: str
    noted: str
    noted_several: str
    changed: str
    forgot: str
    take_back: str
    nothing_known: str
    #: put before a pack's words
    from_pack: str
    connects: str
    #: put before what is not sure to be so
    unsure: str
    asks_back: str
    quote: str
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
    forgot="I have put this away:",
    take_back="If that was not what you meant, you can have it back under Memory.",
    nothing_known="I have nothing from you about that, and without a language model I would only be guessing.",
    from_pack="In the pack {} I find:",
    connects="It makes me think of something you told me:",
    unsure="If I remember rightly:",
    asks_back="I am not sure of that; tell me if it is not so.",
    quote="“{}”",
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
        "heavy": (
            "That sounds heavy, and it is good that you put words to it.",
            "That sounds like a lot to carry.",
        ),
        "glad": ("That is worth stopping at for a moment.", "How good to hear."),
        "plan": ("I hear what you have in front of you.", "That is a clear thing to work towards."),
        "remember": ("I will keep that in mind.", "Noted; I will remember it."),
        "thanks": ("You are welcome.", "Glad it was of use."),
        "greeting": ("Hello, good to hear from you.", "Hi there."),
        "other": ("I have read what you wrote.", "Thank you for telling me."),
    },
    ask={
        "heavy": ("What weighs the most right now?", "What would make the rest of today a little lighter?"),
        "glad": ("What was it that made it good?", "What would you like to take with you from it?"),
        "plan": ("What would “done” look like?", "Which part of it feels the least clear?"),
        "remember": ("Is there anything else I should know?", "What else belongs to it?"),
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
    forgot="Det här har jag lagt undan:",
    take_back="Om det inte var så du menade kan du få tillbaka det under Minne.",
    nothing_known="Om det har jag inget från dig, och utan språkmodell skulle jag bara gissa.",
    from_pack="I paketet {} hittar jag:",
    connects="Det får mig att tänka på något du har berättat:",
    unsure="Om jag minns rätt:",
    asks_back="Det är jag inte säker på; säg till om det inte stämmer.",
    quote="”{}”",
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
        "heavy": (
            "Det låter tungt, och det är bra att du sätter ord på det.",
            "Det låter som mycket att bära.",
        ),
        "glad": ("Det är värt att stanna upp vid en stund.", "Vad roligt att höra."),
        "plan": ("Jag hör vad du har framför dig.", "Det är något tydligt att arbeta mot."),
        "remember": ("Det ska jag komma ihåg.", "Noterat, det minns jag."),
        "thanks": ("Varsågod.", "Roligt att det var till nytta."),
        "greeting": ("Hej, roligt att höra från dig.", "Hej på dig."),
        "other": ("Jag har läst det du skrev.", "Tack för att du berättar."),
    },
    ask={
        "heavy": ("Vad tynger mest just nu?", "Vad skulle göra resten av dagen lite lättare?"),
        "glad": ("Vad var det som gjorde det bra?", "Vad vill du ta med dig från det?"),
        "plan": ("Hur ser det ut när det är klart?", "Vilken del känns minst tydlig?"),
        "remember": ("Är det något mer jag bör veta?", "Vad mer hör till?"),
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
