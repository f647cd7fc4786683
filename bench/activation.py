"""What spreading activation is worth, step by step: `python -m bench.activation FILE...` (files or folders of conversations).

Two memories of each conversation are asked: `transcript` (every turn is one memory, word for word) and `formed` (the
conversation was lived through formation). Each step is compared with the fusion without it, question by question. The
last table is the prompt's: the share of the evidence among all that is recalled, by the question and over edges.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from bench.ablations import PLAIN, Memory, Way, measure, prepare
from bench.asking import embed_questions
from bench.commands import command, make_parser, write_lines
from bench.recordings import load_measurable
from bench.relevance import form_all
from bench.scoring import ADVERSARIAL, Outcome, average, compare, not_adversarial
from bench.scratch import scratch_site
from chat.demo.recordings import Conversation, Question
from memory.algorithms.activation import (
    ACTIVATION,
    ActivationWeights,
    bloom,
    score_activation,
)
from memory.algorithms.association import ASSOCIATION, AssociationParams, associate
from memory.algorithms.fusion import Corpus, Query, Ranking
from memory.student.recall.ranking import build_query

DAY_S = 86_400.0
FUSION = "fusion"
OURS = "association"
#: What a search gives an agent's context to begin with.
PROBES = 32
SEEDS, LED, LEAST = 20, 10, 0.5
#: Heaviest edges by likeness of each turn, where no edges are stored.
ALIKE = 6


def order_by_terms(
    weights: ActivationWeights = ACTIVATION.weights, *, hops: int = ACTIVATION.hops, plain: bool = False
) -> Way:
    """Return the order by the six terms over what the first of the fusion bloom to; the rest follows as it was.

    Args:
        plain: the meaning is the cosine of the vectors as they are, not the fusion's score.
    """

    def order(memory: Memory, question: Question, query: Query, ranking: Ranking) -> np.ndarray:
        found = bloom(memory.adjacency, ranking.order[:PROBES], hops=hops)
        lowest = ranking.score[ranking.order].min()
        fused = (ranking.score - lowest) / max(float(ranking.score.max() - lowest), 1e-6)
        none = np.zeros(len(found))
        activation = score_activation(
            cosine=(ranking.cosine if plain else fused)[found.rows],
            edge=found.edge,
            age_days=(memory.conversation.now.timestamp() - memory.corpus.said_at[found.rows]) / DAY_S,
            uses=none,
            task_affinity=none,
            persona=none,
            params=replace(ACTIVATION, weights=weights),
        )
        first = found.rows[np.argsort(-activation.score, kind="stable")]
        return np.concatenate([first, ranking.order[~np.isin(ranking.order, first)]])

    return order


def order_by_association(params: AssociationParams = ASSOCIATION) -> Way:
    """Return the fusion's order with what its best answers lead to moved up."""
    return lambda memory, question, query, ranking: associate(memory.corpus, ranking, params=params).order


def _without(term: str) -> ActivationWeights:
    """Return the weights with one term's given to the meaning."""
    weights = ACTIVATION.weights
    return replace(weights, **{term: 0.0, "meaning": weights.meaning + getattr(weights, term)})


VARIANTS: dict[str, Way] = {
    FUSION: lambda memory, question, query, ranking: ranking.order,
    OURS: order_by_association(),
    "association, none held": order_by_association(replace(ASSOCIATION, held=0)),
    "association, weight .1": order_by_association(replace(ASSOCIATION, weight=0.1)),
    "association, weight .2": order_by_association(replace(ASSOCIATION, weight=0.2)),
    "association, weight .3": order_by_association(replace(ASSOCIATION, weight=0.3)),
    "association, 3 seeds": order_by_association(replace(ASSOCIATION, seeds=3)),
    "association, 20 seeds": order_by_association(replace(ASSOCIATION, seeds=20)),
    "six terms": order_by_terms(),
    "six terms, no bloom": order_by_terms(hops=0),
    "six terms, no edge": order_by_terms(_without("edge")),
    "six terms, no recency": order_by_terms(_without("recency")),
    "six terms, plain cosine": order_by_terms(plain=True),
}


def measure_recalled(memories: Sequence[Memory]) -> dict[str, list[Outcome]]:
    """Return the share of the evidence among what is recalled for a prompt, by how it is put together."""
    results: dict[str, list[Outcome]] = {}
    for memory in memories:
        for question, _, ranking in memory.asked:
            if question.category == ADVERSARIAL or not question.evidence:
                continue
            wanted = set(question.evidence)
            for name, rows in _recalled(memory, ranking).items():
                stands = {turn for row in rows for turn in memory.sources[row]}
                share = {"evidence": len(stands & wanted) / len(wanted)}
                results.setdefault(name, []).append(
                    Outcome(memory.conversation.name, question.id, question.category, share)
                )
    return results


def _recalled(memory: Memory, ranking: Ranking) -> dict[str, np.ndarray]:
    ours = associate(memory.corpus, ranking)
    return {
        f"{SEEDS} found + {LED} over edges": _led(memory, ranking),
        f"{SEEDS} found": ranking.order[:SEEDS],
        f"{SEEDS + LED} found": ranking.order[: SEEDS + LED],
        f"association, {SEEDS} + {LED}": _led(memory, ours),
        f"association, {SEEDS + LED} found": ours.order[: SEEDS + LED],
    }


def _led(memory: Memory, ranking: Ranking) -> np.ndarray:
    """Return what is recalled: what the question finds, then what that leads to over edges."""
    seeds = ranking.order[:SEEDS]
    found = bloom(memory.adjacency, seeds, max_per_node=None, min_weight=LEAST)
    led = (found.hops > 0) & memory.corpus.alive[found.rows]
    rows, hops = found.rows[led], found.hops[led]
    return np.concatenate([seeds, rows[np.lexsort((-ranking.score[rows], hops))][:LED]])


def render_orders(results: Mapping[str, Sequence[Outcome]]) -> str:
    """Return the table of the orders, each against the fusion alone on the same questions."""
    lines = [
        f"{'':26}{'any@1':>7}{'any@5':>7}{'any@10':>7}{'all@10':>7}{'- fusion':>26}{'multi-hop':>11}{'- fusion':>26}"
    ]
    for name, outcomes in results.items():
        counted = not_adversarial(outcomes)
        multi = [outcome for outcome in counted if outcome.category == "multi-hop"]
        means = average(counted)
        cells = "".join(f"{means[measured]:7.3f}" for measured in ("any@1", "any@5", "any@10", "all@10"))
        lines.append(
            f"{name:26}{cells}{_difference(counted, results[FUSION], 'all@10')}"
            f"{average(multi).get('all@10', 0):11.3f}{_difference(multi, results[FUSION], 'all@10')}"
        )
    return "\n".join(lines)


def render_categories(results: Mapping[str, Sequence[Outcome]]) -> str:
    """Return association against the fusion alone in each category."""
    categories = sorted({outcome.category for outcome in results[OURS]})
    lines = []
    for category in categories:
        ours = [outcome for outcome in results[OURS] if outcome.category == category]
        for measured in ("any@10", "all@10"):
            found = compare(ours, results[FUSION], measure=measured)
            lines.append(
                f"{category:14}{measured:8}{_difference(ours, results[FUSION], measured)} {found.verdict}"
            )
    return "\n".join(lines)


def render_recalled(results: Mapping[str, Sequence[Outcome]]) -> str:
    """Return the table of what is recalled, each against what the fusion alone finds and its edges lead to."""
    base = next(iter(results.values()), [])
    return "\n".join(
        f"{name:30}{average(outcomes)['evidence']:8.3f}{_difference(outcomes, base, 'evidence')}"
        for name, outcomes in results.items()
    )


def _difference(ours: Sequence[Outcome], theirs: Sequence[Outcome], measured: str) -> str:
    if not ours:
        return f"{'-':>26}"
    return f"{compare(ours, theirs, measure=measured)!s:>25}"


def remember_transcripts(conversations: Sequence[Conversation]) -> tuple[list[Memory], list[Outcome]]:
    """Return every conversation with each turn a memory, edges by likeness, and how plain BM25 does."""
    memories = []
    for memory in map(prepare, conversations):
        memories.append(replace(memory, adjacency=link_alike(memory.corpus)))
    return memories, measure(memories, PLAIN)["bm25"]


def link_alike(corpus: Corpus) -> csr_array:
    """Return symmetric edges from each row to those most like it, without what all vectors share."""
    clean = corpus.isotropy.clean(corpus.vectors) / corpus.spread[:, None]
    cosine = np.maximum(clean @ clean.T, 0)
    np.fill_diagonal(cosine, 0)
    near = np.argsort(-cosine, axis=1, kind="stable")[:, :ALIKE]
    rows = np.repeat(np.arange(len(cosine)), near.shape[1])
    edges = csr_array((cosine[rows, near.ravel()], (rows, near.ravel())), shape=cosine.shape)
    return csr_array(edges.maximum(edges.T))


def remember_formed(conversations: Sequence[Conversation]) -> list[Memory]:
    """Return every conversation lived through formation, with the edges that it drew; on this process's database."""
    memories = []
    for lived in form_all(conversations):
        held, conversation = lived.held, lived.conversation
        asked = {"now": conversation.now, "own_name": conversation.people[0]}
        queries = [
            (question, build_query(held, question.text, vector=vector, **asked))
            for question, vector in zip(conversation.questions, embed_questions(conversation), strict=True)
        ]
        sources = [lived.sources.get(node.id, ()) for node in held.nodes]
        memories.append(Memory(conversation, held.corpus, sources, queries, held.adjacency))
    return memories


def report(conversations: Sequence[Conversation]) -> Iterator[str]:
    """Yield the tables as they are measured.

    Raises:
        CannotStart: the database does not come up.
    """
    transcripts, bm25 = remember_transcripts(conversations)
    plain = average([outcome for outcome in bm25 if outcome.category == "multi-hop"])
    yield f"transcript (BM25: multi-hop all@10 {plain.get('all@10', 0):.3f})"
    results = measure(transcripts, VARIANTS)
    yield f"{render_orders(results)}\n\n{render_categories(results)}\n"

    with scratch_site(durable=False):
        formed = remember_formed(conversations)
        results = measure(formed, VARIANTS)
        yield f"formed\n{render_orders(results)}\n\n{render_categories(results)}\n"
        yield f"formed, evidence among what is recalled\n{render_recalled(measure_recalled(formed))}"


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("activation", __doc__, files="a conversation, or a folder of them")
    options = parser.parse_args(arguments)
    write_lines(report(load_measurable(options.paths)))


if __name__ == "__main__":
    sys.exit(main())
