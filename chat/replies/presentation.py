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
from chat.attachments.store import attachments_of
from chat.coaching.store import Noted, noted_of
from chat.conversations.versions import Versions, versions_of
from chat.memories.formation import count_memories
from chat.memories.under_message import Kept, kept_of
from chat.models import Attachment, Message
from chat.personalisation.packs import load_nodes_used
from chat.personalisation.presentation import StoodOn, load_shown, stood_on
from chat.replies.markdown import render_markdown
from companion_site.llm.gateway import get_gateway
from companion_site.llm.offline import OfflineCompanion
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, MemorySource


@dataclass(frozen=True, kw_only=True)
class MessageShown:
    """One message for the template `chat/_message.html`, with its words opened."""

    row: Message
    text: str
    remembered: bool
    #: of what the person said: the memories that came of it
    kept: Sequence[Kept]
    #: whether no model could be reached for it; where none is set up, the conversation's first reply says so once
    offline: bool
    #: of a reply: how personal it is, and the memories that it was given
    stood_on: StoodOn | None
    #: where its words were removed: what was learnt from them
    learnt: Sequence[str]
    #: what the person attached, each with its name opened
    attachments: Sequence[tuple[str, Attachment]] = ()
    #: of a reply: what was noted of the message that it answers
    noted: Sequence[Noted] = ()
    #: where it stands among its versions, if there are several
    versions: Versions | None = None

    @cached_property
    def html(self) -> SafeString:
        return render_markdown(self.text)


def show_messages(access: ChatAccess, messages: Sequence[Message], *, now: datetime) -> list[MessageShown]:
    """Return messages as the page shows them, with the memories each reply was given."""
    with space_scope(access.space), access.open():
        ids = {entry["id"] for message in messages for entry in message.recalled}
        memories = load_shown(access, ids, now=now)
        nodes = load_nodes_used(access, messages)
        remembered = count_memories(access.space, [message.pk for message in messages])
        kept = kept_of(access.space, messages) if access.remembers else {}
        learnt = _learnt(access.space, messages)
        answered = [message.parent_id for message in messages if _is_reply(message) and message.parent_id]
        noted = noted_of(access.space, answered) if access.remembers else {}
        versions = versions_of(access.space, messages)
        attached = attachments_of(access.space, [message.pk for message in messages])
        return [
            MessageShown(
                row=message,
                text=message.text or "",
                remembered=message.pk in remembered,
                kept=kept.get(message.pk, ()),
                offline=message.provider == OfflineCompanion.name and bool(get_gateway().providers),
                stood_on=stood_on(message, memories, nodes) if _is_reply(message) else None,
                learnt=learnt[message.pk],
                attachments=[(row.name, row) for row in attached.get(message.pk, ())],
                noted=noted.get(message.parent_id, ()) if message.parent_id and _is_reply(message) else (),
                versions=versions.get(message.pk),
            )
            for message in messages
        ]


def render_message(shown: MessageShown) -> str:
    """Return one message's article."""
    return render_to_string("chat/_message.html", {"message": shown})


def _is_reply(message: Message) -> bool:
    return message.role == Message.Role.COMPANION


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
