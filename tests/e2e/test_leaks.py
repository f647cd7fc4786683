"""After a life on the site, nothing that was said lies anywhere in the open: not in a table, not in a file, not in a log.

The same search over the same places must find words of a second set, which are planted in the open in each of them.
"""

import json
import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

import pytest

from tests.cases import cases
from tests.chat.attachments.samples import PLACE, photograph
from tests.e2e import dump
from tests.e2e.model import Model
from tests.e2e.people import PASSWORD
from tests.e2e.records import Records, connect
from tests.e2e.starting import environment, run_on, running
from tests.e2e.traces import Search
from tests.e2e.visitor import Talk, Visitor, Words
from tests.llm.wire_server import Act, WireRequest
from tests.running.site import Site, wait_until

STUDENT = "student-1"
#: Words of nobody's language, so that one found is one that leaked. Each stands for one way of saying something.
SAID = {
    "said in English": "quorvixtangle",
    "said in Swedish": "snöglöppsfjärilsåker",
    "in the title": "brälnäggsdimma",
    "in a failed job": "vrilbåtsköksö",
    "in a failed extraction": "plimsquorrelby",
    "in an error quoted back": "dröfveltrångsä",
    "in a refused message": "wexlumbarquit",
    "in a refused form": "hjulskräpsnäckö",
    "written by the model": "zämblorquistå",
    "a broken reply": "krylfjongbädda",
}
NAME = "in a file's name"
#: The same of what was attached.
ATTACHED: dict[str, str | bytes] = {
    "in an attached file": "gnistkrånglehavre",
    NAME: "plottersköldmås",
    "in a refused file": "kvistbrummelnatt",
    "in a file that was not kept": "trådskrindsbjörk",
    "where a picture was taken": PLACE,
}
TYPED = {"new password": "Grumsplåtverk-71-öst", "wrong password": "Nybblequark-wrong-88"}
#: Planted in the open, one in each place.
PLANTED = {
    "table": "planttablexqz",
    "statistics": "plantstatsxqz",
    "job": "plantjobxqz",
    "session": "plantsessionxqz",
    "channel": "plantchannelxqz",
    "compressed": "planttoastxqz",
    "binary": "plantbinaryxqz",
    "traceback": "planttracexqz",
    "server log": "plantserverlogxqz",
    "wal": "plantwalxqz",
    "file": "plantfilexqz",
}
PLANT = f"""
import django; django.setup()
import datetime, msgpack
from companion_site.accounts.sessions import SessionStore
from django.utils import timezone
from channels_postgres.models import Message
from django_q.tasks import async_task
store = SessionStore(); store["said"] = "{PLANTED["session"]} " * 40; store.save()
Message.objects.create(channel="x", message=msgpack.packb({{"said": "{PLANTED["channel"]}"}}),
    expire=timezone.now() + datetime.timedelta(hours=1))
async_task("builtins.int", "{PLANTED["traceback"]}")
async_task("builtins.str", "{PLANTED["job"]} " * 40, cluster="nobody")
"""
PLANT_SQL = """
CREATE TABLE planted (word text, packed text, raw bytea, often text);
INSERT INTO planted VALUES ('{table}', repeat('{compressed} ', 9000), convert_to('{binary}', 'UTF8'), '{statistics}');
INSERT INTO planted SELECT '', '', '', '{statistics}' FROM generate_series(1, 50);
SELECT pg_logical_emit_message(false, 'planted', '{wal}');
DO $$ BEGIN RAISE LOG '{server log}'; END $$;
"""


@dataclass
class TroubledModel(Model):
    """A model whose extractions can go wrong too."""

    extractions: deque[Act] = field(default_factory=deque)

    def _act_for(self, request: WireRequest) -> Act:
        if request.schema is not None and self.extractions:
            return self.extractions.popleft()
        return super()._act_for(request)


@dataclass
class Life:
    """What of a life was found in the open, by place: of what was said, and of what was planted."""

    rows: dict[str, set[str]]
    files: dict[str, set[str]]
    planted_rows: dict[str, set[str]]
    planted_files: dict[str, set[str]]


@pytest.fixture(scope="module")
def life(tmp_path_factory) -> Iterator[Life]:
    """Live on a site, plant words in the open, end the site, and search everything it has left."""
    place = tmp_path_factory.mktemp("leaks")
    with TroubledModel() as model:
        env = environment(place, model_url=model.url, JOB_RETRY_S="10", JOB_TIMEOUT_S="9")
        with running(place, env, [STUDENT]) as site:
            secrets = {**SAID, **ATTACHED, **TYPED, **_live(site, model)}
            _plant(site, env)
            dump.settle(site.var)
            rows = list(dump.tables(site.var))
        files = list(dump.files(site.var, site.output))
    search = Search({**secrets, **PLANTED})
    in_rows, in_files = _found(search.in_layers, rows), _found(search.in_bytes, files)
    yield Life(_of(secrets, in_rows), _of(secrets, in_files), _of(PLANTED, in_rows), _of(PLANTED, in_files))


def test_no_table_holds_a_word_that_was_said(life):
    """Every row of every table, statistics and activity included, with jobs, sessions and messages unpacked."""
    assert life.rows == {}


def test_no_file_holds_a_word_that_was_said(life):
    """Data files, write-ahead log, server log, the site's own output with its tracebacks, and everything else."""
    assert life.files == {}


@cases(
    ("place", "word"),
    [
        ("public.planted", "table"),
        ("public.planted", "compressed"),
        ("public.planted", "binary"),
        ("pg_catalog.pg_statistic", "statistics"),
        ("public.django_q_ormq", "job"),
        ("public.django_q_task", "traceback"),
        ("public.accounts_session", "session"),
        ("public.channels_postgres_message", "channel"),
    ],
)
def test_a_word_planted_in_a_table_is_found(life, place, word):
    """The search that found nothing finds what is there."""
    assert word in life.planted_rows[place]


@cases(
    ("pattern", "word"),
    [
        ("postgres/base/", "table"),
        ("postgres/pg_wal/", "table"),
        ("postgres/pg_wal/", "wal"),
        ("postgres/pg_wal/", "binary"),
        ("log/postgres.log", "server log"),
        ("output-", "traceback"),
        ("run/planted", "file"),
    ],
)
def test_a_word_planted_in_a_file_is_found(life, pattern, word):
    """The search that found nothing finds what is there."""
    found = [names for place, names in life.planted_files.items() if place.startswith(pattern)]
    assert word in set().union(*found)


def _live(site: Site, model: TroubledModel) -> dict[str, str | bytes]:
    """Live through a session and its troubles; return the secrets that only now are known."""
    visitor = Visitor(site, STUDENT)
    assert visitor.log_in(TYPED["wrong password"]) == 200
    assert visitor.log_in() == 302
    conversation = visitor.begin_conversation()
    with visitor.talk(conversation) as talk:
        _talk_at_ease(talk, model)
        _have_extractions_fail(talk, model)
        _have_a_job_fail(talk, site)
        _have_words_refused(talk, site)
        _attach(visitor, conversation, talk, site)
    with _refusing(site, "chat_message"):
        form = {"text": f"I told the form about {SAID['in a refused form']}"}
        assert visitor.post(f"/chat/{conversation}/say/", **form)[0] == 500
    code = _keys_of(visitor)
    status, _, _ = visitor.post(
        "/account/password/",
        current_password=PASSWORD,
        new_password=TYPED["new password"],
        repeat=TYPED["new password"],
    )
    assert status == 302
    with visitor.talk(conversation) as talk:
        model.script(Act(text=f"I know {SAID['a broken reply']} and more of it", cut_after=4))
        _exchange(talk, "Do you know something of what I have told you?", state="interrupted")
    key = Records(site.var, STUDENT, TYPED["new password"])
    _assert_it_was_lived(key, model)
    return {
        "data key": bytes(key.key.data_key),
        "cookie key": visitor.cookies["companion_key"].value,
        "recovery code": code,
        "recovery code as derived from": code.replace("-", ""),
    }


def _talk_at_ease(talk: Talk, model: TroubledModel) -> None:
    model.script(Act(text=f"That {SAID['written by the model']} sounds good", delay_s=0.2))
    _exchange(
        talk, f"I was born in {SAID['in the title']} in 1987, I am allergic to hazelnuts", remembered=True
    )
    _exchange(talk, f"My sister keeps a {SAID['said in English']} in Hamburg, I visit her", remembered=True)
    _exchange(talk, f"Jag har en {SAID['said in Swedish']} i Uppsala, jag är rädd för den", remembered=True)
    _exchange(talk, f"What do you remember of my {SAID['said in English'].upper()}?")


def _have_extractions_fail(talk: Talk, model: TroubledModel) -> None:
    """Have the model answer with what is not JSON, and with an error that quotes what it was asked."""
    broken = SAID["in a failed extraction"]
    # More than one message asks: what was said before may be read at the same time.
    model.extractions.extend([Act(text=f'{{"statements": [{{"quote": "{broken}')] * 9)
    _exchange(talk, f"I study {broken} at Lund University, I fear the exam on 14 March", remembered=True)
    model.extractions.clear()
    model.extractions.extend([Act(status=400)] * 9)
    quoted = SAID["in an error quoted back"]
    model.script(Act(status=400))
    _exchange(talk, f"I work in the {quoted} on Mondays, I earn 900 crowns there", remembered=True)
    model.extractions.clear()


def _have_a_job_fail(talk: Talk, site: Site) -> None:
    """Have the database refuse the memory, so that the job ends in a traceback; later it is formed after all."""
    with _refusing(site, "memory_memorysource"):
        _exchange(talk, f"I moved to the {SAID['in a failed job']} in 2019, I live there with Olof")
        wait_until(lambda: _count(site, "django_q_task WHERE NOT success"), "the failed job")
    talk.hear("chat.remembered")


def _have_words_refused(talk: Talk, site: Site) -> None:
    """Have the database refuse the message itself."""
    with _refusing(site, "chat_message"):
        talk.say(Words(f"I never said {SAID['in a refused message']} to anybody"))
        assert talk.hear("chat.error")["code"]


def _attach(visitor: Visitor, conversation: UUID, talk: Talk, site: Site) -> None:
    """Say something with a file and a photograph; have one refused, and the database refuse another."""
    text, name = ATTACHED["in an attached file"], f"{ATTACHED[NAME]}.txt"
    file = visitor.attach(conversation, name, f"Buy {text} on Friday. ".encode() * 400)
    seen = visitor.attach(conversation, "photograph.jpg", photograph())
    bad = visitor.attach(conversation, "bad.txt", f"{ATTACHED['in a refused file']}\x00".encode() * 400)
    assert (file[0], seen[0], bad) == (201, 201, (400, ""))
    with _refusing(site, "chat_attachment"):
        lost = f"{ATTACHED['in a file that was not kept']} ".encode() * 400
        assert visitor.attach(conversation, "lost.txt", lost)[0] == 500
    _exchange(talk, "What am I to buy, and what do you see?", attachments=(file[1], seen[1]))


def _keys_of(visitor: Visitor) -> str:
    """Have a new recovery code made; return it from the page that shows it once."""
    _, page, _ = visitor.post("/account/recovery-code/")
    (code,) = re.findall(r"(?:[A-Z2-7]{4}-){7}[A-Z2-7]{4}", page)
    return code


def _exchange(
    talk: Talk,
    text: str,
    *,
    state: str = "complete",
    remembered: bool = False,
    attachments: tuple[str, ...] = (),
) -> None:
    """Say something, hear the whole reply and, where it is worth it, that it is remembered."""
    talk.heard.clear()
    talk.told(Words(text, attachments=attachments))
    if not any(event["type"] == "chat.done" for event in talk.heard):
        talk.hear("chat.done")
    assert talk.heard[-1].get("state", state) == state or talk.heard[-1]["type"] != "chat.done"
    if remembered and not any(event["type"] == "chat.remembered" for event in talk.heard):
        talk.hear("chat.remembered")


@contextmanager
def _refusing(site: Site, table: str) -> Iterator[None]:
    """Have the database refuse every new row of a table, quoting the row in its error."""
    with connect(site.var) as connection:
        connection.execute(f"ALTER TABLE {table} ADD CONSTRAINT refuse CHECK (id IS NULL) NOT VALID")
    try:
        yield
    finally:
        with connect(site.var) as connection:
            connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT refuse")


def _assert_it_was_lived(records: Records, model: TroubledModel) -> None:
    """Everything was really said, stored, remembered and sent, or the search would prove nothing."""
    kept = json.dumps([message.text for message in records.messages()], ensure_ascii=False)
    refused = {"in a refused message", "in a refused form"}
    assert {name for name, word in SAID.items() if word not in kept} == refused
    remembered = " ".join(memory.text for memory in records.memories())
    for name in ("said in English", "said in Swedish", "in the title", "in a failed job"):
        assert SAID[name] in remembered
    told = "\n".join(model.told())
    assert SAID["said in English"] in told and "<COMPANION_MEMORY>" in told
    assert ATTACHED["in an attached file"] in told and "photograph.jpg" in told


def _plant(site: Site, env: dict[str, str]) -> None:
    (site.var / "run" / "planted").write_text(PLANTED["file"])
    run_on(env, "-c", PLANT)
    with connect(site.var) as connection:
        connection.execute(PLANT_SQL.format_map(PLANTED))
    wait_until(lambda: PLANTED["traceback"] in site.said(), "the planted job to fail")


def _count(site: Site, what: str) -> int:
    with connect(site.var) as connection:
        return connection.execute(f"SELECT count(*) AS n FROM {what}").fetchone().n  # noqa: S608 (ours)


def _found(search, places: list[tuple[str, bytes]]) -> dict[str, set[str]]:
    """Return the places where something was found, with the names of what."""
    found = {place: search(data) for place, data in places}
    return {place: names for place, names in found.items() if names}


def _of(words: dict, found: dict[str, set[str]]) -> dict[str, set[str]]:
    """Keep what was found of some words."""
    return {place: kept for place, names in found.items() if (kept := names & words.keys())}
