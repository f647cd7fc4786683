"""Opening concepts to students, what becomes known to one, and what may not be named to them.

Who may open what for whom is for the caller to decide; that everything belongs to one school is checked here too. The
functions about a student's part of the world work in their space, which the caller has unlocked.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from companion_site.accounts.models import Person, SchoolClass
from companion_site.audit.services import record_event
from companion_site.errors import InvalidInput, MessageTooLong, NotFound
from companion_site.language import detect_language, sanitise
from companion_site.vault.scope import lock_space, space_scope, write_scope
from overlay.guard import Fog, mask
from overlay.models import Concept, ConceptEdge, KnownConcept, KnownEdge, Opening
from overlay.params import PARAMS
from overlay.selectors import Known, hash_concept, hash_edge, list_known, open_row, standing_openings
from overlay.worlds import World, space_of_world, world_of

BATCH = 500


def open_concept(
    reader: SchoolClass | Person, concept: UUID, *, by: Person | None, how: Opening.How, now: datetime
) -> Opening:
    """Open a concept of their school's world to a class or to one student; one that stands open already is returned.

    Raises:
        NotFound: the concept is not of this world, or the reader is no student.
    """
    space = space_of_world(reader)
    if space is None or (isinstance(reader, Person) and reader.role != Person.Role.STUDENT):
        raise NotFound()
    with write_scope(space):
        if not Concept.objects.for_space(space).filter(pk=concept, removed_at__isnull=True).exists():
            raise NotFound()
        meant = {"concept_id": concept, **_meant_for(reader)}
        standing = Opening.objects.for_space(space).standing().filter(**meant).first()
        if standing is not None:
            return standing
        opening = Opening.objects.create(space_id=space, how=how, opened_by=by, opened_at=now, **meant)
        record_event(
            "overlay.concept_opened", chain=space, actor=by, subject=opening, data={"how": how}, now=now
        )
    return opening


def close_opening(reader: SchoolClass | Person, opening: UUID, *, by: Person | None, now: datetime) -> None:
    """Take back what stands open to a class or a student; who has met the concept by then keeps it.

    Raises:
        NotFound: it was opened for somebody else, or was taken back before.
    """
    space = space_of_world(reader)
    if space is None:
        raise NotFound()
    with space_scope(space):
        rows = Opening.objects.for_space(space).standing().filter(**_meant_for(reader))
        row = rows.select_for_update().find(pk=opening)
        row.closed_at = now
        row.save(update_fields=["closed_at"])
        record_event("overlay.opening_closed", chain=space, actor=by, subject=row, now=now)


def list_openings(reader: SchoolClass | Person) -> list[Opening]:
    """Return what stands open to this class or student itself, with its concepts, by their names."""
    space = space_of_world(reader)
    if space is None:
        return []
    with space_scope(space):
        rows = Opening.objects.for_space(space).standing().filter(**_meant_for(reader))
        found = list(rows.select_related("concept"))
    return sorted(found, key=lambda row: (row.concept.name.casefold(), row.pk))


def _meant_for(reader: SchoolClass | Person) -> dict[str, UUID | None]:
    is_class = isinstance(reader, SchoolClass)
    return {
        "school_class_id": reader.pk if is_class else None,
        "person_id": None if is_class else reader.pk,
    }


def known_concepts(person: Person, space: UUID, *, now: datetime) -> frozenset[UUID]:
    """Return every concept that a student may hear named: what stands open to them, and what they have met."""
    return frozenset(standing_openings(person, now=now)) | list_known(space)


def take_over_openings(person: Person, space: UUID, *, now: datetime) -> int:
    """Put what stands open to a student into their own overlay for good; return how many concepts were new.

    From then on they know it, also when the opening is taken back or they change class.
    """
    opened = standing_openings(person, now=now)
    if not opened:
        return 0
    with space_scope(space):
        # Each turn asks: where nothing is new it waits for no writer.
        if not _find_new(space, opened):
            return 0
        lock_space(space)
        new = _store_known(space, opened, familiarity=0.0, now=now)
        if new:
            record_event("overlay.taken_over", chain=space, actor=person, data={"concepts": new}, now=now)
    return new


def learn_from_text(
    person: Person,
    space: UUID,
    text: str,
    *,
    now: datetime,
    how: KnownConcept.How = KnownConcept.How.PERSON,
) -> None:
    """Take in what a student or a lesson named: it becomes known, more familiar each time, and so do its edges.

    An edge is discovered by naming both of its concepts in one text.
    """
    world = world_of(person)
    named = world.named_in(text)
    if not named:
        return
    with write_scope(space):
        before = _rows_of(space, named)
        for row in before.values():
            row.familiarity, row.changed_at = _used(row.familiarity), now
        KnownConcept.objects.for_space(space).bulk_update(
            before.values(), ["familiarity", "changed_at"], batch_size=BATCH
        )
        new = named - before.keys()
        _store_known(space, dict.fromkeys(new, how), familiarity=_used(0.0), now=now)
        edges = _store_edges(space, _edges_within(world, named), now=now)
        if new or edges:
            data = {"concepts": len(new), "edges": edges}
            record_event("overlay.brought_up", chain=space, actor=person, data=data, now=now)


def set_opinion(
    person: Person,
    space: UUID,
    concept: UUID,
    *,
    attitude: float | None = None,
    familiarity: float | None = None,
    notes: str | None = None,
    now: datetime,
) -> Known:
    """Write down what a student thinks of a concept they know; None leaves a value as it is.

    Names in the notes were brought up by the student, as in a message.

    Raises:
        NotFound: the student does not know the concept.
        InvalidInput: a number is out of its range; MessageTooLong: the notes are too long.
    """
    _check_range(attitude, least=-1.0)
    _check_range(familiarity, least=0.0)
    clean = None if notes is None else sanitise(notes).strip()
    if clean is not None and len(clean) > PARAMS.notes_chars:
        raise MessageTooLong(PARAMS.notes_chars)
    with write_scope(space):
        if not _rows_of(space, [concept]):
            raise NotFound()
        if clean:
            learn_from_text(person, space, clean, now=now)
        row = _rows_of(space, [concept])[concept]
        given = {"attitude": attitude, "familiarity": familiarity, "notes": clean}
        fields = [name for name, value in given.items() if value is not None]
        for name in fields:
            setattr(row, name, given[name])
        row.changed_at = now
        row.save(update_fields=[*fields, "changed_at"])
        record_event("overlay.opinion_set", chain=space, actor=person, subject=row, now=now)
    return open_row(row)


def _used(familiarity: float) -> float:
    """Return the familiarity after one more use, which closes a share of what is missing to 1."""
    return 1.0 - (1.0 - familiarity) * (1.0 - PARAMS.familiarity_rate)


def _check_range(value: float | None, *, least: float) -> None:
    """Refuse what is out of range; NaN is out of every range."""
    if value is not None and not least <= value <= 1.0:
        raise InvalidInput()


def _rows_of(space: UUID, concepts: Iterable[UUID]) -> dict[UUID, KnownConcept]:
    by_hash = {hash_concept(space, concept): concept for concept in concepts}
    rows = KnownConcept.objects.for_space(space).filter(concept_hash__in=by_hash)
    return {by_hash[bytes(row.concept_hash)]: row for row in rows}


def _find_new(space: UUID, concepts: Iterable[UUID]) -> dict[UUID, bytes]:
    """Return those of the concepts that the overlay does not hold, with their hashes; nothing is opened for it."""
    hashes = {concept: hash_concept(space, concept) for concept in concepts}
    rows = KnownConcept.objects.for_space(space).filter(concept_hash__in=hashes.values())
    held = set(map(bytes, rows.values_list("concept_hash", flat=True)))
    return {concept: digest for concept, digest in hashes.items() if digest not in held}


def _store_known(space: UUID, how: Mapping[UUID, str], *, familiarity: float, now: datetime) -> int:
    """Write the concepts that the overlay does not hold; return how many. The caller holds the lock."""
    new = _find_new(space, how)
    rows = [
        KnownConcept(
            space_id=space,
            concept_id=str(concept),
            concept_hash=new[concept],
            how=how[concept],
            known_at=now,
            familiarity=familiarity,
            changed_at=now,
        )
        for concept in sorted(new)
    ]
    KnownConcept.objects.bulk_create(rows, batch_size=BATCH)
    return len(new)


def _edges_within(world: World, concepts: frozenset[UUID]) -> list[ConceptEdge]:
    touching = (edge for concept in concepts for edge in world.edges_at.get(concept, ()))
    return [edge for edge in touching if concepts.issuperset(edge.ends)]


def _store_edges(space: UUID, edges: Iterable[ConceptEdge], *, now: datetime) -> int:
    """Write the edges that the overlay does not hold; return how many. The caller holds the lock."""
    by_hash = {hash_edge(space, edge): edge.key for edge in edges}
    held = KnownEdge.objects.for_space(space).filter(edge_hash__in=by_hash)
    for digest in held.values_list("edge_hash", flat=True):
        del by_hash[bytes(digest)]
    rows = [
        KnownEdge(space_id=space, edge_id=key, edge_hash=digest, known_at=now)
        for digest, key in by_hash.items()
    ]
    KnownEdge.objects.bulk_create(rows, batch_size=BATCH)
    return len(rows)


def make_fog(world: World, known: Iterable[UUID]) -> Fog:
    """Return the fog over all of a world but what is known; the world's names are prepared once for everybody."""
    return Fog(world.guarded_names, frozenset(map(str, known)))


def mask_unknown(fog: Fog, text: str) -> str:
    """Return a text of the world's own with what is hidden veiled, in the text's language."""
    return mask(text, fog, language=detect_language(text, default="en")) if text else text


def drop_unknown(fog: Fog, words: str) -> str:
    """Return a few words of the world's own, as a kind is; none where they name what is hidden."""
    return words if mask_unknown(fog, words) == words else ""
