"""How a person wants to be spoken with. The space is unlocked by the caller."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Any
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.language import fold_words
from companion_site.vault.scope import space_scope, write_scope
from memory.models import Wishes
from memory.student.life.limits import LIFE, LifeRefused, clean_words


@dataclass(frozen=True, kw_only=True)
class PersonWishes:
    """What somebody wishes; as it stands here where they have said nothing.

    Attributes:
        avoid: topics never to speak of, in their own words.
        calm: high energy is disliked.
        speaks: replies are read out.
        initiative_on: the companion may speak first.
        quiet_from, quiet_until: local times between which it does not.
    """

    avoid: tuple[str, ...] = ()
    calm: bool = False
    speaks: bool = False
    initiative_on: bool = True
    quiet_from: time = time(21)
    quiet_until: time = time(7)

    def is_quiet(self, at: time) -> bool:
        """Tell whether a local time is within the quiet hours, which may go over midnight; none where both are the same."""
        if self.quiet_from <= self.quiet_until:
            return self.quiet_from <= at < self.quiet_until
        return at >= self.quiet_from or at < self.quiet_until


#: what is said is sealed, what is switched has columns
SEALED, PLAIN = ("avoid", "calm"), ("speaks", "initiative_on", "quiet_from", "quiet_until")
NAMES = (*SEALED, *PLAIN)


def read_wishes(space: UUID) -> PersonWishes:
    """Return what the person of a space wishes."""
    with space_scope(space):
        return _read(Wishes.objects.for_space(space).first())


def change_wishes(
    space: UUID, *, now: datetime, actor: models.Model | None = None, **changes: Any
) -> PersonWishes:
    """Change what is named and leave the rest; return what the person now wishes.

    Args:
        changes: by the names of `PersonWishes`.

    Raises:
        LifeRefused: about the topics to avoid.
    """
    if "avoid" in changes:
        changes["avoid"] = clean_topics(changes["avoid"])
    with write_scope(space):
        row = Wishes.objects.for_space(space).first()
        before = _read(row)
        after = replace(before, **changes)
        if after == before:
            return before
        row = row or Wishes(space_id=space)
        row.said, row.updated_at = {name: getattr(after, name) for name in SEALED}, now
        for name in PLAIN:
            setattr(row, name, getattr(after, name))
        row.save()
        changed = [name for name in NAMES if getattr(before, name) != getattr(after, name)]
        record_event(
            "memory.wishes_changed", chain=space, actor=actor, subject=row, data={"changed": changed}, now=now
        )
    return after


def clean_topics(topics: Iterable[str]) -> tuple[str, ...]:
    """Return topics once each, in order.

    Raises:
        LifeRefused: one is no topic any more, or there are too many.
    """
    found = {
        fold_words(topic): clean_words(topic, most=LIFE.topic_chars) for topic in topics if topic.strip()
    }
    if len(found) > LIFE.avoided:
        raise LifeRefused(why="too-many")
    return tuple(found.values())


def _read(row: Wishes | None) -> PersonWishes:
    if row is None:
        return PersonWishes()
    said = row.said
    switches = {name: getattr(row, name) for name in PLAIN}
    return PersonWishes(avoid=tuple(said.get("avoid", ())), calm=bool(said.get("calm", False)), **switches)
