"""A student's memory over the REST API: what is told is what stands, and what is done is done and on record."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from companion_site.vault import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import MemoryChange, MemoryNode
from memory.student.pages.selectors import load_origins
from tests.api.conftest import Program, make_program
from tests.api.content import NO_ID, SECRET, problem, walk
from tests.audit.record import events
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.memory.student.pages.conftest import node, remember

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

CELLO, ROWING, HEIGHTS = "My sister Maja plays the cello", "Rowing is hard", "I fear heights"
LAMP, LUND = "The lamp flickers", "I moved to Lund"
CATEGORY = next(value for value in MemoryNode.Category.values if value)


class Remembering:
    """A program, and the memories that its person has."""

    def __init__(self, program: Program) -> None:
        self.program, self.access, self.space = program, program.access, program.access.space
        self.ids = [str(pk) for pk in remember(self.access, CELLO, ROWING, HEIGHTS)]

    def add(self, *texts: str, **fields) -> list[str]:
        return [str(pk) for pk in remember(self.access, *texts, **fields)]

    def texts(self, query: str = "") -> list[str]:
        return [item["text"] for item in self.program.get(f"memories{query}").json()["items"]]

    def version(self) -> int:
        return Space.objects.get(pk=self.space).version

    def forget(self, memory: str) -> str:
        answer = self.program.ask("DELETE", f"memories/{memory}")
        assert answer.status_code == 200, answer.content
        return answer.json()["id"]

    def changes(self) -> int:
        with space_scope(self.space):
            return MemoryChange.objects.for_space(self.space).count()


@pytest.fixture
def ada(db) -> Remembering:
    return Remembering(make_program(make_access("ada")))


def test_a_listed_memory_is_the_row_as_it_stands(ada):
    """Words, kind, trust, numbers, moments and sources are those of the rows; what fades is told as it is now."""
    for item in ada.program.get("memories").json()["items"]:
        row = node(ada.access, item["id"])
        with unlocked(ada.space, ada.access.key):
            assert item["text"] == row.content
            (origin,) = load_origins(ada.space, [row.pk])[row.pk]
        for name in ("modality", "tier", "category", "trust", "confidence", "valence"):
            assert item[name] == getattr(row, name), name
        assert parse_datetime(item["formed_at"]) == row.formed_at and item["formed_at"].endswith("Z")
        assert 0.0 < item["gravity"] <= row.gravity
        (source,) = item["sources"]
        assert source == {
            "kind": "message",
            "source": str(origin.source_id),
            "conversation": str(origin.conversation_id),
            "said_at": NOW.isoformat().replace("+00:00", "Z"),
        }
        assert item["expires_at"] is item["ended_at"] is item["superseded_by"] is item["merged_into"] is None
        assert item["replaces"] == []


def test_memories_come_in_order_and_once_while_others_form(ada):
    """The last formed first, over page borders; what forms while the pages are read comes in no later one."""
    ada.add("One more", "And another", "And a third")
    before = ada.texts()
    assert before[-3:] == [HEIGHTS, ROWING, CELLO] and len(before) == 6
    seen = walk(ada.program, "memories", meanwhile=lambda: ada.add("Meanwhile"))
    assert [item["text"] for item in seen] == before
    assert ada.texts()[0] == "Meanwhile"


def test_memories_are_asked_for_by_kind_and_moment(ada):
    """Each by itself and together; the ends of time are moments like any other, and history shows what was forgotten with its end."""
    ada.add(LAMP, modality="sensory")
    ada.add(LUND, at=timezone.now())
    ada.forget(ada.ids[0])
    with space_scope(ada.space):
        rows = MemoryNode.objects.for_space(ada.space).filter(pk=ada.ids[1])
        rows.update(tier=MemoryNode.Tier.LONG_TERM, category=CATEGORY)
    holding = [LUND, LAMP, HEIGHTS, ROWING]
    for query, expected in {
        "": holding,
        "modality=sensory": [LAMP],
        "tier=long_term": [ROWING],
        f"category={CATEGORY}": [ROWING],
        "tier=long_term&modality=sensory": [],
        "as_of=2026-03-02T14:05:00Z": [LAMP, HEIGHTS, ROWING, CELLO],
        "as_of=2026-03-02T16:05:00%2B02:00": [LAMP, HEIGHTS, ROWING, CELLO],
        "as_of=2026-03-02T14:04:59Z": [],
        "as_of=0001-01-01T00:00:00Z": [],
        "as_of=9999-12-31T23:59:59Z": holding,
        "history=true": [*holding, CELLO],
    }.items():
        assert ada.texts(f"?{query}") == expected, query
    assert ada.program.get("memories/graph?as_of=0001-01-01T00:00:00Z").json()["nodes"] == []


def test_one_memory_is_told_with_what_it_hangs_together_with(ada):
    """Its neighbours by the words of the edge; the same values as in the list."""
    shown = ada.program.get(f"memories/{ada.ids[1]}").json()
    listed = {item["id"]: item for item in ada.program.get("memories").json()["items"]}
    memory = shown["memory"]
    assert {**memory, "gravity": 0} == {**listed[ada.ids[1]], "gravity": 0}
    assert {(item["id"], item["text"]) for item in shown["related"]} == {
        (ada.ids[0], CELLO),
        (ada.ids[2], HEIGHTS),
    }
    assert shown["undo"] is None and shown["made_of"] == shown["replaced"] == []


def test_what_an_edge_is_called_is_told_in_the_language_that_is_asked_for(ada):
    """Labels and refusals speak the language that the program asks for; codes and values speak none."""
    english, swedish = (
        ada.program.get(f"memories/{ada.ids[1]}", accept_language=language).json()
        for language in ("en", "sv")
    )
    assert {item["how"] for item in english["related"]} != {item["how"] for item in swedish["related"]}
    assert english["memory"]["modality"] == swedish["memory"]["modality"] == "semantic"
    refused = [
        problem(ada.program.get(f"memories/{NO_ID}", accept_language=language), 404, "not-found")["detail"]
        for language in ("en", "sv")
    ]
    assert refused[0] != refused[1]


def test_a_search_finds_by_what_is_meant_and_changes_nothing(ada):
    """The best first with what its score is made of, of what is asked for; neither a row, nor the version, nor the record tells of it."""
    ada.program.get("me")  # the use of a token is on record once an hour

    def found(query="Who plays an instrument?", **more):
        return ada.program.post("memories/search", {"query": query, **more}).json()["items"]

    before = (ada.version(), node(ada.access, ada.ids[0]).accessed_at, len(events(ada.space)))
    hits = found()
    assert (hits[0]["text"], hits[0]["id"]) == (CELLO, ada.ids[0]) and set(hits[0]["terms"])
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    assert [hit["text"] for hit in found(limit=1)] == [CELLO] and found(tier="long_term") == []
    assert found(min_score=1) == [hit for hit in hits if hit["score"] == 1]
    assert {hit["text"] for hit in found("   ")} == {CELLO, ROWING, HEIGHTS}
    after = (ada.version(), node(ada.access, ada.ids[0]).accessed_at, len(events(ada.space)))
    assert after == before
    of_short_term = {"query": "x", "tier": "short_term", "category": CATEGORY}
    problem(ada.program.post("memories/search", of_short_term), 422)


def test_what_is_forgotten_is_gone_until_it_is_undone(ada):
    """From the list, the search and the graph; on record by ids alone, not to be changed again, and back by one call."""
    change = ada.forget(ada.ids[0])
    search = {"query": "Who plays an instrument?"}
    assert CELLO not in ada.texts()
    assert ada.ids[0] not in {
        one["id"] for one in ada.program.post("memories/search", search).json()["items"]
    }
    assert ada.ids[0] not in {dot["id"] for dot in ada.program.get("memories/graph").json()["nodes"]}
    for again in (
        ada.program.ask("DELETE", f"memories/{ada.ids[0]}"),
        ada.program.post(f"memories/{ada.ids[0]}/corrections", {"text": "No"}),
    ):
        problem(again, 409, "memory.ended")
    (event,) = events(ada.space, "memory.forgotten")
    assert str(event.subject_id) == ada.ids[0] and event.actor_id == ada.access.person.pk
    shown = ada.program.get(f"memories/{ada.ids[0]}").json()
    assert shown["undo"] == change and shown["memory"]["text"] == CELLO and shown["memory"]["ended_at"]
    undone, again = (ada.program.post(f"memories/changes/{change}/undo") for _time in range(2))
    assert undone.status_code == again.status_code == 200 and undone.json() == again.json()
    assert undone.json()["undone_at"] and CELLO in ada.texts()


def test_what_is_put_right_takes_the_place(ada):
    """The answer is the memory that holds now, at its address; the old words are its history and come back by an undo."""
    answer = ada.program.post(f"memories/{ada.ids[0]}/corrections", {"text": "  Maja plays the\nviola "})
    told = answer.json()
    assert answer.status_code == 201 and told["memory"]["text"] == "Maja plays the viola"
    assert told["memory"]["replaces"] == [ada.ids[0]] == [old["id"] for old in told["replaced"]]
    shown = ada.program.get(answer["Location"].removeprefix("/api/v1/")).json()
    assert shown["memory"]["id"] == told["memory"]["id"]
    old = ada.program.get(f"memories/{ada.ids[0]}").json()
    assert old["memory"]["superseded_by"] == told["memory"]["id"]
    assert ada.program.post(f"memories/changes/{old['undo']}/undo").status_code == 200
    assert CELLO in ada.texts() and "Maja plays the viola" not in ada.texts()


@cases(
    ("text", "status"),
    [
        ("", 400),
        ("   ", 422),
        ("\u200b", 422),
        (CELLO, 422),
        ("x" * 1_001, 400),
        (f"{SECRET}\x00", 400),
        (5, 400),
    ],
)
def test_words_that_cannot_be_kept_are_refused(ada, text, status):
    """None, the same, too many or none at all: nothing is written."""
    problem(ada.program.post(f"memories/{ada.ids[0]}/corrections", {"text": text}), status)
    assert ada.changes() == 0 and CELLO in ada.texts()


def test_changes_come_by_pages_and_by_kind(ada):
    """The latest first, over page borders; of one kind, and undone or not."""
    changes = [ada.forget(memory) for memory in ada.ids]
    listed = list(walk(ada.program, "memories/changes"))
    assert [item["id"] for item in listed] == changes[::-1]
    assert (listed[-1]["kind"], listed[-1]["memories"]) == ("forgotten", [ada.ids[0]])
    ada.program.post(f"memories/{ada.add('D')[0]}/corrections", {"text": "E"})
    ada.program.post(f"memories/changes/{changes[0]}/undo")
    (corrected,) = ada.program.get("memories/changes?kind=corrected").json()["items"]
    assert corrected["kind"] == "corrected" and len(corrected["memories"]) == 2
    for undone, ids in (("true", [changes[0]]), ("false", [corrected["id"], *changes[:0:-1]])):
        shown = ada.program.get(f"memories/changes?undone={undone}").json()["items"]
        assert [item["id"] for item in shown] == ids


def test_the_graph_is_what_holds_with_its_edges(ada):
    """Every memory with its words and a place, every edge between two that are there."""
    told = ada.program.get("memories/graph").json()
    assert {(dot["id"], dot["text"]) for dot in told["nodes"]} == set(
        zip(ada.ids, (CELLO, ROWING, HEIGHTS), strict=True)
    )
    assert {frozenset((line["source"], line["target"])) for line in told["edges"]} == {
        frozenset(ada.ids[:2]),
        frozenset(ada.ids[1:]),
    }
    assert all(line["weight"] == pytest.approx(0.6) for line in told["edges"]) and told["total"] == 3
    ada.forget(ada.ids[1])
    left = ada.program.get("memories/graph").json()
    assert left["edges"] == [] and left["total"] == 2
    assert len(ada.program.get("memories/graph?history=true").json()["nodes"]) == 3


def test_words_that_are_gone_are_told_as_gone(ada):
    """After its days a forgotten memory is a tombstone: null for its words, wherever it is told."""
    ada.forget(ada.ids[0])
    with space_scope(ada.space):
        row = MemoryNode.objects.for_space(ada.space).get(pk=ada.ids[0])
        row.content, row.removed_at = None, timezone.now() - timedelta(days=40)
        row.save(update_fields=["content", "removed_at"])
    assert ada.program.get(f"memories/{ada.ids[0]}").json()["memory"]["text"] is None
    assert ada.texts("?history=true")[-1] is None
    change = ada.program.get("memories/changes").json()["items"][0]["id"]
    assert ada.program.post(f"memories/changes/{change}/undo").status_code == 409
