"""What a compression loses, in bits. Pure.

A memory's share of the whole is its mass, gravity x (1 + the weight of its edges), over the mass of all:
p = m / sum(m). The entropy H = -sum(p log2 p) is how many bits it takes on average to say which memory is meant.

- Pruned nodes take with them the terms -p log2 p that were theirs.
- In a cluster that becomes one node, what is lost is telling its members apart. By the chain rule
  H(before) = H(after) + sum over clusters of P H(members), with P the cluster's share; a member's part of the loss is
  -p log2(p / P).

Both are given for each modality, so that it can be seen what kind of memory a compression costs.
Source: Shannon 1948, section 6 (the grouping property); docs/algorithms/compression.md.
"""

from collections.abc import Sequence

import numpy as np

from memory.algorithms.graphs import BoolArray, FloatArray, Graph
from memory.algorithms.merge import Cluster


def find_masses(graph: Graph) -> FloatArray:
    """Return (n,) gravity x (1 + summed weight of the node's edges)."""
    weight = np.zeros(len(graph))
    np.add.at(weight, graph.edges.source, graph.edges.weight)
    np.add.at(weight, graph.edges.target, graph.edges.weight)
    return np.asarray(graph.gravity * (1.0 + weight))


def entropy_bits(masses: FloatArray) -> float:
    """Return the entropy of the shares, in bits; 0 where there is no mass."""
    return float(_terms(_shares(masses), 1.0).sum())


def pruning_loss(graph: Graph, removed: BoolArray, *, modalities: int) -> FloatArray:
    """Return (modalities,) bits that the removed nodes carried.

    Args:
        removed: (n,) which nodes go.
        modalities: how many there are; `graph.modality` counts from 0.
    """
    terms = _terms(_shares(find_masses(graph)), 1.0)
    return np.asarray(
        np.bincount(graph.modality[removed], weights=terms[removed], minlength=modalities), np.float64
    )


def merging_loss(graph: Graph, clusters: Sequence[Cluster], *, modalities: int) -> FloatArray:
    """Return (modalities,) bits that it took to tell the members of the clusters apart."""
    shares = _shares(find_masses(graph))
    loss = np.zeros(modalities)
    for cluster in clusters:
        rows = np.array(cluster)
        np.add.at(loss, graph.modality[rows], _terms(shares[rows], float(shares[rows].sum())))
    return loss


def _shares(masses: FloatArray) -> FloatArray:
    total = masses.sum()
    return np.asarray(masses / total) if total > 0 else np.zeros(len(masses))


def _terms(shares: FloatArray, whole: float) -> FloatArray:
    """Return -p log2(p / whole), 0 where p is 0."""
    terms = np.zeros(len(shares))
    some = shares > 0
    terms[some] = -shares[some] * np.log2(shares[some] / whole)
    return np.maximum(terms, 0.0)
