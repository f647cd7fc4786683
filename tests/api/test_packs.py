"""Knowledge packs over the REST API: looked at, mounted, searched, taken in and removed."""

from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django_q.models import OrmQ

from companion_site.accounts.models import School
from companion_site.accounts.tokens import Scope
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.api import packs
from memory.models import Pack
from memory.packs.spool import upload_waits
from memory.packs.uploads import import_waiting
from tests.api.conftest import V1, make_program
from tests.api.content import NO_ID, problem
from tests.cases import cases
from tests.factories import make_access, make_business_user
from tests.memory.agents.conftest import make_agent
from tests.memory.packs.making import (
    PASSPHRASE,
    NumbersEmbedder,
    line,
    manifest,
    pack_file,
    shell,
    take_in,
    with_lines,
)

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10", "K6")]


def taken_in(name="everybody", **whose) -> str:
    """Take a pack in by the command; return its id."""
    return str(take_in(name=name, **whose).space_id)


@pytest.fixture
def ada(db):
    return make_access("ada", school=School.objects.create(name="North"))


@pytest.fixture
def program(ada):
    return make_program(ada, Scope.PACKS)


@pytest.fixture
def agent(ada):
    return make_program(ada, Scope.PACKS, key=make_agent(ada.key).key)


def upload(program, file=None, key=None, **form):
    """Send a pack as a form does."""
    raw = (file or pack_file()).getvalue()
    form = {"passphrase": PASSPHRASE, "pack": SimpleUploadedFile("a.kpack", raw), **form}
    form = {name: part for name, part in form.items() if part is not None}
    headers = {"Authorization": f"Bearer {program.text}", **({"Idempotency-Key": key} if key else {})}
    return Client().post(V1 + "packs/uploads", form, headers=headers)


def keys(answer):
    assert answer.status_code == 200, answer.content
    return {item["key"] for item in answer.json()["items"]}


def test_a_person_sees_the_packs_that_they_may_mount(ada, program, agent):
    """Their own, their school's, everybody's, with what they say of themselves; others are not there. Agents see the same."""
    other, firm = make_access("eve").person, make_business_user("bo").company
    own, unready = taken_in("own", owner=ada.person), taken_in("unready")
    with space_scope(UUID(unready)):
        Pack.objects.for_space(UUID(unready)).update(state=Pack.State.EMBEDDING)
    for name, whose in (("school", {"school_id": ada.person.school_id}), ("everybody", {})):
        taken_in(name, **whose)
    foreign = [
        taken_in("stranger", owner=other),
        taken_in("south", school_id=School.objects.create(name="South").pk),
        taken_in("firm", company_id=firm.pk),
        unready,
    ]
    assert keys(program.get("packs")) == {"own", "school", "everybody"} == keys(agent.get("packs"))
    shown = program.get(f"packs/{own}").json()
    assert shown["nodes"] == 3 and shown["domain_tags"] == ["python"] and len(shown["checksum"]) == 64
    for pack in (*foreign, str(other.space_id), str(ada.space), NO_ID):
        for method, after in (("GET", ""), ("POST", "/mount"), ("POST", "/unmount"), ("DELETE", "")):
            problem(program.ask(method, f"packs/{pack}{after}"), 404, "not-found")
    page = program.get("packs?limit=2").json()
    rest = program.get(f"packs?limit=2&cursor={page['next']}").json()
    assert len(page["items"]) == 2 and len(rest["items"]) == 1 and rest["next"] is None


def test_a_space_mounts_searches_and_unmounts(program, agent):
    """What it mounted is found in, by itself alone; unmounted it is not. Twice is once."""
    pack = taken_in()
    for _time in range(2):
        assert program.post(f"packs/{pack}/mount").json()["id"] == pack
    assert keys(program.get("packs/mounted")) == {"everybody"} and keys(agent.get("packs/mounted")) == set()
    body = {"query": "a file is closed", "k": 2}
    found = program.post("packs/search", body).json()["items"]
    assert found[0]["node"]["id"] == "skill.python.files" and found[0]["pack"] == pack and len(found) <= 2
    assert found[0]["lexical"] > 0
    only = program.post("packs/search", {**body, "types": ["pattern"]}).json()["items"]
    assert {hit["node"]["type"] for hit in only} <= {"pattern"}
    assert agent.post("packs/search", body).json() == {"items": []}
    assert program.post(f"packs/{pack}/unmount").status_code == 204
    problem(program.post(f"packs/{pack}/unmount"), 404, "not-found")
    assert program.post("packs/search", body).json() == {"items": []}


def test_an_upload_becomes_a_pack_of_the_person_s_own(ada, program):
    """It is told how far it is; once it is ready it can be mounted, by an agent of theirs too, and by nobody else."""
    answer = upload(program)
    assert answer.status_code == 202, answer.content
    told = answer.json()
    assert told["state"] == "importing" and told["nodes"] == 3 and told["done"] == 0
    assert answer["Location"].endswith(f"/packs/uploads/{told['id']}")
    assert [job.name() for job in OrmQ.objects.all()] == [f"import_upload:{told['id']}"]
    problem(program.get(f"packs/{told['id']}"), 404, "not-found")
    import_waiting(UUID(told["id"]), embedder=NumbersEmbedder())
    done = program.get(f"packs/uploads/{told['id']}").json()
    assert (done["state"], done["done"], done["reason"]) == ("ready", 3, "") and not upload_waits(
        UUID(told["id"])
    )
    assert Space.objects.get(pk=told["id"]).owner_id == ada.person.pk
    assert program.post(f"packs/{told['id']}/mount").status_code == 200
    eve = make_program(make_access("eve"), Scope.PACKS)
    for path in (f"packs/uploads/{told['id']}", f"packs/{told['id']}"):
        problem(eve.get(path), 404, "not-found")


def test_an_upload_that_is_refused_behind_the_page_says_why(program):
    """Nothing is left of it but the reason, for whoever sent it."""
    told = upload(program, with_lines(line("fact.a"), line("fact.a"))).json()
    import_waiting(UUID(told["id"]), embedder=NumbersEmbedder())
    done = program.get(f"packs/uploads/{told['id']}").json()
    assert done["state"] == "refused" and done["reason"].startswith("Node 2")
    assert not Space.objects.filter(pk=told["id"]).exists()


@cases(
    ("file", "form", "status", "code"),
    [
        (pack_file, {"passphrase": "another"}, 422, "pack.wrong-key"),
        (pack_file, {"passphrase": None}, 422, "pack.wrong-key"),
        (lambda: shell([b"nothing"]), {}, 422, "pack.damaged"),
        (pack_file, {"pack": SimpleUploadedFile("a.kpack", b"PK\x03\x04")}, 422, "pack.unknown"),
        (pack_file, {"pack": SimpleUploadedFile("a.kpack", b"")}, 400, "api.bad-request"),
        (pack_file, {"pack": "no file"}, 400, "api.bad-request"),
        (pack_file, {"pack": None}, 400, "api.bad-request"),
        (pack_file, {"owner": "eve"}, 400, "api.bad-request"),
        (pack_file, {"passphrase": ["one", "two"]}, 400, "api.bad-request"),
        (pack_file, {f"more{at}": "x" for at in range(1100)}, 400, "api.bad-request"),
        (pack_file, {"passphrase": "x" * 1001}, 400, "api.bad-request"),
    ],
)  # fmt: skip
def test_what_is_no_pack_leaves_nothing(program, file, form, status, code):
    """It is refused at once, with its reason; no space, no file and no job is left."""
    before = set(Path(settings.KEY_STORE_DIR).glob("packs/*"))
    problem(upload(program, file(), **form), status, code)
    assert set(Path(settings.KEY_STORE_DIR).glob("packs/*")) == before
    assert not Space.objects.filter(kind=Space.Kind.PACK).exists()
    assert not OrmQ.objects.filter(payload__contains="import_upload").exists()


def test_a_form_that_is_cut_short_or_none_is_refused(program):
    """Half a form, JSON, nothing at all."""
    bearer = {"HTTP_AUTHORIZATION": f"Bearer {program.text}"}
    kind = "multipart/form-data; boundary=x"
    half = b'--x\r\nContent-Disposition: form-data; name="pack"; filename="a"\r\n\r\nKPACK'
    for body, media, status, code in (
        (half, kind, 400, "api.bad-request"),
        (b"--x", kind, 400, "api.bad-request"),
        (b"", kind, 400, "api.bad-request"),
        (half, "multipart/form-data", 400, "api.bad-request"),
        (b"{}", "application/json", 415, "api.not-a-form"),
        (b"KPACK", "application/octet-stream", 415, "api.not-a-form"),
    ):
        problem(
            Client().generic("POST", V1 + "packs/uploads", body, content_type=media, **bearer), status, code
        )


def test_the_same_pack_is_not_taken_in_twice(program):
    """Sent again because no answer came, its key brings the first answer back; without one it is there already."""
    file = pack_file()
    first, again = (upload(program, file, key="k") for _time in range(2))
    assert first.status_code == again.status_code == 202 and first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true" and again["Location"] == first["Location"]
    problem(upload(program, shell([b"another"]), key="k"), 422, "api.key-reused")
    problem(upload(program), 422, "pack.there")


def test_what_may_be_uploaded_is_bounded(program, monkeypatch, settings):
    """How large a file is, also where a server takes it in; how many packs there are, until one is removed; and how often, as of replies."""
    settings.API_REPLIES_PER_MINUTE = 4
    monkeypatch.setattr(packs, "MOST_MOUNTED", 1)
    first, other = upload(program).json()["id"], pack_file(about=manifest(id="other"))
    problem(upload(program, other), 422, "pack.too-many")
    assert program.ask("DELETE", f"packs/{first}").status_code == 204
    monkeypatch.setattr(packs, "PACK_BYTES", 100)
    problem(upload(program, other), 413, "api.too-large")
    assert not Space.objects.filter(kind=Space.Kind.PACK, closed_at__isnull=True).exists()
    monkeypatch.undo()
    assert upload(program, other).status_code == 202
    problem(upload(program, passphrase="guess"), 429, "api.too-many")


def test_a_person_removes_a_pack_of_their_own(ada, program, agent):
    """Nobody else's, and an agent's token removes none; its upload is then not there either."""
    own, everybody = upload(program).json()["id"], taken_in()
    import_waiting(UUID(own), embedder=NumbersEmbedder())
    program.post(f"packs/{own}/mount")
    problem(agent.ask("DELETE", f"packs/{own}"), 404, "not-found")
    problem(program.ask("DELETE", f"packs/{everybody}"), 404, "not-found")
    assert program.ask("DELETE", f"packs/{own}").status_code == 204
    assert keys(program.get("packs/mounted")) == set() and not upload_waits(UUID(own))
    problem(program.get(f"packs/uploads/{own}"), 404, "not-found")
    with space_scope(UUID(everybody)):
        assert Pack.objects.for_space(UUID(everybody)).exists()
