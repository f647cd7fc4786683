"""Whether a reply has the coaching skills that it should: pure checks of its words, English and Swedish. No model judges.

A check finds what cannot be there in a good reply, or what must be; it does not tell a good reply from a very good one.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from chat.coaching.actions import fold
from chat.turn.skills import SkillName
from companion_site.language import Language, tokens

_SENTENCE = re.compile(r"[^.!?…\n]+(?:[.!?…]+[\"'“”\u2019]*)?")
#: words of the conversation's frame, which a reply shares with any message
_FRAME: dict[Language, str] = {
    "en": " feel feeling want know think thing today day go get make time say tell told hear much lot ",
    "sv": " känna känner känn vill vet tänker sak idag dag går få göra tid säga berätta hör mycket ",
}


@dataclass(frozen=True, kw_only=True)
class Marks:
    """One language's marks of good and bad replies, as patterns of folded text."""

    opens: str
    closed: str
    command: str
    diagnosis: str
    blame: str
    belittles: str
    normal: str
    sizes: str
    times: str
    leaves: str
    earlier: str
    wish: str
    hears: str


ENGLISH = Marks(
    opens=r"(?:what|how|which|where|when|who|whom|in what|in which|on which|from where|tell me)\b",
    closed=r"^(?:and |so |but |then )?(?:do|does|did|is|are|was|were|can|could|will|would|shall|should|have|has|am|may|don't|isn't|aren't|won't)\b",
    command=r"\byou (?:must|have to|need to|should|ought to|had better|'ve got to|are supposed to)\b|\byou've got to\b|\byou'd better\b",
    diagnosis=(
        r"\byou (?:have|suffer from|are suffering from|show signs of|might have|may have|probably have|clearly have) (?:a |an |some )?"
        r"(?:\w+ )?(?:depression|anxiety disorder|burnout|burn-out|adhd|autism|ptsd|bipolar|ocd|disorder|syndrome|trauma)\b"
        r"|\byou(?:'re| are) (?:clinically |probably |clearly )?(?:depressed|bipolar|autistic|burnt out|burned out|mentally ill|traumatised)\b"
        r"|\b(?:sounds|looks) like (?:a )?(?:depression|burnout|anxiety disorder|adhd)\b"
    ),
    blame=(
        r"\bwhy (?:didn't|haven't|did you not|have you not|can't you|couldn't you)\b|\byou (?:failed|promised but|broke your|gave up|never|"
        r"didn't even|still haven't)\b|\byour (?:own )?fault\b|\bas i told you\b|\byou only have yourself\b"
    ),
    belittles=(
        r"\b(?:don't worry|cheer up|it's nothing|it is nothing|no big deal|at least you|others have it worse|get over it|calm down"
        r"|just relax|stop worrying|not that bad)\b"
    ),
    normal=(
        r"\b(?:(?:is|it's) (?:\w+ )?(?:normal|natural|understandable|human|common|no wonder)|no wonder|many (?:people|others)|lots of people"
        r"|anyone would|you are not alone|makes? sense|belongs to it|part of it)\b"
    ),
    sizes=(
        r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|half an?|a single) (?:\w+ )?"
        r"(?:minutes?|seconds?|lines?|pages?|sentences?|words?|things?|tasks?|steps?|glass(?:es)?|breaths?|songs?|blocks?|laps?|messages?)\b"
        r"|\bfive-minute|\bten-minute"
    ),
    times=(
        r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week)|(?:after|before|during|at|with) (?:\w+ ){0,2}(?:breakfast|lunch|dinner|school"
        r"|class|supper|bed|work|coffee|bedtime)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|at \d)"
    ),
    leaves=(
        r"\b(?:if you (?:like|want|wish|feel like)|up to you|you (?:decide|choose|are free)|your (?:choice|decision|call)|choice is yours|decision is"
        r" (?:always )?yours|is yours|whatever suits you|what(?:ever)? feels (?:best|right|good)|only if|or not|no need to|it is fine to)\b"
    ),
    earlier=(
        r"\b(?:last (?:week|time|month|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|earlier|before|the other day|yesterday|on \w+day"
        r"|you (?:said|told me|mentioned|wrote|set)|a while ago|days ago|weeks? ago)\b"
    ),
    wish=r"\b(?:you (?:want|would like|wish|long for|are after|care)|you'd like|matters? to you|is important to you|important to you)\b",
    hears=(
        r"\b(?:it sounds|sounds (?:as if|like)|i hear|as i hear|as i heard|what i hear|you (?:say|said|write|wrote|tell me|told me|mention|feel|are|have|want)"
        r"|you're|you've|your)\b"
    ),
)
SWEDISH = Marks(
    opens=r"(?:vad|hur|vilken|vilket|vilka|var|när|vem|vilka|på vilket|i vilken|vart|berätta)\b",
    closed=r"^(?:och |så |men |då )?(?:är|har|kan|vill|ska|skulle|gör|går|känner|kunde|borde|tror|får|tycker|tänker|finns|blir|var det|hade) ",
    command=r"\bdu (?:måste|bör|borde|ska|skall|behöver|får lov att)\b",
    diagnosis=(
        r"\bdu (?:har|lider av|visar tecken på|kan ha|har nog|har säkert) (?:en |ett |drabbats av )?(?:\w+ )?(?:depression|ångestsyndrom|utmattning|"
        r"utmattningssyndrom|utbrändhet|adhd|autism|ptsd|bipolär|tvångssyndrom|syndrom|störning|trauma)\b"
        r"|\bdu är (?:nog |säkert |kliniskt )?(?:deprimerad|bipolär|autistisk|utbränd|psykiskt sjuk|traumatiserad)\b"
        r"|\blåter som (?:en )?(?:depression|utbrändhet|utmattning|adhd|ångestsyndrom)\b"
    ),
    blame=(
        r"\bvarför (?:gjorde du inte|har du inte|kunde du inte|kan du inte|blev det inte)\b|\bdu (?:misslyckades|lovade men|gav upp|har ju lovat|har"
        r" fortfarande inte|gjorde inte ens|brukar aldrig)\b|\bditt (?:eget )?fel\b|\bsom jag sa\b|\bskyll dig själv\b"
    ),
    belittles=(
        r"\b(?:oroa dig inte|ryck upp dig|det är ingenting|ingen stor sak|i alla fall har du|andra har det värre|kom över det|lugna ner dig"
        r"|slappna bara av|sluta oroa|inte så farligt)\b"
    ),
    normal=(
        r"\b(?:det är (?:\w+ )?(?:normalt|naturligt|begripligt|förståeligt|mänskligt|vanligt|inte konstigt)|inte konstigt|inte underligt|många (?:känner"
        r"|har|människor|andra)|de flesta|vem som helst skulle|du är inte ensam|hör till)\b"
    ),
    sizes=(
        r"\b(?:\d+|en|ett|två|tre|fyra|fem|sex|sju|åtta|nio|tio|femton|tjugo|trettio|en halv) (?:\w+ )?(?:minut(?:er|ers)?|sekund(?:er)?|rad(?:er)?"
        r"|sid(?:a|or)|mening(?:ar)?|ord|sak(?:er)?|uppgift(?:er)?|steg|glas|andetag|låt(?:ar)?|varv|meddelanden?)\b"
    ),
    times=(
        r"\b(?:i ?dag|i ?kväll|i ?morgon|i eftermiddag|(?:den här|i) veckan|(?:efter|före|under|vid|till) (?:\w+ ){0,2}(?:frukost(?:en)?|lunch(?:en)?"
        r"|middag(?:en)?|skol(?:an|dagen)|lektion(?:en)?|läggdags|jobbet|kaffet|sänggåendet)|på (?:mån|tis|ons|tors|fre|lör|sön)dag|klockan \d)"
    ),
    leaves=(
        r"\b(?:om du (?:vill|har lust|känner för)|upp till dig|du (?:bestämmer|väljer|avgör)|ditt (?:val|beslut)|valet är ditt|beslutet är (?:alltid )?ditt"
        r"|är ditt|det som passar dig|vad som känns (?:bäst|rätt|bra)|som känns (?:bäst|rätt|bra)|bara om|eller inte|annars är det också)\b"
    ),
    earlier=(
        r"\b(?:förra (?:veckan|gången|månaden)|tidigare|häromdagen|i ?går|i (?:mån|tis|ons|tors|fre|lör|sön)dags|du (?:sa|sade|berättade|nämnde|skrev|har"
        r" berättat|har sagt)|har du berättat|för (?:\w+ )(?:dagar|veckor) sedan)\b"
    ),
    wish=r"\b(?:du (?:vill|skulle vilja|önskar|längtar|bryr dig|är ute efter)|viktigt för dig|betyder (?:mycket|något) för dig)\b",
    hears=(
        r"\b(?:det låter|låter som|jag hör|som jag hör det|det jag hör|du (?:säger|sa|skriver|skrev|berättar|berättade|nämner|känner|är|har|vill)|din|ditt"
        r"|dina)\b"
    ),
)
MARKS: dict[Language, Marks] = {"en": ENGLISH, "sv": SWEDISH}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A reply and what it answers.

    Attributes:
        said: the person's message.
        earlier: what they had told before and the reply could come back to.
    """

    text: str
    said: str
    language: Language
    earlier: Sequence[str] = ()

    @property
    def folded(self) -> str:
        return fold(self.text)

    @property
    def own(self) -> str:
        """The reply folded, without what it quotes: a person's own words are not the companion's."""
        return re.sub(r"[“”\"][^“”\"]*[“”\"]", " ", self.folded)

    @property
    def sentences(self) -> list[str]:
        return [found.strip() for found in _SENTENCE.findall(self.folded) if found.strip()]

    @property
    def questions(self) -> list[str]:
        return [one for one in self.sentences if "?" in one]

    def finds(self, mark: str) -> bool:
        return re.search(getattr(MARKS[self.language], mark), self.own) is not None

    def shares(self, texts: Iterable[str], *, tells: bool = True) -> bool:
        """Tell whether it has a telling word of these texts, in what it tells or in all of it."""
        within = " ".join(one for one in self.sentences if not (tells and "?" in one))
        mine = set(tokens(within, self.language))
        theirs = {word for text in texts for word in tokens(text, self.language)}
        return any(f" {word} " not in _FRAME[self.language] for word in mine & theirs)


def check_always(reply: Reply) -> dict[str, bool]:
    """Return, by name, what holds of every reply: one question at most, no diagnosis, no command, no blame."""
    return {
        "one_question": reply.own.count("?") <= 1,
        "no_diagnosis": not reply.finds("diagnosis"),
        "no_command": not reply.finds("command"),
        "no_blame": not reply.finds("blame"),
        "not_belittled": not reply.finds("belittles"),
    }


def check_skills(reply: Reply, skills: Iterable[str]) -> dict[str, bool]:
    """Return of each of these skills whether the reply has it."""
    wanted = set(skills)
    return {name: check(reply) for name, check in _CHECKS.items() if name in wanted}


def faults(reply: Reply, skills: Iterable[str] = ()) -> list[str]:
    """Return the names of what the reply lacks or does wrongly; none for a good one."""
    found = {**check_always(reply), **check_skills(reply, skills)}
    return [name for name, holds in found.items() if not holds]


def has_active_listening(reply: Reply) -> bool:
    """Tell whether it gives back what was said, with a word of the person's."""
    return reply.finds("hears") and reply.shares([reply.said])


def has_open_question(reply: Reply) -> bool:
    """Tell whether it asks one question, which yes or no does not answer."""
    if len(reply.questions) != 1:
        return False
    (asked,) = reply.questions
    marks = MARKS[reply.language]
    last = re.split(r"[,;:\u2013\u2014] ", asked)[-1].strip(" “”\"'-")
    first = asked.strip(" “”\"'-")
    is_closed = re.match(marks.closed, first) or re.match(marks.closed, last)
    return not is_closed and re.search(rf"(?:^|\W){marks.opens}", asked) is not None


def has_micro_goal(reply: Reply) -> bool:
    """Tell whether it offers a step with a size and a time."""
    return reply.finds("sizes") and reply.finds("times") and not reply.finds("command")


def has_normalisation(reply: Reply) -> bool:
    """Tell whether it says that the feeling is understandable, and makes nothing small."""
    return reply.finds("normal") and not reply.finds("belittles")


def has_reframing(reply: Reply) -> bool:
    """Tell whether it names a wish and keeps to what the person spoke of."""
    return reply.finds("wish") and reply.shares([reply.said])


def has_autonomy(reply: Reply) -> bool:
    """Tell whether it leaves the choice with the person."""
    return reply.finds("leaves") and not reply.finds("command")


def has_accountability(reply: Reply) -> bool:
    """Tell whether it comes back to what was said before, and blames nobody."""
    return reply.finds("earlier") and reply.shares(reply.earlier, tells=False) and not reply.finds("blame")


_CHECKS: dict[SkillName, Callable[[Reply], bool]] = {
    "active_listening": has_active_listening,
    "open_questions": has_open_question,
    "micro_goals": has_micro_goal,
    "normalisation": has_normalisation,
    "reframing": has_reframing,
    "autonomy": has_autonomy,
    "accountability": has_accountability,
}
CHECKED: tuple[SkillName, ...] = tuple(_CHECKS)
