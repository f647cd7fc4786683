"""The first minutes: what somebody new says of themselves is said to the companion, and remembered as whatever is said after it.

Nothing is kept beside that: how to call them stands in the ledger, as every standing wish does, and the first memories form from
the first message of the first conversation.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat import services
from chat.access import ChatAccess
from chat.memories.formation import form_from_message
from chat.services import Exchange
from companion_site.accounts.models import Person
from companion_site.errors import NotFound
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from ledger.drafts import EntryDraft
from ledger.models import LedgerEntry
from ledger.services import record_entry
from memory.models import MemoryNode

#: How one may want to be helped: the choice, and what it says to the companion.
WAYS: dict[str, tuple[str | Promise, str | Promise]] = {
    "steps": (gettext_lazy("Step by step"), gettext_lazy("Please explain things to me step by step.")),
    "example": (gettext_lazy("With an example first"), gettext_lazy("Please show me an example first.")),
    "short": (gettext_lazy("In few words"), gettext_lazy("Please keep your answers short.")),
    "questions": (
        gettext_lazy("With questions, so that I find it myself"),
        gettext_lazy("Please ask me questions instead of giving me the answer."),
    ),
}


@dataclass(frozen=True, kw_only=True)
class Introduction:
    """What somebody says of themselves.

    Attributes:
        name: what they want to be called; "" for nothing said.
        ways: of `WAYS`.
        own: how they like to be helped, in their own words.
    """

    name: str = ""
    ways: Collection[str] = ()
    own: str = ""

    @property
    def words(self) -> str:
        """All of it as they would say it, in the language that is active."""
        said = [_("My name is %(name)s.") % {"name": self.name}] if self.name else []
        said += [str(sentence) for way, (_label, sentence) in WAYS.items() if way in self.ways]
        return " ".join([*said, *([self.own] if self.own else [])])


@dataclass(frozen=True)
class FirstMemory:
    """One memory that formed from what they said."""

    id: UUID
    text: str


def mark_welcomed(person: Person, *, now: datetime) -> None:
    """Note that somebody has been welcomed, or did not want to be; the first time counts."""
    Person.objects.filter(pk=person.pk, welcomed_at=None).update(welcomed_at=now)


def introduce(access: ChatAccess, given: Introduction, *, now: datetime) -> Exchange | None:
    """Say it in a first conversation; None where nothing was said. The reply is the caller's to write."""
    mark_welcomed(access.person, now=now)
    if not given.words:
        return None
    row = services.begin_conversation(access, now=now)
    return services.say(access, row.pk, text=given.words, client_id=new_id(), now=now)


def remember_introduction(
    access: ChatAccess, exchange: Exchange, given: Introduction, *, now: datetime
) -> None:
    """Form its memories at once, so that they can be shown; after the reply, which would else be reminded of what was just said.

    With memory off nothing is remembered.
    """
    if not (exchange.memory_on and access.remembers):
        return
    if given.name:
        _keep_name(access, given.name, now=now)
    form_from_message(access.space, exchange.message.pk, key=access.key, now=now)


def first_memories(access: ChatAccess, message: UUID) -> Sequence[FirstMemory]:
    """Return what formed from a message of the person's own, in the order said.

    Raises:
        NotFound: they have said no such message.
    """
    with space_scope(access.space), unlocked(access.space, access.key):
        if not services.has_said(access, message):
            raise NotFound()
        nodes = MemoryNode.objects.for_space(access.space).active().filter(sources__source_id=message)
        ordered = nodes.order_by("sources__start", "id")
        return [FirstMemory(node.pk, node.content or "") for node in ordered]


def _keep_name(access: ChatAccess, name: str, *, now: datetime) -> None:
    """Have the name go along with every message, as a standing wish does."""
    draft = EntryDraft(
        content=_("Call me %(name)s.") % {"name": name}, category=LedgerEntry.Category.INSTRUCTION
    )
    with unlocked(access.space, access.key):
        record_entry(access.space, draft, now=now, actor=access.person)
