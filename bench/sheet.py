"""A hundred facts and a hundred edges of a conversation that was lived through, to be judged: `python -m bench.sheet FILE [--seed N]`.

The conversation is told, slept over and cleaned up through the site's own services, without a model. Of what stands then, memories
and edges of every type are drawn at random and written as a table with tabs, its last columns empty: whoever judges puts `y` or `n` there,
by the rubric in `bench/data/sheets/README.md`. `python -m bench.sheet --count SHEET...` tells what judged sheets come to.
"""

import csv
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from bench.commands import BadInput, command, make_parser
from bench.living import Lived, form, turns_of
from bench.recordings import load_measurable
from bench.scratch import scratch_site
from bench.vectors import remember_vectors
from chat.demo.recordings import BadConversation, Conversation
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun, MemoryEdge, MemoryNode
from memory.student.compression.run import begin_run, compress
from memory.student.entities import load_entities, load_mentions
from memory.student.pages.passages import passages_of
from memory.student.params import SLEEP
from memory.student.sleep.run import sleep_through
from memory.student.sleep.store import expire_short_term

FACT, EDGE = "fact", "edge"
DRAWN = 100
#: What is shown of either end of an edge.
END_CHARS = 90
YES, NO = "y", "n"


@dataclass
class Row:
    """A fact or an edge, and what was judged of it.

    Attributes:
        type: of a fact its kind, of an edge its type.
        turn: where the fact, or what the edge leads from, was said: the turn's id, who, and the day.
        to, other: of an edge, the same of what it leads to, or the kind of who or what that is, and its name; of a fact, what its page
            shows before it: the two messages before, and how its own began.
        junk, alone: of a fact, whether it is junk, and whether it is understood by itself; right: of an edge; `y` or `n`.
    """

    part: str
    type: str
    turn: str
    text: str
    number: str = ""
    to: str = ""
    other: str = ""
    junk: str = ""
    alone: str = ""
    right: str = ""
    why: str = ""


COLUMNS = ["number", *(field.name for field in fields(Row) if field.name != "number")]
JUDGED = {FACT: ("junk", "alone"), EDGE: ("right",)}


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Draw a sheet, or count judged ones; return the exit code: 2 with one line for what cannot be read."""
    parser = make_parser("sheet", __doc__, files="a conversation, or judged sheets")
    parser.add_argument("--seed", type=int, default=1, help="which are drawn")
    parser.add_argument("--many", type=int, default=DRAWN, help="how many facts, and how many edges")
    parser.add_argument("--count", action="store_true", help="count judged sheets")
    options = parser.parse_args(arguments)
    if options.count:
        for path in options.paths:
            sys.stdout.write(f"{path.name}: {count(read_sheet(path))}\n")
        return 0
    conversation, *more = load_measurable(options.paths)
    if more:
        raise BadConversation("one conversation makes a sheet")
    with scratch_site(durable=False), remember_vectors(get_embedder()):
        rows = draw(conversation, seed=options.seed, many=options.many)
    write_sheet(rows)
    return 0


# --- drawing --------------------------------------------------------------------------------------------------------


def draw(conversation: Conversation, *, seed: int, many: int = DRAWN) -> list[Row]:
    """Return so many facts and so many edges of a lived conversation, at random; of fewer, all. The same seed draws the same."""
    lived = live(conversation)
    facts, edges = read_rows(conversation, lived)
    chance = random.Random(seed)
    drawn = [chance.sample(rows, min(many, len(rows))) for rows in (facts, edges)]
    for rows in drawn:
        for number, row in enumerate(rows, 1):
            row.number = str(number)
    return [row for rows in drawn for row in rows]


def live(conversation: Conversation) -> Lived:
    """Tell a conversation, sleep over it and clean up, as `bench.lifecycle` does."""
    lived = form(conversation, sleeps=True)
    access, now = lived.access, conversation.now + timedelta(hours=SLEEP.after_hours)
    sleep_through(access.space, key=access.key, now=now)
    expire_short_term(now=now)
    run = begin_run(access.space, trigger=CompressionRun.Trigger.REQUESTED, now=now)
    compress(access.space, run.pk, key=access.key, now=now)
    return replace(lived, sources=turns_of(access, lived.turn_of))


def read_rows(conversation: Conversation, lived: Lived) -> tuple[list[Row], list[Row]]:
    """Return all facts and all edges that stand in a memory, in the order in which they were said."""
    space, key = lived.access.space, lived.access.key
    with space_scope(space), unlocked(space, key):
        standing = MemoryNode.objects.for_space(space).active().unexpired(conversation.now)
        content_of = {node.pk: node.content or "" for node in standing}
        kind_of = {node.pk: node.modality for node in standing}
        entities = {one.id: one for one in load_entities(space)}
        mentions = load_mentions(space)
        words_of = {
            (one.node, one.entity): _flat(content[one.start : one.end])
            for one in mentions
            if (content := content_of.get(one.node)) is not None
        }
        passages = passages_of(space, content_of, earlier=2)
        stored = list(MemoryEdge.objects.for_space(space).values_list("source_id", "target_id", "type"))
    text_of = {node: _flat(content) for node, content in content_of.items()}
    turns = {
        turn.id: f"{turn.id} {turn.speaker} {session.at:%Y-%m-%d}" for session, turn in conversation.turns()
    }
    place = {turn.id: turn.position for _, turn in conversation.turns()}

    def turns_of(node: UUID) -> str:
        return "; ".join(turns[turn] for turn in lived.sources.get(node, ()))

    def order(node: UUID) -> tuple[int, str]:
        return min((place[turn] for turn in lived.sources.get(node, ())), default=0), text_of[node]

    def before(node: UUID) -> str:
        passage = passages.get(node)
        if passage is None:
            return ""
        return _flat(" / ".join([*(line.text for line in passage.earlier), passage.before]))

    facts = [
        Row(part=FACT, type=kind_of[node], turn=turns_of(node), text=text_of[node], other=before(node))
        for node in sorted(text_of, key=order)
    ]
    found = [
        (order(source), str(kind), turns_of(target), text_of[target])
        for source, target, kind in stored
        if source in text_of and target in text_of
    ]
    for one in mentions:
        if one.node in text_of:
            who, said = entities[one.entity], words_of[one.node, one.entity]
            named = ", ".join(filter(None, (who.name, who.relation)))
            found.append((order(one.node), one.type, f"{who.kind} “{said}”", named))
    first = {order(node): node for node in text_of}
    edges = [
        Row(
            part=EDGE,
            type=kind,
            turn=turns_of(first[at]),
            text=at[1][:END_CHARS],
            to=to,
            other=other[:END_CHARS],
        )
        for at, kind, to, other in sorted(found)
    ]
    return facts, edges


def _flat(text: str) -> str:
    return " ".join(text.split())


def write_sheet(rows: Iterable[Row]) -> None:
    """Write rows to the output, the judgement empty."""
    writer = csv.DictWriter(sys.stdout, COLUMNS, dialect="excel-tab", lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)


# --- counting -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figures:
    """What a judged sheet comes to: shares of its facts and of its edges, and of each type of edge how many are right."""

    facts: int
    junk: float
    alone: float
    edges: int
    right: float
    types: tuple[tuple[str, int, int], ...]

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {right} of {many}" for kind, right, many in self.types)
        return (
            f"{self.facts} facts, junk {self.junk:.2f}, self-contained {self.alone:.2f}; "
            f"{self.edges} edges, right {self.right:.2f} ({kinds})"
        )


def read_sheet(path: Path) -> list[Row]:
    """Return the rows of a judged sheet.

    Raises:
        BadInput: it is none, or a row is not judged.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, dialect="excel-tab")
            if reader.fieldnames != COLUMNS:
                raise BadInput(f"{path}: the columns are not {', '.join(COLUMNS)}")
            rows = [Row(**{name: row[name] or "" for name in COLUMNS}) for row in reader]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from error
    for line, row in enumerate(rows, 2):
        if row.part not in JUDGED:
            raise BadInput(f"{path}, line {line}: part {row.part!r}")
        for name in JUDGED[row.part]:
            if getattr(row, name) not in (YES, NO):
                raise BadInput(f"{path}, line {line}: {name} is not judged")
    return rows


def count(rows: Sequence[Row]) -> Figures:
    """Return the figures of a judged sheet."""
    facts = [row for row in rows if row.part == FACT]
    edges = [row for row in rows if row.part == EDGE]
    many, right = Counter(row.type for row in edges), Counter(row.type for row in edges if row.right == YES)
    return Figures(
        facts=len(facts),
        junk=_share(row.junk for row in facts),
        alone=_share(row.alone for row in facts),
        edges=len(edges),
        right=_share(row.right for row in edges),
        types=tuple((kind, right[kind], times) for kind, times in many.most_common()),
    )


def _share(judged: Iterable[str]) -> float:
    found = [one == YES for one in judged]
    return sum(found) / len(found) if found else 0.0


if __name__ == "__main__":
    sys.exit(main())
