"""What of a reading may be believed: each candidate is a new fact, or refused with the reason."""

import math
import re
from collections.abc import Collection, Iterable
from functools import cached_property

from companion_site.language import hide_foreign, sanitise, words
from memory.company.extraction.covered import is_covered
from memory.company.extraction.dialogue import Dialogue, Line
from memory.company.extraction.orders import is_order
from memory.company.extraction.schema import CATEGORIES, Candidate, Refused
from memory.company.extraction.sentences import split_sentences
from memory.company.extraction.topics import is_business, is_private
from memory.company.facts import NewFact, fingerprint
from memory.company.params import COMPANY, CompanyParams
from memory.models import CompanyRefusal
from memory.reading.grounding import is_grounded

Reason = CompanyRefusal.Reason
#: of very many candidates so many times as many are looked at as are taken
EXAMINED = 5


_COLON = re.compile(r":\s*\n\s*")


class _Source:
    """A message that facts are said to come from, with its sentences and those of messages that it puts right."""

    def __init__(self, line: Line, *beside: Line) -> None:
        self.line = line
        self.said = "\n\n".join(one.text for one in (*beside, line))

    @cached_property
    def sentences(self) -> list[tuple[frozenset[str], bool]]:
        """Return the words of each sentence, and whether it is an order; what follows a colon belongs to it."""
        prose = _COLON.sub(": ", hide_foreign(self.said))
        return [(frozenset(words(one)), is_order(one)) for one in split_sentences(prose)]

    def orders(self, content: str) -> bool:
        """Tell whether a sentence that some content tells is an order, however the content puts it."""
        told = set(words(content))
        shared = [(len(told & said), order) for said, order in self.sentences]
        return max(shared, default=(0, False))[1]


def check(
    candidates: Iterable[Candidate],
    dialogue: Dialogue,
    *,
    standing: Collection[str] = (),
    params: CompanyParams = COMPANY,
) -> tuple[list[NewFact], list[Refused]]:
    """Return the facts that may be believed, each once, and what is refused.

    Args:
        standing: the keys of the company's figures that the live state has.
    """
    sources = {line.position: _Source(line) for line in dialogue.sources}
    facts: dict[str, NewFact] = {}
    refused: list[Refused] = []
    for number, candidate in enumerate(candidates):
        source = sources.get(candidate.position)
        if source is not None and candidate.beside:
            source = _Source(source.line, *(sources[one].line for one in candidate.beside if one in sources))
        content = _tidy(candidate.content[: 2 * params.most_chars])
        if number >= EXAMINED * params.most_facts or len(facts) >= params.most_facts:
            reason: CompanyRefusal.Reason | None = Reason.TOO_MANY
        else:
            reason = _find_fault(candidate, content, source, standing, params)
        if reason is not None or source is None:
            refused.append(_refused(reason or Reason.NOT_SAID, content, source, params))
        else:
            facts.setdefault(fingerprint(content), _as_fact(candidate, content, source.line, dialogue))
    return list(facts.values()), refused


def _find_fault(
    candidate: Candidate,
    content: str,
    source: _Source | None,
    standing: Collection[str],
    params: CompanyParams,
) -> CompanyRefusal.Reason | None:
    """Return why a candidate is not taken; None where nothing speaks against it."""
    if source is None or not content:
        return Reason.NOT_SAID
    if len(content) > params.most_chars:
        return Reason.TOO_LONG
    if is_order(content) or source.orders(content):
        return Reason.INSTRUCTION
    if candidate.category not in CATEGORIES:
        return Reason.UNKNOWN_CATEGORY
    if not math.isfinite(candidate.confidence) or not 0.0 < candidate.confidence <= 1.0:
        return Reason.BAD_CONFIDENCE
    if not is_grounded(content, source.said, language=source.line.language):
        return Reason.NOT_SAID
    if is_covered(content, standing):
        return Reason.COVERED
    return Reason.OFF_TOPIC if _is_off_topic(content) else None


def _is_off_topic(content: str) -> bool:
    return is_private(content) and not is_business(content)


def _tidy(content: str) -> str:
    return " ".join(sanitise(content).split()).strip(" -•*").rstrip(" .!;,")


def _as_fact(candidate: Candidate, content: str, source: Line, dialogue: Dialogue) -> NewFact:
    return NewFact(
        category=candidate.category,
        content=content[:1].upper() + content[1:],
        language=source.language,
        confidence=candidate.confidence,
        said_at=source.said_at,
        conversation=dialogue.conversation,
        message=source.id,
        said_by=source.speaker,
    )


def _refused(
    reason: CompanyRefusal.Reason, content: str, source: _Source | None, params: CompanyParams
) -> Refused:
    # What is private stays private, whatever else is wrong with it: that something was refused is told, not what.
    shown = "" if _is_off_topic(content) else content[: params.most_chars]
    return Refused(reason=reason, content=shown, message=source.line.id if source else None)
