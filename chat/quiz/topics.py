"""What a request for a quiz is about: what it names, what shares a word with it, or else what is near in meaning."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from chat.quiz.answers import embed_items
from chat.quiz.items import Item, find_named, terms_of
from chat.quiz.params import QUIZ
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language, tokens
from memory.algorithms.isotropy import unit_rows
from memory.packs.relevance import measure_distinctness
from memory.reading.service import get_heads
from memory.reading.vector_cache import Embed, embed_own, once_for_each_model

#: requests without a topic
BARE = (
    "Quiz me",
    "Ask me some questions",
    "Test me, please",
    "Can you quiz me on what is due?",
    "Quiz me on everything I know",
    "Förhör mig",
    "Ställ några frågor till mig",
    "Kan du förhöra mig?",
    "Förhör mig på det som ska repeteras",
    "Förhör mig på allt jag kan",
    "Let's do a quiz",
    "I want to revise",
    "Jag vill öva",
    "Kan vi repetera lite?",
    "Testa mig",
    "Next question",
)


@dataclass
class Topic:
    """The topic of one request.

    Attributes:
        text: the request; vector: (d,) of it.
        ranks: of what is on the topic, how closely: 0 is named, 1 has a word of its name, 2 belongs to the same area, 3 is near in meaning.
    """

    text: str
    vector: np.ndarray = field(repr=False)
    language: Language
    ranks: dict[str, int] = field(default_factory=dict)

    def choose(self, items: Sequence[Item]) -> list[Item]:
        """Return what is on the topic: everything where none is named, nothing where what is named is none of these. May embed."""
        self.ranks = self._by_words(items) or self._by_meaning(items)
        if self.ranks:
            return [item for item in items if item.key in self.ranks]
        return list(items) if self._is_bare() else []

    def rank(self, item: Item) -> int:
        return self.ranks.get(item.key, 0)

    def _by_words(self, items: Sequence[Item]) -> dict[str, int]:
        said = set(tokens(self.text, self.language))
        ranks = dict.fromkeys(find_named(self.text, items), 0)
        ranks |= {item.key: 1 for item in items if item.key not in ranks and said & terms_of(item.names)}
        areas = {item.area for item in items if item.key in ranks or said & terms_of([item.area])}
        return ranks | {item.key: 2 for item in items if item.key not in ranks and item.area in areas}

    def _by_meaning(self, items: Sequence[Item]) -> dict[str, int]:
        some = items[: QUIZ.most_items]
        vectors = embed_items(some)
        far = measure_distinctness(vectors, self.vector, language=self.language, embedder=get_embedder())
        return {item.key: 3 for item, far_out in zip(some, far.tolist(), strict=True) if far_out >= QUIZ.far}

    def _is_bare(self) -> bool:
        embedder = get_embedder()
        centre = get_heads(embedder).projection.centre
        bare = unit_rows(_load_bare(embedder.embed, model=embedder.model) - centre)
        return float((bare @ unit_rows((self.vector - centre)[None])[0]).max()) >= QUIZ.bare


@once_for_each_model
def _load_bare(embed: Embed, model: str) -> np.ndarray:
    """Return (m, d) of the requests without a topic."""
    return embed_own(BARE, embed=embed, model=model)
