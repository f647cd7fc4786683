"""A student's memory with something on every page: memories of all kinds, a contradiction, changes, a clean-up, a sleep."""

from datetime import datetime, timedelta
from uuid import UUID

from chat.access import ChatAccess
from companion_site.accounts.models import ClassMembership, Person, School, SchoolClass
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.inbox_keys import ensure_inbox_key
from companion_site.vault.scope import space_scope
from ledger.entries import EntryDraft
from ledger.services import record_entry
from memory.models import CompressionRun, MemoryChange, MemoryNode, SleepRun
from memory.student.corrections import correct_memory, forget_memory
from tests.factories import make_student, open_space
from tests.memory.student.kept import doubt
from tests.memory.student.pages.conftest import remember
from tests.memory.student.sleep.sleeper import Sleeper

#: (days ago, modality, edge, valence, texts)
SAID = (
    (40, "semantic", "RELATES_TO", 0.0, ["My cat is called Moses", "Moses sleeps on my desk when I do homework"]),
    (38, "semantic", "ABOUT", 0.1, ["I live in Lund with my mother", "My mother works as a nurse at night"]),
    (35, "emotional", "EVOKES", -0.7, ["I am scared of speaking in front of the class", "My hands shake before a presentation"]),
    (33, "semantic", "SUPPORTS", -0.4, ["Fractions are hard for me", "I always mix up numerator and denominator"]),
    (30, "procedural", "REFINES", 0.0, ["I prefer examples before theory", "Give me hints instead of solutions"]),
    (27, "episodic", "CAUSES", -0.5, ["I failed the fractions quiz on Monday", "I asked Karin for extra help after the quiz"]),
    (24, "episodic", "PRECEDES", 0.2, ["We worked with fractions in maths today", "I practised fractions for an hour with my sister"]),
    (20, "sensory", "REMINDS_OF", -0.2, ["The lamps in the library flicker and give me a headache", "I like quiet music in my headphones when I write"]),
    (16, "semantic", "ENABLES", 0.6, ["I understand fractions really well now", "I passed the fractions test with full marks"]),
    (12, "semantic", "RELATES_TO", 0.3, ["I want to become a marine biologist", "My goal is a B in chemistry this spring"]),
    (8, "episodic", "LOCATED_AT", 0.1, ["We did an experiment with acids in the lab", "I wrote the lab report about acids last night"]),
    (5, "semantic", "RELATES_TO", 0.0, ["I wonder why acids do not dissolve glass?"]),
    (2, "emotional", "EVOKES", 0.7, ["I am proud of my lab report", "Chemistry is my favourite subject"]),
)  # fmt: skip


def live(access: ChatAccess, *, now: datetime) -> dict[str, UUID]:
    """Fill a student's memory; return ids that tests go to."""
    days = {}
    for ago, modality, edge, valence, texts in SAID:
        ids = remember(
            access,
            *texts,
            at=now - timedelta(days=ago),
            modality=modality,
            edge=edge,
            valence=valence,
            salience=0.9 - 0.015 * ago,
            confidence=0.9 if ago % 3 else 0.6,
        )
        days.update(zip(texts, ids, strict=True))
    (noticed,) = remember(
        access, "My teacher Karin noticed: Ada helps others a lot in the lab.", at=now - timedelta(days=1), trust="teacher", source_kind="observation"
    )  # fmt: skip
    with unlocked(access.space, access.key):
        embedder, person = get_embedder(), access.person
        forget_memory(access.space, days["My hands shake before a presentation"], now=now, actor=person)
        moved = correct_memory(
            access.space, days["I live in Lund with my mother"], text="I live in Malmö with my mother", embedder=embedder, now=now, actor=person
        )  # fmt: skip
        draft = EntryDraft(content="I am allergic to nuts.", category="fact", importance=0.9)
        entry = record_entry(access.space, draft, now=now, actor=person)
        promise = EntryDraft(
            content="I promised Karin to hand in the lab report by Friday.",
            category="promise",
            triggers=("lab report",),
            trigger_entities=("Karin",),
        )
        record_entry(access.space, promise, now=now, actor=person)
        run, change, contradiction = _tidy(access.space, days, now=now)
    insight, slept = _sleep_over(access, days, now=now)
    return {
        "insight": insight,
        "slept": slept,
        "memory": days["I passed the fractions test with full marks"],
        "moved": moved,
        "noticed": noticed,
        "forgotten": days["My hands shake before a presentation"],
        "entry": entry.entry_id,
        "run": run,
        "change": change,
        "contradiction": contradiction,
    }


def _tidy(space: UUID, days: dict[str, UUID], *, now: datetime) -> tuple[UUID, UUID, UUID]:
    """Leave what a clean-up and formation leave: a run with a pruned memory, and an open contradiction."""
    with space_scope(space):
        run = CompressionRun.objects.create(
            space_id=space, trigger="requested", state="done", requested_at=now, started_at=now, finished_at=now,
            progress=1.0, before={"nodes": 24}, after={"nodes": 23},
            loss={"pruned": {"nodes": 1}, "merged": {"nodes": 0, "into": 0}},
        )  # fmt: skip
        faded = days["The lamps in the library flicker and give me a headache"]
        row = MemoryNode.objects.for_space(space).get(pk=faded)
        row.removed_at, row.content_until = now, now + timedelta(days=30)
        row.save(update_fields=["removed_at", "content_until"])
        change = MemoryChange.objects.create(
            space_id=space, kind="pruned", reason="below_noise_floor", at=now, node_ids=[str(faded)], run=run,
            before={"edges": []},
        )  # fmt: skip
    hard, easy = days["Fractions are hard for me"], days["I understand fractions really well now"]
    contradiction = doubt(space, hard, easy, found_by="valence", found_at=now)
    return run.pk, change.pk, contradiction.pk


def _sleep_over(access: ChatAccess, days: dict[str, UUID], *, now: datetime) -> tuple[UUID, UUID]:
    """Leave what a sleep leaves, done in part, after a try that failed; return an insight and the run."""
    sleeper = Sleeper(access)
    goals = [days["I want to become a marine biologist"], days["My goal is a B in chemistry this spring"]]
    with space_scope(access.space):
        SleepRun.objects.create(
            space_id=access.space, trigger="scheduled", state="failed", error="llm.timeout", provider="anthropic",
            model="a-model", requested_at=now - timedelta(minutes=9), finished_at=now - timedelta(minutes=8), duration_ms=60_000,
        )  # fmt: skip
    sleeper.write(
        [
            sleeper.insight(
                goals,
                "I want to become a marine biologist\nMy goal is a B in chemistry this spring",
                category="goals",
            )
        ],
        kept={days["Chemistry is my favourite subject"]: "strengths"},
        let_go=[days["I wrote the lab report about acids last night"]],
        left=[days["I wonder why acids do not dissolve glass?"]],
        now=now,
    )
    with space_scope(access.space):
        run = SleepRun.objects.for_space(access.space).order_by("-id").first()
        run.state, run.attempt, run.processed, run.covered = SleepRun.State.PARTIAL, 2, 5, 2
        run.let_go, run.left, run.created, run.categories = 1, 1, 1, {"goals": 1}
        run.provider, run.duration_ms = "offline", 800
        run.save()
        insight = MemoryNode.objects.for_space(access.space).get(pk=goals[0]).merged_into_id
    return insight, run.pk


def put_in_class(student: Person, *, now: datetime) -> Person:
    """Put a student into a class of a new school with a teacher who has logged in before; return the teacher."""
    school = student.school = School.objects.create(name="Lakeside School")
    student.save(update_fields=["school"])
    group = SchoolClass.objects.create(school=school, name="7B")
    teacher = make_student("karin", role=Person.Role.TEACHER, display_name="Karin Berg", school=school).person
    for person in (student, teacher):
        ClassMembership.objects.create(school_class=group, person=person)
    ensure_inbox_key(open_space(teacher), now=now)
    return teacher
