"""What bringing a history along costs: reading an export, keeping it, forming memories of it; by the code of the site, in one process.

`python -m bench.imports [--conversations 200] [--messages 20000]` writes an export as ChatGPT has it, brings it to a student of a scratch site,
and tells times, the most memory of the process, and what came of it; then the same again, which adds nothing, and its removal.
"""

import resource
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time

from django.utils import timezone

from bench.commands import command, make_parser
from bench.exports import write_export
from bench.scratch import scratch_site
from chat.access import ChatAccess
from chat.imports import uploads, work
from chat.memories.formation import form_all_awaiting
from chat.models import Conversation, Import, Message
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import LifeFact, MemoryNode
from tests.factories import make_access


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = make_parser("imports", __doc__)
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=60, help="of forming memories at most")
    given = parser.parse_args(arguments)
    with scratch_site(durable=True):
        measure(conversations=given.conversations, messages=given.messages, most_s=60 * given.minutes)


def measure(*, conversations: int, messages: int, most_s: float) -> None:
    """Bring an export of this size in, bring it in again, and remove it."""
    access: ChatAccess = make_access("ada")

    def count() -> str:
        with space_scope(access.space):
            rows = [model.objects.for_space(access.space) for model in (Conversation, Message, LifeFact)]
            standing = rows[0].filter(deleted_at__isnull=True).count()
            held = MemoryNode.objects.for_space(access.space).active().count()
            return f"{standing} conversations, {rows[1].count()} messages, {held} memories, {rows[2].count()} facts"

    def bring(turn: str) -> Import:
        row = uploads.begin(access, [(file.name, size)], now=timezone.now())
        with file.open("rb") as content:
            timed(f"{turn}: seal", lambda: uploads.take_file(access, row, 0, content))
        timed(f"{turn}: read", lambda: work.finish_upload(access, row.pk, now=timezone.now(), here=True))
        with unlocked(access.space, access.key):
            print({**(uploads.own_import(access, row.pk).preview or {}), "examples": "…"})
        timed(f"{turn}: keep", lambda: work.keep(access, row.pk, now=timezone.now(), here=True))
        print(count())
        timed(f"{turn}: remember", form)
        print(count())
        return row

    def form() -> None:
        until = perf_counter() + most_s
        done = form_all_awaiting(
            access.space, key=access.key, now=timezone.now(), may_go_on=lambda: perf_counter() < until
        )
        print(f"of {done} messages:")

    def finish() -> None:
        work.go_on(access.space, first.pk, key=access.key, now=timezone.now())

    with tempfile.TemporaryDirectory() as folder:
        file = write_export(
            Path(folder) / "conversations.json", conversations=conversations, messages=messages
        )
        size = file.stat().st_size
        print(f"export: {conversations} conversations, {messages} messages, {size / 2**20:.1f} MB")
        first = bring("first time")
        bring("again")
    work.remove(access, first.pk, now=timezone.now())
    timed("remove", finish)
    print(count())
    work.restore(access, first.pk, now=timezone.now())
    timed("have back", finish)
    print(count())


def timed(name: str, step: Callable[[], object]) -> None:
    """Do a step; tell its time, the process's own part of it, and the most memory that the process has had until its end."""
    began, used = perf_counter(), process_time()
    step()
    worked_s = process_time() - used
    most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:24} {perf_counter() - began:8.1f} s   of this process {worked_s:7.1f} s   most memory so far {most_mb:6.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
