"""The numbers of the ledger, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class EntryLimits:
    """How large an entry may be. What is larger is refused, never cut: the ledger loses nothing quietly."""

    content_chars: int = 4_000
    summary_chars: int = 200
    triggers: int = 32
    trigger_entities: int = 32
    #: of one trigger or entity
    phrase_chars: int = 80


@dataclass(frozen=True, kw_only=True)
class MatchingParams:
    """How surely a phrase that was found speaks for its entry, and how many entries surface.

    A name says more than a word, and a word as written more than a bent or joined form of it. One word of any kind reaches
    the usual threshold of .5, a secret's .7 needs two, or a name as it is written.
    """

    trigger_exact: float = 0.6
    trigger_inflected: float = 0.5
    entity_exact: float = 0.75
    entity_inflected: float = 0.6
    #: entries that a message brings up, at the most
    triggered: int = 10
    #: entries that hold always, at the most; apart, so that neither kind can crowd out the other
    standing: int = 10


LIMITS = EntryLimits()
MATCHING = MatchingParams()
