"""What a flood of wrong log-ins does to the web process, and whether somebody still gets in: `python -m bench.log_in_flood`.

The web process runs as `make run` starts it, on a database of its own. All wrong log-ins are sent at the same moment, once from one
address and once each from another; meanwhile people with the right password log in, in a browser that knows them and in a new one
at an address of their own. Who is told to wait comes back after as long as was said. `--at-once 1000` shows the process without its gate.
"""

import http.client
import os
import re
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import psutil
from django.utils import timezone

from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.students import PASSWORD, enter_person
from companion_site.running.environment import Environment
from companion_site.running.services import web_service

TOKEN = "a" * 32
PATIENCE_S = 120.0
#: The process is at rest once its memory has not grown by more for so long.
REST_S, REST_BYTES = 4.0, 1_000_000
MB = 1_000_000


@dataclass
class Flood:
    """What one flood did.

    Attributes:
        answers: how many wrong log-ins got which status; 0 for none.
        right_s: seconds until each right log-in was in, waits and further tries included; None where it never was.
    """

    name: str
    rss_before: int
    rss_most: int = 0
    seconds: float = 0.0
    answers: Counter = field(default_factory=Counter)
    right_s: dict[str, float | None] = field(default_factory=dict)

    @property
    def added_mb(self) -> float:
        return (self.rss_most - self.rss_before) / MB

    def render(self) -> str:
        told = ", ".join(f"{count} with {status}" for status, count in sorted(self.answers.items()))
        right = ", ".join(
            f"{who} {'never' if s is None else f'{s:.1f} s'}" for who, s in self.right_s.items()
        )
        return (
            f"{self.name}: {self.rss_before / MB:.0f} MB before, {self.added_mb:.0f} MB added at the most; "
            f"answers {told} in {self.seconds:.1f} s; right log-ins: {right}."
        )


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("log_in_flood", __doc__)
    parser.add_argument("--wrong", type=int, default=200, help="log-ins at once")
    parser.add_argument("--at-once", type=int, default=2, help="DERIVATIONS_AT_ONCE")
    options = parser.parse_args(arguments)
    with scratch_site(durable=True):
        write_lines(flood.render() for flood in run_floods(wrong=options.wrong, at_once=options.at_once))


def run_floods(*, wrong: int, at_once: int) -> Iterator[Flood]:
    """Yield what each kind of flood did; inside a scratch site."""
    for name in ("known", "new"):
        enter_person(name, now=timezone.now(), display_name=name)
    with web_process(DERIVATIONS_AT_ONCE=at_once, DERIVATIONS_WAITING=max(64, at_once)) as (port, process):
        cookie = log_in(port, "known", PASSWORD, "198.51.100.1")[1]
        for name, addresses in (
            ("one address", ["203.0.113.9"] * wrong),
            ("each from another address", [f"203.0.{n // 250}.{n % 250 + 1}" for n in range(wrong)]),
        ):
            yield _flood(name, addresses, port=port, process=process, cookie=cookie)


def log_in(
    port: int, name: str, password: str, address: str, cookie: str = ""
) -> tuple[int, str, dict[str, str]]:
    """Post the form; return status, the cookie by which the browser is known, and the headers. Status 0: no answer."""
    body = urlencode({"username": name, "password": password, "csrfmiddlewaretoken": TOKEN})
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"csrftoken={TOKEN}; {cookie}",
        "X-Forwarded-For": address,
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("POST", "/login/", body, headers)
        answer = connection.getresponse()
        answer.read()
    except OSError:
        return 0, "", {}
    finally:
        connection.close()
    known = re.search(r"companion_browser=[^;]+", "; ".join(answer.headers.get_all("Set-Cookie", [])))
    return answer.status, known[0] if known else "", dict(answer.headers.items())


@contextmanager
def web_process(**settings: object) -> Iterator[tuple[int, psutil.Process]]:
    """Run the site's web server on the scratch site's database; yield its port and the process, at rest."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with TemporaryDirectory(prefix="companion-web-") as place:
        env = {**os.environ, "TRUSTED_PROXIES": "127.0.0.1", "VAR_DIR": place}
        env |= {name: str(value) for name, value in settings.items()}
        service = web_service(Environment("127.0.0.1", port, Path(place), {}), env)
        service.start()
        try:
            _until_up(port)
            log_in(port, "nobody", "x", "198.51.100.2")
            found = psutil.Process(service.group.process.pid)  # type: ignore[union-attr]
            _until_at_rest(found)
            yield port, found
        finally:
            service.group.end(grace_s=5)


def _flood(name: str, addresses: Sequence[str], *, port: int, process: psutil.Process, cookie: str) -> Flood:
    _until_at_rest(process)
    flood = Flood(name, process.memory_info().rss)
    begin = threading.Barrier(len(addresses) + 1)
    over = threading.Event()

    def wrong(number: int, address: str) -> None:
        begin.wait()
        flood.answers[log_in(port, f"wrong{number}", "a wrong password", address)[0]] += 1

    def right(who: str, address: str, known: str) -> None:
        started = time.monotonic()
        flood.right_s[who] = None
        while time.monotonic() - started < PATIENCE_S:
            status, _, headers = log_in(port, who, PASSWORD, address, known)
            if status == 302:
                flood.right_s[who] = time.monotonic() - started
                return
            time.sleep(int(headers.get("Retry-After", "1")))

    def watch() -> None:
        while not over.is_set():
            flood.rss_most = max(flood.rss_most, process.memory_info().rss)
            time.sleep(0.01)

    watching = threading.Thread(target=watch)
    threads = [threading.Thread(target=wrong, args=one) for one in enumerate(addresses)]
    for thread in (watching, *threads):
        thread.start()
    begin.wait()
    started = time.monotonic()
    people = [("known", "203.0.113.9", cookie), ("new", "198.51.100.77", "")]
    logging_in = [threading.Thread(target=right, args=one) for one in people]
    for thread in logging_in:
        thread.start()
    for thread in threads:
        thread.join()
    flood.seconds = time.monotonic() - started
    for thread in logging_in:
        thread.join()
    over.set()
    watching.join()
    return flood


def _until_up(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while log_in(port, "nobody", "x", "198.51.100.2")[0] == 0:
        if time.monotonic() > deadline:
            raise TimeoutError("the web process does not answer")
        time.sleep(0.2)


def _until_at_rest(process: psutil.Process) -> None:
    """Wait until what is loaded in the background is there."""
    deadline, most, since = time.monotonic() + PATIENCE_S, 0, time.monotonic()
    while time.monotonic() - since < REST_S and time.monotonic() < deadline:
        rss = process.memory_info().rss
        if rss > most + REST_BYTES:
            most, since = rss, time.monotonic()
        time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
