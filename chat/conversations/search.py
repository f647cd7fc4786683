"""Finding what was said in one's own conversations: opened in memory, word by word, in both languages (C2).

Sealed words are not searched in the database, so each search reads the person's messages, newest first, up to a
bound. A word is judged once per search, however often it occurs, so that reading is what a search costs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from math import log
from uuid import UUID

from chat.access import ChatAccess
from chat.conversations.matching import Piece, WordHit, cut_snippet, find_hits, read_terms
from chat.models import Message
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope

MOST_READ = 20_000
MOST_SHOWN = 50
CHUNK = 500
LONGEST_QUERY = 200
#: What another hit of the same word adds to the first; a beginning of a longer word counts as half.
AGAIN = 0.2


@dataclass(frozen=True, kw_only=True)
class Found:
    """One message that was found; of one about danger no word is shown beside other results."""

    conversation: UUID
    message: UUID
    title: str
    role: str
    said_at: datetime
    snippet: tuple[Piece, ...]


@dataclass(frozen=True, kw_only=True)
class Results:
    """What a search found, best first.

    Attributes:
        count: how many messages were found in all; `found` holds the best of them.
        is_partial: there are older messages than a search reads.
    """

    query: str
    found: tuple[Found, ...] = ()
    count: int = 0
    is_partial: bool = False


@dataclass
class _Hit:
    """A message that has words of the query, with where they stand."""

    message: Message
    hits: list[WordHit]
    score: float = 0.0


def search_messages(access: ChatAccess, query: str, *, most_read: int = MOST_READ) -> Results:
    """Return where the words of `query` were said in the person's own conversations.

    A message with more of the words comes first, then one with rarer words, then the later one.
    """
    clean = " ".join(query.split())[:LONGEST_QUERY]
    terms = read_terms(clean)
    if not terms:
        return Results(query=clean)
    with unlocked(access.space, access.key):
        matched, read = [], 0
        for message in _own_messages(access, most=most_read + 1):
            read += 1
            if read <= most_read and (hits := find_hits(message.text or "", message.language, terms)):
                matched.append(_Hit(message, hits))
        _score(matched, read)
        best = sorted(matched, key=lambda hit: (-hit.score, -hit.message.said_at.timestamp()))[:MOST_SHOWN]
        found = _show(access, best)
    return Results(query=clean, found=found, count=len(matched), is_partial=read > most_read)


def _own_messages(access: ChatAccess, *, most: int) -> Iterator[Message]:
    """Yield the person's messages and the replies to them, newest first, a chunk to a transaction."""
    after: UUID | None = None
    while most > 0:
        with space_scope(access.space):
            own = access.conversations
            rows = Message.objects.for_space(access.space).current()
            rows = rows.filter(conversation__in=own, text__isnull=False)
            if after is not None:
                rows = rows.filter(pk__lt=after)
            chunk = list(
                rows.only("space_id", "conversation_id", "role", "text", "language", "said_at").order_by(
                    "-pk"
                )[: min(CHUNK, most)]
            )
        yield from chunk
        if len(chunk) < CHUNK:
            return
        most, after = most - len(chunk), chunk[-1].pk


def _score(matched: list[_Hit], read: int) -> None:
    """Give each message what its words are worth: rare ones more, and each word once before any again."""
    held: dict[int, int] = {}
    for hit in matched:
        for term in {word.term for word in hit.hits}:
            held[term] = held.get(term, 0) + 1
    worth = {term: log(1 + read / count) for term, count in held.items()}
    for hit in matched:
        best: dict[int, float] = {}
        for word in hit.hits:
            best[word.term] = max(best.get(word.term, 0.0), word.weight)
        again = len(hit.hits) - len(best)
        hit.score = 100.0 * len(best) + sum(worth[term] * weight for term, weight in best.items())
        hit.score += AGAIN * min(again, 5)


def _show(access: ChatAccess, best: list[_Hit]) -> tuple[Found, ...]:
    ids = {hit.message.conversation_id for hit in best}
    with space_scope(access.space):
        rows = access.conversations.filter(pk__in=ids)
        titles = {row.pk: row.title or "" for row in rows}
        shown = Message.objects.for_space(access.space).filter(pk__in=[hit.message.pk for hit in best])
        of_danger = set(shown.of_danger().values_list("pk", flat=True))
    return tuple(
        Found(
            conversation=hit.message.conversation_id,
            message=hit.message.pk,
            title=titles[hit.message.conversation_id],
            role=hit.message.role,
            said_at=hit.message.said_at,
            snippet=()
            if hit.message.pk in of_danger
            else cut_snippet(hit.message.text or "", [(word.start, word.end) for word in hit.hits]),
        )
        for hit in best
    )
