"""What others seal into a space becomes memory once it is unlocked: once each, whoever comes first, in nobody's way."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ

from chat import services as chat
from chat.access import ChatAccess
from chat.tasks import open_boxes
from companion_site.accounts import services as accounts
from companion_site.accounts.models import Person
from companion_site.audit.models import AuditEvent
from companion_site.vault import inbox, unlocked
from companion_site.vault.models import SealedBox, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import grant_lease, resume_work
from memory.inbound import inbox as memory_inbox
from memory.inbound.contents import Lesson, Observation
from memory.inbound.inbox import awaits_key, take_in, take_in_all
from memory.models import MemoryEdge, MemoryNode, MemorySource
from tests.cases import cases
from tests.factories import NOW, make_student, open_space, reset_password
from tests.live import leases, run_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G4")]

NOTICED = "Works best with visual metaphors"


@pytest.fixture
def tove(db):
    return make_student("tove", role=Person.Role.TEACHER).person


def observation(text=NOTICED, **given):
    return Observation(**{"at": NOW, "language": "en", "by": "Tove", "text": text, **given})


def send(access, contents, sender=None, **given):
    """Seal something, now: leases and jobs go by the clock."""
    text = contents if isinstance(contents, bytes) else contents.to_bytes()
    kind = given.pop("kind", None) or contents.kind
    return inbox.seal_to(access.space, kind=kind, text=text, sender=sender, now=timezone.now(), **given)


def memories(access):
    with space_scope(access.space), unlocked(access.space, access.key):
        rows = MemoryNode.objects.for_space(access.space).order_by("id")
        return [(row.content, row.trust) for row in rows]


def sources(access):
    with space_scope(access.space):
        rows = MemorySource.objects.for_space(access.space)
        return set(rows.values_list("kind", "source_id"))


def state(box):
    with space_scope(box.space_id):
        row = SealedBox.objects.for_space(box.space_id).get(pk=box.pk)
    return "refused" if inbox.is_refused(row) else "opened" if row.opened_at else "waiting"


def test_an_observation_is_remembered_as_the_teacher_s(ada, tove):
    """It says who noticed it, is trusted as a teacher's, and points to the box it came in. However often the job runs, each box forms
    its memories once; a clock that runs ahead cannot make a memory of the future."""
    box = send(ada, observation(at=NOW + timedelta(days=400)), tove)
    assert take_in_all(ada.space, key=ada.key, now=NOW) == 1
    assert memories(ada) == [(f"My teacher Tove noticed: {NOTICED}.", "teacher")]
    assert sources(ada) == {("observation", box.pk)} and state(box) == "opened"
    with space_scope(ada.space):
        assert MemorySource.objects.for_space(ada.space).get().said_at == NOW
    assert take_in(ada.space, box.pk, key=ada.key, now=NOW) is None
    assert take_in_all(ada.space, key=ada.key, now=NOW) == 0
    assert len(memories(ada)) == 1


def test_a_worker_that_is_slower_writes_nothing(ada, tove, monkeypatch):
    """Two workers think about the same box; the one that comes second to the row leaves it alone."""
    box, form = send(ada, observation(), tove), memory_inbox.form_memories

    def overtaken(said, **given):
        monkeypatch.undo()
        assert take_in(ada.space, box.pk, key=ada.key, now=NOW) == 1
        return form(said, **given)

    monkeypatch.setattr(memory_inbox, "form_memories", overtaken)
    assert take_in(ada.space, box.pk, key=ada.key, now=NOW) is None
    assert len(memories(ada)) == 1


def test_what_was_taken_back_forms_nothing(ada, tove, monkeypatch):
    """Also when it is taken back while a worker is thinking about it. Snapshots are for reading: they wait for their reader and keep no
    job busy."""
    send(ada, b"{}", tove, kind=SealedBox.Kind.SNAPSHOT)
    assert not awaits_key(ada.space)
    first, second = send(ada, observation(), tove), send(ada, observation("Draws before writing"), tove)
    inbox.retract(first, person=tove, now=NOW)
    form = memory_inbox.form_memories

    def overtaken(said, **given):
        inbox.retract(second, person=tove, now=NOW)
        return form(said, **given)

    monkeypatch.setattr(memory_inbox, "form_memories", overtaken)
    assert take_in_all(ada.space, key=ada.key, now=NOW) == 0
    assert memories(ada) == []


BROKEN = {
    "no JSON": b"Ada \xff\x00",
    "another shape": b'{"says": "observation"}',
    "another kind": Lesson(at=NOW, language="en", title="Fractions").to_bytes(),
    "more than there is": json.dumps({**json.loads(observation().to_bytes()), "role": "system"}).encode(),
    "too long": json.dumps({**json.loads(observation().to_bytes()), "text": "a " * 3000}).encode(),
    "deep": b"[" * 100_000,
}


@cases("text", BROKEN.values())
def test_a_box_that_says_nothing_is_set_aside_and_blocks_nobody(ada, tove, text):
    """It is marked, on record and never tried again; the box behind it is taken in."""
    bad = send(ada, text, tove, kind=SealedBox.Kind.OBSERVATION)
    good = send(ada, observation(), tove)
    assert take_in_all(ada.space, key=ada.key, now=NOW) == 1
    assert (state(bad), state(good)) == ("refused", "opened")
    assert len(memories(ada)) == 1 and not awaits_key(ada.space)
    assert AuditEvent.objects.filter(chain=ada.space, action="vault.box_refused", subject_id=bad.pk).exists()


def test_boxes_that_changed_places_are_set_aside(ada, tove):
    """Two boxes whose texts were swapped in the database form nothing."""
    boxes = send(ada, observation(), tove), send(ada, observation("Draws before writing"), tove)
    with space_scope(ada.space):
        rows = SealedBox.objects.for_space(ada.space)
        texts = [rows.get(pk=box.pk).sealed_text for box in boxes]
        for box, text in zip(boxes, reversed(texts), strict=True):
            rows.filter(pk=box.pk).update(sealed_text=text)
    assert take_in_all(ada.space, key=ada.key, now=NOW) == 0
    assert [state(box) for box in boxes] == ["refused", "refused"] and memories(ada) == []


def test_a_fault_of_ours_is_tried_again_and_blocks_nobody(ada, tove, monkeypatch):
    """A box that fails for another reason stays where it is; the others are taken in, and the fault is told. A job that failed says on the
    space that work is left, so that it cannot be forgotten."""
    grant_lease(ada.key, now=timezone.now())
    first, second = send(ada, observation(), tove), send(ada, observation("Draws before writing"), tove)
    form = memory_inbox.form_memories

    def failing(said, **given):
        if said[0].source_id == first.pk:
            raise OSError("the disk is full")
        return form(said, **given)

    monkeypatch.setattr(memory_inbox, "form_memories", failing)
    with pytest.raises(OSError, match="full"):
        take_in_all(ada.space, key=ada.key, now=NOW)
    assert (state(first), state(second)) == ("waiting", "opened")
    with pytest.raises(Exception, match="OSError"):
        open_boxes(str(ada.space))
    assert Space.objects.get(pk=ada.space).awaiting_key_since is not None
    monkeypatch.undo()
    assert take_in_all(ada.space, key=ada.key, now=NOW) == 1


def test_a_killed_worker_leaves_all_or_nothing(ada, tove, monkeypatch):
    """Cut off while writing, nothing is written and the box still waits; the next run writes each memory once."""
    box = send(ada, observation(f"{NOTICED}. Gets tired after lunch and needs a break."), tove)

    def die(*rows, **options):
        raise SystemExit

    monkeypatch.setattr(MemoryEdge.objects, "bulk_create", die)
    with pytest.raises(SystemExit):
        take_in(ada.space, box.pk, key=ada.key, now=NOW)
    monkeypatch.undo()
    assert memories(ada) == [] and state(box) == "waiting"
    assert take_in(ada.space, box.pk, key=ada.key, now=NOW) == len(memories(ada)) >= 2


def test_boxes_are_opened_at_the_next_log_in(ada, tove):
    """Sealed while nobody is there, taken in when the owner comes; the key stays for the sleep alone. A student who has been there all day
    need not log in again: the next message's lease opens the box too."""
    box = send(ada, observation(), tove)
    open_boxes(str(ada.space))
    assert state(box) == "waiting" and Space.objects.get(pk=ada.space).awaiting_key_since is not None
    resume_work(ada.key, now=timezone.now())
    run_jobs()
    assert state(box) == "opened" and len(memories(ada)) == 1 and waits_for_sleep_alone(ada)
    box = send(ada, observation("Draws before writing"), tove)
    conversation = chat.begin_conversation(ada, now=NOW)
    text = "I find recursion hard, please explain step by step"
    chat.say(ada, conversation.pk, text=text, client_id=uuid4(), now=timezone.now())
    while run_jobs():
        pass
    assert state(box) == "opened" and waits_for_sleep_alone(ada)
    assert {kind for kind, _ in sources(ada)} == {"observation", "message"}


@cases("order", [1, -1])
def test_no_job_gives_the_key_away_while_another_has_work(ada, tove, order):
    """A message and a box at once: whichever job comes first, both are done before the key is wanted for nothing else."""
    conversation = chat.begin_conversation(ada, now=NOW)
    text = "I find recursion hard, please explain step by step"
    chat.say(ada, conversation.pk, text=text, client_id=uuid4(), now=timezone.now())
    box = send(ada, observation(), tove)
    jobs = list(OrmQ.objects.order_by("id"))[::order]
    assert {job.task["func"].split(".")[-1] for job in jobs} >= {"form_memory", "open_boxes"}
    for job in jobs:
        import_string(job.task["func"])(*job.args())
        job.delete()
    assert not run_jobs() and state(box) == "opened" and waits_for_sleep_alone(ada)
    assert {kind for kind, _ in sources(ada)} == {"observation", "message"}


def waits_for_sleep_alone(ada):
    """Tell whether the lease stays for the planned sleep, and for nothing else."""
    with space_scope(ada.space):
        left = [path for path in settings.WORK_LEFT if import_string(path)(ada.space)]
    return leases(ada) == 1 and left == ["memory.student.sleep.timing.awaits_sleep"]


@pytest.mark.spec("G11")
def test_boxes_are_taken_in_after_a_new_password_and_a_recovery(tove):
    """What was sent before is read after: nothing is lost by keeping one's account in order."""
    joined = make_student("elsa")
    access = ChatAccess(joined.person, joined.person.space_id, open_space(joined.person))
    boxes = [send(access, observation(), tove)]
    accounts.change_password(joined.person, key=access.key, password="another long password", now=NOW)
    boxes.append(send(access, observation("Draws before writing"), tove))
    reset_password(joined.person, "set by the staff")
    boxes.append(send(access, observation("Asks when something is unclear"), tove))
    key, _ = accounts.recover(joined.person, code=joined.recovery_code, password="my own again", now=NOW)
    assert take_in_all(access.space, key=key, now=NOW) == 3
    assert [state(box) for box in boxes] == ["opened"] * 3
