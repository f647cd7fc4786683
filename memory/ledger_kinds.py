"""Which kind of ledger entry a sentence is, if any: by its turns of phrase and by the likest labelled sentences.

A threat comes first and is taken from little; everything else must be clear. Measured: docs/algorithms/ledger.md.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from memory import ledger_cues as cues
from memory.ledger_prototypes import LedgerPrototypes, load_ledger_prototypes
from memory.ledger_sentences import KINDS, Category, Kind
from memory.prototypes import Embed

#: Likest sentences of each kind that vote; of 1 to 8, three named most kinds rightly (even rows of the labelled set).
VOTES = 3
#: What a turn of phrase is worth beside the votes, which seldom part two kinds by more than .3.
CUE_WEIGHT = 0.35
#: So likely a threat must be where no turn of phrase says so. In two long conversations of adults without any (1,094 messages) .8 took
#: eight for one; a class whose teacher is alarmed daily for nothing is not looked after.
THREAT_PROBABILITY = 0.9
#: So likely it must be that a language model, where there is one, is asked.
SUSPICION = 0.5
#: With a turn of phrase, a kind is clear unless what belongs nowhere is likelier by so much.
CLEAR_LAG = 0.2
#: By so much a kind must be likest in the third pass where no turn of phrase says so.
FULL_LEAD = 0.1

_TO_THE_SPEAKER = re.compile(r"(?<!\w)(?:me|us|mig|mej|oss|my|min|mina)(?!\w)", re.IGNORECASE)
_CUES: tuple[tuple[Category, re.Pattern[str]], ...] = (
    ("promise", cues.PROMISE),
    ("secret", cues.SECRET),
    ("debt", cues.DEBT),
    ("fact", cues.FACT),
    ("instruction", cues.INSTRUCTION),
    ("observation", cues.OBSERVATION),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a sentence is.

    Attributes:
        category: None for what belongs nowhere.
        is_clear: its own words say so, not only its likeness to others.
        is_suspected: it may be a threat, which only a reader could tell.
    """

    category: Category | None
    is_clear: bool = False
    is_suspected: bool = False


NOTHING = Verdict(None)


def classify(sentences: Sequence[str], *, embed: Embed, model: str) -> list[Verdict]:
    """Return a verdict on each sentence; embeds them at once, and the prototypes once a process and model."""
    if not sentences:
        return []
    prototypes = load_ledger_prototypes(embed, model=model)
    # Embedding is what costs, and who floods repeats themselves.
    distinct = list(dict.fromkeys(sentences))
    vectors = prototypes.centre(embed(distinct))
    votes, threats = _vote(vectors, prototypes), prototypes.threat.probability(vectors).tolist()
    verdicts = {given[0]: judge(*given) for given in zip(distinct, votes, threats, strict=True)}
    return [verdicts[sentence] for sentence in sentences]


def has_cue(sentence: str) -> bool:
    """Tell whether any turn of phrase of the ledger is in a sentence; needs no embedder."""
    plain = _plain(sentence)
    return _threatens(plain) or bool(_find_cues(plain))


def judge(sentence: str, votes: NDArray[np.float64], threat: float) -> Verdict:
    """Return what a sentence is.

    Args:
        votes: (8,) its likeness to each of `KINDS`, about -1 to 1.
        threat: how likely it is one by its likeness, 0 to 1.
    """
    plain = _plain(sentence)
    if _threatens(plain):
        return Verdict("threat", True)
    found = _find_cues(plain)
    suspected = threat >= SUSPICION and not found and not _is_harmless(plain)
    if suspected and threat >= THREAT_PROBABILITY:
        return Verdict("threat", False)
    likest: dict[Kind, float] = dict(zip(KINDS, votes.tolist(), strict=True))
    del likest["threat"]
    for category in found:
        likest[category] += CUE_WEIGHT
    return replace(_choose(likest, found), is_suspected=suspected)


def _choose(likest: dict[Kind, float], found: set[Category]) -> Verdict:
    none = likest["none"]
    best = max((category for category, _ in _CUES), key=lambda category: likest[category])
    if best in found:
        return Verdict(best, True) if likest[best] - CUE_WEIGHT >= none - CLEAR_LAG else NOTHING
    second = max(likeness for kind, likeness in likest.items() if kind != best)
    return Verdict(best, False) if likest[best] - second >= FULL_LEAD else NOTHING


def _threatens(plain: str) -> bool:
    """Tell whether a sentence's own words speak of harm, done or feared, to or by somebody real."""
    literal = cues.FIGURE.sub(" ", plain)
    if cues.SELF_HARM.search(literal):
        return True
    if cues.STAGE.search(plain):
        return False
    if cues.DISTRESS.search(literal) and not cues.TOLD.search(plain):
        return True
    harm = [match.group() for match in cues.HARM.finditer(literal)]
    if not harm:
        return False
    return any(map(_TO_THE_SPEAKER.search, harm)) or not cues.TOLD.search(plain)


def _is_harmless(plain: str) -> bool:
    return any(pattern.search(plain) for pattern in (cues.FIGURE, cues.STAGE, cues.TOLD))


def _find_cues(plain: str) -> set[Category]:
    found = {category for category, pattern in _CUES if pattern.search(plain)}
    if cues.ONCE.search(plain):
        found.discard("instruction")
    return found


def _plain(sentence: str) -> str:
    return " ".join(sentence.replace("\u2019", "'").split())


def _vote(vectors: NDArray[np.float32], prototypes: LedgerPrototypes) -> NDArray[np.float64]:
    """Return (m, 8): the mean cosine of (m, d) vectors with each kind's likest sentences."""
    likeness = np.asarray(vectors @ prototypes.vectors.T, dtype=np.float64)
    kinds = [np.sort(likeness[:, prototypes.kinds == kind], axis=1)[:, -VOTES:] for kind in range(len(KINDS))]
    return np.stack([likest.mean(axis=1) for likest in kinds], axis=1)
