"""The lexical index of a pack gives the scores of BM25."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.lexical import LexicalIndex
from memory.packs.search import add_up, unpack_list
from memory.packs.store import pack_list

pytestmark = pytest.mark.spec("K6")
DOCUMENTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=12), min_size=1, max_size=12)


@given(documents=DOCUMENTS, query=st.lists(st.sampled_from("abcdefghz"), max_size=5, unique=True))
def test_scores_are_those_of_the_exact_index(documents, query):
    """What is counted once at import equals what the working set's index counts at each search."""
    index = LexicalIndex(documents)
    lists = {term: unpack_list(pack_list(positions, weights)) for term, positions, weights in index.lists()}
    found = add_up([lists[term] for term in query if term in lists], len(documents))
    assert np.allclose(found, index.scores(query), atol=1e-4)
