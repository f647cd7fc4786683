"""What each part of the ranking is worth: `python -m bench.ablations PATH...` (files or folders of conversations).

Every turn is one memory, word for word; arrays go straight into the ranking, without a database. `bench.retrieval`
measures the whole way.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.baselines import Bm25Baseline, DenseBaseline
from bench.recordings import load_conversations, sessions_of
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
    return list(
        _score_all(
            (each, question, rank(each.corpus, query, weights=weights).order)
            for each in prepared
            for question, query in each.queries
        )
    )


def measure_plain(prepared: Sequence[Prepared]) -> dict[str, list[Outcome]]:
    """Return how plain BM25 (which sees who speaks) and plain vectors do."""
    asked = [(each, question, query) for each in prepared for question, query in each.queries]
    dense = {id(each): DenseBaseline(each.corpus.vectors) for each in prepared}
    return {
        "bm25": list(
            _score_all((each, question, each.bm25.rank(question.text)) for each, question, _ in asked)
        ),
        "dense": list(
            _score_all(
                (each, question, dense[id(each)].rank(query.vector)) for each, question, query in asked
            )
        ),
    }


def without_isotropy(each: Prepared) -> Prepared:
    """Return the same with the plain cosine but for the mean."""
    corpus = each.corpus
    common = fit_isotropy(corpus.vectors, directions=0)
    spread = np.linalg.norm(common.clean(corpus.vectors), axis=1)
    return replace(each, corpus=replace(corpus, isotropy=common, spread=spread))


def _score_all(answers: Iterator[tuple[Prepared, Question, np.ndarray]]) -> Iterator[Outcome]:
    for each, question, order in answers:
        turns = each.turns
        outcome = score(
            question,
            [[turns[row]] for row in order],
            session_of=sessions_of(each.conversation),
            conversation=each.conversation.name,
        )
        if outcome is not None:
            yield outcome


def main(paths: Sequence[str]) -> None:
    """Print every variant and the comparison with BM25 by category."""
    prepared = [prepare(conversation) for conversation in load_conversations([Path(path) for path in paths])]
    results = {name: measure(prepared, weights) for name, weights in VARIANTS.items()}
    results["no isotropy"] = measure([without_isotropy(each) for each in prepared], FUSION)
    results |= measure_plain(prepared)
    sys.stdout.write(
        f"{format_table(results)}\n\n{format_table({'ours': results['ours']}, by='conversation')}\n\n"
    )
    for category, found in compare_categories(results["ours"], results["bm25"], measure="any@10").items():
        sys.stdout.write(
            f"{category:14} ours - bm25: {found.difference:+.3f} [{found.low:+.3f}, {found.high:+.3f}] "
            f"over {found.questions}: {found.verdict}\n"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
