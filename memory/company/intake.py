"""The one door by which facts come into a company's memory.

Embedding, comparing and asking a model come first and hold no lock. Then, in one short transaction under the space's
lock, it is looked at whether the memory is still the one that was compared; if not, all is thought out anew. So two
jobs at once cannot make two copies of one fact, however it is worded.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

import structlog

from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.language import as_sentence
from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version, space_version
from memory.company.errors import MemoryBusy
from memory.company.facts import NewFact
from memory.company.reconcile.engine import Ask, Judgement, ask_about_facts
from memory.company.reconcile.engine import discern as discern_facts
from memory.company.reconcile.plan import weigh
from memory.company.reconcile.selectors import read_holding, unheard
from memory.company.reconcile.store import Taking
from memory.company.summaries.service import queue_if_due
from memory.models import Extraction

logger = structlog.get_logger(__name__)

#: Each time that somebody else was faster everything is compared anew; so often in a row only under a flood of writers.
MOST_ATTEMPTS = 16


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of new facts.

    Attributes:
        believed: new rows that are believed, `restated`, `contradicted`, `renewed` and `resolved` ones included.
        restated: said again, more surely: the new row took the old one's place.
        confirmed: said again, no more surely: the old row was confirmed.
        contradicted: took the place of something that they contradict.
        renewed: said again after it had expired.
        resolved: settled an open item.
        outdated: contradicted by something that was said later; kept as history only.
        skipped: taken in before, from the same message.
        rows: ids of the new rows, in the order in which they were said.
    """

    believed: int = 0
    restated: int = 0
    confirmed: int = 0
    contradicted: int = 0
    renewed: int = 0
    resolved: int = 0
    outdated: int = 0
    skipped: int = 0
    rows: tuple[UUID, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Return the numbers alone, by outcome."""
        return {name: number for name, number in asdict(self).items() if name != "rows"}


def believe(
    space: UUID,
    facts: Sequence[NewFact],
    *,
    now: datetime,
    extraction: Extraction | None = None,
    discern: Callable = discern_facts,
    ask: Ask = ask_about_facts,
) -> Outcome:
    """Take new facts into a company's memory, each once; the order in which they come does not matter, only when said.

    Killed anywhere, it has either written everything or nothing. Not to be called inside a transaction.

    Args:
        ask: for a model's verdict where words and values leave it open.

    Raises:
        MemoryBusy: others kept changing the memory meanwhile; nothing was written.
    """
    embedder = EmbedOnce(get_embedder())
    compare = partial(discern, embedder=embedder, ask=_asking_once(ask))
    for _ in range(MOST_ATTEMPTS):
        version = space_version(space)
        fresh = unheard(space, facts)
        if not fresh:
            return Outcome(skipped=len(facts))
        vectors = embedder.embed([as_sentence(fact.content) for fact in fresh])
        since = min(fact.said_at for fact in fresh)
        holding = read_holding(space, since=since, embedder=embedder, now=now)
        verdicts = weigh(fresh, vectors, holding, compare=compare)
        with write_scope(space):
            if space_version(space) == version:
                taking = Taking(space, holding, model=embedder.model, now=now, extraction=extraction)
                counts, rows = taking.take(verdicts)
                counts["skipped"] += len(facts) - len(fresh)
                if counts.total() > counts["skipped"]:
                    bump_version(space)
                if rows:
                    queue_if_due(space, now=now)
                return Outcome(**counts, rows=rows)
        logger.info("company.believe_again", space=str(space))
    raise MemoryBusy()


def _asking_once(ask: Ask) -> Ask:
    """Return a model's judgement that is asked for once for each pair, however often all is thought out anew."""
    known: dict[tuple[str, str], Judgement | None] = {}

    def asked(pairs: Sequence[tuple[str, str]]) -> dict[int, Judgement]:
        missing = list(dict.fromkeys(pair for pair in pairs if pair not in known))
        answers = ask(missing) if missing else {}
        known.update((pair, answers.get(place)) for place, pair in enumerate(missing))
        judged = ((place, known[pair]) for place, pair in enumerate(pairs))
        return {place: verdict for place, verdict in judged if verdict is not None}

    return asked
