"""Asked how something was before, the companion has what another memory took the place of; otherwise only what holds."""

from datetime import datetime, timedelta

import pytest

from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.models import MemoryNode, MemorySource
from memory.student.corrections import forget_memory
from memory.student.life.wishes import change_wishes
from memory.student.recall.history import find_replaced
from tests.chat.talking import change_rows, prompt, remember, reply, rows, talk
from tests.factories import NOW, make_access

pytestmark = pytest.mark.spec("G8")

MONTH = timedelta(days=30)
PAINTER, BAKER, SAILOR = (
    "My uncle Gustav works as a painter",
    "My uncle Gustav works as a baker",
    "My uncle Gustav works as a sailor",
)
BEFORE = "What did my uncle Gustav work as before?"
NOW_ASKED = "What does my uncle Gustav work as?"


def node_of(access, text: str) -> MemoryNode:
    with access.open():
        return next(node for node in rows(access, MemoryNode) if node.content == text)


def take_place(access, old: str, new: str, *, at: datetime) -> None:
    """Have one memory take the place of another, as a settled contradiction does."""
    with write_scope(access.space):
        MemoryNode.objects.for_space(access.space).filter(pk=node_of(access, old).pk).update(
            superseded_at=at, superseded_by=node_of(access, new), version=bump_version(access.space)
        )


@pytest.fixture
def changed(ada):
    """A painter who became a baker ten days ago."""
    remember(ada, PAINTER, at=NOW - 2 * MONTH)
    remember(ada, BAKER, at=NOW - timedelta(days=10))
    take_place(ada, PAINTER, BAKER, at=NOW - timedelta(days=10))
    return ada


def test_a_model_reads_how_it_was_where_that_is_asked_for(changed, listening):
    """Marked with the day until which it was so, under the day it was said; what holds stands beside it unmarked. "What was it before?" leans on what was asked."""
    was = f'- "{PAINTER}" [was so until 2026-02-20]'
    for texts in ((BEFORE,), (NOW_ASKED, "And what was it before?")):
        talk(changed, *texts)
        lines = prompt(listening).splitlines()
        assert was in lines and f'- "{BAKER}"' in lines
    talk(changed, NOW_ASKED)
    assert BAKER in prompt(listening) and "painter" not in prompt(listening)


def test_without_a_model_the_answer_is_what_was_so(changed):
    """With the day it was said and until when it was so, in Swedish as well; asked how it is, what holds answers."""
    said = reply(changed, BEFORE)
    assert PAINTER in said and "That was so until Friday 20 February." in said and "baker" not in said
    said = reply(changed, NOW_ASKED)
    assert BAKER in said and "painter" not in said
    elsa = make_access("elsa", language="sv")
    earlier, later = "Min farbror Gustav jobbar som målare", "Min farbror Gustav jobbar som bagare"
    remember(elsa, earlier, at=NOW - 2 * MONTH, language="sv")
    remember(elsa, later, at=NOW - timedelta(days=10), language="sv")
    take_place(elsa, earlier, later, at=NOW - timedelta(days=10))
    said = reply(elsa, "Vad jobbade min farbror Gustav som förut?")
    assert earlier in said and "Så var det till fredag 20 februari." in said and "bagare" not in said


def test_history_is_followed_back(changed):
    """Of three in a row both that do not hold are found, the last replaced first, by the one that holds."""
    remember(changed, SAILOR, at=NOW - timedelta(days=2))
    take_place(changed, BAKER, SAILOR, at=NOW - timedelta(days=2))
    holds = node_of(changed, SAILOR).pk
    with space_scope(changed.space), changed.open():
        found = find_replaced(changed.space, [holds])
    assert [(one.memory.text, one.by) for one in found] == [(BAKER, holds), (PAINTER, holds)]


@pytest.mark.parametrize("how", ["forgotten", "reworded", "danger", "avoided", "both forgotten"])
def test_what_is_not_to_be_told_is_no_history(changed, listening, how):
    """What was forgotten, only put in other words, speaks of danger, or is about a topic to avoid."""
    old, new = node_of(changed, PAINTER), node_of(changed, BAKER)
    if how == "reworded":
        (source,) = rows(changed, MemorySource, node=new)
        change_rows(changed, MemorySource, {"node": old}, source_id=source.source_id)
    if how == "danger":
        change_rows(changed, MemoryNode, {"pk": old.pk}, of_danger=True)
    if how == "forgotten":
        change_rows(changed, MemoryNode, {"pk": old.pk}, removed_at=NOW)
    with changed.open():
        if how == "avoided":
            change_wishes(changed.space, now=NOW, avoid=["painter"])
        if how == "both forgotten":
            forget_memory(changed.space, new.pk, now=NOW, actor=changed.person)
    talk(changed, BEFORE)
    assert (BAKER in prompt(listening)) == (how != "both forgotten")
    assert "works as a painter" not in prompt(listening)
