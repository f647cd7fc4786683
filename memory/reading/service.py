"""The heads of this site: its weights, its embedder, and what both say of a text."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error
from numpy.typing import NDArray

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.language import hide_foreign
from memory.reading.heads import Heads, HeadsOnce, UnusableWeights, load_heads
from memory.reading.params import READING, ReadingParams
from memory.reading.splitter import SHORTEST_WORDS, split
from memory.reading.words import table

#: How surely something speaks of danger; None where it speaks of none.
Danger = Literal["perhaps", "sure"]
#: Of a message that is twice as long, so many characters at either end are read clause by clause.
END = 4_000
#: So many distinct clauses of a message are read for danger beside the whole; of more, the first and last.
CLAUSES = 40
#: So many tails of a clause that asks are read, the longest first.
TAILS = 3
#: What somebody wants who asks for what was told.
ASKS = ("about_me", "company_fact", "company_figure")
#: Who asks what is known of them always calls for what there is.
ABOUT_ONESELF = 1.0


class ReadOnce(EmbedOnce):
    """An embedder for one message with the heads: what was embedded or read of it is not embedded or read again."""

    def __init__(self, embedder: Embedder, known: Mapping[str, NDArray[np.floating]] | None = None) -> None:
        super().__init__(embedder, known)
        self.heads = HeadsOnce(get_heads(embedder))


def get_heads(embedder: Embedder | None = None) -> Heads:
    """Return the site's heads, loaded once a process.

    Raises:
        UnusableWeights: they were trained on another embedder, or the file is damaged; the start says so first.
    """
    if isinstance(embedder, ReadOnce):
        return embedder.heads
    return load_heads(model=(embedder or get_embedder()).model, path=settings.READING_WEIGHTS)


def find_danger(
    text: str,
    *,
    vector: NDArray[np.floating] | None = None,
    embedder: Embedder | None = None,
    heads: Heads | None = None,
    params: ReadingParams = READING,
) -> Danger | None:
    """Return how surely a message speaks of danger to somebody, by the whole of it and by each clause.

    Recall comes first: "perhaps" is said of one look-alike in five, and of one ordinary message in seven; it takes more where somebody
    surely asks for what they told. What stands in code or is quoted of others is not read.
    Embeds what it reads and has no vector of, so never inside a transaction.

    Args:
        vector: (d,) of the whole text by the same embedder, where somebody has it already.
        heads: other ones than the site's.

    Raises:
        EmbeddingError: the embedder cannot be asked.
    """
    embedder, prose = embedder or get_embedder(), hide_foreign(text)
    if not prose.strip():
        return None
    ends = [prose] if len(prose) <= 2 * END else [prose[:END], prose[-END:]]
    clauses = list(dict.fromkeys(end[one.start : one.end] for end in ends for one in split(end)))
    clauses, half = [one for one in clauses if one != prose], CLAUSES // 2
    read = clauses if len(clauses) <= CLAUSES else clauses[:half] + clauses[-half:]
    # No vector, one of other words, or one of nothing, as where the embedder failed a moment ago: it is asked again.
    if vector is None or prose != text or not vector.any():
        vectors = embedder.embed([prose, *read])
    else:
        vectors = np.vstack([vector, embedder.embed(read)]) if read else vector[None]
    heads = heads or get_heads(embedder)
    whole, *parts = danger_chances([prose, *read], vectors, heads).tolist()
    bar = params.danger_perhaps
    if bar <= whole < params.danger_in_question and _asks_for_what_was_told(prose, vectors[0], heads, params):
        bar = params.danger_in_question
    if params.asked_about <= whole < bar and (tails := _asked_about(ends[0])):
        parts += danger_chances(tails, embedder.embed(tails), heads).tolist()
    # A clause has lost what stood around it, so it counts only where it is surer.
    if whole >= params.danger_sure or max(parts, default=0.0) >= params.clause_sure:
        return "sure"
    if whole >= bar or max(parts, default=0.0) >= params.clause_perhaps:
        return "perhaps"
    return None


def _asks_for_what_was_told(
    text: str, vector: NDArray[np.floating], heads: Heads, params: ReadingParams
) -> bool:
    told = heads.read_texts("intent", [text], vector[None])["intent"]
    return sum(map(told.of, ASKS)) >= params.surely_wants


def _asked_about(text: str) -> list[str]:
    """Return what the clauses that ask ask about, from each pronoun on: "Do you remember that he hits me?" tells so."""
    begins, found = table("self") | table("others"), list[str]()
    for clause in split(text):
        if "asked" in clause.frames:
            said = text[clause.start : clause.end]
            words = list(re.finditer(r"\S+", said))[1:]
            tails = [said[word.start() :] for word in words if word.group().casefold() in begins]
            found += [tail for tail in tails[:TAILS] if len(tail.split()) >= SHORTEST_WORDS]
    return found[:CLAUSES]


def find_parts_of_danger(danger: Danger | None, chances: Sequence[float]) -> frozenset[int]:
    """Return the numbers of a message's parts that surely speak of danger by themselves; where none does, the likeliest of one that does.

    One in nine of what people tell of health, death and family is only perhaps danger; kept back, it would be missed. So would what
    stood beside danger in the same message.

    Args:
        danger: what the message as a whole speaks of.
        chances: (n,) how likely each part speaks of danger.
    """
    # A part has lost what stood around it, as a clause has.
    telling = {number for number, chance in enumerate(chances) if chance >= READING.clause_sure}
    if telling or danger != "sure" or not chances:
        return frozenset(telling)
    likely = {number for number, chance in enumerate(chances) if chance >= READING.danger_perhaps}
    return frozenset(likely or {max(range(len(chances)), key=chances.__getitem__)})


def calls_for_memory(
    text: str,
    vector: NDArray[np.floating],
    heads: Heads,
    *,
    nearest: float,
    bearing: Sequence[float] | NDArray[np.floating],
    params: ReadingParams = READING,
) -> float:
    """Return how likely anything remembered has to do with a message; a question about oneself always asks for the best there is.

    Args:
        vector: (d,) of the text.
        nearest: how near the nearest memory is to it (`nearest_to`); what lies nearer than usual calls for it rather.
        bearing: how likely each of the best memories has to do with it, as the head on relevance judges them among each other.
    """
    told = heads.read_texts("intent", [text], vector[None])
    intent, calls = told["intent"], told["calls"].of("memory")
    is_about_oneself = intent.likeliest() == "about_me" and intent.of("about_me") >= params.about_oneself
    if is_about_oneself and calls >= params.calls_by_itself:
        return ABOUT_ONESELF
    best = sorted(bearing, reverse=True)[: params.most_bearing]
    odds = _log_odds(calls) + params.nearness * (nearest - params.usually_near)
    odds += params.bearing * _log_odds(float(np.mean(best))) if best else 0.0
    return float(1 / (1 + np.exp(-odds)))


def _log_odds(chance: float) -> float:
    return float(np.log(chance + 1e-6) - np.log(1 - chance + 1e-6))


def nearest_to(vector: NDArray[np.floating], memories: NDArray[np.floating], heads: Heads) -> float:
    """Return the cosine of a text and the memory nearest to it, both centred on what people say; 0 where there is none.

    Args:
        vector: (d,) of the text; memories: (n, d) unit vectors.
    """
    if not len(memories):
        return 0.0
    centre, direction = heads.projection.centre, heads.projection.centred(vector[None])[0]
    # Of unit vectors v, v - c lies along d by (v - c)·d / |v - c|, and |v - c|² is 1 - 2 v·c + |c|²: none is centred by itself.
    lengths = np.sqrt(np.maximum(1 - 2 * (memories @ centre) + centre @ centre, 1e-9))
    return float(((memories @ direction - centre @ direction) / lengths).max())


def wish_chances(texts: Sequence[str], vectors: NDArray[np.floating], heads: Heads) -> NDArray[np.float32]:
    """Return (n,) how likely each text says how somebody wants to be spoken with or helped from now on."""
    told = heads.read_texts("wish", texts, vectors)["wish"]
    return told.probabilities[:, told.classes.index("wish")]


def danger_chances(texts: Sequence[str], vectors: NDArray[np.floating], heads: Heads) -> NDArray[np.float32]:
    """Return (n,) how likely each text speaks of danger."""
    told = heads.read_texts("utterance", texts, vectors)["danger"]
    return told.probabilities[:, told.classes.index("danger")]


def check_heads(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return why the reader's weights cannot be used with the site's embedder, with what to do."""
    try:
        get_heads()
    except UnusableWeights as error:
        return [Error(str(error), id="memory.E001")]
    except (EmbeddingError, ValueError):
        return []  # the embedder's own check says what is wrong with it, an address that is none included
    return []
