"""What the gate of storing lets through of scenarios, by its bar: `python -m bench.storing bench/data/scenarios`.

Of each person's life: the share of what is asked for later that stands in a kept sentence, and of junk that does.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from bench.scenarios import Scenario
    from companion_site.embeddings.once import EmbedOnce

BARS = (0.25, 0.3, 0.35, 0.38, 0.4, 0.45, 0.5, 0.55)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion_site.settings")
    django.setup()
    from bench.scenarios import load_scenarios
    from companion_site.embeddings.once import EmbedOnce
    from companion_site.embeddings.service import get_embedder

    paths = [Path(path) for path in (sys.argv[1:] if arguments is None else arguments)]
    lives = [life for life in load_scenarios(paths) if life.side == "student"]
    embedders = [EmbedOnce(get_embedder()) for _ in lives]
    sys.stdout.write("| from | junk let through | needs let through |\n|---|---|---|\n")
    for bar in BARS:
        junk, needs = [], []
        for life, embedder in zip(lives, embedders, strict=True):
            kept = [text.casefold() for text in kept_of(life, bar, embedder)]
            junk += [any(_overlap(text, part.casefold()) for text in kept) for part in life.junk]
            needs += [
                any(wording.casefold() in text for wording in need for text in kept)
                for asked in life.questions
                for need in asked.needs
            ]
        sys.stdout.write(f"| {bar} | {sum(junk) / len(junk):.2f} | {sum(needs) / len(needs):.2f} |\n")
    return 0


def kept_of(life: "Scenario", bar: float, embedder: "EmbedOnce") -> list[str]:
    """Return the sentences of a life that are kept from a bar."""
    from companion_site.language import detect_language
    from memory.reading.params import READING
    from memory.statements import find_statements

    params = replace(READING, keep=bar)
    return [
        one.text
        for text in life.messages
        for one in find_statements(
            text, language=detect_language(text, default="en"), embedder=embedder, params=params
        )
    ]


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


if __name__ == "__main__":
    sys.exit(main())
