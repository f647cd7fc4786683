"""A whole memory goes into one file, and comes back whole: nothing lost, nothing twice, and of a bad file nothing at all."""

import json
import re
import tracemalloc
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from chat import services
from chat.memories.copy import begin_copy
from chat.memories.formation import form_all_awaiting
from companion_site.accounts.access import Access
from companion_site.accounts.tokens import Scope
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from ledger.models import LedgerEntry
from memory.models import Goal, GoalNote, MemoryNode
from memory.reembedding import awaits_reembedding
from memory.reembedding.space import reembed
from memory.student.copies.exporter import BATCH
from memory.student.copies.importer import CopyRefused, take_in
from memory.student.copies.tables import QUOTE, TABLES
from memory.student.corrections import correct_memory, forget_memory
from memory.student.life.journals import write_note
from memory.student.life.kinds import GRATITUDE
from memory.student.life.moods import tell_mood
from memory.student.undo import undo_change
from tests.api.conftest import make_program
from tests.chat.talking import begin, rows, say, tell
from tests.factories import NOW, make_access
from tests.live import logged_in
from tests.memory.student.drafts import make_node
from tests.refusals import refused

pytestmark = pytest.mark.spec("C2")

SAID = (
    "I live in Lund with my aunt Karin.",
    "My exam in organic chemistry is on 3 June.",
    "My exam in organic chemistry is on 5 June now.",
    "Always answer me in short sentences, please.",
    "I take Ritalin every morning.",
    "I play the violin.",
)


def lived(name: str):
    """Return somebody who has said things, corrected and forgotten some, and has a goal."""
    access = make_access(name)
    row = begin(access)
    for text in SAID:
        say(access, row, text)
        form_all_awaiting(access.space, key=access.key, now=NOW)
    with access.open():
        lund, violin = node(access, "Lund"), node(access, "violin")
        words = {"embedder": get_embedder(), "now": NOW, "actor": access.person}
        correct_memory(access.space, lund, text="I live in Malmö with my aunt Karin.", **words)
        forget_memory(access.space, violin, now=NOW, actor=access.person)
        write_note(access.space, GRATITUDE, "the tea", now=NOW)
        tell_mood(access.space, emotion="anxiety", intensity="low", note="the exam", now=NOW)
        with space_scope(access.space):
            goal = Goal.objects.create(
                space_id=access.space, text="Read more", origin="person", created_at=NOW, updated_at=NOW
            )
            GoalNote.objects.create(space_id=access.space, goal=goal, text="Ten pages", at=NOW)
    return access


@pytest.fixture
def ada(db):
    return lived("ada")


def node(access, word: str) -> UUID:
    with space_scope(access.space), access.open():
        active = MemoryNode.objects.for_space(access.space).active()
        return next(row.pk for row in active if word in (row.content or ""))


def copy(access, form: str = "json") -> str:
    given = Access(access.person, access.space, access.key)
    return "".join(begin_copy(given, form=form, now=NOW)[2])


def take(access, raw: str | bytes):
    with access.open():
        raw = raw.encode() if isinstance(raw, str) else raw
        return take_in(access.key, raw, now=NOW, actor=access.person)


def tables(raw: str, *, as_if: str = "") -> dict:
    """Return a copy's rows without quotes; with `as_if`, every id by the order in which it comes."""
    told = json.loads(raw)
    found = {table.name: told[table.name] for table in TABLES}
    for source in found["sources"]:
        source.pop(QUOTE, None)
    if not as_if:
        return found
    # What formed in one millisecond stands in no order that another memory's ids would keep.
    place = {row["id"]: number for number, row in enumerate(found["memories"])}
    found["entities"].sort(key=lambda row: (row["kind"], row["name"] or "", row["relation"] or ""))
    found["mentions"].sort(key=lambda row: (place[row["node_id"]], row["start"]))
    ids: dict[str, str] = {}
    own = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
    return json.loads(own.sub(lambda m: ids.setdefault(m[0], f"id {len(ids)}"), json.dumps(found)))


def counts(access) -> list[int]:
    return [len(rows(access, table.model)) for table in TABLES]


def test_a_copy_holds_everything_and_export_import_export_is_equal(ada):
    """Memories with their quotes and times, what replaced what, edges, ledger, goals, facts, conversations by reference.

    Into an empty memory of theirs: the same rows with ids of its own; into the first again: nothing new.
    """
    raw, new = copy(ada), make_access("ada2")
    told = json.loads(raw)
    assert (told["format"], told["version"], told["memory"]) == ("companion-memory", 1, str(ada.space))
    words = {row["content"] for row in told["memories"]}
    assert {SAID[0], SAID[1], SAID[2], SAID[5], "I live in Malmö with my aunt Karin."} <= words
    assert SAID[1] in {row["quote"] for row in told["sources"]}
    for name in ("edges", "changes", "contradictions", "life_facts", "ledger", "goals", "goal_notes"):
        assert told[name], name
    assert [row["title"] for row in told["conversations"]] == [SAID[0]] and told["packs"] == []
    assert [len(told[table.name]) for table in TABLES] == counts(ada)
    taken = take(new, raw)
    assert (taken.new, taken.known) == (sum(counts(ada)), 0) and counts(new) == counts(ada)
    again = copy(new)
    assert tables(again, as_if="new") == tables(raw, as_if="new")
    assert take(new, raw).new == take(ada, raw).new == take(ada, again).new == 0
    assert tables(copy(ada)) == tables(raw) and copy(new) == again


def awaits(access) -> bool:
    with space_scope(access.space):
        return awaits_reembedding(access.space)


def test_what_came_back_lives_on(ada):
    """It gets its vectors behind, and what was forgotten or put right can still be undone."""
    new = make_access("ada2")
    take(new, copy(ada))
    told = tables(copy(new))
    assert awaits(new)
    reembed(new.space, key=new.key, now=NOW)
    assert not awaits(new)
    with space_scope(new.space):
        assert LedgerEntry.objects.for_space(new.space).current().filter(is_active=True).exists()
    with new.open():
        for change in reversed(told["changes"]):
            if change["undone_at"] is None:
                undo_change(new.space, UUID(change["id"]), now=NOW, actor=new.person)
    assert node(new, "Lund") and node(new, "violin")


def test_what_is_known_in_the_same_words_is_not_taken_twice(ada):
    """Neither a memory nor an entry of the ledger; what the copy knows of it comes beside."""
    other = lived("ada2")
    before = counts(other)
    take(other, copy(ada))
    with space_scope(other.space):
        active = MemoryNode.objects.for_space(other.space).active()
        hashes = [bytes(row.content_hash) for row in active]
        entries = LedgerEntry.objects.for_space(other.space).current().filter(is_active=True)
        said = [bytes(row.content_hash) for row in entries]
    assert len(hashes) == len(set(hashes)) and len(said) == len(set(said))
    assert counts(other) != before and take(other, copy(ada)).new == 0


def test_what_changed_since_stays(ada):
    """Taking an old copy in brings nothing back that was forgotten since."""
    raw = copy(ada)
    with ada.open():
        forget_memory(ada.space, node(ada, "Malmö"), now=NOW, actor=ada.person)
    after = counts(ada)
    assert take(ada, raw).new == 0 and counts(ada) == after
    with pytest.raises(StopIteration):
        node(ada, "Malmö")


#: what makes a copy one that is refused: of its first memory, its first edge, or the whole of it
SPOILT = {
    "a table is missing": lambda first, edge, told: told.pop("edges"),
    "another column": lambda first, edge, told: first.update(admin=True),
    "out of range": lambda first, edge, told: first.update(gravity=7),
    "no such kind": lambda first, edge, told: first.update(modality="telepathic"),
    "no words": lambda first, edge, told: first.update(content=["a", "list"]),
    "no time": lambda first, edge, told: first.update(formed_at="2026-01-01T10:00:00"),
    "points nowhere": lambda first, edge, told: edge.update(source_id=str(uuid4())),
    "points to another kind": lambda first, edge, told: edge.update(source_id=told["goals"][0]["id"]),
    "twice": lambda first, edge, told: told["goals"].append(told["goals"][0]),
    "half a character": lambda first, edge, told: first.update(content="\ud800"),
    "no list": lambda first, edge, told: told.update(goals={"id": "x"}),
    "no number": lambda first, edge, told: first.update(gravity=float("nan")),
    "foreign version": lambda first, edge, told: told.update(version=99),
}
REASONS = {"no number": "unreadable", "foreign version": "version"}


def spoilt(raw: str, kind: str) -> str:
    told = json.loads(raw)
    SPOILT[kind](told["memories"][0], told["edges"][0], told)
    return json.dumps(told)


def test_a_bad_copy_is_refused_whole(ada):
    """With a plain reason; nothing of it is kept."""
    raw, new = copy(ada), make_access("ada2")
    bad = [
        *((text, "unreadable") for text in (b"\xff\xfe not json", "[]", "[" * 200_000, raw[: len(raw) // 2])),
        (b" " * (settings.COPY_MAX_BYTES + 1), "too-large"),
        *((spoilt(raw, kind), REASONS.get(kind, "broken")) for kind in SPOILT),
    ]
    before = counts(new)
    for number, (given, reason) in enumerate(bad):
        with refused(CopyRefused, reason):
            take(new, given)
        assert counts(new) == before, number


def test_ids_of_a_stranger_lead_nowhere(ada):
    """A copy that names rows of another person's, as if they were of this memory, changes nothing, here or there."""
    eve = make_access("eve")
    told = json.loads(copy(ada))
    told["memory"] = str(eve.space)
    with refused(CopyRefused, "broken"):
        take(eve, json.dumps(told))
    assert sum(counts(eve)) == 0 and tables(copy(ada)) == tables(json.dumps(told))


def test_the_page_and_the_readable_form(ada):
    """The page says what is in a copy and takes one in; a bad one is refused there with its reason."""
    page = logged_in("ada")
    address = reverse("chat:memory_copy")
    assert "Take your memory along" in page.get(address).text
    saved = page.get(reverse("chat:memory_copy_save"), {"as": "json"})
    raw = b"".join(saved.streaming_content)
    assert saved["Content-Disposition"].endswith('.json"') and json.loads(raw)["format"] == "companion-memory"
    answer = page.post(address, {"file": SimpleUploadedFile("memory.json", raw)}, follow=True)
    assert "0 entries are new" in answer.text
    answer = page.post(address, {"file": SimpleUploadedFile("memory.json", raw[:500])})
    assert answer.status_code == 400 and "not a whole copy" in answer.text
    assert page.post(address).status_code == 400
    assert page.get(reverse("chat:memory_copy_save"), {"as": "pdf"}).status_code == 400
    text = b"".join(page.get(reverse("chat:memory_copy_save"), {"as": "markdown"}).streaming_content).decode()
    for words in ("## Medication", "Malmö", "Read more", "Ten pages", "the tea", f"- {SAID[1]}", "→"):
        assert words in text
    assert "- I play the violin" not in text
    assert "Worried: the exam" in text and "anxiety" not in text


def test_a_copy_is_of_one_moment(ada):
    """It holds what was there when it was begun: what is said meanwhile does not come in by half."""
    given = Access(ada.person, ada.space, ada.key)
    pieces = begin_copy(given, form="json", now=NOW)[2]
    begun = [next(pieces), next(pieces)]
    row = services.begin_conversation(ada, now=NOW + timedelta(days=1))
    tell(ada, row, "My exam in organic chemistry is on 9 June.")
    form_all_awaiting(ada.space, key=ada.key, now=NOW)
    raw = "".join([*begun, *pieces])
    assert "9 June" not in raw.split('"conversations"')[0]
    assert take(make_access("ada2"), raw).known == 0


def test_a_program_takes_it_along(ada):
    """With a token that may read memories the file is the page's, to the last row; no other token has it."""
    raw = make_program(ada, Scope.MEMORY_READ).get("memories/copy")
    assert raw["Content-Type"] == "application/json" and tables(b"".join(raw.streaming_content)) == tables(
        copy(ada)
    )
    assert make_program(ada, Scope.CHAT).get("memories/copy").status_code == 403


def peak_bytes(access, more: int) -> int:
    """Add so many memories; return the most that writing a copy held at once.

    The least of three times: other threads of the process are counted as well.
    """
    with access.open(), space_scope(access.space):
        MemoryNode.objects.bulk_create(
            make_node(access.space, f"I like thing number {number} very much.", id=new_id())
            for number in range(more)
        )
    given = Access(access.person, access.space, access.key)
    peaks = []
    for _ in range(3):
        tracemalloc.start()
        for _ in begin_copy(given, form="json", now=NOW)[2]:
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return min(peaks)


@pytest.mark.slow
def test_a_large_memory_takes_no_more_room(committed):
    """What is held while a copy is written does not grow with the memory."""
    ada = make_access("ada")
    small = peak_bytes(ada, 2 * BATCH)  # while a second lot is read, the first is still there
    assert peak_bytes(ada, 2 * BATCH) < 1.3 * small


def test_the_readable_form_has_a_picture(ada):
    """Of those whom most is told of; a word of theirs ends neither its label nor the diagram."""
    page = logged_in("ada")
    row = begin(ada)
    for text in (
        'My sister Ines started a band in Lund last year, it is called "Low] Tide`',
        "My sister Ines lives in Malmö.",
    ):
        tell(ada, row, text)
    form_all_awaiting(ada.space, key=ada.key, now=NOW)
    text = b"".join(page.get(reverse("chat:memory_copy_save"), {"as": "markdown"}).streaming_content).decode()
    head, picture, _rest = text.split("```")
    assert "## A picture of it" in head and picture.startswith("mermaid\ngraph LR\n")
    labels = [line.partition("[")[2] or line.partition("(")[2] for line in picture.splitlines()[3:]]
    assert '"Ines"]' in labels and any("Tide" in label for label in labels)
    assert all(label[1:-2].count('"') == 0 and "`" not in label for label in labels)
