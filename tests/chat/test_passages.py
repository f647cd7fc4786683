"""A memory's page shows the words where it was said, and what stands before them."""

import re
from uuid import UUID

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from chat.access import ChatAccess
from chat.memories.formation import form_all_awaiting
from chat.models import Message
from chat.turn.recall import open_memory, recall_step
from companion_site.accounts.models import Person
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope, write_scope
from memory.models import MemoryNode
from memory.student.recall import ranking
from tests.chat.talking import begin, say
from tests.factories import NOW, make_access
from tests.live import logged_in

pytestmark = pytest.mark.spec("C2")


@pytest.fixture
def ada(committed) -> ChatAccess:
    return make_access("ada")


@pytest.fixture
def told(ada) -> dict[str, UUID]:
    """What is remembered of two messages, by its words."""
    row = begin(ada)
    say(ada, row, "I took my sister Ebba to the museum in Lund.", answer="Lovely. What did she <like> best?")
    say(ada, row, "She loved the dinosaur skeletons. It was her first visit to a museum.")
    with unlocked(ada.space, ada.key):
        form_all_awaiting(ada.space, key=ada.key, now=NOW)
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        return {node.content: node.pk for node in MemoryNode.objects.for_space(ada.space).active()}


def passage_of(page: str) -> str:
    """Return the words of the passage that a page shows; "" for none."""
    found = re.search(r'<div class="fact__quote">(.*?)</div>', page, re.DOTALL)
    marked = found[1].replace("<mark>", "[").replace("</mark>", "]").replace("</p>", " ") if found else ""
    return " ".join(strip_tags(marked).split())


def test_a_memory_shows_where_it_was_said_and_what_stands_before(told):
    """In the message, and the two messages before that one; the words of the memory are marked."""
    browser = logged_in("ada")
    loved, first = "She loved the dinosaur skeletons.", "It was her first visit to a museum."
    pages = {text: browser.get(reverse("memory:memory", args=[told[text]])).content.decode() for text in told}
    took = "I took my sister Ebba to the museum in Lund."
    earlier = f"You: {took} Companion: Lovely. What did she &lt;like&gt; best? You:"
    assert passage_of(pages[loved]) == f"{earlier} [{loved}]"
    assert passage_of(pages[first]) == f"{earlier} {loved} [{first}]"
    assert passage_of(pages[took]) == ""
    known = " ".join(strip_tags(browser.get(reverse("memory:about_me")).content.decode()).split())
    assert "Companion: Lovely. What did she &lt;like&gt; best? You: She loved the dinosaur" in known


def test_what_speaks_of_danger_is_not_shown_before_something_else(ada):
    """Nor what answered it; what stands before it in its own message is."""
    row = begin(ada)
    say(ada, row, "I don't want to live anymore.", answer="Please call 116 111, they listen.")
    say(ada, row, "I went to see Mira. She gave me her blue scarf.")
    with unlocked(ada.space, ada.key):
        form_all_awaiting(ada.space, key=ada.key, now=NOW)
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        (scarf,) = (
            node for node in MemoryNode.objects.for_space(ada.space) if "scarf" in (node.content or "")
        )
    page = logged_in("ada").get(reverse("memory:memory", args=[scarf.pk])).content.decode()
    assert "116 111" not in page and "want to live" not in page
    assert passage_of(page) == "What you said: I went to see Mira. [She gave me her blue scarf.]"


def test_of_a_message_whose_words_are_gone_no_page_shows_any(told):
    """The memory keeps its own words; a stranger is told of neither."""
    with write_scope(Person.objects.get(username="ada").space_id):
        assert Message.objects.update(text=None, text_removed_at=timezone.now()) == 4
    address = reverse("memory:memory", args=[told["She loved the dinosaur skeletons."]])
    page = logged_in("ada").get(address).content.decode()
    assert "She loved the dinosaur skeletons." in page and passage_of(page) == ""
    make_access("eve")
    assert logged_in("eve").get(address).status_code == 404


def test_what_a_memory_points_back_at_is_told_with_its_meaning(ada, told, monkeypatch):
    """Though it was not called to mind itself: by its vector it is left out where its topic is avoided."""

    def recall_pointing(*asked, **given):
        return [memory for memory in ranking.recall(*asked, **given) if memory.before]

    monkeypatch.setattr("chat.turn.recall.recall", recall_pointing)
    asked = "What did my sister think of the dinosaur skeletons?"
    (vector,) = get_embedder().embed([asked])
    called = recall_step(ada, open_memory(ada), asked, vector=vector, now=NOW)
    before = {memory.text: memory.before for memory in called.recalled}
    assert before["She loved the dinosaur skeletons."] == "I took my sister Ebba to the museum in Lund."
    assert set(before.values()) <= called.vectors.keys()
