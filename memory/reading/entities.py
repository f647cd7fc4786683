"""Who and what a statement speaks of: people, animals, places, organisations, courses and things, each with the words that name it.

Candidates are found by form (capital letters, possessives, genitives, words that labelled lines name something by); whether a
candidate names something, what kind of thing, and how it stands in the statement, the head `entity` says.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import Language, detect_language, is_name_like, word_information
from memory.reading.heads import Heads, Told
from memory.reading.owners import Owner
from memory.reading.params import READING
from memory.reading.service import get_heads
from memory.reading.words import find_words, table, words_of

Role = Literal["about", "involves", "located_at"]
#: first and last word of a candidate, by which of its words are a name and whose it is said to be
Spans = dict[tuple[int, int], tuple[tuple[int, int] | None, Owner | None]]

#: A possessive reaches so many words on: "my little half brother".
REACH = 3
#: Words of a name in capital letters that follow one another.
LONGEST_NAME = 4
#: So many candidates of one statement are looked at; of longer texts the first.
MOST = 24
LONGEST = 600
#: A word that opens a sentence may be a name from so many bits on; "Yesterday" has fewer.
RARE_BITS = 10.0
#: A known name that stands where any word has a capital letter, or has none, is no common word from so many bits on.
KNOWN_BITS = 13.0
#: From so many bits on a word in small letters that ends in s may be a name's genitive: "callums sister".
UNKNOWN_BITS = 17.0
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_STOP = re.compile(r"[.!?:;…\n,()\"“”]")
_ENDS = re.compile(r"[.!?:…\n]")
#: What comes after a name that is called: the end of its sentence, a comma or a dash.
_AFTER_CALL = ".!?…,\n-\u2013\u2014"
#: What a message wants where its first words greet or answer somebody by name, and tell nothing of them.
_CALLING = ("greeting", "thanks", "goodbye")
#: the words of a kind in every language
_table = partial(words_of, "owners.json")


@dataclass(frozen=True, slots=True)
class Mention:
    """One thing that a statement names.

    Attributes:
        start: its first character in the statement; end: the character after its last.
        kind: person, animal, place, organisation, course or thing.
        role: whether the statement is about it, takes place there, or has to do with it.
        name: its proper name, where the words hold one.
        relation: what it is to the speaker ("brother"), where the words say so.
        chance: 0 to 1, how surely it names something.
        is_own: the words say that it is the speaker's.
    """

    start: int
    end: int
    kind: str
    role: Role
    name: str | None
    relation: str | None
    chance: float
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words that may name something.

    Attributes:
        name_at: where in the text its proper name begins and ends; None where it has none.
        owner: "own" or "others" where the words say whose it is.
        is_known: its name is one that the space knows.
    """

    start: int
    end: int
    name_at: tuple[int, int] | None
    owner: Owner | None
    plain: tuple[float, ...]
    is_known: bool
    before: str
    after: str

    def in_context(self, text: str) -> str:
        """Return the words with those beside them, marked: what runs of letters are counted in."""
        return f"{self.before}> {text[self.start : self.end]} <{self.after}"


class _Tokens:
    """A text's words with their places, and what each is by its form."""

    def __init__(self, text: str, known: Collection[str]) -> None:
        self.text = text
        self.language: Language = detect_language(text, default="en")
        self.spans = [match.span() for match in _TOKEN.finditer(text)]
        self.words = [text[start:end].replace("\u2019", "'") for start, end in self.spans]
        self.lower = [word.casefold() for word in self.words]
        self.known = known
        shouted = sum(map(str.isupper, text)) > sum(map(str.islower, text))
        self.information = word_information(self.lower, self.language).tolist()
        self.begins = [
            at == 0 or bool(_ENDS.search(text, self.spans[at - 1][1], start))
            for at, (start, _) in enumerate(self.spans)
        ]
        self.capital = [
            not shouted
            and is_name_like(word)
            and (not self.begins[at] or self.information[at] >= RARE_BITS or self._stem(word) in known)
            for at, word in enumerate(self.words)
        ]

    def _stem(self, word: str) -> str:
        return without_genitive(word).casefold()

    def joined(self, at: int) -> bool:
        """Return whether a word follows the one before it with nothing but a space between."""
        return at < len(self.spans) and not _STOP.search(self.text, self.spans[at - 1][1], self.spans[at][0])

    def is_genitive(self, at: int) -> bool:
        word = self.words[at]
        if self.lower[at] in table("self") or self.is_clitic(at):
            return False
        if word.endswith(("'s", "s'")):
            return True
        is_name = (
            self.capital[at] or self.lower[at][:-1] in self.known or self.information[at] >= UNKNOWN_BITS
        )
        return word.endswith("s") and len(word) > 3 and is_name

    def is_clitic(self, at: int) -> bool:
        """Return whether the "'s" of a word is a verb: after a pronoun ("that's"), or before a new noun phrase ("Coco's my dog")."""
        if not self.lower[at].endswith("'s"):
            return False
        follows = self.lower[at + 1] if self.joined(at + 1) else ""
        return without_genitive(self.lower[at]) in _little() or follows in _opening()

    def ends(self, at: int) -> bool:
        """Return whether a phrase reaches no further than a word: it says whose the next one is, or holds a verb."""
        return self.is_genitive(at) or self.is_clitic(at)


@cache
def _little() -> frozenset[str]:
    """Return the words that stand for others, ask, or lead on to a name or a verb: they own nothing by an "'s"."""
    tables = (table("others"), table("asking"), _table("closing"), _table("naming"))
    return frozenset().union(*tables)


@cache
def _opening() -> frozenset[str]:
    """Return the words that a noun phrase begins with."""
    return _table("opening") | _table("own") | _table("others")


def without_genitive(word: str) -> str:
    """Return a name without the ending that says whose something is."""
    return re.sub(r"['\u2019]s?$", "", word)


def find_candidates(text: str, *, naming: Collection[str], known: Collection[str] = ()) -> list[Candidate]:
    """Return what may name something in a text, in order; candidates may overlap.

    Args:
        naming: words by which labelled lines name something without a capital letter, casefolded.
        known: names of what the space knows already, casefolded: found however they are written.
    """
    text = text[:LONGEST]
    tokens = _Tokens(text, known)
    spans: Spans = {}
    for at, word in enumerate(tokens.lower):
        name = _name_from(tokens, at)
        if name is not None:
            spans.setdefault((at, name), ((at, name), None))
        if word in naming or without_genitive(word) in naming or without_genitive(word) in known:
            end = _name_from(tokens, at + 1) if tokens.joined(at + 1) else None
            is_named = without_genitive(word) in known
            spans.setdefault((at, at + 1), ((at, at + 1) if is_named else None, None))
            if end is not None:
                spans.setdefault((at, end), ((at + 1, end), None))
            if tokens.joined(at + 1) and (
                tokens.lower[at + 1] in naming or tokens.lower[at + 1][:1].isdigit()
            ):
                spans.setdefault((at, at + 2), (None, None))
        owner: Owner | None = (
            "own" if word in _table("own") else "others" if word in _table("others") else None
        )
        if owner is None and tokens.is_genitive(at):
            owner = "others"
        if owner is not None:
            _reach(tokens, at, owner, spans)
    ordered = sorted(spans.items())[:MOST]
    return [_candidate(tokens, span, *about, naming) for span, about in ordered]


def _reach(
    tokens: _Tokens,
    at: int,
    owner: Owner,
    spans: Spans,
) -> None:
    """Note what follows a possessive or a genitive, one word, two or three, each also with the name that follows it."""
    for end in range(at + 2, at + 2 + REACH):
        if (
            end > len(tokens.words)
            or not tokens.joined(end - 1)
            or tokens.lower[end - 1] in _table("closing") | _opening()
            or (end - 2 > at and tokens.is_clitic(end - 2))
        ):
            return
        if tokens.capital[end - 1]:
            name = _name_from(tokens, end - 1)
            if name is not None and end - 1 > at:
                spans.setdefault((at, name), ((end - 1, name), owner))
            return
        spans.setdefault((at, end), (None, owner))


def _name_from(tokens: _Tokens, at: int) -> int | None:
    """Return where a name that begins at a word ends; None where none does, or it began earlier."""
    if at >= len(tokens.words) or not tokens.capital[at]:
        return None
    if at > 0 and tokens.capital[at - 1] and tokens.joined(at) and not tokens.is_genitive(at - 1):
        return None
    end = at + 1
    while end < len(tokens.words) and end - at < LONGEST_NAME and tokens.joined(end):
        if tokens.ends(end - 1) or not (tokens.capital[end] or tokens.words[end].isdigit()):
            break
        end += 1
    return end


def _candidate(
    tokens: _Tokens,
    span: tuple[int, int],
    name: tuple[int, int] | None,
    owner: Owner | None,
    naming: Collection[str],
) -> Candidate:
    first, end = span
    text = tokens.text
    start, stop = tokens.spans[first][0], tokens.spans[end - 1][1]
    if tokens.ends(end - 1):
        stop = start + len(without_genitive(text[start:stop]))
    before = tokens.lower[first - 1] if first and tokens.joined(first) else ""
    after = tokens.lower[end] if end < len(tokens.words) and tokens.joined(end) else ""
    plain = (
        float(owner == "own"),
        float(owner == "others"),
        float(name is not None),
        float(tokens.begins[first]),
        first / max(len(tokens.words), 1),
        min(end - first, 4) / 2,
        float(tokens.is_genitive(end - 1)),
        float(any(char.isdigit() for char in text[start:stop])),
        float(tokens.lower[end - 1] in naming),
        float(after in table("self") or before in table("self")),
        float(bool(before) and len(before) <= 3),
        float("'" in before),
        min(tokens.information[first:end]) / UNKNOWN_BITS,
        tokens.information[end - 1] / UNKNOWN_BITS,
    )
    places = None
    if name is not None:
        places = (tokens.spans[name[0]][0], min(tokens.spans[name[1] - 1][1], stop))
    # "love" is known once somebody is called so: what opens a sentence or has no capital letter must be rare to be a name.
    by_form = name is not None and tokens.capital[name[0]] and not tokens.begins[name[0]]
    is_known = (
        places is not None
        and text[slice(*places)].casefold() in tokens.known
        and (by_form or tokens.information[first] >= KNOWN_BITS)
    )
    return Candidate(start, stop, places, owner, plain, is_known, before, after)


def opening_call(text: str, one: Candidate) -> str | None:
    """Return the words up to a name that comes second in its sentence and ends a part of it: "Hi Mia" of "Hi Mia, I …"; None for others.

    Whether they call somebody ("Hi Mia") or tell of them ("Met Mia") the form does not say.
    """
    if one.name_at is None or one.name_at[1] != one.end or not _ends_part(text, one.end):
        return None
    begin = max((match.end() for match in _ENDS.finditer(text, 0, one.start)), default=0)
    opening = text[begin : one.end].strip()
    return opening if len(opening.split()) == 2 and opening.replace(" ", "").isalpha() else None


def _ends_part(text: str, place: int) -> bool:
    after = text[place : place + 2].lstrip(" ")
    return not after or after[0] in _AFTER_CALL


def is_called(text: str, one: Candidate, *, besides: Collection[int] = ()) -> bool:
    """Tell whether a bare name is set off as whom the words are said to ("Thanks, Mia!", "Mia, listen"), and not in a list of names.

    Args:
        besides: where what is somebody's ends: "my teacher, Anders" says who that is.
    """
    if one.name_at != (one.start, one.end) or not _ends_part(text, one.end):
        return False
    before, after = text[: one.start].rstrip(), text[one.end :].lstrip()
    following = _TOKEN.match(after[1:].lstrip()) if after.startswith(",") else None
    word = following.group() if following else ""
    is_list = is_name_like(word) and word.casefold() not in table("self")
    if is_list or word.isdigit():
        return False
    if before.endswith(","):
        *_, last = _TOKEN.findall(before) or [""]
        opens = len(_TOKEN.findall(_ENDS.split(before)[-1])) == 1
        names = len(before) - 1 in besides and not (one.is_known and not word)
        return not names and (opens or not is_name_like(last))
    # "Ronja, my cousin" and "Ronja, who …" say who somebody is.
    tells = word.casefold() in _table("own") | _table("others") | _table("closing") | table("others")
    opens = not before or bool(_ENDS.search(before[-1]))
    return opens and after.startswith(",") and " " not in text[one.start : one.end] and not tells


def find_mentions(
    texts: Sequence[str],
    vectors: NDArray[np.floating],
    *,
    embedder: Embedder,
    known: Collection[str] = (),
) -> list[list[Mention]]:
    """Return what each statement names, in order, none within another. Embeds, so never inside a transaction.

    Args:
        vectors: (n, d) of the statements.
        known: names of what the space knows already, casefolded.
    """
    heads = get_heads(embedder)
    candidates = [find_candidates(text, naming=heads.naming, known=known) for text in texts]
    flat = [(number, one) for number, found in enumerate(candidates) for one in found]
    if not flat:
        return [[] for _ in texts]
    phrases = [texts[number][one.start : one.end] for number, one in flat]
    told = heads.read_candidates(
        [one.in_context(texts[number]) for number, one in flat],
        embedder.embed(phrases),
        np.asarray(vectors)[[number for number, _ in flat]],
        [one.plain for _, one in flat],
    )
    found: list[list[Mention]] = [[] for _ in texts]
    chances = 1.0 - told["entity"].probabilities[:, 0]
    called = _find_called(texts, flat, told["entity"], heads, embedder)
    sure = _sureness(flat, chances)
    # The longest of equally sure ones first: "my brother Noah" before "Noah".
    by_chance = sorted(
        range(len(flat)), key=lambda at: (-round(sure[at], 1), flat[at][1].start - flat[at][1].end)
    )
    for at in by_chance:
        number, one = flat[at]
        if at in called and told["entity"].of("person", at) >= told["entity"].of("place", at):
            continue
        taken = any(one.start < mention.end and mention.start < one.end for mention in found[number])
        least = READING.names_known if one.is_known else READING.names_something
        is_some_kind = one.is_known or told["entity"].probabilities[at, 1:].max() >= READING.names_kind
        if chances[at] >= least and is_some_kind and not taken:
            kind = told["entity"].likeliest(at)
            if kind == "none":
                kind = told["entity"].classes[1 + int(told["entity"].probabilities[at, 1:].argmax())]
            found[number].append(
                _mention(texts[number], one, kind, told["role"].likeliest(at), float(chances[at]))
            )
    ordered = [sorted(each, key=lambda mention: mention.start) for each in found]
    return [_joined(text, each) for text, each in zip(texts, ordered, strict=True)]


def _sureness(flat: Sequence[tuple[int, Candidate]], chances: NDArray[np.floating]) -> list[float]:
    """Return how surely each candidate is chosen before others; a name belongs to the relation before it: "my teacher Anna"."""
    owned: dict[tuple[int, int], float] = {}
    for (number, one), chance in zip(flat, chances.tolist(), strict=True):
        if one.owner is not None and one.name_at is None:
            owned[number, one.start] = max(chance, owned.get((number, one.start), 0.0))
    return [
        max(chance, owned.get((number, one.start), 0.0)) if one.owner is not None and one.name_at else chance
        for (number, one), chance in zip(flat, chances.tolist(), strict=True)
    ]


def _find_called(
    texts: Sequence[str],
    flat: Sequence[tuple[int, Candidate]],
    told: Told,
    heads: Heads,
    embedder: Embedder,
) -> set[int]:
    """Return which candidates are no more than whom the words are said to.

    Args:
        told: what each candidate names: an owner's friend may be told by name after a comma, an owner's friendship is not.
    """
    owned: dict[int, set[int]] = {}
    for at, (number, one) in enumerate(flat):
        is_alive = told.of("person", at) + told.of("animal", at) >= READING.names_something
        if one.owner is not None and is_alive:
            owned.setdefault(number, set()).add(one.end)
    found = {
        at
        for at, (number, one) in enumerate(flat)
        if is_called(texts[number], one, besides=owned.get(number, ()))
    }
    openings = {
        at: opening
        for at, (number, one) in enumerate(flat)
        if at not in found and (opening := opening_call(texts[number], one)) is not None
    }
    if openings:
        said = list(openings.values())
        wanted = heads.read_texts("intent", said, embedder.embed(said))["intent"]
        found |= {
            at
            for row, at in enumerate(openings)
            if sum(wanted.of(name, row) for name in _CALLING) >= READING.calls_somebody
        }
    return found


def _joined(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return mentions with two made one where one gives the other's name: "my teacher is called Anders", "Ronja, my cousin"."""
    found: list[Mention] = []
    for mention in mentions:
        before = found[-1] if found else None
        if before is not None and _names_the_other(text, before, mention):
            found[-1] = replace(
                before,
                end=mention.end,
                kind=before.kind if before.relation else mention.kind,
                is_own=before.is_own or mention.is_own,
                name=before.name or mention.name,
                relation=before.relation or mention.relation,
                chance=max(before.chance, mention.chance),
            )
        else:
            found.append(mention)
    return found


def _names_the_other(text: str, one: Mention, other: Mention) -> bool:
    by_name = {(bool(each.name), bool(each.relation)) for each in (one, other)}
    if by_name != {(True, False), (False, True)}:
        return False
    between = text[one.end : other.start]
    words = find_words(between)
    if not words:
        # "My sister, Toby and I" are two, or one of them has a name: nobody knows.
        after = find_words(text[other.end :])[:1]
        is_list = other.relation is None and bool(table("joining").intersection(after))
        return between.strip() == "," and not is_list
    named = _table("naming") if one.name is None else _table("naming") & _table("closing")
    return set(words) <= named and not _STOP.search(between)


def _mention(text: str, one: Candidate, kind: str, role: str, chance: float) -> Mention:
    name = text[slice(*one.name_at)] if one.name_at is not None else None
    relation = relation_of(text, one)
    if name is None and one.owner is None and kind not in {"person", "animal"}:
        name, relation = relation, None  # "maths" is called so
    return Mention(one.start, one.end, kind, role, name, relation, chance, one.owner == "own")  # type: ignore[arg-type]  # the head's classes


def relation_of(text: str, one: Candidate) -> str | None:
    """Return what a candidate's words say of what it is to the speaker: "brother" of "my brother Noah"."""
    if one.owner is None and one.name_at is not None and one.name_at[0] == one.start:
        return None
    end = one.name_at[0] if one.name_at is not None else one.end
    words = text[one.start : end].split()
    return " ".join(words[1:] if one.owner == "own" else words).strip() or None
