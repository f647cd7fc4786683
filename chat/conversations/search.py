"""Finding what was said in one's own conversations: opened in memory, word by word, in both languages (C2).

Sealed words are not searched in the database, so each search reads the person's messages, newest first, up to a
bound. A word is judged once per search, however often it occurs, so that reading is what a search costs.

A word is found by itself, by another form of it, or by a longer word that begins with it. Both sides are stemmed by the
text's own language, so that "fakturor" finds "fakturan" and "invoices" "invoice".
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import log
from typing import NamedTuple
from uuid import UUID

from chat.access import ChatAccess
from chat.models import Message
from companion_site.language import LANGUAGES, WORD, Language, as_language, stem_words, tokens
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


class WordHit(NamedTuple):
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
    found = list(dict.fromkeys(match.group().casefold() for match in WORD.finditer(query)))
    telling = [word for word in found if tokens(word, "en") and tokens(word, "sv")]
    chosen = tuple((telling or found)[:MOST_TERMS])
    stems: dict[Language, dict[str, int]] = {
        language: {stem: number for number, stem in enumerate(stem_words(list(chosen), language))}
        for language in LANGUAGES
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
    for match in WORD.finditer(text):
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


class Piece(NamedTuple):
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


@dataclass(frozen=True)
class Results:
    """What a search found, best first: the best, how many messages in all, and whether there are older ones than a search reads."""

    found: tuple[Found, ...] = ()
    count: int = 0
    is_partial: bool = False


def search_messages(access: ChatAccess, query: str, *, most_read: int = MOST_READ) -> Results:
    """Return where the words of `query` were said in the person's own conversations.

    A message with more of the words comes first, then one with rarer words, then the later one.
    """
    terms = read_terms(" ".join(query.split())[:LONGEST_QUERY])
    if not terms.words:
        return Results()
    with access.open():
        matched, read = [], 0
        for message in _own_messages(access, most=most_read + 1):
            read += 1
            if read <= most_read and (hits := find_hits(message.text or "", message.language, terms)):
                matched.append((message, hits))
        held = Counter(term for _, hits in matched for term in {hit.term for hit in hits})
        worth = {term: log(1 + read / count) for term, count in held.items()}
        matched.sort(key=lambda one: (-_score(one[1], worth), -one[0].said_at.timestamp()))
        found = _show(access, matched[:MOST_SHOWN])
    return Results(found, len(matched), read > most_read)


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


def _score(hits: Sequence[WordHit], worth: Mapping[int, float]) -> float:
    """Return what a message's words are worth: rare ones more, and each word once before any again."""
    best: dict[int, float] = {}
    for hit in hits:
        best[hit.term] = max(best.get(hit.term, 0.0), hit.weight)
    again = min(len(hits) - len(best), 5)
    return 100.0 * len(best) + sum(worth[term] * weight for term, weight in best.items()) + AGAIN * again


def _show(access: ChatAccess, best: Sequence[tuple[Message, list[WordHit]]]) -> tuple[Found, ...]:
    with space_scope(access.space):
        rows = access.conversations.filter(pk__in={message.conversation_id for message, _ in best})
        titles = {row.pk: row.title or "" for row in rows}
        shown = Message.objects.for_space(access.space).filter(pk__in=[message.pk for message, _ in best])
        of_danger = set(shown.of_danger().values_list("pk", flat=True))
    return tuple(
        Found(
            conversation=message.conversation_id,
            message=message.pk,
            title=titles[message.conversation_id],
            role=message.role,
            said_at=message.said_at,
            snippet=()
            if message.pk in of_danger
            else cut_snippet(message.text or "", [(hit.start, hit.end) for hit in hits]),
        )
        for message, hits in best
    )
