"""Finding what was said in one's own conversations: opened in memory, word by word, in both languages (C2).

Sealed words are not searched in the database, so each search reads the person's messages, newest first, up to a
bound. A word is judged once per search, however often it occurs, so that reading is what a search costs.

A word is found by itself, by another form of it, or by a longer word that begins with it. Both sides are stemmed by the
text's own language, so that "fakturor" finds "fakturan" and "invoices" "invoice".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import log
from uuid import UUID

from chat.access import ChatAccess
from chat.models import Message
from companion_site.language import Language, as_language, stem_words, tokens
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope

#: A beginning of a word finds the word from so many letters on: "moms" finds "momsdeklaration".
SHORTEST_BEGINNING = 4
MOST_TERMS = 12
#: Hits looked at in one message.
MOST_HITS = 200
WHOLE, BEGINNING = 1.0, 0.5

#: Endings of one Swedish noun, which Snowball leaves apart ("fakturan", "fakturor").
_SWEDISH_ENDINGS = frozenset((
    "", "a", "an", "ans", "or", "ors", "orna", "ornas", "e", "en", "ens", "ar", "ars", "arna", "arnas",
    "er", "ers", "erna", "ernas", "et", "ets", "n", "ns", "na", "nas", "t", "ts", "s",
))  # fmt: skip

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LANGUAGES: tuple[Language, ...] = ("en", "sv")


@dataclass(frozen=True)
class WordHit:
    """One word of a text that a word of the query finds."""

    term: int
    weight: float
    start: int
    end: int


@dataclass
class Terms:
    """The words of a query, with their stems, and what each word met so far came to."""

    words: tuple[str, ...]
    stems: dict[Language, dict[str, int]]
    #: a text that has none of these has none of the words: most texts need no closer look
    beginnings: tuple[str, ...] = ()
    judged: dict[tuple[str, Language], tuple[int, float] | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.words)

    def judge(self, word: str, language: Language) -> tuple[int, float] | None:
        """Return which word of the query a casefolded word answers to and how well, None where none."""
        key = (word, language)
        if key not in self.judged:
            self.judged[key] = self._judge(word, language)
        return self.judged[key]

    def _judge(self, word: str, language: Language) -> tuple[int, float] | None:
        if word in self.words:
            return self.words.index(word), WHOLE
        (stem,) = stem_words([word], language)
        if stem in self.stems[language]:
            return self.stems[language][stem], WHOLE
        for number, term in enumerate(self.words):
            if language == "sv" and _are_forms(term, word):
                return number, WHOLE
            if len(term) >= SHORTEST_BEGINNING and word.startswith(term):
                return number, BEGINNING
        return None


def read_terms(query: str) -> Terms:
    """Return the words of a query that are looked for: the telling ones, or all where none tells anything."""
    found = list(dict.fromkeys(match.group().casefold() for match in _WORD.finditer(query)))
    telling = [word for word in found if tokens(word, "en") and tokens(word, "sv")]
    chosen = tuple((telling or found)[:MOST_TERMS])
    stems: dict[Language, dict[str, int]] = {
        language: {stem: number for number, stem in enumerate(stem_words(list(chosen), language))}
        for language in _LANGUAGES
    }
    shared = {
        _beginning(chosen[number], stem) for by_stem in stems.values() for stem, number in by_stem.items()
    }
    return Terms(chosen, stems, tuple(sorted(shared)))


def find_hits(text: str, language: str, terms: Terms) -> list[WordHit]:
    """Return where words of the query stand in a text, in order."""
    folded = text.casefold()
    if not any(beginning in folded for beginning in terms.beginnings):
        return []
    own = as_language(language)
    hits = []
    for match in _WORD.finditer(text):
        judged = terms.judge(match.group().casefold(), own)
        if judged is not None:
            hits.append(WordHit(*judged, match.start(), match.end()))
            if len(hits) >= MOST_HITS:
                break
    return hits


def _are_forms(one: str, other: str) -> bool:
    """Tell whether two Swedish words are a common beginning with an ending of a noun each."""
    shared = _shared_length(one, other)
    tails = {one[shared:], other[shared:]}
    return shared >= SHORTEST_BEGINNING and tails <= _SWEDISH_ENDINGS


def _beginning(word: str, stem: str) -> str:
    """Return the first letters that every form of a word has, as far as its stem tells: four at the most."""
    return word[: min(max(_shared_length(word, stem), 1), SHORTEST_BEGINNING)]


def _shared_length(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


BEFORE = 60
LENGTH = 220


@dataclass(frozen=True)
class Piece:
    """A run of a snippet, which is one of the words that were found or what stands between them."""

    text: str
    is_hit: bool = False


def cut_snippet(text: str, hits: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    """Return some 220 characters of a text, where most of the hits stand together, in runs.

    Args:
        hits: first character and end of each, in order, none within another.
    """
    start, end = _window(text, hits)
    pieces, at = [Piece("…")] if start else [], start
    for first, last in hits:
        if start <= first and last <= end:
            pieces += [Piece(text[at:first]), Piece(text[first:last], is_hit=True)]
            at = last
    pieces.append(Piece(text[at:end]))
    if end < len(text):
        pieces.append(Piece("…"))
    return tuple(piece for piece in pieces if piece.text)


def _window(text: str, hits: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the part that holds the most hits, a little before the first of them, ending where words end."""
    counts = [sum(first <= other < first + LENGTH - BEFORE for other, _ in hits) for first, _ in hits]
    first, last = hits[counts.index(max(counts))]
    start = max(first - BEFORE, 0)
    while start > 0 and start < first and not text[start - 1].isspace():
        start += 1
    end = min(max(start + LENGTH, last), len(text))
    while last < end < len(text) and not text[end].isspace():
        end -= 1
    return start, end


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
