"""The companion without a model: it says so, answers a question by the one thing it was told that answers it, or says that it was not told.

Who tells something is asked one open question; who asks is not. Where a plan says what the reply is for, it goes by that
(`offline_guided`); whoever is in danger is answered by words of their own (`care`). It states nothing that it was not told, what it is not
sure of it tells as such, and no sentence of its own is said twice among the turns of a request. The same request always gets the same reply.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from companion_site.llm.care import write_care
from companion_site.llm.offline_guided import Saying, compose_guided
from companion_site.llm.offline_phrases import PHRASES, Phrases, QuizPhrases
from companion_site.llm.types import ChatRequest, QuizTurn, ToldFact
from companion_site.shortening import shorten

WORDS_PER_PIECE = 3
QUOTE_MAX_CHARS, TOPIC_MAX_CHARS = 240, 80


class OfflineCompanion:
    """Ends the chain of providers, so that the site always answers."""

    name = "offline"

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """Yield the reply in groups of words, giving others a turn between them."""
        # Finding an answer embeds; others wait for nothing meanwhile.
        for piece in split_words(await asyncio.to_thread(compose_reply, request)):
            yield piece
            await asyncio.sleep(0)


def compose_reply(request: ChatRequest) -> str:
    """Return the whole reply: the notice once a conversation, then what the person's last words call for.

    To danger nothing else is said, not even the notice. What is worked out, and whom to call, is said as often as it is asked for.
    """
    phrases, saying = PHRASES[request.language], Saying.after(request.turns)
    care = request.care
    gently = write_care(care, language=request.language, turn=saying.turn) if care is not None else []
    if care is not None and care.danger is not None:
        return "\n\n".join(gently)
    reply = _Reply(request, phrases, saying)
    has_attached = request.has_files or bool(request.turns[-1].pictures)
    attached = saying.pick([phrases.attached]) if has_attached else ""
    quiz = request.quiz()
    asked = [] if quiz is None else _compose_quiz(quiz, phrases.quiz, turn=saying.turn, quote=reply.quote)
    if has_attached and request.is_wordless:
        body = [] if attached else [phrases.attached_again]
    elif quiz is not None and not quiz.stands_aside:
        body = []
    elif request.forgotten:
        body = [phrases.forgot.format(quote=reply.quote(request.forgotten)), saying.pick([phrases.take_back])]
    elif request.asked_to_forget:
        body = [saying.pick([phrases.forgot_nothing], otherwise=phrases.forgot_nothing_again)]
    elif worked_out := request.work_out():
        body = [worked_out]
    elif request.changed:
        body = [reply.say(phrases.changed, request.changed[0])]
    else:
        body = reply.compose()
    notice = "" if saying.turn else phrases.notice
    return "\n\n".join(part for part in (notice, *gently, attached, *asked, *body) if part)


def split_words(text: str) -> list[str]:
    """Return `text` in pieces of a few words each; together they are `text` again."""
    words = re.findall(r"\S+\s*|\s+", text)
    return ["".join(words[i : i + WORDS_PER_PIECE]) for i in range(0, len(words), WORDS_PER_PIECE)]


def is_question(phrases: Phrases, said: str) -> bool:
    """Return whether the person asks something: by a question mark, or by how the last sentence begins."""
    last = re.split(r"[.!\n]\s*", said.strip().rstrip(".! "))[-1].lower().split()
    return said.rstrip().endswith("?") or (bool(last) and last[0] in phrases.question_words)


@dataclass(frozen=True)
class _Reply:
    """One reply in the making."""

    request: ChatRequest
    phrases: Phrases
    saying: Saying

    def compose(self) -> list[str]:
        """Return the paragraphs: by the plan where there is one, else an answer to who asks, and one question to who tells."""
        if self._asks:
            return self._answer()
        return self._guided() or self._acknowledge()

    def say(self, ways: Sequence[str], text: str, **given: str) -> str:
        """Return a quotation in a sentence; where all ways were said, beside the words that it answers."""
        quote = self.quote(text)
        told = [way.format(quote=quote, **given) for way in ways]
        return self.saying.pick(told, otherwise=self.phrases.topic.format(topic=self._topic, quote=quote))

    def quote(self, text: str) -> str:
        """Return `text` as a quotation, on one line, cut at a word if it is long."""
        return self.phrases.quote.format(shorten(text, QUOTE_MAX_CHARS).rstrip("."))

    @property
    def _said(self) -> str:
        return self.request.turns[-1].text

    @property
    def _topic(self) -> str:
        return self.phrases.quote.format(shorten(self._said, TOPIC_MAX_CHARS).rstrip("?!. "))

    @property
    def _asks(self) -> bool:
        """Whether the person wants to know something; who is low, greets or thanks does not, nor who plays."""
        guidance, cue = self.request.guidance, self.request.cue
        if cue in {"greeting", "thanks", "wish"} or (guidance is not None and guidance.mode == "game"):
            return False
        return cue == "question" or is_question(self.phrases, self._said)

    def _answer(self) -> list[str]:
        """Return the answer, what a pack holds beside it, or that it was not told; never a question back."""
        found = self.request.find_answers()
        told = self._list(found) if len(found) > 1 else "".join(map(self._tell, found))
        parts = [
            told,
            self._quoted_from(self.phrases.from_map, self.request.explained),
            self._quoted_from(self.phrases.from_pack, self.request.materials),
        ]
        known = [part for part in parts if part]
        if not known and self.request.cue == "heavy":
            return self._guided() or self._acknowledge()
        return known or [self._decline()]

    def _tell(self, fact: ToldFact) -> str:
        phrases = self.phrases
        if fact.is_doubted:
            ways, dated = phrases.doubted, phrases.doubted_on
        elif fact.is_booked:
            ways, dated = phrases.booked, phrases.booked
        elif self.request.is_shared:
            ways, dated = phrases.noted, phrases.noted_on
        else:
            ways, dated = phrases.told, phrases.told_on
        told = self.say(dated if fact.when else ways, fact.text, when=fact.when)
        until = self.saying.pick([phrases.was_until.format(until=fact.until)]) if fact.until else ""
        return f"{told} {until}".rstrip()

    def _list(self, facts: Sequence[ToldFact]) -> str:
        """Return several as a list of what was not listed before, under one sentence."""
        lines = [self._line(fact) for fact in facts]
        new = [line for line in lines if not self.saying.has_said(line)]
        phrases, is_booked = self.phrases, all(fact.is_booked for fact in facts)
        heading = self.saying.pick(phrases.booked_several if is_booked else phrases.several)
        return "\n".join(part for part in (heading, *new) if part) if new else self._tell(facts[0])

    def _line(self, fact: ToldFact) -> str:
        until = self.phrases.was_until.format(until=fact.until).rstrip(".") if fact.until else ""
        dates = "; ".join(part for part in (fact.when, until) if part)
        day = f" ({dates})" if dates else ""
        return f"- {self.phrases.unsure + ' ' if fact.is_doubted else ''}{self.quote(fact.text)}{day}"

    def _decline(self) -> str:
        phrases = self.phrases
        topic = phrases.not_told_topic.format(topic=self._topic)
        return self.saying.pick(
            phrases.not_told, otherwise=self.saying.pick([topic], otherwise=phrases.not_told_brief)
        )

    def _quoted_from(self, ways: Sequence[str], found: Sequence[tuple[str, str]]) -> str:
        """Return the first of what was found, as (where, its words), in a sentence that says where; "" for nothing."""
        return self.say(ways, found[0][1], source=self.quote(found[0][0])) if found else ""

    def _guided(self) -> list[str]:
        """Return the reply by its plan; nothing without one, and where the person greets or says what to keep or how to speak with them."""
        guidance, cue = self.request.guidance, self.request.cue
        if guidance is None or cue in {"wish", "remember"}:
            return []
        if guidance.mode != "game" and cue in {"thanks", "greeting"}:
            return []
        return compose_guided(self.request, self.saying) or []

    def _acknowledge(self) -> list[str]:
        phrases, saying, cue = self.phrases, self.saying, self.request.cue
        opening = [saying.pick(phrases.acknowledge[cue], otherwise=phrases.brief[cue])]
        if self.request.recalled and cue not in {"greeting", "thanks", "wish", "plan", "remember"}:
            opening.append(self._connect(self.request.recalled[0]))
        step = saying.pick(phrases.first_step) if cue == "plan" and saying.turn % 2 == 0 else ""
        return [" ".join(part for part in opening if part), step, saying.pick(phrases.ask[cue])]

    def _connect(self, text: str) -> str:
        """Return what it brings to mind; nothing where that was quoted already."""
        phrases, quote = self.phrases, self.quote(text)
        if self.saying.has_said(quote):
            return ""
        ways = phrases.connects_doubted if text in self.request.unsure else phrases.connects
        return self.saying.pick([way.format(quote=quote) for way in ways])


def _compose_quiz(quiz: QuizTurn, says: QuizPhrases, *, turn: int, quote: Callable[[str], str]) -> list[str]:
    """Return the paragraphs; a quiz that is over ends with its score in one line.

    Args:
        turn: how many replies there are before it, by which the words change.
    """
    told = []
    if quiz.verdict is not None:
        ways, (name, description) = says.verdicts[quiz.verdict], quiz.answer
        told.append(ways[turn % len(ways)].format(name=quote(name), quote=quote(description)))
    score = {"right": quiz.right, "count": quiz.count}
    if quiz.asks is not None:
        if quiz.verdict is not None:
            told[0] += f" {says.score.format(**score)}"
        elif quiz.count:
            told.append(says.ended.format(**score))
        ways = {"name": says.name, "description": says.description, "lesson": says.lesson}[quiz.asks]
        asked = quote(quiz.question)
        told.append(ways[turn % len(ways)].format(name=asked, quote=asked))
    elif quiz.count:
        told.append(says.ended.format(**score))
    elif quiz.is_empty:
        told.append(says.nothing)
    elif quiz.offers:
        told.append(says.nothing_on.format(areas=", ".join(map(quote, quiz.offers))))
    else:
        told.append(says.stopped)
    return told
