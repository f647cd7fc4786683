"""Labelled sentences by which a memory's place in an assessment is told, where its category does not say.

As in `memory.prototypes` the sentences are examples of the kind and not of the content: each kind has as many in English
as in Swedish, on varied subjects. NONE holds what is part of a life and no part of an assessment: feelings about home, friends
and animals among it, so that a sad memory is not taken for a struggle at school.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.kept_vectors import Embed, embed_own, once_for_each_model

STRENGTHS, STRUGGLES, GOALS, WORK, NONE = "strengths", "struggles", "goals", "work", "none"
KINDS = (STRENGTHS, STRUGGLES, GOALS, WORK, NONE)

SENTENCES: dict[str, tuple[str, ...]] = {
    STRENGTHS: (
        "I am good at solving equations.",
        "I understand fractions really well now.",
        "I got an A on the history essay.",
        "I passed the chemistry test with full marks.",
        "Spelling is easy for me.",
        "I finally understand how loops work.",
        "I am the fastest at mental arithmetic in my class.",
        "My teacher said that my presentation was excellent.",
        "I can speak Spanish fluently.",
        "I managed to solve the whole problem by myself.",
        "Jag är bra på att lösa ekvationer.",
        "Jag förstår bråk jättebra nu.",
        "Jag fick A på historieuppsatsen.",
        "Jag klarade kemiprovet med alla rätt.",
        "Stavning är lätt för mig.",
        "Jag förstår äntligen hur loopar fungerar.",
        "Jag är snabbast i klassen på huvudräkning.",
        "Läraren sa att min redovisning var utmärkt.",
        "Jag pratar flytande spanska.",
        "Jag lyckades lösa hela uppgiften själv.",
    ),
    STRUGGLES: (
        "I find fractions very hard.",
        "I don't understand how photosynthesis works.",
        "I failed the physics exam.",
        "I always mix up the verb tenses.",
        "Chemistry is difficult for me.",
        "I get stuck when I have to prove something.",
        "I can't concentrate when I read long texts.",
        "I am bad at spelling.",
        "I struggle with word problems in maths.",
        "I got a low grade on my essay.",
        "Jag tycker att bråk är jättesvårt.",
        "Jag förstår inte hur fotosyntesen fungerar.",
        "Jag fick underkänt på fysikprovet.",
        "Jag blandar alltid ihop verbens tempus.",
        "Kemi är svårt för mig.",
        "Jag fastnar när jag ska bevisa något.",
        "Jag kan inte koncentrera mig när jag läser långa texter.",
        "Jag är dålig på att stava.",
        "Jag har svårt för textuppgifter i matte.",
        "Jag fick lågt betyg på min uppsats.",
    ),
    GOALS: (
        "I want to become a doctor.",
        "My goal is to get a better grade in maths.",
        "I hope to study engineering at university.",
        "I am going to read ten books this term.",
        "I want to learn to program games.",
        "I plan to pass the exam in May.",
        "I would like to improve my English pronunciation.",
        "I aim for a B in chemistry.",
        "My dream is to work with animals as a vet.",
        "I have decided to practise the piano every day until the concert.",
        "Jag vill bli läkare.",
        "Mitt mål är att få bättre betyg i matte.",
        "Jag hoppas kunna läsa till ingenjör på universitetet.",
        "Jag ska läsa tio böcker den här terminen.",
        "Jag vill lära mig att programmera spel.",
        "Jag planerar att klara provet i maj.",
        "Jag skulle vilja förbättra mitt engelska uttal.",
        "Jag siktar på ett B i kemi.",
        "Min dröm är att arbeta med djur som veterinär.",
        "Jag har bestämt mig för att öva piano varje dag fram till konserten.",
    ),
    WORK: (
        "Today we worked on fractions in maths.",
        "I had a lesson about the French Revolution.",
        "I wrote the first draft of my essay yesterday.",
        "We did an experiment with acids in the lab.",
        "I practised verb endings for an hour.",
        "I am reading a chapter about volcanoes for school.",
        "We started with programming in the technology lesson.",
        "I handed in the book report.",
        "My homework is about ancient Egypt.",
        "I am writing a report on climate change.",
        "I dag jobbade vi med bråk på matten.",
        "Jag hade en lektion om franska revolutionen.",
        "Jag skrev första utkastet till uppsatsen i går.",
        "Vi gjorde ett experiment med syror i labbet.",
        "Jag övade på verbändelser i en timme.",
        "Jag läser ett kapitel om vulkaner till skolan.",
        "Vi började med programmering på tekniken.",
        "Jag lämnade in bokrecensionen.",
        "Min läxa handlar om det gamla Egypten.",
        "Jag skriver en rapport om klimatförändringar.",
    ),
    NONE: (
        "My cat is called Whiskers.",
        "I have two brothers.",
        "We are going to my grandmother's for dinner.",
        "My dog died last summer.",
        "I am sad that my best friend is moving away.",
        "I live in a red house by the lake.",
        "My mother works as a nurse.",
        "I prefer short answers with examples.",
        "I like pizza with pineapple.",
        "We won the football match on Saturday.",
        "My parents are divorced.",
        "I cannot sleep at night.",
        "Explain it to me step by step.",
        "I turned fourteen in March.",
        "The rain was so loud yesterday.",
        "I love my new bicycle.",
        "My maths teacher is called Karin.",
        "I take the bus to school.",
        "I am afraid of spiders.",
        "We have a new classroom on the second floor.",
        "I play handball on Thursdays.",
        "We watched a series about space at home.",
        "I sing in a choir with my sister.",
        "I feel left out in the schoolyard.",
        "My friend fell out with me.",
        "Min katt heter Misse.",
        "Jag har två bröder.",
        "Vi ska äta middag hos mormor.",
        "Min hund dog i somras.",
        "Jag är ledsen för att min bästa vän flyttar.",
        "Jag bor i ett rött hus vid sjön.",
        "Min mamma jobbar som sjuksköterska.",
        "Jag vill hellre ha korta svar med exempel.",
        "Jag gillar pizza med ananas.",
        "Vi vann fotbollsmatchen i lördags.",
        "Mina föräldrar är skilda.",
        "Jag kan inte sova på nätterna.",
        "Förklara det för mig steg för steg.",
        "Jag fyllde fjorton i mars.",
        "Regnet var så högljutt i går.",
        "Jag älskar min nya cykel.",
        "Min mattelärare heter Karin.",
        "Jag tar bussen till skolan.",
        "Jag är rädd för spindlar.",
        "Vi har fått ett nytt klassrum på andra våningen.",
        "Jag spelar handboll på torsdagar.",
        "Vi såg en serie om rymden hemma.",
        "Jag sjunger i kör med min syster.",
        "Jag känner mig utanför på skolgården.",
        "Min kompis blev osams med mig.",
    ),
}


@dataclass(frozen=True, slots=True)
class AssessmentPrototypes:
    """The sentences' vectors: (n, d) float32, unit length less their mean; kinds: (n,) int, index into `KINDS`."""

    mean: NDArray[np.float32]
    vectors: NDArray[np.float32]
    kinds: NDArray[np.int64]


@once_for_each_model
def load_assessment_prototypes(embed: Embed, model: str) -> AssessmentPrototypes:
    """Return the prototypes under an embedding model."""
    rows = [(KINDS.index(kind), sentence) for kind, sentences in SENTENCES.items() for sentence in sentences]
    vectors = embed_own([sentence for _, sentence in rows], embed=embed, model=model)
    mean = vectors.mean(axis=0)
    return AssessmentPrototypes(
        mean=mean, vectors=vectors - mean, kinds=np.array([kind for kind, _ in rows], dtype=np.int64)
    )
