"""Whether what came from a source was of use: counted when the outcome of a context is known, weighed when the next is built."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import F

from memory.agents.hashing import hash_source
from memory.models import AgentContext, AgentSource


def count_outcome(space: UUID, names: Collection[str], *, outcome: str) -> None:
    """Count one known outcome for each source that was shown; inside the space's scope, under its lock.

    Args:
        names: of sources: what nodes name in their meta, or the key of the pack that lent them.
        outcome: one of `AgentContext.Outcome`.
    """
    helped = int(outcome == AgentContext.Outcome.HELPED)
    hashes = {hash_source(space, name): name for name in names}
    rows = AgentSource.objects.for_space(space).filter(name_hash__in=list(hashes))
    known = {bytes(digest) for digest in rows.values_list("name_hash", flat=True)}
    rows.update(shown=F("shown") + 1, helped=F("helped") + helped)
    for digest in sorted(hashes.keys() - known):
        AgentSource.objects.create(
            space_id=space, name=hashes[digest], name_hash=digest, shown=1, helped=helped
        )
