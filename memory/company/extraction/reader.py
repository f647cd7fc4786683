"""Reading a dialogue for facts: by the model where there is one, by prototypes where there is none."""

from collections.abc import Collection

import structlog

from companion_site.embeddings.service import get_embedder
from companion_site.llm.errors import LanguageModelError, MalformedOutput
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.types import Extracted
from memory.company.extraction.dialogue import Dialogue
from memory.company.extraction.offline import read_offline
from memory.company.extraction.prompts import extraction_instructions, render_dialogue
from memory.company.extraction.schema import Candidate, ReadFacts, Reading, Refused
from memory.company.extraction.validation import Reason, check
from memory.reading.model import extract_by_model

PURPOSE = "company.extraction"
#: the longest answer: as many facts as are taken, each at its longest
MOST_TOKENS = 4096

logger = structlog.get_logger(__name__)


def read(dialogue: Dialogue, *, standing: Collection[str] = ()) -> Reading:
    """Return the facts that a dialogue holds, checked, with what was refused.

    Synchronous and slow: called from a worker, never inside a transaction.

    Args:
        standing: the keys of the company's figures that the live state has.
    """
    asked, refused = _ask(dialogue)
    if asked is not None:
        candidates = [
            Candidate(
                category=fact.category,
                content=fact.content,
                confidence=fact.confidence,
                position=fact.message,
            )
            for fact in asked.value.facts
        ]
        provider, model = asked.provider, asked.model
    else:
        candidates = read_offline(dialogue, embedder=get_embedder())
        provider, model = OfflineCompanion.name, ""
    facts, faults = check(candidates, dialogue, standing=standing)
    return Reading(facts=facts, refused=[*refused, *faults], provider=provider, model=model)


def _ask(dialogue: Dialogue) -> tuple[Extracted[ReadFacts] | None, list[Refused]]:
    """Return a model's answer; None where none could be asked, or none could be read."""
    try:
        asked = extract_by_model(
            ReadFacts,
            instructions=extraction_instructions(),
            data=render_dialogue(dialogue),
            purpose=PURPOSE,
            max_tokens=MOST_TOKENS,
        )
    except MalformedOutput as error:
        logger.info("company.unreadable", code=error.code)
        return None, [Refused(reason=Reason.UNREADABLE)]
    except LanguageModelError as error:
        logger.info("company.offline", code=error.code)
        return None, []
    return asked, []
