"""Whether a message is about danger to somebody: by the ledger's turns of phrase, and by the cues of the companion without a model.

Said of the reply as its type, this is metadata like an alert of the ledger: when, and never what.
"""

import re
from collections.abc import Iterable

import numpy as np

from chat.personalising.drawing import Shows, Statement, find_shown
from companion_site.language import Language, hide_foreign
from companion_site.llm.offline import find_cue
from companion_site.llm.offline_phrases import PHRASES
from ledger.matching import Triggered
from ledger.models import LedgerEntry
from memory.ledger_kinds import judge
from memory.ledger_sentences import KINDS

_SENTENCE = re.compile(r"[^.!?…\n]+")


def is_about_danger(text: str, entries: Iterable[Triggered] = (), *, language: Language) -> bool:
    """Tell whether a message speaks of danger, or of a threat that the ledger keeps.

    Args:
        entries: what the message brought up of the ledger; a threat that holds always is not about every message.
    """
    if find_cue(PHRASES[language], text) == "danger":
        return True
    if any(_threatens(sentence) for sentence in _SENTENCE.findall(hide_foreign(text))):
        return True
    threats = [entry.content for entry in entries if entry.category == LedgerEntry.Category.THREAT]
    shown = find_shown(text, [Statement(text=threat, language=language) for threat in threats])
    return any(clarity is not Shows.NOT for clarity in shown)


def _threatens(sentence: str) -> bool:
    """Tell whether a sentence's own words speak of harm, whatever it is like."""
    return judge(sentence, np.zeros(len(KINDS)), 0.0).category == LedgerEntry.Category.THREAT
