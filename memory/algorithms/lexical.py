"""Exact BM25 over token lists that takes writes one at a time. Pure numpy: no text handling, no I/O.

Postings live in two segments: a main one, sorted by term, and a small tail in order of arrival. A write goes to
the tail; once the tail has grown to a share of the main segment it is folded in, so that a write costs its own
tokens and, amortised, a constant. Numbers that span both (document frequency, mean length) are kept as counts,
so scores are exactly those of an index built afresh, whatever the order of writes.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), eq. 3.15; the
never-negative idf of Lucene, ln(1 + (N - df + 1/2) / (df + 1/2)). Decisions: docs/algorithms/recall.md.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float32]
Scalar = TypeVar("Scalar", np.int32, np.int64, np.float32)

#: Saturation of a term's count, and strength of length normalisation. The pair is the one long used for short passages; 1.2 and .75,
#: made for long documents, put 2 in 100 fewer answers first (docs/algorithms/recall.md).
K1, B = 0.9, 0.4
#: Folding the tail is not worth it below this many postings (a scan of so many takes some 4 microseconds).
TAIL_MIN_POSTINGS = 2048
#: The tail may grow to this share of the main segment before it is folded in.
TAIL_SHARE = 0.25


class LexicalIndex:
    """BM25 over rows numbered from 0 in order of `add`; rows keep their number for ever.

    Args:
        documents: token lists of rows 0, 1, ...; folded into the main segment at once.
    """

    def __init__(self, documents: Iterable[Sequence[str]] = ()) -> None:
        self._term_ids: dict[str, int] = {}
        self._row_terms: list[IntArray] = []
        self._frequency = _Grower(np.int32)  # documents holding a term, by term
        self._length = _Grower(np.int32)  # tokens of a row, by row
        self._stamp = _Grower(np.int64)  # which write of a row counts, by row; 0: removed
        self._writes = 0
        self._live_rows = 0
        self._live_tokens = 0
        self._main = _Segment.empty()
        self._tail = _Tail()
        for tokens in documents:
            self._append(tokens)
        self._fold()

    def __len__(self) -> int:
        """Return the number of rows ever added, removed ones included."""
        return len(self._row_terms)

    def add(self, tokens: Sequence[str]) -> int:
        """Append a row and return its number."""
        row = self._append(tokens)
        self._fold_if_due()
        return row

    def update(self, row: int, tokens: Sequence[str]) -> None:
        """Replace the tokens of `row`, also of a removed one, which is then back."""
        self.remove(row)
        self._write(row, tokens)
        self._fold_if_due()

    def remove(self, row: int) -> None:
        """Take `row` out of every score and count; doing it twice changes nothing."""
        if self._stamp.values[row] == 0:
            return
        self._frequency.values[self._row_terms[row]] -= 1
        self._live_rows -= 1
        self._live_tokens -= int(self._length.values[row])
        self._stamp.values[row] = 0
        self._row_terms[row] = np.zeros(0, np.int32)

    @property
    def lengths(self) -> NDArray[np.int32]:
        """(rows,) tokens of each row, as last written."""
        return self._length.values

    def scores(self, tokens: Iterable[str]) -> FloatArray:
        """Return the BM25 score of every row for a query; repeated tokens count once.

        Returns:
            (rows,) float32, 0 where no token matches and where the row is removed.
        """
        scores: FloatArray = self.contributions(tokens).sum(axis=0)
        return scores

    def contributions(self, tokens: Iterable[str], *, most: int | None = None) -> FloatArray:
        """Return what each word of a query adds to each row's score.

        Args:
            tokens: the query; repeated tokens count once.
            most: keep only so many terms, the rarest.

        Returns:
            (terms, rows) float32, a line per token that some row holds, in the order of the query.
        """
        terms = [term for term in map(self._term_ids.get, dict.fromkeys(tokens)) if term is not None]
        terms = [term for term in terms if self._frequency.values[term]]
        if most is not None and len(terms) > most:
            rarest = set(sorted(terms, key=lambda term: (self._frequency.values[term], term))[:most])
            terms = [term for term in terms if term in rarest]
        added = np.zeros((len(terms), len(self)), np.float32)
        if terms:
            postings = [segment.postings(term) for term in terms for segment in (self._main, self._tail)]
            rows, counts, stamps = (np.concatenate(part) for part in zip(*postings, strict=True))
            sizes = np.array([len(found) for found, _, _ in postings]).reshape(-1, 2).sum(axis=1)
            lines = np.repeat(np.arange(len(terms)), sizes)
            weights = self._idf(terms) * (K1 + 1)
            mean_length = self._live_tokens / self._live_rows
            penalty = K1 * (1 - B + B * self._length.values / mean_length)
            gain = weights[lines] * counts / (counts + penalty[rows])
            # A row occurs once per term with its current stamp, in one segment or the other.
            current = self._stamp.values[rows] == stamps
            added[lines[current], rows[current]] = gain[current]
        return added

    def lists(self) -> Iterator[tuple[str, IntArray, FloatArray]]:
        """Yield each term that a row holds, the rows, rising, and what it adds to the score of each."""
        self._fold()
        main, terms = self._main, self._main.terms()
        penalty = K1 * (
            1 - B + B * self._length.values / (self._live_tokens / max(self._live_rows, 1) or 1.0)
        )
        gain = (self._idf(terms) * (K1 + 1) * main.counts / (main.counts + penalty[main.rows])).astype(
            np.float32
        )
        for term, (start, end) in zip(self._term_ids, pairwise(main.starts.tolist()), strict=True):
            if start < end:
                yield term, main.rows[start:end], gain[start:end]

    def _idf(self, terms: Sequence[int] | IntArray) -> NDArray[np.float64]:
        frequency = self._frequency.values[terms]
        return np.log1p((self._live_rows - frequency + 0.5) / (frequency + 0.5))

    def _append(self, tokens: Sequence[str]) -> int:
        row = len(self._row_terms)
        self._row_terms.append(np.zeros(0, np.int32))
        self._length.append(0)
        self._stamp.append(0)
        self._write(row, tokens)
        return row

    def _write(self, row: int, tokens: Sequence[str]) -> None:
        counted, ids = Counter(tokens), self._term_ids
        terms = np.fromiter((ids.setdefault(token, len(ids)) for token in counted), np.int32, len(counted))
        self._frequency.reach_further(len(ids) - len(self._frequency.values))
        self._writes += 1
        self._stamp.values[row] = self._writes
        self._length.values[row] = len(tokens)
        self._row_terms[row] = terms
        self._frequency.values[terms] += 1
        self._live_rows += 1
        self._live_tokens += len(tokens)
        self._tail.extend(terms, row, np.fromiter(counted.values(), np.float32, len(counted)), self._writes)

    def _fold_if_due(self) -> None:
        if len(self._tail.terms.values) > max(TAIL_MIN_POSTINGS, TAIL_SHARE * len(self._main.rows)):
            self._fold()

    def _fold(self) -> None:
        """Merge the tail into the main segment, dropping postings that no longer count."""
        main, tail = self._main, self._tail
        terms = np.concatenate([main.terms(), tail.terms.values])
        rows = np.concatenate([main.rows, tail.rows.values])
        counts = np.concatenate([main.counts, tail.counts.values])
        stamps = np.concatenate([main.stamps, tail.stamps.values])
        current = np.flatnonzero(self._stamp.values[rows] == stamps)
        order = current[np.argsort(terms[current], kind="stable")]
        starts = np.zeros(len(self._term_ids) + 1, np.int64)
        np.cumsum(np.bincount(terms[order], minlength=len(self._term_ids)), out=starts[1:])
        self._main = _Segment(starts, rows[order], counts[order], stamps[order])
        self._tail = _Tail()


class _Segment:
    """Postings sorted by term: those of term t are `starts[t]:starts[t + 1]`."""

    def __init__(
        self, starts: NDArray[np.int64], rows: IntArray, counts: FloatArray, stamps: NDArray[np.int64]
    ) -> None:
        self.starts, self.rows, self.counts, self.stamps = starts, rows, counts, stamps

    @classmethod
    def empty(cls) -> "_Segment":
        return cls(
            np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(0, np.int64)
        )

    def terms(self) -> IntArray:
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))

    def postings(self, term: int) -> tuple[IntArray, FloatArray, NDArray[np.int64]]:
        if term >= len(self.starts) - 1:  # a word that came after the last fold
            return self.rows[:0], self.counts[:0], self.stamps[:0]
        part = slice(self.starts[term], self.starts[term + 1])
        return self.rows[part], self.counts[part], self.stamps[part]


class _Tail:
    """Postings in order of arrival, found by a scan."""

    def __init__(self) -> None:
        self.terms, self.rows = _Grower(np.int32), _Grower(np.int32)
        self.counts, self.stamps = _Grower(np.float32), _Grower(np.int64)

    def extend(self, terms: IntArray, row: int, counts: FloatArray, stamp: int) -> None:
        more = len(terms)
        self.terms.reach_further(more)[:] = terms
        self.rows.reach_further(more)[:] = row
        self.counts.reach_further(more)[:] = counts
        self.stamps.reach_further(more)[:] = stamp

    def postings(self, term: int) -> tuple[IntArray, FloatArray, NDArray[np.int64]]:
        found = np.flatnonzero(self.terms.values == term)
        return self.rows.values[found], self.counts.values[found], self.stamps.values[found]


class _Grower(Generic[Scalar]):
    """A one-dimensional array with room to spare; `values` is the part in use."""

    def __init__(self, dtype: type[Scalar]) -> None:
        self._room: NDArray[Scalar] = np.zeros(64, dtype)
        self.values: NDArray[Scalar] = self._room[:0]

    def append(self, value: float) -> None:
        self.reach_further(1)[0] = value

    def reach_further(self, more: int) -> NDArray[Scalar]:
        """Take so many more into use, 0 each, and return those."""
        used = len(self.values)
        if used + more > len(self._room):
            room = np.zeros(2 * (used + more), self._room.dtype)
            room[:used] = self.values
            self._room = room
        self.values = self._room[: used + more]
        return self.values[used:]
