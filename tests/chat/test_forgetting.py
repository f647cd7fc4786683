"""What somebody asks to be forgotten is put away at once, the reply says what, and one click takes it back."""

import pytest

from chat.services import read_text
from memory.models import MemoryChange
from memory.student.undo import undo_change
from tests.chat.talking import held, remember, rows, talk
from tests.chat.test_student_turn import LATER
from tests.factories import make_access
from tests.llm.wire_server import Act

pytestmark = pytest.mark.spec("L4")

ALBIN = "Albin in 8B started smoking behind the gym in September"
OTHERS = [
    "My cousin Oskar feeds the otters at Kolmården with herring",
    "I play the cello in the youth orchestra of Lund",
    "Mum works nights at the hospital in Malmö as a nurse",
]
ASKED = "please forget what i told you about Albin smoking"


@pytest.fixture
def ada(committed):
    access = make_access("ada")
    for text in (ALBIN, *OTHERS):
        remember(access, text)
    return access


def test_what_is_meant_is_put_away_and_comes_back(ada):
    """The one memory, and no other; its person is told which, and has it back."""
    before = set(held(ada))
    reply = talk(ada, ASKED)
    (gone,) = before - set(held(ada))
    assert "Albin" in gone
    said = read_text(ada, reply)
    assert gone in said and "Memory" in said
    (change,) = rows(ada, MemoryChange, kind=MemoryChange.Kind.FORGOTTEN)
    with ada.open():
        undo_change(ada.space, change.pk, now=LATER, actor=ada.person)
    assert set(held(ada)) == before


def test_where_it_is_not_clear_which_nothing_is_put_away(ada):
    """A word in passing, something that was never told, and a conversation without memory."""
    before = set(held(ada))
    for text in ("forget it, it does not matter", "please delete what i told you about my passport"):
        talk(ada, text)
    talk(ada, ASKED, memory_on=False)
    assert before <= set(held(ada))
    assert not rows(ada, MemoryChange, kind=MemoryChange.Kind.FORGOTTEN)


def test_a_model_is_told_what_was_done_and_not_the_words(ada, model):
    """It says that a memory was put away; the memory itself does not stand in its request."""
    model.always(Act(text="All right."))
    talk(ada, ASKED)
    sent = model.requests[-1]
    assert "put away just now" in sent.system_text
    assert "behind the gym" not in str(sent.body)
