"""What somebody wants by their message, as the reader's heads tell it, and what they state in it, in their own words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from chat.turn.snapshot import SURE, is_down, is_low
from companion_site.embeddings.service import embed_question_with, get_embedder
from companion_site.language import hide_foreign
from companion_site.llm.types import Cue
from memory.reading.machines import NONE
from memory.reading.notes import read_notes
from memory.reading.params import READING
from memory.reading.questions import find_about, find_sought
from memory.reading.requests import ASKING
from memory.reading.service import ASKS, get_heads, wish_chances
from memory.reading.splitter import split
from memory.reading.words import find_words, table, write_out
from memory.student.life.feelings import UNKNOWN, EmotionState

#: a way of talking that somebody asks for: to be played with, only heard, or helped along by questions and small steps
Way = Literal["game", "ear", "coach"]


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What somebody wants by a message.

    Attributes:
        text: the message, its words as they are spelled.
        intents: how likely each intent is; empty where nobody can tell.
        way: the way of talking that they ask for, None for none.
        wish: how likely they say how they want to be spoken with from now on.
        is_thankful: they are grateful for something in their life.
    """

    text: str = field(default="", repr=False)
    intents: Mapping[str, float] = field(default_factory=dict)
    way: Way | None = None
    wish: float = 0.0
    is_thankful: bool = False

    def wants(self, *intents: str) -> float:
        """Return how likely they want one of these."""
        return sum(self.intents.get(intent, 0.0) for intent in intents)

    @property
    def only_asks(self) -> bool:
        """Whether the message asks for something and tells nothing; where nobody can tell, it does not."""
        return max(self.intents, key=self.wants, default="") in ASKING

    @property
    def asks(self) -> bool:
        """Whether it wants an answer; a game that is not the companion's own is talked of like anything else."""
        played = () if self.way == "game" else ("game",)
        return self.wants("plan", *played, *ASKING) >= READING.intent


def listen_step(text: str, *, vector: NDArray[np.floating] | None) -> Heard:
    """Return what somebody wants by a message; nothing is known of one without a vector.

    Args:
        vector: (d,) of the message.
    """
    if vector is None or not vector.any():
        return Heard(text=text)
    embedder, written = get_embedder(), write_out(text)
    if written != text:
        vector = embed_question_with(embedder, written)
    heads, vectors = get_heads(embedder), vector[None]
    told = heads.read_texts("intent", [written], vectors)
    way = told["way"].likeliest()
    return Heard(
        text=written,
        intents={name: told["intent"].of(name) for name in told["intent"].classes},
        way=cast(Way, way) if way != NONE and told["way"].of(way) >= READING.way else None,
        wish=float(wish_chances([written], vectors, heads)[0]),
        is_thankful=bool(read_notes([written], vectors, ("gratitude",), embedder=embedder)[0]),
    )


#: fewer words state nothing by themselves
LEAST_WORDS = 3
#: of a message so many clauses are looked at
MOST_CLAUSES = 40
#: the end of a sentence or a line, and the most characters of clauses that stay together
ENDS, MOST_TOGETHER = re.compile(r"[.!?\n]"), 200


def find_stated(text: str) -> list[str]:
    """Return the clauses of a message that state something, each just as it stands there: neither asked nor supposed.

    One that begins with whom the one before it is about ("…, her name is Petra") stays with that. Code, addresses and quoted lines are
    not the person's words.
    """
    prose = hide_foreign(text)
    found: dict[str, None] = {}
    last = 0
    for clause in split(prose, limit=MOST_CLAUSES):
        said = text[clause.start : clause.end].strip(" \t\n,.!:;…")
        first, _, rest = said.partition(" ")
        said = rest if first.lower() in table("joining") else said
        is_own = prose[clause.start : clause.end].strip() and not clause.frames & {"asked", "supposed"}
        if not is_own or len(said.split()) < LEAST_WORDS:
            continue
        leans = found and first.lower() in table("others") and clause.end - last <= MOST_TOGETHER
        if leans and not ENDS.search(text[last : clause.start]):
            found.popitem()
            said = text[last : clause.end].strip(" \t\n,.!:;…")
        else:
            last = clause.start
        found[said] = None
    return list(found)


#: what somebody wants who has work ahead of them
WORK = ("plan", "practise", "advice")
#: "What did we talk about?" names no matter: what of one has so much to do with the conversation is about it.
OF_NO_MATTER = 0.2
#: what a wish that is no such question asks for; each is answered in its own way
_WISHED: tuple[tuple[Cue, str], ...] = (
    ("thanks", "thanks"),
    ("goodbye", "goodbye"),
    ("greeting", "greeting"),
    ("companion", "about_companion"),
    ("conversation", "about_conversation"),
    ("explain", "explain"),
    ("task", "do_task"),
)


def name_cue(heard: Heard, *, emotion: EmotionState = UNKNOWN) -> Cue:
    """Return what a message is for a reply without a model; how somebody feels comes before what they want, but for what was told of a name, a place, a
    time or a number, and for what the companion is and who reads along, which a feeling is easily read into.
    """
    if not heard.intents:
        return "other"
    text, wants, sought = heard.text, heard.wants, find_sought(heard.text)
    if sought and wants("about_me") >= READING.intent:
        return "question"
    if wants("about_companion") >= READING.surely_wants:
        return "companion"
    if is_low(emotion) or (is_down(emotion) and wants("feelings") >= READING.intent):
        return "heavy"
    if heard.wish >= READING.confirms_wish:
        return "wish"
    if wants("remember_this") >= READING.asks_to_remember:
        return "remember"
    names_nothing = find_about(text, ()) is None and not sought
    if names_nothing and wants("about_conversation") >= OF_NO_MATTER:
        return "conversation"
    asks = wants(*ASKS) >= READING.intent
    is_question, words = text.rstrip().endswith("?"), frozenset(find_words(text))
    if words & table("you") and not words & table("self"):
        # "How are you?" asks for nothing that was told.
        of_it = wants("small_talk", "about_companion") >= READING.intent
        if (asks and names_nothing) or (of_it and is_question and not sought):
            return "companion"
    if asks:
        return "question"
    for cue, intent in _WISHED:
        if wants(intent) >= READING.intent:
            return cue
    # "I like tea" sounds like small talk, and tells something of whoever says it.
    tells = words & table("self") and not is_question
    if wants("small_talk") >= READING.surely_wants and not (sought or tells):
        return "greeting"
    if emotion.primary_emotion == "joy" and emotion.confidence >= SURE:
        return "glad"
    if wants(*WORK) < READING.intent:
        return "other"
    return "days" if "coming" in sought else "plan"
