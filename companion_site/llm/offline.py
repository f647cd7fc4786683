"""The companion without a model: it says so, quotes what the person told it, and asks one open question.

Where a plan says what the reply is for, it goes by that (`offline_guided`); whoever is in danger is answered by words of their own
(`care`). It states nothing that it was not told, and what it is not sure of it tells as such. The same request always gets the same
reply.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

from companion_site.llm.care import write_care
from companion_site.llm.offline_guided import compose_guided
from companion_site.llm.offline_phrases import PHRASES, Phrases
from companion_site.llm.types import ChatRequest
from companion_site.shortening import shorten

WORDS_PER_PIECE = 3
QUOTES_AT_MOST = 3
QUOTE_MAX_CHARS = 240


class OfflineCompanion:
    """Ends the chain of providers, so that the site always answers."""

    name = "offline"

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """Yield the reply in groups of words, giving others a turn between them."""
        for piece in split_words(compose_reply(request)):
            yield piece
            await asyncio.sleep(0)


def compose_reply(request: ChatRequest) -> str:
    """Return the whole reply: the notice once a conversation, then what the person's last words call for.

    To danger nothing else is said, not even the notice.
    """
    phrases = PHRASES[request.language]
    said = request.turns[-1].text
    replies_before = sum(turn.role == "assistant" for turn in request.turns)
    care = request.care
    gently = write_care(care, language=request.language, turn=replies_before) if care is not None else []
    if care is not None and care.danger is not None:
        return "\n\n".join(gently)
    if request.is_shared:
        phrases = replace(phrases, told_me=phrases.noted, told_me_several=phrases.noted_several)
    if request.forgotten:
        body = [f"{phrases.forgot} {_quote(phrases, request.forgotten)}", phrases.take_back]
    elif worked_out := request.work_out():
        body = [worked_out]
    elif request.changed:
        body = [f"{phrases.changed} {_quote(phrases, request.changed[0])}"]
    else:
        guided = _guided(phrases, request, said, turn=replies_before)
        body = guided or _answer(phrases, said, _Memories(request), turn=replies_before)
    return "\n\n".join([*([] if replies_before else [phrases.notice]), *gently, *body])


def split_words(text: str) -> list[str]:
    """Return `text` in pieces of a few words each; together they are `text` again."""
    words = re.findall(r"\S+\s*|\s+", text)
    return ["".join(words[i : i + WORDS_PER_PIECE]) for i in range(0, len(words), WORDS_PER_PIECE)]


def is_question(phrases: Phrases, said: str) -> bool:
    """Return whether the person asks something: by a question mark, or by how the last sentence begins."""
    last = re.split(r"[.!\n]\s*", said.strip().rstrip(".! "))[-1].lower().split()
    return said.rstrip().endswith("?") or (bool(last) and last[0] in phrases.question_words)


@dataclass(frozen=True)
class _Memories:
    """What was recalled, told with a doubt where it is not sure."""

    request: ChatRequest

    def __bool__(self) -> bool:
        return bool(self.request.recalled)

    def listed(self, phrases: Phrases) -> str:
        """Return the best few: one as a sentence, several as a list."""
        told = self.request.recalled[:QUOTES_AT_MOST]
        if len(told) == 1:
            return self.told(phrases, phrases.told_me)
        lines = [
            f"- {phrases.unsure} {quote}" if doubted else f"- {quote}"
            for quote, doubted in self._quotes(phrases)
        ]
        return "\n".join([phrases.told_me_several, *lines]) if lines else ""

    def told(self, phrases: Phrases, opening: str) -> str:
        """Return the best one after an opening, which gives way to the doubt."""
        quote, doubted = self._quotes(phrases)[0]
        return f"{phrases.unsure} {quote} {phrases.asks_back}" if doubted else f"{opening} {quote}"

    def _quotes(self, phrases: Phrases) -> list[tuple[str, bool]]:
        told = self.request.recalled[:QUOTES_AT_MOST]
        return [(_quote(phrases, text), text in self.request.unsure) for text in told]


def _guided(phrases: Phrases, request: ChatRequest, said: str, *, turn: int) -> list[str] | None:
    """Return the reply by its plan; None without one, and where the person asks or greets and wants an answer."""
    guidance = request.guidance
    if guidance is None:
        return None
    if guidance.mode != "game" and is_question(phrases, said):
        return None
    if guidance.mode in {"support", "coach"} and request.cue in {"thanks", "greeting"}:
        return None
    return compose_guided(request, turn=turn)


def _answer(phrases: Phrases, said: str, recalled: _Memories, *, turn: int) -> list[str]:
    cue = recalled.request.cue
    question = _pick(phrases.ask[cue], turn)
    if is_question(phrases, said) and cue not in {"heavy", "greeting", "thanks"}:
        known = [part for part in (recalled.listed(phrases), _from_pack(phrases, recalled.request)) if part]
        return [*(known or [phrases.nothing_known]), question]
    opening = [_pick(phrases.acknowledge[cue], turn)]
    if recalled and cue not in {"greeting", "thanks"}:
        opening.append(recalled.told(phrases, phrases.connects))
    if cue == "plan" and turn % 2 == 0:
        return [" ".join(opening), _pick(phrases.first_step, turn // 2), question]
    return [" ".join(opening), question]


def _from_pack(phrases: Phrases, request: ChatRequest) -> str:
    """Return the best that a pack holds on the question, as the pack's words; "" where none does."""
    if not request.materials:
        return ""
    pack, words = request.materials[0]
    return f"{phrases.from_pack.format(_quote(phrases, pack))} {_quote(phrases, words)}"


def _quote(phrases: Phrases, text: str) -> str:
    """Return `text` as a quotation, on one line, cut at a word if it is long."""
    return phrases.quote.format(shorten(text, QUOTE_MAX_CHARS))


def _pick(ways: Sequence[str], turn: int) -> str:
    return ways[turn % len(ways)]
