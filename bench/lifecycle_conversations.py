"""The questions of recorded conversations, asked as a person asks, and the evidence that stands in the request.

A conversation is lived through formation with its sleeps, as `manage.py replay` does. `any@k` counts the memories in the request in
its order, where one with n sources fills n ranks; "in the request" has no depth. What is left out there was not stored, not called
to mind, or given up for room. Beside it the plain methods over "Speaker: text", without any such choice.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from bench.recordings import sessions_of
from bench.retrieval import load_measurable
from bench.scoring import ADVERSARIAL, Outcome, collect_results, format_table, score
from bench.scratch import scratch_site
from chat.demo.recordings import Conversation

OURS, NEAREST, BM25 = "request", "nearest", "bm25"
SHOWN = ("any@1", "any@3", "any@5", "any@10", "all@10", "session any@5")


@dataclass
class InRequests:
    """What stood in the requests.

    Attributes:
        any_there, all_there: of each question, whether some of the evidence stood there, and whether all did.
        tokens: of memory in each request, by estimate.
    """

    outcomes: dict[str, list[Outcome]] = field(default_factory=lambda: {OURS: [], NEAREST: [], BM25: []})
    any_there: list[bool] = field(default_factory=list)
    all_there: list[bool] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


def report_conversations(paths: Sequence[Path], *, as_json: bool, tell: Callable[[str], None]) -> str:
    """Return the table, or one JSON object.

    Raises:
        BadConversation: a file cannot be measured. CannotStart: the database does not come up.
    """
    conversations = load_measurable(paths)
    with scratch_site(durable=False):
        # Only now: models need the settings, and those the database.
        from bench.asking import remember_vectors
        from companion_site.embeddings.service import get_embedder

        found = InRequests()
        with remember_vectors(get_embedder()):
            for conversation in conversations:
                _ask_all(conversation, found)
                tell(f"{conversation.name}: {len(conversation.questions)} questions")
    return json.dumps(_collect(found), indent=1) if as_json else _render(found)


def _ask_all(conversation: Conversation, found: InRequests) -> None:
    from bench.asking import embed_all
    from bench.baselines import Bm25Baseline, DenseBaseline
    from bench.lives import ask
    from bench.living import enter_student
    from bench.sleeping import find_turns
    from chat.demo.replay import live_through
    from companion_site.embeddings.service import get_embedder
    from companion_site.ids import new_id
    from companion_site.llm.gateway import get_gateway

    embedder, session_of = get_embedder(), sessions_of(conversation)
    access = enter_student(
        f"lives-{new_id().hex}",
        now=conversation.sessions[0].at,
        display_name=conversation.people[0] or "Student",
        language=conversation.language,
    )
    sources = find_turns(access, live_through(access, conversation, sleeps=True).turn_of)
    turns = [turn for _, turn in conversation.turns()]
    named = [f"{turn.speaker}: {turn.text}" for turn in turns]
    nearest = DenseBaseline(embed_all(embedder, named))
    bm25 = Bm25Baseline(named, language=conversation.language)
    with asyncio.Runner() as runner:
        for question in conversation.questions:
            request = ask(
                access, question.text, at=conversation.now, gateway=get_gateway(), runner=runner
            ).composed
            (vector,) = embedder.embed([question.text])
            ranked = {
                OURS: [sources.get(memory, ()) for memory in request.recalled],
                NEAREST: [[turns[row].id] for row in nearest.rank(vector)],
                BM25: [[turns[row].id] for row in bm25.rank(question.text)],
            }
            for way, one in ranked.items():
                outcome = score(question, one, session_of=session_of, conversation=conversation.name)
                if outcome is not None:
                    found.outcomes[way].append(outcome)
            if question.evidence and question.category != ADVERSARIAL:
                there = {turn for memory in ranked[OURS] for turn in memory}
                found.any_there.append(bool(there & set(question.evidence)))
                found.all_there.append(there >= set(question.evidence))
                found.tokens.append(request.memory_tokens)


def _collect(found: InRequests) -> dict[str, object]:
    results: dict[str, object] = dict(collect_results(found.outcomes))
    results["in the request"] = {
        "any": round(mean(found.any_there), 4),
        "all": round(mean(found.all_there), 4),
        "tokens": round(mean(found.tokens), 1),
    }
    return results


def _render(found: InRequests) -> str:
    return "\n".join(
        [
            format_table(found.outcomes, shown=list(SHOWN)),
            "",
            f"in the request: any {mean(found.any_there):.3f}, all {mean(found.all_there):.3f}, "
            f"{mean(found.tokens):.0f} tokens, over {len(found.tokens)} questions",
        ]
    )
