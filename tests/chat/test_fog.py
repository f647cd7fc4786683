"""The fog of war through a whole turn: what a model tells of a world that the student has not met."""

import json

import pytest

from chat import services
from companion_site.accounts.models import School
from overlay.importer import import_world
from overlay.world_files import parse_world
from tests.chat.talking import talk
from tests.factories import NOW, make_access
from tests.llm.wire_server import Act


@pytest.mark.spec("G10")
def test_a_reply_names_what_the_student_has_met_and_nothing_else(model, committed):
    """However the name is written; once they name it themselves, the reply may. The labelled set: tests/overlay/test_guard.py."""
    school = School.objects.create(name="Fog School")
    concepts = [{"id": f"c{n}", "name": name} for n, name in enumerate(("osmosis", "membrane"))]
    written = {"format": "companion-world/1", "name": "Fog", "concepts": concepts, "edges": []}
    import_world(school, parse_world(json.dumps(written).encode()), now=NOW)
    ada = make_access("ada", school=school)
    model.always(Act(text="Through the membrane goes **Os\u200bmosis**, or O-s-m-o-s-i-s."))
    for text, is_met in (("What is a membrane?", False), ("Is it osmosis?", True)):
        shown = services.read_text(ada, talk(ada, text))
        assert ("something you have not met yet" in shown, "membrane" in shown) == (not is_met, True)
        assert ("mosis" in shown) == is_met
