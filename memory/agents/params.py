"""The numbers of an agent's memory, in one place: here, and in its own program."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SearchParams:
    """How what is known is found."""

    #: nodes found, where nobody says how many, and at the most
    limit: int = 32
    most: int = 200
    most_query_chars: int = 20_000
    #: words of a question that count, the rarest
    most_terms: int = 16
    #: calibrated similarity that a node needs where no word of the question stands in it
    min_similarity: float = 0.7
    #: below so many found, the packs' defaults for the task's domains stand in
    sparse: int = 4


@dataclass(frozen=True, kw_only=True)
class ContextParams:
    """What a context is made of, and what each frame may take of its budget."""

    #: of the budget, what the knowledge frame may take at the most where the others need room, and where they do not
    knowledge_least: float = 0.40
    knowledge_most: float = 0.60
    least_budget: int = 64
    most_budget: int = 200_000
    #: nodes of packs that are looked at in one context, by the weight of the edge that led there
    most_lent: int = 200
    #: contexts built here that an agent keeps, the latest; looked at after each so many
    most_kept: int = 2_000
    prune_every: int = 100


SEARCH = SearchParams()
CONTEXT = ContextParams()
