"""The restore drill: yesterday's dump and keys on an empty machine open everything, and neither opens anything alone."""

import json
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold
from tests.admin.rows import SECRET
from tests.running.machine import Machine

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def machines(tmp_path_factory) -> Iterator:
    with ExitStack() as over:

        def make(var: Path | None = None, **settings: str) -> Machine:
            var = var or tmp_path_factory.mktemp("m")
            over.callback(hold(Cluster(var)).release)
            machine = Machine(var, settings)
            over.callback(machine.end)
            return machine

        yield make


@pytest.fixture(scope="module")
def lived(machines, tmp_path_factory):
    """A site with a row of everything, its two copies, and what its people could read when they were made."""
    tmp_path = tmp_path_factory.mktemp("copies")
    site = machines(AUDIT_CHECKPOINT_DIR=str(tmp_path / "checkpoints"))
    site.manage("prepare", "--no-demo")
    site.drill("fill")
    said = [site.manage("backup", tmp_path / "dumps"), site.manage("backup", "--keys", tmp_path / "keys")]
    dump, keys = (Path(text.split()[0]) for text in said)
    before = site.drill("look")
    shutil.copytree(tmp_path / "checkpoints", tmp_path / "checkpoints-of-yesterday")
    return site, dump, keys, before


@pytest.fixture
def yesterday(lived, machines, tmp_path):
    """The site and its copies, with the checkpoints that there were by then; what is restored adds its own to them."""
    site, dump, keys, before = lived
    kept = Path(site.settings["AUDIT_CHECKPOINT_DIR"]).with_name("checkpoints-of-yesterday")
    more = {"AUDIT_CHECKPOINT_DIR": shutil.copytree(kept, tmp_path / "checkpoints").as_posix()}
    return machines(site.var, **more), dump, keys, before


def test_without_the_keys_nothing_opens_and_with_them_everything_does(yesterday, machines):
    """No start, no reading and no new keys beside the right ones, until those are put back; then students read their memory, the
    company's is there, nothing was lost on the way, and neither part is taken in over what is there."""
    site, dump, keys, before = yesterday
    assert any(SECRET in text for text in before["ada0"]) and before["company"] and before["locked"] == []
    other = machines(**site.settings)
    assert "holds no keys" in other.refused("restore", "--database", dump)
    assert "holds no keys" in other.refused("prepare", "--no-demo")
    assert not list((other.var / "keys").glob("*.salt"))
    told = other.drill("ready")
    assert (told["ready"], told["keys"]) == (False, False)
    seen = other.drill("look")
    assert sorted(seen["locked"]) == ["ada0", "erin"] and SECRET not in json.dumps([*seen])
    assert "have no key here" in other.refused("check_keys")
    other.manage("restore", "--keys", keys)
    after = other.drill("look")
    assert after["events"] >= before["events"]
    assert (bool(before["sessions"]), after["sessions"]) == (True, 0), "sessions hold half a key each"
    assert {**after, "events": 0, "sessions": 0} == {**before, "events": 0, "sessions": 0}
    assert "not empty" in other.refused("restore", "--database", dump)
    assert "keys in" in other.refused("restore", "--keys", keys)


def test_other_keys_are_told_from_the_right_ones(yesterday, machines, tmp_path):
    """A key store of another site is refused, and whoever has lost the keys for good may begin anew, knowing it."""
    _, dump, _, before = yesterday
    stranger = machines()
    stranger.manage("prepare", "--no-demo")
    stranger.run("-m", "tests.e2e.people", "somebody")
    stranger.manage("backup", "--keys", tmp_path / "others")
    (wrong,) = (tmp_path / "others").glob("*.tar")
    other = machines()
    assert "holds other keys" in other.refused("restore", "--database", dump, "--keys", wrong)
    assert "closed for good" in other.manage("check_keys", "--give-up")
    other.manage("prepare", "--no-demo")
    seen = other.drill("look")
    assert sorted(seen["locked"]) == ["ada0", "erin"] and seen["company"] == before["company"]


def test_what_was_erased_since_stays_erased(yesterday, machines):
    """A memory that its person gave up after the copies were made is not brought back by them; the record verifies all the same."""
    site, dump, keys, before = yesterday
    assert "erin" in before
    site.drill("erase")
    site.manage("checkpoint_audit")
    other = machines(**site.settings)
    told = other.manage("restore", "--database", dump, "--keys", keys)
    assert "all hold" in told and "have their keys" in told
    after = other.drill("look")
    assert after["locked"] == ["erin"] and after["ada0"] == before["ada0"]


def test_the_copies_are_private_and_kept_apart(yesterday, machines, tmp_path):
    """Nobody else reads them; a dump holds no session, no key and no readable word; the two never share a directory."""
    site, dump, keys, _ = yesterday
    assert {oct(path.stat().st_mode & 0o777) for path in (dump, keys)} == {"0o600"}
    assert "apart" in site.refused("backup", keys.parent)
    assert "apart" in site.refused("backup", "--keys", dump.parent)
    with tarfile.open(keys) as archive:
        files = {entry.name: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
    assert "keys/institution.salt" in files
    erasure_keys = [content for name, content in files.items() if name.startswith("keys/erasure/")]
    raw = dump.read_bytes()
    assert erasure_keys and not any(key in raw for key in erasure_keys)
    damaged = tmp_path / "damaged.dump"
    damaged.write_bytes(raw[: len(raw) // 2])
    link = tmp_path / "hostile.tar"
    with tarfile.open(link, "w") as archive:
        entry = tarfile.TarInfo("keys/../../outside")
        archive.addfile(entry)
    empty = machines()
    assert "no archive of keys" in empty.refused("restore", "--keys", link)
    assert not list(empty.var.rglob("outside"))
    assert "pg_restore failed" in empty.refused("restore", "--database", damaged)


def test_a_server_of_one_s_own_is_copied_by_its_administrator(yesterday, machines, tmp_path):
    """The site's own roles see no rows of spaces, so a copy by them is refused rather than made without rows."""
    site, *_ = yesterday
    cluster = Cluster(site.var)
    own = machines(site.var, **site.settings, **cluster.urls())
    assert "DATABASE_ADMIN_URL" in own.refused("backup", tmp_path / "more")
    url = cluster.urls()["DATABASE_OWNER_URL"]
    admin = url.replace("companion_owner:" + cluster.password("companion_owner"), "postgres")
    refused = own.refused("backup", tmp_path / "more", DATABASE_ADMIN_URL=url)
    assert "row-level security" in refused
    assert not list((tmp_path / "more").glob("*.dump"))
    assert own.manage("backup", tmp_path / "more", DATABASE_ADMIN_URL=admin)
