"""What relevance is worth: `python -m bench.relevance FILE...`.

Each conversation is lived through formation, and its questions are asked as in a turn. The table puts what was recalled in
order by relevance, by relevance with a term left out, and as the ranking alone found it. What then stands in a
request, and what it costs there, is counted by `python -m bench.lifecycle --conversations`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from bench.commands import command, make_parser
from bench.recordings import sessions_of
from bench.retrieval import load_measurable
from bench.scoring import ADVERSARIAL, Outcome, compare, format_table, score
from chat.demo.recordings import Conversation, Question
from companion_site.embeddings.protocol import Embedder
from memory.algorithms.relevance import RELEVANCE, TERMS, RelevanceWeights

if TYPE_CHECKING:
    from memory.student.recall.ranking import Recalled
    from memory.student.workingset import WorkingSet

SHOWN = ("any@1", "any@5", "any@10", "all@10")
RANKED = "as ranked"
OURS = "relevance"


@dataclass(frozen=True)
class Asked:
    """A formed conversation, at hand to be asked.

    Attributes:
        sources: the turns that each memory came from.
        vectors: (n, d), one for each question.
    """

    conversation: Conversation
    working_set: "WorkingSet"
    sources: Mapping[UUID, Sequence[str]]
    vectors: np.ndarray
    name: str


def without(term: str) -> RelevanceWeights:
    """Return the weights with one term left out and the others in proportion."""
    kept = {name: 0.0 if name == term else weight for name, weight in RELEVANCE.terms.items()}
    total = sum(kept.values())
    return replace(RELEVANCE, terms={name: weight / total for name, weight in kept.items()})


VARIANTS: dict[str, RelevanceWeights] = {OURS: RELEVANCE, **{f"no {term}": without(term) for term in TERMS}}


def measure(asked: Sequence[Asked], embedder: Embedder) -> dict[str, list[Outcome]]:
    """Return how each order does."""
    outcomes: dict[str, list[Outcome]] = {RANKED: [], **{name: [] for name in VARIANTS}}
    for each in asked:
        for question, vector in zip(each.conversation.questions, each.vectors, strict=True):
            if question.category == ADVERSARIAL or not question.evidence:
                continue
            _ask(each, question, vector, embedder, outcomes)
    return outcomes


def _recall(
    each: Asked,
    question: Question,
    vector: np.ndarray,
    embedder: Embedder,
    weights: RelevanceWeights = RELEVANCE,
) -> "list[Recalled]":
    from memory.student.recall.ranking import recall

    return recall(
        each.working_set,
        question.text,
        vector=vector,
        embedder=embedder,
        now=each.conversation.now,
        own_name=each.name,
        weights=weights,
    )


def _ask(
    each: Asked,
    question: Question,
    vector: np.ndarray,
    embedder: Embedder,
    outcomes: dict[str, list[Outcome]],
) -> None:
    from memory.student.recall.ranking import rank_memories

    for name, weights in VARIANTS.items():
        found = _recall(each, question, vector, embedder, weights)
        _add(each, question, [memory.id for memory in found], outcomes[name])
    ranking = rank_memories(
        each.working_set, question.text, vector=vector, now=each.conversation.now, own_name=each.name
    )
    place = {each.working_set.nodes[row].id: at for at, row in enumerate(ranking.order)}
    found.sort(key=lambda memory: (memory.hops, place[memory.id]))
    _add(each, question, [memory.id for memory in found], outcomes[RANKED])


def _add(each: Asked, question: Question, found: Sequence[UUID], outcomes: list[Outcome]) -> None:
    sources = [each.sources.get(memory, ()) for memory in found]
    session_of = sessions_of(each.conversation)
    outcome = score(question, sources, session_of=session_of, conversation=each.conversation.name)
    if outcome is not None:
        outcomes.append(outcome)


def render_report(outcomes: Mapping[str, Sequence[Outcome]]) -> str:
    """Return the table, and relevance against the ranking alone."""
    lines = [format_table(dict(outcomes), shown=SHOWN), ""]
    for measured in ("any@5", "any@10", "all@10"):
        found = compare(outcomes[OURS], outcomes[RANKED], measure=measured)
        lines.append(
            f"{measured} {OURS} - {RANKED}: {found.difference:+.3f} [{found.low:+.3f}, {found.high:+.3f}] "
            f"over {found.questions}: {found.verdict}"
        )
    return "\n".join(lines)


def load_asked(conversations: Sequence[Conversation], tell: Callable[[str], object]) -> list[Asked]:
    """Return the conversations formed, on the site's database of this process."""
    from bench.asking import embed_all, remember_vectors
    from bench.living import form
    from companion_site.embeddings.service import get_embedder

    embedder, asked = get_embedder(), []
    with remember_vectors(embedder):
        for conversation in conversations:
            lived = form(conversation)
            vectors = embed_all(embedder, [question.text for question in conversation.questions])
            asked.append(Asked(conversation, lived.working_set(), lived.sources, vectors, lived.name))
            tell(f"{conversation.name}: {len(asked[-1].sources)} memories\n")
    return asked


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("relevance", __doc__, files="a conversation, or a folder of them")
    options = parser.parse_args(arguments)
    conversations = load_measurable(options.paths)
    from bench.scratch import scratch_site

    with scratch_site(durable=False):
        from companion_site.embeddings.service import get_embedder

        asked = load_asked(conversations, sys.stderr.write)
        sys.stdout.write(f"{render_report(measure(asked, get_embedder()))}\n")


if __name__ == "__main__":
    sys.exit(main())
