"""Whether a text speaks of a topic that somebody does not want to speak of: by its words, and by what it means. Pure.

A promise is kept rather by leaving out too much than too little: what is left out makes a reply poorer, nothing more.
How often either happens is measured on tests/data/topics_to_avoid.json.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from companion_site.language import (
    LANGUAGES,
    fold_words,
    stem_words,
    tokens,
    word_information,
    words,
)

#: Words, and turns of two or three words, that speak of the same delicate thing in both languages: who avoids one of them means them all.
#: They are compared by their stems.
_ROWS = (
    "father, dad, daddy, papa, stepfather, stepdad, pappa, far, farsa, farsan, fader, styvfar, styvpappa, "
    "old man",
    "mother, mum, mom, mummy, stepmother, stepmum, mamma, mor, morsa, morsan, moder, styvmor, styvmamma",
    "parents, parent, mum and dad, mom and dad, föräldrar, förälder, mamma och pappa",
    "sister, sis, stepsister, syster, syrra, syrran, systrar, lillasyster, storasyster",
    "brother, bro, stepbrother, bror, broder, brorsa, brorsan, bröder, lillebror, storebror",
    "divorce, divorced, separated, separation, split up, skilsmässa, skilda, skild, skildes, skilde sig, "
    "skilja sig, skiljas, skiljs, skilt sig, separerade, separation, gick isär",
    "death, die, died, dead, dying, deceased, funeral, buried, bury, grave, grief, passed away, lost his "
    "life, lost her life, död, döden, dö, dog, dött, avled, avliden, begravning, begravd, begravde, grav, "
    "sorg, gick bort, gått bort, somnade in",
    "alcohol, alcoholic, drunk, booze, wine, beer, vodka, whisky, liquor, sober, hungover, hangover, "
    "drank too much, drinking, alkohol, alkoholist, full på, berusad, fyllan, fylla, vin, öl, sprit, "
    "spriten, brännvin, nykter, bakfull, drack för mycket, supa, söp, super",
    "drugs, drug, cannabis, weed, cocaine, heroin, addict, addiction, overdose, droger, drog, narkotika, "
    "knark, knarka, hasch, missbruk, missbrukare, överdos",
    "weight, overweight, obese, fat, diet, dieting, calories, scales, lose weight, put on weight, kilos, "
    "vikt, vikten, övervikt, överviktig, tjock, fet, banta, bantar, diet, kalorier, vägde mig, väger mig, "
    "gå ner, gått upp, gått ner, kilo",
    "eating disorder, anorexia, bulimia, bingeing, purging, ätstörning, ätstörd, anorexi, bulimi, "
    "hetsäta, hetsäter, självsvält",
    "money, debt, debts, broke, rent, afford, loan, loans, poor, poverty, bankrupt, salary, bills, "
    "pengar, pengarna, skuld, skulder, råd med, ha råd, pank, hyra, hyran, lån, låna, lånade, fattig, "
    "fattigdom, konkurs, kronofogden, lön, räkningar, ekonomi",
    "exam, exams, examination, test, tests, finals, midterm, quiz, prov, provet, tenta, tentor, tentamen, "
    "examen, omprov, omtenta, slutprov",
    "grades, grade, marks, report card, failed, betyg, betygen, betyget, underkänd, underkänt, kuggade",
    "school, classroom, class, skola, skolan, klass, klassen, klassrum",
    "work, job, boss, colleague, office, unemployed, fired, laid off, jobb, jobbet, arbete, chef, chefen, "
    "kollega, kontoret, arbetslös, uppsagd, sparken",
    "cancer, tumour, tumor, chemo, chemotherapy, oncologist, oncology, leukaemia, leukemia, metastasis, "
    "tumör, tumörer, cellgift, cellgifter, strålbehandling, onkolog, leukemi, metastaser",
    "illness, disease, sick, diagnosis, hospital, sjukdom, sjuk, diagnos, sjukhus, sjukhuset",
    "ex, ex-boyfriend, ex-girlfriend, ex-husband, ex-wife, broke up, break up, breakup, dumped, exet, "
    "expojkvän, exflickvän, exman, exfru, gjorde slut, gjort slut, tog slut, dumpade, dumpad",
    "boyfriend, pojkvän, kille, killen, pojkvännen",
    "girlfriend, flickvän, tjej, tjejen, flickvännen",
    "war, bomb, bombs, bombing, soldier, soldiers, troops, invasion, refugee, fled, krig, kriget, bomber, "
    "bomberna, soldat, soldater, fronten, stupade, flykting, flydde, invasionen",
    "religion, religious, god, church, mosque, synagogue, pray, prays, prayer, bible, quran, faith, gud, "
    "religiös, kyrka, kyrkan, moské, moskén, synagoga, synagogan, be till, ber till, bön, bibeln, koranen",
    "politics, political, election, vote, party leader, government, politik, politisk, val, valet, rösta, "
    "regeringen, partiledare",
    "bullying, bully, bullied, teased, teasing, harassed, picked on, mobbning, mobbing, mobbad, mobbade, "
    "mobbar, mobba, retad, retade, trakasserad, trakasserier, utfryst, fryste ut, fryser ut",
    "violence, violent, hit, beaten, beat, abuse, abused, assault, våld, slog, slagen, misshandel, "
    "misshandlad, övergrepp, överfall",
    "self-harm, cutting, hurt myself, harm myself, självskada, självskadebeteende, skära mig, skar mig, "
    "skada mig",
    "suicide, suicidal, kill myself, självmord, ta livet, tog livet",
    "sex, sexual, porn, sexuell, sexuella, porr",
    "pregnancy, pregnant, miscarriage, abortion, gravid, graviditet, missfall, abort",
    "body, appearance, looks, ugly, kropp, kroppen, utseende, ful, fula",
    "grandmother, grandma, granny, gran, mormor, farmor",
    "grandfather, grandpa, grandad, morfar, farfar",
    "accident, crash, car crash, olycka, olyckan, krock, krocken, krockade",
    "dog, puppy, hund, hunden, valp, valpen",
    "cat, kitten, katt, katten, kattunge",
)
FAMILIES: tuple[tuple[str, ...], ...] = tuple(tuple(row.split(", ")) for row in _ROWS)


#: The share of a topic's information that a text must name: of "my brother's car crash" the crash is enough.
NAMED = 1 / 3
#: Words whose stem is that of a word they have nothing to do with ("vikt" is weight).
MISLEADING = frozenset({"viktig", "viktigt", "viktiga", "viktigare", "viktigast", "viktigaste"})
#: A word so long is also known inside a compound: at its end, and if it is longer still at its beginning.
ENDS, BEGINS = 5, 6
#: By so many standard deviations a text must be nearer to a topic than everyday sentences are.
STANDS_OUT = 2.0
#: Calibrated similarity below which nothing is about a topic, whatever everyday sentences are like.
LEAST = 0.55

Vector = NDArray[np.floating]
Phrase = tuple[str, ...]
#: a telling word of a topic, by their numbers
Part = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Nearness:
    """What it takes to be near a topic by meaning.

    Attributes:
        vectors: (n, d) of the topics, unit length.
        bounds: (n,) the cosine from which a text is about each.
    """

    vectors: NDArray[np.floating] = field(repr=False)
    bounds: NDArray[np.float64]

    @classmethod
    def of(
        cls, vectors: NDArray[np.floating], *, everyday: NDArray[np.floating], least_cosine: float
    ) -> "Nearness":
        """Return the bounds by how near everyday sentences are: one-word topics are far from every sentence.

        Args:
            vectors: (n, d) of the topics; everyday: (m, d) of plain sentences about anything; all of unit length.
            least_cosine: the cosine of the calibrated similarity `LEAST`.
        """
        cosines = vectors @ everyday.T
        bounds = cosines.mean(axis=1) + STANDS_OUT * cosines.std(axis=1)
        return cls(vectors=vectors, bounds=np.maximum(bounds, least_cosine).astype(np.float64))

    def has(self, vector: Vector) -> bool:
        """Tell whether a text's (d,) vector is near any topic."""
        return bool(np.any(self.vectors @ vector >= self.bounds))


@dataclass(frozen=True, kw_only=True)
class Avoider:
    """The topics that somebody avoids, as they are looked for.

    Attributes:
        single: by a stem, the telling words that it stands for; joined: the same by turns of several stems.
        shares: of each telling word, how much of its topic it is, 0 to 1.
    """

    single: Mapping[str, frozenset[Part]] = field(default_factory=dict, repr=False)
    joined: Mapping[Phrase, frozenset[Part]] = field(default_factory=dict, repr=False)
    shares: Mapping[Part, float] = field(default_factory=dict, repr=False)
    near: Nearness | None = None

    def __bool__(self) -> bool:
        return bool(self.shares)

    def avoids(self, text: str, vector: Vector | None = None) -> bool:
        """Tell whether a text is about one of the topics.

        Args:
            vector: (d,) of the text, unit length; without one its words alone decide.
        """
        if not self or not text:
            return False
        return self._names(text) or (self.near is not None and vector is not None and self.near.has(vector))

    def _names(self, text: str) -> bool:
        """Tell whether a text's words name a topic, judged once: choosing and composing ask about the same texts."""
        known = self._judged.get(text)
        if known is None:
            named: dict[int, float] = {}
            for topic, part in self._parts_in(text):
                named[topic] = named.get(topic, 0.0) + self.shares[topic, part]
            known = self._judged[text] = any(share >= NAMED for share in named.values())
        return known

    def _parts_in(self, text: str) -> set[Part]:
        found: set[Part] = set()
        rows = _stemmed(_split(text))
        # Most words are their own stem in both languages.
        stems = set().union(*rows)
        for stem in stems:
            found |= self._parts_of(stem)
        if not stems.isdisjoint(self._beginnings):
            for row in rows:
                for at, stem in enumerate(row):
                    if stem in self._beginnings:
                        for length in LENGTHS:
                            found |= self.joined.get(tuple(row[at : at + length]), _NONE)
        return found

    def _parts_of(self, stem: str) -> frozenset[Part]:
        """Return what a stem names, looked for once: what somebody is about to say is made of the same words."""
        known = self._known.get(stem)
        if known is None:
            pieces = _pieces(stem, longest=self._longest)
            known = self._known[stem] = _NONE.union(*(self.single.get(piece, _NONE) for piece in pieces))
        return known

    @cached_property
    def _judged(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _known(self) -> dict[str, frozenset[Part]]:
        return {}

    @cached_property
    def _longest(self) -> int:
        """The length of the longest word looked for."""
        return max(map(len, self.single), default=0)

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(phrase[0] for phrase in self.joined)


_NONE: frozenset[Part] = frozenset()
#: of the turns of several words
LENGTHS = (2, 3)


def make_avoider(texts: Sequence[str], *, near: Nearness | None = None) -> Avoider:
    """Return what looks for topics; without `near` by their words alone."""
    single: dict[str, frozenset[Part]] = {}
    joined: dict[Phrase, frozenset[Part]] = {}
    shares: dict[Part, float] = {}
    for topic, text in enumerate(texts):
        for number, (phrases, share) in enumerate(_parts(text)):
            part = (topic, number)
            shares[part] = share
            for phrase in phrases:
                if len(phrase) == 1:
                    single[phrase[0]] = single.get(phrase[0], _NONE) | {part}
                else:
                    joined[phrase] = joined.get(phrase, _NONE) | {part}
    return Avoider(single=single, joined=joined, shares=shares, near=near)


def _parts(text: str) -> list[tuple[frozenset[Phrase], float]]:
    """Return what must be named: each telling word with its family, and how much of the topic it is."""
    found = _split(text)
    telling = [word for word in found if all(tokens(word, language) for language in LANGUAGES)] or found
    if not telling:
        return [(frozenset({(fold_words(text),)}), 1.0)]
    bits = np.maximum(word_information(telling, "en"), word_information(telling, "sv"))
    shares = bits / bits.sum() if bits.sum() else np.full(len(telling), 1 / len(telling))
    whole = frozenset(map(tuple, _stemmed(found)))
    family = _family(whole)
    if len(found) > 1 and family > whole:
        return [(family, 1.0)]
    return [
        (_family(frozenset(map(tuple, _stemmed([word])))), float(share))
        for word, share in zip(telling, shares, strict=True)
    ]


def _family(phrases: frozenset[Phrase]) -> frozenset[Phrase]:
    families = _families()
    return phrases.union(*(families[phrase] for phrase in phrases if phrase in families))


@cache
def _families() -> Mapping[Phrase, frozenset[Phrase]]:
    """Return by each word or turn of words all that speaks of the same."""
    found: dict[Phrase, frozenset[Phrase]] = {}
    for family in FAMILIES:
        phrases = frozenset(tuple(row) for entry in family for row in _stemmed(_split(entry)))
        for phrase in phrases:
            found[phrase] = found.get(phrase, frozenset()) | phrases
    return found


def _split(text: str) -> list[str]:
    return [part for word in words(text) for part in word.split("-") if part and part not in MISLEADING]


def _stemmed(found: list[str]) -> list[list[str]]:
    """Return words as stems of each language, and as they are."""
    return [*(stem_words(found, language) for language in LANGUAGES), found]


def _pieces(stem: str, *, longest: int) -> Iterator[str]:
    """Yield a stem, and what may be a word of its own, no longer than `longest`, at the end or beginning of a compound."""
    yield stem
    ends = min(len(stem), longest + 1)
    for length in range(ENDS, ends):
        yield stem[-length:]
    for length in range(BEGINS, ends):
        yield stem[:length]
