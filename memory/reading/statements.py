"""What a person's message says that is worth keeping: its measure, and its single statements.

A statement is a sentence of theirs, word for word with its place in the message, so a memory can always be traced to, and checked
against, what was said. Which sentences are kept is the reader's to say (`memory/reading/`): what asks, what is only talk, quoted,
supposed or played, and what is over tomorrow is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from companion_site import language as lang
from companion_site.embeddings.protocol import Embedder
from companion_site.language import Language
from memory.algorithms import snr
from memory.reading.budget import Allowance
from memory.reading.heads import Told
from memory.reading.params import READING, ReadingParams
from memory.reading.service import danger_chances, get_heads, wish_chances
from memory.reading.splitter import Sentence, split_sentences
from memory.reading.words import find_words, is_hedged, table, tables_of, words_of

Modality = Literal["episodic", "semantic", "procedural", "emotional", "sensory"]
#: what most statements are
USUAL: Modality = "semantic"
GLAD, SAD = ("joy", "calm"), ("sadness", "anxiety", "loneliness")
MOST_STATEMENTS = 40
#: So many sentences are read at a time; between two such parts it is asked whether there is time for more.
AT_A_TIME = 16
#: A sentence of so few words may need its neighbour to mean anything.
SHORT_WORDS = 5
#: Of facts judged by themselves (`bench/data/sheets`), among the first so many words of .54 of those that are not understood alone one
#: points back, and of .10 of the others.
POINTING_WORDS = 4
#: and they stand among so many characters
POINTING_CHARS = 100
# What is said once, plainly: whether it was meant so, and stays so, only being said again tells.
PLAIN_CONFIDENCE = 0.8
HEDGED_CONFIDENCE = 0.65
# Of what was not read nobody knows what it is worth: as much as what is just worth storing.
UNREAD_SALIENCE = 0.5
# What is added to a statement's salience, as a share of what is missing to 1: how to help somebody holds for every
# talk to come, and what was felt is remembered longer than what was plain.
PROCEDURAL_SALIENCE = 0.3
FELT_SALIENCE = 0.15


#: how likely a sentence is to be kept, and its vector
Worth = tuple[float, Sentence, NDArray[np.float32]]


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
        is_sure: whether its modality may be taken for granted.
        danger: 0..1, how likely it speaks of danger by itself.
    """

    text: str
    start: int
    end: int
    modality: Modality
    valence: float
    confidence: float
    salience: float
    is_sure: bool = True
    danger: float = 0.0


def measure(text: str, *, language: Language, novelty: float = 1.0) -> float:
    """Return the signal-to-noise ratio of a message; code, addresses and quoted lines do not count."""
    prose = lang.hide_foreign(text)
    said = dict.fromkeys(prose[one.start : one.end].casefold() for one in split_sentences(prose))
    return snr.signal(
        lang.word_information(list(dict.fromkeys(lang.words(prose))), language),
        names=len(lang.find_names(prose)),
        numbers=len(set(lang.find_numbers(prose))),
        dates=len({date.casefold() for date in lang.find_dates(prose)}),
        first_person=sum(_is_of_oneself(sentence) for sentence in said),
        novelty=novelty,
    )


def _is_of_oneself(sentence: str) -> bool:
    words = find_words(sentence)
    return bool(tables_of(words)["self"].intersection(words))


def find_statements(
    text: str,
    *,
    language: Language,
    embedder: Embedder,
    limit: int = MOST_STATEMENTS,
    is_talk: bool = True,
    allowance: Allowance | None = None,
    params: ReadingParams = READING,
) -> list[Statement]:
    """Return the sentences of a person's message that are worth keeping, in order; a short one with what it leans on.

    Args:
        text: the message, already sanitised; spans point into it.
        language: the message's language.
        limit: the most statements to keep; those most worth keeping stay.
        is_talk: False of what was written to be remembered, as a lesson or an observation: all of it is.
        allowance: notes where reading ended, if it was spent before the end.

    Raises:
        EmbeddingError: the embedder cannot be asked.
    """
    prose = lang.hide_foreign(text)
    sentences = list({prose[one.start : one.end].casefold(): one for one in split_sentences(prose)}.values())
    kept: list[Worth] = []
    for first in range(0, len(sentences), AT_A_TIME):
        part = sentences[first : first + AT_A_TIME]
        if allowance is not None and allowance.is_spent:
            allowance.unread_from = part[0].start
            break
        least = params.keep if is_talk else 0.0
        rows = _read(prose, part, embedder, params)
        for chance, one, vector in _join_leaning(prose, rows, embedder, params) if is_talk else rows:
            sentence = prose[one.start : one.end]
            if chance >= least and lang.words(sentence) and not (is_talk and stands_for_another(sentence)):
                kept.append((chance, one, vector))
    kept = sorted(sorted(kept, key=lambda row: -row[0])[:limit], key=lambda row: row[1].start)
    vectors = np.array([vector for *_, vector in kept], np.float32)
    return _describe(text, prose, [one for _, one, _ in kept], language, vectors, embedder)


def _join_leaning(
    prose: str,
    rows: list[Worth],
    embedder: Embedder,
    params: ReadingParams,
) -> list[Worth]:
    """Join a short sentence that is hardly worth keeping alone ("We won the bidding! Farsta.") with the one before it, or, first,
    with the one after it; where the two are not worth keeping either, each stays by itself.
    """

    def leans(row: Worth) -> bool:
        chance, one, _ = row
        return (
            params.leans <= chance < params.keep
            and len(lang.words(prose[one.start : one.end])) <= SHORT_WORDS
        )

    def stand_together(one: Sentence, other: Sentence) -> bool:
        between = prose[one.end : other.start]
        asks = prose[: one.end].endswith("?") or prose[: other.end].endswith("?")
        return one.end <= other.start and not (between.strip() or "\n" in between or asks)

    groups: list[list[Worth]] = []
    for row in rows:
        together = groups and stand_together(groups[-1][-1][1], row[1])
        if together and (leans(row) or all(map(leans, groups[-1]))):
            groups[-1].append(row)
        else:
            groups.append([row])
    joined = [
        Sentence(
            group[0][1].start,
            group[-1][1].end,
            tuple(clause for _, one, _ in group for clause in one.clauses),
        )
        for group in groups
        if len(group) > 1
    ]
    if not joined:
        return rows
    read = {
        one.start: (chance, one, vector) for chance, one, vector in _read(prose, joined, embedder, params)
    }
    found = []
    for group in groups:
        whole = read.get(group[0][1].start)
        found += [whole] if whole is not None and whole[0] >= params.keep else group
    return found


def points_back(text: str) -> bool:
    """Tell whether a statement begins by pointing at what was said before it: "They loved it", "It was on Friday"."""
    first = {word.split("'")[0] for word in find_words(text[:POINTING_CHARS])[:POINTING_WORDS]}
    return any(
        not first.isdisjoint(words) for words in (table("others"), words_of("questions.json", "pointing"))
    )


def stands_for_another(text: str) -> bool:
    """Tell what is put in the place of something else, as "[shares a picture: …]", from words: it claims nothing."""
    return text.startswith("[") and text.rstrip(".").endswith("]")


def _read(
    prose: str, sentences: Sequence[Sentence], embedder: Embedder, params: ReadingParams
) -> list[Worth]:
    """Return how likely each sentence is to be kept, with its vector.

    The mean of the sentence's own chance and that of its best clause: one clause of a sentence can be a fact in much talk. How
    somebody wants to be helped is kept, though it is a request in form.
    """
    whole = [(one.start, one.end) for one in sentences]
    clauses = [(clause.start, clause.end) for one in sentences for clause in one.clauses]
    vectors = embedder.embed([prose[slice(*span)] for span in (*whole, *clauses)])
    (around,) = embedder.embed([prose])
    heads = get_heads(embedder)
    told = heads.read_parts("unit", prose, [*whole, *clauses], vectors, around)["class"]
    keep = told.probabilities[:, told.classes.index("keep")].astype(np.float64)
    wish = wish_chances([prose[slice(*span)] for span in (*whole, *clauses)], vectors, heads)
    begins = len(whole) + np.cumsum([0, *(len(one.clauses) for one in sentences)])[:-1]
    best, wished = ([part.max() for part in np.split(all_of, begins)[1:]] for all_of in (keep, wish))
    chances = (keep[: len(whole)] + best) / 2
    # Of labelled parts 4 of 1,303 worth keeping end so, and half of all questions.
    asks = [len(one.clauses) < 2 and prose[: one.end].endswith("?") for one in sentences]
    chances[np.array(asks, bool)] = 0.0
    wanted = np.maximum(wish[: len(whole)], wished) >= params.standing_wish
    chances = np.where(wanted, np.maximum(chances, params.keep), chances)
    return list(zip(chances.tolist(), sentences, vectors[: len(whole)], strict=True))


def keep_whole(text: str, start: int, *, embedder: Embedder) -> Statement:
    """Return the rest of a message as one statement, just as it stands: what nobody had the time to read is kept.

    Whether it speaks of danger is read all the same.
    """
    rest = text[start:].strip()
    begin = text.index(rest, start)
    return Statement(
        text=rest,
        start=begin,
        end=begin + len(rest),
        modality="episodic",
        valence=0.0,
        confidence=PLAIN_CONFIDENCE,
        salience=UNREAD_SALIENCE,
        danger=float(
            danger_chances([rest], embedder.embed([lang.as_sentence(rest)]), get_heads(embedder))[0]
        ),
    )


def as_statement(text: str, *, language: Language, embedder: Embedder) -> Statement:
    """Return what somebody wrote down to be remembered as the one statement that it is."""
    (statement,) = _describe(
        text, text, [Sentence(0, len(text), ())], language, embedder.embed([text]), embedder
    )
    return statement


def find_gaps(statements: Sequence[Statement], *, message: str) -> list[str]:
    """Return what the message says between each statement and the one before it; the first has none.

    Only the last forty characters: a connective ("because") stands right before what it connects.
    """
    return [""] * bool(statements) + [message[one.end : two.start][-40:] for one, two in pairwise(statements)]


# --- what kind of statement -----------------------------------------------------------------------------------------


def _describe(
    text: str,
    prose: str,
    sentences: Sequence[Sentence],
    language: Language,
    vectors: NDArray[np.float32],
    embedder: Embedder,
) -> list[Statement]:
    told = [prose[one.start : one.end] for one in sentences]
    if not told:
        return []
    heads = get_heads(embedder)
    kinds = heads.read_texts("fact", told, vectors)["modality"]
    read = heads.read_texts("utterance", told, vectors)
    found = []
    for row, (one, plain) in enumerate(zip(sentences, told, strict=True)):
        modality, is_sure, valence = _read_character(kinds, read["emotion"], row)
        found.append(
            Statement(
                text=text[one.start : one.end],
                start=one.start,
                end=one.end,
                modality=modality,
                valence=valence,
                confidence=HEDGED_CONFIDENCE if is_hedged(plain) else PLAIN_CONFIDENCE,
                salience=_measure_salience(measure(plain, language=language), modality, valence),
                is_sure=is_sure,
                danger=read["danger"].of("danger", row),
            )
        )
    return found


def _read_character(kinds: Told, feelings: Told, row: int) -> tuple[Modality, bool, float]:
    """Return which kind of memory a statement is, whether surely, and how it feels; how well: docs/algorithms/reading.md."""
    chance, modality = max((kinds.of(name, row), name) for name in get_args(Modality) if name != USUAL)
    if chance < READING.of_its_kind:
        modality = USUAL
    glad, sad = (sum(feelings.of(name, row) for name in names) for names in (GLAD, SAD))
    felt = max(feelings.of(name, row) for name in (*GLAD, *SAD))
    sure = {"emotional": felt >= READING.surely_felt, "episodic": chance >= READING.event}
    valence = glad - sad if abs(glad - sad) >= READING.feeling else 0.0
    return modality, sure.get(modality, True), valence


def _measure_salience(signal: float, modality: Modality, valence: float) -> float:
    missing = snr.SNR.bands[0] / (signal + snr.SNR.bands[0])
    if modality == "procedural":
        missing *= 1.0 - PROCEDURAL_SALIENCE
    return 1.0 - missing * (1.0 - FELT_SALIENCE * abs(valence))
