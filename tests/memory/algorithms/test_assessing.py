"""Which memories speak of how somebody is getting on: only where the votes agree and the feeling fits."""

import json

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder
from companion_site.running.embedded import PROJECT
from memory.algorithms.assessing import drop_contradicted, group_alike, vote_kinds
from memory.assessment_prototypes import KINDS, NONE, SENTENCES, load_assessment_prototypes

pytestmark = pytest.mark.spec("G14")
#: stands for "no part"
NO_PART = 2


def vote(vectors, prototypes, labels):
    return vote_kinds(
        np.array(vectors, float), np.array(prototypes, float), np.array(labels), none=NO_PART, count=3
    ).tolist()


def test_the_nearest_decide():
    """A memory has the kind of the sentences that are like it."""
    prototypes, labels = [[1, 0], [1, 0.1], [0, 1], [0.1, 1]], [0, 0, 1, 1]
    assert vote([[2, 0.1], [0, 5]], prototypes, labels) == [0, 1]


def test_a_divided_vote_is_none():
    """What lies between two kinds belongs to neither, and neither does what says nothing."""
    prototypes, labels = [[1, 0], [0, 1], [-1, 0]], [0, 1, 2]
    assert vote([[1, 1.001]], prototypes, labels) != [0]
    assert vote([[0, 0]], prototypes, labels) == [NO_PART]
    assert vote(np.zeros((0, 2)), prototypes, labels) == []


def test_a_feeling_can_speak_against_a_kind():
    """A sad strength and a glad struggle are neither; a faint feeling speaks for nothing."""
    kinds, signs = np.array([0, 0, 1, 1, 1]), np.array([1.0, -1.0, 0.0])
    valence = np.array([-0.9, -0.1, 0.9, 0.1, -0.9])
    assert drop_contradicted(kinds, valence, signs, none=NO_PART).tolist() == [2, 0, 2, 1, 1]


def test_a_chain_of_alike_memories_is_one_group():
    """Each is like the next, so all say the same thing."""
    similarity = np.array([[1, 0.9, 0.1, 0], [0.9, 1, 0.85, 0], [0.1, 0.85, 1, 0], [0, 0, 0, 1.0]])
    groups = group_alike(similarity, least=0.8)
    assert groups[0] == groups[1] == groups[2] != groups[3]
    assert group_alike(np.zeros((0, 0)), least=0.8).tolist() == []


def test_sentences_are_even_in_both_languages():
    """Each kind has as many examples in English as in Swedish, all different, and none of them is judged below."""
    rows = json.loads((PROJECT / "tests" / "data" / "assessment.json").read_text())["rows"]
    known = [sentence for sentences in SENTENCES.values() for sentence in sentences]
    assert len(set(known)) == len(known) and not set(known) & {row["text"] for row in rows}
    assert all(len(sentences) % 2 == 0 for sentences in SENTENCES.values())


def test_hardly_anything_is_called_what_it_is_not():
    """On sentences that nobody tuned by: at most one in ten that is assessed is assessed wrongly, three in four are found."""
    rows = json.loads((PROJECT / "tests" / "data" / "assessment.json").read_text())["rows"]
    unseen = [row for number, row in enumerate(rows) if number // 2 % 2]
    embedder = get_embedder()
    prototypes = load_assessment_prototypes(embedder.embed, model=embedder.model)
    vectors = embedder.embed([row["text"] for row in unseen]) - prototypes.mean
    none = KINDS.index(NONE)
    found = vote_kinds(vectors, prototypes.vectors, prototypes.kinds, none=none, count=len(KINDS))
    truth = np.array([KINDS.index(row["kind"]) for row in unseen])
    assessed, to_find = found != none, truth != none
    assert ((found != truth) & assessed).sum() / assessed.sum() <= 0.1
    assert ((found == truth) & to_find).sum() / to_find.sum() >= 0.75
