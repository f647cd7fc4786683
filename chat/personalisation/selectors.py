"""The memories of replies out of the rows: a student's own, or the facts of a company, with where each came from."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from chat.access import ChatAccess
from chat.personalisation.presentation import MemoryShown, OriginShown
from companion_site.vault.scope import space_scope
from memory.company.facts import present_confidence
from memory.models import CompanyFact, MemoryNode, MemorySource
from memory.student.pages.navigation import message_address
from memory.student.pages.selectors import Origin, Shown, load_origins, load_shapes, open_words

#: Of so many places where it was said each is named.
MOST_ORIGINS = 3


def load_shown(access: ChatAccess, ids: Collection[str], *, now: datetime) -> dict[str, MemoryShown]:
    """Return what the page shows of memories by id; the space is unlocked. Those that are gone are left out."""
    if not ids:
        return {}
    wanted = [UUID(memory) for memory in ids]
    with space_scope(access.space):
        return _nodes(access.space, wanted, now) if access.remembers else _facts(access, wanted, now)


# --- a student's memories -------------------------------------------------------------------------------------------


def _nodes(space: UUID, ids: Sequence[UUID], now: datetime) -> dict[str, MemoryShown]:
    merged = MemoryNode.objects.for_space(space).filter(merged_into__in=ids).order_by()
    stands_for = dict(merged.values_list("merged_into_id").annotate(Count("pk")))
    words, origins = open_words(space, ids), load_origins(space, ids)
    shapes = load_shapes(space, Q(pk__in=ids), now=now)
    found = [replace(one, text=words.get(one.id), origins=origins.get(one.id, ())) for one in shapes]
    return {str(memory.id): _node(memory, stands_for.get(memory.id, 0)) for memory in found}


def _node(memory: Shown, stands_for: int) -> MemoryShown:
    own = [origin for origin in memory.origins if origin.kind == MemorySource.Kind.MESSAGE]
    is_gone = memory.removed_at is not None and memory.merged_into is None
    return MemoryShown(
        text=None if is_gone else memory.text,
        kinds=_kinds(memory),
        said_at=memory.said_at,
        confidence=memory.confidence,
        origins=[_origin(origin) for origin in memory.origins[:MOST_ORIGINS]],
        derived_from=stands_for,
        ended=_ended(memory),
        messages=frozenset(origin.source_id for origin in own),
    )


def _kinds(memory: Shown) -> list[str]:
    kinds = [str(MemoryNode.Tier(memory.tier).label)]
    if memory.category:
        kinds.append(str(MemoryNode.Category(memory.category).label))
    return [*kinds, memory.modality_label]


def _ended(memory: Shown) -> str:
    if memory.merged_into is not None:
        return _("It has become part of another memory since.")
    if memory.removed_at is not None or memory.text is None:
        return _("This memory has been removed since.")
    return _("Something newer has taken its place since.") if memory.superseded_at is not None else ""


def _origin(origin: Origin) -> OriginShown:
    labels = {
        MemorySource.Kind.MESSAGE: _("You said it"),
        MemorySource.Kind.LESSON: _("A lesson recorded it"),
        MemorySource.Kind.PROMPT_RUN: _("An exercise recorded it"),
        MemorySource.Kind.OBSERVATION: _("A teacher observed it"),
        MemorySource.Kind.TRANSCRIPT: _("You said it in a session"),
    }
    return OriginShown(label=labels[MemorySource.Kind(origin.kind)], said_at=origin.said_at, href=origin.href)


# --- a company's facts ----------------------------------------------------------------------------------------------


def _facts(access: ChatAccess, ids: Sequence[UUID], now: datetime) -> dict[str, MemoryShown]:
    facts = list(CompanyFact.objects.for_space(access.space).filter(pk__in=ids))
    taken_in = CompanyFact.objects.for_space(access.space).filter(
        superseded_by__in=ids, superseded_reason__in=_TAKEN_IN
    )
    stands_for = dict(taken_in.order_by().values_list("superseded_by_id").annotate(Count("pk")))
    said_in = {fact.source_conversation_id for fact in facts}
    own = set(access.conversations.filter(pk__in=said_in).values_list("pk", flat=True))
    return {str(fact.pk): _fact(fact, stands_for.get(fact.pk, 0), access, own, now) for fact in facts}


_TAKEN_IN = (CompanyFact.Reason.SUMMARISED, CompanyFact.Reason.ANNUAL)


def _fact(
    fact: CompanyFact, stands_for: int, access: ChatAccess, own: Collection[UUID], now: datetime
) -> MemoryShown:
    return MemoryShown(
        text=fact.content,
        kinds=[fact.get_category_display()],
        said_at=fact.said_at,
        confidence=present_confidence(fact.confidence, fact.confirmed_at, now, fact.category),
        origins=[_said(fact, access, own)] if fact.origin == CompanyFact.Origin.STATED else [],
        derived_from=stands_for,
        ended=_fact_ended(fact, now),
    )


def _said(fact: CompanyFact, access: ChatAccess, own: Collection[UUID]) -> OriginShown:
    """Return where a fact was said; a colleague's conversation is theirs, and is not led to."""
    if fact.said_by_id != access.person.pk:
        return OriginShown(label=_("A colleague said it"), said_at=fact.said_at)
    conversation, message = fact.source_conversation_id, fact.source_message_id
    if conversation is None or message is None or conversation not in own:
        return OriginShown(label=_("You said it"), said_at=fact.said_at)
    href = message_address(conversation, message)
    return OriginShown(label=_("You said it"), said_at=fact.said_at, href=href)


def _fact_ended(fact: CompanyFact, now: datetime) -> str:
    if fact.superseded_at is not None:
        return _("Something newer has taken its place since.")
    return _("It has expired since.") if fact.expires_at is not None and fact.expires_at <= now else ""
