"""Messages as the page shows them: one renderer for the page, the socket and the form."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from chat.access import ChatAccess
from chat.formation import count_memories
from chat.models import Message
from chat.rendering import render_markdown
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.algorithms.decay import decay_gravity
from memory.models import MemoryNode, MemorySource
from memory.pages.words import CLEAR, STRONG, say_gravity


@dataclass(frozen=True, kw_only=True)
class MemoryShown:
    """A memory that a reply was given, as the person sees it."""

    text: str
    modality_label: str
    said_at: datetime
    gravity: float
    #: the person's messages it came from
    messages: frozenset[UUID]

    @property
    def gravity_word(self) -> str:
        return say_gravity(self.gravity)

    @property
    def dots(self) -> int:
        """How many dots of three stand beside the word."""
        return 1 + (self.gravity >= CLEAR) + (self.gravity >= STRONG)


@dataclass(frozen=True, kw_only=True)
class MessageShown:
    """One message for the template `chat/_message.html`."""

    id: UUID
    role: str
    text: str
    state: str
    said_at: datetime
    client_id: UUID | None
    remembered: bool
    #: whether memories may still be formed from it
    awaits: bool
    offline: bool
    memories: Sequence[MemoryShown]
    #: when its words were removed, and what was learnt from them
    removed_at: datetime | None
    learnt: Sequence[str]
    #: how many of the person's messages those memories came from
    sources_count: int

    @cached_property
    def html(self) -> SafeString:
        return render_markdown(self.text)


def show_messages(access: ChatAccess, messages: Sequence[Message], *, now: datetime) -> list[MessageShown]:
    """Return messages as the page shows them, with the memories each reply was given."""
    with space_scope(access.space), unlocked(access.space, access.key):
        memories = _memories(access.space, messages, now)
        remembered = count_memories(access.space, [message.pk for message in messages])
        learnt = _learnt(access.space, messages)
        return [
            _shown(message, memories, message.pk in remembered, learnt[message.pk]) for message in messages
        ]


def render_message(shown: MessageShown) -> str:
    """Return one message's article."""
    return render_to_string("chat/_message.html", {"message": shown})


def _shown(
    message: Message, memories: dict[str, MemoryShown], remembered: bool, learnt: Sequence[str]
) -> MessageShown:
    used = [memories[entry["id"]] for entry in message.recalled if entry["id"] in memories]
    return MessageShown(
        id=message.pk,
        role=message.role,
        text=message.text or "",
        state=message.state,
        said_at=message.said_at,
        client_id=message.client_id,
        remembered=remembered,
        awaits=message.awaits_formation,
        offline=message.provider == "offline",
        memories=used,
        removed_at=message.text_removed_at,
        learnt=learnt,
        sources_count=len(frozenset().union(*(memory.messages for memory in used))),
    )


def _learnt(space: UUID, messages: Sequence[Message]) -> defaultdict[UUID, list[str]]:
    """Return what is believed of each message whose words are gone."""
    gone = [message.pk for message in messages if message.text_removed_at is not None]
    found: defaultdict[UUID, list[str]] = defaultdict(list)
    if gone:
        sources = MemorySource.objects.for_space(space).filter(source_id__in=gone)
        said_in = dict(sources.order_by("-id").values_list("node_id", "source_id"))
        for node in MemoryNode.objects.for_space(space).active().filter(pk__in=said_in).order_by("id"):
            found[said_in[node.pk]].append(node.content or "")
    return found


def _memories(space: UUID, messages: Sequence[Message], now: datetime) -> dict[str, MemoryShown]:
    ids = {entry["id"] for message in messages for entry in message.recalled}
    if not ids:
        return {}
    nodes = MemoryNode.objects.for_space(space).filter(pk__in=ids, content__isnull=False)
    sources: defaultdict[UUID, list[MemorySource]] = defaultdict(list)
    for source in MemorySource.objects.for_space(space).filter(node_id__in=ids).defer("speaker"):
        sources[source.node_id].append(source)
    return {str(node.pk): _memory(node, sources[node.pk], now) for node in nodes}


def _memory(node: MemoryNode, sources: Sequence[MemorySource], now: datetime) -> MemoryShown:
    age_days = (now - node.accessed_at).total_seconds() / 86_400
    gravity = decay_gravity(node.gravity, salience=node.salience, age_days=age_days)
    said = [source.source_id for source in sources if source.kind == MemorySource.Kind.MESSAGE]
    return MemoryShown(
        text=node.content or "",
        modality_label=node.get_modality_display(),
        said_at=min((source.said_at for source in sources), default=node.formed_at),
        gravity=float(gravity),
        messages=frozenset(said),
    )
