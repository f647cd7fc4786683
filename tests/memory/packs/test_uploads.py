"""Packs that come through a page are taken in behind it, some at a time; what a kill leaves is cleaned up."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django_q.models import OrmQ

from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackEdge, PackNode, PackVector
from memory.packs import importer, spool, uploads, vectors
from memory.packs import store as writing
from memory.packs.importer import Audience
from memory.packs.removal import SILENT, TABLES, remove_abandoned
from memory.packs.search import search_packs
from memory.packs.spool import kept_upload, upload_waits
from memory.packs.uploads import import_waiting, receive, upload_state
from memory.packs.vectors import embed_some
from tests.factories import NOW, make_student
from tests.memory.packs.making import (
    MODEL,
    PASSPHRASE,
    NumbersEmbedder,
    line,
    link,
    manifest,
    node,
    pack_file,
    take_in,
    vector_of,
    with_lines,
)
from tests.racing import Killed

pytestmark = pytest.mark.spec("K6")


def upload(file=None, *, by="root"):
    staff = make_student(by, role="staff").person
    return receive(file or pack_file(), audience=Audience(), actor=staff, now=NOW, passphrase=PASSPHRASE)


def counts(space):
    with space_scope(space):
        return [model.objects.for_space(space).count() for model in (Pack, *TABLES)]


def chained(number):
    return [node(f"fact.n{at:03}", links=[link(f"fact.n{(at + 1) % number:03}")]) for at in range(number)]


@pytest.mark.django_db
def test_what_could_not_be_kept_is_as_if_it_never_came(monkeypatch):
    """Where the disk is full nothing is left, not the space either, so that the same pack is taken in when there is room; nor is there when
    it is full after rows were written."""

    def fail(*given):
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(spool.shutil, "copyfileobj", fail)
        with pytest.raises(OSError, match="disk"):
            upload()
    with monkeypatch.context() as patch:
        patch.setattr(writing.PackWriter, "_write_words", fail)
        with pytest.raises(OSError, match="disk"):
            take_in()
    assert not Space.objects.filter(kind="pack").exists()
    assert upload_state(upload(by="another")).goes_on


@pytest.mark.django_db
def test_a_refusal_that_is_cut_short_keeps_its_reason(monkeypatch):
    """A node that cannot be is found by the worker, which is killed while it removes the rest; the next time nothing is left."""
    space = upload(with_lines(line("fact.a"), line("fact.a")))

    def kill(space):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(uploads, "remove_rows", kill)
        with pytest.raises(Killed):
            import_waiting(space, embedder=NumbersEmbedder())
    assert upload_waits(space)
    import_waiting(space, embedder=NumbersEmbedder())
    state = upload_state(space)
    assert state.pack is None and state.reason.startswith("Node 2")
    assert not Space.objects.filter(pk=space).exists() and not upload_waits(space)
    assert counts(space) == [0, 0, 0, 0, 0]


@pytest.mark.django_db
def test_an_upload_goes_on_where_it_stopped(monkeypatch):
    """With no time left after each batch, the job queues itself, and in the end everything is there once. While it waits, nothing beside
    the file shows a word, and without the worker's key nothing opens it."""
    monkeypatch.setattr(writing, "NODE_BATCH", 7)
    monkeypatch.setattr(writing, "EDGE_BATCH", 7)
    space = upload(pack_file(chained(30)))
    rounds = 0
    while upload_state(space).goes_on:
        with kept_upload(space) as (_stream, file_key):
            kept = {
                file.suffix: file.read_bytes()
                for file in Path(settings.KEY_STORE_DIR).glob(f"packs/{space}.*")
            }
        assert kept.keys() == {".kpack", ".key"}
        assert not any(b"fact" in raw or file_key in raw for raw in kept.values())
        rounds += 1
        # Each job gets through three batches: asked the fourth time, its time is over.
        left = iter([False] * 3)
        monkeypatch.setattr(writing.PackWriter, "_is_over", lambda self, left=left: next(left, True))
        import_waiting(space, embedder=NumbersEmbedder())
        assert rounds < 10
    with space_scope(space):
        rows = PackNode.objects.for_space(space).order_by("position")
        assert list(rows.values_list("position", "path")) == [(at, f"fact.n{at:03}") for at in range(30)]
        assert PackEdge.objects.for_space(space).count() == 30 == PackVector.objects.for_space(space).count()
    assert rounds > 2
    assert search_packs([space], vector=vector_of("fact.n007"), model=MODEL, k=1)[0].path == "fact.n007"


@pytest.mark.django_db
def test_a_pack_of_another_model_is_embedded_here(monkeypatch):
    """Foreign vectors are not used: nobody finds the pack until a job has embedded it with this site's model. Out of time, the job queues
    the next; what was embedded is not embedded again."""
    embedder = NumbersEmbedder("ours/8")
    pack = take_in(embedder=embedder)
    assert (pack.state, embedder.asked) == ("embedding", [])
    assert OrmQ.objects.get().name() == f"embed_pack:{pack.space_id}"
    assert search_packs([pack.space_id], vector=vector_of("x"), model="ours/8", words="file") == []
    with monkeypatch.context() as over:
        over.setattr(vectors, "SECONDS", -1)
        assert not embed_some(pack.space_id, now=NOW, embedder=embedder)
    assert OrmQ.objects.count() == 2 and embedder.asked == []
    assert embed_some(pack.space_id, now=NOW, embedder=embedder)
    assert search_packs([pack.space_id], vector=vector_of("x"), model="ours/8", words="file")
    assert len(embedder.asked) == 3
    assert embed_some(pack.space_id, now=NOW, embedder=embedder) and len(embedder.asked) == 3


def test_what_a_killed_import_left_is_removed(committed, monkeypatch):
    """A kill runs no clean-up: the rows stay, unseen, until the job finds that nobody works on them any more."""

    def kill(*arguments, **options):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(writing.PackWriter, "_write_words", kill)
        patch.setattr(importer, "remove_rows", lambda space: None)
        with pytest.raises(Killed):
            take_in()
    (space,) = Space.objects.filter(kind="pack").values_list("pk", flat=True)
    assert counts(space)[:3] == [1, 2, 3]
    assert search_packs([space], vector=vector_of("pattern.with"), model=MODEL, words="file") == []
    touched = Pack.objects.using("metadata").get(space_id=space).touched_at
    assert remove_abandoned(now=touched + SILENT) == 0
    assert remove_abandoned(now=touched + SILENT + timedelta(seconds=1)) == 1
    assert not Space.objects.filter(kind="pack").exists()
    assert not any(model.objects.using("owner").exists() for model in (Pack, *TABLES))


def test_what_a_killed_page_left_is_removed(committed, monkeypatch):
    """A kill while the file is kept leaves part of it without a key: it goes with its space."""

    def kill(store, *arguments):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(type(get_key_store()), "seal_for_worker", kill)
        patch.setattr(uploads, "remove_rows", lambda space: None)
        with pytest.raises(Killed):
            upload()
    (space,) = Space.objects.filter(kind="pack").values_list("pk", flat=True)
    (left,) = Path(settings.KEY_STORE_DIR).glob(f"packs/{space}.*")
    assert left.suffix == ".kpack" and not upload_waits(space)
    touched = Pack.objects.using("metadata").get(space_id=space).touched_at
    assert remove_abandoned(now=touched + SILENT + timedelta(seconds=1)) == 1
    assert not left.exists() and not Space.objects.filter(pk=space).exists()


def test_lost_jobs_are_queued_again(committed):
    """An upload or an embedding whose job was lost goes on; a ready pack is left alone."""
    ready = take_in()
    other = take_in(name="other", embedder=NumbersEmbedder("ours/8"))
    waiting = upload(pack_file(about=manifest(id="third")))
    OrmQ.objects.all().delete()
    assert remove_abandoned(now=ready.touched_at + timedelta(days=400)) == 0
    names = {job.name() for job in OrmQ.objects.all()}
    assert names == {f"embed_pack:{other.space_id}", f"import_upload:{waiting}"}
    uploads.forget_upload(waiting)
