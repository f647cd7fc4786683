"""What each part of the ranking is worth: `python -m bench.ablations PATH...` (files or folders of conversations).

Every turn is one memory, word for word; arrays go straight into the ranking, without a database. `bench.retrieval`
measures the whole way.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.baselines import Bm25Baseline, DenseBaseline
from bench.commands import command, make_parser, write_lines
from bench.recordings import load_conversations
from bench.scoring import Outcome, compare_categories, format_table, score
from chat.demo.recordings import Conversation, Question
from companion_site.embeddings.bundled import load_bundled
from companion_site.language import as_language, tokens
from memory.algorithms.dates import find_ranges
from memory.algorithms.fusion import FUSION, Corpus, FusionWeights, Query, question_share, rank
from memory.algorithms.isotropy import fit_isotropy
from memory.algorithms.lexical import LexicalIndex
from memory.algorithms.speakers import find_speakers, strip_names

ALONE = {0: 0.0}
VARIANTS = {
    "ours": FUSION,
    "no meaning": replace(FUSION, meaning=0.0),
    "no words": replace(FUSION, words=0.0, session_words=0.0),
    "no neighbours": replace(FUSION, meaning_near=ALONE, words_near=ALONE),
    "no neighbours' meaning": replace(FUSION, meaning_near=ALONE),
    "no neighbours' words": replace(FUSION, words_near=ALONE),
    "no session words": replace(FUSION, session_words=0.0),
    "no speaker": replace(FUSION, speaker=0.0),
    "no dates": replace(FUSION, date=0.0),
    "questions count": replace(FUSION, asks=0.0),
    "no length": replace(FUSION, length=0.0),
    "crowding allowed": replace(FUSION, crowding=0.0),
}

Order = Callable[[Question, Query], np.ndarray]


@dataclass(frozen=True)
class Prepared:
    """A conversation with its arrays."""

    conversation: Conversation
    corpus: Corpus
    queries: list[tuple[Question, Query]]
    bm25: Bm25Baseline

    @property
    def turns(self) -> list[str]:
        return [turn.id for _, turn in self.conversation.turns()]


def prepare(conversation: Conversation) -> Prepared:
    """Embed a conversation and its questions and build the arrays."""
    sessions, turns = zip(*conversation.turns(), strict=True)
    language = as_language(conversation.language)
    speakers = sorted({turn.speaker for turn in turns})
    numbers = {session.id: number for number, session in enumerate(conversation.sessions)}
    embedder = load_bundled()
    corpus = Corpus.build(
        vectors=embedder.embed([turn.text for turn in turns]),
        lexical=LexicalIndex(tokens(turn.text, language) for turn in turns),
        conversation=np.zeros(len(turns), np.int64),
        session=np.array([numbers[session.id] for session in sessions]),
        position=np.array([turn.position for turn in turns]),
        speaker=np.array([speakers.index(turn.speaker) for turn in turns]),
        said_at=np.array([session.at.timestamp() for session in sessions]),
        asks=np.array([question_share(turn.text) for turn in turns], np.float32),
    )
    vectors = embedder.embed([question.text for question in conversation.questions])
    queries = [
        (
            question,
            Query(
                vector=vector,
                tokens=tokens(strip_names(question.text, speakers), language),
                speakers=find_speakers(question.text, speakers),
                ranges=find_ranges(question.text, now=conversation.now),
            ),
        )
        for question, vector in zip(conversation.questions, vectors, strict=True)
    ]
    named = [f"{turn.speaker}: {turn.text}" for turn in turns]
    return Prepared(conversation, corpus, queries, Bm25Baseline(named, language=conversation.language))


def measure(prepared: Sequence[Prepared], weights: FusionWeights) -> list[Outcome]:
    """Return how the ranking does with these weights."""
    return _score_all(
        prepared, lambda each: lambda question, query: rank(each.corpus, query, weights=weights).order
    )


def measure_plain(prepared: Sequence[Prepared]) -> dict[str, list[Outcome]]:
    """Return how plain BM25 (which sees who speaks) and plain vectors do."""

    def by_words(each: Prepared) -> Order:
        return lambda question, query: each.bm25.rank(question.text)

    def by_vectors(each: Prepared) -> Order:
        dense = DenseBaseline(each.corpus.vectors)
        return lambda question, query: dense.rank(query.vector)

    return {"bm25": _score_all(prepared, by_words), "dense": _score_all(prepared, by_vectors)}


def without_isotropy(each: Prepared) -> Prepared:
    """Return the same with the plain cosine but for the mean."""
    corpus = each.corpus
    common = fit_isotropy(corpus.vectors, directions=0)
    spread = np.linalg.norm(common.clean(corpus.vectors), axis=1)
    return replace(each, corpus=replace(corpus, isotropy=common, spread=spread))


def _score_all(prepared: Sequence[Prepared], order_of: Callable[[Prepared], Order]) -> list[Outcome]:
    found = []
    for each in prepared:
        turns, order = each.turns, order_of(each)
        for question, query in each.queries:
            found.append(score(each.conversation, question, [[turns[row]] for row in order(question, query)]))
    return [outcome for outcome in found if outcome is not None]


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Print every variant and the comparison with BM25 by category."""
    parser = make_parser("ablations", __doc__, files="a conversation, or a folder of them")
    prepared = [prepare(one) for one in load_conversations(parser.parse_args(arguments).paths)]
    results = {name: measure(prepared, weights) for name, weights in VARIANTS.items()}
    results["no isotropy"] = measure([without_isotropy(each) for each in prepared], FUSION)
    results |= measure_plain(prepared)
    write_lines([format_table(results), "", format_table({"ours": results["ours"]}, by="conversation"), ""])
    found = compare_categories(results["ours"], results["bm25"], measure="any@10")
    write_lines(f"{category:14} ours - bm25: {one.told}" for category, one in found.items())


if __name__ == "__main__":
    sys.exit(main())
