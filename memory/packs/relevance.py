"""What of the packs that a space has mounted bears on a message.

Likeness alone does not tell: a question in English is less like a node in Swedish than small talk in Swedish is. So each
node is measured by itself: how much liker the message is to it than everyday sentences in the message's language are, in
their standard deviations. Measured by `python -m bench.pack_questions`; docs/packs.md tells the figures.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import LANGUAGES, Language, as_language, detect_language
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode
from memory.packs.mounts import readable
from memory.packs.search import rows_at, search_ready
from memory.packs.signatures import Voucher, voucher_of
from memory.reading.vector_cache import Embed, embed_own, once_for_each_model

#: said first
FIRST = ("definition", "summary", "text", "details", "examples")
#: what people say on any day, half of it in each language
EVERYDAY: tuple[str, ...] = tuple(json.loads((Path(__file__).parent / "everyday.json").read_text("utf-8")))


@dataclass(frozen=True)
class Part:
    """One field of a payload in words."""

    name: str
    text: str

    @property
    def is_prose(self) -> bool:
        """Whether its lines may be wrapped: neither code nor a table."""
        return self.name not in {"code", "booking"} and not self.text.startswith(("[", "{"))


def parts_of(payload: Mapping[str, Any]) -> list[Part]:
    """Return what a payload says, field by field."""
    names = [*(name for name in FIRST if name in payload), *sorted(payload.keys() - set(FIRST))]
    return [Part(str(name), text) for name in names if (text := _text(payload[name]))]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip("\n")
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        return "\n".join(", ".join(f"{name} {held}" for name, held in item.items()) for item in value)
    return json.dumps(value, ensure_ascii=False) if value not in (None, {}, []) else ""


@dataclass(frozen=True, kw_only=True)
class BearingParams:
    """How near a node must come. Source: the first half of tests/data/pack_questions.json; docs/packs.md."""

    #: standard deviations above everyday sentences
    surely: float = 3.5
    #: so many are enough for a node that has `words` of the message's words besides (BM25)
    with_words: float = 3.0
    words: float = 8.0
    #: of each pack so many of the nearest by meaning, and of the best by words, are looked at
    looked_at: int = 8
    #: nodes for one message, of all packs together
    most: int = 3
    #: no node's everyday likeness varies less
    least_deviation: float = 0.005


BEARING = BearingParams()


@dataclass(frozen=True, kw_only=True)
class Material:
    """A node of a mounted pack that bears on a message. Its words come from whoever wrote the pack: data, wherever they go.

    Attributes:
        pack: the pack's space; node: the node's id.
        distinctness: standard deviations above everyday sentences.
        similarity: calibrated, of the message and the node.
    """

    pack: UUID
    pack_name: str
    voucher: Voucher
    node: UUID
    path: str
    label: str
    language: Language
    parts: Sequence[Part]
    distinctness: float
    similarity: float
    vector: NDArray[np.float32] = field(repr=False)


def find_material(
    space: UUID,
    mounts: Sequence[UUID],
    text: str,
    *,
    vector: NDArray[np.float32],
    language: Language,
    embedder: Embedder,
) -> list[Material]:
    """Return the nodes that bear on a message, best first; none of a pack that the space's person may not read any more.

    Args:
        vector: (d,) of the text, unit length.
    """
    # The first to ask has sentences embedded, which no transaction waits for.
    load_everyday(embedder.embed, model=embedder.model)
    found = []
    for pack in readable(space, mounts):
        with space_scope(pack.space_id, reading=True):
            found += _of_pack(pack, text, vector, language=language, embedder=embedder)
    return sorted(found, key=lambda one: (-one.distinctness, str(one.pack), one.path))[: BEARING.most]


def measure_distinctness(
    nodes: NDArray[np.float32],
    vector: NDArray[np.float32],
    *,
    language: Language,
    embedder: Embedder,
) -> NDArray[np.float32]:
    """Return (n,) how much liker a message is to nodes than everyday sentences are, in their standard deviations.

    Args:
        nodes: (n, d) float32, unit length. vector: (d,) of the message.
    """
    everyday = load_everyday(embedder.embed, model=embedder.model)[language]
    usual = nodes @ everyday.T
    deviation = np.maximum(usual.std(axis=1), BEARING.least_deviation)
    return ((nodes @ vector - usual.mean(axis=1)) / deviation).astype(np.float32)


def bears(distinctness: float, words: float) -> bool:
    """Tell whether a node bears on a message."""
    return distinctness >= BEARING.surely or (distinctness >= BEARING.with_words and words >= BEARING.words)


@once_for_each_model
def load_everyday(embed: Embed, model: str) -> dict[Language, NDArray[np.float32]]:
    """Return (m, d) of plain sentences about anything, by their language."""
    vectors = embed_own(EVERYDAY, embed=embed, model=model)
    spoken = np.array([detect_language(sentence, default="en") for sentence in EVERYDAY])
    return {language: vectors[spoken == language] for language in LANGUAGES}


def _of_pack(
    pack: Pack,
    text: str,
    vector: NDArray[np.float32],
    *,
    language: Language,
    embedder: Embedder,
) -> list[Material]:
    """Return what one pack holds; inside its scope."""
    hits = search_ready([pack], vector=vector, words=text, model=embedder.model, k=BEARING.looked_at)
    positions = [hit.position for hit in hits]
    read = rows_at(pack.space_id, positions, model=embedder.model, dimension=embedder.dimension)
    known = [(hit, row.vector) for hit, row in zip(hits, read, strict=True) if row.vector is not None]
    if not known:
        return []
    nodes = np.stack([of_node for _, of_node in known])
    distinct = measure_distinctness(nodes, vector, language=language, embedder=embedder).tolist()
    near = {
        hit.position: (value, float(embedder.calibration.similarity(hit.cosine)), of_node)
        for (hit, of_node), value in zip(known, distinct, strict=True)
        if bears(value, hit.lexical)
    }
    if not near:
        return []
    voucher, spoken = voucher_of(pack.signed_by), as_language(pack.language or language)
    rows = list(PackNode.objects.for_space(pack.space_id).filter(position__in=list(near)))
    return [
        Material(
            pack=pack.space_id,
            pack_name=pack.name,
            voucher=voucher,
            node=row.pk,
            path=row.path,
            label=row.label,
            language=spoken,
            parts=parts_of(row.payload),
            distinctness=near[row.position][0],
            similarity=near[row.position][1],
            vector=near[row.position][2],
        )
        for row in rows
    ]
