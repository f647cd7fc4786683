"""Taking a pack in, all or nothing.

It is read more than once: first every node is checked and nothing is written; then the rows are written, in a space that
nobody can look into before its pack is ready. What a killed import left is removed by a job (`memory.packs.removal`).
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.models import Person
from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.jobs import enqueue
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version, create_open_space
from memory.models import Pack, PackVector
from memory.nodes import find_cycle
from memory.packs.errors import PackRefused
from memory.packs.format import PackEntry, ReadPack, read_pack, unlock_pack
from memory.packs.limits import LIMITS, PackLimits
from memory.packs.manifest import SAID, Manifest
from memory.packs.removal import remove_rows
from memory.packs.store import PackWriter

#: told how many nodes are done, of how many, and what is being done with them
Progress = Callable[[int, int, str], None]
SEEN_EVERY = 1_000


@dataclass(frozen=True, kw_only=True)
class Audience:
    """Whose a pack is: a person's own, a school's, a company's, or, with nothing said, everybody's."""

    owner: Person | None = None
    school_id: UUID | None = None
    company_id: UUID | None = None


def import_pack(
    stream: BinaryIO,
    *,
    audience: Audience,
    now: datetime,
    passphrase: str | None = None,
    actor: Person | None = None,
    progress: Progress = lambda done, total, doing: None,
    embedder: Embedder | None = None,
    limits: PackLimits = LIMITS,
) -> Pack:
    """Take in the pack that `stream` begins with here; the stream is read several times, so it can be gone back in.

    Vectors of another embedding model than this site's are not used: a job embeds the nodes, and the pack is ready then.

    Args:
        passphrase: None: it was sealed to this site's key.

    Raises:
        PackRefused: why it cannot be taken in; nothing was written.
    """
    start = stream.tell()
    file_key = unlock_pack(stream, passphrase=passphrase)

    def read() -> ReadPack:
        stream.seek(start)
        return read_pack(stream, file_key=file_key, limits=limits)

    pack = read()
    manifest = pack.manifest
    refuse_repeated(manifest, audience)

    paths = plan_pack(pack.nodes, seen=lambda done: progress(done, manifest.nodes, "check"))
    space = make_space(manifest, pack.signed_by, audience=audience, now=now, actor=actor)
    try:
        writer = PackWriter(
            space,
            paths,
            embedder=embedder or get_embedder(),
            tell=lambda done: progress(done, manifest.nodes, "write"),
        )
        writer.write(read)
        return finish(space, actor=actor)
    except BaseException:
        remove_rows(space)
        raise


def finish(space: UUID, *, actor: Person | None) -> Pack:
    """Let others see a pack whose rows are all written, or first have it embedded where it came without our vectors."""
    with space_scope(space):
        if PackVector.objects.for_space(space).exists():
            return make_ready(space, actor=actor, now=timezone.now())
        row = Pack.objects.for_space(space).get()
        row.state, row.done, row.touched_at = Pack.State.EMBEDDING, 0, timezone.now()
        row.save(update_fields=["state", "done", "touched_at"])
        enqueue("memory.packs.tasks.embed_pack", space)
    return row


def make_space(
    manifest: Manifest,
    signed_by: str,
    *,
    audience: Audience,
    now: datetime,
    actor: Person | None,
    pk: UUID | None = None,
) -> UUID:
    """Make the space of a pack that is about to be taken in, and say in it what is known so far.

    Args:
        pk: the space's id, where that is known before.
    """
    with transaction.atomic():
        space = create_open_space(kind=Space.Kind.PACK, now=now, pk=pk).pk
        Space.objects.filter(pk=space).update(
            owner=audience.owner, school_id=audience.school_id, company_id=audience.company_id
        )
        with space_scope(space):
            told = manifest.model_dump(include={*SAID, "checksum"})
            Pack.objects.create(
                space_id=space,
                key=manifest.id,
                pack_version=manifest.version,
                signed_by=signed_by,
                node_count=manifest.nodes,
                edge_count=manifest.links,
                imported_at=now,
                touched_at=timezone.now(),
                **told,
            )
            record_event("memory.pack_begun", chain=space, actor=actor, now=now)
    return space


def make_ready(space: UUID, *, actor: Person | None, now: datetime) -> Pack:
    """Let others see a pack; done twice it stays ready."""
    with write_scope(space):
        pack = Pack.objects.for_space(space).get()
        if pack.state != Pack.State.READY:
            pack.state, pack.done, pack.touched_at = Pack.State.READY, pack.node_count, now
            pack.save(update_fields=["state", "done", "touched_at"])
            bump_version(space)
            counts = {"nodes": pack.node_count, "edges": pack.edge_count, "signed": bool(pack.signed_by)}
            record_event("memory.pack_imported", chain=space, actor=actor, subject=pack, data=counts, now=now)
    return pack


def refuse_repeated(manifest: Manifest, audience: Audience) -> None:
    """Raise PackRefused (there) where the very same pack stands for the same people already."""
    spaces = Space.objects.filter(
        kind=Space.Kind.PACK,
        closed_at__isnull=True,
        owner_id=audience.owner.pk if audience.owner is not None else None,
        school_id=audience.school_id,
        company_id=audience.company_id,
    )
    for space in spaces.values_list("pk", flat=True):
        with space_scope(space, reading=True):
            rows = Pack.objects.for_space(space)
            same = rows.filter(key=manifest.id, checksum=manifest.checksum, pack_version=manifest.version)
            if same.exists():
                raise PackRefused(why="there")


def plan_pack(entries: Iterable[PackEntry], *, seen: Callable[[int], None] = lambda count: None) -> list[str]:
    """Go through all nodes and return their paths in order: a node's position is the rank of its path.

    Args:
        seen: told how many there have been, after each `SEEN_EVERY`.

    Raises:
        PackRefused (node): an id occurs twice, a link or a child leads to no node, or children lead in a circle.
        PackRefused: whatever is wrong with the pack.
    """
    line_of: dict[str, int] = {}
    #: every path that something points to, with the line that did so first
    wanted: dict[str, int] = {}
    children: dict[str, Collection[str]] = {}
    for number, entry in enumerate(entries, 1):
        if entry.path in line_of:
            raise PackRefused(_("Its id occurs twice."), why="node", line=number)
        line_of[entry.path] = number
        below = entry.content["children"]
        for path in (*(link["to"] for link in entry.content["links"]), *below.values()):
            wanted.setdefault(path, number)
        if below:
            children[entry.path] = tuple(below.values())
        if number % SEEN_EVERY == 0:
            seen(number)
    for path, number in wanted.items():
        if path not in line_of:
            raise PackRefused(_("It points to a node that the pack does not have."), why="node", line=number)
    if find_cycle(lambda path: children.get(path, ()), children):
        raise PackRefused(_("Children lead back to where they came from."), why="node")
    return sorted(line_of)
