"""Who and what memories are about: told, told again, put right, forgotten and asked for."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from memory.models import EntityMention, MemoryNode
from memory.params import RECALL
from memory.student.corrections import correct_memory, forget_memory
from memory.student.entities import Known, load_entities, resolve
from memory.student.recall.ranking import recall
from memory.student.store import purge_space
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.sleep.sleeper import Sleeper

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G2")]

BROTHER = "My brother Noah plays the drums in a band in Lund."
LATER = NOW + timedelta(days=40)


@pytest.fixture
def known(memory, scoped):
    """Return what the space knows: kind, name and relation of each."""

    def read():
        return {(one.kind, one.name, one.relation) for one in scoped(lambda: load_entities(memory.space))}

    return read


def mentions_of(memory, scoped, name):
    rows = EntityMention.objects.for_space(memory.space).select_related("entity", "node")
    return [row for row in scoped(lambda: list(rows)) if row.entity.name == name]


def test_what_is_told_names_people_and_places(memory, known, scoped):
    """A sentence is about one, involves or takes place at others; each mention shows the words that name it."""
    memory.hear(BROTHER)
    assert ("person", "Noah", "brother") in known()
    assert ("place", "Lund", None) in known()
    (noah,) = mentions_of(memory, scoped, "Noah")
    assert noah.node.content[noah.start : noah.end] == "My brother Noah"
    assert noah.type == "ABOUT"
    memory.hear("We spent the whole summer in Gotland.")
    assert mentions_of(memory, scoped, "Gotland")[0].type == "LOCATED_AT"


@cases(
    ("text", "language", "who"),
    [
        (
            "My maths teacher is called Anders and he is quite strict.",
            "en",
            ("person", "Anders", "maths teacher"),
        ),
        ("Min bästa kompis heter Elin och hon är snäll mot alla.", "sv", ("person", "Elin", "bästa kompis")),
        ("Noah, my brother, plays in a band and is never at home.", "en", ("person", "Noah", "brother")),
    ],
)
def test_a_name_given_to_a_relation_is_one(memory, known, text, language, who):
    """ "X is called Y" and "Y, my X" speak of one."""
    memory.hear(text, language=language)
    assert [one for one in known() if one[0] == "person"] == [who]


def test_what_speaks_of_one_person_leads_on_to_each_other(memory):
    """Without an edge between the memories: by whom they mention. What speaks of somebody else does not."""
    memory.hear(BROTHER)
    memory.hear("Noah broke his arm on Friday.")
    memory.hear("My sister Vera collects old stamps.")
    held = memory.working_set()
    row_of = {node.text: row for row, node in enumerate(held.nodes)}
    together = held.adjacency[[row_of[BROTHER]], :].toarray()[0]
    assert together[row_of["Noah broke his arm on Friday."]] > 0.5
    assert together[row_of["My sister Vera collects old stamps."]] == 0


def test_one_person_is_one_in_whatever_words_and_language(memory, known):
    """ "my brother", "Noah", "noah" and "min bror" are one row."""
    memory.hear("My brother is three years older than me.")
    memory.hear(BROTHER)
    memory.hear("noah has bought a moped and drives it everywhere")
    memory.hear("Min bror ska börja jobba på en bilverkstad i höst.", language="sv")
    brothers = [one for one in known() if one[1] == "Noah" or one[2] in {"brother", "bror"}]
    assert brothers == [("person", "Noah", "brother")]


def test_what_another_calls_theirs_is_not_the_person_s(memory, known):
    """ "My dog" of somebody else who speaks is their dog, and asked for as theirs."""
    memory.hear("My dog Rufus is afraid of thunder.")
    (theirs,) = memory.hear("My dog sleeps in the bathtub every summer.", speaker="Mira")
    assert {one for one in known() if one[0] == "animal"} == {
        ("animal", "Rufus", "dog"),
        ("animal", None, "Mira's dog"),
    }
    assert theirs in [one.id for one in memory.recall("Where does Mira's dog sleep?")]


def test_two_of_the_same_name_stay_two(memory, known):
    """A cousin and a teacher of one name are told apart by what they are."""
    memory.hear("My cousin Anna lives in Oslo with two cats.")
    memory.hear("My teacher Anna gave me extra time for the essay.")
    assert len([one for one in known() if one[1] == "Anna"]) == 2


NEW, ONE, TWO = UUID(int=9), UUID(int=1), UUID(int=2)
NOAH, BROTHER_ALONE = Known(ONE, "person", "Noah", None), Known(ONE, "person", None, "brother")
COUSIN, TEACHER = (
    Known(ONE, "person", "Anna", "cousin", last=5),
    Known(TWO, "person", "Anna", "teacher", last=7),
)


@cases(
    ("named", "known", "meant"),
    [
        (("person", "noah", None), [NOAH], NOAH),
        (("person", "Noah Berg", "brother"), [NOAH], replace(NOAH, relation="brother")),
        (("person", "Noa", None), [NOAH], None),
        (("person", None, "bror"), [BROTHER_ALONE], BROTHER_ALONE),
        (("person", None, "little brother"), [BROTHER_ALONE], BROTHER_ALONE),
        (("person", None, "sister"), [BROTHER_ALONE], None),
        (("person", "Noah", "brother"), [BROTHER_ALONE], replace(NOAH, relation="brother")),
        (("person", "Elias", "brother"), [replace(NOAH, relation="brother")], None),
        (("person", "Anna", "teacher"), [COUSIN], None),
        (("person", "Anna", None), [COUSIN, TEACHER], TEACHER),
        (("person", "Anna", "kusin"), [COUSIN, TEACHER], COUSIN),
        (("place", "Alma", None), [Known(ONE, "animal", "Alma", "dog")], None),
        (
            ("person", "Alma", None),
            [Known(ONE, "animal", "Alma", "dog")],
            Known(ONE, "animal", "Alma", "dog"),
        ),
        (
            ("animal", "Alma", "dog"),
            [Known(ONE, "person", "Alma", None)],
            Known(ONE, "animal", "Alma", "dog"),
        ),
        (("animal", "Alma", "dog"), [Known(ONE, "person", "Alma", "aunt")], None),
        (("person", None, "Miras syster"), [Known(ONE, "person", None, "Mira's sister")], ONE),
        (("person", None, "Noah's sister"), [Known(ONE, "person", None, "Mira's sister")], None),
        (("person", None, "sister"), [Known(ONE, "person", None, "Mira's sister")], None),
        (("animal", None, "their dog"), [Known(ONE, "animal", None, "dog")], None),
        (("animal", "Max", "dog"), [Known(ONE, "animal", None, "their dog")], None),
    ],
)
def test_whom_a_name_or_a_relation_means(named, known, meant):
    """Names in any case and by their first part, relations in either language and by whose they are; of two the one spoken of last."""
    found = resolve(Known(NEW, *named), known)
    assert found == meant if isinstance(meant, Known) else found.id == (meant or NEW)


@cases(
    "text",
    [
        "Oh my God, Monday was a total mess and I was so tired in March.",
        "My head hurts and it is all my own fault, I never sleep.",
        "I REALLY HATE HOMEWORK AND I NEVER HAVE TIME FOR ANYTHING ELSE",
    ],
)
def test_not_everything_with_a_capital_or_a_possessive_is_something(memory, known, text):
    """Months, days, body parts, faults and shouting name nobody."""
    memory.hear(text)
    assert [one for one in known() if one[0] in {"person", "animal", "place", "organisation"}] == []


def test_whom_a_question_names_brings_what_calls_them_otherwise(memory):
    """Asked about "my brother", what calls him Noah alone comes too, from the other language as well: the ranking alone did not bring it."""
    memory.hear(BROTHER)
    (fear,) = memory.hear("Noah is terribly afraid of spiders.")
    for text in ("I have chemistry on Tuesdays.", "Mira's dog Bosse ate my shoe.", "I like rainy mornings."):
        memory.hear(text)

    def found(question, named):
        (vector,) = memory.embedder.embed([question])
        params = replace(RECALL, seeds=1, connected=0, named=named)
        called = recall(
            memory.working_set(), question, vector=vector, embedder=memory.embedder, now=LATER, params=params
        )
        return {one.id for one in called}

    for question in (
        "Which band does my brother play the drums in?",
        "Vilket band spelar min bror trummor i?",
    ):
        assert fear not in found(question, 0) and fear in found(question, 4)


def test_whom_memories_were_about_stays_through_sleep(memory, ada, scoped):
    """What sleep makes of memories speaks of whom they spoke of, as far as its words still name them."""
    nodes = [*memory.hear(BROTHER), *memory.hear("My brother Noah plays the drums every single evening.")]
    text, sleeper = "My brother Noah plays the drums.\nHe is in a band in Lund.", Sleeper(ada)
    sleeper.write([sleeper.insight(nodes, text)])
    (insight,) = sleeper.nodes(trust="derived")
    spoken = mentions_of(memory, scoped, "Noah")
    (mention,) = [one for one in spoken if one.node_id == insight]
    assert text[mention.start : mention.end] == "My brother Noah"
    assert insight in [one.id for one in memory.recall("What does my brother play?")]


def test_a_memory_tells_who_it_calls_by_name(memory):
    """What names Noah alone says that he is the brother; what says so itself does not say it twice."""
    (told,) = memory.hear(BROTHER)
    (moped,) = memory.hear("Noah has bought a red moped and drives it everywhere.")
    found = {one.id: one.who for one in memory.recall("What does my brother drive?")}
    assert found[moped] == ("Noah: brother",) and found[told] == ()


def test_the_same_message_twice_names_nobody_twice(memory, known, scoped):
    """A repetition adds neither an entity nor a mention."""
    memory.hear(BROTHER)
    before = known(), scoped(EntityMention.objects.for_space(memory.space).count)
    memory.hear(BROTHER)
    assert (known(), scoped(EntityMention.objects.for_space(memory.space).count)) == before


def test_a_correction_names_anew(memory, ada, known, scoped):
    """The words that were put right name whom they name; the old ones are history."""
    (node,) = memory.hear("My best friend Elin moved to Malmö last week.")
    newer = correct_memory(
        memory.space,
        node,
        text="My best friend Elin moved to Ystad last week.",
        embedder=memory.embedder,
        now=NOW,
        actor=ada.person,
    )
    assert ("place", "Ystad", None) in known()
    assert {row.node_id for row in mentions_of(memory, scoped, "Elin")} == {node, newer}


def test_a_name_goes_with_the_last_words_that_had_it(memory, ada, known, scoped):
    """Once a forgotten memory's words are gone for good, nobody finds its names either; who is spoken of elsewhere stays."""
    (secret,) = memory.hear("My aunt Berit gave me a bicycle in Lund.")
    memory.hear("I go to school in Lund by train every day.")
    forget_memory(memory.space, secret, now=NOW, actor=ada.person)
    purge_space(memory.space, now=LATER)
    assert [one for one in known() if one[1] == "Berit"] == []
    assert ("place", "Lund", None) in known()
    assert scoped(MemoryNode.objects.for_space(memory.space).filter(pk=secret, content__isnull=True).exists)


def test_danger_names_nobody(memory, known):
    """Nobody is known by what was said of danger."""
    memory.hear("My uncle Roland hits me and I am afraid to go home.")
    assert [one for one in known() if one[1] == "Roland"] == []
