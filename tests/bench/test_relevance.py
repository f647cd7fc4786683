"""The bench of relevance: each order over the same memories."""

import pytest

from bench.living import store_transcript
from bench.relevance import OURS, RANKED, VARIANTS, measure, render_report, without
from chat.demo.recordings import load_conversation
from companion_site.embeddings.service import get_embedder
from memory.algorithms.relevance import TERMS
from tests.bench.test_retrieval import ENGLISH

pytestmark = pytest.mark.spec("I5", "I10")


def test_a_term_left_out_leaves_the_others_in_proportion(subtests):
    """Weights of an ablation add up to 1 as well."""
    for term in TERMS:
        with subtests.test(case=term):
            weights = without(term).terms
            assert weights[term] == 0 and sum(weights.values()) == pytest.approx(1)


def test_every_order_is_measured_over_the_same_questions(db):
    """Relevance, relevance without each of its terms, and the ranking alone."""
    conversation, embedder = load_conversation(ENGLISH), get_embedder()
    lived = store_transcript(conversation, embedder.embed([turn.text for _, turn in conversation.turns()]))
    outcomes = measure([lived])
    assert set(outcomes) == {RANKED, *VARIANTS}
    assert len({len(found) for found in outcomes.values()}) == 1 and outcomes[OURS]
    report = render_report(outcomes)
    assert "no keyword" in report and "relevance - as ranked" in report
