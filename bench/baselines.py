"""The plain methods that ours is printed beside: BM25, and vectors.

Each ranks the same texts, and where vectors are used, the same vectors. BM25 is `bm25s` with a Snowball stemmer and
the library's own stop words: somebody else's code, so that nothing here flatters ours.
"""

import logging
from collections.abc import Sequence

import bm25s
import numpy as np
from numpy.typing import NDArray
from Stemmer import Stemmer

IntArray = NDArray[np.int64]

# The library tells of every index that it builds.
logging.getLogger("bm25s").setLevel(logging.WARNING)

_STEMMERS = {"en": "english", "sv": "swedish"}
#: The larger of the two English lists: it has the question words, which makes plain BM25 far stronger here.
_STOP_WORDS = {"en": "en_plus", "sv": "sv"}


class Bm25Baseline:
    """BM25 over texts, with the library's defaults."""

    def __init__(self, texts: Sequence[str], *, language: str) -> None:
        self._stemmer = Stemmer(_STEMMERS[language]) if language in _STEMMERS else None
        self._stop_words = _STOP_WORDS.get(language)
        self._index = bm25s.BM25()
        self._index.index(self._tokens(texts), show_progress=False)

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return (n,) the score of every text; 0 where the question has no word of the index."""
        known = [token for token in self._tokens([question])[0] if token in self._index.vocab_dict]
        if not known:
            return np.zeros(int(self._index.scores["num_docs"]))
        return np.asarray(self._index.get_scores(known), np.float64)

    def rank(self, question: str) -> IntArray:
        """Return (n,) row numbers, best first, ties by row."""
        return best_first(self.scores(question))

    def _tokens(self, texts: Sequence[str]) -> list[list[str]]:
        tokenised: list[list[str]] = bm25s.tokenize(
            list(texts),
            stopwords=self._stop_words,
            stemmer=self._stemmer,
            return_ids=False,
            show_progress=False,
        )
        return tokenised


class DenseBaseline:
    """Cosine over (n, d) unit vectors."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors

    def rank(self, vector: NDArray[np.float32]) -> IntArray:
        """Return (n,) row numbers, best first, ties by row."""
        return best_first(self._vectors @ vector)


def best_first(scores: NDArray[np.floating]) -> IntArray:
    """Return row numbers by falling score, ties by row."""
    return np.argsort(-scores, kind="stable").astype(np.int64)
