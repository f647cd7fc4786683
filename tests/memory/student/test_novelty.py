"""How new a message is beside what is remembered: statement by statement, whether or not sleep has made one of several."""

from uuid import UUID

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from memory.student.ingest.formation import measure_novelty
from memory.student.selectors import GraphChanges, NodeData
from memory.student.workingset import WorkingSet
from tests.memory.conftest import Counting

pytestmark = [pytest.mark.spec("G3", "I2")]

DOGS = [
    "My two dogs love to run on the beach in the morning.",
    "I take my dogs to the park after school every day.",
    "My dogs sleep on the sofa next to me in the evening.",
]


def node(text: str, vector: np.ndarray, *, derived: bool) -> NodeData:
    return NodeData(
        id=new_id(),
        alive=True,
        text=text,
        vector=vector,
        modality="semantic",
        trust="person",
        derived=derived,
        tier="short_term",
        category="",
        expires_at=float("inf"),
        language="en",
        salience=0.6,
        gravity=0.6,
        confidence=0.9,
        valence=0.0,
        formed_at=0.0,
        accessed_at=0.0,
        source=None,
    )


def remembered(*nodes: NodeData) -> WorkingSet:
    held = WorkingSet(UUID(int=1), get_embedder().dimension)
    held.apply(GraphChanges(version=1, nodes=list(nodes), edges=[]))
    return held


def as_statements() -> WorkingSet:
    vectors = get_embedder().embed(DOGS)
    return remembered(
        *(node(text, vector, derived=False) for text, vector in zip(DOGS, vectors, strict=True))
    )


def as_insight() -> WorkingSet:
    mean = get_embedder().embed(DOGS).mean(axis=0)
    return remembered(node("\n".join(DOGS), mean / np.linalg.norm(mean), derived=True))


def novelty(text: str, held: WorkingSet) -> float:
    (vector,) = get_embedder().embed([text])
    return measure_novelty(text, vector, working_set=held, embedder=get_embedder())


def test_a_message_is_as_new_after_sleep_as_before_it(subtests):
    """The mean of several statements is nearer to everything on their topic than any of them; that takes nothing away."""
    for text in [
        "My dogs bring me so much joy, they are my universe.",
        "Dogs need patience and training.",
        "I take my dogs to the park after school every day.",
        "My grandmother plays the organ in Uppsala cathedral.",
    ]:
        with subtests.test(case=text):
            assert novelty(text, as_insight()) == pytest.approx(novelty(text, as_statements()), abs=1e-5)


def test_a_repetition_is_not_new_and_another_value_is():
    """Word for word nothing is new; another number in the same words is."""
    held = remembered(node("I got 12 points", *get_embedder().embed(["I got 12 points"]), derived=False))
    assert novelty("I got 12 points", held) == pytest.approx(0.0, abs=1e-5)
    assert novelty("I got 18 points", held) >= 0.75


def test_what_is_gone_takes_nothing_from_what_is_said_again():
    """A memory that was removed or superseded does not make its own words old."""
    (vector,) = get_embedder().embed(["I got 12 points"])
    gone = node("I got 12 points", vector, derived=False)
    held = remembered(gone)
    held.apply(GraphChanges(version=2, nodes=[NodeData(**{**vars(gone), "alive": False})], edges=[]))
    assert novelty("I got 12 points", held) == 1.0


def test_statements_are_embedded_once_for_many_messages():
    """Their vectors stay with the working set, so that a long conversation does not embed them again and again."""
    held, embedder = as_insight(), Counting()
    for text in ("My dogs bring me so much joy.", "My dogs need a bath again."):
        (vector,) = get_embedder().embed([text])
        measure_novelty(text, vector, working_set=held, embedder=embedder)
    assert embedder.texts == DOGS
