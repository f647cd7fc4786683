"""Whom and what statements name, found on authors that were left out: `python -m bench.entities [--vectors FILE]`.

A mention counts as found where the words found and the words labelled overlap, each once. Beside the head: every run of words in
capital letters that no sentence begins with (`find_names`), the plainest method there is.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.commands import command, make_parser
from bench.labelled import Vectors, load_all
from bench.trainer import calibrate, entity_rows, left_out, make_examples, named_lines, project
from companion_site.embeddings.service import get_embedder
from companion_site.language import find_names
from memory.reading.heads import softmax
from memory.reading.machines import MACHINES
from memory.reading.params import READING

Span = tuple[int, int]
BARS = (0.3, 0.4, 0.5, 0.65, 0.8)


@dataclass
class Counted:
    """Mentions found rightly, found wrongly and not found; of those found rightly, whose kind and role are right."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    kind: int = 0
    role: int = 0

    def line(self, name: str) -> str:
        found = max(self.right, 1)
        told = (
            self.right / max(self.right + self.wrong, 1),
            self.right / max(self.right + self.missed, 1),
            self.kind / found,
            self.role / found,
        )
        return f"| {name} | " + " | ".join(f"{share:.2f}" for share in told) + " |\n"


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = make_parser("entities", __doc__, vectors=True).parse_args(arguments)
    lines = load_all()
    vectors = Vectors(get_embedder(), options.vectors)
    examples = make_examples("entity", lines, vectors, project(lines, vectors))
    scores = left_out(MACHINES["entity"], examples)
    chances = {
        task: softmax(scores[task] * scale + shift)
        for task in scores
        for scale, shift in [calibrate(scores[task], examples.labels[task])]
    }
    write = sys.stdout.write
    write(
        "| left out, from what chance on | rightly | found | kind right | role right |\n|---|---|---|---|---|\n"
    )
    for author in sorted({line["author"] for line in lines["entities"]}):
        for bar in BARS:
            write(_count(lines, author, _by_head(lines, chances, bar)).line(f"{author}, {bar}"))
        write(_count(lines, author, _by_capitals).line(f"{author}, words in capitals"))


Finder = Callable[[int, str], list[tuple[Span, str, str]]]


def _by_head(lines: dict, chances: dict, bar: float) -> Finder:
    """Return who finds by the left-out chances: the surest first, none within another."""
    kinds, roles = MACHINES["entity"].tasks["entity"], MACHINES["entity"].tasks["role"]
    of_line = defaultdict(list)
    for row, (_, one, _, _, _, number) in enumerate(entity_rows(lines)):
        of_line[number].append((one, row))

    def find(number: int, text: str) -> list[tuple[Span, str, str]]:
        chosen: list[tuple[Span, str, str]] = []
        sure = {row: 1 - float(chances["entity"][row, 0]) for _, row in of_line[number]}
        for one, row in sorted(
            of_line[number], key=lambda at: (-round(sure[at[1]], 1), at[0].start - at[0].end)
        ):
            free = all(one.end <= start or end <= one.start for (start, end), *_ in chosen)
            kind_chance = float(chances["entity"][row, 1:].max())
            if sure[row] >= bar and kind_chance >= READING.names_kind and free:
                kind = kinds[1 + int(chances["entity"][row, 1:].argmax())]
                chosen.append(((one.start, one.end), kind, roles[int(chances["role"][row].argmax())]))
        return chosen

    return find


def _by_capitals(number: int, text: str) -> list[tuple[Span, str, str]]:
    return [
        ((at, at + len(name)), "person", "about") for name in find_names(text) if (at := text.find(name)) >= 0
    ]


def _count(lines: dict, author: str, find: Finder) -> Counted:
    counted = Counted()
    for number, (text, mentions, by, _) in enumerate(named_lines(lines)):
        if by != author:
            continue
        left = [
            (text.find(one["phrase"]), text.find(one["phrase"]) + len(one["phrase"]), one) for one in mentions
        ]
        for (start, end), kind, role in find(number, text):
            hit = next((one for one in left if start < one[1] and one[0] < end), None)
            if hit is None:
                counted.wrong += 1
                continue
            left.remove(hit)
            counted.right += 1
            counted.kind += kind == hit[2]["type"]
            counted.role += role == hit[2]["role"]
        counted.missed += len(left)
    return counted


if __name__ == "__main__":
    sys.exit(main())
