"""A statement as clauses, each with whom it is about, what it says of what, and in which circumstances."""

import re
from dataclasses import dataclass, field, replace

from memory.algorithms.values.quantities import Quantity, When, join_dates, read_quantities
from memory.algorithms.values.words import expand, fold, gloss, is_known, kinds, mark_phrases

#: Of a long text only its beginning is compared value by value; beyond it nothing is ever called the same.
LONGEST_READ = 600
MOST_CLAUSES = 8

_SPLIT = re.compile(
    r"(?:[;!?()\u2013\u2014]|[,:.](?=\s|$)|\.\.\.|…)+\s*|\s+(?:and|och|but|men|so|så|because of|because|due to|på grund av|since(?=\s+(?:i|we|he|she|they|it)\b)|eftersom|för att|now that|nu när|though|although|fast)\s+"
)
_DOTTED = re.compile(r"\b(?:kl|nr|ca|st|dr|mr|mrs|ms)\.\s")
_NAME = re.compile(r"(?:(?<=[\w,;:] )|^)[^\W\d_a-zåäö][\w-]+")
#: A capital at the beginning is a name where it does, is or has something, or stands beside another name.
_NAMED = re.compile(
    r"[\w-]+(?:'s)? (?:is|has|and|och|är|har|heter|teaches|moved|flyttade|gjorde|tog|took|dog|died|fick|broke|blev)\b"
)
_PAIR = re.compile(r"^([\w-]+) (?:and|och) ([\w-]+)\b")
_CHANGED = re.compile(
    r"\b(?:now|instead|these days|nowadays|no longer|any ?more|any longer|from now on|changed|switched|new|nu|numera|i stället|istället|went (?:up|down)|increased|raised|höjdes|sänktes|ökade|"
    r"inte längre|ändra\w+|bytt\w*|byter|ny|nytt|nya|actually|egentligen|not \w+day|inte på|since|sedan|sen)\b"
)

#: Ideas that open a circumstance: what follows limits what is said, and belongs to no value.
_SCOPE_OPENERS = frozenset({"when", "if", "before", "after", "until", "without", "during", "while", "front"})
#: Told of a past: what was so then, or what happened once.
_PAST = re.compile(
    r"\b(?:was|were|had|used to|did|went|ran|got (?:a|an|full|\d+)|won|lost to|scored|met|saw|ate|slept|felt|cried|laughed|grew up|lived|"
    r"paid|drank|spent|missed|watched|visited|skipped|worked|studied|"
    r"when i was|as a (?:child|kid|baby)|"
    r"förr|förut|brukade|var|hade|gick|sprang|vann|förlorade|sov|låg|mådde|fick \d+|åkte|bodde|växte upp|som (?:liten|barn)|åt|träffade|"
    r"drack|betalade|missade|bråkade|jobbade|pluggade|när jag var|på (?:lågstadiet|mellanstadiet)|sedan dess|tidigare|before that)\b"
)
#: A time that is over, or one occasion: a change of state that it dates holds all the same.
_THEN = re.compile(
    r"\b(?:back in|last (?:year|term|week|month|summer|winter|spring|autumn|night|time)|yesterday|ago|"
    r"förra|igår|i går|i fjol|today|tonight|this (?:morning|afternoon|evening|weekend|week)|idag|"
    r"i dag|ikväll|i kväll|i morse|inatt|i natt|i eftermiddag|"
    r"i (?:mån|tis|ons|tors|fre|lör|sön)dags)\b"
)
_TURNS = re.compile(
    r"\b(?:live_|acquired_|begun_|goto_|workas_|turn_)|@(?:STOPPED|GONE|OFF|RESCHEDULED|TOGETHER|MARRIED|DONE|WHOLE)"
)
#: What somebody only wishes for, or is not sure of, is not so.
_WISHED = re.compile(
    r"\b(?:almost(?! (?:always|never|every|all))|nearly|nästan(?! (?:alltid|aldrig|varje|alla?))|thought|trodde|"
    r"(?:want|need|trying|learning|would like) to (?:learn|be able)|(?:vill|ska|måste) (?:lära|kunna)|försöker lära|wish|wishes|dream(?:s|ing)? (?:of|about)|hopes? to|would (?:like|love) to|if i (?:had|were|could)|skulle vilja|drömmer om|hoppas|önskar)\b"
)
_TOLD = re.compile(
    r"\b(?:i|we|he|she|jag|vi|han|hon) (?:just |already |finally |precis |nyss |redan )?\w+(?:ed|ade|te)\b"
)
_HEDGED = re.compile(r"\b(?:maybe|perhaps|might|kanske|funderar på|thinking (?:of|about))\b")
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
    dropped: frozenset[str] = frozenset()
    is_wished: bool = False
    is_hedged: bool = False
    is_told: bool = False

    @property
    def dayparts(self) -> frozenset[str]:
        """Return the parts of the day it speaks of."""
        pairs = zip(("", *self.ideas), self.ideas, strict=False)
        return frozenset(idea for left, idea in pairs if left != "this" and kinds().get(idea) == "daypart")

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
    if len(found) > 1:
        found.insert(0, _join(found))
    is_changed = bool(_CHANGED.search(plain))
    return tuple(replace(clause, is_changed=is_changed) for clause in found)


def _join(parts: list[Clause]) -> Clause:
    """Return a statement as one clause; a denial counts in its own part only."""
    ideas = [idea for part in parts for idea in (*part.ideas, "and")]
    kept, dropped = _cut_dropped(ideas)
    core, scope = _divide(kept)
    return Clause(
        ideas=tuple(ideas),
        owner=_find_owner(ideas, "me"),
        core=core,
        scope=scope,
        ends={axis: end for part in parts for axis, end in part.ends.items()},
        marks=frozenset().union(*(part.marks for part in parts)),
        denied=any(part.denied for part in parts),
        is_past=any(part.is_past for part in parts),
        is_shared=any(part.is_shared for part in parts),
        names=frozenset().union(*(part.names for part in parts)),
        quantities=tuple(quantity for part in parts for quantity in part.quantities),
        when=join_dates([part.when for part in parts]),
        joined=" ".join(ideas),
        dropped=dropped,
        is_whole=True,
        is_wished=any(part.is_wished for part in parts),
        is_hedged=any(part.is_hedged for part in parts),
    )


def _read(part: str, language: str, names: frozenset[str], *, inherited: str) -> Clause:
    marked, quantities, when = read_quantities(part)
    ideas = gloss(marked, language, names=names)
    kept, dropped = _cut_dropped(ideas)
    core, scope = _divide(kept)
    denied = any(idea in _DENYING for idea in ideas)
    sign = -1 if denied else 1
    then = _THEN.search(part) is not None and _TURNS.search(part) is None
    ends = {
        idea[1:-1]: sign if idea[-1] == "+" else -sign
        for idea in ideas
        if idea[0] == "@" and idea[-1] in "+-"
    }
    if any(quantity.dimension == "frequency" and quantity.amount >= _OFTEN for quantity in quantities):
        ends.setdefault("often", sign)
    return Clause(
        ideas=tuple(ideas),
        owner=_find_owner(ideas, inherited),
        core=core,
        scope=scope,
        ends=ends,
        marks=frozenset(idea for idea in ideas if idea[0] == "@" and idea[-1] not in "+-"),
        denied=denied,
        is_past=then or _PAST.search(part, 0, _end_of_main(part)) is not None,
        is_shared=_SHARED.search(part) is not None,
        names=_names_in(part, names, language) if names else names,
        quantities=tuple(quantities),
        when=when,
        joined=" ".join(ideas),
        dropped=dropped,
        is_wished=_WISHED.search(part) is not None,
        is_hedged=_HEDGED.search(part) is not None,
        is_told=_TOLD.search(part) is not None,
    )


#: Times a week from which somebody does something often.
_OFTEN = 3
_BESIDE = re.compile(r"(?<=\w )(?:after|since|until|because|before|efter att|sedan|sen|innan|tills)\b")


def _end_of_main(part: str) -> int:
    """Return where what a clause only adds begins: a past told there leaves the rest present."""
    beside = _BESIDE.search(part)
    return beside.start() if beside else len(part)


_DENYING = frozenset({"not", "no", "never", "@stopped"})


def _names_in(part: str, names: frozenset[str], language: str) -> frozenset[str]:
    return frozenset(
        form
        for name in names
        if name in part and re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", part)
        for form in (name, fold(name, language))
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
                if near == "favourite" or (near in _FUNCTION_IDEAS and near != "s_"):
                    break
            return "me"
        if idea in ("i", "we"):
            return "me"
        if idea in ("he", "she", "they", "his", "her", "their"):
            if kinds().get(inherited) == "person":
                return inherited
            return {"his": "he", "her": "she", "their": "they"}.get(idea, idea)
    return inherited
