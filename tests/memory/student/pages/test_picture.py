"""How the picture is put together: the heaviest of many, the same places while one is there, nothing kept after."""

import gc
from datetime import timedelta
from weakref import ref

import numpy as np
import pytest
from django.urls import reverse

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault import unlocked
from memory.models import MemoryNode, MemoryVector
from memory.student.pages import picture as pictures
from memory.student.pages.filters import GraphFilter
from memory.student.pages.graph_page import draw_svg
from memory.student.pages.picture import HUB_RADIUS, draw_picture
from memory.student.workingset import working_sets
from tests.factories import NOW
from tests.memory.student.drafts import make_node
from tests.memory.student.pages.conftest import PICTURE, remember, see

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G13")]
MANY = 1_600


def draw(access, asked=None, *, now=NOW):
    with unlocked(access.space, access.key):
        return draw_picture(access.space, asked or GraphFilter(), now=now)


def at(picture):
    """Return where each memory stands."""
    return {dot.memory.id: (dot.x, dot.y) for dot in picture.dots}


def test_size_is_gravity_as_it_is_now(ada):
    """What is heavier is larger, and fades as time goes by; formed alike, drawn alike."""
    heavy, faint = (
        remember(ada, text, salience=salience)[0] for text, salience in (("Heavy", 0.9), ("Faint", 0.2))
    )
    sizes = {dot.memory.id: dot.radius for dot in draw(ada).dots}
    later = {dot.memory.id: dot.radius for dot in draw(ada, now=NOW + timedelta(days=14)).dots}
    assert sizes[heavy] > sizes[faint] and later[heavy] < sizes[heavy]


def test_nothing_of_the_picture_is_kept_after_the_log_out(ada, browser):
    """Places live and go with the working set."""
    remember(ada, "I know a river")
    browser.get(PICTURE)
    embedder = get_embedder()
    with unlocked(ada.space, ada.key):
        held = working_sets.get(ada.space, model=embedder.model, dimension=embedder.dimension)
    assert held in pictures._kept
    gone, count = ref(held), len(pictures._kept)
    del held
    browser.post(reverse("accounts:logout"))
    gc.collect()
    assert gone() is None and len(pictures._kept) == count - 1


def test_what_was_replaced_stands_beside_what_replaced_it(ada, browser):
    """Asked for history, the old memory is drawn near the new one, marked as past."""
    remember(ada, *[f"I know {number} rivers" for number in range(20)])
    (old,) = remember(ada, "I live in Lund")
    browser.post(reverse("memory:correct", args=[old]), {"text": "I live in Malmö"})
    assert old not in {dot.memory.id for dot in draw(ada).dots if dot.seen}
    picture = draw(ada, GraphFilter(history=True))
    found = at(picture)
    new = next(dot.memory for dot in picture.dots if dot.memory.text == "I live in Malmö")
    assert new.replaces == [old]
    gaps = {node: np.hypot(*np.subtract(found[old], place)) for node, place in found.items() if node != old}
    assert gaps[new.id] <= sorted(gaps.values())[3]
    page = see(browser, **{"history": "on"}).content.decode()
    assert page.count("dot--past") == 1


def test_of_very_many_the_heaviest_are_drawn_and_it_is_said(ada, browser, scoped):
    """The picture holds 1,500; the page says of how many, and the list and the search have all."""
    dimension = get_embedder().dimension
    rng = np.random.default_rng(1)
    nodes = [
        make_node(ada.space, f"Fact {number}", id=new_id(), gravity=0.2 + 0.5 * number / MANY)
        for number in range(MANY)
    ]
    vectors = rng.normal(size=(MANY, dimension)).astype(np.float32)
    scoped(lambda: MemoryNode.objects.bulk_create(nodes))
    scoped(
        lambda: MemoryVector.objects.bulk_create(
            MemoryVector(
                space_id=ada.space, node=node, model=get_embedder().model, dimension=dimension, vector=vector
            )
            for node, vector in zip(nodes, vectors, strict=True)
        )
    )
    answer = browser.get(PICTURE)
    page = answer.content.decode()
    assert (
        "the 1500 heaviest of 1600 memories" in page
        and page.count('class="dot dot--semantic" data-row') == 1500
    )
    assert {dot.memory.id for dot in answer.context["picture"].dots} == {node.pk for node in nodes[100:]}
    assert answer.context["page"].paginator.count == MANY
    found = see(browser, **{"q": "fact 7"}).context["picture"]
    assert nodes[7].pk in {dot.memory.id for dot in found.dots}


def test_memories_about_the_same_hang_on_a_hub(ada):
    """Who several memories are about stands among them with a name, joined with each, and covers none."""
    ids = remember(
        ada,
        "My brother Noah plays the drums",
        "Noah has bought a moped",
        "I like quiet music",
        "Noah lives in Lund",
    )
    picture = draw(ada)
    (noah,) = [hub for hub in picture.hubs if hub.subject.name == "Noah"]
    assert {picture.dots[row].memory.id for row in noah.dots} == {ids[0], ids[1], ids[3]}
    assert all(
        (dot.x - noah.x) ** 2 + (dot.y - noah.y) ** 2 >= (dot.radius + HUB_RADIUS) ** 2
        for dot in picture.dots
    )
    drawn = str(draw_svg(picture, described_by="title"))
    assert ">Noah</text>" in drawn and f'data-hub="{",".join(map(str, noah.dots))}"' in drawn
