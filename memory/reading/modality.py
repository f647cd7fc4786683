"""Labelled sentences and cue words by which a statement's modality and valence are told.

The sentences are examples of the kind, not of the content: each modality has as many in English as in Swedish, about
as many glad as sad, and on varied subjects, so that the nearest ones agree in kind.
"""

import re
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.isotropy import unit_rows
from memory.reading.vector_cache import Embed, embed_own, once_for_each_model

Modality = Literal["episodic", "semantic", "procedural", "emotional", "sensory"]

MODALITIES: tuple[Modality, ...] = get_args(Modality)

# (valence, sentence): -1 bad, 0 plain, 1 good for the one who says it.
SENTENCES: dict[Modality, tuple[tuple[int, str], ...]] = {
    "episodic": (
        (0, "On Saturday my cousins came over and we cooked together."),
        (-1, "I broke my arm skating last winter."),
        (1, "This afternoon I finally passed my driving theory test."),
        (0, "Two weeks ago we changed seats in the classroom."),
        (-1, "I overslept and came late to the rehearsal."),
        (1, "We got the highest mark in the whole year for our robot."),
        (0, "I lördags kom mina kusiner och vi lagade mat ihop."),
        (-1, "Jag bröt armen på skridskor i vintras."),
        (1, "I eftermiddags klarade jag äntligen teoriprovet för körkortet."),
        (0, "För två veckor sedan bytte vi platser i klassrummet."),
        (-1, "Jag försov mig och kom sent till repetitionen."),
        (1, "Vi fick högst betyg i hela årskursen för vår robot."),
    ),
    "semantic": (
        (0, "My father works as a bus driver."),
        (0, "I was born in Turkey and live in Helsingborg."),
        (0, "The course is given by a teacher named Karim."),
        (1, "I know how to solve quadratic equations."),
        (-1, "I have never understood how commas work."),
        (0, "My little brother is seven years old."),
        (0, "A prime number has exactly two divisors."),
        (0, "I am studying to become an electrician."),
        (0, "Min pappa arbetar som busschaufför."),
        (0, "Jag är född i Turkiet och bor i Helsingborg."),
        (0, "Kursen hålls av en lärare som heter Karim."),
        (1, "Jag kan lösa andragradsekvationer."),
        (-1, "Jag har aldrig begripit hur kommatecken fungerar."),
        (0, "Min lillebror är sju år gammal."),
        (0, "Ett primtal har precis två delare."),
        (0, "Jag utbildar mig till elektriker."),
    ),
    "procedural": (
        (0, "Give me hints instead of solutions."),
        (0, "I prefer examples before theory."),
        (0, "Keep your explanations brief and use simple words."),
        (0, "I work best with a timer and frequent breaks."),
        (0, "First I sketch the problem, then I write the equations."),
        (0, "Ask me to try before you correct me."),
        (0, "Ge mig ledtrådar i stället för lösningar."),
        (0, "Jag vill hellre ha exempel före teori."),
        (0, "Håll förklaringarna korta och använd enkla ord."),
        (0, "Jag arbetar bäst med tidtagning och täta pauser."),
        (0, "Först skissar jag problemet och sedan skriver jag ekvationerna."),
        (0, "Låt mig försöka innan du rättar mig."),
    ),
    "emotional": (
        (-1, "I am terrified of speaking in front of others."),
        (-1, "It makes me sad that nobody waits for me."),
        (-1, "I feel stupid whenever I ask a question."),
        (1, "I am so happy with how the painting turned out."),
        (1, "Working with animals makes me feel calm."),
        (1, "I really enjoy singing in the choir."),
        (-1, "Jag är livrädd för att prata inför andra."),
        (-1, "Det gör mig ledsen att ingen väntar på mig."),
        (-1, "Jag känner mig dum varje gång jag ställer en fråga."),
        (1, "Jag är så glad över hur målningen blev."),
        (1, "Att arbeta med djur gör mig lugn."),
        (1, "Jag tycker verkligen om att sjunga i kören."),
    ),
    "sensory": (
        (-1, "Flickering lamps make my head ache."),
        (-1, "The sound of chalk on the board is unbearable."),
        (1, "I like warm colours and large letters on the page."),
        (0, "The workshop smells of sawdust and oil."),
        (1, "I love the taste of fresh bread."),
        (0, "I play quiet music in my headphones when I write."),
        (-1, "Blinkande lampor ger mig ont i huvudet."),
        (-1, "Ljudet av krita mot tavlan är outhärdligt."),
        (1, "Jag tycker om varma färger och stora bokstäver på sidan."),
        (0, "Verkstaden luktar sågspån och olja."),
        (1, "Jag älskar smaken av nybakat bröd."),
        (0, "Jag har tyst musik i lurarna när jag skriver."),
    ),
}


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


# How somebody wants to be helped: enough to keep a request, or even a question, as a preference.
MANNER = _compile(
    r"step[ -]by[ -]step|one step at a time|from now on|straight away|right away|with (?:more )?(?:pictures|images|examples"
    r"|diagrams)|more (?:pictures|examples|slowly)|slower|simpler|shorter|in (?:swedish|english|simple words|short(?:er)?)"
    r"|in (?:small|smaller|shorter) (?:parts|pieces|steps)|instead of|before you|hints?|guide me|let me try|ask me"
    r"|quiz me|keep (?:it|your|the)|point (?:it|that|them) out",
    r"steg för steg|ett steg i taget|från och med nu|i fortsättningen|direkt|på en gång|med (?:fler )?(?:bilder|exempel)"
    r"|fler (?:bilder|exempel)|långsammare|enklare|kortare|på (?:svenska|engelska|ett enkelt sätt)|i (?:små|mindre|kortare)"
    r" (?:delar|bitar|steg)|i stället för|istället för|innan du|ledtråd(?:ar)?|låt mig|förhör mig|håll det",
)
PREFERENCE = _compile(
    r"i(?:'d| would)? (?:much |really )?(?:prefer|rather)|i learn (?:best|better|more)|i (?:work|study|remember)(?: \w+)?"
    r" (?:best|better)|i want you to|i(?:'d| would) like you to|please (?:don't|never|always|do not|keep|use|explain|give)"
    r"|(?:speak|write|answer)(?: to me)?(?: in)? (?:swedish|english)|(?:don't|do not|never|always) (?:give|tell|explain|show|ask|use|correct|write|skip)",
    r"jag föredrar|jag vill (?:hellre|helst|att du)|jag lär mig (?:\w+ )?(?:bäst|bättre|mer)|jag (?:minns|arbetar|pluggar|jobbar)"
    r" (?:\w+ )?(?:bäst|bättre)|ge mig (?:inte|aldrig|alltid|gärna)|(?:förklara|visa|använd|skriv|berätta|svara) "
    r"(?:inte|aldrig|alltid|gärna|helst)|(?:sluta|undvik) att|(?:prata|tala|skriv|svara)(?: på)? (?:svenska|engelska)",
)
HABIT = _compile(r"usually|always|every|each|often|never|brukar|alltid|varje|ofta|aldrig|\w+(?:days|dagar)")
FEELING = _compile(
    r"(?:feel|feels|feeling|felt)|(?:i'm|i am|i get|i got|i was|me)(?: \w+){0,2} (?:nervous|anxious|scared|afraid|sad|happy"
    r"|proud|lonely|angry|ashamed|worried|stressed|terrified|excited|jealous|embarrassed|depressed|relieved|calm|upset)"
    r"|i (?:really )?(?:love|hate|enjoy|fear|dread)|(?:i'm|i am) ashamed|(?:scares?|worries|frightens?|stresses) me|(?:my )?(?:panic|anxiety)",
    r"(?:känner mig|kände mig|känns)|jag (?:är|blir|blev|var)(?: \w+){0,2} (?:nervös|orolig|rädd|ledsen|glad|stolt|ensam|arg"
    r"|stressad|livrädd|avundsjuk|generad|deprimerad|lättad|lugn|upprörd)|jag (?:verkligen )?(?:älskar|hatar|njuter|avskyr)"
    r"|(?:skrämmer|oroar|stressar) mig|jag skäms|(?:min )?(?:panik|ångest)",
)
SENSES = _compile(
    r"dark mode|light mode|bright(?:ness)?|loud|noisy|noise|sounds? of|smell(?:s|ed)?|taste[sd]?|headache|colou?rs?|flicker\w*",
    r"mörkt läge|ljust läge|ljusa?|bull(?:er|ret)|högljutt|luktar?|doftar?|smakar?|smaken|ljudet|huvudvärk|färger(?:na)?|blinka\w*",
)
GOOD = _compile(
    r"love[sd]?|like[sd]?|enjoy(?:s|ed)?|happy|glad|proud|excited|calm|relieved|great|fun|won|passed|succeeded|cheered"
    r"|clicked|understand|understood|favou?rite|good|better|easy|interesting|safe|get it|happier",
    r"älskar|gillar|gillade|tycker (?:\w+ )?om|njuter|stolt|lycklig|lugn|lättad|roligt?|kul|vann|klarade|lyckades|jublade"
    r"|lossnade|förstår|förstod|fattar|favorit\w*|bra|bättre|lätt|intressant|trygg|skönt",
)
BAD = _compile(
    r"hate[sd]?|fail(?:s|ed|ing)?|sad|scared?|scares|afraid|nervous|anxious|anxiety|worr(?:y|ied|ies)|lonely|angry|ashamed"
    r"|stress(?:ed|ful)?|terrified|panic|cry(?:ing)?|cried|died?|dead|hurts?|hits?|bull(?:y|ied|ying)|hard|difficult"
    r"|confus(?:ed|ing)|missed|broke|lost|sick|ill|bad(?:ly)?|worse|headache|tired|boring|struggl(?:e|es|ing)|gave up|ashamed",
    r"hatar|kugga(?:r|de|t)|underkän[dt]|misslyckades|ledsen|rädd|nervös|orolig|oroar|ångest|ensam|arg|skäms|stress(?:ad|ande)?"
    r"|livrädd|panik|gråter|gråta|grät|dog|dö|död|ont|slår|mobb(?:ar|ad|at|ning)|svårt?|jobbigt?|förvirr(?:ad|ande)|missade"
    r"|sönder|förlorade|sjuk|dåligt?|sämre|huvudvärk|trött|tråkigt?|kämpar|gav upp|skrämmer|avskyr|vräkta|skolkat",
)
NEGATION = _compile(
    r"not|no|never|nobody|nothing|without|cannot|\w+n't|inte|ej|aldrig|ingen|inget|inga|ingenting|utan"
)
HEDGE = _compile(r"maybe|perhaps|probably|might|i guess|not sure|kanske|nog|antagligen|möjligen|osäker på")


@dataclass(frozen=True, slots=True)
class Prototypes:
    """The sentences' vectors, centred on their own mean.

    Attributes:
        mean: (d,) float32, the mean of all sentences, taken from every vector before it is compared.
        vectors: (n, d) float32, unit length after centring.
        modalities: (n,) int, index into `MODALITIES`.
        valences: (n,) float64, -1, 0 or 1.
    """

    mean: NDArray[np.float32]
    vectors: NDArray[np.float32]
    modalities: NDArray[np.int64]
    valences: NDArray[np.float64]

    def centre(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (m, d) vectors less the sentences' mean, at unit length.

        Embedders squeeze all texts into a narrow cone; what is left without the common direction tells them apart.
        """
        return unit_rows(np.asarray(vectors, dtype=np.float32) - self.mean)


@once_for_each_model
def load_prototypes(embed: Embed, model: str) -> Prototypes:
    """Return the prototypes under an embedding model."""
    rows = [
        (MODALITIES.index(modality), valence, sentence)
        for modality, sentences in SENTENCES.items()
        for valence, sentence in sentences
    ]
    vectors = embed_own([sentence for _, _, sentence in rows], embed=embed, model=model)
    mean = vectors.mean(axis=0)
    return Prototypes(
        mean=mean,
        vectors=unit_rows(vectors - mean),
        modalities=np.array([modality for modality, _, _ in rows], dtype=np.int64),
        valences=np.array([valence for _, valence, _ in rows], dtype=np.float64),
    )
