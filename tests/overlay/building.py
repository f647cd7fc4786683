"""World files for tests, and the ids of what they hold."""

import json
from datetime import datetime
from uuid import UUID

from chat.access import ChatAccess
from companion_site.accounts.models import School
from companion_site.vault import unlocked
from overlay.importer import WorldChanges, import_world
from overlay.services import learn_from_text
from overlay.world_files import parse_world
from overlay.worlds import World
from tests.factories import NOW

CONCEPTS = [
    {"id": "keystone", "name": "Keystone", "aliases": ["slutsten"], "kind": "Building"},
    {
        "id": "arch",
        "name": "Round arch",
        "aliases": ["rundbåge"],
        "kind": "Building",
        "description": "Stones that lean on one another; the Keystone goes in last, and no Lime mortar is needed.",
    },
    {"id": "vault", "name": "Barrel vault", "aliases": ["tunnvalv"], "kind": "Building"},
    {"id": "mortar", "name": "Lime mortar", "aliases": ["kalkbruk"], "kind": "Material"},
]
EDGES = [
    {"source": "arch", "target": "keystone", "type": "requires"},
    {"source": "vault", "target": "arch", "type": "requires"},
    {"source": "arch", "target": "mortar", "type": "relates_to"},
]
NAMES = [name for concept in CONCEPTS for name in (concept["name"], *concept["aliases"])]


def written(*, concepts: list | None = None, edges: list | None = None, **fields) -> bytes:
    """Return a world file, with what is given in place of what it usually holds."""
    world = {
        "format": "companion-world/1",
        "name": "Building",
        "concepts": CONCEPTS if concepts is None else concepts,
        "edges": EDGES if edges is None else edges,
        **fields,
    }
    return json.dumps(world).encode()


def take_world(school: School, *, now: datetime = NOW, **fields) -> WorldChanges:
    """Make a school's world what `written` has with these fields."""
    return import_world(school, parse_world(written(**fields)), now=now)


def make_school(name: str = "North", **fields) -> School:
    """Return a school with a world; an arch needs a keystone and a vault needs an arch, mortar stands beside, unless fields are given."""
    school = School.objects.create(name=name)
    take_world(school, **fields)
    return school


def meet(access: ChatAccess, *texts: str, now: datetime = NOW) -> None:
    """Have a student name concepts, one text after the other."""
    with unlocked(access.space, access.key):
        for text in texts:
            learn_from_text(access.person, access.space, text, now=now)


def named(*names: str, **fields) -> list[dict]:
    """Return concepts of these names, with ids in their order: c0, c1, …"""
    return [{"id": f"c{number}", "name": name, **fields} for number, name in enumerate(names)]


def id_of(world: World, key: str) -> UUID:
    """Return the id of the concept that a file calls by this key."""
    return next(concept.id for concept in world.concepts if concept.key == key)


def ids_of(world: World, *keys: str) -> frozenset[UUID]:
    return frozenset(id_of(world, key) for key in keys)
