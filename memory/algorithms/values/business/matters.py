"""What a company's fact is about, brought into one form: what goes without saying is left out, what is meant is put in."""

from dataclasses import dataclass
from functools import cached_property

from memory.algorithms.values.business.statement import Claim
from memory.algorithms.values.business.words import kinds_of_business

#: Kinds that say what a fact is about; all else is what is done, how it is, or adds nothing.
_TOPIC_KINDS = (
    "tax money document premises asset software role occupation family unit process absence content industry"
)
TOPICS = frozenset(_TOPIC_KINDS.split())
WEAK = frozenset({"other", "tax0", "document0", "authority"})
#: Where all of the first are said, the second go without saying.
_IMPLIED: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(said.split()), frozenset(dropped.split()))
    for said, dropped in (
        ("chair", "board boardmember"), ("boardmember", "board"), ("deputy", "board boardmember"), ("stockcount", "review"), ("k2", "annualreport"), ("k3", "annualreport"), ("k1", "annualreport"), ("k4", "annualreport"),
        ("writeoff", "invoice"), ("terms", "invoice pay payout"), ("reminder deadline", "deadline"), ("reminder", "bychat"),
        ("vat monthly", "file pay"), ("vat quarterly", "file pay"), ("vat yearly", "file pay"), ("vat halfyearly", "file pay"),
        ("payrolltax monthly", "file pay"), ("share", "inhouse founder"), ("taxreserve", "provision annualreport withdraw0"),
        ("dividend", "pay payout receive"), ("rent", "pay"), ("salary", "pay payout receive"), ("bonus", "pay payout receive"),
        ("late", "pay"), ("ontime", "pay"), ("shareholderloan", "loan owner borrow"), ("bankloan", "bank loan borrow"),
        ("webshop", "shop"), ("revenue", "sell"), ("fortnox", "bookkeeper"), ("visma", "bookkeeper"), ("bokio", "bookkeeper"),
        ("monthlyclosing", "monthly"), ("monthlyreport", "monthly"), ("interimreport", "quarterly"), ("coding", "account"),
        ("k10", "taxreturn file"), ("company0", "limitedco"), ("agm", "yearly"), ("annualreport", "yearly"), ("taxaccount", "account"),
        ("deferral", "pay apply"), ("refund", "receive"), ("register", "file"), ("reconciliation", "account"), ("swedish", "bychat"),
        ("english", "bychat"), ("sickleave", "receive"), ("rent", "rentin"), ("reminder prepayment", "prepayment"), ("lease", "contract rent sign"), ("invoicemethod", "bookkeeper vat"), ("cashmethod", "bookkeeper vat"),
        ("wellness", "employee"), ("pension", "employee"), ("bonus", "employee"), ("parttime", "employee"), ("fulltime", "employee"),
        ("insurance", "insure"), ("einvoice", "invoice send"), ("reminderfee", "late"), ("lateinterest", "late"), ("boardmember", "start"),
        ("salesperson", "employee"), ("permanentjob", "employee"), ("temporaryjob", "employee"), ("probation", "employee"),
    )
)  # fmt: skip
#: Where all of the first are said, the second are meant.
_MEANT: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (frozenset({"owner", "borrow"}), frozenset({"shareholderloan"})),
    (frozenset({"bank", "borrow"}), frozenset({"bankloan"})),
    (frozenset({"bank", "loan"}), frozenset({"bankloan"})),
    (frozenset({"start", "employee"}), frozenset({"hire"})),
    (frozenset({"writeoff", "invoice"}), frozenset({"receivable"})),
    (frozenset({"insure"}), frozenset({"insurance"})),
    (frozenset({"stockcount"}), frozenset({"stock"})),
    (frozenset({"hire"}), frozenset({"employee"})),
)


@dataclass(frozen=True)
class Matter:
    """What a claim is about.

    Attributes:
        topics: the things.
        acts: what is done.
        manner: kind of an attribute to its ideas.
        weak: what adds little.
    """

    claim: Claim
    topics: frozenset[str]
    acts: frozenset[str]
    manner: dict[str, frozenset[str]]
    weak: frozenset[str]

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the words of its names, without what may be a genitive."""
        return frozenset(_without_genitive(name) for name in self.claim.names)

    @cached_property
    def places(self) -> frozenset[str]:
        return frozenset(_without_genitive(place) for place in self.claim.places)

    def figures(self, name: str) -> frozenset[float]:
        return self.claim.figures.of(name)

    @property
    def anchors(self) -> frozenset[str]:
        """Return whatever of it could be shared with another fact."""
        return self.topics | self.acts | frozenset().union(*self.manner.values()) | self.names | self.places

    @property
    def is_settled(self) -> bool:
        return not self.claim.is_open


def _without_genitive(name: str) -> str:
    return name[:-1] if len(name) > 3 and name[-1] == "s" else name


def read_matter(claim: Claim) -> Matter:
    """Return what a claim is about, in the form in which claims are compared."""
    ideas = set(claim.ideas)
    kinds = kinds_of_business()
    for said, meant in _MEANT:
        if said <= ideas:
            ideas |= meant
    by_kind = {kinds[idea] for idea in ideas}
    if "start" in ideas and (claim.names or "hire" in ideas) and not by_kind & (TOPICS - {"role", "content"}):
        ideas = ideas - {"start"} | {"hire"}
    if "board" in ideas and claim.figures.of("count") and not ideas & {"deputy", "chair"}:
        ideas |= {"boardmember"}
    if "hire" in ideas:
        ideas |= {"employee"}
    if "product" in by_kind:
        ideas |= {"software"}
    if "bankname" in by_kind:
        ideas |= {"bank"}
    if "owner" in ideas and "share" not in ideas and claim.figures.of("percent"):
        ideas |= {"share"}
    for said, dropped in _IMPLIED:
        if said <= ideas:
            ideas -= dropped - said | (frozenset({"deadline"}) if "deadline" in said else frozenset())
    if "share" in ideas:
        ideas -= {"owner"}
    if claim.figures.of("money") and any(kinds[idea] in TOPICS for idea in ideas - {"cost"}):
        ideas -= {"cost"}
    manner: dict[str, frozenset[str]] = {}
    for idea in ideas:
        kind = kinds[idea]
        if kind not in TOPICS and kind not in WEAK and kind != "act":
            manner[kind] = manner.get(kind, frozenset()) | {idea}
    return Matter(
        claim=claim,
        topics=frozenset(idea for idea in ideas if kinds[idea] in TOPICS),
        acts=frozenset(idea for idea in ideas if kinds[idea] == "act"),
        manner=manner,
        weak=frozenset(idea for idea in ideas if kinds[idea] in WEAK),
    )


_DATES = ("year", "month", "day", "quarter", "season", "weekday")


def dates_exclude(one: Matter, other: Matter) -> bool:
    """Tell whether both are dated, and not alike."""
    pairs = ((one.figures(name), other.figures(name)) for name in _DATES)
    return any(left and right and not left & right for left, right in pairs)


def dates_agree(one: Matter, other: Matter) -> bool:
    """Tell whether both say the same date; one may leave the day open."""
    for name in _DATES:
        left, right = one.figures(name), other.figures(name)
        if left != right and not (name == "day" and not (left and right)):
            return False
    return True


def names_agree(one: Matter, other: Matter) -> bool:
    return one.names == other.names


def weak_exclude(one: Matter, other: Matter) -> bool:
    """Tell whether what adds little sets the two apart: answers to questions, explanations of figures."""
    left, right = one.weak - {"answer"}, other.weak - {"answer"}
    return bool(left and right and not left & right)


def topics_exclude(one: Matter, other: Matter) -> bool:
    """Tell whether two facts name different things of one kind."""
    kinds = kinds_of_business()
    left, right = one.topics - other.topics, other.topics - one.topics
    return bool({kinds[idea] for idea in left} & {kinds[idea] for idea in right})


def both_hold_now(before: Matter, after: Matter) -> bool:
    """Tell whether both say what is so, of the same thing, at no two dates."""
    if not (before.is_settled and after.is_settled) or before.claim.is_planned != after.claim.is_planned:
        return False
    return (
        before.topics == after.topics and not dates_exclude(before, after) and not weak_exclude(before, after)
    )


def of_one(before: Matter, after: Matter) -> bool:
    return names_agree(before, after) and places_agree(before, after)


def places_agree(before: Matter, after: Matter) -> bool:
    return not (before.places and after.places) or before.places == after.places


def acts_agree(before: Matter, after: Matter, *, aside: frozenset[str] = frozenset()) -> bool:
    one, other = before.acts - aside, after.acts - aside
    return not (one and other) or bool(one & other)


def differ(before: Matter, after: Matter, figure: str) -> bool:
    one, other = before.figures(figure), after.figures(figure)
    return bool(one and other) and not one & other and len(one) == len(other) == 1
