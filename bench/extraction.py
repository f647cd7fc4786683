"""Measure the reading of a company's facts without a model: `python -m bench.extraction [--small-talk 10000]`.

The labelled messages (`tests/data/company_messages.json`) train nothing; the two parts are from the time when rules were
written on the development part.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from bench.commands import command, make_parser
from bench.labelled import load_lines
from bench.small_talk import make_small_talk
from companion_site.embeddings.service import get_embedder
from memory.company.extraction.dialogue import Dialogue, Line
from memory.company.extraction.offline import read_offline
from memory.company.extraction.validation import check
from memory.company.facts import NewFact
from memory.models import CompanyRefusal

MESSAGES = Path(__file__).parent.parent / "tests" / "data" / "company_messages.json"
#: Share of words in common (F1) from which a found fact is the labelled one; where a clause begins and ends is a matter of taste.
ALIKE = 0.6
SAID_AT = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
CONVERSATION = UUID(int=1)


@dataclass
class Score:
    """What reading some messages comes to.

    Attributes:
        found, wrong, missed: facts that are labelled and were found, were found and are none, were not found.
        kind_right: of those found, how many have the right category.
        spoiled: messages that hold no fact and gave one, by the kind of message.
        of_kind: messages of each kind.
    """

    found: int = 0
    wrong: int = 0
    missed: int = 0
    kind_right: int = 0
    spoiled: Counter[str] = field(default_factory=Counter)
    of_kind: Counter[str] = field(default_factory=Counter)

    @property
    def precision(self) -> float:
        return self.found / max(self.found + self.wrong, 1)

    @property
    def recall(self) -> float:
        return self.found / max(self.found + self.missed, 1)

    @property
    def category(self) -> float:
        return self.kind_right / max(self.found, 1)


def load_messages(part: str) -> list[dict]:
    """Return the labelled messages of a part: "development" or "held_out"."""
    return [row for row in json.loads(MESSAGES.read_text(encoding="utf-8")) if row["part"] == part]


def read_messages(messages: Sequence[tuple[str, str]]) -> tuple[list[NewFact], list[CompanyRefusal]]:
    """Return what is taken and refused of messages that a person sent one after the other, read without a model.

    Each message is given with its language; a fact's `message` is the number of its message, from 1, as a UUID.
    """
    lines = tuple(
        Line(
            id=UUID(int=place), position=place, text=text, language=language, said_at=SAID_AT, is_person=True
        )
        for place, (text, language) in enumerate(messages, 1)
    )
    dialogue = Dialogue(conversation=CONVERSATION, lines=lines, after=0, until=len(lines))
    return check(read_offline(dialogue, embedder=get_embedder()), dialogue, most=len(lines) * 10)


def measure(rows: Sequence[dict]) -> Score:
    """Return how well labelled messages are read, each by itself."""
    score = Score()
    facts, _ = read_messages([(row["text"], row["language"]) for row in rows])
    for number, row in enumerate(rows, 1):
        score.of_kind[row["kind"]] += 1
        own = [fact for fact in facts if fact.message == UUID(int=number)]
        if own and not row["facts"]:
            score.spoiled[row["kind"]] += 1
        _count(score, own, row["facts"])
    return score


def _count(score: Score, own: Iterable[NewFact], labelled: list[dict]) -> None:
    left = list(labelled)
    for fact in own:
        best = max(left, key=lambda label: share_words(label["content"], fact.content), default=None)
        if best is None or share_words(best["content"], fact.content) < ALIKE:
            score.wrong += 1
            continue
        left.remove(best)
        score.found += 1
        score.kind_right += best["category"] == fact.category
    score.missed += len(left)


def share_found(statements: Sequence[tuple[str, str]]) -> float:
    """Return the share of statements, each a fact and given with its language, of which something is taken."""
    facts, _ = read_messages(statements)
    return len({fact.message for fact in facts}) / len(statements)


def share_words(one: str, other: str) -> float:
    """Return how many words two texts share, as F1, 0 to 1."""
    left, right = Counter(_words(one)), Counter(_words(other))
    return 2 * (left & right).total() / max(left.total() + right.total(), 1)


def _words(text: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in text.casefold()).split()


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("extraction", __doc__)
    parser.add_argument("--small-talk", type=int, default=10_000)
    count = parser.parse_args(arguments).small_talk
    for part in ("development", "held_out"):
        score = measure(load_messages(part))
        print(
            f"{part}: {score.found + score.missed} facts, precision {score.precision:.3f}, recall {score.recall:.3f}, "
            f"category right {score.category:.3f}; spoiled {dict(score.spoiled)} of {dict(score.of_kind)}"
        )
    pairs = [line for line in load_lines("plain_pairs") if line["side"] == "company"]
    statements = [(line[one], line[f"{one}_language"]) for line in pairs for one in ("earlier", "later")]
    print(f"short statements: {share_found(statements):.2f} of {len(statements)} found")
    messages = list(make_small_talk(count, seed=1))
    facts, refused = read_messages(messages)
    print(
        f"small talk: {count} messages ({len(set(messages))} different), {len(facts)} facts, {len(refused)} refusals"
    )
    for fact in facts[:20]:
        print(f"  {fact.category}: {fact.content}")
    for one in refused[:20]:
        print(f"  refused {one.reason}: {one.content}")


if __name__ == "__main__":
    sys.exit(main())
