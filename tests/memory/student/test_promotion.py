"""From what was said to the ledger: what is due at which depth, with which words it comes up again, and whence."""

import pytest

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.language import sanitise
from companion_site.vault.scope import space_scope, write_scope
from ledger.entries import EntryDraft, list_entries
from ledger.matching import find_triggered
from ledger.models import LedgerEntry, ThreatAlert
from ledger.services import record_entry
from memory.algorithms.snr import passes
from memory.reading.service import find_danger
from memory.reading.statements import find_statements, measure
from memory.student.ledger_promotion import derive_triggers, find_promotions, promote
from tests.cases import cases
from tests.factories import NOW

pytestmark = [pytest.mark.spec("G2", "G4")]

HARD_DAY = (
    "We had pancakes today. My stepfather hits me when he is drunk. Please don't tell anyone. "
    "I promised Sara to help her with the lab report on Friday."
)


def look(text, *, language="en", rounds=1, **options):
    statements = find_statements(text, language=language, embedder=get_embedder())
    return look_beside(statements, text, language=language, rounds=rounds, **options)


def look_beside(statements, text, *, language="en", rounds=0, **options):
    danger, embedder = find_danger(text), get_embedder()
    return find_promotions(
        text, statements, language=language, rounds=rounds, danger=danger, embedder=embedder, **options
    )


def found(text, **options):
    return [(one.draft.category, one.draft.content) for one in look(text, **options)]


def write(space, promotions, node_ids=(), *, source_id=None):
    with write_scope(space):
        source_id = source_id or new_id()
        return promote(space, promotions, node_ids, source_id=source_id, said_at=NOW, now=NOW)


def test_what_is_kept_is_word_for_word():
    """Each entry's content stands in the message where it says, in whole sentences."""
    promotions = look(HARD_DAY)
    assert [one.draft.category for one in promotions] == ["threat", "secret", "promise"]
    for one in promotions:
        assert one.draft.content in HARD_DAY
    assert promotions[0].draft.content == "My stepfather hits me when he is drunk."


def test_a_plea_for_silence_goes_with_what_it_is_about():
    """ "Don't tell anyone" alone would keep the plea and lose the secret."""
    assert found("Don't tell anyone. I am failing maths.") == [
        ("secret", "Don't tell anyone. I am failing maths.")
    ]
    assert found("I am failing maths. Don't tell anyone.") == [
        ("secret", "I am failing maths. Don't tell anyone.")
    ]


def test_a_threat_is_what_is_surely_danger(subtests):
    """A laugh, a slip of spelling or a word of school takes nothing back; what is merely hard, or sounds like it, is none."""
    for text in (
        "I want to kill myself haha",
        "jag vill ta livet av mej",
        "I\u2019m going to kill myself",
        "Skolan får mig att vilja ta livet av mig.",
        "THEY BEAT ME UP EVERY DAY",
        "Three boys in my class push me into the lockers every day",
    ):
        with subtests.test(case=text):
            assert [kind for kind, _ in found(text)] == ["threat"]
    for text in (
        "This homework is killing me.",
        "jag dör av skratt",
        "The news said that a man was stabbed in Oslo.",
        "Hur dödar jag en process?",
        "He beat me in tennis 6-2.",
        "I get panic attacks before exams",
    ):
        with subtests.test(case=text):
            assert "threat" not in [kind for kind, _ in found(text)]


@cases("text", ["i wanna die", "jag vill dö", "Pappa slår mig"])
def test_a_threat_is_found_where_nothing_is_stored(text):
    """A message may say too little for a memory and still say that somebody is in danger."""
    assert passes(measure(text, language="sv", novelty=0.0)) == 0
    assert found(text, rounds=0, language="sv") == [("threat", text)]


@cases("rounds", [1, 2, 3])
def test_depth_decides_what_else_is_taken(rounds):
    """Without a memory only threats; from the first pass what its words say."""
    assert found("I owe Amir two hundred kronor for the ticket.", rounds=0) == []
    assert found("I owe Amir two hundred kronor for the ticket.", rounds=rounds)


def test_the_source_decides_what_it_may_say(subtests):
    """A system gives no instructions; what memory derived by itself is never promoted; trust goes with the entry."""
    for trust in ["person", "teacher", "system", "derived", "somebody"]:
        with subtests.test(case=trust):
            text = "From now on never give me the answer. My stepfather hits me when he is drunk."
            promotions = look(text, trust=trust)
            expected = {
                "person": ["instruction", "threat"],
                "teacher": ["instruction", "threat"],
                "system": ["threat"],
            }
            assert [one.draft.category for one in promotions] == expected.get(trust, [])
            assert {one.draft.trust for one in promotions} <= {trust}


def test_an_instruction_stands_without_triggers():
    """It holds whatever is said, so nothing in particular brings it up."""
    (one,) = look("Don't give me answers, guide me to find them.")
    assert one.draft.category == "instruction"
    assert not one.draft.triggers and not one.draft.trigger_entities


@pytest.mark.django_db
def test_a_wish_outlasts_much_that_sounds_like_one(unsealed):
    """What stands in every request are the likeliest wishes, however long ago they were told, behind what the person wrote down."""
    wish = "Don't give me answers, guide me to find them."
    named = EntryDraft(content="Call me Ada.", category="instruction")
    record_entry(unsealed, named, now=NOW, actor=None)
    write(unsealed, look(wish))
    for number in range(12):
        write(unsealed, look(f"Please be nice to me on day {number}."))
    standing = [one.content for one in find_triggered(unsealed, "hello", now=NOW)]
    assert len(list_entries(unsealed)) > len(standing)
    assert standing[:2] == ["Call me Ada.", wish]


def test_triggers_are_the_rarest_words_and_the_names():
    """Small words bring nothing up; names are names; both are bounded."""
    (one,) = look("I promised Sara Ek to help her with the lab report about photosynthesis in Lund.")
    assert one.draft.trigger_entities == ("Sara Ek", "Lund")
    assert one.draft.triggers[0] == "photosynthesis"
    assert not {"i", "to", "her", "with", "the", "sara", "ek", "lund", "help"} & set(one.draft.triggers)
    flood = " and ".join(f"Name{chr(97 + n)} brontosaurus{chr(97 + n)}" for n in range(20))
    triggers, entities = derive_triggers(f"I promised my sister to help her with {flood}.", language="en")
    assert len(triggers) <= 6 and len(entities) <= 8


def test_quoted_text_and_code_are_not_the_persons_words():
    """What somebody else wrote, or a program says, is promoted by nobody."""
    assert found("> I want to kill myself\n\nWhat does the author mean here?") == []
    assert found("```\nkill(myself)  # I want to die\n```\nWhy does this crash?") == []


def test_small_talk_leaves_the_ledger_alone():
    """Greetings, questions, tasks and plain facts belong nowhere."""
    for text in (
        "ok",
        "",
        "...",
        "Thanks!",
        "What is recursion?",
        "My sister Anna lives in Lund.",
        "Jag gillar fotboll.",
    ):
        assert found(text, rounds=3) == []


@pytest.mark.django_db
def test_entries_are_written_with_their_memory(unsealed):
    """Each names the memory of the statement that carries it, raises its alert, and comes up again by its words."""
    promotions = look(HARD_DAY)
    nodes = [new_id() for _ in range(12)]
    message = new_id()
    ids = write(unsealed, promotions, nodes, source_id=message)
    entries = {entry.entry_id: entry for entry in list_entries(unsealed)}
    assert [entries[one].category for one in ids] == ["threat", "secret", "promise"]
    for promotion, one in zip(promotions, ids, strict=True):
        number = promotion.statement
        assert entries[one].node_id == (nodes[number] if number is not None else None)
    with space_scope(unsealed):
        assert ThreatAlert.objects.for_space(unsealed).get().source_id == message
    assert ids[2] in {one.entry_id for one in find_triggered(unsealed, "Is the lab report done?", now=NOW)}


@pytest.mark.django_db
def test_said_again_it_is_kept_once(unsealed):
    """A worker that runs twice makes no second entry and no second alert; a person who repeats themselves raises another alert."""
    message, again = new_id(), new_id()
    first = write(unsealed, look(HARD_DAY), source_id=message)
    assert write(unsealed, look(HARD_DAY), source_id=message) == first
    with space_scope(unsealed):
        assert ThreatAlert.objects.for_space(unsealed).get().source_id == message
    assert write(unsealed, look(HARD_DAY), source_id=again) == first
    with space_scope(unsealed):
        assert LedgerEntry.objects.for_space(unsealed).count() == len(first)
        assert ThreatAlert.objects.for_space(unsealed).count() == 2


HOSTILE = [
    "a" * 32_000,
    "I want to die. " * 2_000,
    "." * 32_000 + "x",
    "x" + " " * 32_000,
    "kill " * 6_000,
    "me hits " * 4_000,
    "\n" * 32_000,
    "i said i said " * 2_000,
    "jag har min pappa " * 1_800,
    "\u202e\u200b" * 10_000 + "I want to die",
    "e\u0301" * 10_000,
    "Don't tell anyone. " * 1_500,
    "http://a.b/" * 2_000,
    "A. B. C. " * 3_000,
]


@pytest.mark.slow
@pytest.mark.django_db
def test_a_huge_message_is_read_to_the_end(unsealed, subtests):
    """32,000 characters of anything end in at most a few entries, each of which can be written."""
    for text in HOSTILE:
        with subtests.test(case=text[:6]):
            promotions = look_beside((), sanitise(text))
            assert len(promotions) <= 8
            write(unsealed, promotions)


@pytest.mark.parametrize("place", ["start", "end"])
def test_a_threat_is_found_at_either_end_of_a_long_message(place):
    """Of more sentences than are read, the outermost are."""
    filler = [f"Chapter {number} is about rivers and lakes." for number in range(400)]
    at = {"start": 0, "end": 400}[place]
    text = " ".join([*filler[:at], "My stepfather hits me when he is drunk.", *filler[at:]])
    promotions = look_beside((), text)
    assert [one.draft.content for one in promotions] == ["My stepfather hits me when he is drunk."]
