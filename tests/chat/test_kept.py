"""What was remembered stands under its message in words, and is corrected, forgotten and had back there."""

from uuid import UUID

import pytest
from django.urls import reverse

from chat.memories.formation import form_all_awaiting
from chat.memories.under_message import kept_of
from chat.models import Message
from companion_site.vault.scope import space_scope, write_scope
from memory.models import MemoryNode
from tests.chat.talking import article, begin, tell
from tests.factories import NOW, make_access
from tests.live import logged_in

pytestmark = pytest.mark.spec("C2")

LUND, MALMO = "I live in Lund with my aunt Karin.", "I live in Malmö with my aunt Karin."
TWELVE, FORTY = "My room is number 12.", "My room is number 40."


def say(access, text: str) -> Message:
    said = tell(access, begin(access), text).message
    form_all_awaiting(access.space, key=access.key, now=NOW)
    return said


def lines(access, message: Message) -> list:
    with access.open():
        return kept_of(access.space, [message])[message.pk]


def post(browser, message: Message, do: str, of: UUID, **given):
    address = reverse("chat:kept", args=[message.conversation_id, message.pk])
    return browser.post(address, {"do": f"{do}:{of}", **given})


def test_a_memory_is_put_right_and_that_is_undone(ada, browser):
    """The new words stand there with what they took the place of; undone, the old ones stand there alone."""
    said = say(ada, LUND)
    (old,) = lines(ada, said)
    answer = post(browser, said, "correct", old.id, **{f"text:{old.id}": MALMO})
    assert answer["Location"].endswith(f"?at={said.pk}#message-{said.pk}")
    (new,) = lines(ada, said)
    assert (new.text, new.undo) == (MALMO, None) and [one.text for one in new.instead_of] == [old.text]
    assert MALMO in browser.get(answer["Location"]).text
    post(browser, said, "undo", new.instead_of[0].change)
    assert lines(ada, said) == [old]
    post(browser, said, "correct", old.id, **{f"text:{old.id}": MALMO})
    assert [one.text for one in lines(ada, said)] == [MALMO]


def test_a_memory_is_forgotten_and_had_back(ada, browser):
    """What was forgotten stands there with the way back."""
    said = say(ada, LUND)
    (old,) = lines(ada, said)
    post(browser, said, "forget", old.id)
    (gone,) = lines(ada, said)
    assert gone.undo is not None and gone.text == old.text
    assert post(browser, said, "forget", old.id).status_code == 404
    post(browser, said, "undo", gone.undo)
    assert lines(ada, said) == [old]


def test_what_it_took_the_place_of_stands_there(ada, browser):
    """Under the message that changed it, with an undo; under the earlier one it stands no more."""
    first = say(ada, TWELVE)
    second = say(ada, FORTY)
    (line,) = lines(ada, second)
    assert [old.text for old in line.instead_of] == [TWELVE] and lines(ada, first) == []
    post(browser, second, "undo", line.instead_of[0].change)
    assert lines(ada, second)[0].instead_of == () and len(lines(ada, first)) == 1


def test_danger_is_never_repeated(ada):
    """Neither a memory of danger nor what was formed of a message that was answered as danger."""
    said = say(ada, LUND)
    with write_scope(ada.space):
        MemoryNode.objects.for_space(ada.space).update(of_danger=True)
    assert lines(ada, said) == []
    assert "Remembered" in article(ada, said) and article(ada, said).count("Lund") == 1
    with space_scope(ada.space):
        MemoryNode.objects.for_space(ada.space).update(of_danger=False)
        Message.objects.for_space(ada.space).filter(parent=said).update(reply_type="escalation")
    assert lines(ada, said) == []


def test_only_what_stands_there_is_changed(ada, browser):
    """Not a memory of another message, nor a stranger's, nor by a verb that there is none of; nothing changes."""
    said, other = say(ada, LUND), say(ada, "I play the violin.")
    (line,), (foreign,) = lines(ada, said), lines(ada, other)
    make_access("eve")
    words = {f"text:{line.id}": ""}
    assert post(logged_in("eve"), said, "forget", line.id).status_code == 404
    assert post(browser, said, "forget", foreign.id).status_code == 404
    assert post(browser, said, "burn", line.id).status_code == 400
    assert post(browser, said, "forget", "nonsense").status_code == 400
    assert post(browser, said, "correct", line.id, **words).status_code == 400
    assert lines(ada, said) == [line] and lines(ada, other) == [foreign]
