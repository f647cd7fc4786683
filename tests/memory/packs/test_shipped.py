"""The packs that ship: there after a first start, once, whatever happens in the middle; a later edition takes over."""

import json
import shutil
from threading import Thread

import pytest
from django.core.management import call_command
from django.db import connection
from django_q.models import Failure, OrmQ

from companion_site.accounts.models import Person
from companion_site.audit.models import AuditEvent
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode
from memory.packs import shipped as shipping
from memory.packs.mounts import list_packs, mount, mounted
from memory.packs.removal import remove_pack
from memory.packs.shipped import TASK, editions, list_shipped, queue_shipped, take_in_shipped, take_over
from memory.packs.signatures import Voucher, voucher_of
from memory.packs.sources import SHIPPED, read_source
from memory.packs.tasks import embed_pack
from memory.packs.vectors import embed_some
from tests.factories import NOW, make_student, open_space
from tests.live import logged_in
from tests.memory.packs import making
from tests.memory.packs.making import NumbersEmbedder

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.spec("K6")]

TEA = """
["tea"]
type = "concept"
label = "Tea"
definition = "Leaves in hot water."
links = ["leads_to tea.green 0.7"]

["tea.green"]
type = "fact"
label = "Green"
definition = "{definition}"
"""


@pytest.fixture
def shipped(tmp_path):
    """A folder with one small pack."""
    folder = tmp_path / "shipped" / "tea"
    folder.mkdir(parents=True)
    about = {"id": "tea", "name": "Tea", "version": "1", "language": "en"}
    (folder / "pack.json").write_text(json.dumps(about), encoding="utf-8")
    write_tea(folder.parent, "Steam stops the leaves from browning.")
    return folder.parent


def write_tea(shipped, definition):
    (shipped / "tea" / "tea.toml").write_text(TEA.format(definition=definition), encoding="utf-8")


def only(shipped):
    """Return the edition of the one pack that ships."""
    (space,) = editions(shipped)
    return space


def take_in(shipped):
    """Take the one pack in to the end, as the worker does; return its space."""
    space = only(shipped)
    take_in_shipped(space, now=NOW, shipped=shipped)
    embed_some(space, now=NOW, embedder=NumbersEmbedder())
    take_over(space, now=NOW)
    return space


def renew(shipped):
    """Have a later edition taken in, which is not embedded yet; return its space."""
    write_tea(shipped, "It is steamed.")
    second = only(shipped)
    take_in_shipped(second, now=NOW, shipped=shipped)
    return second


def state_of(space):
    with space_scope(space):
        return Pack.objects.for_space(space).values_list("state", flat=True).first()


def test_what_ships_is_queued_at_a_first_start_and_taken_in_by_the_worker():
    """The start queues a job for each pack and reads none; the jobs write both packs, which are embedded by further jobs."""
    call_command("prepare", "--no-demo")
    assert [row.group() for row in OrmQ.objects.all()] == [TASK, TASK]
    assert Pack.objects.using("metadata").count() == 0
    for space, folder in editions().items():
        assert take_in_shipped(space, now=NOW)
        with space_scope(space):
            pack = Pack.objects.for_space(space).get()
            assert (pack.key, pack.state) == (folder.name, Pack.State.EMBEDDING)
            _about, nodes = read_source(folder)
            assert pack.node_count == len(nodes) == PackNode.objects.for_space(space).count()
            assert pack.edge_count == sum(len(node["links"]) for node in nodes)
        assert voucher_of(pack.signed_by) == Voucher.SITE
    assert sorted(row.group() for row in OrmQ.objects.all()) == sorted(
        [TASK, TASK, "memory.packs.tasks.embed_pack", "memory.packs.tasks.embed_pack"]
    )


def test_a_pack_is_taken_in_once_by_two_at_once(shipped):
    """Of two processes one takes it in; the other waits and finds it there."""
    space, told = only(shipped), []

    def run():
        try:
            told.append(take_in_shipped(space, now=NOW, shipped=shipped))
        finally:
            connection.close()

    threads = [Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [False, True]
    assert Space.objects.filter(kind=Space.Kind.PACK).count() == 1
    assert state_of(space) == Pack.State.EMBEDDING


def test_a_kill_in_the_middle_leaves_nothing_and_the_next_start_goes_on(shipped, monkeypatch):
    """Rows are written all or none; the edition is queued again, and taken in whole."""
    space = only(shipped)

    def die(self, read):
        PackWriter.write(self, read)
        raise KeyboardInterrupt

    PackWriter = shipping.PackWriter
    monkeypatch.setattr(shipping, "PackWriter", type("Dying", (PackWriter,), {"write": die}))
    with pytest.raises(KeyboardInterrupt):
        take_in_shipped(space, now=NOW, shipped=shipped)
    monkeypatch.undo()
    assert not Space.objects.filter(pk=space).exists()
    assert queue_shipped(shipped=shipped) == [space]
    assert take_in(shipped) == space and state_of(space) == Pack.State.READY


@pytest.mark.parametrize("change", ["words", "manifest", "file"])
def test_a_later_edition_takes_the_earlier_one_s_place_where_that_is_mounted(shipped, change):
    """Any change is another edition. Until it is ready the earlier one is read; then it is mounted in its place, on record."""
    first, key = take_in(shipped), open_space(make_student("ada").person)
    ada = Person.objects.get(username="ada")
    mount(key, first, person=ada, now=NOW)
    before = Space.objects.get(pk=key.space).version
    if change == "words":
        write_tea(shipped, "It is steamed.")
    elif change == "manifest":
        about = {"id": "tea", "name": "Tea, renewed", "version": "2", "language": "en"}
        (shipped / "tea" / "pack.json").write_text(json.dumps(about), encoding="utf-8")
    else:
        (shipped / "tea" / "more.toml").write_text(
            '["tea.black"]\ntype="fact"\nlabel="Black"\ndefinition="Dark."\n'
        )
    second = only(shipped)
    assert second != first and queue_shipped(shipped=shipped) == [second]
    take_in_shipped(second, now=NOW, shipped=shipped)
    take_over(second, now=NOW)
    assert [pack.space_id for pack in mounted(key.space)] == [first]
    embed_some(second, now=NOW, embedder=NumbersEmbedder())
    assert take_over(second, now=NOW) == 1
    assert [pack.space_id for pack in mounted(key.space)] == [second] == [p.space_id for p in list_packs(ada)]
    assert not Space.objects.filter(pk=first).exists()
    assert Space.objects.get(pk=key.space).version > before
    event = AuditEvent.objects.get(chain=key.space, action="memory.pack_renewed")
    assert event.data == {"pack": str(second), "before": str(first)}
    assert take_over(second, now=NOW) == 0 and queue_shipped(shipped=shipped) == []


def test_others_packs_are_left_alone_and_both_mounted_is_mounted_once(shipped):
    """A pack that somebody took in under the same id is no edition, and nothing takes its place. Who has mounted the later edition
    already keeps one mount."""
    theirs = making.take_in(name="tea")
    first, key = take_in(shipped), open_space(make_student("ada").person)
    ada = Person.objects.get(username="ada")
    assert {pack.space_id for pack in list_packs(ada)} == {theirs.space_id, first}
    assert take_over(theirs.space_id, now=NOW) == 0
    second = renew(shipped)
    embed_some(second, now=NOW, embedder=NumbersEmbedder())
    for pack in (first, second):
        mount(key, pack, person=ada, now=NOW)
    take_over(second, now=NOW)
    assert [pack.space_id for pack in mounted(key.space)] == [second]


def test_a_source_that_is_wrong_fails_by_itself(shipped):
    """Nothing is written, and the page of the admin says when it failed. A job for an edition that this code does not ship does nothing."""
    (shipped / "tea" / "tea.toml").write_text('["tea"]\ntype = "concept"\n', encoding="utf-8")
    space = only(shipped)
    with pytest.raises(Exception, match="needs label"):
        take_in_shipped(space, now=NOW, shipped=shipped)
    assert not Space.objects.filter(pk=space).exists()
    named = {"name": f"take_in_shipped:{space}", "func": TASK, "group": TASK}
    Failure.objects.create(id="f" * 32, **named, started=NOW, stopped=NOW, success=False)
    (one,) = list_shipped(shipped)
    assert (one.pack, one.failed_at, one.is_ready) == (None, NOW, False)
    shutil.rmtree(shipped / "tea")
    assert not take_in_shipped(space, now=NOW, shipped=shipped)
    assert not Space.objects.filter(pk=space).exists()


def test_what_an_administrator_removed_stays_away(shipped, monkeypatch):
    """Until it is asked for again. Once a later edition is embedded, its job has it take over."""
    space = take_in(shipped)
    remove_pack(space, actor=None, now=NOW)
    assert queue_shipped(shipped=shipped) == []
    assert queue_shipped(again=True, shipped=shipped) == [space]
    assert take_in(shipped) == space and state_of(space) == Pack.State.READY
    assert queue_shipped(shipped=shipped) == []
    second = renew(shipped)
    monkeypatch.setattr("memory.packs.vectors.get_embedder", NumbersEmbedder)
    embed_pack(str(second))
    assert not Space.objects.filter(pk=space).exists() and state_of(second) == Pack.State.READY


def test_the_admin_s_page_tells_how_far_they_are():
    """Waiting, being embedded with how many are done, ready, removed."""
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    staff = logged_in("root")

    def page():
        return staff.get("/admin/memory/pack/").text

    assert page().count("waits for the worker") == len(editions()) == 2
    space = next(iter(editions(SHIPPED)))
    take_in_shipped(space, now=NOW)
    assert "being embedded, 0 of" in page() and 'hx-select="#shipped"' in page()
    embed_some(space, now=NOW, embedder=NumbersEmbedder())
    assert "ready, " in page() and 'hx-select="#shipped"' not in page()
    remove_pack(space, actor=None, now=NOW)
    assert "removed by an administrator" in page()
