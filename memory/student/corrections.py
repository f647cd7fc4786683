"""What a person does to their own memory by hand: forget something, put something right, or sort it.

The space is unlocked by the caller. A forgotten memory leaves a tombstone, whose words stay sealed for 30 days; what was
put right stays as history behind the words that took its place. `undo` takes either back.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.errors import CompanionError, InvalidInput, NotFound
from companion_site.ids import new_id
from companion_site.language import as_sentence, sanitise
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.models import MemoryChange, MemoryEdge, MemoryNode
from memory.reading.entities import Mention, find_mentions
from memory.reading.params import READING
from memory.reading.statements import Statement, as_statement
from memory.student.entities import load_entities, store_mentions
from memory.student.life.facts.extraction import Told, read_life_facts
from memory.student.life.facts.store import carry_facts
from memory.student.sleep.insights import CATEGORIES
from memory.student.sleep.timing import plan_left
from memory.student.store import (
    create_edges,
    edges_at,
    find_believed,
    lead_on,
    note_change,
    put_away,
    supersede,
    vector_row,
)

#: One memory is one thing; what is longer is a text.
LONGEST = 1_000
#: Somebody who puts a memory right by hand means what they write.
CONFIDENCE = 0.95
BY_HAND = "by_hand"


class MemoryEnded(CompanionError):
    code = "memory.ended"
    message = _("This memory is not held any more, so it cannot be changed.")


@dataclass(frozen=True, kw_only=True)
class _Wording:
    """New words, thought out before anything is written."""

    statement: Statement
    digest: bytes
    vector: np.ndarray
    facts: Sequence[Told]
    mentions: Sequence[Mention]


def forget_memory(space: UUID, node_id: UUID, *, now: datetime, actor: models.Model) -> MemoryChange:
    """Remove a memory: nothing finds it any more, and after 30 days its words are gone.

    Raises:
        NotFound: the space has no such memory.
        MemoryEnded: it is not held any more.
    """
    with write_scope(space):
        return put_away(space, _held(space, node_id), BY_HAND, now=now, actor=actor)


def correct_memory(
    space: UUID, node_id: UUID, *, text: str, embedder: Embedder, now: datetime, actor: models.Model
) -> UUID:
    """Put other words in the place of a memory's; return the memory that holds now.

    Where the space believes those words already, that memory takes the place.

    Raises:
        NotFound: the space has no such memory.
        MemoryEnded: it is not held any more.
        InvalidInput: there are no words, too many, or the same ones.
    """
    with space_scope(space):
        old = _held(space, node_id)
        known = frozenset(one.name.casefold() for one in load_entities(space) if one.name)
    wording = _think_out(space, text, old, embedder, known=known, now=now)
    with write_scope(space):
        old = _held(space, node_id)
        version = bump_version(space)
        known_by = find_believed(space, wording.digest)
        newer = known_by or _write(space, wording, old, model=embedder.model, version=version, now=now)
        supersede(space, old.pk, by=newer.pk, version=version, now=now)
        made = [newer.pk] if known_by is None else []
        note_change(space, MemoryChange.Kind.CORRECTED, BY_HAND, [old.pk, *made], now=now)
        plan_left(space, now=now)
        record_event(
            "memory.corrected", chain=space, actor=actor, subject=old, data={"by": str(newer.pk)}, now=now
        )
    return newer.pk


def sort_memory(
    space: UUID, node_id: UUID, *, category: str, now: datetime, actor: models.Model
) -> MemoryNode:
    """Put a long-term memory into the part it belongs to, as its person says; its words stay as they are.

    Raises:
        NotFound: the space has no such memory, or it is short-term: that stands in no part.
        MemoryEnded: it is not held any more.
        InvalidInput: there is no such part.
    """
    if category not in CATEGORIES:
        raise InvalidInput()
    with write_scope(space):
        node = _held(space, node_id)
        if node.tier != MemoryNode.Tier.LONG_TERM:
            raise NotFound()
        if node.category != category:
            data = {"from": node.category, "to": category}
            node.category, node.version = category, bump_version(space)
            node.save(update_fields=["category", "version"])
            record_event("memory.sorted", chain=space, actor=actor, subject=node, data=data, now=now)
    return node


def _held(space: UUID, node_id: UUID) -> MemoryNode:
    node = MemoryNode.objects.for_space(space).find(pk=node_id)
    if node.superseded_at is not None or node.removed_at is not None:
        raise MemoryEnded()
    return node


def _think_out(
    space: UUID, text: str, old: MemoryNode, embedder: Embedder, *, known: Collection[str], now: datetime
) -> _Wording:
    """Return the new words with their meaning; embeds, so never inside a transaction."""
    words = " ".join(sanitise(text).split())
    if not words:
        raise InvalidInput(_("Write how it really is."))
    if len(words) > LONGEST:
        raise InvalidInput(_("One memory is one thing. Please write it shorter."))
    digest = hash_words(space, words)
    if digest == bytes(old.content_hash):
        raise InvalidInput(_("That is what is remembered already."))
    (vector,) = embedder.embed([as_sentence(words)])
    statement = as_statement(words, language=old.language, embedder=embedder)  # type: ignore[arg-type]  # a column of languages
    (mentions,) = find_mentions([words], vector[None], embedder=embedder, known=known)
    (facts,) = read_life_facts(
        [words], vector[None], [statement.danger], language=old.language, said_at=now, embedder=embedder
    )
    return _Wording(
        statement=replace(statement, text=words, salience=max(statement.salience, old.salience)),
        digest=digest,
        vector=vector,
        mentions=mentions,
        facts=facts,
    )


def _write(
    space: UUID, wording: _Wording, old: MemoryNode, *, model: str, version: int, now: datetime
) -> MemoryNode:
    """Write the new words as a memory of the person's own, hanging where the old one hung, in its tier and part."""
    is_long_term, told = old.tier == MemoryNode.Tier.LONG_TERM, wording.statement
    of_danger = told.danger >= READING.danger_sure
    node = MemoryNode.objects.create(
        id=new_id(),
        space_id=space,
        content=told.text,
        content_hash=wording.digest,
        modality=told.modality,
        tier=old.tier,
        category=old.category,
        slept_over_at=now if is_long_term else None,
        trust=MemoryNode.Trust.PERSON,
        language=old.language,
        salience=told.salience,
        gravity=told.salience,
        confidence=CONFIDENCE,
        strength=old.strength,
        valence=told.valence,
        of_danger=of_danger,
        formed_at=now,
        accessed_at=now,
        version=version,
    )
    vector_row(space, node.pk, wording.vector, model=model).save()
    # What the old words contradicted was about them.
    edges = edges_at(space, [old.pk]).exclude(type=MemoryEdge.Type.CONTRADICTS)
    create_edges(space, lead_on(edges, {old.pk: node.pk}), version=version, now=now)
    store_mentions(space, {} if of_danger else {node.pk: wording.mentions}, version=version, now=now)
    carry_facts(space, old.pk, node.pk, wording.facts, text=told.text, language=old.language, now=now)
    return node
