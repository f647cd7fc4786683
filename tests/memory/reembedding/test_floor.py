"""What is found while a space goes over to another model, beside what words alone find."""

from datetime import timedelta

import numpy as np
import pytest

from bench.baselines import Bm25Baseline
from companion_site.embeddings.calibration import load_pairs
from companion_site.embeddings.service import get_embedder
from companion_site.vault.scope import space_scope
from memory.models import MemoryVector
from memory.reembedding.space import reembed
from memory.student.recall.ranking import rank_memories
from tests.factories import NOW
from tests.memory.reembedding.conftest import NEW, OLD, STRAIGHT, one_batch, remember

#: Found among the first so many.
FIRST = 5


@pytest.fixture(scope="module")
def asked():
    """Memories, and questions with the memory that answers each: labelled pairs that say the same in other words."""
    pairs = load_pairs()
    rows = list(zip(pairs.kinds, pairs.left, pairs.right, strict=True))
    answers = [(question, text) for kind, text, question in rows if kind == "paraphrase"]
    others = [text for kind, text, _ in rows if kind in {"unrelated", "related"}]
    return list(dict.fromkeys([*(text for _, text in answers), *others])), answers


def any_vectors(count: int) -> np.ndarray:
    """Return (count, 384) unit vectors that mean nothing, which is what an old model's are to the new one."""
    vectors = np.random.default_rng(3).normal(size=(count, 384))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def share_found(memory, answers, vectors) -> float:
    embedder = get_embedder()
    held = memory.sets.get(memory.space, model=embedder.model, dimension=embedder.dimension)
    found = 0
    for (question, text), vector in zip(answers, vectors, strict=True):
        ranking = rank_memories(held, question, vector=vector, now=NOW + timedelta(days=1))
        found += text in {held.nodes[row].text for row in ranking.order[:FIRST]}
    return found / len(answers)


def test_recall_never_falls_below_words_alone(ada, memory, asked, change_model):
    """At 0, 25, 50, 75 and 100 % of the way as much of the evidence is found as by words alone, and at the end far more.

    Words alone are plain BM25 by another library, and the site's own ranking of a question that has no vector.
    """
    texts, answers = asked
    remember(ada.space, texts, any_vectors(len(texts)), model=OLD)
    change_model()
    vectors = get_embedder().embed([question for question, _ in answers])
    nothing = np.zeros_like(vectors)
    plain = Bm25Baseline(texts, language="en")
    by_words = np.mean([texts.index(text) in plain.rank(question)[:FIRST] for question, text in answers])
    floor = max(float(by_words), share_found(memory, answers, nothing))
    assert floor > 0.5, floor
    shares = []
    for quarter in range(5):
        with space_scope(ada.space):
            there = MemoryVector.objects.for_space(ada.space).filter(model=NEW).count()
        assert there == min(quarter * -(-len(texts) // 4), len(texts))
        shares.append(share_found(memory, answers, vectors))
        reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(-(-len(texts) // 4)))
    reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    with space_scope(ada.space):
        assert not MemoryVector.objects.for_space(ada.space).filter(model=OLD).exists()
    assert min(shares) >= floor, shares
    assert shares[-1] >= floor + 0.2, shares
