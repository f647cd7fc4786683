"""Taking a pack away: one that was not finished leaves nothing, one that was given up leaves its record."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection

from companion_site.accounts.models import Person
from companion_site.audit.services import record_event
from companion_site.jobs import enqueue
from companion_site.vault.models import Space
from companion_site.vault.scope import lock_space, space_scope
from memory.models import Pack, PackEdge, PackNode, PackPosting, PackVector
from memory.packs.spool import forget_upload, upload_waits

#: an import says so often that it goes on; silent for so long, it was killed
SILENT = timedelta(minutes=30)
#: in the order in which their keys let them go
TABLES = (PackEdge, PackVector, PackPosting, PackNode)
BATCH = 20_000


def remove_rows(space: UUID) -> None:
    """Delete everything of a pack's space, the space, and what was uploaded; cut short and done again, it goes on."""
    with space_scope(space):
        # One that is not ready: a search in between finds nothing rather than half of it.
        lock_space(space)
        Pack.objects.for_space(space).update(state=Pack.State.IMPORTING)
        Space.objects.filter(pk=space).update(version=0)
    for model in TABLES:
        while _delete_some(model._meta.db_table, space):
            pass
    with space_scope(space):
        Pack.objects.for_space(space).delete()
        with connection.cursor() as cursor:
            # Not by the model: it would look for rows of the space in every table of the site.
            cursor.execute("DELETE FROM vault_space WHERE id = %s AND kind = 'pack'", [space])
    forget_upload(space)


def remove_pack(space: UUID, *, actor: Person | None, now: datetime) -> None:
    """Take away a pack that somebody may have mounted; from here on nobody finds anything in it.

    Raises:
        NotFound: there is no such pack.
    """
    with space_scope(space):
        pack = Pack.objects.for_space(space).find()
        record_event("memory.pack_removed", chain=space, actor=actor, subject=pack, now=now)
    remove_rows(space)


def remove_abandoned(*, now: datetime) -> int:
    """Remove what imports that were killed left behind, and go on where a job was lost; return how many were removed."""
    # Across spaces, so by the role that sees no more than states and times.
    silent = Pack.objects.using("metadata").filter(touched_at__lt=now - SILENT)
    removed = 0
    for space, state in list(silent.exclude(state=Pack.State.READY).values_list("space_id", "state")):
        if state == Pack.State.EMBEDDING:
            _go_on("memory.packs.tasks.embed_pack", space, now=now)
        elif upload_waits(space):
            _go_on("memory.packs.tasks.import_upload", space, now=now)
        else:
            remove_rows(space)
            removed += 1
    return removed


def _go_on(task: str, space: UUID, *, now: datetime) -> None:
    with space_scope(space):
        Pack.objects.for_space(space).update(touched_at=now)
        enqueue(task, space)


def _delete_some(table: str, space: UUID) -> int:
    """Delete a batch of rows of a pack; return how many went."""
    with space_scope(space), connection.cursor() as cursor:
        cursor.execute(
            f'DELETE FROM "{table}" WHERE space_id = %s AND id IN '  # noqa: S608  a table of our own
            f'(SELECT id FROM "{table}" WHERE space_id = %s LIMIT %s)',
            [space, space, BATCH],
        )
        return int(cursor.rowcount)
