"""What a conversation asks of a language model beside its replies: `python -m bench.calls`, on a database of its own.

A student with memories says ten things to a model on this machine that answers at once, and pauses; the worker does what is queued.
Requests are counted as they come over the wire, tokens estimated as the gateway does (2.5 bytes each), by the form that was asked for.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ

from bench.chatting import open_conversations, say_and_follow
from bench.commands import command, make_parser, write_lines
from bench.scratch import scratch_site
from bench.students import make_lives, make_students
from chat.memories import due
from companion_site.llm.gateway import get_gateway
from companion_site.llm.tokens import estimate_tokens
from tests.llm.wire_server import WireRequest, WireServer

SAID = (
    "Hi! I'm vegan.",
    "My brother Noah has started to play chess, and he wants me to play with him every evening.",
    "I don't really like it. It makes me tired, and I have a biology test on Friday.",
    "Grandpa is in hospital, he broke his hip. I am worried about him.",
    "ok thanks",
    "What is 17 times 6?",
    "I want to run five kilometres before the summer. Please don't give me lists of tips, ask me questions instead.",
    "Let us play: you are a dragon and I am a knight called Sir Oliver.",
    "We moved to Malmö last week, so I take the train to school now. My new teacher is called Karin.",
    "I am thankful for my sister. Bye!",
)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Count and print."""
    parser = make_parser("calls", __doc__)
    parser.add_argument("--steps", choices=("offline", "model"), default="offline", help="TURN_STEPS")
    options = parser.parse_args(arguments)
    with WireServer() as server:
        settings.ANTHROPIC_API_KEY, settings.ANTHROPIC_BASE_URL = "bench", server.url
        settings.TURN_STEPS, settings.LLM_SCRUB_LOCAL = options.steps, False
        with scratch_site(durable=False, chain="anthropic"):
            _live()
            write_lines(render(server.requests))


def render(requests: Sequence[WireRequest]) -> list[str]:
    """Return the table: requests and tokens by the form asked for, and what is beside the replies."""
    calls, tokens = Counter[str](), Counter[str]()
    for request in requests:
        form = "reply" if request.body.get("stream") else (request.schema or {}).get("title", "?")
        sent = json.dumps([request.system_text, request.body["messages"], request.schema], ensure_ascii=False)
        calls[form] += 1
        tokens[form] += estimate_tokens(sent)
    lines = [f"{form:24}{calls[form]:9}{tokens[form]:10}" for form in sorted(calls)]
    beside, read = calls.total() - calls["reply"], tokens.total() - tokens["reply"]
    most = f"beside the replies, a message: {beside / len(SAID):.1f} requests, {read / len(SAID):.0f} tokens"
    return [f"{'':24}{'requests':>9}{'tokens':>10}", *lines, most]


def _live() -> None:
    """Have the things said and answered, then let the person pause."""
    (access,) = make_students(make_lives(1, memories=60))
    get_gateway().providers[0]  # a model is asked, or nothing is measured
    (chatter,) = open_conversations([access])

    async def say(text: str) -> None:
        await say_and_follow(chatter, text)
        await get_gateway().aclose()

    for text in SAID:
        asyncio.run(say(text))
        _work()
    due.queue_due(now=timezone.now() + timedelta(minutes=1))
    _work()


def _work() -> None:
    """Do what is queued, as the worker does."""
    while (job := OrmQ.objects.order_by("id").first()) is not None:
        import_string(job.func())(*job.args())
        job.delete()


if __name__ == "__main__":
    sys.exit(main())
