"""What sleep keeps: `python -m bench.sleep FILE... [--json]` (files or folders of conversations).

Each conversation is lived twice through formation, without a model: once as it is, and once with ten sleeps, one after each
tenth of its sessions. Then its questions are asked of both memories. A memory with n sources fills n ranks; what has
expired is not found. The bars: recall@10, any and all, at least .95 of what it was without sleep, and no sleep after which more
memories are active than before.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from statistics import mean
from uuid import UUID

import numpy as np

from bench.asking import Way, ask_lived, embed_questions
from bench.commands import command, keep_quiet, make_parser, tell
from bench.living import Lived, enter_speaker, form, turns_of
from bench.recordings import load_measurable
from bench.scoring import ADVERSARIAL, average, not_adversarial
from bench.scratch import scratch_site
from bench.vectors import remember_vectors
from chat.access import ChatAccess
from chat.demo.recordings import Conversation, Session
from chat.demo.replay import live_through
from companion_site.embeddings.service import get_embedder
from companion_site.llm.tokens import estimate_tokens
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode
from memory.student.params import SLEEP
from memory.student.sleep.run import sleep_through
from memory.student.sleep.store import expire_short_term

CYCLES = 10
LEAST_RECALL = 0.95
MEASURES = ("any@1", "any@5", "any@10", "all@10", "session any@5")


@dataclass(frozen=True)
class Cycle:
    """One stretch of sessions and the sleep after it.

    Attributes:
        before, after: memories that are active and have not expired, before and after the sleep.
        left: memories that it left short-term.
        batch_s: seconds of each of its runs.
        commit_ms: milliseconds of writing, of each.
    """

    before: int
    after: int
    left: int
    batch_s: Sequence[float]
    commit_ms: Sequence[int]


@dataclass
class Slept:
    """One conversation, remembered without sleep and with it."""

    name: str
    before: Way
    after: Way
    cycles: Sequence[Cycle]


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = make_parser(
        "sleep", __doc__, files="a conversation, or a folder of them", as_json=True
    ).parse_args(arguments)
    slept = measure(load_measurable(options.paths), tell=keep_quiet if options.json else tell)
    sys.stdout.write(f"{json.dumps(collect(slept), indent=1) if options.json else render_report(slept)}\n")


def measure(conversations: Sequence[Conversation], *, tell: Callable[[str], None]) -> list[Slept]:
    """Return how each conversation is remembered, measured on a site made for it.

    Raises:
        CannotStart: its database does not come up.
    """
    found = []
    with scratch_site(durable=False), remember_vectors(get_embedder()):
        for conversation in conversations:
            before = ask_all(form(conversation))
            lived, cycles = form_and_sleep(conversation)
            found.append(Slept(conversation.name, before, ask_all(lived), cycles))
            held = f"{before.memories} to {found[-1].after.memories} memories"
            tell(f"{conversation.name}: {len(cycles)} sleeps, {held}")
    return found


def form_and_sleep(conversation: Conversation) -> tuple[Lived, list[Cycle]]:
    """Live a conversation, with a sleep after each of ten stretches of its sessions.

    Raises:
        RuntimeError: a sleep failed.
    """
    access = enter_speaker(conversation)
    turn_of: dict[UUID, str] = {}
    passed = []
    for stretch in split_sessions(conversation.sessions, CYCLES):
        turn_of |= live_through(access, replace(conversation, sessions=stretch)).turn_of
        passed.append(_sleep(access, now=stretch[-1].at + timedelta(hours=2 * SLEEP.after_hours)))
    return Lived(conversation, access, turns_of(access, turn_of), turn_of), passed


def split_sessions(sessions: Sequence[Session], cycles: int) -> list[tuple[Session, ...]]:
    """Return the sessions as so many stretches, as even as may be; none is empty."""
    parts = np.array_split(np.arange(len(sessions)), min(cycles, len(sessions)))
    return [tuple(sessions[at] for at in part) for part in parts]


def _sleep(access: ChatAccess, *, now: datetime) -> Cycle:
    expire_short_term(now=now)
    before = _count(access, now=now)
    runs = sleep_through(access.space, key=access.key, now=now)
    for run in runs:
        if run.error:
            raise RuntimeError(f"a sleep failed: {run.error}")
    return Cycle(
        before=before,
        after=_count(access, now=now),
        left=sum(run.left for run in runs),
        batch_s=[(run.duration_ms or 0) / 1000 for run in runs if run.processed],
        commit_ms=[run.commit_ms or 0 for run in runs if run.processed],
    )


def _count(access: ChatAccess, *, now: datetime) -> int:
    with space_scope(access.space):
        return MemoryNode.objects.for_space(access.space).active().unexpired(now).count()


def ask_all(lived: Lived) -> Way:
    """Return what the questions find in a memory; what has expired is not found."""
    vectors = embed_questions(lived.conversation)
    found = ask_lived(lived, vectors, unexpired=True)
    for question, vector in zip(lived.conversation.questions, vectors, strict=True):
        if question.evidence and question.category != ADVERSARIAL:
            recalled = lived.recall(question, vector)
            found.prompt_tokens.append(sum(estimate_tokens(memory.text) for memory in recalled))
    return found


def collect(slept: Sequence[Slept]) -> dict[str, object]:
    """Return {name: {"before": {...}, "after": {...}, "recall": {...}, "text": ..., "cycles": [...]}} and "all"."""
    return {
        **{one.name: {**_numbers(one), "cycles": [vars(cycle) for cycle in one.cycles]} for one in slept},
        "all": _numbers(_together(slept)),
    }


def render_report(slept: Sequence[Slept]) -> str:
    """Return the tables, by conversation and together, and whether the bars hold."""
    together = _together(slept)
    heading = "".join(
        f"{name:>15}" for name in (*MEASURES, "memories", "characters", "per 1000 tok", "prompt tok")
    )
    lines = [f"{'':24}{heading}"]
    for one in [*slept, together]:
        for way, numbers in (("before", _state(one.before)), ("after", _state(one.after))):
            lines.append(
                f"{one.name[:16]:17}{way:7}" + "".join(f"{value:15.3f}" for value in numbers.values())
            )
    lines += ["", f"{'':17}any@10 kept   all@10 kept   text left   nodes of each sleep, before>after"]
    for one in [*slept, together]:
        kept = _numbers(one)["kept"]
        nodes = (
            " ".join(f"{cycle.before}>{cycle.after}" for cycle in one.cycles) if one is not together else ""
        )
        lines.append(
            f"{one.name[:16]:17}{kept['any@10']:11.3f}{kept['all@10']:14.3f}{kept['text']:12.3f}   {nodes}"
        )
    lines += ["", *_render_bars(together)]
    return "\n".join(lines)


def _render_bars(together: Slept) -> list[str]:
    kept = _numbers(together)["kept"]
    seconds = [second for cycle in together.cycles for second in cycle.batch_s]
    commits = [ms for cycle in together.cycles for ms in cycle.commit_ms]
    bars = {
        f"any@10 after / before {kept['any@10']:.3f} (>= {LEAST_RECALL})": kept["any@10"] >= LEAST_RECALL,
        f"all@10 after / before {kept['all@10']:.3f} (>= {LEAST_RECALL})": kept["all@10"] >= LEAST_RECALL,
        f"no sleep leaves more memories active ({len(together.cycles)} sleeps)": all(
            cycle.after <= cycle.before for cycle in together.cycles
        ),
    }
    return [
        *(f"{text}: {'ok' if held else 'MISSED'}" for text, held in bars.items()),
        f"a batch took {mean(seconds):.2f} s, at most {max(seconds):.2f}; writing it {mean(commits):.0f} ms, at most {max(commits)}",
        f"memories left short-term by a sleep: {sum(cycle.left for cycle in together.cycles)}",
    ]


def _numbers(one: Slept) -> dict[str, dict[str, float]]:
    before, after = _state(one.before), _state(one.after)
    names = {"any@10": "any@10", "all@10": "all@10", "text": "characters"}
    kept = {short: after[name] / before[name] if before[name] else 0.0 for short, name in names.items()}
    return {"before": before, "after": after, "kept": {name: round(share, 4) for name, share in kept.items()}}


def _state(way: Way) -> dict[str, float]:
    means = average(not_adversarial(way.outcomes))
    return {
        **{name: means.get(name, 0.0) for name in MEASURES},
        "memories": way.memories,
        "characters": way.characters,
        "evidence per 1000 tokens": way.evidence_per_1000_tokens,
        "tokens in a prompt": round(mean(way.prompt_tokens), 1) if way.prompt_tokens else 0.0,
    }


def _together(slept: Sequence[Slept]) -> Slept:
    total = Slept("all", Way(), Way(), [cycle for one in slept for cycle in one.cycles])
    for one in slept:
        total.before.add(one.before)
        total.after.add(one.after)
    return total


if __name__ == "__main__":
    sys.exit(main())
