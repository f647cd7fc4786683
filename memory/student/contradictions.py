"""Memories that cannot both be true now: found at formation among near neighbours, by the reader or by feeling; then retired by the
strategy that applies, left open for the person, or settled by their word, and undone in one click.

Finding embeds, and so never runs inside a transaction. Measured: docs/algorithms/change.md.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

import numpy as np
from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from companion_site.audit.services import record_event, record_events
from companion_site.embeddings.protocol import Embedder
from companion_site.errors import InvalidInput
from companion_site.language import tokens
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from ledger.models import LedgerEntry
from memory.models import Contradiction, MemoryChange, MemoryEdge, MemoryNode, MemorySource
from memory.reading.params import READING
from memory.reading.questions import find_same_kind
from memory.reading.requests import is_no_more_than_a_value
from memory.reading.service import ReadOnce
from memory.reading.statements import Statement, stands_for_another
from memory.reconcile import Change, Effect, read_changes
from memory.student.errors import AlreadySettled, NoLongerHeld
from memory.student.selectors import NodeData
from memory.student.store import create_edges, gravity_at, load_active, note_change, supersede
from memory.student.workingset import WorkingSet

#: How far to look for contradictions. Source: row G8.
#: memories that one statement is compared with, the nearest first
NEIGHBOURS = 8
#: similarity from which opposite feelings are a contradiction to review, and valence from which a statement counts as a feeling
OPPOSED, FELT = 0.8, 0.5
#: share of the shorter one's telling words that two feelings must have in common to be about the same
SHARED_WORDS = 0.5
FoundBy, Strategy = Contradiction.FoundBy, Contradiction.Strategy
#: what is done where the reader finds that a statement surely, perhaps or barely takes an earlier one's place
STRATEGIES = {
    Effect.REPLACES: Strategy.NEWER_WINS,
    Effect.DOUBTS: Strategy.MANUAL,
    Effect.HINTS: Strategy.MENTION,
}
#: what decides between two memories
_WEIGHED = ("trust", "gravity", "salience", "accessed_at", "superseded_at", "removed_at")
Keep = Literal["earlier", "later", "both"]
BY_PERSON = "person"
#: What takes another's place so soon leans on it.
AT_ONCE = timedelta(minutes=30)
#: of what waits for the person's word so much is asked about at once
MOST_ASKED = 100
#: by these both memories go on being believed
LEFT_STANDING = frozenset({Strategy.MANUAL.value, Strategy.MENTION.value})
#: what a change says of a finding, where that is not who found it
REASONS: dict[str, str] = {Contradiction.FoundBy.VALENCE: "opposite_feelings"}


@dataclass(frozen=True, kw_only=True)
class Found:
    """One new statement that contradicts what is held.

    Attributes:
        statement: position among the statements given.
        earlier: the memory, or the position of an earlier statement of the same message.
        found_by: a `Contradiction.FoundBy`.
        strategy: a `Contradiction.Strategy`; `settle` may still leave it to the person.
    """

    statement: int
    earlier: UUID | int
    found_by: str
    strategy: str


@dataclass(frozen=True)
class _Said:
    """One statement as it is compared, with its (d,) vector; `speaker` is None for the person themselves."""

    text: str
    vector: np.ndarray
    language: str
    valence: float
    speaker: str | None


@dataclass(frozen=True)
class _Pair:
    statement: int
    later: _Said
    at: UUID | int
    earlier: _Said
    similarity: float


def find_contradictions(
    statements: Sequence[Statement],
    vectors: np.ndarray,
    *,
    working_set: WorkingSet,
    embedder: Embedder,
    language: str,
    speaker: str | None = None,
    corrects: bool = False,
    before: Sequence[NodeData] = (),
    of_danger: frozenset[int] = frozenset(),
) -> list[Found]:
    """Return what new statements contradict, in the order of the statements; nobody is asked which of two holds that speak of danger.

    Args:
        statements: of one message, without a parent that stands for the whole.
        vectors: (n, d) float32 unit rows of the statements.
        language: of the message.
        speaker: who said it; None for the space's own person.
        corrects: the message puts something right: of what each statement barely speaks against the likeliest is meant.
        before: what the same person said just before it in the same conversation; what it puts right gave the same kind of value there,
            if nothing else is meant.
        of_danger: the positions of those that speak of danger.
    """
    said = [
        _Said(statement.text, vector, language, statement.valence, speaker)
        for statement, vector in zip(statements, vectors, strict=True)
    ]
    near = [
        *_pairs_within(said, vectors, embedder),
        *_pairs_held(said, vectors, working_set, embedder),
    ]
    pairs = [
        pair
        for pair in near
        if of_danger.isdisjoint({pair.statement, pair.at})
        and not any(map(stands_for_another, (pair.earlier.text, pair.later.text)))
    ]
    known = {one.text: one.vector for pair in pairs for one in (pair.earlier, pair.later)}
    changes = read_changes(
        [(pair.earlier.text, pair.later.text) for pair in pairs],
        # Different people's words never contradict.
        [pair.similarity if pair.earlier.speaker == pair.later.speaker else 0.0 for pair in pairs],
        embedder=ReadOnce(embedder, known),
    )
    found = []
    meant = _find_meant(pairs, changes) if corrects else frozenset()
    for place, (pair, change) in enumerate(zip(pairs, changes, strict=True)):
        by, strategy = FoundBy.READER, Strategy.MANUAL if place in meant else STRATEGIES.get(change.effect)
        # One bad day does not undo a general feeling, so the person decides.
        if change.effect.speaks_against and _feel_otherwise(pair):
            by, strategy = FoundBy.VALENCE, Strategy.MANUAL
        if strategy is not None:
            found.append(
                Found(statement=pair.statement, earlier=pair.at, found_by=by.value, strategy=strategy.value)
            )
    if corrects and before:
        recent = _said_at_once(working_set, before[0])
        found = _settle_just_said(said, before, found, recent=recent, besides=of_danger)
    return sorted(found, key=lambda one: one.statement)


def _said_at_once(working_set: WorkingSet, last: NodeData) -> set[UUID]:
    """Return the memories of the same conversation from half an hour before this one on."""
    told = last.source
    return {
        node.id
        for node in working_set.nodes
        if told is not None and node.source is not None and node.source.conversation == told.conversation
        if told.said_at - node.source.said_at <= AT_ONCE.total_seconds()
    }


def _settle_just_said(
    said: Sequence[_Said],
    before: Sequence[NodeData],
    found: Sequence[Found],
    *,
    recent: Collection[UUID],
    besides: Collection[int],
) -> list[Found]:
    """Return findings with a doubt of what was said just before for each statement that gives the same kind of value and puts nothing
    else right.

    What says no more than a value ("no wait, it's 4417") sounds as if it replaced whatever stands near, and speaks of this conversation.

    Args:
        recent: what was said in it; besides: the statements of which nobody is asked.
    """
    texts = [node.text or "" for node in before]
    places = {at: find_same_kind(one.text, texts) for at, one in enumerate(said) if at not in besides}
    values = {at for at in places if is_no_more_than_a_value(said[at].text, texts)}
    kept = [one for one in found if one.statement not in values or one.earlier in recent]
    settled = {one.statement for one in kept if one.strategy != Strategy.MENTION}
    by, strategy = FoundBy.READER.value, Strategy.MANUAL.value
    right = [
        Found(statement=at, earlier=before[place].id, found_by=by, strategy=strategy)
        for at, place in places.items()
        if place is not None and at not in settled
    ]
    # First, since of two findings on a pair the first is written.
    return [*right, *kept]


def _find_meant(pairs: Sequence[_Pair], changes: Sequence[Change]) -> frozenset[int]:
    """Return by statement the place of the pair that it most likely puts right, where it no more than hints at it."""
    by_chance = sorted(range(len(pairs)), key=lambda place: changes[place].chance)
    likeliest = {pairs[place].statement: place for place in by_chance}
    return frozenset(place for place in likeliest.values() if changes[place].effect is Effect.HINTS)


def _similarities(left: np.ndarray, right: np.ndarray, embedder: Embedder) -> np.ndarray:
    """Return (n, m) calibrated similarities; what is not a number is nothing alike."""
    return np.nan_to_num(embedder.calibration.similarity(left @ right.T))


def _pairs_within(said: Sequence[_Said], vectors: np.ndarray, embedder: Embedder) -> list[_Pair]:
    if len(said) < 2:
        return []
    among = _similarities(vectors, vectors, embedder)
    return [
        _Pair(after, said[after], before, said[before], float(among[after, before]))
        for after in range(1, len(said))
        for before in range(after)
        if among[after, before] >= READING.compared
    ]


def _pairs_held(
    said: Sequence[_Said],
    vectors: np.ndarray,
    working_set: WorkingSet,
    embedder: Embedder,
) -> list[_Pair]:
    with working_set.lock:
        corpus, nodes = working_set.corpus, list(working_set.nodes)
    if not said or not nodes:
        return []
    compared = (corpus.alive & ~working_set.of_danger)[None, :]
    similarities = np.where(compared, _similarities(vectors, corpus.vectors, embedder), 0.0)
    nearest = np.argsort(-similarities, axis=1, kind="stable")[:, :NEIGHBOURS]
    return [
        _Pair(
            index,
            said[index],
            nodes[row].id,
            _as_said(nodes[row], corpus.vectors[row]),
            similarities[index, row],
        )
        for index, rows in enumerate(nearest.tolist())
        for row in rows
        if similarities[index, row] >= READING.compared
    ]


def _as_said(node: NodeData, vector: np.ndarray) -> _Said:
    speaker = node.source.speaker if node.source else None
    return _Said(node.text or "", vector, node.language, node.valence, speaker)


def _feel_otherwise(pair: _Pair) -> bool:
    """Tell whether one person feels otherwise about the same (row G8)."""
    earlier, later = pair.earlier, pair.later
    felt = min(abs(earlier.valence), abs(later.valence)) >= FELT
    opposed = felt and pair.similarity > OPPOSED and earlier.valence * later.valence < 0
    return opposed and earlier.speaker == later.speaker and _share_topic(pair)


def _share_topic(pair: _Pair) -> bool:
    """Tell whether both feelings are about the same: likeness alone sees one in "Well done!" and "Sorry about that"."""
    earlier, later = (
        set(tokens(said.text, said.language))  # type: ignore[arg-type]  # a column of languages
        for said in (pair.earlier, pair.later)
    )
    return len(earlier & later) >= max(1.0, SHARED_WORDS * min(len(earlier), len(later)))


@dataclass(frozen=True, slots=True)
class Doubt:
    """The later memory that may have taken another's place, and whether there is so little in it that nobody is asked."""

    by: UUID
    is_slight: bool = False


def retire(
    space: UUID,
    loser: MemoryNode,
    *,
    winner: MemoryNode,
    contradiction: Contradiction,
    reason: str,
    now: datetime,
    actor: models.Model | None = None,
) -> MemoryChange:
    """Supersede `loser` by `winner`, which must be believed: there are never fewer current facts than before."""
    if winner.superseded_at is not None or winner.removed_at is not None or winner.pk == loser.pk:
        raise ValueError("only a memory that is believed can take another's place")
    version = bump_version(space)
    _tie(space, contradiction, version=version, now=now)
    supersede(space, loser.pk, by=winner.pk, version=version, now=now)
    before = {"contradiction": str(contradiction.pk), "state": contradiction.state}
    change = note_change(
        space, MemoryChange.Kind.SUPERSEDED, reason, [loser.pk, winner.pk], before=before, now=now
    )
    contradiction.state, contradiction.settled_at = Contradiction.State.RESOLVED, now
    contradiction.change = change
    contradiction.save(update_fields=["state", "settled_at", "change", "strategy"])
    data = {"by": str(winner.pk), "contradiction": str(contradiction.pk)}
    record_event("memory.superseded", chain=space, actor=actor, subject=loser, data=data, now=now)
    return change


def settle(
    space: UUID, found: Sequence[Found], nodes: Sequence[UUID | None], *, now: datetime
) -> list[Contradiction]:
    """Write findings in the transaction that wrote the statements; return the contradictions.

    The caller holds scope and lock of the unlocked space. What another writer has superseded or removed since it was
    found is passed over, and so is a pair that the person has spoken about.

    Args:
        nodes: the memory of each statement, new or held already; None where it left none.
    """
    pairs = [
        (one, earlier, later)
        for one in found
        if (later := nodes[one.statement]) is not None
        and (earlier := nodes[one.earlier] if isinstance(one.earlier, int) else one.earlier) is not None
        and earlier != later
    ]
    if not pairs:
        return []
    ids = {node for _, *pair in pairs for node in pair}
    sources = MemorySource.objects.for_space(space).filter(node_id=OuterRef("pk")).order_by("-said_at")
    last_said = Coalesce(Subquery(sources.values("said_at")[:1]), "formed_at")
    active = MemoryNode.objects.for_space(space).active().filter(pk__in=ids).only(*_WEIGHED)
    believed = {node.pk: node for node in active.annotate(last_said=last_said)}
    said = {key: node.last_said for key, node in believed.items()}
    known = set(map(frozenset, _between(space, ids).values_list("earlier_id", "later_id")))
    written = []
    for one, *ends in pairs:
        pair = frozenset(ends)
        if pair <= believed.keys() and pair not in known:
            known.add(pair)
            held, new = (believed[node] for node in ends)
            contradiction = _settle_pair(space, held, new, one, said=said, now=now)
            written.append(contradiction)
            if contradiction.change is not None:
                believed.pop(UUID(contradiction.change.node_ids[0]))
    left = [one for one in written if one.change is None]
    Contradiction.objects.bulk_create(left)
    told = [(one, {"found_by": str(one.found_by)}) for one in left]
    record_events("memory.contradiction_found", told, chain=space, now=now)
    return written


def replace_by_model(space: UUID, later: UUID, earlier: UUID, *, now: datetime) -> None:
    """Have one memory take the place of an earlier one, as a model says; what was in doubt is settled by it.

    The caller holds scope and lock of the unlocked space. What the person has spoken about stays as they said.
    """
    old, new = load_active(space, earlier), load_active(space, later)
    if old is None or new is None or earlier == later:
        return
    known, by = _on_record(space, earlier, later), Contradiction.FoundBy.MODEL.value
    if known is None:
        found = Found(statement=0, earlier=earlier, found_by=by, strategy=Strategy.NEWER_WINS)
        settle(space, [found], [later], now=now)
    elif known.state == Contradiction.State.OPEN and _may_retire(space, new, old):
        known.strategy = Strategy.NEWER_WINS
        retire(space, old, winner=new, contradiction=known, reason=by, now=now)


def _tie(space: UUID, contradiction: Contradiction, *, version: int, now: datetime) -> None:
    """Draw the edge from the later memory to the earlier one, once.

    A contradiction is as strong a tie as there is; it must be followed where the context is built.
    """
    edge = (contradiction.later_id, contradiction.earlier_id, MemoryEdge.Type.CONTRADICTS, 1.0)
    create_edges(space, [edge], version=version, now=now)


def _on_record(space: UUID, one: UUID, other: UUID) -> Contradiction | None:
    return _between(space, (one, other)).first()


def _between(space: UUID, nodes: Collection[UUID]) -> QuerySet[Contradiction]:
    return Contradiction.objects.for_space(space).filter(earlier_id__in=nodes, later_id__in=nodes)


def _settle_pair(
    space: UUID,
    held: MemoryNode,
    new: MemoryNode,
    found: Found,
    *,
    said: Mapping[UUID, datetime],
    now: datetime,
) -> Contradiction:
    """Settle one pair; which of the two is the earlier is decided by when they were last said, not when they formed.

    A contradiction that leaves both standing is not saved yet.
    """
    earlier, later = (new, held) if said[new.pk] < said[held.pk] else (held, new)
    strategy, winner, loser = found.strategy, later, earlier
    if (
        strategy == Strategy.NEWER_WINS
        and said[held.pk] == said[new.pk]
        and not isinstance(found.earlier, int)
    ):
        strategy = Strategy.STRONGER_WINS.value
    if strategy == Strategy.STRONGER_WINS:
        both = [(node.gravity, node.salience, node.accessed_at) for node in (earlier, later)]
        before, after = gravity_at(both, now=now)
        winner, loser = (earlier, later) if before > after else (later, earlier)
    retires = strategy not in LEFT_STANDING
    if retires and not _may_retire(space, winner, loser):
        strategy, retires = Strategy.MANUAL.value, False
    contradiction = Contradiction(
        space_id=space,
        earlier=earlier,
        later=later,
        found_by=found.found_by,
        strategy=strategy,
        state=Contradiction.State.OPEN,
        found_at=now,
    )
    if retires:
        contradiction.save(force_insert=True)
        reason = REASONS.get(found.found_by, found.found_by)
        retire(space, loser, winner=winner, contradiction=contradiction, reason=reason, now=now)
        return contradiction
    # What is only in doubt is a question to the person, and no edge before that is settled.
    if found.found_by != Contradiction.FoundBy.READER or found.strategy not in LEFT_STANDING:
        _tie(space, contradiction, version=bump_version(space), now=now)
    return contradiction


def _may_retire(space: UUID, winner: MemoryNode, loser: MemoryNode) -> bool:
    """Tell whether trust allows it; what the ledger holds word for word is never retired by itself.

    Nobody's word retires another's: what a teacher observed is not undone by what the student says in passing, nor the
    student's word by an observation. A merged memory says several things, so no one statement retires it.
    """
    if loser.trust != winner.trust or winner.trust == MemoryNode.Trust.DERIVED:
        return False
    entries = LedgerEntry.objects.for_space(space).filter(
        node_id=loser.pk, superseded_at__isnull=True, is_active=True
    )
    return not entries.exists()


def resolve(
    space: UUID, contradiction_id: UUID, *, keep: Keep, now: datetime, actor: models.Model | None = None
) -> Contradiction:
    """Settle an open contradiction as the person says. The space is unlocked by the caller.

    Raises:
        NotFound: the space has no such contradiction.
        InvalidInput: `keep` is none of the three.
        AlreadySettled: it is not open.
        NoLongerHeld: one of the two was superseded or removed meanwhile.
    """
    if keep not in ("earlier", "later", "both"):
        raise InvalidInput()
    with write_scope(space):
        row = Contradiction.objects.for_space(space).find(pk=contradiction_id)
        if row.state != Contradiction.State.OPEN:
            raise AlreadySettled()
        earlier, later = load_active(space, row.earlier_id), load_active(space, row.later_id)
        if earlier is None or later is None:
            raise NoLongerHeld()
        if keep == "both":
            bump_version(space)
            accept_both(space, row, now=now)
        else:
            winner, loser = (earlier, later) if keep == "earlier" else (later, earlier)
            row.strategy = Strategy.MANUAL
            retire(space, loser, winner=winner, contradiction=row, reason=BY_PERSON, now=now, actor=actor)
        data = {"keep": keep}
        record_event(
            "memory.contradiction_settled", chain=space, actor=actor, subject=row, data=data, now=now
        )
    return row


def accept_both(space: UUID, contradiction: Contradiction, *, now: datetime) -> None:
    """Note that both memories are true; they do not contradict each other any more."""
    MemoryEdge.objects.for_space(space).filter(
        source_id=contradiction.later_id,
        target_id=contradiction.earlier_id,
        type=MemoryEdge.Type.CONTRADICTS,
    ).delete()
    contradiction.state, contradiction.settled_at = Contradiction.State.BOTH_TRUE, now
    contradiction.save(update_fields=["state", "settled_at"])


def list_open(space: UUID) -> list[Contradiction]:
    """Return what is asked about, the oldest first; needs no key."""
    with space_scope(space):
        return list(_asked(space).order_by("id")[:MOST_ASKED])


def count_open(space: UUID) -> int:
    """Return how much is asked about; needs no key."""
    with space_scope(space):
        return _asked(space).count()


def find_doubts(space: UUID, nodes: Collection[UUID]) -> dict[UUID, list[Doubt]]:
    """Return by memory which later ones may have replaced it, the latest first; needs no key."""
    if not nodes:
        return {}
    found = defaultdict[UUID, list[Doubt]](list)
    with space_scope(space):
        rows = _open(space).filter(earlier_id__in=nodes).order_by("-id")
        for earlier, later, strategy in rows.values_list("earlier_id", "later_id", "strategy"):
            found[earlier].append(Doubt(by=later, is_slight=strategy == Strategy.MENTION))
    return dict(found)


def _asked(space: UUID) -> QuerySet[Contradiction]:
    """Return what the person is asked about: of the reader's guesses what a memory replaces, the nearest, where values tell of nothing.

    A memory replaces one thing at most, and "we have moved" sounds as if it replaced whatever stands near it. In a request all are
    doubted, and what there is little in is nowhere else.
    """
    rows, guess = _open(space).exclude(strategy=Strategy.MENTION), Contradiction.FoundBy.READER
    surer = rows.filter(later_id=OuterRef("later_id")).filter(~Q(found_by=guess) | Q(id__lt=OuterRef("id")))
    return rows.exclude(Q(found_by=guess) & Q(Exists(surer)))


def _open(space: UUID) -> QuerySet[Contradiction]:
    held = {
        f"{end}__{ended}__isnull": True
        for end in ("earlier", "later")
        for ended in ("superseded_at", "removed_at")
    }
    return Contradiction.objects.for_space(space).filter(state=Contradiction.State.OPEN, **held)
