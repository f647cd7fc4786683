"""What the companion without a model answers: `python -m bench.replies [FILE...] [--json] [--show]` (default: `bench/data/replies`).

Each life is told through the site's own services, as in `bench.lifecycle`, and then asked in whole conversations. A part of the questions
cannot be answered from what was told. Rules count, and no judge:

right: the reply has the words of the answer. Declined: it says that it has nothing on it, or that it takes a language model, and
quotes nothing. Wrong quotation: it
gives back words of a message that has nothing of the answer; a list that was asked for may. Repeated: a sentence that another reply of
the conversation has word for word. Empty badge: it says to be personal, and has no answer.

Scenarios (`bench/data/scenarios`) can be given as well; all their questions can be answered.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bench.commands import BadInput, command, keep_quiet, make_parser, tell
from bench.judge import plain, says
from bench.lives import converse, living, read_reply
from bench.scenarios import (
    LANGUAGES,
    SIDES,
    ZONE,
    Asked,
    Scenario,
    load_scenario,
    tell_first,
)
from bench.scratch import scratch_site
from companion_site.llm.offline_phrases import PHRASES, QUOTATION

DATA = Path(__file__).parent / "data" / "replies"
APART = timedelta(seconds=40)
#: Messages of a scenario's questions that are asked in one conversation.
TOGETHER = 10
#: So many words in a row, as a message has them, are a quotation.
QUOTED = 4
#: A shorter sentence ("Hi there.") may be said again.
LEAST_WORDS = 3
#: What is worked out from the message alone.
WORKED_OUT = frozenset({"sum", "date", "unit"})
#: Whoever asks for these gets a list, in which more may stand than the rule names.
LISTED = frozenset({"about_topic", "about_me", "coming_up", "summary"})
_ENDS = re.compile(r"(?<=[.!?])\s+|\n+")
#: The day behind a quotation in a list belongs to it.
_DAY = re.compile(r"(?<=[\u201c\u201d]) \([^()]*\)")


@dataclass(frozen=True)
class Asking:
    """A life, and the conversations in which it is asked for."""

    scenario: Scenario
    conversations: tuple[tuple[Asked, ...], ...]


@dataclass(frozen=True)
class Judged:
    """One reply, by rules.

    Attributes:
        verdict: right, declined, or neither ("other").
    """

    life: str
    side: str
    language: str
    asked: Asked
    reply: str
    level: str
    verdict: str
    is_misquoting: bool
    repeated: tuple[str, ...]

    @property
    def can_be_answered(self) -> bool:
        return bool(self.asked.needs)

    @property
    def is_good(self) -> bool:
        """Whether it is right, or declines what cannot be answered."""
        return self.verdict == ("right" if self.can_be_answered else "declined")


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("replies", __doc__, as_json=True)
    parser.add_argument("paths", metavar="FILE", nargs="*", type=Path, help="a life, or a folder of them")
    parser.add_argument(
        "--show", action="store_true", help="print the replies that fail, with their questions"
    )
    options = parser.parse_args(arguments)
    say = keep_quiet if options.json else tell

    askings = load_askings(options.paths or [DATA])
    judged: list[Judged] = []
    with scratch_site(durable=False):
        for asking in askings:
            judged += measure(asking)
            say(f"{asking.scenario.name}: {_share(one.is_good for one in judged)} so far")
    shown = _render_shown(judged) if options.show else []
    text = json.dumps(summarise(judged)) if options.json else "\n".join([*shown, *render(judged)])
    sys.stdout.write(f"{text}\n")


# --- reading --------------------------------------------------------------------------------------------------------


def load_askings(paths: Sequence[Path]) -> list[Asking]:
    """Return what stands in files and folders, in order of their names.

    Raises:
        BadInput: a file is neither a life with conversations nor a scenario.
    """
    files = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not files:
        raise BadInput(f"nothing to ask in {', '.join(map(str, paths))}")
    return [_load(file) for file in files]


def _load(file: Path) -> Asking:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if "conversations" in data:
            return _read(data)
    except ValidationError as error:
        raise BadInput(f"{file}: {tell_first(error)}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{file}: {error!r}") from error
    scenario = load_scenario(file)
    asked = scenario.questions
    return Asking(
        scenario, tuple(asked[start : start + TOGETHER] for start in range(0, len(asked), TOGETHER))
    )


def _read(data: dict[str, Any]) -> Asking:
    now = datetime.fromisoformat(data["now"]).replace(tzinfo=ZONE)
    moments = (now + APART * place for place in count())
    conversations = tuple(
        tuple(Asked(at=next(moments), language=data["language"], **one) for one in asked)
        for asked in data["conversations"]
    )
    of_a_life = {name: data[name] for name in ("id", "side", "language", "who", "sessions")}
    return Asking(Scenario(**of_a_life, after=(), questions=tuple(chain(*conversations))), conversations)


# --- asking ---------------------------------------------------------------------------------------------------------


def measure(asking: Asking) -> list[Judged]:
    """Live one life, ask it all, and judge each reply; called with a site set up."""
    judged: list[Judged] = []
    with living(asking.scenario) as life:
        for conversation in asking.conversations:
            said: Counter[str] = Counter()
            exchanges = converse(
                life.access, ((one.text, one.at) for one in conversation), runner=life.runner
            )
            for asked, exchange in zip(conversation, exchanges, strict=True):
                reply, level = read_reply(life.access, exchange)
                judged.append(judge(asking.scenario, asked, reply, level=level, said=said))
    return judged


# --- judging --------------------------------------------------------------------------------------------------------


def judge(scenario: Scenario, asked: Asked, reply: str, *, level: str, said: Counter[str]) -> Judged:
    """Return what rules say of one reply; `said` counts the sentences of the conversation so far."""
    answer = plain(reply).replace(plain(asked.text), " ")
    misquoted = _misquotes(scenario.messages, asked, reply)
    is_right = bool(asked.needs) and all(says(answer, need) for need in asked.needs)
    verdict = "right" if is_right else "declined" if declines(reply) and not misquoted else "other"
    sentences = split_sentences(reply)
    repeated = tuple(sentence for sentence in sentences if said[sentence])
    said.update(sentences)
    return Judged(
        life=scenario.name,
        side=scenario.side,
        language=asked.language,
        asked=asked,
        reply=reply,
        level=level,
        verdict=verdict,
        is_misquoting=misquoted,
        repeated=repeated,
    )


def declines(reply: str) -> bool:
    """Tell whether a reply says that it has nothing on what was asked, or cannot do it: one of the ways in which the companion says so."""
    return any(
        any(
            way in reply
            for ways in (
                p.not_told,
                p.not_told_off,
                p.not_explained,
                p.not_explained_off,
                p.not_made,
                p.not_made_off,
            )
            for way in (*ways, p.not_told_brief)
        )
        or any(
            re.search(re.escape(words).replace(re.escape("{topic}"), ".+"), reply)
            for words in (p.not_told_topic, p.not_made_topic)
        )
        for p in PHRASES.values()
    )


def split_sentences(reply: str) -> list[str]:
    """Return a reply's sentences, plain; a quotation is a part of the sentence that it stands in."""
    whole = QUOTATION.sub(lambda match: f"\u201c{re.sub('[.!?]', '', match[1])}\u201d.", _DAY.sub("", reply))
    sentences = (plain(part) for part in _ENDS.split(whole))
    return [sentence for sentence in sentences if len(re.findall(r"\w+", sentence)) >= LEAST_WORDS]


def _misquotes(messages: Sequence[str], asked: Asked, reply: str) -> bool:
    """Tell whether a reply gives back a message that has nothing of the answer.

    A run of words that a message with the answer has too ("so that I can go"), or that the companion says by itself, gives nothing back; nor
    does a quotation with the answer, of which another message may have put a part right.
    """
    if asked.kind in LISTED and asked.needs:
        return False
    answer = QUOTATION.sub(
        lambda one: " " if any(says(plain(one[1]), need) for need in asked.needs) else one[0], reply
    )
    answer = plain(answer).replace(plain(asked.text), " ")
    told = [plain(message) for message in messages]
    answering = [any(says(message, need) for need in asked.needs) for message in told]
    said = _runs(answer) - _runs_of_phrases()
    said = said.difference(*(_runs(message) for message, has in zip(told, answering, strict=True) if has))
    return any(said & _runs(message) for message, has in zip(told, answering, strict=True) if not has)


@cache
def _runs_of_phrases() -> frozenset[tuple[str, ...]]:
    return frozenset(
        run for phrases in PHRASES.values() for text in _texts(asdict(phrases)) for run in _runs(plain(text))
    )


def _texts(found: object) -> Iterator[str]:
    """Yield every text within lists and dictionaries."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        yield from (text for part in found.values() for text in _texts(part))
    elif isinstance(found, (list, tuple)):
        yield from (text for part in found for text in _texts(part))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text)
    most = min(QUOTED, len(words)) or 1
    return {tuple(words[start : start + most]) for start in range(len(words) - most + 1)} if words else set()


# --- telling --------------------------------------------------------------------------------------------------------


def summarise(judged: Sequence[Judged]) -> dict[str, dict[str, float | int | None]]:
    """Return the figures by side and language, and of all."""
    groups = {
        f"{side} {language}": [one for one in judged if (one.side, one.language) == (side, language)]
        for side in SIDES
        for language in LANGUAGES[:2]
    }
    return {name: _figures(part) for name, part in {**groups, "all": judged}.items() if part}


def _figures(judged: Sequence[Judged]) -> dict[str, float | int | None]:
    told = [one for one in judged if one.can_be_answered and one.asked.kind not in WORKED_OUT]
    untold = [one for one in judged if not one.can_be_answered]
    remembered = [*told, *untold]
    return {
        "questions": len(judged),
        "good": _share(one.is_good for one in remembered),
        "honest": _share(one.verdict == "declined" or one.is_good for one in remembered),
        "right of told": _share(one.is_good for one in told),
        "declined though told": _share(one.verdict == "declined" for one in told),
        "declined of untold": _share(one.is_good for one in untold),
        "wrong quotation": _share(one.is_misquoting for one in remembered),
        "sums and dates": _share(one.is_good for one in judged if one.asked.kind in WORKED_OUT),
        "repeated": sum(bool(one.repeated) for one in judged),
        "empty badge": sum(one.level != "none" and one.verdict == "declined" for one in judged),
    }


def _share(found: Iterable[bool]) -> float | None:
    counted = list(found)
    return round(sum(counted) / len(counted), 3) if counted else None


def render(judged: Sequence[Judged]) -> list[str]:
    """Return the table, and what is right by kind of question."""
    summary = summarise(judged)
    names = list(summary)
    lines = [f"{'':22}" + "".join(f"{name:>14}" for name in names)]
    for figure in next(iter(summary.values())):
        values = (summary[name][figure] for name in names)
        lines.append(
            f"{figure:22}"
            + "".join(
                f"{'-' if value is None else f'{value:.3f}' if isinstance(value, float) else value:>14}"
                for value in values
            )
        )
    kinds = Counter(one.asked.kind for one in judged)
    good = Counter(one.asked.kind for one in judged if one.is_good)
    return [
        *lines,
        "",
        *(f"{kind:22}{good[kind] / count:>14.3f}{count:>8}" for kind, count in sorted(kinds.items())),
    ]


def _render_shown(judged: Sequence[Judged]) -> list[str]:
    """Return each reply that is not good, or misquotes, with its question."""
    return [
        f"{one.life} {one.asked.kind:12} {one.verdict:9}{' MISQUOTES' if one.is_misquoting else ''}"
        f"{' REPEATS' if one.repeated else ''} [{one.level}] {one.asked.text}\n    {' / '.join(one.reply.split(chr(10)))}"
        for one in judged
        if not one.is_good or one.is_misquoting or one.repeated
    ]


if __name__ == "__main__":
    sys.exit(main())
