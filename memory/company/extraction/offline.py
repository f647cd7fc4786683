"""Reading facts without a model: the person's own clauses, told apart by turns of phrase and by likeness.

Precision comes first: what is believed is told to everybody of the company for months, and what was missed will be
said again. How well it does: docs/algorithms/extraction.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion_site.embeddings.protocol import Embedder
from memory.company.extraction import cues
from memory.company.extraction.clauses import Clause, split_clauses
from memory.company.extraction.dialogue import Dialogue, Line
from memory.company.extraction.orders import is_order
from memory.company.extraction.prototypes import load_fact_prototypes
from memory.company.extraction.schema import Candidate
from memory.company.extraction.sentences import KINDS
from memory.company.extraction.topics import is_business, is_private

NONE = KINDS.index("none")
#: what a turn of phrase adds to a kind's likelihood, and one that only says that something was done, or whose it is
CUE, WEAK_CUE = 0.35, 0.2
#: a kind must be so likely, with its cue counted in, and lead what is no fact by so much
LEAST, LEAD = 0.7, 0.25
#: what is private is no fact unless it speaks of the business too; what speaks of neither must be likelier
PRIVATE, NEUTRAL = 0.6, 0.2
PLAIN_CONFIDENCE, HEDGED_CONFIDENCE = 0.85, 0.6
_CUES = {
    "decision": cues.DECISION,
    "preference": cues.PREFERENCE,
    "knowledge": cues.KNOWLEDGE,
    "unresolved": cues.UNRESOLVED,
}
_WEAK_CUES = {"decision": cues.DONE, "knowledge": cues.OURS}


@dataclass(frozen=True, slots=True)
class _Asked:
    line: Line
    clause: Clause


def read_offline(dialogue: Dialogue, *, embedder: Embedder) -> list[Candidate]:
    """Return what the person's own clauses say; embeds all of them at once."""
    asked = [
        _Asked(line, clause)
        for line in dialogue.sources
        for clause in split_clauses(line.text)
        if may_be_fact(clause)
    ]
    if not asked:
        return []
    kinds = classify([one.clause for one in asked], embedder=embedder)
    return list(_candidates(asked, kinds))


def may_be_fact(clause: Clause) -> bool:
    """Tell whether a clause states something: no question, nothing supposed, no task for this one time."""
    plain = clause.text.replace("\u2019", "'")
    if clause.is_asked or cues.QUESTION.match(plain) or _points_back(plain):
        return False
    if cues.SUPPOSED.search(plain) and not (cues.PREFERENCE.search(plain) or cues.UNRESOLVED.search(plain)):
        return False
    return not cues.TASK.match(plain) or cues.PREFERENCE.search(plain) is not None


def _points_back(plain: str) -> bool:
    """Tell whether a clause speaks of what was named before, so that it says nothing by itself."""
    return cues.POINTING.match(plain) is not None and cues.EXPLETIVE.match(plain) is None


def classify(clauses: Sequence[Clause], *, embedder: Embedder) -> list[str]:
    """Return the kind of each clause, of `KINDS`."""
    prototypes = load_fact_prototypes(embedder.embed, model=embedder.model)
    texts = list(dict.fromkeys(clause.text for clause in clauses))
    likelihoods = dict(zip(texts, prototypes.likelihoods(embedder.embed(texts)), strict=True))
    return [_choose(clause, likelihoods[clause.text]) for clause in clauses]


def _choose(clause: Clause, likelihoods: np.ndarray) -> str:
    plain = clause.text.replace("\u2019", "'")
    business = is_business(plain)
    scores = {
        kind: float(likelihoods[KINDS.index(kind)]) + _hint(kind, plain, business=business) for kind in _CUES
    }
    if not cues.PREFERENCE.search(plain):
        scores["preference"] = 0.0
    best = max(scores, key=scores.__getitem__)
    least = LEAST
    if not business and best != "preference":
        least += PRIVATE if is_private(plain) else NEUTRAL
    return best if scores[best] >= least and scores[best] - float(likelihoods[NONE]) >= LEAD else "none"


def _hint(kind: str, plain: str, *, business: bool) -> float:
    """Return what a clause's own words say for a kind."""
    says_so = _CUES[kind].search(plain) is not None
    if says_so and (business or kind != "knowledge"):
        return CUE
    weak = _WEAK_CUES.get(kind)
    if weak is not None and (says_so or business) and weak.search(plain):
        return WEAK_CUE
    return 0.0


def _candidates(asked: Sequence[_Asked], kinds: Sequence[str]) -> Iterator[Candidate]:
    for one, kind in zip(asked, kinds, strict=True):
        if kind != "none" or is_order(one.clause.sentence):
            yield Candidate(
                category=kind,
                content=one.clause.text,
                confidence=HEDGED_CONFIDENCE if cues.HEDGE.search(one.clause.text) else PLAIN_CONFIDENCE,
                position=one.line.position,
            )
