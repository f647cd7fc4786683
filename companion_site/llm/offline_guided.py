"""What the companion without a model answers by plan: it gives back the person's words, and asks the plan's one question.

Like everything it says it is made of phrases and quotations, and of the request alone: the same request, the same reply.
Nothing is said twice in a conversation (`Saying`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion_site.llm.offline_phrases import WORDS, Ways, Words
from companion_site.llm.types import ChatRequest, Guidance, Utterance
from companion_site.shortening import shorten


@dataclass(frozen=True)
class Saying:
    """What the companion has said in a conversation, as far as the request holds it."""

    heard: str
    #: replies before this one
    turn: int

    @classmethod
    def after(cls, turns: Sequence[Utterance]) -> "Saying":
        replies = [turn.text for turn in turns if turn.role == "assistant"]
        return cls(_plain("\n".join(replies)), len(replies))

    def has_said(self, sentence: str) -> bool:
        return _plain(sentence) in self.heard

    def pick(self, ways: Sequence[str], *, otherwise: str = "") -> str:
        """Return the turn's way, or the next that was not said yet; `otherwise` where all were."""
        start = self.turn % len(ways) if ways else 0
        return next((way for way in (*ways[start:], *ways[:start]) if not self.has_said(way)), otherwise)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


SAID_MAX_CHARS, TOLD_MAX_CHARS = 120, 240
#: of a memory's words, so many are given in the game
OPENING_SHARE, OPENING_FEWEST = 0.5, 2
PHASES = ("goal", "reality", "options", "will")
#: skills that are told rather than asked, in the order in which they are told
TOLD = ("active_listening", "normalisation", "reframing", "autonomy")
#: what a mode answers by where its plan names no skills
SKILLS = {
    "support": ("active_listening", "normalisation", "autonomy"),
    "coach": ("active_listening", "autonomy"),
    "gratitude": ("autonomy",),
}
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")
_WORD = re.compile(r"\w")


@dataclass(frozen=True)
class Guided:
    """One reply in the making."""

    request: ChatRequest
    guidance: Guidance
    words: Words
    saying: Saying

    @property
    def told(self) -> str:
        """What the plan speaks of, as a quotation, with its doubt; "" for none."""
        if not self.guidance.about:
            return ""
        text = self.guidance.about[0]
        quote = self.quote(text, TOLD_MAX_CHARS)
        return f"{self.words.plain.unsure} {quote}" if text in self.request.unsure else quote

    @property
    def said(self) -> str:
        """What the person last told in their message, as a quotation."""
        text = self.request.turns[-1].text
        told = [part.strip() for part in _SENTENCE.findall(text) if _WORD.search(part)]
        tells = [part for part in told if not part.endswith("?")] or told or [text]
        return self.quote(max(tells[-2:], key=len), SAID_MAX_CHARS)

    def quote(self, text: str, most: int) -> str:
        # A quotation inside a quotation, or a question that is not the companion's own, would read as something else.
        plain = re.sub(r"[“”\"]", "'", shorten(text, most)).rstrip("?!. ")
        return self.words.plain.quote.format(plain)

    def pick(self, ways: Ways) -> str:
        """Return a way that was not said yet in the conversation; "" where all were."""
        return self.saying.pick([self._fill(way) for way in ways])

    def _fill(self, way: str) -> str:
        for name in ("said", "told", "opening"):
            if f"{{{name}}}" in way:
                return way.replace(f"{{{name}}}", getattr(self, name))
        return way

    def state(self, skills: Sequence[str]) -> list[str]:
        """Return what is told of these skills."""
        return [self.pick(self.words.guided.statements[skill]) for skill in TOLD if skill in skills]

    @property
    def opening(self) -> str:
        """The first words of a good memory of the person's own, another one each turn."""
        memories = self.guidance.about
        words = shorten(memories[self.saying.turn % len(memories)], TOLD_MAX_CHARS).split()
        count = max(OPENING_FEWEST, int(len(words) * OPENING_SHARE))
        return self.quote(" ".join(words[:count]).rstrip(" .,;:…") + "…", TOLD_MAX_CHARS)


def compose_guided(request: ChatRequest, guidance: Guidance, saying: Saying) -> list[str]:
    """Return the paragraphs of a reply by its guidance; none where the plan wants plain talk, or has nothing new to say."""
    paragraphs = _compose(Guided(request, guidance, WORDS[request.language], saying))
    said = (" ".join(filter(None, parts)) for parts in paragraphs)
    return [paragraph for paragraph in said if paragraph]


def _compose(reply: Guided) -> list[list[str]]:
    """Return what a plan's mode has to say, paragraph by paragraph; nothing where it is plain talk."""
    guided, guidance, pick = reply.words.guided, reply.guidance, reply.pick
    mode, goal = guidance.mode, guidance.goal
    if mode == "answer":
        # What is asked is answered before any plan is looked at; who is low and was not told it is taken in.
        if goal == "inform":
            return []
        mode = "support"
    if mode == "game":
        return [[pick(guided.game if guidance.about else guided.game_without)]]
    if mode == "reminder":
        if not reply.told:
            return []
        return [[pick(guided.reminds), *reply.state(("autonomy",))], [pick(guided.questions["reminder"])]]
    if mode not in SKILLS:
        return []
    if goal == "celebrate":
        heard = pick(guided.statements["active_listening"])
        return [[heard, pick(guided.celebrates)], [pick(guided.questions["celebrate"])]]
    skills = guidance.skills or SKILLS[mode]
    told = reply.state(skills)
    if mode == "gratitude":
        glad = [pick(guided.glad)] if reply.told else []
        return [[*glad, *told], [pick(guided.questions["gratitude"])]]
    asked = guided.questions["support"]
    if mode == "coach":
        # GROW, one phase a turn; with something told earlier, a look back at it.
        asked = guided.grow[_next_phase(reply)]
        if "accountability" in skills and reply.told:
            told.append(pick(guided.told_before))
            asked = guided.looks_back
    if "micro_goals" in guidance.skills or goal == "suggest_tiny_step":
        asked = guided.micro
    return [told, [pick(asked)]]


def _next_phase(reply: Guided) -> str:
    """Return the phase after the one that the companion last asked about, the first where it has not."""
    last = next((turn.text for turn in reversed(reply.request.turns) if turn.role == "assistant"), "")
    for place, phase in enumerate(PHASES):
        if any(question in last for question in reply.words.guided.grow[phase]):
            return PHASES[(place + 1) % len(PHASES)]
    return PHASES[0]
