"""Packs that a page took in and the worker reads.

What can be known at once is told on the page; the rest is found by the worker, and its reason is on record by its code.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.models import Person
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.errors import NotFound
from companion_site.jobs import enqueue
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode
from memory.packs.errors import PackRefused
from memory.packs.format import ReadPack, parse_links, read_pack, unlock_pack
from memory.packs.importer import Audience, finish, make_space, plan_pack, refuse_repeated
from memory.packs.limits import LIMITS
from memory.packs.removal import remove_rows
from memory.packs.spool import forget_upload, keep_upload, kept_upload, upload_waits
from memory.packs.store import PackWriter, note_progress

REFUSED = "memory.pack_refused"
#: A job takes so long at most and queues the next: others get their turn, and no time-out ends it in the middle.
SECONDS = 45.0


def receive(
    stream: BinaryIO,
    *,
    audience: Audience,
    actor: Person,
    now: datetime,
    passphrase: str | None,
) -> UUID:
    """Keep an uploaded pack and queue the reading of it; return the space in which it will be.

    What can be known at once is checked at once: the passphrase, the manifest, the signature.

    Args:
        passphrase: None: it was sealed to this site's key.

    Raises:
        PackRefused: why not; nothing was kept.
    """
    file_key = unlock_pack(stream, passphrase=passphrase)
    stream.seek(0)
    pack = read_pack(stream, file_key=file_key)
    if pack.manifest.nodes > LIMITS.uploaded_nodes:
        raise PackRefused(_("So many nodes are taken in by the command import_pack only."), why="too-large")
    refuse_repeated(pack.manifest, audience)
    space = make_space(pack.manifest, pack.signed_by, audience=audience, now=now, actor=actor)
    try:
        keep_upload(space, stream, file_key)
        with space_scope(space):
            enqueue("memory.packs.tasks.import_upload", space)
    except BaseException:
        remove_rows(space)
        raise
    return space


def import_waiting(space: UUID, *, embedder: Embedder | None = None) -> None:
    """Read an upload and take it in, some at a time: what is left is queued again.

    What is wrong with it goes on record by its code, and it is as if it never came.
    """
    if not upload_waits(space):
        return
    with space_scope(space, reading=True):
        importing = Pack.objects.for_space(space).filter(state=Pack.State.IMPORTING).exists()
    try:
        if importing and not _go_on(space, embedder or get_embedder()):
            with space_scope(space):
                enqueue("memory.packs.tasks.import_upload", space)
            return
    except PackRefused as refused:
        line = {} if refused.line is None else {"line": refused.line}
        with space_scope(space):
            record_event(REFUSED, chain=space, data={"why": refused.code, **line}, now=timezone.now())
        remove_rows(space)
    forget_upload(space)


@dataclass(frozen=True)
class UploadState:
    """How far an upload is.

    Attributes:
        pack: None where it was refused.
        reason: why it was refused; "" where it was not.
    """

    pack: Pack | None
    reason: str

    @property
    def goes_on(self) -> bool:
        return self.pack is not None and self.pack.state != Pack.State.READY


def upload_state(space: UUID) -> UploadState:
    """Return how far the upload into a space is. Raises NotFound: nothing was, or it was removed since."""
    with space_scope(space, reading=True):
        pack = Pack.objects.for_space(space).first()
    if pack is not None:
        return UploadState(pack, "")
    event = AuditEvent.objects.filter(chain=space, action=REFUSED).first()
    if event is None:
        raise NotFound()
    why = event.data["why"].partition(".")[2]
    known = why if why in PackRefused.reasons else None
    return UploadState(None, str(PackRefused(why=known, line=event.data.get("line"))))


def _go_on(space: UUID, embedder: Embedder) -> bool:
    """Check the pack the first time, write some of it each time; return whether it is taken in."""
    with space_scope(space, reading=True):
        # Not one node is written before all were checked.
        is_checked = PackNode.objects.for_space(space).exists()
    with kept_upload(space) as (stream, file_key):

        def read() -> ReadPack:
            stream.seek(0)
            return read_pack(stream, file_key=file_key)

        if is_checked:
            paths = sorted(parse_links(line)[0] for line in read().lines)
        else:
            paths = plan_pack(read().nodes, seen=lambda done: note_progress(space, 0))
        if not PackWriter(space, paths, embedder=embedder, seconds=SECONDS).write(read):
            return False
    finish(space, actor=None)
    return True
