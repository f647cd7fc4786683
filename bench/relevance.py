"""What relevance is worth: `python -m bench.relevance FILE...`.

Each conversation is lived through formation, and its questions are asked as in a turn. The table puts what was recalled in
order by relevance, by relevance with a term left out, and as the ranking alone found it. What then stands in a
request, and what it costs there, is counted by `python -m bench.lifecycle --conversations`.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bench.asking import embed_questions
from bench.commands import command, make_parser, tell
from bench.living import Lived, form
from bench.recordings import load_measurable
from bench.scoring import ADVERSARIAL, Outcome, compare, format_table, score
from bench.scratch import scratch_site
from bench.vectors import remember_vectors
from chat.demo.recordings import Conversation, Question
from companion_site.embeddings.service import get_embedder
from memory.algorithms.relevance import RELEVANCE, TERMS, RelevanceWeights
from memory.student.recall.ranking import Recalled

SHOWN = ("any@1", "any@5", "any@10", "all@10")
RANKED = "as ranked"
OURS = "relevance"


def without(term: str) -> RelevanceWeights:
    """Return the weights with one term left out and the others in proportion."""
    kept = {name: 0.0 if name == term else weight for name, weight in RELEVANCE.terms.items()}
    total = sum(kept.values())
    return replace(RELEVANCE, terms={name: weight / total for name, weight in kept.items()})


VARIANTS: dict[str, RelevanceWeights] = {OURS: RELEVANCE, **{f"no {term}": without(term) for term in TERMS}}


def measure(lives: Sequence[Lived]) -> dict[str, list[Outcome]]:
    """Return how each order does."""
    outcomes: dict[str, list[Outcome]] = {RANKED: [], **{name: [] for name in VARIANTS}}
    for lived in lives:
        vectors = embed_questions(lived.conversation)
        for question, vector in zip(lived.conversation.questions, vectors, strict=True):
            if question.category == ADVERSARIAL or not question.evidence:
                continue
            for name, weights in VARIANTS.items():
                found = lived.recall(question, vector, weights)
                _add(lived, question, found, outcomes[name])
            order = lived.rank(question, vector).order
            place = {lived.held.nodes[row].id: at for at, row in enumerate(order)}
            found.sort(key=lambda memory: (memory.hops, place[memory.id]))
            _add(lived, question, found, outcomes[RANKED])
    return outcomes


def _add(lived: Lived, question: Question, found: Sequence[Recalled], outcomes: list[Outcome]) -> None:
    outcome = score(lived.conversation, question, [lived.sources.get(memory.id, ()) for memory in found])
    if outcome is not None:
        outcomes.append(outcome)


def render_report(outcomes: Mapping[str, Sequence[Outcome]]) -> str:
    """Return the table, and relevance against the ranking alone."""
    lines = [format_table(dict(outcomes), shown=SHOWN), ""]
    for measured in ("any@5", "any@10", "all@10"):
        found = compare(outcomes[OURS], outcomes[RANKED], measure=measured)
        lines.append(f"{measured} {OURS} - {RANKED}: {found.told}")
    return "\n".join(lines)


def form_all(conversations: Sequence[Conversation]) -> list[Lived]:
    """Return the conversations formed, on the site's database of this process."""
    lives = []
    with remember_vectors(get_embedder()):
        for conversation in conversations:
            lives.append(form(conversation))
            tell(f"{conversation.name}: {len(lives[-1].sources)} memories")
    return lives


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("relevance", __doc__, files="a conversation, or a folder of them")
    options = parser.parse_args(arguments)
    conversations = load_measurable(options.paths)

    with scratch_site(durable=False):
        sys.stdout.write(f"{render_report(measure(form_all(conversations)))}\n")


if __name__ == "__main__":
    sys.exit(main())
