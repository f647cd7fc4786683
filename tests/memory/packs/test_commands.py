"""Packs on the command line."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from companion_site.accounts.models import School
from companion_site.embeddings.bundled import MODEL as BUNDLED
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import Pack
from memory.packs.crypto import site_public_key
from memory.packs.vectors import embed_some, index_model, index_name, list_indexes
from tests.cases import cases
from tests.factories import NOW
from tests.memory.packs.making import PASSPHRASE, NumbersEmbedder, pack_file

pytestmark = pytest.mark.spec("K6")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "pack.kpack").write_bytes(pack_file().getvalue())
    (tmp_path / "passphrase").write_text(f"{PASSPHRASE}\n")
    return tmp_path


def run(name, *arguments) -> str:
    told = io.StringIO()
    call_command(name, *map(str, arguments), stdout=told)
    return told.getvalue()


@pytest.mark.django_db
def test_a_pack_is_taken_in_and_given_out(files):
    """Taken in for a school under a passphrase, given out sealed to this site, taken in again for all by its key."""
    school = School.objects.create(name="North")
    opener = ("--passphrase-file", files / "passphrase")
    told = run("import_pack", files / "pack.kpack", "--school", "North", *opener)
    space = Space.objects.get(kind="pack")
    assert str(space.pk) in told and space.school_id == school.pk
    assert embed_some(space.pk, now=NOW)
    (files / "key").write_text(run("import_pack", "--public-key"))
    assert (files / "key").read_text().strip() == site_public_key().hex()
    run("export_pack", space.pk, files / "out.kpack", "--to", files / "key")
    run("import_pack", files / "out.kpack", "--sealed")
    assert Space.objects.filter(kind="pack").count() == 2
    other = Space.objects.filter(kind="pack", school_id=None).get().pk
    with space_scope(other):
        assert Pack.objects.for_space(other).get().state == "ready"


@pytest.mark.django_db
@cases(
    ("arguments", "told"),
    [
        (("missing.kpack",), "cannot be read"),
        (("passphrase",), "no knowledge pack"),
        (("pack.kpack", "--school", "South"), "no school"),
        (("pack.kpack", "--owner", "nobody"), "no person"),
    ],
)
def test_what_cannot_be_taken_in_is_told(files, arguments, told):
    file, *more = arguments
    with pytest.raises(CommandError, match=told):
        run("import_pack", files / file, "--passphrase-file", files / "passphrase", *more)
    assert not Space.objects.filter(kind="pack").exists()


def test_a_new_model_gets_an_index_of_its_own(committed):
    """An index is made once for each model; the bundled one's is there from the beginning."""
    other = NumbersEmbedder("another's model/8", 8)
    try:
        assert index_model(NumbersEmbedder(BUNDLED, 384)) is None
        assert index_model(other) == index_name(other.model)
        assert index_model(other) is None
        assert (index_name(other.model), other.model, True) in list(list_indexes())
        assert "there already" in run("index_packs")
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute(f'DROP INDEX IF EXISTS "{index_name(other.model)}"')
