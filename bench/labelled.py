"""The labelled lines that the reader is trained on and judged by, with the author of each: `bench/data/labelled/`.

A line's author is its file's name; the lines of a further language lie in `memory/reading/languages/<code>/`, and the project's
older sets are authors of their own (`own-…`). Whatever cannot be read is named by file and line.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.commands import BadInput
from bench.vectors import embed_all
from companion_site.embeddings.protocol import Embedder
from memory.reading.words import FOLDER as LANGUAGES

PROJECT = Path(__file__).parent.parent
LABELLED = PROJECT / "bench" / "data" / "labelled"
KINDS = [
    "messages",
    "pairs",
    "plain_pairs",
    "typed_pairs",
    "changes",
    "utterances",
    "dangers",
    "intents",
    "requests",
    "relevance",
    "dialogues",
    "ledger",
    "facts",
    "entities",
    "notes",
    "notebook",
    "talk",
    "goals",
]
#: Authors of `notebook` whose questions share words with what answers, as most that are asked do, and whose ask of somebody or something by its name.
ASK_PLAINLY, ASK_BY_NAME = frozenset({"pa", "pb", "pc", "pd"}), frozenset({"qc"})
Line = dict[str, Any]


def load_lines(kind: str, *, folder: Path = LABELLED, languages: Path = LANGUAGES) -> list[Line]:
    """Return one kind's lines, each with its `author`, in the order of files and lines.

    Raises:
        BadInput: a line is no JSON object or has no id.
    """
    files = [(file.stem, file) for file in sorted((folder / kind).glob("*.jsonl"))]
    files += [(file.parent.name, file) for file in sorted(languages.glob(f"*/{kind}.jsonl"))]
    return [line for author, file in files for line in _read(author, file)]


def load_all() -> dict[str, list[Line]]:
    """Return the lines of every kind."""
    return {kind: load_lines(kind) for kind in KINDS}


def _read(author: str, file: Path) -> Iterator[Line]:
    for number, row in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            line = json.loads(row)
        except ValueError:
            raise BadInput(f"{file.name}, line {number}: no JSON") from None
        if not isinstance(line, dict) or "id" not in line:
            raise BadInput(f"{file.name}, line {number}: an object with an id is needed")
        line["author"] = author
        yield line


class Vectors:
    """Vectors of labelled lines, kept in a file by their text, because thousands take minutes to embed."""

    def __init__(self, embedder: Embedder, file: Path | None) -> None:
        self.embedder, self._file = embedder, file
        self._known: dict[str, NDArray[np.float32]] = {}
        if file is not None and file.exists():
            with np.load(file, allow_pickle=False) as kept:
                if str(kept["model"]) == embedder.model:
                    self._known = dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))

    def of(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return (n, d) float32 in the order given."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, embed_all(self.embedder, new), strict=True))
            if self._file is not None:
                self._save(self._file)
        if not texts:
            return np.zeros((0, self.embedder.dimension), np.float32)
        return np.array([self._known[text] for text in texts], np.float32)

    def _save(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".draft.npz")
        np.savez(
            draft,
            model=np.array(self.embedder.model),
            texts=np.array(list(self._known)),
            vectors=np.array(list(self._known.values()), np.float32),
        )
        draft.replace(file)
