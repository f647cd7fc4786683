"""What a page weighs on the way: `python -m bench.page_weight`, on a database of its own.

For each page the scripts and styles of ours that it loads, with everything that these import at once, and the page itself: in bytes as
they are, and as they come compressed. What is loaded only once it is used (`import()`) is not counted; the tests count in a browser
besides, what that does load.
"""

import gzip
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from django.test import Client

from bench.commands import command, make_parser
from bench.scratch import scratch_site
from bench.students import PASSWORD, make_space

STATIC = Path(__file__).parent.parent / "static"
#: bytes of our own scripts, as they are, that a page may load
MOST_SCRIPT = 40_000
_SCRIPT = re.compile(
    r'<script\b[^>]*\bsrc="(/static/js/[^"]+)"|<link rel="modulepreload" href="(/static/js/[^"]+)"'
)
_STYLE = re.compile(r'<link rel="stylesheet" href="(/static/css/[^"]+)"')
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "(\./[^"]+)"', re.MULTILINE)
_IMPORT_ALONE = re.compile(r'^import "(\./[^"]+)"', re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Size:
    """Bytes as they are, and compressed."""

    raw: int = 0
    packed: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(raw=self.raw + other.raw, packed=self.packed + other.packed)

    def render(self) -> str:
        return f"{self.raw / 1000:.1f} ({self.packed / 1000:.1f})"


@dataclass(frozen=True, kw_only=True)
class Weight:
    """What one page loads."""

    page: str
    html: Size
    scripts: Mapping[str, Size]
    styles: Mapping[str, Size]

    @property
    def script(self) -> Size:
        return sum(self.scripts.values(), Size())

    @property
    def style(self) -> Size:
        return sum(self.styles.values(), Size())

    def render(self) -> str:
        return f"| {self.page} | {self.script.render()} | {self.style.render()} | {self.html.render()} |"


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code, 1 where a page loads more script than it may."""
    parser = make_parser("page_weight", __doc__)
    parser.add_argument("--files", action="store_true", help="name the scripts of each page")
    options = parser.parse_args(arguments)
    with scratch_site(durable=False):
        weights = list(weigh_site())
    sys.stdout.write(
        "kB as they are (compressed)\n\n| page | script | style | page itself |\n|---|---|---|---|\n"
    )
    for weight in weights:
        sys.stdout.write(f"{weight.render()}\n")
        for name, size in weight.scripts.items() if options.files else ():
            sys.stdout.write(f"    {name}: {size.render()}\n")
    everything = sum((size_of(path.read_bytes()) for path in STATIC.glob("js/*.js")), Size())
    sys.stdout.write(f"\nAll scripts there are: {everything.render()}\n")
    return 1 if any(weight.script.raw > MOST_SCRIPT for weight in weights) else 0


def weigh_site() -> Iterator[Weight]:
    """Yield the weight of every kind of page that has scripts of its own, as a student with something on them gets it."""
    space = make_space(200, username="weighed")
    client = Client(SERVER_NAME="localhost")
    yield weigh("log-in", client, "/login/")
    client.post("/login/", {"username": space.access.person.username, "password": PASSWORD})
    conversation = client.post("/chat/new/").headers["Location"]
    for page, address in {
        "a conversation": conversation,
        "conversations": "/chat/",
        "bring your history": "/chat/imports/",
        "About me": "/memory/",
        "About me, as a picture": "/memory/?view=picture",
        "Goals and mood": "/memory/life/",
        "History": "/memory/history/",
        "Sleep": "/memory/sleep/",
        "Map": "/map/",
        "Account": "/account/",
    }.items():
        yield weigh(page, client, address)


def weigh(page: str, client: Client, address: str) -> Weight:
    """Return what a page loads that the client gets at an address."""
    answer = client.get(address)
    if answer.status_code != 200:
        raise ValueError(f"{address}: {answer.status_code}")
    return weigh_html(page, answer.content.decode())


def weigh_html(page: str, html: str) -> Weight:
    scripts = [first or second for first, second in _SCRIPT.findall(html)]
    return Weight(
        page=page,
        html=size_of(html.encode()),
        scripts={name: size_of(read(name)) for name in sorted(with_imports(scripts))},
        styles={name: size_of(read(name)) for name in sorted(set(_STYLE.findall(html)))},
    )


def with_imports(scripts: Sequence[str]) -> set[str]:
    """Return scripts with everything that they import before they run."""
    found: set[str] = set()
    ahead = list(scripts)
    while ahead:
        name = ahead.pop()
        if name in found:
            continue
        found.add(name)
        text = read(name).decode()
        ahead += [urljoin(name, path) for path in (*_IMPORT.findall(text), *_IMPORT_ALONE.findall(text))]
    return found


def read(address: str) -> bytes:
    return (STATIC / address.removeprefix("/static/")).read_bytes()


def size_of(body: bytes) -> Size:
    return Size(raw=len(body), packed=len(gzip.compress(body, mtime=0)))


if __name__ == "__main__":
    sys.exit(main())
