"""The questions of recorded conversations, asked as a person asks, and the evidence that stands in the request.

A conversation is lived through formation with its sleeps, as `manage.py replay` does. `any@k` counts the memories in the request in
its order, where one with n sources fills n ranks; "in the request" has no depth. What is left out there was not stored, not called
to mind, or given up for room. Beside it the plain methods over "Speaker: text", without any such choice.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

from bench.asking import ask_plainly, embed_questions
from bench.lives import ask
from bench.living import form
from bench.recordings import load_measurable
from bench.scoring import ADVERSARIAL, Outcome, collect_results, format_table, score
from bench.scratch import scratch_site
from bench.vectors import remember_vectors
from chat.demo.recordings import Conversation
from companion_site.embeddings.service import get_embedder

OURS, NEAREST, BM25 = "request", "nearest", "bm25"
SHOWN = ("any@1", "any@3", "any@5", "any@10", "all@10", "session any@5")

There = tuple[bool, bool, int]
"""Whether some of a question's evidence stood in its request, whether all did, and the tokens of memory there, by estimate."""


def report_conversations(paths: Sequence[Path], *, as_json: bool, tell: Callable[[str], None]) -> str:
    """Return the table, or one JSON object.

    Raises:
        BadConversation: a file cannot be measured. CannotStart: the database does not come up.
    """
    conversations = load_measurable(paths)
    outcomes: dict[str, list[Outcome]] = {OURS: [], NEAREST: [], BM25: []}
    there: list[There] = []
    with scratch_site(durable=False), remember_vectors(get_embedder()):
        for conversation in conversations:
            there += _ask_all(conversation, outcomes)
            tell(f"{conversation.name}: {len(conversation.questions)} questions")
    some, every, tokens = (mean(found) for found in zip(*there, strict=True))
    if as_json:
        in_request = {"any": round(some, 4), "all": round(every, 4), "tokens": round(tokens, 1)}
        return json.dumps({**collect_results(outcomes), "in the request": in_request}, indent=1)
    return (
        f"{format_table(outcomes, shown=SHOWN)}\n\n"
        f"in the request: any {some:.3f}, all {every:.3f}, {tokens:.0f} tokens, over {len(there)} questions"
    )


def _ask_all(conversation: Conversation, outcomes: dict[str, list[Outcome]]) -> list[There]:
    lived = form(conversation, sleeps=True)
    vectors = embed_questions(conversation)
    plain = ask_plainly(conversation, vectors)
    outcomes[NEAREST] += plain["dense"].outcomes
    outcomes[BM25] += plain["bm25"].outcomes
    there = []
    with asyncio.Runner() as runner:
        for question in conversation.questions:
            request = ask(lived.access, question.text, at=conversation.now, runner=runner).composed
            ranked = [lived.sources.get(memory, ()) for memory in request.recalled]
            outcome = score(conversation, question, ranked)
            if outcome is None:
                continue
            outcomes[OURS].append(outcome)
            if question.category != ADVERSARIAL:
                found, wanted = {turn for turns in ranked for turn in turns}, set(question.evidence)
                there.append((bool(found & wanted), found >= wanted, request.memory_tokens))
    return there
