"""What the pages show of memories, as plain data: words, numbers as of now, where each came from, what became of it and what it is about.

Runs with the space unlocked; opens its scope by itself.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from datetime import date, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q, TextChoices
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from companion_site.vault.rows import unexpired
from companion_site.vault.scope import space_scope
from memory.models import MemoryEdge, MemoryNode, MemorySource
from memory.student.assessment import SURE
from memory.student.entities import Known
from memory.student.pages.navigation import message_address
from memory.student.store import edges_at, gravity_at
from memory.student.workingset import WorkingSet

#: at least so sure it is called likely; what is sure needs no "perhaps" in an assessment either
LIKELY = 0.5
#: at least so heavy it is called strong, at least so heavy it is called clear
STRONG, CLEAR = 0.66, 0.33
HELD_NOW = Q(superseded_at__isnull=True, removed_at__isnull=True)
#: memories that a query names one by one
FEW = 200
#: whom a fact tells something of comes before what it involves, and that before where it takes place
_ORDER = ("ABOUT", "INVOLVES", "LOCATED_AT")


@dataclass(frozen=True, kw_only=True)
class Origin:
    """One place that a memory came from."""

    kind: str
    source_id: UUID
    conversation_id: UUID | None
    said_at: datetime

    @property
    def label(self) -> str:
        return str(MemorySource.Kind(self.kind).label)

    @property
    def href(self) -> str:
        """Where it can be read again; nowhere for what was not said in a conversation."""
        if self.kind != MemorySource.Kind.MESSAGE or self.conversation_id is None:
            return ""
        return message_address(self.conversation_id, self.source_id)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One memory as a page shows it; `text` is None where its words have gone."""

    id: UUID
    modality: MemoryNode.Modality
    tier: MemoryNode.Tier
    #: the part of long-term memory in which it stands
    category: MemoryNode.Category
    trust: MemoryNode.Trust
    gravity: float
    salience: float
    confidence: float
    valence: float
    accessed_at: datetime
    formed_at: datetime
    superseded_at: datetime | None
    superseded_by: UUID | None
    removed_at: datetime | None
    merged_into: UUID | None
    content_until: datetime | None
    expires_at: datetime | None
    slept_over_at: datetime | None
    sleep_tries: int
    text: str | None = None
    origins: Sequence[Origin] = ()
    replaces: Sequence[UUID] = ()

    @property
    def ended_at(self) -> datetime | None:
        """When it stopped being believed; None while it holds."""
        ends = [moment for moment in (self.superseded_at, self.removed_at) if moment is not None]
        return min(ends, default=None)

    @property
    def became(self) -> list[UUID]:
        """What took its place: a newer memory, or the one that it was merged into."""
        return [node for node in (self.superseded_by, self.merged_into) if node is not None]

    @property
    def said_at(self) -> datetime:
        return self.origins[0].said_at if self.origins else self.formed_at

    @property
    def day(self) -> date:
        """The day here on which it formed."""
        return timezone.localtime(self.formed_at).date()

    @property
    def is_long_term(self) -> bool:
        return self.tier == MemoryNode.Tier.LONG_TERM

    @property
    def is_derived(self) -> bool:
        return self.trust == MemoryNode.Trust.DERIVED

    @property
    def is_insight(self) -> bool:
        """Whether sleep made it of other memories."""
        return self.is_long_term and self.is_derived

    @property
    def awaits_sleep(self) -> bool:
        return not self.is_long_term and self.ended_at is None and self.slept_over_at is None

    @property
    def gone_on(self) -> date | None:
        """The day here on which its words went, where that is known."""
        if self.text is not None or self.removed_at is None:
            return None
        day = timezone.localtime(self.removed_at + timedelta(days=settings.TOMBSTONE_DAYS)).date()
        return day if day <= timezone.localdate() else None

    @property
    def gravity_word(self) -> str:
        return say_gravity(self.gravity)

    @property
    def confidence_word(self) -> str:
        return say_confidence(self.confidence)


#: columns that are told in words
CHOICES = {
    "modality": MemoryNode.Modality,
    "tier": MemoryNode.Tier,
    "category": MemoryNode.Category,
    "trust": MemoryNode.Trust,
}
#: columns of a node that need no key
SHAPE = [one.name for one in fields(Shown) if one.default is MISSING]


def say_confidence(confidence: float) -> str:
    """Return how sure the companion is that this is what was meant."""
    if confidence >= SURE:
        return _("quite sure")
    return _("fairly sure") if confidence >= LIKELY else _("not sure")


def say_gravity(gravity: float) -> str:
    """Return how present a memory is now."""
    if gravity >= STRONG:
        return pgettext("memory", "strong")
    return pgettext("memory", "clear") if gravity >= CLEAR else pgettext("memory", "faint")


def still_held(now: datetime) -> Q:
    """Return what is neither replaced nor removed, and whose time as a short-term memory is not over."""
    return HELD_NOW & unexpired(now)


def load_memories(space: UUID, which: Q, *, now: datetime) -> list[Shown]:
    """Return the memories that `which` names, newest first, with their words and origins."""
    return fill_in(space, load_shapes(space, which, now=now))


def load_around(
    space: UUID, nodes: Collection[UUID], *, now: datetime
) -> tuple[list[Shown], dict[UUID, Shown]]:
    """Return some memories, newest first; and by id those and what each took the place of and became."""
    memories = load_memories(space, Q(pk__in=nodes), now=now)
    known = {memory.id: memory for memory in memories}
    others = {node for memory in memories for node in (*memory.replaces, *memory.became)} - known.keys()
    return memories, known | {one.id: one for one in load_memories(space, Q(pk__in=others), now=now)}


def load_shapes(space: UUID, which: Q, *, now: datetime) -> list[Shown]:
    """Return the memories that `which` names, newest first, without a word: what can be read without the key."""
    with space_scope(space):
        rows = list(
            MemoryNode.objects.for_space(space).filter(which).order_by("-formed_at", "-id").values(*SHAPE)
        )
    present = gravity_at(((row["gravity"], row["salience"], row["accessed_at"]) for row in rows), now=now)
    for row, gravity in zip(rows, present.tolist(), strict=True):
        row |= {"gravity": gravity, **{name: choices(row[name]) for name, choices in CHOICES.items()}}
    return [Shown(**row) for row in rows]


def fill_in(space: UUID, shapes: Sequence[Shown], *, texts: Mapping[UUID, str] | None = None) -> list[Shown]:
    """Return the memories with their words, where each came from, and what it took the place of.

    Args:
        texts: words that are at hand already, as in the working set; only the others are opened.
    """
    ids = [shape.id for shape in shapes]
    with space_scope(space):
        words = {**open_words(space, [node for node in ids if node not in (texts or {})]), **(texts or {})}
        origins, replaced = load_origins(space, ids), _replaced(space, ids)
    return [
        replace(
            shape,
            text=words.get(shape.id),
            origins=origins.get(shape.id, ()),
            replaces=replaced.get(shape.id, ()),
        )
        for shape in shapes
    ]


def load_edges(space: UUID, nodes: Collection[UUID] | None = None) -> list[tuple[UUID, UUID, str, float]]:
    """Return (source, target, type, weight) of the space's edges, or of those that touch `nodes`."""
    with space_scope(space):
        rows = MemoryEdge.objects.for_space(space) if nodes is None else edges_at(space, nodes)
        return list(rows.values_list("source_id", "target_id", "type", "weight"))


def open_words(space: UUID, nodes: Sequence[UUID]) -> dict[UUID, str]:
    """Return the words of those memories that still have any."""
    if not nodes:
        return {}
    with space_scope(space):
        rows = MemoryNode.objects.for_space(space).filter(pk__in=nodes, content__isnull=False)
        return {row.pk: row.content for row in rows.only("id", "space_id", "content")}


def load_origins(space: UUID, nodes: Sequence[UUID]) -> Mapping[UUID, list[Origin]]:
    """Return where each memory came from, each message or lesson once, the first said first."""
    found: dict[UUID, dict[tuple[str, UUID], Origin]] = defaultdict(dict)
    with space_scope(space):
        rows = MemorySource.objects.for_space(space).filter(node_id__in=nodes).order_by("said_at", "id")
        places = list(rows.values_list("node_id", "kind", "source_id", "conversation_id", "said_at"))
    for node, kind, source, conversation, said_at in places:
        origin = Origin(kind=kind, source_id=source, conversation_id=conversation, said_at=said_at)
        found[node].setdefault((kind, source), origin)
    return {node: list(origins.values()) for node, origins in found.items()}


def _replaced(space: UUID, nodes: Sequence[UUID]) -> Mapping[UUID, list[UUID]]:
    """Return what each memory took the place of: as the newer fact, or as what several were merged into."""
    wanted = set(nodes)
    found: dict[UUID, list[UUID]] = defaultdict(list)
    if len(wanted) <= FEW:
        ended = Q(superseded_by__in=wanted) | Q(merged_into__in=wanted)
    else:  # naming thousands of ids in the query would cost more than reading all
        ended = Q(superseded_by__isnull=False) | Q(merged_into__isnull=False)
    rows = MemoryNode.objects.for_space(space).filter(ended).order_by("id")
    for node, newer, merged in rows.values_list("id", "superseded_by_id", "merged_into_id"):
        for place in {newer, merged} & wanted:
            found[place].append(node)
    return found


class Kind(TextChoices):
    """What a subject is, in the order in which they are shown."""

    PERSON = "person", gettext_lazy("People")
    ANIMAL = "animal", gettext_lazy("Animals")
    PLACE = "place", gettext_lazy("Places")
    ORGANISATION = "organisation", gettext_lazy("Schools, clubs and companies")
    COURSE = "course", gettext_lazy("Subjects and courses")
    THING = "thing", gettext_lazy("Things")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Somebody or something that facts are about.

    Attributes:
        key: what an address names it by; no word of it.
        name: as the person says it: a name, or "Brother" where there is none.
        relation: what somebody with a name is to the person, in their words; "" where they did not say.
        kind: None for a part of the person's own life.
    """

    key: str
    kind: Kind | None
    name: str
    relation: str = ""


def find_subjects(working_set: WorkingSet) -> dict[UUID, list[Subject]]:
    """Return what each memory that holds is about, whom it tells something of first; nothing for one that names nobody."""
    found: dict[UUID, list[tuple[int, Subject]]] = defaultdict(list)
    for entity, rows in working_set.spoken_of.items():
        known = working_set.entities.get(entity)
        if known is None:
            continue
        subject = as_subject(known)
        for row, kind in rows.items():
            if working_set.nodes[row].alive:
                found[working_set.nodes[row].id].append((_ORDER.index(kind), subject))
    return {
        node: [subject for _, subject in sorted(each, key=lambda one: (one[0], one[1].key))]
        for node, each in found.items()
    }


def as_subject(entity: Known) -> Subject:
    """Return an entity as the pages show it."""
    name = entity.name or entity.relation or ""
    return Subject(
        key=str(entity.id),
        kind=Kind(entity.kind),
        name=name[:1].upper() + name[1:],
        relation=entity.relation or "" if entity.name else "",
    )
