"""What a reply stood on, as the page says it: the badge's words, each memory with where it came from and how sure it is, and why it came out as it did."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from chat.access import ChatAccess
from chat.models import Message
from chat.personalisation.measure import Shows
from chat.personalisation.packs import DRAWN_FIRST, Nodes, NodeUsed, nodes_used, read_shows, say_shows
from companion_site.vault.scope import space_scope
from memory.company.facts import present_confidence
from memory.models import CompanyFact, MemoryNode, MemorySource
from memory.student.assessment import SURE
from memory.student.pages.navigation import message_address
from memory.student.pages.selectors import (
    LIKELY,
    Origin,
    Shown,
    load_origins,
    load_shapes,
    open_words,
    say_confidence,
)

Names = Mapping[str, str | Promise]

EMOTIONS: Names = {
    "sadness": pgettext_lazy("read in a message", "sad"),
    "joy": pgettext_lazy("read in a message", "glad"),
    "anxiety": pgettext_lazy("read in a message", "worried"),
    "loneliness": pgettext_lazy("read in a message", "lonely"),
    "calm": pgettext_lazy("read in a message", "calm"),
    "neutral": pgettext_lazy("read in a message", "nothing in particular"),
}
MODES: Names = {
    "answer": pgettext_lazy("what a reply is for", "to answer what you asked"),
    "support": pgettext_lazy("what a reply is for", "to be there for you"),
    "coach": pgettext_lazy("what a reply is for", "to help you get somewhere"),
    "gratitude": pgettext_lazy("what a reply is for", "to stay with what is good"),
    "game": pgettext_lazy("what a reply is for", "to play with your good memories"),
    "reminder": pgettext_lazy("what a reply is for", "to remind you of something"),
    "small_talk": pgettext_lazy("what a reply is for", "to talk with you"),
}
GOALS: Names = {
    "inform": pgettext_lazy("goal of a reply", "to give you what you asked for"),
    "reflect": pgettext_lazy("goal of a reply", "to show that you were heard"),
    "validate_feelings": pgettext_lazy("goal of a reply", "to take your feeling seriously"),
    "clarify_goal": pgettext_lazy("goal of a reply", "to find out what you want"),
    "suggest_tiny_step": pgettext_lazy("goal of a reply", "to offer one small step"),
    "celebrate": pgettext_lazy("goal of a reply", "to be glad with you"),
    "ask_gratitude": pgettext_lazy("goal of a reply", "to ask what you are grateful for"),
}
TONES: Names = {
    "warm_empathic": pgettext_lazy("tone", "warm"),
    "calm_soothing": pgettext_lazy("tone", "calming"),
    "supportive_caring": pgettext_lazy("tone", "caring"),
    "coach_grounded": pgettext_lazy("tone", "steady"),
    "reflective_thoughtful": pgettext_lazy("tone", "thoughtful"),
    "cheerful_light": pgettext_lazy("tone", "cheerful"),
    "playful_energetic": pgettext_lazy("tone", "playful"),
    "serious_direct": pgettext_lazy("tone", "serious"),
}


class Line(NamedTuple):
    """One thing that is said of how a reply came about."""

    label: str
    words: str


def steps_shown(message: Message) -> Sequence[Line]:
    """Return why a reply came out as it did; nothing where its row does not say. The space is unlocked."""
    outcome = message.outcome if message.role == Message.Role.COMPANION else None
    if not isinstance(outcome, Mapping) or "plan" not in outcome:
        return []
    plan, tone = outcome["plan"], outcome.get("tone", {})
    lines = [
        _line(_("How you seemed:"), EMOTIONS, outcome.get("emotion", {}).get("primary_emotion")),
        _line(_("What the reply is for:"), MODES, plan.get("mode")),
        _line(_("What it tries:"), GOALS, plan.get("goal")),
        _line(_("Its tone:"), TONES, tone.get("name")),
        *_left_out(outcome.get("dropped", {})),
        _failed(message),
    ]
    return [line for line in lines if line is not None]


def _line(label: str, names: Names, name: Any) -> Line | None:
    return Line(label, str(names[name])) if name in names else None


def _left_out(dropped: Mapping[str, int]) -> list[Line]:
    """Return how much was left out, what is avoided apart: never what it was."""
    avoided = int(dropped.get("avoided", 0))
    others = sum(dropped.values()) - avoided
    lines = []
    if others:
        words = ngettext(
            "%(count)d thing that mattered less now", "%(count)d things that mattered less now", others
        )
        lines.append(Line(_("Left out:"), words % {"count": others}))
    if avoided:
        words = ngettext(
            "%(count)d thing that you do not want to speak of",
            "%(count)d things that you do not want to speak of",
            avoided,
        )
        lines.append(Line(_("Left out:"), words % {"count": avoided}))
    return lines


def _failed(message: Message) -> Line | None:
    failed = sum(step.get("form") == "failed" for step in message.steps)
    words = ngettext("%(count)d step did not work", "%(count)d steps did not work", failed)
    return Line(_("Missing:"), words % {"count": failed}) if failed else None


#: From so much of a term of its score a memory was found mostly, and partly, because of it; below the last not at all.
MOSTLY, PARTLY, HARDLY = 0.66, 0.33, 0.05


class TermShown(NamedTuple):
    """One reason for which a memory was found, with how much it spoke for it, 0 to 1."""

    name: str
    share: float

    @property
    def word(self) -> str:
        if self.share >= MOSTLY:
            return pgettext("reason", "much")
        return pgettext("reason", "some") if self.share >= PARTLY else pgettext("reason", "little")


class OriginShown(NamedTuple):
    """Where a memory came from, in words, with the page where it can be read again, if there is one."""

    label: str
    said_at: datetime
    href: str = ""


@dataclass(frozen=True, kw_only=True)
class _Confident:
    """What has a confidence, 0 to 1, or None where it is not known: in a word, and in dots of three by the same bounds."""

    confidence: float | None = None

    @property
    def confidence_word(self) -> str:
        return "" if self.confidence is None else say_confidence(self.confidence)

    @property
    def dots(self) -> int:
        return 0 if self.confidence is None else 1 + (self.confidence >= LIKELY) + (self.confidence >= SURE)


@dataclass(frozen=True, kw_only=True)
class MemoryShown(_Confident):
    """A memory that a reply was given, as the person sees it.

    Attributes:
        text: None where its words have gone.
        kinds: tier, part of the memory and modality, in words.
        derived_from: how many memories it stands for; 0 for one that was said as it is.
        ended: what became of it since, in words; empty while it holds.
        messages: the person's own messages that it came from.
    """

    text: str | None
    kinds: Sequence[str] = ()
    said_at: datetime | None = None
    origins: Sequence[OriginShown] = ()
    derived_from: int = 0
    ended: str = ""
    messages: frozenset[UUID] = frozenset()
    shows: Shows | None = None
    terms: Sequence[TermShown] = ()

    @property
    def shows_word(self) -> str:
        return say_shows(self.shows)


@dataclass(frozen=True, kw_only=True)
class StoodOn(_Confident):
    """The badge of one reply and what it opens to."""

    level: str
    label: str
    type_label: str
    memories: Sequence[MemoryShown]
    #: of packs that the person has mounted
    nodes: Sequence[NodeUsed] = ()
    #: why it came out as it did, line by line
    steps: Sequence[Line] = ()

    @property
    def is_measured(self) -> bool:
        return bool(self.level)

    @property
    def count_words(self) -> str:
        """How many memories the reply shows; where it shows none, how many were at hand."""
        shown = sum(memory.shows in {Shows.CLEARLY, Shows.FAINTLY} for memory in self.memories)
        if shown:
            return ngettext("%(count)d memory", "%(count)d memories", shown) % {"count": shown}
        at_hand = len(self.memories)
        return (
            ngettext("%(count)d at hand", "%(count)d at hand", at_hand) % {"count": at_hand}
            if at_hand
            else ""
        )

    @property
    def nodes_words(self) -> str:
        """How many nodes of packs were at hand."""
        at_hand = len(self.nodes)
        return (
            ngettext("%(count)d from extra knowledge", "%(count)d from extra knowledge", at_hand)
            % {"count": at_hand}
            if at_hand
            else ""
        )

    @property
    def sources_count(self) -> int:
        """How many of the person's messages those memories came from."""
        return len(frozenset[UUID]().union(*(memory.messages for memory in self.memories)))


def stood_on(message: Message, memories: Mapping[str, MemoryShown], nodes: Nodes | None = None) -> StoodOn:
    """Return what a reply's row says it stood on, what it draws on first.

    Args:
        memories: the memories that are still known, by id.
        nodes: the nodes of packs that are still there.
    """
    # Rows of earlier days say a memory's id and score alone.
    gone = MemoryShown(text=None, ended=_("This memory has been removed since."))
    shown = [
        replace(memories.get(entry["id"], gone), shows=read_shows(entry), terms=_terms(entry.get("terms")))
        for entry in message.recalled
    ]
    return StoodOn(
        level=message.personalisation,
        label=message.get_personalisation_display() if message.personalisation else "",
        type_label=message.get_reply_type_display() if message.reply_type else "",
        confidence=message.confidence,
        memories=sorted(shown, key=lambda memory: DRAWN_FIRST.index(memory.shows)),
        nodes=nodes_used(message, nodes or {}),
        steps=steps_shown(message),
    )


def _terms(terms: Any) -> list[TermShown]:
    """Return the terms of a score (`memory.algorithms.relevance`) in the page's words, in the order in which people think of them."""
    names = {
        "keyword": pgettext("reason", "words"),
        "meaning": pgettext("reason", "meaning"),
        "recency": pgettext("reason", "recent"),
        "importance": pgettext("reason", "important"),
        "confidence": pgettext("reason", "sure"),
    }
    if not isinstance(terms, Mapping):
        return []
    return [
        TermShown(name=name, share=min(1.0, max(0.0, float(terms[key]))))
        for key, name in names.items()
        if isinstance(terms.get(key), int | float) and terms[key] >= HARDLY
    ]


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
        kinds=[str(kind.label) for kind in (memory.tier, memory.category, memory.modality) if kind],
        said_at=memory.said_at,
        confidence=memory.confidence,
        origins=[_origin(origin) for origin in memory.origins[:MOST_ORIGINS]],
        derived_from=stands_for,
        ended=_ended(memory),
        messages=frozenset(origin.source_id for origin in own),
    )


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
        return OriginShown(_("A colleague said it"), fact.said_at)
    conversation, message = fact.source_conversation_id, fact.source_message_id
    if conversation is None or message is None or conversation not in own:
        return OriginShown(_("You said it"), fact.said_at)
    return OriginShown(_("You said it"), fact.said_at, message_address(conversation, message))


def _fact_ended(fact: CompanyFact, now: datetime) -> str:
    """Return what became of a fact; what went into a summary holds for as long as that does, or as it was brought back."""
    row = fact
    while row.superseded_reason in _TAKEN_IN and row.superseded_by is not None:
        row = row.restored_as.first() or row.superseded_by
    if row.superseded_at is not None:
        return _("Something newer has taken its place since.")
    return _("It has expired since.") if row.expires_at is not None and row.expires_at <= now else ""
