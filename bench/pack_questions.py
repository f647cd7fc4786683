"""How well it is told whether a question is about a mounted pack: `python -m bench.pack_questions`.

The two packs that ship are measured against `tests/data/pack_questions.json`: for each, the questions about it in both
languages, the questions about the other, and small talk, school and life. Rows in even places chose the numbers of
`memory.packs.relevance`; the others were looked at once. No database is asked: nodes are scored as the search scores them.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.commands import command, make_parser, write_lines
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language, tokens
from memory.algorithms.lexical import LexicalIndex
from memory.nodes import text_of
from memory.packs.relevance import BEARING, bears, measure_distinctness
from memory.packs.sources import read_source, shipped_sources

LABELS = Path(__file__).parent.parent / "tests" / "data" / "pack_questions.json"
#: likeness alone, for comparison
LIKENESS = 0.7


@dataclass(frozen=True)
class Asked:
    """A question; `pack` is "" where it is about none, `node` the path under which the answer stands."""

    language: Language
    text: str
    pack: str
    node: str


@dataclass(frozen=True)
class Told:
    """What is told of one question and one pack.

    Attributes:
        by_likeness: what calibrated similarity alone would tell.
        is_right_node: whether one of the first three nodes stands under the right path.
    """

    asked: Asked
    pack: str
    bears: bool
    by_likeness: bool
    is_right_node: bool

    @property
    def is_about(self) -> bool:
        return self.asked.pack == self.pack


def load_asked() -> list[Asked]:
    """Return the labelled questions, in file order."""
    return [Asked(**row) for row in json.loads(LABELS.read_text(encoding="utf-8"))]


def tell(rows: Sequence[Asked], embedder: Embedder) -> list[list[Told]]:
    """Return what is told of each question, pack by pack."""
    questions = embedder.embed([row.text for row in rows])
    found: list[list[Told]] = [[] for _ in rows]
    for folder in shipped_sources():
        about, nodes = read_source(folder)
        for told, one in zip(found, _of_pack(about, nodes, rows, questions, embedder), strict=True):
            told.append(one)
    return found


def _of_pack(about, nodes, rows, questions, embedder) -> Iterator[Told]:
    texts = [text_of(node) for node in nodes]
    vectors = embedder.embed(texts)
    lexical = LexicalIndex([tokens(text, about["language"]) for text in texts])
    for row, vector in zip(rows, questions, strict=True):
        distinct = measure_distinctness(vectors, vector, language=row.language, embedder=embedder)
        words = lexical.scores(tokens(row.text, about["language"]))
        looked_at = {
            *np.argsort(-(vectors @ vector))[: BEARING.looked_at],
            *np.argsort(-words)[: BEARING.looked_at],
        }
        passing = [
            at
            for at in np.argsort(-distinct)
            if at in looked_at and bears(float(distinct[at]), float(words[at]))
        ][: BEARING.most]
        similarity = embedder.calibration.similarity(vectors @ vector)
        yield Told(
            asked=row,
            pack=about["id"],
            bears=bool(passing),
            by_likeness=bool((similarity >= LIKENESS).any()),
            is_right_node=any(nodes[at]["id"].startswith(row.node or "\0") for at in passing),
        )


def render(told: Sequence[Told], name: str) -> Iterator[str]:
    """Yield the lines of a table: precision and recall by the rule, and by likeness alone."""
    about = [one for one in told if one.is_about]
    for label, says in (
        ("rule", [one.bears for one in told]),
        ("likeness", [one.by_likeness for one in told]),
    ):
        right = sum(one.is_about and said for one, said in zip(told, says, strict=True))
        wrong = sum(not one.is_about and said for one, said in zip(told, says, strict=True))
        precision = right / (right + wrong) if right + wrong else 0.0
        yield (
            f"{name:36}{label:10}{right:4} of {len(about):3} found, {wrong:3} of {len(told) - len(about):3} wrongly:"
            f" precision {precision:.2f}, recall {right / max(len(about), 1):.2f}"
        )
    hit = sum(one.is_right_node for one in about)
    yield f"{name:36}{'node':10}{hit:4} of {len(about):3} with the right node among the first three"


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    make_parser("pack_questions", __doc__).parse_args(arguments)
    found = tell(load_asked(), get_embedder())
    halves = {"even places (chosen on)": found[0::2], "odd places": found[1::2]}
    for name, half in halves.items():
        every = [one for pair in half for one in pair]
        write_lines(render(every, name))
    every = [one for pair in found for one in pair]
    for pack in sorted({one.pack for one in every}):
        for language in ("en", "sv"):
            part = [one for one in every if one.pack == pack and one.asked.language == language]
            write_lines(render(part, f"{pack}, asked in {language}"))


if __name__ == "__main__":
    sys.exit(main())
