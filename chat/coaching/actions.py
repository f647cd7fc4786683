"""What a person's own message asks to be noted: a goal set, how it goes with one, gratitude, a mood; read without a model.

A message is read clause by clause, as its person's own words: without code, quotations and questions. The reader tells the
sentences that call for a note (`memory.reading.notes`); they are kept word for word. A message about danger is not read
(`chat.turn.student`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, islice

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.language import Language, hide_foreign, stem_words, tokens, words
from memory.reading.notes import read_notes
from memory.student.life.feelings import classify
from memory.student.life.kinds import DONE, DROPPED, JOURNALS, LOG_MOOD, NOTE, SET_GOAL, UPDATE_GOAL, Action


@dataclass(frozen=True, kw_only=True)
class Wording:
    """One language's turns of phrase.

    Attributes:
        others: how a clause begins that is about somebody else, or nobody; uncertain: what has not happened, or may not.
        dropped: what gives a goal up; denied: what makes a thing not so, or not surely; joins: what begins another thought.
        idle: words that tell nothing of which goal is meant.
        alike: words that tell of the same thing done, a line each.
    """

    others: str
    uncertain: str
    dropped: str
    denied: str
    joins: str
    idle: str
    asks: str
    alike: tuple[str, ...]

    @property
    def taken_back(self) -> str:
        """What denies a thing a few words before it: "I will never give up"."""
        return rf"{self.denied}(?: (?!(?:{self.joins})\b)[\w']+){{0,4}} $"


ENGLISH = Wording(
    others=(
        r"(?:my|his|her|their|our) (?:\w+ )?(?:sister|brother|mum|mom|mother|dad|father|friend|friends|teacher|class|team|boss|cousin"
        r"|grandma|grandpa|aunt|uncle|partner|wife|husband|son|daughter|neighbour|parents|school|book|dog|cat)\b"
        r"|(?:he|she|they|we|you|it|people|everyone|everybody|somebody|someone|nobody|no one|none|nothing|mum|mom|dad|grandma|grandpa"
        r"|our|the|a|an|his|her|their|there|this|that)\b"
    ),
    uncertain=r"\b(?:maybe|perhaps|might|may|will|would|could|should|going to|i'll|i'd|want|wants|if|tomorrow|supposed)\b",
    dropped=(
        r"\b(?:giv(?:e|en|ing) up|gave up|drop(?:ping)?(?! (?:by|in|off|out)\b)|dropped(?! (?:by|in|off|out|my)\b)|quit(?:ting)?"
        r"|let(?:ting)? (?!(?:me|us|him|her|them|you|my)\b)(?:\w+ ){1,4}go|don't want to (?:\w+ ){1,6}any ?(?:more|longer)"
        r"|no longer want|abandon\w*)\b|^(?:let's |i'll |just )?forget about\b"
    ),
    denied=(
        r"\b(?:not|\w+n't(?! believe\b)|never|no|almost|nearly|hardly|maybe|perhaps|might|may|could|should|if|whether|unless"
        r"|feel(?:ing)? like|tempted|close to)\b"
    ),
    joins="and|but|so|because",
    idle=(
        "a an the one two three once twice times time per week weeks month months day days daily every each year go get do make be have "
        "more less better try start stop begin keep before after at in on of to for with and or i i'm i've me my you we us someone in time "
        "up out again goal goals four five six seven eight nine ten minute minutes"
    ),
    asks=r"(?:how|what|why|when|where|who|which|do|does|did|should|shall|can|could|would|will|am|is|are|have|has)\b",
    alike=(
        "run ran running runs jog jogged jogging",
        "read reading reads book books",
        "sleep slept sleeping bed",
        "walk walked walking walks",
        "write wrote written writing",
        "eat ate eaten eating",
        "swim swam swum swimming",
        "practise practice practised practiced practising practicing",
        "call called phoned rang ring phone",
        "study studied studying studies",
        "train trained training exercise exercised workout",
        "drink drank drunk drinking",
        "cycle cycled cycling bike biked biking",
    ),
)

SWEDISH = Wording(
    others=(
        r"(?:min|mitt|mina|hans|hennes|deras|vår|vårt) (?:\w+ )?(?:syster|bror|mamma|pappa|mor|far|vän|vänner|kompis|kompisar|lärare|klass"
        r"|lag|chef|kusin|mormor|morfar|farmor|farfar|moster|faster|partner|fru|man|son|dotter|granne|föräldrar|skola|bok|hund|katt)\b"
        r"|(?:han|hon|de|dom|vi|du|ni|man|folk|alla|någon|ingen|inga|inget|mamma|pappa|mormor|morfar|farmor|farfar|vår|vårt|våra|hans"
        r"|hennes|deras|den|denna|detta|bussen)\b"
    ),
    uncertain=r"\b(?:kanske|kunde|ska|skall|skulle|borde|vill|om|i ?morgon|kommer att|måste|tänker)\b",
    dropped=(
        r"\b(?:ger? upp|gett upp|gav upp|släpper|släppt|strunta(?:r)? i|lägger ner|lagt ner|slutar? med|vill inte längre|skippar?|överger)\b"
        r"(?! (?:\w+ )?(?:inte|aldrig|kanske)\b)"
    ),
    denied=r"\b(?:inte(?! (?:tro|fatta|förstå)\b)|aldrig|ej|nästan|knappt|kanske|om|ifall|borde|kunde|skulle|nära|sugen)\b",
    joins="och|men|så|för",
    idle=(
        "en ett två tre en gång gånger i om veckan vecka månaden månad dag dagen dagar varje per år året att och eller med till på av för mer "
        "mindre bättre börja sluta försöka göra få ha vara bli före efter jag mig min mitt mina du dig vi oss någon upp ut igen tid ska gå "
        "mål målet målen fyra fem sex sju åtta nio tio minut minuter"
    ),
    asks=r"(?:hur|vad|varför|när|var|vem|vilken|vilket|vilka|borde|ska|kan|kunde|skulle|är|har|verkar|tror|vill|gör|mår) (?!mig\b)",
    alike=(
        "springa springer sprang sprungit springandet löpning löpningen löpa löprunda löpturen jogga joggade joggar joggat",
        "läsa läser läste läst läsningen läsning bok boken böcker",
        "sova sover sov sovit sömn lägga lägger lade lagt säng sängen",
        "promenera promenerar promenerade promenad promenaden gått gick",
        "skriva skriver skrev skrivit skrivande",
        "äta äter åt ätit",
        "simma simmar simmade simmat simning",
        "öva övar övade övat övning",
        "ringa ringer ringde ringt",
        "plugga pluggar pluggade pluggat studera studerade",
        "träna tränar tränade tränat träning träningen",
        "dricka dricker drack druckit",
        "cykla cyklar cyklade cyklat cykling",
    ),
)

WORDING: dict[Language, Wording] = {"en": ENGLISH, "sv": SWEDISH}


@cache
def pattern(language: Language, name: str) -> re.Pattern[str]:
    """Return one compiled word list of a language, such as "dropped"."""
    return re.compile(rf"{getattr(WORDING[language], name)}")


_QUOTED = re.compile(
    r"[\"\u201c\u201d\u201e\u00ab\u00bb][^\"\u201c\u201d\u201e\u00ab\u00bb\n]*[\"\u201c\u201d\u201e\u00ab\u00bb]"
    r"|(?<!\w)[\u2018\u2019'][^\u2018\u2019'\n]{3,400}[\u2018\u2019'](?!\w)"
)
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")
#: where the person begins anew within a sentence
_ANEW: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r",? (?:and|but|so)(?= (?:i|i'm|i've|i'd|my)\b)|;|,(?= (?:but|i|i'm|i've|i'd|it)\b)", re.IGNORECASE
    ),
    "sv": re.compile(
        r",? (?:och|men|så)(?= (?:jag|nu|mitt|min|det|har jag)\b)|;|,(?= (?:men|jag|det)\b)", re.IGNORECASE
    ),
}
#: of a sentence so many characters are read, and of a message so many sentences
LONGEST_SENTENCE, MOST_SENTENCES_SPLIT = 600, 200
_EDGES = " \t,;:.!?…-\u2013"


@dataclass(frozen=True)
class Clause:
    """One clause: as it was said, and folded for comparing; both have the same length."""

    text: str
    folded: str
    #: the sentence that it stands in
    sentence: str


def split_clauses(text: str, *, language: Language) -> list[Clause]:
    """Return the clauses of a message, in order; what asks is none."""
    plain = _QUOTED.sub(lambda found: " " * len(found.group()), hide_foreign(text))
    sentences = islice(_SENTENCE.finditer(plain), MOST_SENTENCES_SPLIT)
    return [
        clause for sentence in sentences for clause in _clauses(sentence.group()[:LONGEST_SENTENCE], language)
    ]


def told_in(text: str, *, language: Language) -> str:
    """Return the sentences of a message in which its person tells something: without code, quotations and questions; "" for none."""
    return " ".join(dict.fromkeys(clause.sentence for clause in split_clauses(text, language=language)))


def _clauses(sentence: str, language: Language) -> Iterator[Clause]:
    if sentence.rstrip().endswith("?"):
        return
    start = 0
    ends = [(found.start(), found.end()) for found in _ANEW[language].finditer(sentence)]
    for end, after in [*ends, (len(sentence), len(sentence))]:
        part = sentence[start:end].strip(_EDGES)
        start = after
        folded = fold(part)
        if part and len(folded) == len(part) and not pattern(language, "asks").match(folded):
            yield Clause(part, folded, sentence.strip(" \t"))


def fold(text: str) -> str:
    """Return a text for comparing, in small letters and with one kind of apostrophe."""
    return text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def match_goal(text: str, goals: Sequence[str], *, language: Language, likeness: float = 0.0) -> int | None:
    """Return the index of the goal that shares most telling words with a text; None where none shares any.

    Args:
        likeness: 0 to 1, of the telling words of both that many they must share.
    """
    said = _telling(text, language)
    wanted = [_telling(goal, language) for goal in goals]
    shared = [(len(said & goal), len(said & goal) / max(len(said | goal), 1)) for goal in wanted]
    best = max(range(len(goals)), key=shared.__getitem__, default=None)
    return best if best is not None and shared[best][0] > 0 and shared[best][1] >= likeness else None


def _telling(text: str, language: Language) -> set[str]:
    """Return what the words of a text come to, one for words that are alike, without those that any goal may have."""
    alike, idle = _alike(language), WORDING[language].idle.split()
    found = [word for word in words(text) if word not in idle and tokens(word, language)]
    stems = stem_words(found, language)
    return {alike.get(word, alike.get(stem, stem)) for word, stem in zip(found, stems, strict=True)}


@cache
def _alike(language: Language) -> dict[str, str]:
    found = {}
    for line in WORDING[language].alike:
        same = line.split()
        found.update(dict.fromkeys([*same, *stem_words(same, language)], same[0]))
    return found


#: of one message, so that a long one does not fill the pages
MOST_ACTIONS = 3
#: words of what is kept, and sentences that are read of one message: each costs an embedding
MOST_WORDS, MOST_SENTENCES = 50, 24
#: A sentence that sets a goal is about an older one only where they share two in five of their telling words: of 243 labelled sentences
#: that the heads read as goals, seven are then notes on one of six goals (reading, running, fractions, bed), six of them rightly; by any
#: shared word they were 58.
SAME_GOAL = 0.4
#: so far back, in characters, is looked for what takes words back
_BEFORE = 80
_NOTES = ("goal", "goal_done", "mood", *(journal.head for journal in JOURNALS if journal.head))


def read_actions(
    text: str,
    *,
    language: Language,
    goals: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> list[Action]:
    """Return what a message asks to be noted, in order, at most `MOST_ACTIONS`.

    Args:
        text: what the person said, never the companion.
        goals: the goals they pursue.
        embedder: the site's, where no other is given.
    """
    clauses = split_clauses(text, language=language)
    sentences = [list(group) for _, group in groupby(clauses, key=lambda clause: clause.sentence)]
    sentences = sentences[:MOST_SENTENCES]
    if not sentences:
        return []
    embedder = EmbedOnce(embedder or get_embedder())
    texts = [own[0].sentence for own in sentences]
    vectors = embedder.embed(texts)
    noted = read_notes(texts, vectors, _NOTES, embedder=embedder)
    found: list[Action] = []
    for own, notes, vector in zip(sentences, noted, vectors, strict=True):
        for action in _read(own, notes, vector, goals, language, embedder):
            if not _is_known(action, found):
                found.append(action)
    return found[:MOST_ACTIONS]


def _read(
    clauses: Sequence[Clause],
    notes: Mapping[str, float],
    vector: NDArray[np.floating],
    goals: Sequence[str],
    language: Language,
    embedder: Embedder,
) -> Iterator[Action]:
    """Yield what a sentence asks to be noted: how it goes with a goal, or else the notes that it calls for."""
    sentence = clauses[0].sentence.strip()
    is_done = "goal_done" in notes
    likeness = SAME_GOAL if "goal" in notes and not is_done else 0.0
    updates = [_update(clause, goals, language, is_done=is_done, likeness=likeness) for clause in clauses]
    told = [update for update in updates if update is not None]
    yield from told
    if told or len(sentence.split()) > MOST_WORDS:
        return
    for journal in JOURNALS:
        if journal.head in notes:
            yield Action(type=journal.action, text=sentence)
    if "goal" in notes:
        yield Action(type=SET_GOAL, text=sentence)
    elif "mood" in notes:
        state = classify(sentence, vector=vector, embedder=embedder)
        felt = {"emotion": state.primary_emotion, "intensity": state.intensity, "energy": state.energy}
        if state.primary_emotion != "neutral":  # the reader cannot tell which feeling it is
            yield Action(type=LOG_MOOD, feeling=felt)


def _update(
    clause: Clause, goals: Sequence[str], language: Language, *, is_done: bool, likeness: float
) -> Action | None:
    if not goals or pattern(language, "others").match(clause.folded):
        return None
    dropped = _tells(clause.folded, "dropped", language)
    if not dropped and pattern(language, "uncertain").search(clause.folded):
        return None
    # What became of it may stand in the clause beside: "I read it all, goal reached".
    text = clause.sentence if dropped else clause.text
    goal = match_goal(text, goals, language=language, likeness=likeness)
    if goal is None:
        return None
    is_done = is_done and not pattern(language, "denied").search(clause.folded)
    change = DROPPED if dropped else DONE if is_done else NOTE
    return Action(type=UPDATE_GOAL, goal=goal, change=change, text=clause.sentence.strip())


def _tells(folded: str, name: str, language: Language) -> bool:
    """Tell whether words say what became of a goal, and nothing before them takes it back: "I will never give up"."""
    found, taken_back = pattern(language, name).finditer(folded), pattern(language, "taken_back")
    return any(not taken_back.search(folded[max(one.start() - _BEFORE, 0) : one.start()]) for one in found)


def _is_known(action: Action, found: Sequence[Action]) -> bool:
    """Tell whether a message has said this already; of one goal, and of its mood, it tells once."""
    same = [other for other in found if other.type == action.type]
    if action.type == LOG_MOOD:
        return bool(same)
    return any(other.goal == action.goal for other in same) if action.type == UPDATE_GOAL else action in same
