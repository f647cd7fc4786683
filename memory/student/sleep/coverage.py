"""Coverage of what a batch holds: whether lines say what a memory says, and nothing that none of them said."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.language import (
    as_language,
    find_dates,
    find_names,
    find_numbers,
    stem_words,
    word_information,
    words,
)
from memory.algorithms.coverage import Told, find_loss, is_grounded, plain_words
from memory.algorithms.quantities import NUMBER_WORDS, ORDINALS
from memory.reading.splitter import split
from memory.student.params import SLEEP
from memory.student.sleep.insights import Batch, Item

#: "one" and "ett" are articles more often than numbers.
_COUNTED = NUMBER_WORDS.keys() | ORDINALS.keys()
_COUNTED -= {"one", "en", "ett", "first", "första", "second", "andra"}
#: Words of fewer bits ("and", "was", "with") tell nothing by themselves.
_LEAST_BITS = 9.0


@dataclass
class Judge:
    """Compares the memories of a batch with what shall stand for them; every text is read and embedded once."""

    batch: Batch
    embedder: Embedder
    _vectors: dict[str, np.ndarray] = field(default_factory=dict, repr=False)
    _told: dict[tuple[str, str], Told] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        everybody = (*self.batch.items, *self.batch.context)
        self._vectors.update({item.text: item.vector for item in everybody if not item.is_derived})
        self.embed(item.text for item in self.batch.items)

    def embed(self, texts: Iterable[str]) -> None:
        """Embed what is new among `texts`, in one go."""
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors.update(zip(new, self.embedder.embed(new), strict=True))

    def find_loss(self, item: Item, lines: Sequence[str], *, in_words: bool = False) -> str:
        """Return what of an item the lines lose; empty where they cover it. Lines must be embedded."""
        vectors = np.array([self._vectors[line] for line in lines]).reshape(len(lines), -1)
        cosines = vectors @ item.vector if len(lines) else np.zeros(0)
        whole = vectors.sum(axis=0) if len(lines) else np.zeros_like(item.vector)
        length = float(np.linalg.norm(whole)) or 1.0
        similarity = self.embedder.calibration.similarity(
            np.append(cosines, float(whole @ item.vector) / length)
        )
        return find_loss(
            self.read(item.text, item.node.language).parts,
            [self.read(line, item.node.language) for line in lines],
            similarity[:-1].tolist(),
            whole=float(similarity[-1]),
            least=SLEEP.covers,
            in_words=in_words,
        )

    def is_grounded(self, lines: Sequence[str], members: Sequence[Item]) -> bool:
        """Tell whether no line says what no member said."""
        said = [self.read(member.text, member.node.language) for member in members]
        return bool(said) and all(
            is_grounded(self.read(line, members[0].node.language), said) for line in lines
        )

    def bits_told(self, item: Item) -> float:
        """Return the information of what an item says."""
        return sum(self.read(item.text, item.node.language).bits.values())

    def read(self, text: str, language: str) -> Told:
        """Return what a text says."""
        key = (text, language)
        if key not in self._told:
            self._told[key] = read(text, language)
        return self._told[key]


def read(text: str, language: str) -> Told:
    """Return a statement as coverage compares it, with its clauses where it has several."""
    clauses = [text[one.start : one.end] for one in split(text)]
    parts = tuple(_read_one(clause, language) for clause in clauses) if len(clauses) > 1 else ()
    return replace(_read_one(text, language), clauses=parts)


def _read_one(text: str, language: str) -> Told:
    known = as_language(language)
    spoken = list(dict.fromkeys(words(text)))
    weights = word_information(spoken, known)
    literal = [*find_names(text), *find_numbers(text), *find_dates(text)]
    literal += [word for word in spoken if word in _COUNTED]
    return Told(
        literal=frozenset(part for part in literal if plain_words(part).strip()),
        bits={
            stem: float(bits)
            for stem, bits in zip(stem_words(spoken, known), weights, strict=True)
            if bits >= _LEAST_BITS
        },
        text=text,
    )
