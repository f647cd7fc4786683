"""A statement as clauses, each with whom it is about, what it says of what, and in which circumstances."""

import re
from dataclasses import dataclass, field, replace

from memory.algorithms.values.quantities import Quantity, When, read_quantities
from memory.algorithms.values.words import expand, fold, gloss, is_known, kinds, mark_phrases

#: Of a long text only its beginning is compared value by value; beyond it nothing is ever called the same.
LONGEST_READ = 600
MOST_CLAUSES = 8

_SPLIT = re.compile(
    r"(?:[;!?()\u2013\u2014]|[,:.](?=\s|$)|\.\.\.|…)+\s*|\s+(?:and|och|but|men|so|så|because of|because|due to|på grund av|since(?=\s+(?:i|we|he|she|they|it)\b)|eftersom|för att|though|although|fast)\s+"
)
_DOTTED = re.compile(r"\b(?:kl|nr|ca|st|dr|mr|mrs|ms)\.\s")
_NAME = re.compile(r"(?:(?<=[\w,;:] )|^)[^\W\d_a-zåäö][\w-]+")
#: A capital at the beginning is a name where it does, is or has something, or stands beside another name.
_NAMED = re.compile(
    r"[\w-]+(?:'s)? (?:is|has|and|och|är|har|heter|teaches|moved|flyttade|gjorde|tog|took|dog|died|fick|broke|blev)\b"
)
_PAIR = re.compile(r"^([\w-]+) (?:and|och) ([\w-]+)\b")
_UPDATED = re.compile(
    r"\b(?:any ?more|any longer|no longer|instead|switched|swapped|moved|turned out|after all|from now on|nowadays|these days|finally|"
    r"at last|has beaten|gave up|given up|stopped|quit|changed (?:my|his|her|to|from|it)|inte längre|inte [^.,]{0,30} längre|i stället|"
    r"istället|bytte|bytt|byter|flytta(?:de|t|r)|visade sig|numera|nuförtiden|äntligen|slutat|slutade|ändra(?:t|ts|de|d)|omplacera\w*|gått om)\b"
)
#: What is added ("too") changes nothing.
_ADDED = re.compile(
    r"\b(?:also|too|as well|another|additionally|again|också|även|dessutom|ytterligare|en till|ännu|igen)\b"
)
_CHANGED = re.compile(
    r"\b(?:now|instead|these days|nowadays|no longer|any ?more|any longer|from now on|changed|switched|new|nu|numera|i stället|istället|"
    r"inte längre|ändra\w+|bytt\w*|byter|ny|nytt|nya|actually|egentligen|not \w+day|inte på|since|sedan|sen)\b"
)

#: Ideas that open a circumstance: what follows limits what is said, and belongs to no value.
_SCOPE_OPENERS = frozenset({"when", "if", "before", "after", "until", "without", "during", "while", "front"})
_PAST = re.compile(
    r"\b(?:was|were|had|used to|did|went|ran|got (?:a|an|full|\d+)|won|lost to|scored|met|saw|ate|slept|felt|cried|laughed|grew up|lived|"
    r"when i was|as a (?:child|kid|baby)|back in|last (?:year|term|week|month|summer|winter|spring|autumn|night|time)|yesterday|ago|"
    r"förr|brukade|var|hade|gick|sprang|vann|förlorade|sov|låg|mådde|fick \d+|åkte|bodde|växte upp|som (?:liten|barn)|"
    r"när jag var|förra|igår|i går|i fjol|på (?:lågstadiet|mellanstadiet)|sedan dess|tidigare|before that)\b"
)
_OCCASION = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening|weekend|week)|right now|at the moment|just now|idag|i dag|ikväll|i kväll|"
    r"i morse|inatt|i natt|i eftermiddag|just nu|för tillfället|i måndags|i tisdags|i onsdags|i torsdags|i fredags|i lördags|i söndags)\b"
)
_SHARED = re.compile(
    r"\b(?:every other|alternate|even weeks?|odd weeks?|half the time|varannan|jämna|udda|växelvis|ibland|sometimes)\b"
)
_FUNCTION_WORDS = (
    "i my we our he his she her they their it you your be was have had do did can could may will "
    "would must should got a_ this that these there here in at on to from with of for by and or but "
    "so than as not no only also instead often sometimes every all more most because since about "
    "over under near up down out off one man between s_ never any give"
)
_FUNCTION_IDEAS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause, read.

    Attributes:
        ideas: the gloss in order.
        owner: whom it is about: `me`, `he`, `she`, `they`, or an idea of a person.
        core: what it is about, without function words, ends, numbers and circumstances.
        scope: what limits it ("when I am in a hurry").
        ends: axis to +1 or -1, denials counted in.
        denied: that it denies something, or says that it stopped; people who deny twice mean once.
        is_past: told of a past or of one occasion.
    """

    ideas: tuple[str, ...]
    owner: str
    core: frozenset[str]
    scope: frozenset[str]
    ends: dict[str, int]
    marks: frozenset[str]
    denied: bool
    is_past: bool
    is_shared: bool
    names: frozenset[str]
    quantities: tuple[Quantity, ...]
    when: When
    joined: str = field(default="")
    is_whole: bool = False
    is_changed: bool = False
    is_update: bool = False
    dropped: frozenset[str] = frozenset()

    @property
    def persons(self) -> frozenset[str]:
        """Return the people it names by what they are to the person."""
        return frozenset(idea for idea in self.core if kinds().get(idea) == "person")


def read_clauses(text: str, language: str) -> tuple[Clause, ...]:
    """Return the whole statement as one clause, then its parts where it has several."""
    names = frozenset(
        name.casefold()
        for name in _NAME.findall(text[:LONGEST_READ])
        if not text.startswith(name) or (_NAMED.match(text) and not is_known(name.casefold(), language))
    )
    plain = _DOTTED.sub(lambda match: match.group()[:-2] + " ", expand(text[:LONGEST_READ]))
    whole = mark_phrases(_PAIR.sub(r"\1 & \2", plain))
    parts = [part for part in _SPLIT.split(whole) if part and part.strip()][:MOST_CLAUSES]
    owner = "me"
    found: list[Clause] = []
    for part in parts:
        clause = _read(part, language, names, inherited=owner)
        owner = clause.owner
        found.append(clause)
    found = [_note_change(clause, plain) for clause in found]
    if len(found) > 1:
        read = _read(_SPLIT.sub(" and ", whole), language, names, inherited="me")
        found.insert(0, _note_change(_summed(read, found), plain))
    return tuple(found)


def _note_change(clause: Clause, plain: str) -> Clause:
    """Return the clause with how far its statement says that something changed."""
    is_update = bool(_UPDATED.search(plain)) and not _ADDED.search(plain)
    return replace(clause, is_changed=bool(_CHANGED.search(plain)), is_update=is_update)


def _summed(whole: Clause, parts: list[Clause]) -> Clause:
    """Return the whole with the ends of its parts: a denial counts in its own part only."""
    ends = {axis: end for part in parts for axis, end in part.ends.items()}
    return replace(whole, ends=ends, denied=any(part.denied for part in parts), is_whole=True)


def _read(part: str, language: str, names: frozenset[str], *, inherited: str) -> Clause:
    marked, quantities, when = read_quantities(part)
    ideas = gloss(marked, language, names=names)
    kept, dropped = _cut_dropped(ideas)
    core, scope = _divide(kept)
    denied = any(idea in ("not", "no", "never", "@stopped") for idea in ideas)
    ends: dict[str, int] = {}
    for idea in ideas:
        if idea.startswith("@") and idea[-1] in "+-":
            ends[idea[1:-1]] = (1 if idea[-1] == "+" else -1) * (-1 if denied else 1)
    return Clause(
        ideas=tuple(ideas),
        owner=_find_owner(ideas, inherited),
        core=core,
        scope=scope,
        ends=ends,
        marks=frozenset(idea for idea in ideas if idea.startswith("@") and idea[-1] not in "+-"),
        denied=denied,
        is_past=bool(_PAST.search(part) or _OCCASION.search(part)),
        is_shared=bool(_SHARED.search(part)),
        names=frozenset(
            form
            for name in names
            if re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", part)
            for form in (name, fold(name, language))
        ),
        quantities=tuple(quantities),
        when=when,
        joined=" ".join(ideas),
        dropped=dropped,
    )


def _cut_dropped(ideas: list[str]) -> tuple[list[str], frozenset[str]]:
    """Return the ideas without what "instead of" names, and that."""
    if "dropped_" not in ideas:
        return ideas, frozenset()
    cut = ideas.index("dropped_")
    end = next(
        (spot for spot in range(cut + 1, len(ideas)) if ideas[spot] in ("and", "for", "in", "on", "because")),
        len(ideas),
    )
    return ideas[:cut] + ideas[end:], frozenset(idea for idea in ideas[cut:end] if _carries(idea))


def _divide(ideas: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return what is said, and the circumstances it is said of."""
    core: set[str] = set()
    scope: set[str] = set()
    into = core
    for idea in ideas:
        if idea in _SCOPE_OPENERS:
            into = scope
        if idea in _SCOPE_OPENERS or not _carries(idea):
            if into is scope and idea in _SCOPE_OPENERS:
                scope.add(idea)
            continue
        into.add(idea)
    return frozenset(core), frozenset(scope)


def _carries(idea: str) -> bool:
    return not (idea in _FUNCTION_IDEAS or idea[0] in "#@" or idea.endswith("_"))


def _find_owner(ideas: list[str], inherited: str) -> str:
    """Return whom a clause is about: the first person named or meant; "my sister" is the sister."""
    for position, idea in enumerate(ideas):
        if kinds().get(idea) == "person":
            return idea
        if idea in ("my", "our"):
            for near in ideas[position + 1 : position + 4]:
                if kinds().get(near) in ("person", "pet"):
                    return near
                if near in _FUNCTION_IDEAS and near != "s_":
                    break
            return "me"
        if idea in ("i", "we"):
            return "me"
        if idea in ("he", "she", "they", "his", "her", "their"):
            return {"his": "he", "her": "she", "their": "they"}.get(idea, idea)
    return inherited
