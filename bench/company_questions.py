"""What the companion without a model answers about the demo company: `python -m bench.company_questions [--show]`.

The questions of `bench/data/company_questions.json` are asked by Bo in whole conversations; a quarter of them nothing answers. The rules are those of
`bench.replies`: right by the words that are needed, declined, or neither, which is wrong.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from bench.commands import command, make_parser
from bench.conversations import NOW, entered
from bench.lives import converse, read_reply
from bench.replies import Judged, judge
from bench.scenarios import Asked, Scenario, Sitting
from bench.scratch import scratch_site
from chat.demo.people import ensure_demo, load_demo_company
from companion_site.accounts.models import Person
from companion_site.ids import new_id
from memory.company.demo import read_conversations

QUESTIONS = Path(__file__).parent / "data" / "company_questions.json"
WHO = "bo"
APART = timedelta(seconds=40)
VERDICTS = ("right", "declined", "other")


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Ask, judge and print."""
    parser = make_parser("company_questions", __doc__)
    parser.add_argument("--show", action="store_true", help="print the replies that are not good")
    options = parser.parse_args(arguments)

    judged: list[Judged] = []
    with scratch_site(durable=False):
        ensure_demo(now=NOW - timedelta(minutes=30))
        load_demo_company(Person.objects.get(username="bo").company.space_id)
        for asked in load_questions():
            judged += ask(asked)
    if options.show:
        for one in judged:
            if not one.is_good:
                sys.stdout.write(f"{one.asked.kind:9}{one.verdict:9}{one.asked.text}\n    {one.reply}\n")
    sys.stdout.write("\n".join(render(judged)) + "\n")


def load_questions() -> list[list[Asked]]:
    """Return the questions of each conversation."""
    return [
        [Asked(at=NOW, language=group["language"], **one) for one in conversation]
        for group in json.loads(QUESTIONS.read_text("utf-8"))
        for conversation in group["conversations"]
    ]


def ask(conversation: Sequence[Asked]) -> Iterator[Judged]:
    """Ask one conversation's questions, one after the other; yield how each reply is judged."""
    said: Counter[str] = Counter()
    with entered(WHO) as access, asyncio.Runner() as runner:
        times = (NOW + number * APART for number in range(len(conversation)))
        texts = [asked.text for asked in conversation]
        exchanges = converse(access, zip(texts, times, strict=True), runner=runner)
        for asked, exchange in zip(conversation, exchanges, strict=True):
            reply, level = read_reply(access, exchange)
            yield judge(read_told(asked.language), asked, reply, level=level, said=said)


def read_told(language: str) -> Scenario:
    """Return what the company was told, as far as replies quote it."""
    sittings = tuple(
        Sitting(at=one.began_at, messages=tuple(fact.content for fact in one.facts), by=one.username)
        for one in read_conversations(new_id(), now=NOW)
        if one.facts
    )
    return Scenario(
        name="Demo AB", side="company", language=language, who=WHO, sittings=sittings, after=(), questions=()
    )


def render(judged: Sequence[Judged]) -> list[str]:
    """Return how many are right, declined and wrong, of those that something answers and of those that nothing does."""
    lines = [f"{'':22}{'right':>8}{'declined':>10}{'wrong':>8}"]
    for language in ("en", "sv"):
        for name, is_told in (("answered", True), ("not told", False)):
            part = [one for one in judged if one.language == language and one.can_be_answered == is_told]
            counts = Counter(one.verdict for one in part)
            lines.append(f"{language} {name:19}" + "".join(f"{counts[one]:>8}" for one in VERDICTS))
    good = sum(one.is_good for one in judged)
    honest = sum(one.is_good or one.verdict == "declined" for one in judged)
    lines.append(f"good {good} of {len(judged)}, right or honestly declined {honest}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
