"""What sleep did can be taken back in one click, one change at a time, and leaves everything as it was."""

from datetime import timedelta

import pytest

from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import MemorySource
from memory.student.corrections import correct_memory
from memory.student.errors import CannotUndo
from memory.student.sleep.selectors import read_items
from memory.student.store import refresh_strength
from memory.student.undo import undo_change
from tests.factories import make_access
from tests.memory.student.kept import dense
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES, NIGHT, Sleeper
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.spec("I2", "AC-2.1.7")]

DAY = timedelta(days=1)
CAT = "The kitten Moses is two years old\nMoses sleeps on the radiator"


@pytest.fixture
def told(ada) -> tuple[list, list]:
    """Two sessions with edges within and between them."""
    cat, ball = ada.say(MOSES, edges=dense(3)), ada.say(HANDBALL, edges=dense(3, 0.7))
    ada.join(cat[0], ball[1], 0.45)
    ada.join(cat[2], ball[1], 0.4)
    ada.join(cat[1], cat[0], 0.5, "SUPPORTS")
    with space_scope(ada.space):
        refresh_strength(ada.space, [*cat, *ball])
    return cat, ball


@pytest.mark.spec("AC-2.1.2", "AC-2.1.3")
def test_an_insight_takes_the_place_of_what_it_covers(ada, told):
    """One long-term memory with all sources and edges; of each member a tombstone that says what it became."""
    cat, ball = told
    written = ada.write([ada.insight(cat, CAT)], kept={ball[0]: "strengths"}, let_go=ball[1:2], left=ball[2:])
    assert (written.created, written.covered, written.kept, written.let_go, written.left) == (1, 3, 1, 1, 1)
    active = ada.active()
    (made,) = set(active) - set(ball)
    row = ada.nodes(pk=made)[made]
    assert (active[made], row.tier, row.category, row.trust) == (CAT, "long_term", "background", "derived")
    assert (row.confidence, row.slept_over_at, row.expires_at) == (0.8, NIGHT, None)
    tombs = ada.nodes(pk__in=cat)
    assert {(t.removed_at, t.merged_into_id, t.content_until) for t in tombs.values()} == {
        (NIGHT, made, NIGHT + 30 * DAY)
    }
    rest = ada.nodes(pk__in=ball)
    assert [(r.tier, r.category, r.slept_over_at, r.expires_at, r.sleep_tries) for r in rest.values()] == [
        ("long_term", "strengths", NIGHT, None, 0),
        ("short_term", "", NIGHT, NIGHT + 30 * DAY, 0),
        ("short_term", "", None, None, 1),
    ]
    look = ada.look()
    between = [edge for edge in look["edges"] if made in edge[:2]]
    assert between == [(made, ball[1], "RELATES_TO", 0.45, NIGHT)]
    assert not [edge for edge in look["edges"] if set(edge[:2]) & set(cat)]
    with space_scope(ada.space):
        sources = MemorySource.objects.for_space(ada.space)
        assert sources.filter(node_id=made).count() == sources.filter(node_id__in=cat).count() == 3


def test_undoing_everything_brings_back_exactly_what_was_there(ada, told):
    """In whichever order: words, numbers, marks, edges, sources and vectors; of the insight a tombstone is left."""
    cat, ball = told
    before = ada.look()
    ada.write(
        [ada.insight(cat, CAT), ada.insight(ball[:2], "Handball on Tuesdays with Berit")], let_go=ball[2:]
    )
    made = {pk for pk, row in ada.nodes().items() if row.trust == "derived"}
    changes = ada.changes("consolidated")
    assert [change.reason for change in changes] == ["covered", "covered", "let_go"]
    for change in changes:
        assert ada.restore(change).undone_at == NIGHT
    after = ada.look()
    for part, at_id in (("nodes", 1), ("vectors", 0), ("sources", 0)):
        assert [row for row in after[part] if row[at_id] not in made] == before[part]
    assert after["edges"] == before["edges"]
    assert made.isdisjoint(ada.active())


def test_an_insight_that_was_renewed_is_undone_from_the_end(ada, told):
    """The later change first; then the earlier one comes back as exactly as if nothing had followed."""
    cat, ball = told
    before = ada.look()
    ada.write([ada.insight(cat, CAT)])
    first = ada.changes("consolidated")[0]
    (made,) = (pk for pk, text in ada.active().items() if text == CAT)
    written = ada.write([ada.insight([made, ball[0]], CAT + "\nHandball on Tuesdays")], now=NIGHT + DAY)
    assert (written.created, written.updated, written.covered) == (0, 1, 1)
    with refused(CannotUndo, "change-buried"):
        ada.restore(first)
    ada.restore(ada.changes("consolidated")[1], now=NIGHT + DAY)
    assert ada.nodes(pk=made)[made].slept_over_at == NIGHT
    ada.restore(first, now=NIGHT + DAY)
    assert ada.look()["edges"] == before["edges"]
    assert set(ada.active()) == {*cat, *ball}


def test_what_the_person_took_apart_stays_word_for_word(ada, told):
    """The next sleep reads it as what must not be changed, so that it does not undo the undoing."""
    cat, _ = told
    ada.write([ada.insight(cat, CAT)])
    ada.restore(ada.changes("consolidated")[0])
    assert fixed(ada) == set(cat)


def test_what_the_person_put_right_stays_word_for_word(ada, told):
    """Also where the words they wrote were believed already; taken back, nothing is fixed any more."""
    cat, ball = told
    access = make_access("editor")
    with unlocked(ada.space, ada.key):
        for old, words in ((cat[0], "My kitten is called Mose"), (ball[0], HANDBALL[1])):
            correct_memory(
                ada.space, old, text=words, embedder=get_embedder(), now=NIGHT, actor=access.person
            )
    assert {ada.active()[pk] for pk in fixed(ada)} == {"My kitten is called Mose", HANDBALL[1]}
    with unlocked(ada.space, ada.key):
        for change in ada.changes("corrected"):
            undo_change(ada.space, change.pk, now=NIGHT, actor=access.person)
    assert fixed(ada) == set()


def test_undoing_plans_the_sleep_that_looks_at_it_again(ada, told):
    """What is to be slept over again is not left to whenever something new is said; a plan that stands is not moved."""
    cat, ball = told
    ada.write([ada.insight(cat, CAT)], let_go=ball)
    covered, let_go = ada.changes("consolidated")
    assert ada.next_sleep_at() is None
    ada.restore(covered, now=NIGHT + DAY)
    assert ada.next_sleep_at() == NIGHT + DAY + timedelta(hours=4)
    ada.restore(let_go, now=NIGHT + DAY + timedelta(hours=1))
    assert ada.next_sleep_at() == NIGHT + DAY + timedelta(hours=4)
    (run,) = ada.sleep_through(now=NIGHT + DAY + timedelta(hours=4))
    assert (run.processed, set(ada.active())) == (6, {*cat, *ball}) and ada.next_sleep_at() is None


def fixed(ada: Sleeper) -> set:
    """Return what sleep reads as what must not be changed."""
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        items = read_items(ada.space, list(ada.active()), model=ada.model, now=NIGHT)
    return {pk for pk, item in items.items() if item.fixed}


def test_what_says_the_same_as_another_memory_is_kept_instead(ada, told):
    """Two believed memories never have the same words: the members stay as they are, in long-term memory."""
    cat, ball = told
    (there,) = ada.say([CAT])
    written = ada.write([ada.insight(cat, CAT), ada.insight(ball[:2], "Ball"), ada.insight(ball[2:], "Ball")])
    assert (written.created, written.covered, written.kept) == (1, 2, 4)
    rows = ada.nodes(pk__in=[*cat, *ball[2:]])
    assert {(row.tier, row.removed_at) for row in rows.values()} == {("long_term", None)}
    assert there in ada.active()


@pytest.mark.spec("I3", "AC-2.1.4")
def test_who_the_person_is_never_goes(ada):
    """However far above its bound a memory is, compression leaves the background alone and drops what else there is."""
    about = ["I am Ada", "I am in year nine", "My brother is called Nils"]
    other = ["The bus was late", "It rained in Lund", "The soup was cold"]
    basic, rest = ada.say(about, salience=0.01), ada.say(other, salience=0.02)
    ada.write(kept=dict.fromkeys(basic, "background") | dict.fromkeys(rest, "goals"))
    ada.compress(now=NIGHT + 400 * DAY, max_nodes=1)
    words = "\n".join(ada.active().values())
    assert all(text in words for text in about)
    assert not any(text in words for text in other)
