"""Coverage of what a batch holds: whether lines say what a memory says, and nothing that none of them said."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce
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
from memory.student.sleep.insights import Item

#: "one" and "ett" are articles more often than numbers.
_COUNTED = NUMBER_WORDS.keys() | ORDINALS.keys()
_COUNTED -= {"one", "en", "ett", "first", "första", "second", "andra"}
#: Words of fewer bits ("and", "was", "with") tell nothing by themselves.
_LEAST_BITS = 9.0


class Judge:
    """Compares the memories of a batch with what shall stand for them; every text is read and embedded once."""

    def __init__(self, batch: Sequence[Item], embedder: Embedder) -> None:
        known = (item for item in batch if not item.is_derived)
        self.embedder = EmbedOnce(embedder, {item.text: item.vector for item in known})
        self._told: dict[tuple[str, str], Told] = {}

    def find_loss(self, item: Item, lines: Sequence[str], *, in_words: bool = False) -> str:
        """Return what of an item the lines lose; empty where they cover it."""
        vectors = self.embedder.embed(lines)
        whole = vectors.sum(axis=0)
        length = float(np.linalg.norm(whole)) or 1.0
        cosines = np.append(vectors @ item.vector, float(whole @ item.vector) / length)
        similarity = self.embedder.calibration.similarity(cosines)
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
