"""The numbers of promotion into the ledger, in one place; passed in where they are used."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

#: (importance, trigger threshold): a secret is brought up by two words or a name as written, never by one word alone.
WEIGHTS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "threat": (1.0, 0.5),
        "secret": (0.8, 0.7),
        "instruction": (0.8, 0.5),
        "promise": (0.7, 0.5),
        "fact": (0.7, 0.5),
        "debt": (0.6, 0.5),
        "observation": (0.5, 0.5),
    }
)


@dataclass(frozen=True, kw_only=True)
class PromotionParams:
    """What of a message goes into the ledger. Source: rows G2 to G4."""

    #: entries of one message, at the most
    most: int = 8
    #: sentences of one message that are read, at the most; of more, the first and last
    sentences: int = 48
    #: characters of them together, at the most: each costs the embedder .4 ms
    read_chars: int = 6_000
    #: characters of one sentence, at the most
    longest: int = 400
    #: a sentence of so few words that asks for silence goes with the one that it is about
    bare_words: int = 6
    weights: Mapping[str, tuple[float, float]] = field(default_factory=lambda: WEIGHTS)


PROMOTION = PromotionParams()
