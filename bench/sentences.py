"""Things that a student could have said, as many as wanted: distinct, seeded, in English and Swedish."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np


@dataclass(frozen=True)
class Phrases:
    """Sentences with gaps, and what may fill each."""

    sentences: tuple[str, ...]
    topics: tuple[str, ...]
    people: tuple[str, ...]
    times: tuple[str, ...]


ENGLISH = Phrases(
    (
        "{person} explained {topic} to me {time}, and I finally saw why it works",
        "I still mix up {topic} with what {person} showed us {time}",
        "{time} I worked on {topic} for {number} minutes and gave up at the last exercise",
        "My exam in {topic} is {number} days away, and {person} wants to practise with me",
        "I would rather see an example of {topic} first and hear the rule from {person} afterwards",
        "{person} and I built a small model of {topic} {time}; it took {number} tries",
        "I feel calm about {topic} since {person} went through my {number} mistakes {time}",
        "For {topic} I need short steps, because {number} things at once make me lose the thread",
    ),
    (
        "recursion", "photosynthesis", "fractions", "the French revolution", "chemical equilibrium", "irregular verbs",
        "electric circuits", "sorting algorithms", "probability trees", "plate tectonics", "the cell membrane",
        "quadratic equations", "poetry analysis", "the water cycle", "supply and demand", "vectors", "genetics",
        "essay structure", "binary numbers", "the Vasa ship",
    ),
    ("Anna", "my brother", "Mr Lind", "Fatima", "my study group", "Grandma", "Oskar", "the substitute teacher"),
    ("yesterday", "on Monday", "last week", "in September", "after the break", "before practice", "this morning"),
)  # fmt: skip
SWEDISH = Phrases(
    (
        "{person} förklarade {topic} för mig {time}, och då förstod jag äntligen varför det fungerar",
        "Jag blandar fortfarande ihop {topic} med det som {person} visade {time}",
        "{time} övade jag på {topic} i {number} minuter och gav upp vid sista uppgiften",
        "Mitt prov i {topic} är om {number} dagar, och {person} vill öva med mig",
        "Jag vill hellre se ett exempel på {topic} först och höra regeln av {person} efteråt",
        "Jag känner mig lugn inför {topic} sedan {person} gick igenom mina {number} fel {time}",
    ),
    (
        "rekursion", "fotosyntes", "bråkräkning", "franska revolutionen", "kemisk jämvikt", "oregelbundna verb",
        "elektriska kretsar", "sannolikhetslära", "plattektonik", "andragradsekvationer", "diktanalys", "genetik",
    ),
    ("Anna", "min bror", "Fatima", "min studiegrupp", "mormor", "Oskar", "vikarien"),
    ("i går", "i måndags", "förra veckan", "i september", "efter rasten", "före träningen", "i morse"),
)  # fmt: skip
QUESTIONS = (
    "can you help me with {topic}?",
    "What did {person} say about {topic} {time}?",
    "How do I like to have things explained when it comes to {topic}?",
    "When is my exam in {topic}?",
)
#: One in so many sentences is Swedish.
SWEDISH_EVERY = 4


def make_sentences(count: int, *, seed: int = 0) -> list[tuple[str, str]]:
    """Return `count` distinct (sentence, language)."""
    return list(islice(_distinct(np.random.default_rng(seed)), count))


def make_questions(count: int) -> list[str]:
    """Return `count` questions about the same things, in English."""
    rng = np.random.default_rng(1)
    return [_fill(QUESTIONS[index % len(QUESTIONS)], ENGLISH, rng) for index in range(count)]


def _distinct(rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    while True:
        language, phrases = ("sv", SWEDISH) if len(seen) % SWEDISH_EVERY == 0 else ("en", ENGLISH)
        text = _fill(str(rng.choice(phrases.sentences)), phrases, rng)
        if text not in seen:
            seen.add(text)
            yield text, language


def _fill(sentence: str, phrases: Phrases, rng: np.random.Generator) -> str:
    filled = sentence.format(
        topic=rng.choice(phrases.topics),
        person=rng.choice(phrases.people),
        time=rng.choice(phrases.times),
        number=rng.integers(2, 90),
    )
    return filled[0].upper() + filled[1:]
