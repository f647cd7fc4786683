"""What a person's message says that is worth keeping: its measure, and its single statements.

Everything is offline. A statement keeps the person's own words and its place in the message; nothing is rewritten,
so a memory can always be traced to, and checked against, what was said.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion_site import language as lang
from companion_site.language import Language
from memory import prototypes as cues
from memory.algorithms import snr
from memory.prototypes import MODALITIES, Embed, Modality, Prototypes, load_prototypes

MOST_STATEMENTS = 12
# Longer runs without a full stop are cut at a comma or a space, so that no memory is a page.
LONGEST_SEGMENT = 400
# A clause is only split off where both sides are at least this many words, or two with a pronoun ("I know, but …").
SHORTEST_CLAUSE_WORDS = 3
KNOWN_SHARE = 0.5
# Nearest sentences that vote on a modality; three of the twelve or more that each has.
VOTES = 3
PLAIN_CONFIDENCE = 0.9
HEDGED_CONFIDENCE = 0.65
# What a cue is worth beside the vote, which seldom parts two modalities by more than .2.
CUE_WEIGHT = 0.5
# What a vote for a way of working or for the senses must lead by where no word speaks for it: most talk is neither.
RARE_KIND_LEAD = 0.1
# A vote's valence below this is no feeling at all; measured on tests/data/statements.json, even rows.
NEUTRAL_VALENCE = 0.55
WORDED_VALENCE = 0.7
# "Not sad" is better than sad, and less than glad.
DENIED_BAD = 0.5
# What is added to a statement's salience, as a share of what is missing to 1: how to help somebody holds for every
# talk to come, and what was felt is remembered longer than what was plain.
PROCEDURAL_SALIENCE = 0.3
FELT_SALIENCE = 0.15


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a person said.

    Attributes:
        text: word for word, `message[start:end]`.
        start: where it begins in the sanitised message, in characters.
        end: where it ends.
        modality: which kind of memory it is.
        valence: -1 (bad for the person) to 1 (good), 0 plain.
        confidence: 0..1, how sure the person sounded.
        salience: 0..1, half at the signal of 100 where storing begins.
    """

    text: str
    start: int
    end: int
    modality: Modality
    valence: float
    confidence: float
    salience: float


@dataclass(frozen=True, slots=True)
class _Segment:
    start: int
    end: int
    prose: str


def measure(
    text: str, *, language: Language, novelty: float = 1.0, params: snr.SnrParams = snr.DEFAULT_PARAMS
) -> float:
    """Return the signal-to-noise ratio of a message; code, addresses and quoted lines do not count."""
    prose = lang.hide_foreign(text)
    clauses = dict.fromkeys(segment.prose.casefold() for segment in _segment(prose, language))
    spoken = [
        clause for clause in clauses if _is_first_person(clause, language) and _is_statement(clause, language)
    ]
    return _measure_prose(prose, language, first_person=len(spoken), novelty=novelty, params=params)


def _measure_prose(
    prose: str,
    language: Language,
    *,
    first_person: int,
    novelty: float = 1.0,
    params: snr.SnrParams = snr.DEFAULT_PARAMS,
) -> float:
    return snr.signal(
        lang.word_information(list(dict.fromkeys(lang.words(prose))), language),
        names=len(lang.find_names(prose)),
        numbers=len(set(lang.find_numbers(prose))),
        dates=len({date.casefold() for date in lang.find_dates(prose)}),
        first_person=first_person,
        novelty=novelty,
        params=params,
    )


def distil(
    text: str, *, language: Language, embed: Embed, model: str = "default", limit: int = MOST_STATEMENTS
) -> list[Statement]:
    """Return the single statements of a person's message, in order.

    Greetings, thanks, filler, bare questions, requests for one task, code, addresses and quoted lines are left out.

    Args:
        text: the message, already sanitised; spans point into it.
        language: the message's language.
        embed: texts to (n, d) float32 unit rows; called once for the statements, once a process for the prototypes.
        model: names the embedder, under which the prototypes' vectors are kept.
        limit: the most statements to keep; the most salient ones stay.
    """
    segments = _choose(text, language, limit)
    if not segments:
        return []
    prototypes = load_prototypes(embed, model=model)
    vectors = prototypes.centre(embed([text[segment.start : segment.end] for segment in segments]))
    return [
        _describe(text, segment, language, prototypes, vector)
        for segment, vector in zip(segments, vectors, strict=True)
    ]


def find_gaps(statements: Sequence[Statement], *, message: str) -> list[str]:
    """Return what the message says between each statement and the one before it; the first has none.

    Only the last forty characters: a connective ("because") stands right before what it connects.
    """
    return [""] * bool(statements) + [message[one.end : two.start][-40:] for one, two in pairwise(statements)]


# --- splitting ------------------------------------------------------------------------------------------------------

_BOUNDARY = re.compile(r"(?<![.!?…])[.!?…]++[\"')\]»”]{0,3}(?=\s)|\n+|;(?=\s)|\s[\u2013\u2014]\s")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|vs|approx|no|t\.ex|bl\.a|d\.v\.s|dvs|o\.s\.v|m\.m|ca|kl|nr|s\.k|f\.d"
    r"|p\.g\.a|t\.o\.m|fr\.o\.m|[a-zåäö])\.$",
    re.IGNORECASE,
)
_SUBJECTS: dict[Language, str] = {
    "en": r"(?:i|i'm|i've|i'd|i'll|we|we're|he|she|it|it's|they|my|our|his|her|that's)",
    "sv": r"(?:jag|vi|han|hon|hen|det|de|dom|min|mitt|mina|vår|vårt|hans|hennes|därför)",
}
_CONJUNCTIONS: dict[Language, str] = {
    "en": r"(?:,\s{1,3}(?:but|so|and)|\s(?:but|because))",
    "sv": r"(?:,\s{1,3}(?:men|så|och)|\s(?:men|eftersom|därför\satt))",
}
_REQUEST_START = (
    r"(?:please|so please|can you|could you|could we|will you|would you|snälla|kan du|kan vi|kunde du|skulle du"
    r"|förklara|ge mig|visa mig|hjälp mig|explain|help me|did you|do you|vet du|what|how|why|vad|hur|varför)"
)
_CLAUSES: dict[Language, re.Pattern[str]] = {
    code: re.compile(
        rf"{_CONJUNCTIONS[code]}\s{{1,3}}(?={_SUBJECTS[code]}\b)|,\s{{1,3}}(?:(?:and|so|but|och|så|men)\s)?(?={_REQUEST_START}\b)",
        re.IGNORECASE,
    )
    for code in _SUBJECTS
}
_BECAUSE = re.compile(r"because|eftersom|därför\satt", re.IGNORECASE)
_SO = re.compile(r",\s+(?:so|så)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|when|whenever|om|ifall|när|så fort|as soon as)\b", re.IGNORECASE
)
_OPENING = re.compile(
    r"[\s\-*•,.!?…:;)\]]*(?:\d{1,2}[.)]\s)?(?:(?:hi|hello|hey|hejsan|hej|tjena|hallå)(?: there| på dig| hej)?\b[\s,.!:]*"
    r"|(?:ok|okay|okej|well|thanks|thank you|tack|yes|yeah|no|ja|nej|jo|jaha|oh|åh|alright|sure|good|great|cool|nice|perfect|right|visst|bra|fint|toppen|perfekt|precis|but|and|so|men|och)[,.!:]\s+){0,3}",
    re.IGNORECASE,
)


def _segment(prose: str, language: Language) -> Iterator[_Segment]:
    """Yield the sentences of a message, and their clauses where a split is safe, as trimmed spans."""
    for start, end in _split_sentences(prose):
        for piece_start, piece_end in _split_length(prose, start, end):
            for clause_start, clause_end in _split_clauses(prose, piece_start, piece_end, language):
                segment = _trim(prose, clause_start, clause_end)
                if segment is not None:
                    yield segment


def _split_sentences(prose: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _BOUNDARY.finditer(prose):
        if match.group() == "." and _ABBREVIATION.search(prose[max(start, match.end() - 10) : match.end()]):
            continue
        yield start, match.end()
        start = match.end()
    yield start, len(prose)


def _split_length(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST_SEGMENT:
        limit = start + LONGEST_SEGMENT
        cut = (
            max(prose.rfind(",", start, limit), prose.rfind(" ", start, limit))
            if " " in prose[start:limit]
            else limit
        )
        comma = prose.rfind(", ", start + LONGEST_SEGMENT // 2, limit)
        cut = comma if comma > 0 else cut
        yield start, max(cut, start + 1)
        start = max(cut, start + 1)
    yield start, end


def _split_clauses(prose: str, start: int, end: int, language: Language) -> Iterator[tuple[int, int]]:
    """Yield the clauses of a sentence that can stand alone.

    A split after "if" or "when" would state what was only supposed; one before "because" in a denial would lose what
    is denied ("I'm not sad because I failed").
    """
    for match in _CLAUSES[language].finditer(prose, start, end):
        left, right = prose[start : match.start()], prose[match.end() : end]
        if not (_stands_alone(left) and _stands_alone(right)) or _CONDITION.search(left):
            continue
        if _BECAUSE.search(match.group()) and cues.NEGATION.search(left):
            continue
        yield start, match.start()
        start = match.end()
    yield start, end


def _stands_alone(clause: str) -> bool:
    return len(clause.split()) >= SHORTEST_CLAUSE_WORDS - bool(_SOMEBODY.match(clause.lstrip()))


def _trim(prose: str, start: int, end: int) -> _Segment | None:
    opening = _OPENING.match(prose, start, end)
    start = opening.end() if opening else start
    stripped = prose[start:end].rstrip(" \t\n,;\u2013\u2014")
    leading = len(stripped) - len(stripped.lstrip())
    return _Segment(start + leading, start + len(stripped), stripped.lstrip()) if stripped.strip() else None


# --- what is a statement --------------------------------------------------------------------------------------------

_QUESTION = re.compile(
    r"(?:(?:but|and|so|men|och|så)\s)?(?:(?:what|how|why|where|who|which|when|whose)\s(?:is|are|was|were|do|does|did|can|could|should|would|will"
    r"|about|if|many|much)\b|what's|how's|(?:can|could|would|will|do|does|did|is|are|should|may|have)\s(?:you|i|we|it|there|this|that)\b"
    r"|(?:vad|hur|varför|var|vem|vilken|vilket|vilka)\s(?:är|var|gör|gjorde|kan|ska|skulle|menar|betyder|händer|många|mycket|heter|blir"
    r"|ser|löser|fungerar|räknar|skriver|tycker)\b|(?:kan|kunde|skulle|får|ska|är|har|vet|tror|tycker|vill|förstår)\s(?:du|jag|vi|man|det|ni)\b)",
    re.IGNORECASE,
)
_TAG_QUESTION = re.compile(r",\s(?:right|ok|okay|you know|eller hur|va|visst)\?$", re.IGNORECASE)
_TASK = re.compile(
    r"(?:please |snälla |can you |kan du )?(?:help|explain|tell|give|show|write|make|summari[sz]e|translate|list|continue|solve"
    r"|repeat|check|hjälp|förklara|berätta|ge|visa|skriv|gör|sammanfatta|översätt|lista|fortsätt|lös|upprepa|kolla)\b(?!\s(?:not|inte))",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"(?:(?:ok|okay|okej|well|yes|yeah|no|ja|nej|jo|jaha|oh|hm+|great|cool|bra|fint|sure|visst)[\s,.!]+){0,3}(?:i (?:see|know|understand|think so|guess(?: so)?|don't know|do)|i got it|got it|(?:that )?(?:sounds|looks|is|that's) (?:good|great|fine|ok)"
    r"|that's (?:good|great|fine|ok)|see you(?: \w+){0,2}|thank(?:s| you)(?: \w+){0,4}|have a (?:good|nice) \w+|good (?:morning|night|evening|afternoon)"
    r"|jag (?:förstår|vet(?: inte)?|fattar|tror det|hänger med)|då vet jag|det (?:låter|är|var) (?:bra|lugnt|okej)|vi (?:ses|hörs)(?: \w+){0,2}"
    r"|tack(?: \w+){0,5}|ha en bra \w+|god (?:morgon|natt|kväll)|hej då|nice one|(?:och )?(?:you|du) då)[\s.!]*",
    re.IGNORECASE,
)
_FIRST_PERSON: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE),
    "sv": re.compile(r"\b(?:jag|mig|mej|min|mitt|mina|vi|oss|vår|vårt|våra)\b", re.IGNORECASE),
}
_SOMEBODY = re.compile(
    r"(?:i|i'm|i've|we|he|she|they|jag|vi|han|hon|hen|de|dom|mamma|pappa|mum|mom|dad)\b", re.IGNORECASE
)


def _is_first_person(prose: str, language: Language) -> bool:
    return _FIRST_PERSON[language].search(prose) is not None


def _is_statement(prose: str, language: Language) -> bool:
    """Tell whether a clause says something: no question, task or filler, and mostly made of known words."""
    plain = prose.replace("\u2019", "'")
    found = lang.words(plain)
    if _FILLER.fullmatch(plain) or not found or lang.share_known(found, language) <= KNOWN_SHARE:
        return False
    if _is_question(plain) or _TASK.match(plain):
        return cues.MANNER.search(plain) is not None
    content = set(lang.tokens(plain, language))
    return (
        bool(content) if _SOMEBODY.match(plain) and len(found) > 1 else len(content) >= 2 and len(found) >= 3
    )


def _is_question(plain: str) -> bool:
    asked = plain.endswith("?") and not _TAG_QUESTION.search(plain)
    return asked or _QUESTION.match(plain) is not None


def _choose(text: str, language: Language, limit: int) -> list[_Segment]:
    """Return at most `limit` distinct statements' spans, the ones with the highest signal, in order."""
    prose = lang.hide_foreign(text)
    distinct: dict[str, _Segment] = {}
    for segment in _segment(prose, language):
        distinct.setdefault(segment.prose.casefold(), segment)
    kept = [segment for segment in distinct.values() if _is_statement(segment.prose, language)]
    if len(kept) <= limit:
        return kept
    ranked = sorted(kept, key=lambda segment: -_signal_of(segment, language))
    return sorted(ranked[:limit], key=lambda segment: segment.start)


def _signal_of(segment: _Segment, language: Language) -> float:
    return _measure_prose(
        segment.prose, language, first_person=int(_is_first_person(segment.prose, language))
    )


# --- what kind of statement -----------------------------------------------------------------------------------------


def _describe(
    text: str, segment: _Segment, language: Language, prototypes: Prototypes, vector: NDArray[np.float32]
) -> Statement:
    plain = segment.prose.replace("\u2019", "'")
    likeness = (prototypes.vectors @ vector).astype(np.float64)
    modality = _name_modality(plain, likeness, prototypes)
    valence = _measure_valence(plain, likeness, prototypes)
    return Statement(
        text=text[segment.start : segment.end],
        start=segment.start,
        end=segment.end,
        modality=modality,
        valence=valence,
        confidence=HEDGED_CONFIDENCE if cues.HEDGE.search(plain) else PLAIN_CONFIDENCE,
        salience=_measure_salience(_signal_of(segment, language), modality, valence),
    )


def _measure_salience(signal: float, modality: Modality, valence: float) -> float:
    missing = snr.DEFAULT_PARAMS.bands[0] / (signal + snr.DEFAULT_PARAMS.bands[0])
    if modality == "procedural":
        missing *= 1.0 - PROCEDURAL_SALIENCE
    return 1.0 - missing * (1.0 - FELT_SALIENCE * abs(valence))


_RARE_KINDS = np.array([modality in ("procedural", "sensory") for modality in MODALITIES], dtype=np.float64)


def _name_modality(plain: str, likeness: NDArray[np.float64], prototypes: Prototypes) -> Modality:
    votes = np.array(
        [
            np.sort(likeness[prototypes.modalities == index])[-VOTES:].mean()
            for index in range(len(MODALITIES))
        ]
    )
    return MODALITIES[int(np.argmax(votes + CUE_WEIGHT * _weigh_cues(plain) - RARE_KIND_LEAD * _RARE_KINDS))]


def _weigh_cues(plain: str) -> NDArray[np.float64]:
    """Return (5,) what the words themselves say of each modality, 0..1, in the order of `MODALITIES`."""
    wants = cues.PREFERENCE.search(plain) or (
        (_TASK.match(plain) or _is_question(plain)) and cues.MANNER.search(plain)
    )
    happened = bool(lang.find_dates(plain)) and not cues.HABIT.search(plain)
    return np.array(
        [
            0.6 * happened,
            0.0,
            1.0 * bool(wants),
            0.8 * bool(cues.FEELING.search(plain)),
            0.9 * bool(cues.SENSES.search(plain)),
        ]
    )


def _measure_valence(plain: str, likeness: NDArray[np.float64], prototypes: Prototypes) -> float:
    """Return -1..1: by the words where they speak, turned round by a negation; else by the likest sentences."""
    worded = sum(_sign_words(plain, cues.GOOD, 1.0, -1.0)) + sum(
        _sign_words(plain, cues.BAD, -1.0, DENIED_BAD)
    )
    if worded:
        return float(np.clip(WORDED_VALENCE * worded, -1.0, 1.0))
    nearest = np.argsort(likeness)[-2 * VOTES :]
    weights = np.maximum(likeness[nearest], 0.0)
    if not weights.any():
        return 0.0
    voted = float(np.average(prototypes.valences[nearest], weights=weights))
    return 0.0 if abs(voted) < NEUTRAL_VALENCE else float(np.clip(voted, -1.0, 1.0))


def _sign_words(plain: str, vocabulary: re.Pattern[str], said: float, denied: float) -> Iterator[float]:
    """Yield `said` for each word of the vocabulary, `denied` where a negation stands close before or right after it."""
    for match in vocabulary.finditer(plain):
        before = " ".join(re.split(r"[,;:]", plain[: match.start()])[-1].split()[-3:])
        after = plain[match.end() :].lstrip().partition(" ")[0]
        yield denied if cues.NEGATION.search(before) or cues.NEGATION.fullmatch(after.rstrip(".!,")) else said
