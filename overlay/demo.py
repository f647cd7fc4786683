"""The world that comes along: school science, so that the demo school has something to discover."""

from datetime import datetime
from pathlib import Path

from companion_site.accounts.models import School
from overlay.importer import import_world
from overlay.world_files import WorldFile, parse_world

SCHOOL_SCIENCE = Path(__file__).parent / "world_data" / "school_science.json"


def load_school_science() -> WorldFile:
    """Return the world that comes along."""
    return parse_world(SCHOOL_SCIENCE.read_bytes())


def ensure_demo_world(school: School, *, now: datetime) -> bool:
    """Give a school without a world the one that comes along; return whether it was given."""
    if school.world_space_id is not None:
        return False
    import_world(school, load_school_science(), now=now)
    return True
