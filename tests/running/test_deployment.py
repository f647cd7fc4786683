"""The recipe of docs/operations.md at work: TLS proxy, two web processes, two workers, Redis, a database of its own.

Everything but Docker and systemd, which start the same commands with the same environment (test_recipe.py).
"""

import json
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest
from websockets.sync.client import ClientConnection, connect

from companion_site.running import PROJECT
from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold
from tests.e2e.people import PASSWORD
from tests.e2e.starting import run_on
from tests.running.certificates import NAME
from tests.running.recipe import needs, on_this_machine, unit_command, unit_environment
from tests.running.site import CHEAP, find_free_port, status_of, terminal, wait_until
from tests.running.test_recipe import SECRETS, write_nginx

pytestmark = [
    pytest.mark.slow,
    needs("nginx", "redis-server"),
]


@dataclass
class Deployment:
    """What runs, and where."""

    place: Path
    plain: int
    secure: int
    webs: dict[int, subprocess.Popen]
    start_web: Callable[[int], subprocess.Popen]

    def served_by(self) -> list[str]:
        """Return the port of the web process behind each answer that the proxy has passed on."""
        log = self.place / "companion.log"
        return re.findall(r"127\.0\.0\.1:(\d+)$", log.read_text(), re.MULTILINE)


@contextmanager
def started(*command: object, place: Path, **options) -> Iterator[subprocess.Popen]:
    """Run a program for the block; its output is kept under `place`."""
    with (place / f"{Path(str(command[0])).name}-{uuid4().hex[:6]}.log").open("w") as log:
        process = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, **options)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.fixture(scope="module")
def deployment(tmp_path_factory) -> Iterator[Deployment]:
    place = tmp_path_factory.mktemp("deployment")
    plain, secure, redis, *webs = (find_free_port() for _ in range(5))
    cluster = Cluster(tmp_path_factory.mktemp("d"))
    users = hold(cluster)
    secrets = {**SECRETS, **{name.lower(): url for name, url in cluster.urls().items()}}
    others = {name: value for name, value in terminal().items() if name in ("PATH", "HOME")}
    told = {}
    for kind in ("prepare", "web"):
        told[kind] = others | on_this_machine(unit_environment(kind), place, secrets) | CHEAP
        told[kind] |= {"REDIS_URL": f"redis://127.0.0.1:{redis}/0", "ALLOWED_HOSTS": f"{NAME},127.0.0.1"}
        told[kind] |= {"SHIPPED_PACKS": "off"}
    try:
        with ExitStack() as running:
            start = running.enter_context
            start(started("redis-server", "--port", redis, "--bind", "127.0.0.1", "--save", "", place=place))
            prepare = [sys.executable, *unit_command("prepare")[1:]]
            subprocess.run(prepare, cwd=PROJECT, env=told["prepare"], check=True)
            run_on(told["prepare"], "-m", "tests.e2e.people", "mia", "olle", "staff-to-be")

            def start_web(port: int) -> subprocess.Popen:
                words = [word.replace("%i", str(port)) for word in unit_command("web")[1:]]
                command = (sys.executable, "-m", "uvicorn", *words)
                return start(started(*command, place=place, cwd=PROJECT, env=told["web"]))

            processes = {port: start_web(port) for port in webs}
            work = unit_command("worker")[1:]
            for _ in range(2):
                start(started(sys.executable, *work, place=place, cwd=PROJECT, env=told["web"]))
            start(started("nginx", "-g", "daemon off;", "-c", proxy(place, plain, secure, webs), place=place))
            found = Deployment(place, plain, secure, processes, start_web)
            for port in webs:
                wait_until(lambda port=port: answers(port), f"the web process on {port}")
            wait_until(lambda: answers(plain, host=NAME), "the proxy")
            yield found
    finally:
        users.release()


def proxy(place: Path, plain: int, secure: int, webs: list[int]) -> Path:
    """Write the proxy's configuration for ports that anybody may listen on."""
    conf = write_nginx(place, "upstream.conf")
    site = place / "companion.conf"
    text = site.read_text()
    for port, mine in ((80, plain), (443, secure)):
        text = re.sub(rf"listen \[::\]:{port}.*\n", "", text)
        text = re.sub(rf"listen {port}\b", f"listen 127.0.0.1:{mine}", text)
    site.write_text(text)
    upstream = place / "upstream.conf"
    changed = upstream.read_text()
    for port, mine in zip((8001, 8002), webs, strict=True):
        changed = changed.replace(f":{port};", f":{mine};")
    upstream.write_text(changed)
    return conf


def answers(port: int, host: str = "127.0.0.1") -> bool:
    return status_of(port, "/healthz", Host=host) in (200, 301)


class Browser:
    """A person at the public address: cookies over TLS, and sockets."""

    def __init__(self, site: Deployment) -> None:
        self.site = site
        self.trust = ssl.create_default_context(cafile=str(site.place / "fullchain.pem"))
        self.client = httpx2.Client(
            base_url=f"https://127.0.0.1:{site.secure}", verify=self.trust, timeout=60, headers={"Host": NAME}
        )

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, **headers: str
    ) -> httpx2.Response:
        told = {"Referer": f"https://{NAME}{path}", **headers}
        # A connection of its own each time, so that the proxy hands each to the next process.
        told["Connection"] = "close"
        named = {"sni_hostname": NAME}
        return self.client.request(method, path, data=form, headers=told, extensions=named)

    def post(
        self, path: str, form_at: str | None = None, headers: dict[str, str] | None = None, **fields: str
    ) -> httpx2.Response:
        """Send a form with the token of the page that it stands on."""
        page = self.ask("GET", form_at or path).text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token, page
        return self.ask("POST", path, {**fields, "csrfmiddlewaretoken": token[1]}, **(headers or {}))

    def talk(self, conversation: str) -> ClientConnection:
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        return connect(
            f"wss://{NAME}/ws/chat/{conversation}/",
            sock=socket.create_connection(("127.0.0.1", self.site.secure)),
            ssl=self.trust,
            server_hostname=NAME,
            additional_headers={"Cookie": cookies, "Origin": f"https://{NAME}"},
        )


def log_in(site: Deployment, name: str = "mia") -> Browser:
    browser = Browser(site)
    assert browser.post("/login/", username=name, password=PASSWORD).status_code == 302
    return browser


def hear(socket: ClientConnection, *kinds: str) -> dict:
    while True:
        event = json.loads(socket.recv(timeout=120))
        if event["type"] in kinds:
            return event


def hear_all(socket: ClientConnection, *kinds: str) -> None:
    """Wait until an event of each kind has come, in whatever order."""
    awaited = set(kinds)
    while awaited:
        awaited.remove(hear(socket, *awaited)["type"])


def silent_for(socket: ClientConnection, seconds: float) -> bool:
    """Tell whether nothing comes for so long."""
    try:
        socket.recv(timeout=seconds)
    except TimeoutError:
        return True
    return False


def test_people_reach_it_by_tls_alone(deployment):
    """Plain http leads to https; cookies are Secure, browsers are told to stay; another name is shown nothing."""
    plain = f"http://127.0.0.1:{deployment.plain}"
    answer = httpx2.get(f"{plain}/login/", headers={"Host": NAME})
    assert (answer.status_code, answer.headers["Location"]) == (301, f"https://{NAME}/login/")
    browser = log_in(deployment)
    answer = browser.ask("GET", "/chat/")
    assert answer.status_code == 200
    assert "max-age=31536000; includeSubDomains" in answer.headers["Strict-Transport-Security"]
    secure = {cookie.name for cookie in browser.client.cookies.jar if cookie.secure}
    assert {"sessionid", "companion_key", "csrftoken"} <= secure
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"{plain}/", headers={"Host": "other.example"})


def test_a_conversation_goes_on_in_any_process(deployment):
    """Two tabs on two web processes see one conversation: what is said in one is answered and remembered in the other."""
    browser = log_in(deployment)
    address = browser.post("/chat/new/", form_at="/account/").headers["Location"]
    conversation = address.strip("/").split("/")[-1]
    with browser.talk(conversation) as first, browser.talk(conversation) as second:
        words = "My physics exam is on the ninth of June in hall three."
        first.send(json.dumps({"type": "chat.say", "client_id": str(uuid4()), "text": words}))
        hear(first, "chat.accepted")
        assert hear(first, "chat.done")
        # Formed by a worker, which may be faster than the reply.
        hear_all(second, "chat.done", "chat.remembered")
        # Nothing is said for longer than Redis is waited for in one go.
        wait_until(lambda: silent_for(first, 7), "a silence")
        first.send(json.dumps({"type": "chat.say", "client_id": str(uuid4()), "text": "Thank you."}))
        assert hear(first, "chat.done") and hear(second, "chat.done")
    sockets = [
        line for line in (deployment.place / "companion.log").read_text().splitlines() if "/ws/" in line
    ]
    assert len({line.rpartition(":")[2] for line in sockets}) == 2, sockets
    answer = browser.ask("GET", f"/chat/{conversation}/")
    assert answer.status_code == 200 and "ninth of June" in answer.text


def test_limits_hold_over_all_processes(deployment):
    """Wrong passwords are counted together, whichever process was asked and whatever the browser says of its address."""
    browser, wrong = Browser(deployment), {"username": "olle", "password": "wrong"}
    statuses = [
        browser.post("/login/", headers={"X-Forwarded-For": f"10.9.8.{number}"}, **wrong).status_code
        for number in range(12)
    ]
    assert statuses[-1] == 429 and statuses.index(429) >= 9
    assert set(deployment.served_by()) == {str(port) for port in deployment.webs}


def test_what_machines_ask_is_not_for_the_world(deployment):
    """The proxy passes /metrics and /readyz to this machine alone; both tell that everything is there."""
    browser = Browser(deployment)
    answer = browser.ask("GET", "/readyz")
    assert answer.status_code == 200 and answer.json()["ready"] and answer.json()["roles"], answer.text
    assert browser.ask("GET", "/metrics").status_code in (401, 403, 404)
    answer = browser.ask("GET", "/metrics", Authorization=f"Bearer {SECRETS['metrics_token']}")
    assert answer.status_code == 200 and "companion_jobs_queued" in answer.text
    denied = (deployment.place / "companion.conf").read_text()
    assert "deny all;" in denied


def test_a_web_process_may_be_started_anew_behind_the_proxy(deployment):
    """While one process is gone the other answers with the same session, so that an upgrade goes one by one."""
    browser = log_in(deployment)
    port, process = next(iter(deployment.webs.items()))
    process.terminate()
    process.wait(30)
    assert {browser.ask("GET", "/chat/").status_code for _ in range(6)} == {200}
    before = deployment.served_by().count(str(port))
    deployment.webs[port] = deployment.start_web(port)
    wait_until(lambda: answers(port), f"the web process on {port}")

    def is_asked_again() -> bool:
        assert browser.ask("GET", "/chat/").status_code == 200
        return deployment.served_by().count(str(port)) > before

    wait_until(is_asked_again, "the proxy to come back to it")
