"""How far the packs that ship with the site are, for the admin's page."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from memory.models import Pack
from memory.packs.shipped_import import TASK, editions, was_removed
from memory.packs.sources import SHIPPED, read_manifest


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
    about = read_manifest(folder / "pack.json")
    return ShippedPack(
        space=space,
        name=about["name"],
        version=about["version"],
        pack=pack,
        removed=pack is None and was_removed(space),
        failed_at=_failed_at(space) if pack is None else None,
    )


def _failed_at(space: UUID) -> datetime | None:
    """Return when the job of an edition failed last. The queue's table has only that; the log says why."""
    from django_q.models import Failure  # needs the apps, as `companion_site.jobs` does

    rows = Failure.objects.filter(group=TASK, name=f"take_in_shipped:{space}")
    return rows.order_by("-stopped").values_list("stopped", flat=True).first()
