"""The packs that ship with the site: taken in for everybody, without a passphrase or a page.

An edition of such a pack is what its files hold; its space's id is made of them, so that it is taken in once however many
processes start at once, and a pack never changes under its readers. A later edition is made beside the earlier one and
embedded; once it is ready it takes the earlier one's place where that was mounted, and the earlier one goes.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from uuid import UUID, uuid5

import structlog

from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.embeddings.service import get_embedder
from companion_site.jobs import enqueue
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.models import Pack, PackMount
from memory.packs.format import ReadPack, count_nodes, write_entry
from memory.packs.importer import Audience, finish, make_space, plan_pack
from memory.packs.manifest import Manifest, describe
from memory.packs.removal import remove_rows
from memory.packs.signatures import public_hex, site_signer
from memory.packs.sources import SHIPPED, read_manifest, read_source, shipped_sources
from memory.packs.store import PackWriter

logger = structlog.get_logger(__name__)

TASK = "memory.packs.tasks.take_in_shipped"
#: Editions' ids are made of names in here (UUID version 5); all other spaces have ids by the time (version 7).
EDITIONS = UUID("4f0d2a53-6a0e-4d0f-9a6e-6f3a8f8f1c55")


def edition_of(folder: Path) -> UUID:
    """Return the id of the space in which a folder's pack is, or will be: another one after any change to its files."""
    digest = sha256()
    for file in sorted(path for path in folder.iterdir() if path.suffix in {".json", ".toml"}):
        content = file.read_bytes()
        digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
    return uuid5(EDITIONS, f"{folder.name}:{digest.hexdigest()}")


def is_edition(space: UUID) -> bool:
    """Tell whether a pack's space is that of an edition, of these days or earlier."""
    return space.version == 5


def editions(shipped: Path = SHIPPED) -> dict[UUID, Path]:
    """Return the folders of the packs that ship, by their editions, in the order of their names."""
    return {edition_of(folder): folder for folder in shipped_sources(shipped)}


def queue_shipped(*, again: bool = False, shipped: Path = SHIPPED) -> list[UUID]:
    """Queue the taking in of each pack that ships and is not here; return their editions.

    Args:
        again: also of those that an administrator has removed.
    """
    queued = []
    for space, folder in editions(shipped).items():
        if _is_here(space) or (was_removed(space) and not again):
            continue
        with space_scope(space):
            enqueue(TASK, space)
        logger.info("pack.shipped_queued", pack=folder.name, space=str(space))
        queued.append(space)
    return queued


def was_removed(space: UUID) -> bool:
    """Tell whether an administrator has removed an edition; it stays away until somebody asks for it."""
    return AuditEvent.objects.filter(chain=space, action="memory.pack_removed").exists()


def take_in_shipped(space: UUID, *, now: datetime, shipped: Path = SHIPPED) -> bool:
    """Take in an edition and queue its embedding; return whether it was this call that did.

    All in one transaction under the space's lock: of two at once one waits and finds it there, and a kill leaves nothing.
    """
    folder = editions(shipped).get(space)
    if folder is None:  # queued by code of other days
        return False
    started = perf_counter()
    manifest, lines = _read(folder, now)
    signer = public_hex(site_signer())

    def read() -> ReadPack:
        return ReadPack(manifest, signer, iter(lines))

    try:
        paths = plan_pack(read().nodes)
        with write_scope(space):
            if _is_here(space):
                return False
            make_space(manifest, signer, audience=Audience(), now=now, actor=None, pk=space)
            PackWriter(space, paths, embedder=get_embedder()).write(read)
            finish(space, actor=None)
    except Exception:  # whatever it was goes on up to the queue; here the log is told which pack
        logger.error("pack.shipping_failed", pack=folder.name, space=str(space))
        raise
    ms = round((perf_counter() - started) * 1000, 1)
    logger.info(
        "pack.shipped_taken_in", pack=folder.name, space=str(space), count=manifest.nodes, duration_ms=ms
    )
    return True


def take_over(space: UUID, *, now: datetime) -> int:
    """Have an edition that is ready take the place of earlier ones wherever they are mounted, and remove them.

    Done again after it was cut short, it goes on. Of a space that is no edition, or not ready, nothing is done.
    """
    if not is_edition(space):
        return 0
    with space_scope(space, reading=True):
        pack = Pack.objects.for_space(space).filter(state=Pack.State.READY).first()
    if pack is None:
        return 0
    earlier = _earlier(pack)
    for old in earlier:
        moved = _move_mounts(old, space, now=now)
        with space_scope(old):
            record_event("memory.pack_replaced", chain=old, data={"by": str(space)}, now=now)
        remove_rows(old)
        moved += _move_mounts(old, space, now=now)  # mounted while it went
        logger.info("pack.shipped_renewed", pack=pack.key, space=str(space), old=str(old), mounts=moved)
    return len(earlier)


def _read(folder: Path, now: datetime) -> tuple[Manifest, list[bytes]]:
    """Return the manifest of a folder, complete, and its nodes as lines."""
    about, nodes = read_source(folder)
    manifest, _size = count_nodes(describe(**about, now=now), nodes)
    return manifest, [write_entry(node, manifest).rstrip(b"\n") for node in nodes]


def _is_here(space: UUID) -> bool:
    return Space.objects.filter(pk=space).exists()


def _earlier(pack: Pack) -> list[UUID]:
    """Return the other editions of a pack that are here, whatever their state."""
    spaces = Space.objects.filter(
        kind=Space.Kind.PACK, owner__isnull=True, school_id__isnull=True, company_id__isnull=True
    )
    others = [pk for pk in spaces.values_list("pk", flat=True) if is_edition(pk) and pk != pack.space_id]
    found = []
    for other in others:
        with space_scope(other, reading=True):
            if Pack.objects.for_space(other).filter(key=pack.key).exists():
                found.append(other)
    return found


def _move_mounts(old: UUID, new: UUID, *, now: datetime) -> int:
    """Have whoever reads one pack read another in its place; return how many did. Their keys are not needed."""
    # Across spaces, so by the role that sees no more than which space reads which pack.
    readers = PackMount.objects.using("metadata").filter(pack_space_id=old).values_list("space_id", flat=True)
    return sum(_move_mount(reader, old, new, now=now) for reader in list(readers))


def _move_mount(reader: UUID, old: UUID, new: UUID, *, now: datetime) -> bool:
    with write_scope(reader):
        rows = PackMount.objects.for_space(reader)
        row = rows.filter(pack_space_id=old).first()
        if row is None:
            return False
        told = {"pack": str(new), "before": str(old)}
        record_event("memory.pack_renewed", chain=reader, subject=row, data=told, now=now)
        if rows.filter(pack_space_id=new).exists():
            row.delete()
        else:
            row.pack_space_id = new
            row.save(update_fields=["pack_space_id"])
        bump_version(reader)
    return True


@dataclass(frozen=True, kw_only=True)
class ShippedPack:
    """One pack that ships, as it is here.

    Attributes:
        pack: None where its edition has not been taken in.
        failed_at: when taking it in failed last; None where it did not, or has been taken in since.
    """

    space: UUID
    name: str
    version: str
    pack: Pack | None = None
    removed: bool = False
    failed_at: datetime | None = None

    @property
    def is_ready(self) -> bool:
        return self.pack is not None and self.pack.state == Pack.State.READY


def list_shipped(shipped: Path = SHIPPED) -> list[ShippedPack]:
    """Return the packs that ship, by the names of their folders."""
    here = editions(shipped)
    # Across spaces, and for the admin: by the role that sees no content.
    rows = Pack.objects.using("metadata").filter(space_id__in=here)
    packs = {pack.space_id: pack for pack in rows}
    return [_look_at(space, folder, packs.get(space)) for space, folder in here.items()]


def _look_at(space: UUID, folder: Path, pack: Pack | None) -> ShippedPack:
    from django_q.models import Failure  # needs the apps, as `companion_site.jobs` does

    # The queue's table has only when its job failed; the log says why.
    failures = Failure.objects.filter(group=TASK, name=f"take_in_shipped:{space}").order_by("-stopped")
    about = read_manifest(folder / "pack.json")
    return ShippedPack(
        space=space,
        name=about["name"],
        version=about["version"],
        pack=pack,
        removed=pack is None and was_removed(space),
        failed_at=failures.values_list("stopped", flat=True).first() if pack is None else None,
    )
