"""Labelled sentences by which a memory's part of long-term memory is told, beside those of an assessment.

Examples of the kind and not of the content: as many in English as in Swedish, on varied subjects. BASIC is who somebody is:
name, age, school, grade, family, language, home, work; it belongs to the background.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.isotropy import unit_rows
from memory.assessment_prototypes import SENTENCES as OF_AN_ASSESSMENT
from memory.kept_vectors import Embed, embed_own, once_for_each_model

BASIC, BACKGROUND, STRENGTHS, STRUGGLES, GOALS = "basic", "background", "strengths", "struggles", "goals"
KINDS = (BASIC, BACKGROUND, STRENGTHS, STRUGGLES, GOALS)

SENTENCES: dict[str, tuple[str, ...]] = {
    BASIC: (
        "I'm called Amina and I turned thirteen in March.",
        "I am in the seventh grade.",
        "I go to Parkside School in Leeds.",
        "I have a twin sister and two half-brothers.",
        "My mother is a teacher and my father works in a factory.",
        "My parents are divorced, so I live with my dad every other week.",
        "At home we talk Kurdish and a little English.",
        "I come from Iran and have lived here for five years.",
        "We live in a house outside the town.",
        "I am studying the economics programme.",
        "My husband and I have three children.",
        "I work as a nurse at a hospital.",
        "My family comes from Somalia.",
        "I'm an only child.",
        "I am a transgender woman and thirty years old.",
        "My mother tongue is Spanish.",
        "Jag heter Amina och fyllde tretton i mars.",
        "Jag går i sjuan.",
        "Jag går på Parkskolan i Lund.",
        "Jag har en tvillingsyster och två halvbröder.",
        "Min mamma är lärare och min pappa arbetar på en fabrik.",
        "Mina föräldrar är skilda, så jag bor hos pappa varannan vecka.",
        "Hemma pratar vi kurdiska och lite svenska.",
        "Jag kommer från Iran och har bott här i fem år.",
        "Vi bor i ett hus utanför stan.",
        "Jag läser ekonomiprogrammet.",
        "Min man och jag har tre barn.",
        "Jag arbetar som sjuksköterska på ett sjukhus.",
        "Min familj kommer från Somalia.",
        "Jag är ensambarn.",
        "Jag är en transkvinna och trettio år gammal.",
        "Mitt modersmål är spanska.",
    ),
    BACKGROUND: (
        "Last Saturday we went to the beach with the kids.",
        "I went to a concert with my friends yesterday.",
        "We had pizza at a new restaurant.",
        "My dog is called Bella and loves snow.",
        "I play the piano on Wednesdays.",
        "My favourite colour is green.",
        "Our maths teacher is called Karin.",
        "I watched a film about whales.",
        "I walk to school every morning.",
        "My friend Tom gave me a book about stars.",
        "I painted a sunset over a lake.",
        "The museum had a room full of dinosaur bones.",
        "Today we worked on the French Revolution in history.",
        "I take photos of birds in the forest.",
        "I like short explanations with pictures.",
        "We moved to a bigger classroom.",
        "It was wonderful to see everybody together.",
        "The sky was full of colours.",
        "I lördags åkte vi till stranden med barnen.",
        "Jag gick på konsert med mina vänner i går.",
        "Vi åt pizza på en ny restaurang.",
        "Min hund heter Bella och älskar snö.",
        "Jag spelar piano på onsdagar.",
        "Min favoritfärg är grön.",
        "Vår mattelärare heter Karin.",
        "Jag såg en film om valar.",
        "Jag går till skolan varje morgon.",
        "Min vän Tom gav mig en bok om stjärnor.",
        "Jag målade en solnedgång över en sjö.",
        "Museet hade ett rum fullt av dinosaurieben.",
        "I dag jobbade vi med franska revolutionen i historia.",
        "Jag fotograferar fåglar i skogen.",
        "Jag gillar korta förklaringar med bilder.",
        "Vi bytte till ett större klassrum.",
        "Det var underbart att se alla tillsammans.",
        "Himlen var full av färger.",
    ),
    STRENGTHS: (
        *OF_AN_ASSESSMENT[STRENGTHS],
        "I won the race and got a medal.",
        "I'm proud that I held the speech without being afraid.",
        "My friends say I am kind and patient.",
        "I learned to bake bread all by myself.",
        "Jag vann loppet och fick en medalj.",
        "Jag är stolt över att jag höll talet utan att vara rädd.",
        "Mina vänner säger att jag är snäll och tålmodig.",
        "Jag lärde mig baka bröd helt själv.",
    ),
    STRUGGLES: (
        *OF_AN_ASSESSMENT[STRUGGLES],
        "I am so stressed that I cannot sleep.",
        "I feel lonely and do not know whom to talk to.",
        "I was injured and had to stop training.",
        "I don't dare to speak in front of people.",
        "Jag är så stressad att jag inte kan sova.",
        "Jag känner mig ensam och vet inte vem jag ska prata med.",
        "Jag blev skadad och fick sluta träna.",
        "Jag vågar inte prata inför folk.",
    ),
    GOALS: (
        *OF_AN_ASSESSMENT[GOALS],
        "I am thinking about working with children as a career.",
        "We are planning to build a house next year.",
        "I'm saving money for a trip to Italy.",
        "I must finish the application before Monday.",
        "Jag funderar på att arbeta med barn.",
        "Vi planerar att bygga ett hus nästa år.",
        "Jag sparar pengar till en resa till Italien.",
        "Jag måste bli klar med ansökan före måndag.",
    ),
}


@dataclass(frozen=True, slots=True)
class CategoryPrototypes:
    """The sentences' vectors, centred on their own mean.

    Attributes:
        mean: (d,) float32, taken from every vector before it is compared.
        vectors: (n, d) float32, unit length after centring.
        kinds: (n,) int, index into `KINDS`.
    """

    mean: NDArray[np.float32]
    vectors: NDArray[np.float32]
    kinds: NDArray[np.int64]


@once_for_each_model
def load_category_prototypes(embed: Embed, model: str) -> CategoryPrototypes:
    """Return the prototypes under an embedding model."""
    sentences = [sentence for kind in KINDS for sentence in SENTENCES[kind]]
    vectors = embed_own(sentences, embed=embed, model=model)
    mean = vectors.mean(axis=0)
    kinds = np.repeat(np.arange(len(KINDS)), [len(SENTENCES[kind]) for kind in KINDS])
    return CategoryPrototypes(mean=mean, vectors=unit_rows(vectors - mean), kinds=kinds)
