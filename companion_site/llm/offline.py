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
from companion_site.llm.types import ChatRequest, Cue, QuizTurn, ToldFact
from companion_site.shortening import shorten

WORDS_PER_PIECE = 3
QUOTE_MAX_CHARS, TOPIC_MAX_CHARS = 240, 80
#: Of what was told in a conversation, and of goals, so much is told again.
MOST_RETOLD = 5
#: What tells something that may put an end to what was so.
TELLS = frozenset({"other", "plan", "remember"})


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
        """Return the paragraphs: by what is wanted, by the plan where there is one, else an answer to who asks, and one question to who tells."""
        by_cue = {
            "companion": self._tell_of_itself,
            "conversation": self._sum_up,
            "days": self._plan_days,
            "task": self._decline_task,
        }
        # Days that are to be planned are, by whoever asks to be coached, too.
        if self._cue in by_cue and (self._cue == "days" or not self._is_led):
            return by_cue[self._cue]()
        if self._asks:
            return self._answer()
        if self._cue in TELLS and (changed := self.request.find_changed()):
            return [self.say(self.phrases.changed, changed[0])]
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
    def _cue(self) -> Cue:
        """What the words are; "I am allergic to nuts" has to do with what was told, and asks for nothing."""
        cue = self.request.cue
        if cue in {"question", "explain"} and not is_question(self.phrases, self._said):
            return "other" if self.request.find_kept() else cue
        return cue

    @property
    def _asks(self) -> bool:
        """Whether the person wants to know something; who is low, greets or thanks does not, nor who is led."""
        if self._cue in {"greeting", "thanks", "goodbye", "wish"} or self._is_led:
            return False
        return self._cue in {"question", "explain"} or is_question(self.phrases, self._said)

    @property
    def _is_led(self) -> bool:
        """Whether the person asked for a way of talking: to be played with, heard or coached."""
        return self.request.guidance is not None and self.request.guidance.is_wished

    def _answer(self) -> list[str]:
        """Return the answer, what a map or pack holds beside it, or that it was not told; never a question back."""
        phrases = self.phrases
        if known := self._known():
            return known
        if self._cue == "heavy":
            return self._guided() or self._acknowledge()
        if self._cue == "explain":
            ways = phrases.not_explained if self.request.memory_on else phrases.not_explained_off
            return [self._in_other_words(ways, about=phrases.not_made_topic)]
        return [self._not_told(phrases.not_told)]

    def _not_told(self, ways: Sequence[str]) -> str:
        """Return that nothing of the kind was told; with memory off that it is off, for then neither looking nor keeping is promised."""
        phrases = self.phrases
        ways = ways if self.request.memory_on else phrases.not_told_off
        return self._in_other_words(ways, about=phrases.not_told_topic)

    def _known(self) -> list[str]:
        """Return what answers: of what was told, of the person's map and of packs."""
        phrases, request = self.phrases, self.request
        explained = [
            self._quoted_from(phrases.from_map, request.explained),
            self._quoted_from(phrases.from_pack, request.materials),
        ]
        # What was told of a matter does not explain it.
        found = () if self._cue == "explain" and any(explained) else request.find_answers()
        told = self._list(found) if len(found) > 1 else "".join(map(self._tell, found))
        return [part for part in (told, *explained) if part]

    def _tell_of_itself(self) -> list[str]:
        """Return who speaks, what it can do and who reads what it is told: one of them is what was asked."""
        phrases = self.phrases
        ways = phrases.itself_shared if self.request.is_shared else phrases.itself
        return [self.saying.pick(ways, otherwise=phrases.itself_brief)]

    def _decline_task(self) -> list[str]:
        phrases = self.phrases
        ways = phrases.not_made if self.request.memory_on else phrases.not_made_off
        return [self._in_other_words(ways, about=phrases.not_made_topic)]

    def _sum_up(self) -> list[str]:
        """Return what was told in this conversation, in the person's own words, and of what the last one was."""
        phrases, request = self.phrases, self.request
        lines = [f"- {self.quote(text)}" for text in request.find_told()[-MOST_RETOLD:]]
        told = "\n".join([self.saying.pick(phrases.told_here), *lines]).strip() if lines else ""
        talk = request.last_talk
        before = phrases.last_talk.format(when=talk[0], quote=self.quote(talk[1])) if talk else ""
        found = [part for part in (told, self.saying.pick([before])) if part]
        return found or [self._not_told(phrases.not_talked)]

    def _plan_days(self) -> list[str]:
        """Return what stands on the days that a plan is wished for, what is to be reached, and a first step."""
        phrases, saying = self.phrases, self.saying
        lines = [self._line(fact) for fact in self.request.find_answers()]
        none = phrases.no_days if self.request.memory_on else phrases.not_told_off
        days = [saying.pick(phrases.days), *lines] if lines else [saying.pick(none)]
        goals = [phrases.goals, *(f"- {self.quote(goal)}" for goal in self.request.goals[:MOST_RETOLD])]
        parts = [days, goals if self.request.goals else [], [saying.pick(phrases.first_step)]]
        return ["\n".join(filter(None, part)) for part in parts if any(part)]

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
        return " ".join(filter(None, (told, self._said_by(fact), until)))

    def _said_by(self, fact: ToldFact) -> str:
        """Return who says it; as often as it is told, since without a name it would be the asker's own."""
        return self.phrases.said_by.format(name=fact.said_by) if fact.said_by else ""

    def _list(self, facts: Sequence[ToldFact]) -> str:
        """Return several as a list of what was not listed before, under one sentence."""
        lines = [self._line(fact) for fact in facts]
        new = [line for line in lines if not self.saying.has_said(line)]
        phrases, is_booked = self.phrases, all(fact.is_booked for fact in facts)
        several = phrases.noted_several if self.request.is_shared else phrases.several
        heading = self.saying.pick(phrases.booked_several if is_booked else several)
        return "\n".join(part for part in (heading, *new) if part) if new else self._tell(facts[0])

    def _line(self, fact: ToldFact) -> str:
        until = self.phrases.was_until.format(until=fact.until).rstrip(".") if fact.until else ""
        dates = "; ".join(part for part in (fact.said_by, fact.when, until) if part)
        day = f" ({dates})" if dates else ""
        return f"- {self.phrases.unsure + ' ' if fact.is_doubted else ''}{self.quote(fact.text)}{day}"

    def _in_other_words(self, ways: Sequence[str], *, about: str) -> str:
        """Return a way of saying that there is no answer; where all were said, the same about the words, and at last the shortest."""
        topic = self.saying.pick([about.format(topic=self._topic)], otherwise=self.phrases.not_told_brief)
        return self.saying.pick(ways, otherwise=topic)

    def _quoted_from(self, ways: Sequence[str], found: Sequence[tuple[str, str]]) -> str:
        """Return the first of what was found, as (where, its words), in a sentence that says where; "" for nothing."""
        return self.say(ways, found[0][1], source=self.quote(found[0][0])) if found else ""

    def _guided(self) -> list[str]:
        """Return the reply by its plan; nothing without one, and where the person greets or says what to keep or how to speak with them."""
        guidance, cue = self.request.guidance, self._cue
        if guidance is None or cue in {"wish", "remember"}:
            return []
        if guidance.mode != "game" and cue in {"thanks", "greeting", "goodbye"}:
            return []
        return compose_guided(self.request, guidance, self.saying)

    def _acknowledge(self) -> list[str]:
        """Return that it was heard, what it brings to mind and one question; that it is noted only where memory keeps it."""
        phrases, saying, is_shared = self.phrases, self.saying, self.request.is_shared
        if self._cue in {"remember", "wish"} and not self.request.memory_on:
            return [saying.pick(phrases.not_kept, otherwise=phrases.brief["other"])]
        cue = self._cue if self._cue in phrases.acknowledge else "other"
        if cue in {"other", "remember"} and not is_shared:
            cue = "remember" if self.request.find_kept() else "other"
        # A company's memory reads a whole conversation, when that has ended.
        is_read_later = is_shared and cue == "other" and self.request.find_kept()
        ways = phrases.read_later if is_read_later else phrases.acknowledge[cue]
        opening = [saying.pick(ways, otherwise=phrases.brief[cue])]
        # Who asks for something to be remembered is reminded of nothing.
        if self._cue in {"heavy", "glad", "other"} and (kindred := self.request.find_kindred()):
            opening.append(self._connect(kindred[0]))
        step = saying.pick(phrases.first_step) if cue == "plan" and saying.turn % 2 == 0 else ""
        # Whoever notes something for a company is not asked what it means to them.
        back = "" if is_shared and cue == "other" else saying.pick(phrases.ask[cue])
        return [" ".join(part for part in opening if part), step, back]

    def _connect(self, text: str) -> str:
        """Return what it brings to mind; nothing where that is in doubt, was quoted already, or was said in this conversation."""
        quote, request = self.quote(text), self.request
        is_said = self.saying.has_said(quote) or any(text in turn.text for turn in request.turns)
        if is_said or text in request.unsure:
            return ""
        ways = self.phrases.connects_shared if request.is_shared else self.phrases.connects
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
