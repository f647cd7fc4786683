"""What of a person stays in the site's memory after they left: `python -m bench.residue`, on a site of its own (Linux).

A student talks, has memories formed, reads their pages and logs out, while another one goes on. Some time later the memory
of the web server and of the worker is searched for the student's keys and words. Counts are printed, never what was found.
Of a process that leaves no core dump only root may read the memory: others set `CORE_DUMPS=on` for this run.
"""

import sys
import threading
import time
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from websockets.exceptions import WebSocketException

from bench.commands import command, make_parser, write_lines
from bench.process_memory import Found, Wanted, family, search
from companion_site.embeddings.bundled import load_bundled
from companion_site.vault import slots
from companion_site.vault.keystore import DirectoryKeyStore
from tests.e2e.model import Model
from tests.e2e.people import PASSWORD
from tests.e2e.records import Records
from tests.e2e.starting import environment, running
from tests.e2e.visitor import Visitor, Words
from tests.running.site import Site, wait_until

#: Every planted word begins so; no other word does.
PREFIX, OTHERS_PREFIX = "qvorxilbangth", "zumplarkenoft"
STUDENT, OTHER = "leaving", "staying"
#: What the student changes the password to, as a word that stands nowhere else.
CHANGED_TO = "Plimbrogshaved"
#: One after another; what is in brackets decides in how many bytes a character is held.
FORMS = (
    "My aunt keeps {word} bees in the north of Uppsala",
    "Min bror målar {word} båtar på Åland varje sommar",
    "I am afraid of the “{word}” exam — it costs 40 € to take",
    "My dog {word} likes to swim in the lake 🏊 with me",
    "I want to learn how {word} violins are built this year",
)
EVERY_S = 3.0
PAGES = (
    "/memory/",
    "/memory/?view=picture",
    "/memory/history/",
    "/memory/held/",
    "/memory/ledger/",
    "/memory/changes/",
    "/memory/progress/",
    "/map/",
    "/chat/",
)


@dataclass
class Residue:
    """What was found in each process, by its name; `sentences` is how many were planted."""

    sentences: int
    memories: int
    seconds: float
    by_process: dict[str, Found] = field(default_factory=dict)

    def total(self, kind: str) -> int:
        return sum(
            count
            for found in self.by_process.values()
            for (own, *_), count in found.counts.items()
            if own == kind
        )


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = make_parser("residue", __doc__)
    parser.add_argument("--sentences", type=int, default=45, help="that the student says")
    parser.add_argument("--wait", type=float, default=60.0, help="seconds after log-out")
    options = parser.parse_args(arguments)
    if not sys.platform.startswith("linux"):
        sys.stderr.write("The memory of another process is read from /proc, which Linux alone has.\n")
        return 1
    with TemporaryDirectory(prefix="companion-residue-") as place:
        residue = measure(Path(place), sentences=options.sentences, wait_s=options.wait)
    write_lines(render(residue))
    return 0


def measure(place: Path, *, sentences: int, wait_s: float, **settings: str) -> Residue:
    """Return what is found of a student so long after they logged out.

    Args:
        place: an empty directory for the site.
        settings: of the site, beside those of its environment.
    """
    settings = {"MESSAGES_PER_MINUTE": "1000", "WIPE_FREED_MEMORY": "true", **settings}
    with Model() as model:
        env = environment(place, model_url=model.url, **settings)
        with running(place, env, [STUDENT, OTHER]) as site, _light_traffic(site):
            wanted, memories = live(site, sentences)
            left_at = time.monotonic()
            time.sleep(wait_s)
            return look(site, wanted, Residue(sentences, memories, time.monotonic() - left_at))


def live(site: Site, sentences: int) -> tuple[Wanted, int]:
    """Live through a session and log out; return what must not be found, and how many memories were formed."""
    visitor = Visitor(site, STUDENT)
    if visitor.log_in() != 302:
        raise AssertionError("the student cannot log in")
    words = {f"sentence {number}": _word(number) for number in range(sentences)}
    said = [FORMS[number % len(FORMS)].format(word=_word(number)) for number in range(sentences)]
    change = {"current_password": PASSWORD, "new_password": CHANGED_TO, "repeat": CHANGED_TO}
    if visitor.post("/account/password/", **change)[0] != 302:
        raise AssertionError("the password was not changed")
    conversation = visitor.begin_conversation()
    with visitor.talk(conversation) as talk:
        for text in said:
            talk.told(Words(text))
            if talk.heard[-1]["type"] != "chat.done":
                talk.hear("chat.done")
    secrets = _Secrets(site)
    wait_until(secrets.nothing_waits, "the memories")
    with visitor.talk(conversation) as talk:
        talk.told(Words(f"What do you know of my {_word(0)} bees?"))
        talk.hear("chat.done")
    for page in (*PAGES, f"/chat/{conversation}/", f"/chat/search/?q={_word(1)}"):
        status, _, _ = visitor.get(page)
        if status not in (200, 302):
            raise AssertionError(f"{page} answered {status}")
    memories = secrets.count_memories()
    exact = secrets.keys(visitor.cookies["companion_key"].value) | secrets.vectors(said)
    status, _, _ = visitor.post("/logout/")
    if status != 302:
        raise AssertionError(f"the log-out answered {status}")
    return Wanted(exact, PREFIX, words), memories


def look(site: Site, wanted: Wanted, residue: Residue) -> Residue:
    """Search the web server and the worker with all it forked."""
    clean: set[tuple[int, bytes]] = set()
    for service in ("web", "worker"):
        pid = site.pid(service)
        if pid is None:
            raise AssertionError(f"the {service} process has gone")
        for number, process in enumerate(family(psutil.Process(pid))):
            found = residue.by_process.setdefault(service if not number else f"{service}.{number}", Found())
            with suppress(
                FileNotFoundError, ProcessLookupError
            ):  # one that ended meanwhile took its memory along
                for hit in search(process.pid, wanted, clean=clean):
                    found.add(_kind(hit.name), hit)
    return residue


def render(residue: Residue) -> Iterator[str]:
    """Yield the table."""
    yield (
        f"{residue.sentences} sentences said, {residue.memories} memories formed; "
        f"searched {residue.seconds:.0f} s after log-out, while somebody else was there."
    )
    yield f"{'process':12}{'what':16}{'places':>8}{'distinct':>10}  where and how it is written"
    for process, found in residue.by_process.items():
        kinds = Counter[str]()
        for (kind, *_), count in found.counts.items():
            kinds[kind] += count
        for kind, count in sorted(kinds.items()):
            parts = [
                f"{where} {form} {times}"
                for (own, form, where), times in found.counts.most_common()
                if own == kind
            ]
            yield f"{process:12}{kind:16}{count:8}{len(found.met[kind]):10}  {', '.join(parts)}"
        if not kinds:
            yield f"{process:12}{'nothing':16}{0:8}{0:10}"


def _kind(name: str) -> str:
    return "words" if name.startswith("sentence") or name == "?" else name.split(" of ")[0]


def _word(number: int, prefix: str = PREFIX) -> str:
    """Return a word that nobody says: the prefix and four letters for the number."""
    letters = ""
    for _ in range(4):
        number, rest = divmod(number, 20)
        letters = "bcdfghjklmnpqrstvwxz"[rest] + letters
    return prefix + letters


class _Secrets:
    """The student's keys and vectors, found with their password past the site."""

    def __init__(self, site: Site) -> None:
        self._site = site

        self._records = Records(site.var, STUDENT, CHANGED_TO)

    def nothing_waits(self) -> bool:
        query = "SELECT count(*) AS n FROM chat_message WHERE space_id = %s AND role = 'person' AND formed_at IS NULL"
        return not self._records.ask(query, self._records.space)[0].n

    def count_memories(self) -> int:
        query = "SELECT count(*) AS n FROM memory_memorynode WHERE space_id = %s"
        return int(self._records.ask(query, self._records.space)[0].n)

    def keys(self, cookie: str) -> dict[str, bytes]:
        """Return the raw bytes of everything that opens the space, or a part of it."""
        records, space = self._records, self._records.space
        data_key = bytes(records.key.data_key)
        (slot,) = records.ask("SELECT * FROM vault_keyslot WHERE space_id = %s AND kind = 'password'", space)
        wrapping_key = slots.derive_wrapping_key(
            CHANGED_TO,
            salt=bytes(slot.salt),
            parameters=slot.parameters,
            institution_salt=DirectoryKeyStore(self._site.var / "keys").institution_salt(),
        )
        derived = {
            purpose: HKDF(hashes.SHA256(), 32, salt=space.bytes, info=b"companion/1/" + purpose).derive(
                data_key
            )
            for purpose in (b"content", b"content-hash")
        }
        return {
            "data key": data_key,
            "content key": derived[b"content"],
            "hash key": derived[b"content-hash"],
            "wrapping key": bytes(wrapping_key),
            "cookie key": urlsafe_b64decode(cookie),
            "cookie": cookie.encode(),
            "password": CHANGED_TO.encode(),
        }

    def vectors(self, said: Sequence[str]) -> dict[str, bytes]:
        """Return a part of each sentence's vector."""
        vectors = load_bundled().embed(said)
        return {f"vector of {number}": vector[8:16].tobytes() for number, vector in enumerate(vectors)}


@contextmanager
def _light_traffic(site: Site) -> Iterator[None]:
    """Have another student read and talk now and then for the length of the block."""
    over = threading.Event()
    visitor = Visitor(site, OTHER)
    visitor.log_in()
    conversation = visitor.begin_conversation()

    def go_on() -> None:
        number = 0
        while not over.wait(EVERY_S):
            number += 1
            try:
                visitor.get(PAGES[number % len(PAGES)])
                if number % 4:
                    continue
                with visitor.talk(conversation) as talk:
                    talk.told(Words(FORMS[number % len(FORMS)].format(word=_word(number, OTHERS_PREFIX))))
                    talk.hear("chat.done")
            except (OSError, WebSocketException):
                continue

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(30)


if __name__ == "__main__":
    sys.exit(main())
