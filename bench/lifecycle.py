"""What a person gets of what they told: `python -m bench.lifecycle FILE... [--json]` (scenarios, or folders of them).

Scenarios are lived as people do, through the site's own services: told over weeks, corrected, slept over, cleaned up, asked
later in other words and in the other language. Judged is what was remembered in the request that goes to the model, and
the reply that the person sees. Beside it, on the same questions: the ten messages nearest by the same embedder, BM25's first
ten, and everything ever said. `--why` tells for each thing that a request lacks at which gate it was lost.

With `--amid FILE` what somebody said in a recorded conversation is lived before and between. With `--conversations FILE...` the questions of recorded conversations are asked the same way, and the evidence is counted that
stands in the request.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

from django.conf import settings

from bench.baselines import Bm25Baseline, DenseBaseline
from bench.commands import BadInput, CouldNotLive, command, keep_quiet, make_parser, tell
from bench.judge import Judged, as_lines, count, judge, plain, read_lines, remembered, says
from bench.lifecycle_conversations import report_conversations
from bench.lives import Kept, Life, Request, living
from bench.recordings import load_conversations
from bench.scenarios import KINDS, SIDES, Asked, Need, Scenario, amid, load_scenarios
from bench.scratch import scratch_site
from bench.vectors import embed_all, remember_vectors
from companion_site.embeddings.service import get_embedder
from companion_site.llm.gateway import get_gateway
from companion_site.running import CannotStart

OURS, NEAREST, BM25, EVERYTHING = "ours", "ten nearest", "BM25 ten", "everything said"
WAYS = (OURS, NEAREST, BM25, EVERYTHING)
ONLY = {"student": "students", "company": "companies"}
#: What a plain method brings.
TEN = 10
MOST_PROCESSES = 2
#: Where a thing that a request lacks was lost, in the order of the way there.
GATES = (
    "never stored",
    "replaced by a later memory",
    "lost in sleep",
    "lost in a clean-up",
    "expired",
    "ranked below the first ten",
    "ranked, and not called to mind",
    "called to mind, and left out",
    "in the memory, and not chosen",
)
_GONE = {"told": GATES[1], "sleep": GATES[2], "clean_up": GATES[3], "time": GATES[4]}
#: The log-in of people who live for a minute need not hold off anybody.
_CHEAP_KEYS = {"iterations": 1, "memory_cost": 64}


@dataclass(frozen=True)
class Answered:
    """One question, asked.

    Attributes:
        ways: what each way of remembering put before it.
        shown, by_model: whether all that is needed stands in the reply without a model, and in a model's; None without one.
        lost: each need that the request lacks, by its first wording, with the gate.
    """

    text: str
    kind: str
    ways: dict[str, Judged]
    shown: bool
    by_model: bool | None
    lost: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Lived:
    """One scenario, lived and asked.

    Attributes:
        bland: of each bland message, whether it brought something remembered into the request, be it only what is open in their life;
            recalled: whether it called a memory to mind.
        keep: whether each further thing told is still there; junk: whether each piece of junk is.
    """

    name: str
    side: str
    language: str
    questions: tuple[Answered, ...]
    bland: tuple[bool, ...]
    recalled: tuple[bool, ...]
    keep: tuple[bool, ...]
    junk: tuple[bool, ...]
    seconds: float


#: The columns of the table, and what they are called in JSON.
COLUMNS = {
    "met": "met",
    "undoubted": "undoubted",
    "newest only": "met_now",
    "corrected": "corrected",
    "about me": "about_me",
    "across": "across_language",
    "useful lines": "useful_lines",
    "in doubt": "in_doubt_lines",
}


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code: 2 with one line for what cannot be measured."""
    parser = make_parser("lifecycle", __doc__, files="a scenario, or a folder of them", as_json=True)
    parser.add_argument("--only", choices=[*ONLY.values()], help="live these alone")
    parser.add_argument(
        "--why", action="store_true", help="list what requests lack, each with where it was lost"
    )
    parser.add_argument(
        "--provider",
        default="offline",
        help="models to live and answer with, as in LLM_CHAIN",
    )
    parser.add_argument(
        "--log-out",
        action="store_true",
        help="the person logs out after each sitting, and the site compresses",
    )
    parser.add_argument(
        "--amid",
        type=Path,
        action="append",
        metavar="FILE",
        help="a recorded conversation: what its first speaker says is told before and between, by whoever asks",
    )
    parser.add_argument("--messages", type=int, default=400, help="of other talk, at the most")
    parser.add_argument(
        "--processes", type=int, default=min(MOST_PROCESSES, os.cpu_count() or 1), help="at the same time"
    )
    parser.add_argument(
        "--conversations",
        action="store_true",
        help="the files are recorded conversations, as of bench.retrieval",
    )
    options = parser.parse_args(arguments)
    say = keep_quiet if options.json else tell
    if options.conversations:
        sys.stdout.write(f"{report_conversations(options.paths, as_json=options.json, tell=say)}\n")
        return 0
    scenarios = [one for one in load_scenarios(options.paths) if options.only in (None, ONLY[one.side])]
    if not scenarios:
        raise BadInput(f"no scenario of {options.only}")
    if options.amid:
        talk = read_talk(options.amid)[: options.messages]
        scenarios = [amid(one, talk) for one in scenarios]
    began = perf_counter()
    lived = measure(
        scenarios,
        chain=options.provider,
        logs_out=options.log_out,
        processes=options.processes,
        tell=say,
    )
    seconds = perf_counter() - began
    text = render_json(lived, seconds) if options.json else render_report(lived, seconds, why=options.why)
    sys.stdout.write(f"{text}\n")
    return 0


def read_talk(paths: Sequence[Path]) -> list[str]:
    """Return what the first speaker of each recorded conversation says.

    Raises:
        BadConversation: a file is damaged.
    """
    return [
        turn.text
        for conversation in load_conversations(paths)
        for _, turn in conversation.turns()
        if turn.speaker == conversation.people[0] and turn.text.strip()
    ]


# --- measuring ------------------------------------------------------------------------------------------------------


def measure(
    scenarios: Sequence[Scenario],
    *,
    chain: str = "offline",
    logs_out: bool = False,
    processes: int = 1,
    tell: Callable[[str], None] = lambda line: None,
) -> list[Lived]:
    """Return how the scenarios fared, in their order; each process has a site of its own.

    Args:
        chain: providers, as in LLM_CHAIN.
        logs_out: after each sitting the person logs out, so that the site compresses what it has left.

    Raises:
        CannotStart: a database does not come up.
        CouldNotLive: a life came to an end before its questions.
    """
    processes = max(1, min(processes, len(scenarios)))
    live = partial(_measure_part, chain=chain, logs_out=logs_out)
    parts = [list(scenarios[start::processes]) for start in range(processes)]
    if processes == 1:
        return live(parts[0], tell=tell)
    # Spawned: a site is set up once in a process, and none is yet.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        try:
            done = {one.name: one for part in pool.map(partial(live, tell=tell), parts) for one in part}
        except BrokenProcessPool as error:
            raise CouldNotLive("a process that lived scenarios was ended from outside") from error
    return [done[scenario.name] for scenario in scenarios]


def _measure_part(
    scenarios: Sequence[Scenario], *, chain: str, logs_out: bool, tell: Callable[[str], None]
) -> list[Lived]:
    settings.VAULT_ARGON2.update(_CHEAP_KEYS)
    with scratch_site(durable=False, chain=chain):
        if chain != "offline" and not get_gateway().providers:
            raise CannotStart(
                f"--provider {chain}: none of these is set up (docs/settings.md, Language models)"
            )
        with remember_vectors(get_embedder()):
            return [_measure_one(scenario, logs_out=logs_out, tell=tell) for scenario in scenarios]


def _measure_one(scenario: Scenario, *, logs_out: bool, tell: Callable[[str], None]) -> Lived:
    began = perf_counter()
    plainly = PlainWays(scenario)
    with living(scenario, logs_out=logs_out) as life:
        kept = life.kept[-1]
        keep = tuple(kept.says(need) for need in scenario.keep)
        left = set(life.junk_kept())
        questions = tuple(
            _answer(asked, life.ask(asked.text, at=asked.at), life, plainly) for asked in scenario.questions
        )
        last = max(asked.at for asked in scenario.questions)
        blands = [(text, life.ask(text, at=last).composed) for text in scenario.bland]
    days = scenario.said_on
    lived = Lived(
        name=scenario.name,
        side=scenario.side,
        language=scenario.language,
        questions=questions,
        bland=tuple(
            bool(read_lines(remembered(made.request), question=text, said_on=days)) for text, made in blands
        ),
        recalled=tuple(bool(made.recalled) for _, made in blands),
        keep=keep,
        junk=tuple(junk in left for junk in scenario.junk),
        seconds=round(perf_counter() - began, 1),
    )
    met = sum(one.ways[OURS].is_met for one in questions)
    tell(f"{scenario.name}: {met} of {len(questions)} questions, {lived.seconds:.0f} s")
    return lived


def _answer(asked: Asked, request: Request, life: Life, plainly: "PlainWays") -> Answered:
    block = remembered(request.composed.request)
    lines = read_lines(block, question=asked.text, said_on=life.scenario.said_on)
    ours = judge(lines, asked, tokens=count([block] if block else []))
    return Answered(
        text=asked.text,
        kind=asked.kind,
        ways={OURS: ours, **plainly.judge(asked)},
        shown=_stands_in(request.shown, asked),
        by_model=_stands_in(request.by_model, asked) if get_gateway().providers else None,
        lost=tuple(
            (need[0], find_gate(need, life.kept, request, is_company=life.is_company))
            for need, met in zip(asked.needs, ours.needs, strict=True)
            if not met
        ),
    )


def _stands_in(reply: str, asked: Asked) -> bool:
    """Tell whether a reply has all that is needed, without the question's own words where it repeats them."""
    text = plain(reply).replace(plain(asked.text), " ")
    return all(says(text, need) for need in asked.needs)


def find_gate(need: Need, kept: Sequence[Kept], request: Request, *, is_company: bool) -> str:
    """Return where a thing that the request lacks was lost on its way there."""
    there = [moment.says(need) for moment in kept]
    if not any(there):
        return GATES[0]
    if not there[-1]:
        last = len(there) - 1 - there[::-1].index(True)
        return _GONE[kept[last + 1].after]
    if any(says(plain(text), need) for text in request.recalled):
        return GATES[7]
    if is_company:
        return GATES[8]
    return GATES[6] if any(says(plain(text), need) for text in request.ranked) else GATES[5]


class PlainWays:
    """What is put before a question without any of this: messages as they were written."""

    def __init__(self, scenario: Scenario) -> None:
        self.messages, self.embedder = scenario.messages, get_embedder()
        self.nearest = DenseBaseline(embed_all(self.embedder, self.messages))
        self.bm25 = Bm25Baseline(self.messages, language=scenario.language)

    def judge(self, asked: Asked) -> dict[str, Judged]:
        """Return how each of them does on a question."""
        (vector,) = self.embedder.embed([asked.text])
        chosen = {
            NEAREST: [self.messages[row] for row in self.nearest.rank(vector)[:TEN]],
            BM25: [self.messages[row] for row in self.bm25.rank(asked.text)[:TEN]],
            EVERYTHING: self.messages,
        }
        return {name: judge(as_lines(texts), asked, tokens=count(texts)) for name, texts in chosen.items()}


# --- telling --------------------------------------------------------------------------------------------------------


def summarise(lived: Sequence[Lived]) -> dict[str, Any]:
    """Return the figures of some scenarios together; a share of nothing is None."""
    questions = [question for one in lived for question in one.questions]
    lost = Counter(gate for one in questions for _, gate in one.lost)
    return {
        "scenarios": len(lived),
        "questions": len(questions),
        "ways": {way: _figures(questions, way) for way in WAYS},
        "reply_offline": _share(one.shown for one in questions),
        "reply_by_model": _share(one.by_model for one in questions if one.by_model is not None),
        "bland_brought": _share(brought for one in lived for brought in one.bland),
        "bland_recalled": _share(recalled for one in lived for recalled in one.recalled),
        "kept": _share(kept for one in lived for kept in one.keep),
        "junk": _share(junk for one in lived for junk in one.junk),
        "lost": {gate: lost[gate] for gate in GATES if lost[gate]},
    }


def _figures(questions: Sequence[Answered], way: str) -> dict[str, Any]:
    """Return what one way of remembering makes of some questions."""
    judged = [one.ways[way] for one in questions]

    def of_kind(kind: str) -> list[Judged]:
        return [one.ways[way] for one in questions if one.kind == kind]

    lines = sum(one.lines for one in judged)
    return {
        "questions": len(judged),
        "met": _share(one.is_met for one in judged),
        "undoubted": _share(one.is_undoubted for one in judged),
        "met_now": _share(one.is_met_now for one in judged),
        "corrected": _share(one.is_met_now for one in of_kind("corrected")),
        "about_me": _share(one.is_met for one in of_kind("about_me")),
        "across_language": _share(one.is_met for one in of_kind("across_language")),
        "useful_lines": round(sum(one.useful for one in judged) / lines, 4) if lines else None,
        "in_doubt_lines": round(sum(one.in_doubt for one in judged) / lines, 4) if lines else None,
        "tokens": round(mean(one.tokens for one in judged), 1) if judged else None,
    }


def _share(found: Iterable[bool]) -> float | None:
    counted = list(found)
    return round(mean(counted), 4) if counted else None


def render_json(lived: Sequence[Lived], seconds: float) -> str:
    """Return {"all": {...}, "student": {...}, "company": {...}, "language": ..., "kind": ..., "scenarios": [...]}."""
    found = {
        **{name: summarise(part) for name, part in {"all": lived, **_by_side(lived)}.items()},
        "language": {name: summarise(part) for name, part in _by_language(lived)},
        "kind": {name: {way: _figures(part, way) for way in WAYS} for name, part in _by_kind(lived)},
        "scenarios": [asdict(one) for one in lived],
        "seconds": round(seconds, 1),
    }
    return json.dumps(found, indent=1, ensure_ascii=False)


def render_report(lived: Sequence[Lived], seconds: float, *, why: bool = False) -> str:
    """Return the tables: side by side with the plain methods, by kind, by language, and where things were lost."""
    lines: list[str] = []
    sides = _by_side(lived)
    for name, part in {**({"all": lived} if len(sides) > 1 else {}), **sides}.items():
        lines += [*_render_summary(name, summarise(part)), ""]
    heading = f"{'met by kind':24}{'questions':>10}" + "".join(f"{way:>17}" for way in WAYS)
    lines += [f"{heading}{'reply':>10}", *(_render_met(*one) for one in _by_kind(lived))]
    lines += ["", "met by language"]
    for name, part in _by_language(lived):
        lines.append(_render_met(name, [question for one in part for question in one.questions]))
    lines += ["", *_render_lost(sides)]
    if why:
        lines += ["", *_render_why(lived)]
    return "\n".join([*lines, "", f"{len(lived)} scenarios in {seconds:.0f} s"])


def _render_summary(name: str, summary: dict[str, Any]) -> Iterator[str]:
    yield f"{name}: {summary['scenarios']} scenarios, {summary['questions']} questions"
    yield f"{'':24}" + "".join(f"{column:>14}" for column in (*COLUMNS, "tokens"))
    for way, found in summary["ways"].items():
        tokens = f"{found['tokens']:14.0f}" if found["tokens"] is not None else f"{'':14}"
        yield f"  {way:22}" + "".join(f"{_digits(found[key]):>14}" for key in COLUMNS.values()) + tokens
    yield f"  {'reply, no model':22}{_digits(summary['reply_offline']):>14}"
    if summary["reply_by_model"] is not None:
        yield f"  {'reply, model':22}{_digits(summary['reply_by_model']):>14}"
    yield (
        f"  bland messages that bring something {_digits(summary['bland_brought'])}, "
        f"that recall a memory {_digits(summary['bland_recalled'])}, "
        f"further facts kept {_digits(summary['kept'])}, junk kept {_digits(summary['junk'])}"
    )


def _render_met(name: str, questions: Sequence[Answered]) -> str:
    shares = "".join(f"{_digits(_figures(questions, way)['met']):>17}" for way in WAYS)
    return f"  {name:22}{len(questions):10}{shares}{_digits(_share(one.shown for one in questions)):>10}"


def _render_lost(sides: dict[str, list[Lived]]) -> Iterator[str]:
    found = {side: summarise(part)["lost"] for side, part in sides.items()}
    title = "needs that a request lacks, and where they were lost"
    yield f"{title:54}" + "".join(f"{side:>10}" for side in sides)
    for gate in GATES:
        if any(gate in lost for lost in found.values()):
            yield f"  {gate:52}" + "".join(f"{lost.get(gate, 0):10}" for lost in found.values())
    needs = (
        sum(len(question.ways[OURS].needs) for one in part for question in one.questions)
        for part in sides.values()
    )
    yield f"  {'of needs in all':52}" + "".join(f"{count:10}" for count in needs)


def _render_why(lived: Sequence[Lived]) -> Iterator[str]:
    for one in lived:
        for question in one.questions:
            for need, gate in question.lost:
                yield f"{one.name}  {gate:32} {question.kind:16} {need!r}: {question.text}"


def _by_side(lived: Sequence[Lived]) -> dict[str, list[Lived]]:
    found = {side: [one for one in lived if one.side == side] for side in SIDES}
    return {side: part for side, part in found.items() if part}


def _by_kind(lived: Sequence[Lived]) -> list[tuple[str, list[Answered]]]:
    found = {kind: [one for life in lived for one in life.questions if one.kind == kind] for kind in KINDS}
    return [(kind, questions) for kind, questions in found.items() if questions]


def _by_language(lived: Sequence[Lived]) -> list[tuple[str, list[Lived]]]:
    languages = sorted({one.language for one in lived})
    return [(name, [one for one in lived if one.language == name]) for name in languages]


def _digits(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


if __name__ == "__main__":
    sys.exit(main())
