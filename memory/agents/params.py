"""The numbers by which an agent's memory is searched, here and by its own program."""

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


SEARCH = SearchParams()
