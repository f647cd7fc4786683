"""How long one student's memory waits while another floods the queue with junk: `python -m bench.fairness`."""

import os
import sys
from collections.abc import Sequence
from time import monotonic, sleep
from uuid import uuid4

from django.utils import timezone

from bench.commands import command, make_parser
from bench.readers import KINDS
from bench.scratch import scratch_site
from bench.students import enter_person
from bench.workers import working
from chat.models import Message
from chat.services import begin_conversation, say
from companion_site.vault.scope import space_scope

#: seconds within which the short message must be remembered
BAR_S = 10.0
LOOK_S = 0.05
PATIENCE_S = 600.0


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = make_parser("fairness", __doc__)
    parser.add_argument("--messages", type=int, default=60, help="of junk, of one student")
    parser.add_argument("--workers", type=int, default=1, help="processes that carry out jobs")
    parser.add_argument("--rounds", type=int, default=5, help="short messages of the other")
    parser.add_argument("--chars", type=int, default=31_000, help="of a message of junk")
    options = parser.parse_args(arguments)
    with scratch_site(durable=False):
        waits = measure_waits(
            options.messages, chars=options.chars, workers=options.workers, rounds=options.rounds
        )
    for number, (waited_s, between, left) in enumerate(waits, start=1):
        told = f"remembered after {waited_s:.1f} s, behind {between} of junk; {left} of it still waited"
        sys.stdout.write(f"short message {number}: {told}\n")
    longest = max(waited_s for waited_s, _between, _left in waits)
    sys.stdout.write(f"longest {longest:.1f} s  {'ok' if longest < BAR_S else 'OVER'} (< {BAR_S:g})\n")
    return int(longest >= BAR_S)


def measure_waits(messages: int, *, chars: int, workers: int, rounds: int) -> list[tuple[float, int, int]]:
    """Return, of each short message, the seconds until it was remembered, how much junk was read meanwhile, and how much waited.

    Raises:
        RuntimeError: it is not remembered at all.
    """

    def send(access, text):
        row = begin_conversation(access, now=timezone.now())
        return say(access, row.pk, text=text, client_id=uuid4(), now=timezone.now()).message

    def waiting(access):
        with space_scope(access.space):
            return Message.objects.for_space(access.space).awaiting_formation().count()

    loud, quiet = (enter_person(name, now=timezone.now()) for name in ("loud", "quiet"))
    kinds = [
        write
        for name, write in KINDS.items()
        if name not in ("spaces", "newlines", "blank lines", "tabs and spaces")
    ]
    for number in range(messages):
        send(loud, kinds[number * 7 % len(kinds)](chars).strip() or "a")
    waits = []
    with working(workers, env=dict(os.environ)):
        # What the worker loads once, with the first message that says something, is not waited for by anybody again.
        send(quiet, "My sister Anna plays the cello in Lund and I love to listen.")
        _until(lambda: waiting(quiet) == 0 and waiting(loud) < messages)
        for number in range(rounds):
            sent, before = monotonic(), waiting(loud)
            send(quiet, f"My cousin number {number} moved to Oslo in May and I miss her a lot.")
            _until(lambda: waiting(quiet) == 0)
            waits.append((monotonic() - sent, before - waiting(loud), waiting(loud)))
    return waits


def _until(is_so) -> None:
    deadline = monotonic() + PATIENCE_S
    while not is_so():
        if monotonic() > deadline:
            raise RuntimeError("the worker does not come to it")
        sleep(LOOK_S)


if __name__ == "__main__":
    sys.exit(main())
