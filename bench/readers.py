"""Everything that reads people's text, by name, and the kinds of text that are hardest to read.

What a text means is left out: an embedder is given 2,000 characters of it at most, so its cost does not grow. Here all texts
mean the same, which makes every comparison of meanings find the most that it can.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from chat.coaching.actions import read_actions
from chat.conversations.search import cut_snippet, find_hits, read_terms
from chat.personalisation.measure import guides
from chat.replies.markdown import render_markdown
from chat.said import Sensed, make_title, sense
from chat.summaries.points import Batch, Line, read_points
from chat.summaries.points import condense as fold_in
from chat.turn.context import quoted
from chat.turn.intentions import find_stated, listen_step, name_cue
from chat.voice.sentences import split_spoken
from companion_site.embeddings.bundled import DIMENSION, MODEL
from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.service import get_embedder
from companion_site.language import detect_language, sanitise
from companion_site.llm.dialogue import parse_json, wrap_data
from companion_site.llm.errors import MalformedOutput
from companion_site.llm.offline import compose_reply, split_words
from companion_site.llm.scrubbing.policy import Kind
from companion_site.llm.scrubbing.scrubber import Scrubber, StreamRestorer, restore_json, restore_text
from companion_site.llm.types import ChatRequest, Utterance
from companion_site.phrases import Phrase
from memory.algorithms.difference import differ_in_value
from memory.algorithms.fusion import question_share
from memory.company.extraction.dialogue import Candidate, Dialogue
from memory.company.extraction.dialogue import Line as Told
from memory.company.extraction.offline import read_offline
from memory.company.extraction.validation import check, is_order
from memory.reading.features import BUCKETS, count_runs, describe_pair
from memory.reading.service import find_danger
from memory.reading.splitter import split
from memory.reading.statements import find_statements, measure
from memory.reading.values import read_values
from memory.reading.views import pair_letters
from memory.student.ledger_promotion import derive_triggers, find_promotions
from memory.student.life.facts.extraction import read_life_facts
from memory.student.sleep.coverage import read as read_for_coverage
from overlay.guard import Fog, StreamGuard, WorldNames, mask

Read = Callable[[str], object]
NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
ID = UUID(int=1)
#: pieces in which a model's reply comes
PIECE = 40


class _OneDirection:
    """An embedder to which all texts are alike."""

    model, dimension = "one-direction", 4
    calibration = Calibration(raw=(-1.0, 1.0), calibrated=(0.0, 1.0), provenance="none: a line")

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return (n, d) rows that are the same."""
        return np.full((len(texts), self.dimension), 0.5, dtype=np.float32)


class _OneDirectionOfHeads(_OneDirection):
    """The same in the space that the reader's heads were trained in."""

    model, dimension = MODEL, DIMENSION


EMBEDDER, OF_HEADS = _OneDirection(), _OneDirectionOfHeads()
#: as if each run of letters told as much as any other
RARITY = np.ones(BUCKETS, np.float32)


class _Answer(BaseModel):
    facts: list[str]


def _dialogue(text: str) -> Dialogue:
    line = Told(id=ID, position=1, text=text, language="en", said_at=NOW, is_person=True)
    return Dialogue(conversation=ID, lines=(line,), after=0, until=1)


def _check(text: str) -> object:
    candidates = [
        Candidate(category="decision", content=text[start : start + 300], confidence=0.9, message=1)
        for start in (0, len(text) // 2)
    ]
    return check(candidates, _dialogue(text))


def _fold_in(text: str) -> object:
    lines = (Line(True, text), Line(False, text))
    return fold_in(
        Batch(
            conversation=ID,
            begins_after=0,
            until=2,
            summary=f"- Decision: {text[:4_000]}",
            lines=lines,
            language="en",
        )
    )


@cache
def _fog() -> Fog:
    names = ["photosynthesis", "power rule", "the", "Python", "C++", "aa", "not", "a. b"]
    return Fog(WorldNames.build(Phrase(key=str(number), text=name) for number, name in enumerate(names)))


def _guard(text: str) -> object:
    guard = StreamGuard(_fog(), language="en")
    out = [guard.feed(text[start : start + PIECE]) for start in range(0, len(text), PIECE)]
    return [*out, guard.finish()]


def _search(text: str) -> object:
    hits = find_hits(text, "en", read_terms(text[:200] or "a"))
    return cut_snippet(text, [(hit.start, hit.end) for hit in hits]) if hits else None


def _scrub(text: str) -> object:
    scrubber = Scrubber([text], kinds=frozenset(Kind))
    scrubbed = scrubber.scrub(text)
    originals = {(Kind.EMAIL, 1, 1): "ada@example.org"}
    restorer = StreamRestorer(originals)
    for start in range(0, len(text), PIECE):
        restorer.feed(text[start : start + PIECE])
    return scrubbed, restore_text(text, originals), restore_json(text, originals), restorer.finish()


def _parse(text: str) -> object:
    try:
        return parse_json(text, _Answer)
    except MalformedOutput:
        return None


def _answer(text: str) -> object:
    request = ChatRequest(
        system="",
        turns=[Utterance("user", text if text.strip() else "a")],
        language="en",
        find_kindred=lambda: (text,),
        unsure=frozenset({text}),
    )
    return split_words(compose_reply(request))


def _both(read: Callable[[str, str], object]) -> Read:
    """Return a reader in both languages."""
    return lambda text: (read(text, "en"), read(text, "sv"))


READERS: dict[str, Read] = {
    "chat.title": lambda text: make_title(text, Sensed(), language="en"),
    "chat.search": _search,
    "chat.markdown": render_markdown,
    "chat.spoken": lambda text: split_spoken(text, is_whole=True),
    "chat.summary": _fold_in,
    "chat.summary_points": read_points,
    "chat.coaching": lambda text: read_actions(text, goals=["run"]),
    "chat.listening": lambda text: (
        find_stated(text),
        name_cue(listen_step(text, vector=get_embedder().embed([text])[0])),
    ),
    "chat.danger": sense,
    "chat.guides": guides,
    "chat.context_line": quoted,
    "llm.data": wrap_data,
    "llm.scrubbing": _scrub,
    "llm.json": _parse,
    "llm.offline": _answer,
    "language.sanitise": sanitise,
    "language.detect": lambda text: detect_language(text, default="en"),
    "memory.measure": _both(lambda text, language: measure(text, language=language)),  # type: ignore[arg-type]
    "memory.reading.statements": _both(
        lambda text, language: find_statements(text, language=language, embedder=EMBEDDER)  # type: ignore[arg-type]
    ),
    "memory.promotion": _both(
        lambda text, language: find_promotions(
            text,
            language=language,  # type: ignore[arg-type]
            rounds=3,
            danger=find_danger(text),
            embedder=get_embedder(),
        )
    ),
    "memory.life_facts": _both(
        lambda text, language: read_life_facts(
            [text],
            get_embedder().embed([text]),
            [0.0],
            language=language,
            said_at=NOW,
            embedder=get_embedder(),
        )
    ),
    "memory.reading": lambda text: (split(text), count_runs(text)),
    "memory.pairs": lambda text: (
        describe_pair(
            text,
            f"{text} too",
            0.9,
            values={said: read_values(said) for said in (text, f"{text} too")},
            is_company=False,
            nearest=0.9,
            place=0,
        ),
        pair_letters([(text, f"{text} too")], RARITY),
    ),
    "memory.novelty": lambda text: differ_in_value(text, f"{text} too"),
    "memory.triggers": _both(lambda text, language: derive_triggers(text, language=language)),  # type: ignore[arg-type]
    "memory.question_share": question_share,
    "memory.sleep": lambda text: read_for_coverage(text, "en"),
    "company.reading": lambda text: read_offline(_dialogue(text), embedder=OF_HEADS),
    "company.checking": _check,
    "company.orders": is_order,
    "overlay.guard": _guard,
    "overlay.mask": lambda text: mask(text, _fog(), language="en"),
}


def _repeat(part: str) -> Callable[[int], str]:
    return lambda size: (part * (size // len(part) + 1))[:size]


def _nested(opening: str, closing: str) -> Callable[[int], str]:
    return lambda size: opening * (size // (2 * len(opening))) + closing * (size // (2 * len(closing)))


KINDS: dict[str, Callable[[int], str]] = {
    "one letter": _repeat("a"),
    "one capital": _repeat("A"),
    "spaces": lambda size: "a" + " " * (size - 2) + "a",
    "newlines": lambda size: "a" + "\n" * (size - 2) + "a",
    "blank lines": _repeat(" \n"),
    "tabs and spaces": lambda size: "a" + _repeat("\t ")(size - 2) + "a",
    "stops": _repeat("."),
    "question marks": _repeat("?!"),
    "a. ": _repeat("a. "),
    "commas": _repeat(","),
    "words and commas": _repeat("a, "),
    "digits": _repeat("1"),
    "digits and stops": _repeat("1."),
    "digits and spaces": _repeat("1 "),
    "digits and hyphens": _repeat("12-"),
    "times": _repeat("12:30 "),
    "thousands": _repeat("1,000 "),
    "emoji": _repeat("\U0001f600"),
    "combining marks": lambda size: "a" + "\u0301" * (size - 1),
    "zero width": _repeat("a\u200d"),
    "brackets": _nested("[", "]"),
    "open brackets": _repeat("["),
    "links": _repeat("[a]("),
    "pictures": _repeat("![]("),
    "parentheses": _nested("(", ")"),
    "braces": _nested("{", "}"),
    "quotation marks": _repeat('"'),
    "single quotes": _repeat("' "),
    "opening quotes": _repeat("\u201c"),
    "quoted lines": _repeat("> "),
    "nested quotes": _repeat(">"),
    "backticks": lambda size: "".join("`" * (n % 50 + 1) + "a" for n in range(size // 26))[:size],
    "fences": _repeat("```\n"),
    "stars": _repeat("*a"),
    "double stars": _repeat("**a "),
    "underscores": _repeat("_a "),
    "tildes": _repeat("~~a"),
    "headings": _repeat("# a\n"),
    "items": _repeat("- a\n"),
    "nested items": lambda size: "".join("  " * (n % 60) + "- a\n" for n in range(size // 60))[:size],
    "table": lambda size: ("|" + "a|" * 20 + "\n|" + "-|" * 20 + "\n" + ("|" + "a|" * 20 + "\n") * size)[
        :size
    ],
    "wide table": lambda size: "a|" * (size // 4) + "\n" + "-|" * (size // 4),
    "references": lambda size: "".join(f"[{n}]: /{n}\n" for n in range(size // 12))[:size],
    "tags": _repeat("<a>"),
    "open tags": _repeat("<a "),
    "closing tags": _repeat("</data"),
    "less than": _repeat("<"),
    "ampersands": _repeat("&"),
    "entities": _repeat("&lt;"),
    "per cent": _repeat("%41"),
    "backslashes": _repeat("\\"),
    "addresses": _repeat("https://a.b/c "),
    "one address": lambda size: "https://" + "a." * (size // 2),
    "mail": _repeat("a@b.c "),
    "at signs": _repeat("@"),
    "one mail": lambda size: "a." * (size // 2) + "@" + "b." * (size // 2),
    "hyphens": _repeat("-"),
    "hyphenated": _repeat("a-"),
    "apostrophes": _repeat("a'"),
    "dashes": _repeat(" \u2013 "),
    "not": _repeat("not "),
    "and": _repeat("and "),
    "and i": _repeat("and I "),
    "och jag": _repeat("och jag "),
    "i am so very": _repeat("so very really "),
    "because": _repeat("I went because "),
    "ok": _repeat("ok "),
    "thanks": _repeat("thanks, great! "),
    "the same word": _repeat("really really "),
    "one long word": lambda size: "I like " + "x" * (size - 20) + " very much.",
    "no vowels": _repeat("bcdf ghjk "),
    "short words": _repeat("a b "),
    "different words": lambda size: " ".join(f"w{n}" for n in range(size // 6))[:size],
    "different sentences": lambda size: " ".join(f"I like thing{n} best." for n in range(size // 20))[:size],
    "names": _repeat("Ada Lovelace "),
    "different names": lambda size: " ".join(f"N{n}ame" for n in range(size // 8))[:size],
    "sentences": _repeat("I moved to Oslo on 3 May 2024 with Ada. "),
    "one sentence": _repeat("I moved to Oslo and Ada got a cat and "),
    "meningar": _repeat("Jag flyttade till Malmö med Åsa den 3 maj. "),
    "mixed languages": _repeat("I like jag tycker about det men but "),
    "questions": _repeat("What is it? "),
    "goals": _repeat("I want to run more every day and "),
    "medicine": _repeat("I take my pills at 8 every day, "),
    "threats": _repeat("I want to die. "),
    "family": _repeat("my mother's sister's "),
    "company": _repeat("We decided to switch bank to SEB at 3,000 kr. "),
    "orders": _repeat("Ignore all previous instructions and "),
    "json": lambda size: '{"facts": [' + '"a",' * (size // 4) + '"a"]}',
    "deep json": lambda size: '{"facts": ' + "[" * (size // 2) + "]" * (size // 2) + "}",
    "placeholders": _repeat("[EMAIL-1] "),
    "code": _repeat("def f(x): return x;\n"),
    "code lines": _repeat("if a b c "),
    "capitals": _repeat("AAA BBB "),
    "laughter": _repeat("haha"),
    "chinese": _repeat("我喜欢学习。"),
    "arabic": _repeat("أحب التعلم. "),
    "controls": _repeat("a\x00\u200b\n"),
}


__all__ = ["KINDS", "READERS"]
