"""Single memories and the timeline: what is told of each, forgetting, putting right, and undoing both."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from companion_site.audit.services import find_breaks
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from memory.models import MemoryChange, MemoryEdge, MemoryNode
from memory.student.corrections import correct_memory, forget_memory
from memory.student.undo import undo_change
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.pages.conftest import node, remember

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G13")]
LATER = NOW + timedelta(days=1)


@pytest.fixture
def believed(ada, sets):
    """What Ada's memory finds now, by a process that has looked before."""
    embedder = get_embedder()

    def words():
        with unlocked(ada.space, ada.key):
            held = sets.get(ada.space, model=embedder.model, dimension=embedder.dimension)
            return sorted(one.text for one in held.nodes if one.alive)

    return words


def correct(access, node_id, text, *, now=LATER):
    with unlocked(access.space, access.key):
        return correct_memory(
            access.space, node_id, text=text, embedder=get_embedder(), now=now, actor=access.person
        )


def last_change(scoped, access):
    return scoped(lambda: MemoryChange.objects.for_space(access.space).order_by("-id").first())


def test_the_timeline_tells_day_by_day(ada, browser):
    """The newest day first, each memory with its kind, how sure it is in words, and where it was said."""
    (first,) = remember(ada, "I live in Lund", confidence=0.4)
    remember(ada, "My cat is Moses", at=NOW + timedelta(days=2))
    page = browser.get(reverse("memory:history")).content.decode()
    assert page.index("Wednesday 4 March 2026") < page.index("Monday 2 March 2026")
    own = page[page.index(f'id="memory-{first}"') :]
    assert "I live in Lund" in own and "not sure" in own and "Fact" in own
    assert re.search(r'href="/chat/[0-9a-f-]{36}/\?at=[0-9a-f-]{36}#message-[0-9a-f-]{36}"', own)


def test_the_timeline_has_pages(ada, browser):
    """Forty on a page; each memory stands on exactly one."""
    made = remember(ada, *[f"Number {number} is lucky" for number in range(45)])
    found = [
        found_id
        for page in (1, 2)
        for found_id in re.findall(
            r'id="memory-([0-9a-f-]{36})"',
            browser.get(reverse("memory:history"), {"page": page}).content.decode(),
        )
    ]
    assert sorted(found) == sorted(map(str, made))


def test_forgetting_takes_effect_at_once_and_can_be_undone(ada, browser, believed):
    """The memory is found no more; undone, it is as before. Both are on record."""
    _, gone = remember(ada, "I live in Lund", "My cat is Moses")
    assert believed() == ["I live in Lund", "My cat is Moses"]
    answer = browser.post(reverse("memory:forget", args=[gone]), follow=True)
    assert "Forgotten" in answer.content.decode() and believed() == ["I live in Lund"]
    row = node(ada, gone)
    assert row.content_until - row.removed_at == timedelta(days=30)
    undo = re.search(r'action="(/memory/changes/[0-9a-f-]{36}/undo/)"', answer.content.decode())[1]
    answer = browser.post(undo, {"back": reverse("memory:history")})
    assert answer.url == reverse("memory:history")
    assert believed() == ["I live in Lund", "My cat is Moses"]
    assert node(ada, gone).content_until is None and list(find_breaks()) == []


def test_what_is_put_right_takes_the_place_of_the_old(ada, browser, believed, scoped):
    """The new words are the person's own, hang where the old ones hung, and the old ones stay as history."""
    old, cat = remember(ada, "I live in Lund", "My cat is Moses")
    answer = browser.post(reverse("memory:correct", args=[old]), {"text": "I live in  Malmö \n"}, follow=True)
    page = answer.content.decode()
    assert "I live in Malmö" in page and "I live in Lund" in page and "Written by you" in page
    assert believed() == ["I live in Malmö", "My cat is Moses"]
    new = node(ada, old).superseded_by_id
    assert node(ada, new).trust == MemoryNode.Trust.PERSON
    edges = scoped(lambda: set(MemoryEdge.objects.for_space(ada.space).values_list("source_id", "target_id")))
    assert (new, cat) in edges
    timeline = browser.get(reverse("memory:history")).content.decode()
    assert "Replaces:" in timeline and "Replaced by:" in timeline


def test_putting_right_can_be_undone(ada, believed, scoped):
    """The old words hold again and the new ones are gone; a second time changes nothing."""
    (old,) = remember(ada, "I live in Lund")
    correct(ada, old, "I live in Malmö")
    change = last_change(scoped, ada)
    with unlocked(ada.space, ada.key):
        for _ in range(2):
            undo_change(ada.space, change.pk, now=LATER, actor=ada.person)
    assert believed() == ["I live in Lund"]


def test_words_that_are_believed_already_are_not_written_twice(ada, believed, scoped):
    """Put right to what another memory says, the other takes the place; undone, both hold."""
    old, other = remember(ada, "I live in Lund", "I live in Malmö")
    assert correct(ada, old, "i live in malmö") == other
    assert believed() == ["I live in Malmö"]
    with unlocked(ada.space, ada.key):
        undo_change(ada.space, last_change(scoped, ada).pk, now=LATER, actor=ada.person)
    assert believed() == ["I live in Lund", "I live in Malmö"]


def test_changes_are_taken_back_in_order(ada, browser, scoped):
    """What was built on by a later correction cannot be undone before it; the page says so and nothing changes."""
    (first,) = remember(ada, "I live in Lund")
    second = correct(ada, first, "I live in Malmö")
    change = last_change(scoped, ada)
    correct(ada, second, "I live in Ystad")
    answer = browser.post(reverse("memory:undo", args=[change.pk]))
    assert answer.status_code == 409 and "Take that back first" in answer.content.decode()
    assert node(ada, first).superseded_by_id == second


@cases("taken", ["old", "new"])
def test_what_a_clean_up_took_since_is_had_back_from_the_clean_up_first(ada, browser, scoped, taken):
    """Neither may the old words hold beside their own pruning, nor beside what the new ones were merged into."""
    (old,) = remember(ada, "I live in Lund")
    new = correct(ada, old, "I live in Malmö")
    (merged,) = remember(ada, "I live in Malmö now", at=LATER)
    change = last_change(scoped, ada)
    row = node(ada, old if taken == "old" else new)
    row.removed_at, row.merged_into_id = LATER, None if taken == "old" else merged
    scoped(lambda: row.save(update_fields=["removed_at", "merged_into"]))
    answer = browser.post(reverse("memory:undo", args=[change.pk]))
    assert answer.status_code == 409 and "Take that back first" in answer.content.decode()
    assert node(ada, old).superseded_by_id == new


def test_what_was_said_again_meanwhile_is_not_brought_back_twice(ada, browser, scoped):
    """The same words formed anew: undoing the forgetting is refused in words."""
    (gone,) = remember(ada, "I live in Lund")
    with unlocked(ada.space, ada.key):
        forget_memory(ada.space, gone, now=NOW, actor=ada.person)
    remember(ada, "I live in Lund", at=LATER)
    answer = browser.post(reverse("memory:undo", args=[last_change(scoped, ada).pk]))
    assert answer.status_code == 409 and "remembered again already" in answer.content.decode()


@cases("text", ["", "  \n", "x" * 1001, "I LIVE in lund.", "\u200b"])
def test_words_that_put_nothing_right_are_refused(ada, browser, text):
    """None, too many, the same ones, or invisible ones: the form says what is wrong and nothing changes."""
    (old,) = remember(ada, "I live in Lund")
    answer = browser.post(reverse("memory:correct", args=[old]), {"text": text})
    assert answer.status_code == 400 and "field__errors" in answer.content.decode()
    assert node(ada, old).superseded_at is None


def test_what_is_not_held_is_not_changed(ada, browser):
    """A forgotten memory can be neither forgotten nor put right; its page offers neither."""
    (gone,) = remember(ada, "I live in Lund")
    browser.post(reverse("memory:forget", args=[gone]))
    for name, given in (("memory:forget", {}), ("memory:correct", {"text": "I live in Malmö"})):
        assert browser.post(reverse(name, args=[gone]), given).status_code == 409
    page = browser.get(reverse("memory:memory", args=[gone])).content.decode()
    assert reverse("memory:forget", args=[gone]) not in page and "Undo" in page


def test_a_memory_whose_words_are_gone_is_an_outline(ada, browser, scoped):
    """After the days of grace the page shows that there was something, and nothing breaks."""
    (gone,) = remember(ada, "I live in Lund")
    with unlocked(ada.space, ada.key):
        forget_memory(ada.space, gone, now=NOW, actor=ada.person)
    scoped(
        lambda: (
            MemoryNode.objects.for_space(ada.space).filter(pk=gone).update(content=None, content_until=None)
        )
    )
    for page in (
        reverse("memory:memory", args=[gone]),
        reverse("memory:history"),
        reverse("memory:about_me") + "?view=picture&history=on",
    ):
        answer = browser.get(page)
        assert answer.status_code == 200 and "Lund" not in answer.content.decode()
