"""What the heads see: vectors of the bundled embedder in fewer dimensions, runs of letters, and a few plain facts. Pure numpy.

The same functions make the features of training and of reading, so that no head meets anything it was not trained on.
"""

import re
from binascii import crc32
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.isotropy import unit_rows
from memory.reading.splitter import split
from memory.reading.values import Values, numbers_agree
from memory.reading.words import Table, find_words, tables_of

Floats = NDArray[np.float32]
#: Of words, the digests of their runs of letters, four bytes each.
Runs = dict[str, bytes]

#: Runs of three to five letters are counted in so many buckets; 2^12 did as well as 2^15.
BUCKETS = 4096
RUNS = (3, 4, 5)
#: Of a longer text, letters are counted so far.
LONGEST = 2_000
_IN_PART: tuple[Table, ...] = ("self", "you", "others", "supposing", "denying", "telling")
_BEFORE: tuple[Table, ...] = ("supposing", "telling", "playing")
_AROUND: tuple[Table, ...] = ("telling", "playing", "joking")
_CODE = re.compile(r"[{}<>=;\\]")


def count_runs(text: str) -> dict[int, float]:
    """Return signed counts of a text's runs of letters by bucket, damped: log(1 + count). Word ends count as a space."""
    (counts,) = _count_runs([text], {})
    return {int(bucket): float(counts[bucket]) for bucket in np.flatnonzero(counts)}


def letters(texts: Sequence[str], rarity: Floats | None, *, known: Runs | None = None) -> Floats:
    """Return (n, BUCKETS) unit rows of runs of letters, each weighed by its rarity, (BUCKETS,), where that is known.

    Args:
        known: words that were taken apart before, to which those of these texts are added.
    """
    rows = _count_runs(texts, {} if known is None else known)
    if rarity is not None:
        rows *= rarity
    return unit_rows(rows)


def _count_runs(texts: Sequence[str], known: Runs) -> Floats:
    """Return (n, BUCKETS) damped counts; a word that is known, or stands in several texts, is taken apart once."""
    told = [text[:LONGEST].casefold().split() for text in texts]
    known.update({word: _digest_runs(word) for words in told for word in words if word not in known})
    runs = [np.frombuffer(b"".join([known[word] for word in words]), np.uint32) for words in told]
    digests = np.concatenate([np.zeros(0, np.uint32), *runs])
    places = np.repeat(np.arange(len(texts)) * BUCKETS, [len(each) for each in runs]) + digests % BUCKETS
    counts = np.zeros(len(texts) * BUCKETS, np.float32)
    np.add.at(counts, places, np.where(digests & 0x8000_0000, np.float32(1), np.float32(-1)))
    counted = counts[places].astype(np.float64)
    counts[places] = np.sign(counted) * np.log1p(np.abs(counted))
    return counts.reshape(-1, BUCKETS)


def _digest_runs(word: str) -> bytes:
    padded = f" {word} "
    runs = [
        padded[start : start + length] for length in RUNS for start in range(max(len(padded) - length + 1, 1))
    ]
    return np.array([crc32(run.encode("utf-8", "replace")) for run in runs], np.uint32).tobytes()


def describe_unit(message: str, start: int, end: int) -> list[float]:
    """Return what is plain about a part of a message: its place, marks, frames and whom it speaks of."""
    part, before, after = message[start:end], message[:start], message[end : end + 2]
    words, around = find_words(part), set(find_words(message[:4_000]))
    earlier = set(find_words(before[-2_000:]))
    frames = {frame for clause in split(part, limit=20) for frame in clause.frames}
    said, n, tables = set(words), max(len(message), 1), tables_of(around)
    marks = sum(before.count(mark) for mark in '"“”„«»')
    return [
        min(len(words), 60) / 20,
        min(len(around), 180) / 60,
        start / n,
        end / n,
        float(start == 0),
        float(end >= n - 1),
        len(part) / n,
        float("?" in part or after[:1] == "?"),
        float("?" in message),
        float("?" in before),
        float(marks % 2 == 1 or part[:1] in "\"“”„«»'"),
        float(any(mark in part for mark in '"“”„«»')),
        float(":" in before),
        float(before.rstrip()[-1:] == ":"),
        float("\n" in before),
        min(message.count("\n"), 10) / 5,
        float("!" in part or after[:1] == "!"),
        float(after[:1] in {",", ""}),
        float(bool(_CODE.search(part))),
        float(any(char.isdigit() for char in part)),
        float(part[:1].isupper()),
        *(float(bool(tables[name] & said)) for name in _IN_PART),
        *(float(bool(tables[name] & earlier)) for name in _BEFORE),
        *(float(bool(tables[name] & around)) for name in _AROUND),
        float(bool(words) and words[0] in tables["self"]),
        float("asked" in frames),
    ]


def describe_pair(
    earlier: str,
    later: str,
    cosine: float,
    *,
    values: Mapping[str, Values],
    is_company: bool,
    nearest: float,
    place: int,
) -> list[float]:
    """Return what is plain about two statements, one said before the other: what they share, name, count and deny.

    Args:
        values: of either, by its words.
        nearest: the cosine of the nearest of all that the later one is compared with; `place` of them are nearer than this.
    """
    one, other = values[earlier], values[later]
    shared = len(one.stems & other.stems)
    agree = numbers_agree(one, other)
    return [
        cosine,
        cosine * cosine,
        shared / max(len(one.stems), 1),
        shared / max(len(other.stems), 1),
        min(shared, 10) / 5,
        float(agree is True),
        float(agree is False),
        float(bool(one.quantities) != bool(other.quantities)),
        *_names(one, other),
        float(other.is_denied),
        float(one.is_denied),
        float(one.is_denied != other.is_denied),
        float(other.is_ending),
        float(one.is_ending),
        min(len(one.stems), 40) / 20,
        min(len(other.stems), 60) / 20,
        len(other.stems) / (len(one.stems) + 5),
        float("?" in later),
        float(is_company),
        1.0 / (1.0 + place),
        cosine - nearest,
    ]


def _names(one: Values, other: Values) -> list[float]:
    return [
        float(bool(one.names & other.names)),
        float(bool(one.names) and bool(other.names) and not one.names & other.names),
        float(bool(other.names - one.names)),
        float(bool(one.names - other.names)),
    ]


def describe_candidates(
    message: str, memories: Sequence[str], cosines: NDArray[np.floating], *, is_company: bool
) -> Floats:
    """Return (n, k) plain facts of memories beside one message: nearness among the others, shared rare words.

    Args:
        memories: those that stand beside one another, the best found or all there are; a memory is judged among them.
        cosines: (n,) of the centred vectors.
    """
    n = len(memories)
    if not n:
        return np.zeros((0, 12), np.float32)
    asked = {word[:5] for word in find_words(message[:LONGEST])}
    told = [{word[:5] for word in find_words(memory[:LONGEST])} for memory in memories]
    rare = {word: np.log((n + 2) / (1 + sum(word in words for words in told))) for word in asked}
    middle, nearest, spread = float(cosines.mean()), float(cosines.max()), float(cosines.std()) + 0.05
    ranks = np.argsort(np.argsort(-cosines, kind="stable"), kind="stable").tolist()
    most = sum(rare.values()) + 1
    rows = []
    for number, (cosine, words) in enumerate(zip(cosines.tolist(), told, strict=True)):
        overlap = sum(rare[word] for word in sorted(asked & words))
        rows.append(
            [
                cosine,
                (cosine - middle) / spread,
                1.0 / (1.0 + ranks[number]),
                nearest,
                cosine - nearest,
                overlap / 5,
                overlap / most,
                len(asked & words) / (len(words) + 1),
                float("?" in message),
                min(len(message), 200) / 100,
                min(len(memories[number]), 200) / 100,
                float(is_company),
            ]
        )
    return np.asarray(rows, np.float32)
