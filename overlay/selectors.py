"""What a student knows of the world, as plain data. The caller has unlocked the student's space."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from companion_site.accounts.models import ClassMembership, Person
from companion_site.vault import key_of
from companion_site.vault.scope import space_scope
from overlay.models import Concept, ConceptEdge, KnownConcept, KnownEdge, Opening
from overlay.worlds import space_of_world


@dataclass(frozen=True)
class Known:
    """A concept that a student knows, with what they think of it."""

    #: the row's own id, which says nothing of the concept
    id: UUID
    concept: UUID
    how: str
    known_at: datetime
    #: -1 to 1
    attitude: float
    #: 0 to 1
    familiarity: float
    notes: str


def load_known(space: UUID, concepts: Iterable[UUID] | None = None) -> dict[UUID, Known]:
    """Return what a student's overlay holds, all of it or of some concepts, in the order it came; retired ones too."""
    with space_scope(space):
        rows = KnownConcept.objects.for_space(space).order_by("id")
        if concepts is not None:
            rows = rows.filter(concept_hash__in=[hash_concept(space, concept) for concept in concepts])
        return {known.concept: known for known in map(open_row, rows)}


def list_known(space: UUID) -> frozenset[UUID]:
    """Return the concepts of a student's overlay alone: the notes are neither read nor opened."""
    with space_scope(space):
        rows = list(KnownConcept.objects.for_space(space).only("space", "concept_id"))
    return frozenset(UUID(row.concept_id) for row in rows)


def find_discovered(space: UUID, edges: Iterable[ConceptEdge]) -> frozenset[str]:
    """Return the keys of those of the edges that a student has discovered; nothing is opened for it."""
    by_hash = {hash_edge(space, edge): edge.key for edge in edges}
    with space_scope(space):
        held = list(KnownEdge.objects.for_space(space).values_list("edge_hash", flat=True))
    return frozenset(by_hash[digest] for digest in map(bytes, held) if digest in by_hash)


def hash_concept(space: UUID, concept: UUID) -> bytes:
    """Return the keyed hash by which a concept is found in a sealed overlay."""
    return key_of(space).keyed_hash(f"overlay.concept {concept}")


def hash_edge(space: UUID, edge: ConceptEdge) -> bytes:
    """Return the keyed hash by which an edge is found in a sealed overlay."""
    return key_of(space).keyed_hash(f"overlay.edge {edge.key}")


def standing_openings(person: Person, *, now: datetime) -> dict[UUID, str]:
    """Return the concepts that are open to a student now, alone or with a class of theirs, and how they came to be."""
    world = space_of_world(person)
    if world is None:
        return {}
    classes = list(ClassMembership.objects.filter(person=person).values_list("school_class_id", flat=True))
    with space_scope(world):
        rows = Opening.objects.for_space(world).standing().meant_for(person.pk, classes)
        rows = rows.filter(opened_at__lte=now, concept__removed_at__isnull=True).order_by("-id")
        return dict(rows.values_list("concept_id", "how"))


def load_retired(person: Person, concepts: frozenset[UUID]) -> dict[UUID, Concept]:
    """Return those of the concepts that were once of the school's world and were taken out of it."""
    world = space_of_world(person)
    if world is None or not concepts:
        return {}
    with space_scope(world):
        return Concept.objects.for_space(world).filter(removed_at__isnull=False).in_bulk(concepts)


def open_row(row: KnownConcept) -> Known:
    concept, notes = UUID(row.concept_id), row.notes or ""
    return Known(row.pk, concept, row.how, row.known_at, row.attitude, row.familiarity, notes)
