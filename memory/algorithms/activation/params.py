"""The numbers of activation. Source: row K2 and the document's sections 3.1, 4.1 and 8."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: The types of nodes; a type's code is its place here.
TYPES = ("concept", "skill", "fact", "snippet", "pattern", "episode", "tool", "persona", "task")
TERMS = ("meaning", "edge", "recency", "usage", "task", "persona")


@dataclass(frozen=True, kw_only=True)
class ActivationWeights:
    """The weight of each term, 1 in all. Source: row K2."""

    meaning: float = 0.45
    edge: float = 0.20
    recency: float = 0.15
    usage: float = 0.10
    task: float = 0.07
    persona: float = 0.03

    def __post_init__(self) -> None:
        values = [getattr(self, name) for name in TERMS]
        if min(values) < 0 or abs(sum(values) - 1.0) > 1e-9:
            raise ValueError("the weights of the terms must be 0 or more and add up to 1")


@dataclass(frozen=True, kw_only=True)
class ActivationParams:
    """How far activation goes, and what its terms go by. Source: row K2 and the document's section 4."""

    weights: ActivationWeights = field(default_factory=ActivationWeights)
    #: edges walked from the seeds, and how many each node may add at each of them
    hops: int = 2
    max_per_node: int = 6
    min_edge_weight: float = 0.0
    #: days until the recency of a node has halved: as gravity's (docs/algorithms/sleep.md)
    recency_half_life_days: float = 7.0
    #: uses from which more say nothing; the term grows by their logarithm
    usage_scale: int = 100
    #: nodes of each type in one context, at the most
    caps: Mapping[str, int] = field(
        default_factory=lambda: {
            "concept": 8,
            "skill": 6,
            "fact": 8,
            "snippet": 10,
            "pattern": 4,
            "episode": 8,
            "tool": 4,
            "persona": 1,
            "task": 2,
        }
    )
    #: A node whose resonance is below this leaves the working set. One that was fully activated once stays for 148
    #: ticks at the usual decay of .98.
    epsilon: float = 0.05
    #: nodes in the working set: fewer than 800
    most_in_working_set: int = 799

    def __post_init__(self) -> None:
        if self.recency_half_life_days <= 0 or self.usage_scale < 1:
            raise ValueError("the half-life must be positive and the scale of usage 1 or more")
        if unknown := set(self.caps) - set(TYPES):
            raise ValueError(f"no such types: {sorted(unknown)}")

    def caps_by_code(self) -> IntArray:
        """Return the cap of each type by its code; a type that is not named has none to give."""
        return np.array([self.caps.get(name, 0) for name in TYPES], np.int64)


ACTIVATION = ActivationParams()
