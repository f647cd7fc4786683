"""What stands under a person's message of what was remembered from it: each memory's words, what it took the place of, and what undoes that.

Where danger was spoken of nothing is repeated. The space is unlocked by the caller.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from chat.access import ChatAccess
from chat.memories.formation import count_memories
from chat.models import Message
from chat.notices import announce_formed
from companion_site.embeddings.service import get_embedder
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, MemorySource
from memory.student.corrections import correct_memory, forget_memory
from memory.student.pages.memories import standing_changes
from memory.student.undo import undo_change


@dataclass(frozen=True)
class Replaced:
    """Words that hold no more, and the change that can be undone; None where nothing undoes it."""

    text: str
    change: UUID | None


@dataclass(frozen=True)
class Kept:
    """One memory under its message; `undo` is the change that let it go, None while it holds."""

    id: UUID
    text: str
    undo: UUID | None
    instead_of: tuple[Replaced, ...] = ()


def kept_of(space: UUID, messages: Iterable[Message]) -> dict[UUID, list[Kept]]:
    """Return what stands under each of these messages, the first formed first."""
    found: dict[UUID, list[Kept]] = defaultdict(list)
    with space_scope(space):
        said = [row.pk for row in messages if row.role == Message.Role.PERSON]
        if said:
            rows = Message.objects.for_space(space).filter(pk__in=said)
            said = list(rows.exclude(pk__in=rows.of_danger().values("pk")).values_list("pk", flat=True))
        pairs = _came_of(space, said) if said else []
        nodes = {row.pk: row for row in _safe(space, Q(pk__in={node for _, node in pairs}))} if pairs else {}
        if not nodes:
            return found
        former = list(_safe(space, Q(superseded_by__in=nodes)))
        changes = standing_changes(space, [*nodes, *(row.pk for row in former)])
    replaced: dict[UUID, list[Replaced]] = defaultdict(list)
    for row in former:
        if row.superseded_by_id is not None:
            replaced[row.superseded_by_id].append(Replaced(row.content or "", changes.get(row.pk)))
    for message, node in pairs:
        if node in nodes and (line := _line(nodes[node], changes.get(node), replaced[node])):
            found[message].append(line)
    return found


def change_kept(access: ChatAccess, message: Message, *, do: str, of: UUID, text: str, now: datetime) -> None:
    """Correct or forget a memory that stands under a message, or undo a change that stands there; open pages are told.

    Args:
        do: "correct", "forget" or "undo".
        of: the memory, or the change that is undone.
        text: how it really is, where it is corrected.

    Raises:
        NotFound: nothing like that stands there.
        InvalidInput: it is none of the three, or the words do not do.
        CompanionError: as correcting, forgetting and undoing raise.
    """
    lines = kept_of(access.space, [message])[message.pk]
    undone = {line.undo for line in lines} | {old.change for line in lines for old in line.instead_of}
    offered = undone if do == "undo" else {line.id for line in lines if line.undo is None}
    if not access.remembers or of not in offered:
        raise NotFound()
    space, actor = access.space, access.person
    if do == "correct":
        correct_memory(space, of, text=text, embedder=get_embedder(), now=now, actor=actor)
    elif do == "forget":
        forget_memory(space, of, now=now, actor=actor)
    elif do == "undo":
        undo_change(space, of, now=now, actor=actor)
    else:
        raise InvalidInput()
    with space_scope(space):
        count = count_memories(space, [message.pk]).get(message.pk, 0)
    announce_formed(message.conversation_id, message.pk, count)


def _line(row: MemoryNode, change: UUID | None, replaced: Collection[Replaced]) -> Kept | None:
    """Return a memory's line; None for one that lives on in another, or that nothing brings back."""
    if row.superseded_at is not None or row.merged_into_id is not None:
        return None
    if row.removed_at is None:
        return Kept(row.pk, row.content or "", None, tuple(replaced))
    return Kept(row.pk, row.content or "", change) if change is not None else None


def _came_of(space: UUID, messages: Collection[UUID]) -> list[tuple[UUID, UUID]]:
    """Return (message, memory) for what was formed of each message and what its person put in the place of that."""
    sources = MemorySource.objects.for_space(space).filter(
        kind=MemorySource.Kind.MESSAGE, source_id__in=messages
    )
    pairs = list(dict.fromkeys(sources.order_by("node_id").values_list("source_id", "node_id")))
    latest = pairs
    while latest:
        said_in = defaultdict(set)
        for message, node in latest:
            said_in[node].add(message)
        by_hand = MemoryNode.objects.for_space(space).filter(supersedes__in=said_in, sources__isnull=True)
        steps = by_hand.values_list("supersedes", "pk").order_by("pk").distinct()
        known = set(pairs)
        latest = [(m, new) for old, new in steps for m in said_in.get(old, ()) if (m, new) not in known]
        pairs += latest
    return pairs


def _safe(space: UUID, which: Q) -> Iterator[MemoryNode]:
    rows: QuerySet[MemoryNode] = MemoryNode.objects.for_space(space).filter(which)
    return rows.filter(of_danger=False, content__isnull=False).order_by("id").iterator()
