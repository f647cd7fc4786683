"""Checkpoints: what a site signs about its record holds it to its word, also against whoever owns the database."""

import os
import signal
from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction
from django_q.models import OrmQ

from companion_site.audit.chain import Kind
from companion_site.audit.checkpoint_directory import CheckpointDirectory
from companion_site.audit.checkpoint_services import (
    checkpoint_age_s,
    checkpoint_directory,
    look_at_last_checkpoint,
    make_checkpoint,
    replay_kept,
    rotate_keys,
)
from companion_site.audit.keys import get_audit_keys
from companion_site.audit.models import AuditEvent
from companion_site.errors import CheckpointFailed, SpaceLocked
from companion_site.ids import new_id
from companion_site.metrics.platform import gauges, standings
from companion_site.tasks import make_checkpoint as make_checkpoint_job
from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import Space
from companion_site.vault.services import close_space, replay_erasures
from tests.audit.record import events, find, write
from tests.factories import NOW, make_student
from tests.processes import run_python
from tests.racing import at_once

KILLED = """
import os, signal, sys
from pathlib import Path
from companion_site.audit.checkpoint_directory import CheckpointDirectory
kept, steps, stop = CheckpointDirectory(Path(sys.argv[1])), [], int(sys.argv[2])
def die_at(module, name):
    real = getattr(module, name)
    def step(*arguments, **named):
        if len(steps) == stop:
            os.kill(os.getpid(), signal.SIGKILL)
        steps.append(name)
        return real(*arguments, **named)
    setattr(module, name, step)
for name in ("fsync", "link", "unlink"):
    die_at(os, name)
with kept.draft() as draft:
    draft.write(b"first half\\n")
    draft.flush()
    if stop == 9:
        os.kill(os.getpid(), signal.SIGKILL)
    draft.write(b"second half\\n")
    kept.add(1, draft)
print("done")
"""

pytestmark = [pytest.mark.spec("E3"), pytest.mark.usefixtures("own_record")]


def kinds():
    return {one.kind for one in find()}


def test_a_checkpoint_names_what_changed_and_holds(db):
    """The first names every chain, later ones what came since; verifying replays them all."""
    chains = [new_id() for _ in range(3)]
    for chain in chains:
        write(chain, 3)
    first = make_checkpoint(now=NOW)
    write(chains[0], 2)
    second = make_checkpoint(now=NOW + timedelta(minutes=2))
    assert (first.number, first.whole, second.number, second.whole) == (1, True, 2, False)
    assert second.heads >= 1 and find() == []
    standing = look_at_last_checkpoint(NOW + timedelta(minutes=4))
    assert standing.is_well and standing.number == 2 and checkpoint_age_s(NOW + timedelta(minutes=4)) == 120


def test_an_old_failing_or_foreign_checkpoint_is_told(db, settings):
    """Age, a missing one, and one that does not agree with the record show on the staff's page and to a scraper."""
    told = {one.label: one for one in standings(NOW)}["Last checkpoint of the record"]
    assert not told.is_well and told.value == "none" and told.advice
    write(new_id())
    make_checkpoint(now=NOW)
    later = NOW + timedelta(hours=5)
    told = {one.label: one for one in standings(later)}["Last checkpoint of the record"]
    assert not told.is_well and told.advice and "5 hours" in told.value
    numbers = {sample.name: sample.value for gauge in gauges(later) for sample in gauge.samples}
    assert numbers["companion_audit_checkpoint_age_seconds"] == 5 * 3600
    assert numbers["companion_audit_checkpoint_holds"] == 1.0
    path = next(settings.AUDIT_CHECKPOINT_DIR.rglob("*.checkpoint"))
    path.write_bytes(path.read_bytes().replace(b'"number":1', b'"number":7'))
    assert not look_at_last_checkpoint(NOW).is_well
    with pytest.raises(CheckpointFailed):
        make_checkpoint(now=later)


def test_nothing_of_a_checkpoint_is_lost_with_its_directory(db, settings):
    """The key store knows the last one: the row goes on behind it, and the gap is found."""
    write(new_id(), 2)
    for _ in range(3):
        make_checkpoint(now=NOW)
    for path in settings.AUDIT_CHECKPOINT_DIR.rglob("*.checkpoint"):
        path.unlink()
    assert kinds() == {Kind.CHECKPOINT_MISSING}
    made = make_checkpoint(now=NOW)
    assert made.number == 4 and made.whole and Kind.CHECKPOINT_MISSING in kinds()


def test_rotation_goes_on_and_leaves_the_old_key_good_for_the_past_alone(db):
    """Old events and checkpoints hold; what the old key seals afterwards does not, and no old signing key is left."""
    chain, keys = new_id(), get_audit_keys()
    write(chain, 2)
    make_checkpoint(now=NOW)
    assert rotate_keys(now=NOW) == 2 == keys.current()
    write(chain, 2)
    make_checkpoint(now=NOW)
    assert find() == [] and [event.key for event in events(chain)] == [1, 1, 2, 2]
    with pytest.raises(KeyError):
        keys.sign(1, b"")
    other = new_id()
    write(other)
    keys.current = lambda: 1  # an attacker with the old audit key
    try:
        write(other)
        write(new_id())
    finally:
        del keys.current
    assert [one.kind for one in find()] == [Kind.OUTDATED_KEY] * 2


@pytest.mark.parametrize("stop_after", range(1, 6))
def test_a_rotation_that_is_killed_anywhere_can_be_run_again(db, monkeypatch, stop_after):
    """Whatever was done before, events go on, the second run ends it, and the record holds."""

    class Stop(Exception):
        pass

    keys, steps = get_audit_keys(), []

    def stopping(name):
        real = getattr(keys, name)

        def step(*arguments):
            result = real(*arguments)
            steps.append(name)
            if len(steps) == stop_after:
                raise Stop
            return result

        return step

    chain = new_id()
    write(chain)
    for name in ("make", "use", "note_checkpoint"):
        monkeypatch.setattr(keys, name, stopping(name))
    with pytest.raises(Stop):
        rotate_keys(now=NOW)
    monkeypatch.undo()
    write(chain)
    rotate_keys(now=NOW)
    write(chain)
    make_checkpoint(now=NOW)
    assert find() == []


def test_what_the_site_did_not_write_is_not_signed(db, capsys):
    """The head of a chain that does not hold is left out of a checkpoint and told at once."""
    chain = new_id()
    write(chain, 2)
    last = AuditEvent.objects.get(chain=chain, position=2)
    AuditEvent.objects.create(
        id=new_id(), chain=chain, position=3, at=NOW, action="memory.forgotten", data={}, key=1,
        previous_hash=last.hash, hash=bytes(32), seal=bytes(32),
    )  # fmt: skip
    made = make_checkpoint(now=NOW)
    assert made.refused == 1 and not look_at_last_checkpoint(NOW).is_well


def test_an_erasure_is_listed_outside_the_database_and_can_be_replayed(db):
    """After an older copy of database and key store was restored, what was erased is erased once more."""
    ada, bob = make_student("ada").person, make_student("bob").person
    make_checkpoint(now=NOW)
    store = get_key_store()
    close_space(Space.objects.get(pk=ada.space_id), now=NOW, actor=ada)
    assert OrmQ.objects.filter(payload__isnull=False).exists()
    make_checkpoint_job()
    assert replay_kept().erasures == [ada.space_id]
    Space.objects.filter(pk=ada.space_id).update(closed_at=None)
    store.make_erasure_key(ada.space_id)
    _said, listed, reopened = replay_erasures(now=NOW)
    assert (listed, reopened) == (1, 1) and replay_erasures(now=NOW)[1:] == (1, 0)
    assert Space.objects.get(pk=ada.space_id).closed_at
    with pytest.raises(SpaceLocked):
        store.erasure_key(ada.space_id)
    assert store.erasure_key(bob.space_id) and Space.objects.get(pk=bob.space_id).closed_at is None


def test_an_erasure_stands_though_no_checkpoint_can_be_kept(db, settings):
    """The failure is an error of the job and on the page; the next checkpoint lists the erasure."""
    ada = make_student("ada").person
    make_checkpoint(now=NOW)
    settings.AUDIT_CHECKPOINT_DIR.rename(settings.AUDIT_CHECKPOINT_DIR.with_name("away"))
    settings.AUDIT_CHECKPOINT_DIR.write_text("no directory")
    close_space(Space.objects.get(pk=ada.space_id), now=NOW, actor=ada)
    with pytest.raises(Exception, match="Error"):
        make_checkpoint_job()
    assert not look_at_last_checkpoint(NOW).is_well and Space.objects.get(pk=ada.space_id).closed_at
    settings.AUDIT_CHECKPOINT_DIR.unlink()
    settings.AUDIT_CHECKPOINT_DIR.with_name("away").rename(settings.AUDIT_CHECKPOINT_DIR)
    make_checkpoint_job()
    assert replay_kept().erasures == [ada.space_id]


def test_a_restore_that_is_declared_makes_later_promises_lapse(db):
    """An older copy of the database is a cut, until the site signs that it was restored; that is told for good."""
    chain, gone = new_id(), new_id()
    write(chain, 2)
    make_checkpoint(now=NOW)
    with transaction.atomic():
        restored_to = transaction.savepoint()
        write(chain, 3)
        write(gone, 2)
        make_checkpoint(now=NOW)
        transaction.savepoint_rollback(restored_to)
    assert {(one.kind, one.position) for one in find()} == {(Kind.CUT, 3), (Kind.CUT, 1)}
    make_checkpoint(now=NOW, restored=True)
    write(chain, 2)
    make_checkpoint(now=NOW)
    assert find() == []
    out = StringIO()
    call_command("verify_audit", stdout=out)
    assert "an older copy was restored" in out.getvalue()


def test_a_command_takes_each_checkpoint_once_and_in_order(db, settings, tmp_path):
    """What it does not take waits, is told, and is given to it with the next."""
    sent = tmp_path / "sent"
    sent.mkdir()
    write(new_id())
    settings.AUDIT_CHECKPOINT_COMMAND = "false"
    make_checkpoint(now=NOW)
    make_checkpoint(now=NOW)
    assert look_at_last_checkpoint(NOW).unsent == 2 and not look_at_last_checkpoint(NOW).is_well
    settings.AUDIT_CHECKPOINT_COMMAND = f"sh -c 'cat > {sent}/{{name}}'"
    make_checkpoint(now=NOW)
    assert look_at_last_checkpoint(NOW).is_well
    kept = {path.name: path.read_bytes() for path in settings.AUDIT_CHECKPOINT_DIR.rglob("*.checkpoint")}
    assert {path.name: path.read_bytes() for path in sent.iterdir()} == kept and len(kept) == 3


def test_two_who_make_checkpoints_at_once_make_one_row(committed):
    """Each is linked to the one before, none is lost, and what was written meanwhile is in one of them."""

    def work(chain):
        for _ in range(5):
            write(chain)
            make_checkpoint(now=NOW)

    at_once(*(partial(work, new_id()) for _ in range(4)))
    assert checkpoint_directory().last_number() == 20 and find() == []


@pytest.mark.slow
def test_a_checkpoint_that_is_half_written_is_none(tmp_path):
    """Killed at any step, there is the whole file under its number or no file at all; the next try goes on."""
    for stop in (*range(6), 9):
        place = tmp_path / str(stop)
        env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        done = run_python("-c", KILLED, place, stop, env=env)
        kept = CheckpointDirectory(place)
        found = [file.read() for _number, file in kept.files()]
        assert done.returncode in (0, -signal.SIGKILL) and found in ([], [b"first half\nsecond half\n"])
        if not found:
            with kept.draft() as draft:
                draft.write(b"another\n")
                assert kept.add(1, draft)
    assert done.returncode == -signal.SIGKILL
