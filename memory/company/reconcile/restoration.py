"""Old words in a new row: what is brought back is believed from now on, and that it once gave way stays on record."""

from collections.abc import Iterable
from datetime import datetime

from django.db import models

from memory.company.reconcile.selectors import standing_since, told_by
from memory.company.store import OUTDATED, VOUCHED, Replaced, insert_fact, put_in_doubt, vectors_of
from memory.models import CompanyFact

#: What a restored row takes over: the words, and how they came to be said.
SAID = (
    "space_id", "category", "content", "fingerprint", "language", "confidence", "source_conversation_id",
    "source_message_id", "said_by_id", "said_at", "extraction_id",
)  # fmt: skip


def restore_fact(
    old: CompanyFact,
    *,
    expires_at: datetime | None,
    confirmed_at: datetime,
    at: datetime,
    actor: models.Model | None = None,
    replaces: Iterable[Replaced] = (),
) -> CompanyFact:
    """Believe a fact's words again, in the place of what is given. The caller holds the space's lock.

    Args:
        actor: who brings it back, and so vouches for it from then on; None: the companion.
    """
    vouched = standing_since(old) if actor is None else at
    kept = {name: value for name, value in old.metadata.items() if name != OUTDATED}
    fact = CompanyFact(
        **{name: getattr(old, name) for name in SAID},
        origin=CompanyFact.Origin.RESTORED,
        confirmed_at=confirmed_at,
        expires_at=expires_at,
        restores=old,
        metadata={**kept, VOUCHED: vouched.isoformat()},
    )
    insert_fact(fact, vectors=vectors_of(old), at=at, replaces=list(replaces), actor=actor)
    # The words doubt what they did before, and are in doubt themselves unless somebody vouches for them.
    for doubted in old.doubts.order_by("id"):
        put_in_doubt(doubted, by=fact, since=doubted.doubted_since, at=fact.created_at)  # type: ignore[arg-type]  # in doubt
    if old.doubted_by is not None and actor is None:
        put_in_doubt(fact, by=old.doubted_by, since=old.doubted_since, at=fact.created_at)  # type: ignore[arg-type]  # in doubt
    return fact


def restorable(facts: Iterable[CompanyFact]) -> list[CompanyFact]:
    """Return what bringing back `facts` brings back: of a summary its parts; nothing twice, and nothing that stands.

    The order is kept.
    """
    whole = [part for fact in facts for part in told_by(fact.space_id, [fact])[fact.pk]]
    by_words = {fact.fingerprint: fact for fact in reversed(whole)}
    return [fact for fact in whole if by_words[fact.fingerprint] is fact and not fact.restored_as.exists()]


def says_again(fact: CompanyFact) -> CompanyFact | None:
    """Return the row that has the same words and that nothing replaced; None where there is none."""
    standing = CompanyFact.objects.for_space(fact.space_id).filter(superseded_by__isnull=True)
    return standing.filter(fingerprint=fact.fingerprint).first()
