"""What a scraper is told: counted from rows of the whole platform, readable by it alone, and about nobody."""

import io
import json
import logging
import re
from datetime import timedelta
from ipaddress import ip_network
from uuid import uuid4

import pytest
import structlog
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_prometheus.middleware import Metrics
from prometheus_client.parser import text_string_to_metric_families

from chat import services
from chat.memories.formation import form_from_message
from chat.models import Message
from companion_site.llm.models import LlmCall
from companion_site.metrics.collector import held_gauges
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import SleepRun
from memory.params import PROMPT
from memory.student.params import SLEEP
from memory.student.sleep.run import sleep
from memory.student.sleep.timing import begin_run
from tests.chat.talking import begin, reply_to
from tests.e2e.traces import Search
from tests.factories import make_access, make_student
from tests.live import logged_in_staff

pytestmark = pytest.mark.spec("I9")

AN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}", re.IGNORECASE)
TOKEN = "a-token-of-the-scraper"
SAID = "My kitten is called Moszkowicz and I live in Kristinehamn"


@pytest.fixture(autouse=True)
def counted_anew():
    """Begin without what was held, and without how long each page took in earlier tests, which is most of a scrape."""
    Metrics.get_instance().requests_latency_by_view_method.clear()
    held_gauges.forget()
    yield
    held_gauges.forget()


@pytest.fixture
def ada(committed):
    return make_access("ada")


def scrape(begins="companion_"):
    """Return every sample whose name begins so, by its name and labels."""
    answer = Client().get("/metrics")
    assert answer.status_code == 200
    return samples_of(answer.text, begins=begins)


def samples_of(text, *, begins="companion_"):
    """Read the samples whose names begin so: of the requests of this process there are thousands."""
    lines = [line for line in text.splitlines() if line.removeprefix("# TYPE ").startswith(begins)]
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families("\n".join(lines))
        for sample in family.samples
    }


def key(name, **labels):
    return (name, *sorted(labels.items()))


def slept(space, *, at, **fields):
    with space_scope(space):
        return SleepRun.objects.create(space_id=space, trigger="scheduled", requested_at=at, **fields)


def reply_of(access, *, at, position, **fields):
    with space_scope(access.space):
        row = services.begin_conversation(access, now=at)
        return Message.objects.create(
            space_id=access.space, conversation=row, position=position, role="companion", said_at=at, **fields
        )


def test_without_a_token_only_this_machine_is_told(committed, settings):
    """The page answers a loopback address; a request that a proxy handed on, or from elsewhere, finds no page."""
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics").status_code == 200
    assert Client().get("/metrics", REMOTE_ADDR="::1").status_code == 200
    for elsewhere in (
        {"REMOTE_ADDR": "10.0.0.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_FOR": ""},
        {"HTTP_FORWARDED": "for=10.0.0.7"},
        {"HTTP_X_REAL_IP": "10.0.0.7"},
    ):
        assert Client().get("/metrics", **elsewhere).status_code == 404, elsewhere
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.1")]
    assert Client().get("/metrics").status_code == 404


def test_with_a_token_only_who_knows_it_is_told(committed, settings):
    """Wherever a request comes from, the token opens and nothing else does, a session of staff neither."""
    settings.METRICS_TOKEN = TOKEN
    right = {"REMOTE_ADDR": "10.0.0.7", "HTTP_X_FORWARDED_FOR": "10.0.0.8"}
    assert Client().get("/metrics", HTTP_AUTHORIZATION=f"Bearer {TOKEN}", **right).status_code == 200
    assert Client().head("/metrics", HTTP_AUTHORIZATION=f"bearer {TOKEN}").status_code == 200
    for wrong in (None, "", "Bearer", "Bearer ", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", "Bearer å"):
        headers = {} if wrong is None else {"HTTP_AUTHORIZATION": wrong}
        assert Client().get("/metrics", **headers).status_code == 404, wrong
    assert Client().post("/metrics", HTTP_AUTHORIZATION=f"Bearer {TOKEN}").status_code == 404
    assert logged_in_staff().get("/metrics").status_code == 404


@pytest.mark.spec("I4", "AC-2.1.8")
def test_sleeps_of_all_spaces_are_counted(ada):
    """Tries by state, their success, times and memories, over every space, within each window."""
    now = timezone.now()
    spaces = [ada.space, make_student("bea").person.space_id]
    for index, (state, duration_ms) in enumerate([("success", 1000), ("success", 2000), ("partial", 3000)]):
        slept(
            spaces[index % 2],
            at=now - timedelta(minutes=5),
            state=state,
            duration_ms=duration_ms,
            commit_ms=duration_ms // 10,
            processed=10,
            covered=7,
            left=1,
            let_go=2,
            created=3,
        )
    slept(spaces[1], at=now - timedelta(minutes=2), state="failed", error="llm.timeout", duration_ms=90_000)
    slept(spaces[0], at=now - timedelta(hours=3), state="success", processed=100)
    slept(spaces[0], at=now - timedelta(days=2), state="success", processed=1000)
    told = scrape()
    hour, day = ({"window": window} for window in ("1h", "24h"))
    runs = {state: told[key("companion_sleep_runs", state=state, **hour)] for state in SleepRun.State.values}
    assert runs == {"waiting": 0, "running": 0, "success": 2, "partial": 1, "failed": 1}
    assert told[key("companion_sleep_runs", state="success", **day)] == 3
    assert told[key("companion_sleep_success_ratio", **hour)] == 0.5
    assert told[key("companion_sleep_seconds", part="run", stat="p50", **hour)] == 2
    assert told[key("companion_sleep_seconds", part="run", stat="mean", **hour)] == 2
    assert told[key("companion_sleep_seconds", part="commit", stat="p95", **hour)] == pytest.approx(0.29)
    fates = {
        fate: told[key("companion_sleep_memories", fate=fate, **hour)]
        for fate in ("processed", "covered", "left", "let_go")
    }
    assert fates == {"processed": 30, "covered": 21, "left": 3, "let_go": 6}
    assert told[key("companion_sleep_memories", fate="processed", **day)] == 130
    assert told[key("companion_sleep_insights", how="created", **hour)] == 9
    assert told[key("companion_sleep_failures_to_review")] == 1


def test_speed_and_personalisation_of_replies_are_told(ada):
    """Percentiles of finding memory, replies by level, and memory's tokens beside their limit."""
    now = timezone.now()
    levels = ["none", "low", "medium", "high"]
    for index in range(100):
        reply_of(
            ada,
            at=now - timedelta(minutes=1),
            position=2,
            timings_ms={"embed": 10, "recall": index + 1, "first_token": 500},
            personalisation=levels[index % 4] if index < 60 else "",
            memory_tokens=10 * index,
        )
    reply_of(ada, at=now - timedelta(days=3), position=2, timings_ms={"embed": 1, "recall": 90_000})
    told = scrape()
    speed = {
        stat: told[key("companion_turn_seconds", window="1h", step="retrieval", stat=stat)]
        for stat in ("p50", "p95", "p99")
    }
    assert speed == pytest.approx({"p50": 0.0605, "p95": 0.10505, "p99": 0.10901})
    assert told[key("companion_turn_seconds", window="24h", step="first_token", stat="p95")] == 0.5
    assert [
        told[key("companion_replies_by_personalisation", window="24h", level=level)] for level in levels
    ] == [15] * 4
    assert told[key("companion_prompt_memory_tokens", window="24h", stat="mean")] == 495
    assert told[key("companion_prompt_memory_tokens", window="24h", stat="max")] == 990
    assert told[key("companion_prompt_memory_tokens_limit")] == PROMPT.most_tokens


def test_use_of_models_is_told(committed):
    """Calls by provider, model and outcome, their tokens, and how long answers took."""
    now = timezone.now()
    call = {"role": "chat", "purpose": "chat.reply", "provider": "anthropic", "model": "m"}
    for duration_ms, outcome in ((100, "ok"), (300, "ok"), (20_000, "timeout")):
        LlmCall.objects.create(
            **call, outcome=outcome, duration_ms=duration_ms, input_tokens=50, output_tokens=7, at=now
        )
    told = scrape()
    labels = {"window": "1h", "provider": "anthropic", "model": "m"}
    assert told[key("companion_model_calls", outcome="ok", **labels)] == 2
    assert told[key("companion_model_calls", outcome="timeout", **labels)] == 1
    assert told[key("companion_model_tokens", kind="input", **labels)] == 150
    assert told[key("companion_model_tokens", kind="output", **labels)] == 21
    assert told[key("companion_model_call_seconds", window="1h", provider="anthropic", stat="mean")] == 0.2


@pytest.mark.spec("I4", "AC-2.1.8")
def test_what_waits_is_told(ada):
    """Spaces awaiting their key, sleeps that are overdue and by how much; /readyz tells these too and stays ready."""
    now = timezone.now()
    late = now - timedelta(hours=SLEEP.overdue_hours + 2)
    Space.objects.filter(pk=ada.space).update(next_sleep_at=late)
    waiting = make_student("bea").person.space_id
    Space.objects.filter(pk=waiting).update(next_sleep_at=late, awaiting_key_since=now)
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["ready"], answer.json()["overdue_sleeps"]) == (200, True, 1)
    told = scrape()
    assert told[key("companion_spaces_awaiting_key")] == 1
    assert told[key("companion_sleep_overdue_spaces")] == 1
    hours = told[key("companion_sleep_overdue_seconds")] / 3600
    assert SLEEP.overdue_hours + 2 <= hours < SLEEP.overdue_hours + 2.1
    assert told[key("companion_jobs_oldest_runnable_seconds")] == 0


def test_requests_of_this_process_are_told(committed):
    """Requests count by the name of their page, never by their address."""
    page = {"method": "GET", "transport": "http", "view": "healthz"}
    name = "django_http_requests_total_by_view_transport_method_total"
    before = scrape(name).get(key(name, **page), 0)
    Client().get("/healthz")
    assert scrape(name)[key(name, **page)] == before + 1


@pytest.mark.slow
def test_a_scrape_is_cheap(ada):
    """Asked again within seconds, no row is read; and more rows are no more queries."""
    now = timezone.now()

    def queries():
        with (
            CaptureQueriesContext(connections["metadata"]) as metadata,
            CaptureQueriesContext(connections["default"]) as site,
        ):
            scrape()
        return len(metadata) + len(site)

    first = queries()
    assert queries() == 0
    for _ in range(5):
        slept(ada.space, at=now, state="success", duration_ms=5)
        reply_of(ada, at=now, position=2, timings_ms={"embed": 1, "recall": 2})
    held_gauges.forget()
    assert queries() == first


@pytest.fixture
def log():
    """Everything that is logged, as the site writes it: one line of JSON for each event."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(
        next(
            each.formatter
            for each in logging.getLogger().handlers
            if isinstance(each.formatter, structlog.stdlib.ProcessorFormatter)
        )
    )
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


#: Fields of each event beside those that all have.
FIELDS = {
    "memory.recalled": "space person message count embed_ms duration_ms",
    "reply.ended": "space person conversation reply state provider recalled duration_ms",
    "memory.formed": "space source count snr duration_ms",
    "memory.slept": "space run state processed covered left created duration_ms commit_ms",
}
EVERYWHERE = {"level", "timestamp", "logger", "event", "component", "action"}


@pytest.mark.spec("I8", "I9")
def test_each_step_logs_one_event_with_its_numbers_and_no_figure_or_line_has_a_word(ada, log):
    """Retrieval, reply, formation and consolidation leave one line each, with ids, counts and times alone; no metric an id or a name."""
    now = timezone.now()
    said = services.say(ada, begin(ada).pk, text=SAID, client_id=uuid4(), now=now)
    reply_to(ada, said, now=now)
    form_from_message(ada.space, said.message.pk, key=ada.key, now=now)
    night = now + timedelta(hours=5)
    run = begin_run(ada.space, trigger="scheduled", now=night)
    assert sleep(ada.space, run.pk, key=ada.key, now=night, queue=False).processed
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    for name, fields in FIELDS.items():
        (event,) = [line for line in lines if line["event"] == name]
        assert {*fields.split(), *EVERYWHERE} <= set(event), (name, set(event))
        assert (event["level"], f"{event['component']}.{event['action']}") == ("info", name)
        assert event["duration_ms"] >= 0
        assert event.get("space", str(ada.space)) == str(ada.space)
    words = Search({word: word for word in ("Moszkowicz", "Kristinehamn", "kitten is called")})
    assert words.in_layers(log.getvalue().encode()) == set()
    told = Client().get("/metrics").text
    assert 'companion_replies{state="complete",window="1h"} 1.0' in told and not AN_ID.search(told)
    assert not re.search(r"\b(ada|Moszkowicz|Kristinehamn|kitten)\b", told, re.IGNORECASE)
