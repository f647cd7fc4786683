"""Whatever is done to the record by who holds no key of it is found: thousands of times on rows, and through the database itself."""

import os
import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from bench.tampering import KINDS, Attacker, count_found, find_in, make_record
from companion_site.audit.chain import START, Promise, event_hash
from companion_site.audit.checkpoint_services import make_checkpoint, replay_kept, rotate_keys
from companion_site.audit.checkpoints import SortedPromises
from companion_site.audit.keys import get_audit_keys
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import COLUMNS, stream_events
from companion_site.ids import new_id
from tests.audit.record import find, write
from tests.factories import NOW
from tests.processes import run_python

pytestmark = pytest.mark.spec("E3")
#: What the owner of the tables does to the event that `{}` names.
TAMPERINGS = {
    "action": "UPDATE audit_auditevent SET action = 'memory.forgotten' WHERE {}",
    "time": "UPDATE audit_auditevent SET at = at - interval '1 microsecond' WHERE {}",
    "actor": "UPDATE audit_auditevent SET actor_id = gen_random_uuid(), actor_label = 'staff' WHERE {}",
    "data": "UPDATE audit_auditevent SET data = data || '{{\"count\": 99}}' WHERE {}",
    "id": "UPDATE audit_auditevent SET id = gen_random_uuid() WHERE {}",
    "key": "UPDATE audit_auditevent SET key = key + 1 WHERE {}",
    "no key": "UPDATE audit_auditevent SET key = 0, seal = '' WHERE {}",
    "seal": "UPDATE audit_auditevent SET seal = decode(md5(random()::text) || md5(random()::text), 'hex') WHERE {}",
    "hash": "UPDATE audit_auditevent SET hash = sha256(hash) WHERE {}",
    "previous hash": "UPDATE audit_auditevent SET previous_hash = sha256(hash) WHERE {}",
    "row": "DELETE FROM audit_auditevent WHERE {}",
    "tail": "DELETE FROM audit_auditevent WHERE chain = '{chain}' AND position >= {position}",
    "chain": "DELETE FROM audit_auditevent WHERE chain = '{chain}'",
    "everything": "TRUNCATE audit_auditevent",
    "moved": "UPDATE audit_auditevent SET chain = gen_random_uuid() WHERE {}",
    "pushed back": "UPDATE audit_auditevent SET position = position + 100 WHERE {}",
    "repeated": "INSERT INTO audit_auditevent (id, chain, position, at, action, "
    "actor_id, actor_label, subject_type, subject_id, data, key, previous_hash, hash, seal) SELECT gen_random_uuid(), chain, 7, at, action, "
    "actor_id, actor_label, subject_type, subject_id, data, key, hash, sha256(hash), seal FROM audit_auditevent WHERE {}",
}


@pytest.mark.slow
def test_two_thousand_tamperings_are_all_found():
    """Of every kind, at random places, in a record that has lived: none passes, and no untouched record is accused."""
    table = list(count_found(2000))
    print("\n".join(f"{kind:45} {tried:5} {found:5}" for kind, tried, found in table))  # noqa: T201
    assert {kind: found for kind, _tried, found in table} == {kind: tried for kind, tried, _found in table}
    assert sum(tried for _kind, tried, _found in table) == 2000 and len(table) == len(KINDS)
    assert not any(find_in(make_record(random.Random(seed))) for seed in range(50))


def test_without_the_audit_key_everything_up_to_the_last_checkpoint_is_still_found():
    """Who verifies with the public key alone misses only what was made up behind the last checkpoint."""
    rng, missed = random.Random(1), 0
    for kind in KINDS:
        for _ in range(5):
            record = make_record(rng)
            getattr(Attacker(record, rng), kind)()
            if not find_in(record, with_keys=False):
                behind = [
                    event
                    for name, chain in record.chains.items()
                    for event in chain[: record.seen.get(name, 0)]
                    if event.values["position"] > record.seen.get(name, 0)
                ]
                assert not behind
                missed += 1
    assert 0 < missed < len(KINDS)


def test_promises_are_sorted():
    """They come back in order, and each once."""
    rng = random.Random(1)
    made = [
        Promise(rng.randbytes(16), rng.randrange(1, 2**40), rng.randbytes(32), number) for number in range(50)
    ]
    promises = SortedPromises()
    for promise in [*made, *made[:20]]:
        promises.add(promise)
    assert list(promises) == sorted(made)


def test_what_the_owner_of_the_tables_does_is_found_through_the_database(committed, own_record):
    """Every kind at several places of three chains that began before the keys were replaced."""
    chains, rng = [new_id() for _ in range(3)], random.Random(1)
    for chain in chains:
        write(chain, 3)
    rotate_keys(now=NOW)
    for chain in chains:
        write(chain, 3)
    make_checkpoint(now=NOW)

    assert find() == []
    missed = []
    with connections["owner"].cursor() as owner:
        owner.execute("CREATE TABLE untouched AS SELECT * FROM audit_auditevent")
        try:
            for kind, statement in TAMPERINGS.items():
                for _ in range(4):
                    chain, position = rng.choice(chains), rng.randrange(1, 7)
                    place = f"chain = '{chain}' AND position = {position}"
                    owner.execute(statement.format(place, chain=chain, position=position))
                    if not find():
                        missed.append((kind, position))
                    owner.execute("TRUNCATE audit_auditevent")
                    owner.execute("INSERT INTO audit_auditevent SELECT * FROM untouched")
        finally:
            owner.execute("DROP TABLE untouched")
    assert missed == [] and find() == []


def test_an_event_without_a_key_is_found(committed, own_record):
    """Its hash fits, in a chain of its own or at the end of another; no checkpoint takes it at its word, the first neither."""

    def write_unkeyed(chain, position, previous):
        values = {
            "id": str(new_id()), "chain": str(chain), "position": position, "at": "2026-03-02T14:05:00.000000+00:00",
            "action": "memory.formed", "actor_id": None, "actor_label": "", "subject_type": "", "subject_id": None, "data": {},
        }  # fmt: skip
        digest = event_hash(previous, {**values, "key": 0})
        row = AuditEvent(**values, key=0, previous_hash=previous, hash=digest, seal=b"")
        row.save(using="default", force_insert=True)

    old, new = new_id(), new_id()
    write(old, 2)
    assert len(COLUMNS) == len(AuditEvent._meta.concrete_fields) and len(list(stream_events())) == 2
    write_unkeyed(new, 1, START)
    write_unkeyed(old, 3, bytes(AuditEvent.objects.get(chain=old, position=2).hash))
    for _ in range(2):
        assert {(one.chain, one.position) for one in find()} == {(new, 1), (old, 3)}
        make_checkpoint(now=NOW)


@pytest.mark.slow
def test_a_dump_is_verified_without_a_database(committed, own_record):
    """By the checkpoints and the public key alone; what is wrong is told by chain, position and kind."""
    chain = new_id()
    write(chain, 4)
    make_checkpoint(now=NOW)
    write(chain, 1)
    dump, checkpoints = own_record / "dump", own_record / "checkpoints"
    call_command("export_audit", str(dump))
    with pytest.raises(FileExistsError):
        call_command("export_audit", str(dump))
    public = get_audit_keys().public_key(1).hex()

    def offline(*more, key=public, errors=None):
        """Verify in this process; a question to the database fails."""
        out, told = StringIO(), StringIO()
        options = ["--offline", str(dump), "--checkpoints", str(checkpoints), "--public-key", key, *more]
        with connections["default"].execute_wrapper(refuse):
            try:
                call_command("verify_audit", *options, stdout=out, stderr=told)
            except CommandError as error:
                told.write(str(error))
        return out.getvalue(), told.getvalue()

    out, errors = offline()
    assert errors == "" and "5 events in 1 chains: all hold." in out and "1 events behind it" in out
    nowhere = "postgres://nobody:x@127.0.0.1:1/none"
    env = {**os.environ, "DATABASE_URL": nowhere, "VAR_DIR": str(own_record)}
    env |= {"DATABASE_OWNER_URL": nowhere, "DATABASE_METADATA_URL": nowhere}
    done = run_python("manage.py", "verify_audit", "--offline", dump, env=env)
    assert done.returncode == 0 and "There is no checkpoint" in done.stdout, done.stderr
    lines = dump.read_bytes().splitlines(keepends=True)
    edited = lines[1].replace(b"memory.formed", b"memory.gone")
    dump.write_bytes(lines[0] + edited + lines[2] + b"{\n" + b"[1, 2]\n" + b"\xff" * 2_000_000)
    _out, errors = offline("--audit-keys", str(own_record / "keys"))
    assert f"{chain} #2 [edited]" in errors and f"{chain} #4 [cut]" in errors
    assert all(f"#{number} [unreadable]" in errors for number in (4, 5, 6))
    dump.write_bytes(b"".join(lines))
    assert "[checkpoint signature]" in offline(key="11" * 32)[1]
    last = replay_kept().last
    assert last is not None and offline("--last", f"1:{last[1].hex()}")[1] == ""
    assert "[checkpoint missing]" in offline("--last", f"7:{last[1].hex()}")[1]
    for wrong in ("", "xyz", "11" * 31):
        assert "--public-key" in offline(key=wrong)[1]
    assert "cannot be read" in offline("--offline", str(own_record / "gone"))[1]


def refuse(*arguments):
    raise AssertionError("the database was asked")


def test_the_command_says_where_and_what(committed, own_record):
    """Chain, position and kind, and how many; and of what holds, up to where that is known."""
    chain, out, errors = new_id(), StringIO(), StringIO()
    write(chain, 3)
    call_command("verify_audit", stdout=out)
    assert "There is no checkpoint" in out.getvalue()
    make_checkpoint(now=NOW)
    call_command("verify_audit", stdout=out)
    assert "0 events behind it" in out.getvalue()
    call_command("verify_audit", space=chain, stdout=out)
    with pytest.raises(CommandError, match="There is no chain of"):
        call_command("verify_audit", space=new_id(), stdout=out)
    with connections["owner"].cursor() as owner:
        owner.execute("DELETE FROM audit_auditevent WHERE chain = %s AND position = 3", [chain])
    with pytest.raises(CommandError, match="1 broken place"):
        call_command("verify_audit", stderr=errors)
    assert f"{chain} #3 [cut]" in errors.getvalue()
