"""Which nodes of a graph light up: probe, bloom, trim. Pure: arrays in, arrays out.

    score = .45 meaning + .20 edge + .15 recency + .10 usage + .07 task + .03 persona

What a search found (the probe) are the seeds; `bloom` adds what they lead to over edges; `score_activation` scores it
all by six terms of 0 to 1, which explain the score because they are all that goes into it; `trim` takes the best under
a cap for each type, so that no type crowds out the others. Two call it: the memory of agents, and the context of the
students' chat, which takes the bloom and has a relevance of its own.

What each step is worth, measured with it left out: docs/algorithms/recall.md.
"""

from memory.algorithms.activation.association import ASSOCIATION, AssociationParams, associate
from memory.algorithms.activation.bloom import Bloom, bloom, edges_from
from memory.algorithms.activation.params import ACTIVATION, TERMS, TYPES, ActivationParams, ActivationWeights
from memory.algorithms.activation.resonance import raise_resonance, resonate, stay_resonant
from memory.algorithms.activation.scoring import (
    Activation,
    recency_term,
    score_activation,
    share_of_tags,
    source_weight,
    usage_term,
)
from memory.algorithms.activation.trim import trim

__all__ = [
    "ACTIVATION",
    "ASSOCIATION",
    "TERMS",
    "TYPES",
    "Activation",
    "ActivationParams",
    "ActivationWeights",
    "AssociationParams",
    "Bloom",
    "associate",
    "bloom",
    "edges_from",
    "raise_resonance",
    "recency_term",
    "resonate",
    "score_activation",
    "share_of_tags",
    "source_weight",
    "stay_resonant",
    "trim",
    "usage_term",
]
