"""The fog of war through a whole turn: what a model tells of a world that the student has not met."""

import pytest

from tests.chat.talking import reply
from tests.factories import make_access
from tests.llm.wire_server import Act
from tests.overlay.building import make_school, named


@pytest.mark.spec("G10")
def test_a_reply_names_what_the_student_has_met_and_nothing_else(model, committed):
    """However the name is written; once they name it themselves, the reply may. The labelled set: tests/overlay/test_guard.py."""
    ada = make_access("ada", school=make_school(concepts=named("osmosis", "membrane"), edges=[]))
    model.always(Act(text="Through the membrane goes **Os\u200bmosis**, or O-s-m-o-s-i-s."))
    for text, is_met in (("What is a membrane?", False), ("Is it osmosis?", True)):
        shown = reply(ada, text)
        assert ("something you have not met yet" in shown, "membrane" in shown) == (not is_met, True)
        assert ("mosis" in shown) == is_met
