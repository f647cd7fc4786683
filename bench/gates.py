"""What the two gates of memory let through of scenarios: `python -m bench.gates bench/data/scenarios`.

Storing, by its bar: of persons' lives the share of what is asked for later that stands in a kept sentence, and of junk that does.
Recall, by what is weighed: of questions the share that calls for nothing, where at most so many bland messages call for something.
Sentences that are kept stand for memories, and those nearest to a message for the best of the ranking; nothing is lived through.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bench.commands import command, make_parser, write_lines
from bench.scenarios import Scenario, load_scenarios
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.language import detect_language
from memory.reading.params import READING
from memory.reading.service import calls_for_memory, get_heads, nearest_to
from memory.reading.statements import find_statements

BARS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55)
#: shares of bland messages that may call for memories
BLAND = (0.04, 0.08, 0.12)
#: memories that are judged among each other, as in a person's memory and in a company's
JUDGED = {"student": 8, "company": 40}


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    paths = make_parser("gates", __doc__, files="a scenario, or a folder of them").parse_args(arguments).paths
    lives = [(life, EmbedOnce(get_embedder())) for life in load_scenarios(paths)]
    write_lines((*store_lines(lives), "", *recall_lines(lives)))


def store_lines(lives: Sequence[tuple[Scenario, EmbedOnce]]) -> Iterator[str]:
    """Yield a table of what is kept of persons' lives, from each bar."""
    yield "| from | junk let through | needs let through |\n|---|---|---|"
    for bar in BARS:
        junk, needs = [], []
        for life, embedder in lives:
            if life.side == "student":
                kept = [text.casefold() for text in kept_of(life, embedder, bar)]
                junk += [any(_overlap(text, part.casefold()) for text in kept) for part in life.junk]
                needs += [
                    any(wording.casefold() in text for wording in need for text in kept)
                    for asked in life.questions
                    for need in asked.needs
                ]
        yield f"| {bar} | {np.mean(junk):.2f} | {np.mean(needs):.2f} |"


def recall_lines(lives: Sequence[tuple[Scenario, EmbedOnce]]) -> Iterator[str]:
    """Yield a table of the questions that call for nothing, by what is weighed and how many bland messages may call."""
    weighed = {
        "the message": replace(READING, nearness=0.0, bearing=0.0),
        "and nearness": replace(READING, bearing=0.0),
        "and the best three": READING,
    }
    bars = " | ".join(f"at {share:.0%} bland" for share in BLAND)
    yield f"| | weighed | questions | {bars} |\n" + "|---" * (3 + len(BLAND)) + "|"
    for side in JUDGED:
        for name, params in weighed.items():
            asked, bland = [], []
            for life, embedder in lives:
                if life.side == side:
                    asked += _chances(life, embedder, [one.text for one in life.questions], params)
                    bland += _chances(life, embedder, life.bland, params)
            order = sorted(bland, reverse=True)
            lost = [sum(one <= order[int(share * len(order))] for one in asked) for share in BLAND]
            yield f"| {side} | {name} | {len(asked)} | {' | '.join(map(str, lost))} |"


def kept_of(life: Scenario, embedder: EmbedOnce, bar: float) -> list[str]:
    """Return the sentences of a life that are kept from a bar."""
    params = replace(READING, keep=bar)
    return [
        one.text
        for text in life.messages
        for one in find_statements(
            text, language=detect_language(text, default="en"), embedder=embedder, params=params
        )
    ]


def _chances(life: Scenario, embedder: EmbedOnce, texts: Sequence[str], params) -> list[float]:
    """Return how likely each text calls for what was kept of a life."""
    heads = get_heads()
    kept = list(dict.fromkeys(kept_of(life, embedder, READING.keep)))
    memories = embedder.embed(kept)
    found = []
    for text, vector in zip(texts, embedder.embed(list(texts)), strict=True):
        best = np.argsort(-(memories @ vector))[: JUDGED[life.side]]
        near = [kept[row] for row in best]
        told = heads.read_relevance(text, near, vector, memories[best], is_company=life.side == "company")
        bearing = 1 - told.probabilities[:, told.classes.index("no")]
        nearest = nearest_to(vector, memories, heads)
        found.append(calls_for_memory(text, vector, heads, nearest=nearest, bearing=bearing, params=params))
    return found


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


if __name__ == "__main__":
    sys.exit(main())
