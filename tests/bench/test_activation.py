"""The bench of activation: each order over the same questions, and what is recalled for a prompt."""

import pytest

from bench.ablations import measure
from bench.activation import (
    FUSION,
    OURS,
    VARIANTS,
    measure_recalled,
    remember_formed,
    remember_transcripts,
    render_categories,
    render_orders,
    render_recalled,
)
from chat.demo.recordings import load_conversation
from tests.bench.test_retrieval import ENGLISH

pytestmark = pytest.mark.spec("K2")


def test_every_order_is_measured_over_the_same_questions():
    """Of turns as memories, with edges by likeness, beside BM25."""
    memories, bm25 = remember_transcripts([load_conversation(ENGLISH)])
    results = measure(memories, VARIANTS)
    assert set(results) == set(VARIANTS) and bm25
    assert len({len(found) for found in results.values()}) == 1
    assert "six terms, no bloom" in render_orders(results)
    assert "all@10" in render_categories({name: results[name] for name in (OURS, FUSION)})


def test_what_is_recalled_is_measured_on_formed_memories(db):
    """With the edges that formation drew; ten more never hold less of the evidence."""
    results = measure_recalled(remember_formed([load_conversation(ENGLISH)]))
    shares = {name: [found.measures["evidence"] for found in outcomes] for name, outcomes in results.items()}
    assert all(0 <= share <= 1 for found in shares.values() for share in found)
    pairs = zip(shares["20 found"], shares["20 found + 10 over edges"], strict=True)
    assert shares["20 found"] and all(fewer <= more for fewer, more in pairs)
    assert all(name in render_recalled(results) for name in shares)
