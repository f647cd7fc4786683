"""Measure how well a feeling is told from a message: `python -m bench.emotions`.

`tests/data/emotions.json` was labelled before the code that it judges; its odd rows were left out while choosing.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import django
import numpy as np
from numpy.typing import NDArray

from bench.timing import percentiles
from companion_site.embeddings.protocol import Embedder
from companion_site.language import Language
from memory.life.feelings import EMOTIONS

LABELS = Path(__file__).parent.parent / "tests" / "data" / "emotions.json"
FIELDS = ("primary_emotion", "intensity", "energy", "social_need")
ROUNDS, SEED = 5_000, 0


@dataclass(frozen=True)
class Labelled:
    """A message and what a person judged of it."""

    language: Language
    text: str
    primary_emotion: str
    intensity: str
    energy: str
    social_need: str


@dataclass(frozen=True)
class Told:
    """What was told of one message: by all there is, by words and vector apart, and in how many ms."""

    state: dict[str, str]
    by_words: str
    without_vector: str
    ms: float


def load_labelled() -> list[Labelled]:
    """Return the labelled messages, in file order."""
    return [Labelled(**row) for row in json.loads(LABELS.read_text(encoding="utf-8"))]


def tell(rows: Sequence[Labelled], embedder: Embedder) -> list[Told]:
    """Return what is told of each message, its vector at hand."""
    from memory.life.emotions.classifying import classify
    from memory.life.emotions.lexical import name_by_words, read_words

    found = []
    for row, vector in zip(rows, embedder.embed([row.text for row in rows]), strict=True):
        started = perf_counter()
        state = classify(row.text, language=row.language, vector=vector, embedder=embedder)
        ms = (perf_counter() - started) * 1000
        bare = classify(row.text, language=row.language, vector=None, embedder=None)
        words = EMOTIONS[name_by_words(read_words(row.text, language=row.language))]
        found.append(Told({name: getattr(state, name) for name in FIELDS}, words, bare.primary_emotion, ms))
    return found


def bootstrap(differences: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the mean of paired differences and the middle 95 % of it over resampled messages."""
    rng = np.random.default_rng(SEED)
    picks = rng.integers(0, len(differences), size=(ROUNDS, len(differences)))
    low, high = np.percentile(differences[picks].mean(axis=1), [2.5, 97.5])
    return float(differences.mean()), float(low), float(high)


def rights(rows: Sequence[Labelled], told: Sequence[Told], name: str) -> NDArray[np.float64]:
    """Return (n,) 1 where what is told under `name` is what was judged, else 0."""
    given = {
        "lexicon": lambda one: one.by_words,
        "words": lambda one: one.without_vector,
    }.get(name, lambda one: one.state[name])
    field = name if name in FIELDS else "primary_emotion"
    return np.array([float(given(b) == getattr(a, field)) for a, b in zip(rows, told, strict=True)])


def render(title: str, rows: Sequence[Labelled], told: Sequence[Told]) -> Iterator[str]:
    """Yield the lines of one part's tables."""
    full, lexicon, words = (rights(rows, told, name) for name in ("primary_emotion", "lexicon", "words"))
    yield f"\n### {title} ({len(rows)} messages)\n"
    yield "| emotion | n | offline | words and signs | lexicon alone |\n|---|---|---|---|---|"
    groups = [(emotion, [row.primary_emotion == emotion for row in rows]) for emotion in EMOTIONS]
    groups += [(language, [row.language == language for row in rows]) for language in ("en", "sv")]
    for name, chosen in [*groups, ("all", [True] * len(rows))]:
        mask = np.array(chosen)
        yield (
            f"| {name} | {mask.sum()} | "
            + " | ".join(f"{way[mask].mean():.3f}" for way in (full, words, lexicon))
            + " |"
        )
    mean, low, high = bootstrap(full - lexicon)
    yield f"\noffline less lexicon alone: {mean:+.3f} ({low:+.3f} to {high:+.3f})"
    others = ", ".join(f"{name} {rights(rows, told, name).mean():.3f}" for name in FIELDS[1:])
    yield f"right otherwise: {others}"


def main() -> None:
    """Write the tables to standard output; with `--misses` each message of the even rows whose emotion is wrong."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion_site.settings")
    django.setup()
    from companion_site.embeddings.bundled import load_bundled

    rows = load_labelled()
    told = tell(rows, load_bundled())
    for title, part in (
        ("Chosen on (even rows)", slice(0, None, 2)),
        ("Held out (odd rows)", slice(1, None, 2)),
    ):
        sys.stdout.write("\n".join(render(title, rows[part], told[part])) + "\n")
    times = percentiles([one.ms for one in told[1:]])
    sys.stdout.write(f"\none message, its vector at hand, ms: {times}\n")
    if "--misses" in sys.argv:
        for row, one in list(zip(rows, told, strict=True))[::2]:
            if one.state["primary_emotion"] != row.primary_emotion:
                sys.stdout.write(
                    f"{row.primary_emotion} as {one.state['primary_emotion']}: {row.text[:90]!r}\n"
                )


if __name__ == "__main__":
    main()
