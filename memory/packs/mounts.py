"""Which packs a space reads beside its own memory. Whether it may is asked each time: who leaves a school loses its packs."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from django.db.models import Q, QuerySet

from companion_site.accounts.models import Person
from companion_site.audit.services import record_event
from companion_site.errors import NotFound
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.models import Pack, PackMount
from memory.packs.errors import TooManyMounts
from memory.packs.limits import MOST_MOUNTED

#: of a space and its owner, by what it is decided who may read it, and what of it was read before
ASKED = (
    *("kind", "version", "created_at", "closed_at", "owner_id", "school_id", "company_id"),
    *("owner__school_id", "owner__company_id"),
)


def mount(space_key: SpaceKey, pack_space: UUID, *, person: Person, now: datetime) -> Pack:
    """Have a space read a pack, and return it; mounted twice it is so once.

    Raises:
        NotFound: as `find_pack` says. TooManyMounts: the space reads as many as it may.
    """
    space = space_key.space
    pack = find_pack(person, pack_space)
    with write_scope(space):
        rows = PackMount.objects.for_space(space)
        if rows.filter(pack_space_id=pack_space).exists():
            return pack
        if rows.count() >= MOST_MOUNTED:
            raise TooManyMounts()
        row = PackMount.objects.create(space_id=space, pack_space_id=pack_space, mounted_at=now)
        bump_version(space)
        told = {"pack": str(pack_space)}
        record_event("memory.pack_mounted", chain=space, actor=person, subject=row, data=told, now=now)
    return pack


def unmount(space_key: SpaceKey, pack_space: UUID, *, person: Person, now: datetime) -> None:
    """Have a space read a pack no longer. Raises NotFound: it does not."""
    space = space_key.space
    with write_scope(space):
        row = PackMount.objects.for_space(space).find(pack_space_id=pack_space)
        told = {"pack": str(pack_space)}
        record_event("memory.pack_unmounted", chain=space, actor=person, subject=row, data=told, now=now)
        row.delete()
        bump_version(space)


def mounted(space: UUID) -> list[Pack]:
    """Return the packs that a space reads now, in the order they were mounted: ready, and still its person's to read."""
    with space_scope(space, reading=True):
        wanted = list(PackMount.objects.for_space(space).values_list("pack_space_id", flat=True))
    return readable(space, wanted)


def readable(space: UUID, wanted: Sequence[UUID]) -> list[Pack]:
    """Return those of the packs `wanted` that are ready and that the person of a space may read at this moment."""
    if not wanted:
        return []
    spaces = Space.objects.select_related("owner").only(*ASKED).in_bulk([space, *wanted])
    reader = spaces.pop(space)
    packs = _ready(
        pack
        for pack in spaces.values()
        if pack.kind == Space.Kind.PACK
        and pack.closed_at is None
        and _may_read(pack, reader.owner, reader.company_id)
    )
    return [packs[pack] for pack in wanted if pack in packs]


def find_pack(person: Person, pack_space: UUID) -> Pack:
    """Return a pack that this person may mount. Raises NotFound: there is none, it is not ready, or it is none of theirs."""
    packs = find_packs(person, [pack_space])
    if not packs:
        raise NotFound()
    return packs[pack_space]


def find_packs(person: Person, wanted: Collection[UUID]) -> dict[UUID, Pack]:
    """Return those packs that this person may mount, by their spaces."""
    return _ready(pack for pack in _open_packs().filter(pk__in=wanted) if _may_read(pack, person, None))


def list_packs(person: Person) -> list[Pack]:
    """Return the packs that this person may mount, by name."""
    spaces = _open_packs().filter(Q(owner=None) | Q(owner=person))
    packs = _ready(pack for pack in spaces if _may_read(pack, person, None))
    return sorted(packs.values(), key=lambda pack: (pack.name.casefold(), pack.pk))


def _open_packs() -> QuerySet[Space]:
    return Space.objects.filter(kind=Space.Kind.PACK, closed_at__isnull=True)


def _may_read(pack: Space, person: Person | None, company: UUID | None) -> bool:
    """Tell whether a pack is open to a person, or to a company's own space, which nobody owns."""
    if pack.owner_id is None and pack.school_id is None and pack.company_id is None:
        return True
    if person is None:
        return pack.company_id is not None and pack.company_id == company
    return (
        pack.owner_id == person.pk
        or (pack.school_id is not None and pack.school_id == person.school_id)
        or (pack.company_id is not None and pack.company_id == person.company_id)
    )


def _ready(spaces: Iterable[Space]) -> dict[UUID, Pack]:
    """Return those packs that are ready, by their spaces; until it is, and while it is removed, a pack's version is 0."""
    found = {}
    for space in spaces:
        with suppress(Pack.DoesNotExist):
            if space.version:
                found[space.pk] = _read_ready(space.pk, space.version, space.created_at)
    return found


@lru_cache(maxsize=1_000)
def _read_ready(space: UUID, version: int, created_at: datetime) -> Pack:
    """Return a pack, read once in this process for each version; one that came again under its id was created anew.

    Raises:
        Pack.DoesNotExist: it is not ready yet, which is asked again the next time.
    """
    with space_scope(space, reading=True):
        return Pack.objects.for_space(space).get(state=Pack.State.READY)
