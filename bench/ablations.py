"""What each part of the ranking is worth: `python -m bench.ablations PATH...` (files or folders of conversations).

Every turn is one memory, word for word; arrays go straight into the ranking, without a database. `bench.retrieval`
measures the whole way.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from bench.baselines import Bm25Baseline, DenseBaseline
from bench.commands import command, make_parser, write_lines
from bench.recordings import load_conversations
from bench.scoring import Outcome, compare_categories, format_table, score
from chat.demo.recordings import Conversation, Question
from companion_site.embeddings.bundled import load_bundled
from companion_site.language import as_language, tokens
from memory.algorithms.dates import find_ranges
from memory.algorithms.fusion import FUSION, Corpus, FusionWeights, Query, Ranking, question_share, rank
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

Way = Callable[["Memory", Question, Query, Ranking], np.ndarray]
"""Puts a memory's rows in order, given the fusion's ranking."""


@dataclass(frozen=True)
class Memory:
    """One conversation as memories, and what is asked of it.

    Attributes:
        sources: the turns that each memory came from.
        adjacency: (n, n) weights of the edges among memories, where they are asked for.
    """

    conversation: Conversation
    corpus: Corpus
    sources: Sequence[Sequence[str]]
    queries: Sequence[tuple[Question, Query]]
    adjacency: csr_array | None = None
    bm25: Bm25Baseline | None = None

    @cached_property
    def asked(self) -> list[tuple[Question, Query, Ranking]]:
        """Each question with the fusion's ranking."""
        return [(question, query, rank(self.corpus, query)) for question, query in self.queries]


def prepare(conversation: Conversation) -> Memory:
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
    bm25 = Bm25Baseline(named, language=conversation.language)
    return Memory(conversation, corpus, [[turn.id] for turn in turns], queries, bm25=bm25)


def weighed(weights: FusionWeights) -> Way:
    """Return the ranking with these weights."""
    return lambda memory, question, query, ranking: rank(memory.corpus, query, weights=weights).order


#: Plain BM25, which sees who speaks, and plain vectors.
PLAIN: dict[str, Way] = {
    "bm25": lambda memory, question, query, ranking: memory.bm25.rank(question.text),
    "dense": lambda memory, question, query, ranking: DenseBaseline(memory.corpus.vectors).rank(query.vector),
}


def measure(memories: Sequence[Memory], ways: Mapping[str, Way]) -> dict[str, list[Outcome]]:
    """Return how each way of ordering does."""
    results: dict[str, list[Outcome]] = {name: [] for name in ways}
    for memory in memories:
        for question, query, ranking in memory.asked:
            for name, way in ways.items():
                ranked = [memory.sources[row] for row in way(memory, question, query, ranking)]
                outcome = score(memory.conversation, question, ranked)
                if outcome is not None:
                    results[name].append(outcome)
    return results


def without_isotropy(memory: Memory) -> Memory:
    """Return the same with the plain cosine but for the mean."""
    corpus = memory.corpus
    common = fit_isotropy(corpus.vectors, directions=0)
    spread = np.linalg.norm(common.clean(corpus.vectors), axis=1)
    return replace(memory, corpus=replace(corpus, isotropy=common, spread=spread))


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Print every variant and the comparison with BM25 by category."""
    parser = make_parser("ablations", __doc__, files="a conversation, or a folder of them")
    memories = [prepare(one) for one in load_conversations(parser.parse_args(arguments).paths)]
    results = measure(memories, {name: weighed(weights) for name, weights in VARIANTS.items()})
    plain = [without_isotropy(memory) for memory in memories]
    results |= measure(plain, {"no isotropy": weighed(FUSION)})
    results |= measure(memories, PLAIN)
    write_lines([format_table(results), "", format_table({"ours": results["ours"]}, by="conversation"), ""])
    found = compare_categories(results["ours"], results["bm25"], measure="any@10")
    write_lines(f"{category:14} ours - bm25: {one.told}" for category, one in found.items())


if __name__ == "__main__":
    sys.exit(main())
