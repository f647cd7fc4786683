"""What the companion without a model can say, in both languages.

Each list holds ways of saying one thing; which one is taken depends on the turn and on what was said before in the conversation, where
none is said twice (`offline_saying`). Nothing here states anything about the world or the person.
"""

from dataclasses import dataclass

from companion_site.llm.types import Cue, Language, Verdict


@dataclass(frozen=True)
class QuizPhrases:
    """What is said in a quiz, in one language.

    Attributes:
        verdicts: how the answer was, with the right one.
        name, description, lesson: the questions.
        ended, stopped: the last line, with a score and without.
        nothing: where there is nothing to ask about; nothing_on: nothing about what was named, with what there is.
    """

    verdicts: dict[Verdict, tuple[str, ...]]
    score: str
    name: tuple[str, ...]
    description: tuple[str, ...]
    lesson: tuple[str, ...]
    ended: str
    stopped: str
    nothing: str
    nothing_on: str


@dataclass(frozen=True)
class Phrases:
    """One language's phrases."""

    notice: str
    #: of pictures and files that go with the last words, once a conversation
    attached: str
    #: where that was said already
    attached_again: str
    #: an answer, by whether the day is known that it was said on; to a company what its people said
    told_on: tuple[str, ...]
    told: tuple[str, ...]
    noted_on: tuple[str, ...]
    noted: tuple[str, ...]
    #: what stands in a company's books
    booked: tuple[str, ...]
    booked_several: tuple[str, ...]
    #: an answer that may not be so
    doubted_on: tuple[str, ...]
    doubted: tuple[str, ...]
    #: behind what was so once
    was_until: str
    several: tuple[str, ...]
    #: where nothing that was told answers
    not_told: tuple[str, ...]
    #: the same, where all of them were said: with the question, and the shortest
    not_told_topic: str
    not_told_brief: str
    #: put before what is said once more, with the question that it answers
    topic: str
    changed: tuple[str, ...]
    forgot: str
    take_back: str
    #: where it is not clear which memory is to be forgotten, and where that was said already
    forgot_nothing: str
    forgot_nothing_again: str
    from_map: tuple[str, ...]
    from_pack: tuple[str, ...]
    connects: tuple[str, ...]
    connects_doubted: tuple[str, ...]
    #: put before what is not sure to be so
    unsure: str
    quote: str
    question_words: tuple[str, ...]
    acknowledge: dict[Cue, tuple[str, ...]]
    #: where all of these were said
    brief: dict[Cue, str]
    ask: dict[Cue, tuple[str, ...]]
    first_step: tuple[str, ...]
    quiz: QuizPhrases


ENGLISH = Phrases(
    notice=(
        "Just so you know: I have no language model to think with right now, so I keep it simple. "
        "I can show you what you have told me, and help you find a first step."
    ),
    attached=(
        "I cannot look at pictures or read files without a language model. They stay with your message, and you can open them "
        "here. Write to me what matters in them, and I can go on from that."
    ),
    attached_again="This stays with your message too; what is in it you would have to tell me.",
    told_on=(
        "You told me on {when}: {quote}.",
        "On {when} you said: {quote}.",
        "From what you told me on {when}: {quote}.",
        "I have it from you, from {when}: {quote}.",
        "Your own words on {when}: {quote}.",
    ),
    told=(
        "You told me: {quote}.",
        "You have said: {quote}.",
        "I have it from you: {quote}.",
        "In your own words: {quote}.",
    ),
    noted_on=(
        "I noted on {when}: {quote}.",
        "Noted on {when}: {quote}.",
        "In the notes of {when} I find: {quote}.",
        "What was said on {when}: {quote}.",
    ),
    noted=(
        "I have noted: {quote}.",
        "As it stands: {quote}.",
        "In the notes I find: {quote}.",
    ),
    booked=(
        "The books say: {quote}.",
        "As it stands in the books: {quote}.",
        "In the books I find: {quote}.",
        "From the books: {quote}.",
    ),
    booked_several=("The books have this:", "This stands in the books:", "From the books:"),
    doubted_on=(
        "If I remember rightly, and I am not sure of it, on {when}: {quote}.",
        "I am not sure that it still holds, but on {when} I noted: {quote}.",
        "It may be out of date; this is from {when}: {quote}.",
    ),
    doubted=(
        "If I remember rightly, and I am not sure of it: {quote}.",
        "I am not sure that it still holds: {quote}.",
        "It may be out of date: {quote}.",
    ),
    was_until="That was so until {until}.",
    several=(
        "This is what I have from you on that:",
        "Here is what I was told about it:",
        "What I know of it:",
    ),
    not_told=(
        "I have nothing from you about that; tell me, and I can answer the next time.",
        "That is something you have not told me; what you have told I can look up, and sums and days I can work out.",
        "I was not told that, so I will not guess; you can tell me now, and I will keep it.",
        "Nothing I have been told answers that; ask me about something you have told, or tell me more.",
        "I looked through what you have told me and did not find it; with other words I may.",
        "I do not know; tell me and I will remember it.",
        "There is no answer to that in what I remember; I can tell you what I know of somebody or something if you name it.",
        "That one I cannot answer from what I have been told; a day, a sum or what you said yourself I can.",
        "My notes are silent on this; say it once, and they will not be.",
        "You have not mentioned it, as far as I can find; I can list what comes up this week instead.",
        "I have no note that answers your question; I can make one if you tell me.",
        "This I was never told, or I cannot find it; tell me once more, and I will have it.",
    ),
    not_told_topic="I was told nothing about {topic}.",
    not_told_brief="Not told.",
    topic="To {topic}: {quote}.",
    changed=(
        "Thank you, then the new one holds; before, I had noted: {quote}.",
        "Then I go by the new one; until now I had: {quote}.",
        "Good to know that it has changed; it used to be: {quote}.",
    ),
    forgot="I have put this away: {quote}.",
    take_back="If that was not what you meant, you can have it back under Memory.",
    forgot_nothing="I am not sure which memory you mean, so I have put none away. You can forget any of them yourself under Memory.",
    forgot_nothing_again="I have put none away; under Memory you can.",
    from_map=(
        "Your map says of {source}: {quote}.",
        "On {source} your map has this: {quote}.",
        "From your map, on {source}: {quote}.",
    ),
    from_pack=(
        "In the pack {source} I find: {quote}.",
        "The pack {source} says: {quote}.",
        "From the pack {source}: {quote}.",
    ),
    connects=(
        "It makes me think of something you told me: {quote}.",
        "You told me something that may belong to it: {quote}.",
        "That reminds me of your words: {quote}.",
    ),
    connects_doubted=(
        "If I remember rightly, you told me something of the kind: {quote}.",
        "I am not sure that it still holds, but it reminds me of this: {quote}.",
    ),
    unsure="If I remember rightly:",
    quote="“{}”",
    question_words=(
        "what",
        "what's",
        "whats",
        "which",
        "who",
        "who's",
        "whos",
        "whom",
        "whose",
        "when",
        "when's",
        "whens",
        "where",
        "where's",
        "wheres",
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
        "wish": (
            "I have understood how you want it, and will go by that.",
            "Understood; that is how you want it from now on.",
            "Your wish is noted, and it counts from now on.",
        ),
        "question": ("I hear your question.",),
        "thanks": ("You are welcome.", "Glad it was of use."),
        "greeting": ("Hello, good to hear from you.", "Hi there."),
        "other": ("I have read what you wrote.", "Thank you for telling me."),
    },
    brief={
        "heavy": "Still here.",
        "glad": "How good.",
        "plan": "I see.",
        "remember": "Noted.",
        "wish": "Understood.",
        "question": "I see.",
        "thanks": "Gladly.",
        "greeting": "Hello.",
        "other": "I see.",
    },
    ask={
        "heavy": ("What weighs the most right now?", "What would make the rest of today a little lighter?"),
        "glad": ("What was it that made it good?", "What would you like to take with you from it?"),
        "plan": ("What would “done” look like?", "Which part of it feels the least clear?"),
        "remember": ("Is there anything else I should know?", "What else belongs to it?"),
        "wish": (),
        "question": (),
        "thanks": (),
        "greeting": ("What is on your mind today?", "How has your day been so far?"),
        "other": ("What matters most to you in this?", "What would you like to come out of it?"),
    },
    first_step=(
        "If you like, take a first step like this: 1. Write down in one sentence what you want to be done with. "
        "2. Pick the smallest part of it. 3. Give that part ten minutes, then tell me how it went.",
        "A way to begin, if you want one: 1. List what you already know about it. 2. Put a question mark where you "
        "are unsure. 3. Choose one question mark and start there.",
    ),
    quiz=QuizPhrases(
        verdicts={
            "right": (
                "Right, {name}: {quote}.",
                "Yes, that is {name}: {quote}.",
                "That is it, {name}: {quote}.",
            ),
            "nearly": ("Nearly; it is {name}: {quote}.", "Close; {name} is this: {quote}."),
            "wrong": ("Not this time; it is {name}: {quote}.", "Not quite; {name} is this: {quote}."),
            "unknown": ("That is fine; it is {name}: {quote}.", "No harm in that; {name} is this: {quote}."),
        },
        score="{right} of {count}.",
        name=(
            "What is this called: {quote}?",
            "Which word is meant here: {quote}?",
            "What has this name: {quote}?",
        ),
        description=(
            "What is {name}? In your own words.",
            "How would you explain {name}?",
            "What can you say about {name}?",
        ),
        lesson=("What did you learn in the lesson about {name}?", "What was the lesson about {name} on?"),
        ended="That was the quiz: {right} of {count}.",
        stopped="Then the quiz ends here.",
        nothing="There is nothing yet that I could ask you about; name what you are learning, and what of it comes onto your map I can ask.",
        nothing_on="I have nothing to ask you about that; I can quiz you on {areas}.",
    ),
)

SWEDISH = Phrases(
    notice=(
        "Bara så att du vet: jag har ingen språkmodell att tänka med just nu, så jag håller det enkelt. "
        "Jag kan visa vad du har berättat för mig och hjälpa dig att hitta ett första steg."
    ),
    attached=(
        "Jag kan inte titta på bilder eller läsa filer utan en språkmodell. De finns kvar vid ditt meddelande, och du kan öppna "
        "dem här. Skriv till mig vad som är viktigt i dem, så kan jag utgå från det."
    ),
    attached_again="Det här stannar också vid ditt meddelande; vad som finns i det får du berätta.",
    told_on=(
        "Du berättade för mig {when}: {quote}.",
        "Det sa du {when}: {quote}.",
        "Ur det du berättade {when}: {quote}.",
        "Jag har det från dig, från {when}: {quote}.",
        "Dina egna ord från {when}: {quote}.",
    ),
    told=(
        "Du har berättat för mig: {quote}.",
        "Du har sagt: {quote}.",
        "Jag har det från dig: {quote}.",
        "Med dina egna ord: {quote}.",
    ),
    noted_on=(
        "Jag noterade {when}: {quote}.",
        "Noterat {when}: {quote}.",
        "I anteckningarna från {when} hittar jag: {quote}.",
        "Det här sades {when}: {quote}.",
    ),
    noted=(
        "Jag har noterat: {quote}.",
        "Så här står det: {quote}.",
        "I anteckningarna hittar jag: {quote}.",
    ),
    booked=(
        "Så här står det i era uppgifter: {quote}.",
        "Ur företagets siffror och frister: {quote}.",
        "I företagets uppgifter hittar jag: {quote}.",
        "Enligt era uppgifter: {quote}.",
    ),
    booked_several=(
        "Det här står i era uppgifter:",
        "Ur företagets siffror och frister:",
        "Enligt era uppgifter:",
    ),
    doubted_on=(
        "Om jag minns rätt, och säker är jag inte, från {when}: {quote}.",
        "Jag är inte säker på att det gäller än, men {when} noterade jag: {quote}.",
        "Det kan vara inaktuellt, det här är från {when}: {quote}.",
    ),
    doubted=(
        "Om jag minns rätt, och säker är jag inte: {quote}.",
        "Jag är inte säker på att det gäller än: {quote}.",
        "Det kan vara inaktuellt: {quote}.",
    ),
    was_until="Så var det till {until}.",
    several=(
        "Det här har jag från dig om den saken:",
        "Så här mycket har jag fått veta om det:",
        "Det jag vet om det:",
    ),
    not_told=(
        "Om det har jag inget från dig; berätta, så kan jag svara nästa gång.",
        "Det har du inte berättat för mig; det du har berättat kan jag slå upp, och räkna och hitta dagar kan jag.",
        "Det har jag inte fått veta, så jag gissar inte; du kan berätta det nu, så sparar jag det.",
        "Inget av det jag har fått veta svarar på det; fråga om något du har berättat, eller berätta mer.",
        "Jag letade i det du har berättat och hittade det inte; med andra ord kanske jag gör det.",
        "Jag vet inte; berätta, så minns jag det.",
        "Det finns inget svar på det i det jag minns; säg ett namn eller en sak, så berättar jag vad jag vet.",
        "Just det kan jag inte svara på utifrån vad jag har fått veta; en dag, en summa eller dina egna ord kan jag ge dig.",
        "Om det här säger mina anteckningar ingenting; säg det en gång, så gör de det.",
        "Du har inte nämnt det, så vitt jag kan hitta; i stället kan jag lista vad som händer i veckan.",
        "Jag har ingen anteckning som svarar på din fråga; jag kan göra en om du berättar.",
        "Det här har jag aldrig fått veta, eller så hittar jag det inte; berätta en gång till, så har jag det.",
    ),
    not_told_topic="Jag har inte fått veta något om {topic}.",
    not_told_brief="Inget berättat.",
    topic="Till {topic}: {quote}.",
    changed=(
        "Tack, då gäller det nya; förut hade jag noterat: {quote}.",
        "Då går jag efter det nya; hittills hade jag: {quote}.",
        "Bra att veta att det har ändrats; det brukade vara: {quote}.",
    ),
    forgot="Det här har jag lagt undan: {quote}.",
    take_back="Om det inte var så du menade kan du få tillbaka det under Minne.",
    forgot_nothing="Jag är inte säker på vilket minne du menar, så jag har inte lagt undan något. Under Minne kan du själv glömma vilket du vill.",
    forgot_nothing_again="Jag har inte lagt undan något; under Minne kan du göra det.",
    from_map=(
        "Din karta säger om {source}: {quote}.",
        "Om {source} har din karta det här: {quote}.",
        "Ur din karta, om {source}: {quote}.",
    ),
    from_pack=(
        "I paketet {source} hittar jag: {quote}.",
        "Paketet {source} säger: {quote}.",
        "Ur paketet {source}: {quote}.",
    ),
    connects=(
        "Det får mig att tänka på något du har berättat: {quote}.",
        "Du har berättat något som kanske hör dit: {quote}.",
        "Det påminner mig om dina ord: {quote}.",
    ),
    connects_doubted=(
        "Om jag minns rätt har du berättat något liknande: {quote}.",
        "Jag är inte säker på att det gäller än, men det påminner mig om det här: {quote}.",
    ),
    unsure="Om jag minns rätt:",
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
        "wish": (
            "Jag har förstått hur du vill ha det och går efter det.",
            "Uppfattat, så vill du ha det från och med nu.",
            "Din önskan är noterad och gäller från och med nu.",
        ),
        "question": ("Jag hör din fråga.",),
        "thanks": ("Varsågod.", "Roligt att det var till nytta."),
        "greeting": ("Hej, roligt att höra från dig.", "Hej på dig."),
        "other": ("Jag har läst det du skrev.", "Tack för att du berättar."),
    },
    brief={
        "heavy": "Kvar här.",
        "glad": "Vad roligt.",
        "plan": "Jag förstår.",
        "remember": "Noterat.",
        "wish": "Uppfattat.",
        "question": "Jag förstår.",
        "thanks": "Så gärna.",
        "greeting": "Hej.",
        "other": "Jag förstår.",
    },
    ask={
        "heavy": ("Vad tynger mest just nu?", "Vad skulle göra resten av dagen lite lättare?"),
        "glad": ("Vad var det som gjorde det bra?", "Vad vill du ta med dig från det?"),
        "plan": ("Hur ser det ut när det är klart?", "Vilken del känns minst tydlig?"),
        "remember": ("Är det något mer jag bör veta?", "Vad mer hör till?"),
        "wish": (),
        "question": (),
        "thanks": (),
        "greeting": ("Vad tänker du på i dag?", "Hur har din dag varit hittills?"),
        "other": ("Vad är viktigast för dig i det här?", "Vad vill du att det ska leda till?"),
    },
    first_step=(
        "Om du vill, börja så här: 1. Skriv i en mening vad du vill bli klar med. 2. Välj den minsta delen av det. "
        "3. Ge den delen tio minuter och berätta sedan hur det gick.",
        "Ett sätt att komma i gång, om du vill ha ett: 1. Lista vad du redan vet om saken. 2. Sätt ett frågetecken "
        "där du är osäker. 3. Välj ett frågetecken och börja där.",
    ),
    quiz=QuizPhrases(
        verdicts={
            "right": (
                "Rätt, {name}: {quote}.",
                "Ja, det är {name}: {quote}.",
                "Just det, {name}: {quote}.",
            ),
            "nearly": ("Nästan; det är {name}: {quote}.", "Nära; {name} är det här: {quote}."),
            "wrong": (
                "Inte den här gången; det är {name}: {quote}.",
                "Inte riktigt; {name} är det här: {quote}.",
            ),
            "unknown": (
                "Det gör ingenting; det är {name}: {quote}.",
                "Ingen fara; {name} är det här: {quote}.",
            ),
        },
        score="{right} av {count}.",
        name=(
            "Vad kallas det här: {quote}?",
            "Vilket ord menas här: {quote}?",
            "Vad har det här för namn: {quote}?",
        ),
        description=(
            "Vad är {name}? Med dina egna ord.",
            "Hur skulle du förklara {name}?",
            "Vad kan du säga om {name}?",
        ),
        lesson=("Vad lärde du dig på lektionen om {name}?", "Vad handlade lektionen om {name} om?"),
        ended="Det var förhöret: {right} av {count}.",
        stopped="Då slutar förhöret här.",
        nothing="Det finns inget än som jag kan fråga om; nämn vad du håller på att lära dig, så kan jag fråga om det som kommer på din karta.",
        nothing_on="Om det har jag inget att fråga; jag kan förhöra dig på {areas}.",
    ),
)

PHRASES: dict[Language, Phrases] = {"en": ENGLISH, "sv": SWEDISH}
