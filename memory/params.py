"""The numbers of the memory graph, in one place; passed in where they are used."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RecallParams:
    """How memories are chosen for a prompt. Source: row G9."""

    #: What is worth looking at, in the units of how well a memory matches a question: of nearness so much, and of the ranking so much a
    #: standard deviation. Matches are looked for among so many, and those go along that come within the margin of the best. Chosen on
    #: the lives of bench/data/scenarios, alone and amid other talk (docs/algorithms/recall.md).
    of_nearness: float = 6.0
    of_ranking: float = 0.8
    matched: int = 128
    margin: float = 7.0
    #: memories found by the question itself, at the most
    seeds: int = 16
    #: and where somebody asks about themselves, names nothing that is remembered, and nothing matches
    seeds_unnamed: int = 18
    #: who asks who they are is told as many, of so many that are looked through; two orders are joined by 1 / (30 + place), that of matches
    #: counting twice
    looked_through: int = 1024
    place_constant: int = 30
    match_weight: float = 2.0
    #: and of what speaks of whom or what the question names, beside those
    named: int = 1
    #: so many of them are judged among each other, for who quotes them
    judged: int = 8
    #: how far to walk from the seeds, and over which edges
    max_hops: int = 2
    min_edge_weight: float = 0.5
    #: memories brought by edges alone, at the most
    connected: int = 1
    #: confidence below which a memory is told with a doubt
    sure: float = 0.7


@dataclass(frozen=True, kw_only=True)
class RetrievalParams:
    """What may be asked of `memory.student.recall.retrieval`. Source: row I5."""

    #: memories, where nobody says how many, and at the most
    limit: int = 5
    most: int = 50
    #: of those that fit the question best so many at least are looked at closely
    candidates: int = 20
    #: calibrated similarity that a memory needs where no word of the query stands in it or beside it
    min_similarity: float = 0.7
    most_query_chars: int = 20_000


@dataclass(frozen=True, kw_only=True)
class PromptParams:
    """What memory may cost in a student's prompt."""

    #: tokens of the whole block by estimate, marks and headings included: never more
    most_tokens: int = 2_000


@dataclass(frozen=True, kw_only=True)
class FormationParams:
    """How a message becomes memories. Source: rows G3 and G4."""

    #: statements of one message, at the most
    statements: int = 40
    #: near neighbours that one statement is compared with
    neighbours: int = 5
    #: most similar memories that are compared value by value before a message counts as a repetition
    compared: int = 50
    #: share of what is missing to certainty that saying the same again adds to how sure a memory is
    said_again: float = 0.4


RECALL = RecallParams()
RETRIEVAL = RetrievalParams()
PROMPT = PromptParams()
FORMATION = FormationParams()
