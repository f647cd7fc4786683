"""A sleep from beginning to end: read a batch, think, write, and go on while work is left.

Reading and writing are short transactions; thinking is in neither. What was thought out is written only if what it was
about is still as it was read. Killed anywhere, a run has written everything or nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from time import perf_counter
from uuid import UUID

import structlog

from companion_site.audit.services import record_event
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.errors import CompanionError
from companion_site.language import as_sentence
from companion_site.llm.errors import LanguageModelError
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope, write_scope
from memory.models import SleepRun
from memory.student.params import SLEEP
from memory.student.runs import find_open, is_claimed, note_progress
from memory.student.sleep.consolidation import consolidate
from memory.student.sleep.insights import Consolidation, Item, NeverAtRest, check_accounts
from memory.student.sleep.selectors import choose_batch, find_context, is_unchanged, read_items, waiting_for
from memory.student.sleep.store import write_consolidation
from memory.student.sleep.timing import (
    begin_due,
    begin_run,
    claim,
    end_failed,
    go_on,
    has_memory_on,
    plan_next,
)
from memory.student.workingset import working_sets

logger = structlog.get_logger(__name__)

#: Share of a run that has passed when the batch has been read, and when it has been thought out.
READ, THOUGHT = 0.1, 0.8
#: How often what was thought out is thrown away because the memory changed meanwhile.
MOST_READINGS = 5
#: What is told of a run on the record and in the log.
COUNTED = ("processed", "covered", "let_go", "left", "created", "updated")
#: What the record says of an error that is none of the site's own.
UNEXPECTED = "unexpected"


class EmbedUnknown(EmbedOnce):
    """An embedder that is told what is stored, and asks for the rest once."""

    def with_vectors(self, items: Sequence[Item]) -> list[Item]:
        """Return the items, each with a vector; embeds only the texts of those that have none.

        The vector of what was said is that text's own, and known from here on; that of a derived memory is a mean of others.
        """
        self._known.update(
            {item.text: item.vector for item in items if item.vector.size and not item.is_derived}
        )
        bare = {item.text for item in items if not item.vector.size}
        self._known.update(zip(bare, self.embed([as_sentence(text) for text in bare]), strict=True))
        return [item if item.vector.size else replace(item, vector=self._known[item.text]) for item in items]


def sleep(space: UUID, run: UUID, *, key: SpaceKey, now: datetime, queue: bool = True) -> SleepRun:
    """Carry out one run that was asked for, once; return its record. An error ends on the record.

    A run that somebody else works on, or that has ended, is left alone.

    Args:
        queue: whether the worker is to go on with what is left; if not, the next run waits for the caller.

    Raises:
        NotFound: the space has no such run.
    """
    row = claim(space, run, now=now)
    if row is None:
        with space_scope(space):
            return SleepRun.objects.for_space(space).get(pk=run)
    begun, error = perf_counter(), ""
    try:
        with unlocked(space, key):
            _carry_out(space, row, now=now, queue=queue, begun=begun)
    except CompanionError as refused:
        error = refused.code
        if isinstance(refused, LanguageModelError):
            row.provider, row.model = refused.provider, refused.model
    except Exception:  # on the record it ends; the next try comes by the clock
        logger.exception("memory.sleep_broke", run=str(run))
        error = UNEXPECTED
    if error:
        with space_scope(space):
            if is_claimed(row):
                row.duration_ms = _ms_since(begun)
                end_failed(space, row, error, now=now)
    return row


def sleep_if_due(space: UUID, *, key: SpaceKey, now: datetime) -> SleepRun | None:
    """Carry out the run that is due, where no worker may hold the key and the person is there; None where none is."""
    run = begin_due(space, now=now)
    return sleep(space, run, key=key, now=now, queue=False) if run is not None else None


def sleep_through(space: UUID, *, key: SpaceKey, now: datetime) -> list[SleepRun]:
    """Carry out a whole sleep here and now, with no pause between its runs; return their records."""
    done = []
    run: UUID | None = begin_run(space, trigger=SleepRun.Trigger.SCHEDULED, now=now).pk
    while run is not None:
        done.append(sleep(space, run, key=key, now=now, queue=False))
        failed = done[-1].state == SleepRun.State.FAILED and done[-1].attempt < SLEEP.most_tries
        if failed:
            begin_run(space, trigger=SleepRun.Trigger.SCHEDULED, now=now)
        following = find_open(SleepRun, space)
        run = following.pk if following is not None and following.pk != run else None
    return done


def _carry_out(space: UUID, run: SleepRun, *, now: datetime, queue: bool, begun: float) -> None:
    """Read, think and write, again where the memory changed meanwhile.

    Raises:
        NeverAtRest: it changed each time.
        BatchNotAccountedFor: what was thought out does not add up.
        LanguageModelError: as thinking raises.
    """
    embedder = EmbedUnknown(get_embedder())
    for _ in range(MOST_READINGS):
        items, context = _read(space, run, embedder, now=now)
        note_progress(run, READ)
        done = Consolidation(kept={})
        if items:
            with_model = run.attempt < SLEEP.most_tries
            done = consolidate(items, context, embedder=embedder, with_model=with_model)
            check_accounts(items, context, done)
        note_progress(run, THOUGHT)
        if _write(space, run, items, context, done, model=embedder.model, now=now, queue=queue, begun=begun):
            return
    raise NeverAtRest()


def _read(
    space: UUID, run: SleepRun, embedder: EmbedUnknown, *, now: datetime
) -> tuple[list[Item], list[Item]]:
    """Return what this run is to think about: the next batch, and the long-term memories it is nearest to."""
    model = embedder.model
    with space_scope(space):
        chosen = choose_batch(space, run)
        read = read_items(space, chosen, model=model, now=now)
    items = embedder.with_vectors([*read.values()])
    if not items:
        return [], []
    known = working_sets.get(space, model=model, dimension=embedder.dimension)
    context = find_context(items, working_set=known, embedder=embedder)
    with space_scope(space):
        near = read_items(space, context, model=model, now=now)
    return items, embedder.with_vectors([*near.values()])


def _write(
    space: UUID,
    run: SleepRun,
    batch: Sequence[Item],
    context: Sequence[Item],
    done: Consolidation,
    *,
    model: str,
    now: datetime,
    queue: bool,
    begun: float,
) -> bool:
    """Write it all; return False where what was read is no longer so, or the person has switched their memory off."""
    began, items = perf_counter(), (*batch, *context)
    with write_scope(space):
        if not is_claimed(run):
            return True
        if batch and not has_memory_on(space):
            return False
        now_there = read_items(space, [item.id for item in items], model=model, now=now)
        if not is_unchanged(items, now_there):
            return False
        if batch:
            kept = write_consolidation(space, run, now_there, done, model=model, now=now)
            run.processed = len(batch)
            run.provider, run.model = done.provider, done.model
            run.input_tokens, run.output_tokens = done.input_tokens, done.output_tokens
            told = {name: getattr(run, name) for name in ("trigger", "attempt", *COUNTED)}
            data = {**told, "kept": kept}
            record_event("memory.slept", chain=space, subject=run, data=data, now=now)
        run.state = SleepRun.State.PARTIAL if done.left else SleepRun.State.SUCCESS
        run.progress, run.finished_at, run.duration_ms = 1.0, now, _ms_since(begun)
        run.save()
        # It goes on with what is left, or plans the next sleep, in the transaction that wrote it.
        rest = waiting_for(space, run)
        if run.trigger != SleepRun.Trigger.CONTINUED:
            rest = rest.filter(sleep_tries=0)
        if run.processed and rest.exists():
            go_on(space, now=now, queue=queue)
        else:
            plan_next(space, now=now)
        run.commit_ms = _ms_since(began)
        run.save(update_fields=["commit_ms"])
    names = ("attempt", *COUNTED, "provider", "model", "duration_ms", "commit_ms")
    counts = {name: getattr(run, name) for name in names}
    logger.info("memory.slept", space=str(space), run=str(run.pk), state=str(run.state), **counts)
    return True


def _ms_since(began: float) -> int:
    return round((perf_counter() - began) * 1000)
