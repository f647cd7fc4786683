"""Labelled sentences by which a clause about a company is told from others: the kinds of facts, and what is none."""

from memory.company.extraction.sentences_beside import NONE, PREFERENCE
from memory.company.extraction.sentences_of_facts import DECISION, KNOWLEDGE, UNRESOLVED

SENTENCES: dict[str, tuple[str, ...]] = {
    "decision": DECISION,
    "preference": PREFERENCE,
    "knowledge": KNOWLEDGE,
    "unresolved": UNRESOLVED,
    "none": NONE,
}
KINDS = tuple(SENTENCES)
