"""What a decision of a kind calls for, and how it is known that it has been seen to.

The companion can talk a matter through, make a checklist, draft a text or explain; it files nothing and pays nothing,
so nothing else is offered.
"""

import re
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion_site.language import fold_words

#: What turns the rest of its clause round: a decision not to do something calls for nothing.
_NEGATED = re.compile(
    r"\b(?:inte|ej|aldrig|ingen|inga|inget|avstå\w*|avvakta\w*|vänta\w*|skjut\w*|sköt|uppskj\w*"
    r"|not|never|no|against|postpon\w*|wait\w*|hold(?:ing)? off|\w+n't)\b"
)
_CLAUSES = re.compile(
    r"[,;:.!?\u2013\u2014]\s|\s[-\u2013\u2014]\s|\b(?:men|but|istället för|i stället för|instead of|rather than)\b"
)
_INSTEAD = re.compile(r"\b(?:istället för|i stället för|instead of|rather than)\b.*")


@dataclass(frozen=True)
class FollowUp:
    """One kind of decision.

    Attributes:
        calls: pattern of words of a decision of this kind.
        settled: pattern of words of a later decision or piece of knowledge by which it has been seen to.
        within_days: after the decision, how long the follow-up can wait.
        question: what the companion asks.
        request: what the person asks of it.
    """

    key: str
    calls: str
    settled: str
    within_days: int
    question: Promise
    request: Promise


#: The order decides where a decision is of two kinds. Waiting times: registration as an employer belongs before the
#: first pay; the notice of a new address within two weeks; the rest by how soon the matter gets worse.
FOLLOW_UPS = (
    FollowUp(
        "dividend",
        r"\w*utdelning\w*|dela\w* ut|dividends?",
        r"k10\w*",
        30,
        question=_("Shall we go through what the K10 form needs?"),
        request=_("Help me go through what the K10 form needs."),
    ),
    FollowUp(
        "hiring",
        r"anställ(?:a|er|t|de|ts|as|ning|ningen)|nyanställ\w*|rekryter\w*|hir(?:e|ed|es|ing)|recruit\w*|employ(?:ed|s|ing)?|new employee",
        r"arbetsgivarregistr\w*|registrera\w*\W+(?:\w+\W+){0,3}arbetsgivare|register\w*\W+(?:\w+\W+){0,2}employer",
        7,
        question=_("Shall we make a checklist for registering as an employer?"),
        request=_("Make a checklist for registering as an employer."),
    ),
    FollowUp(
        "accounting rules",
        r"k[23](?:-\w+)?",
        r"jämförelse\w*|comparative figures",
        21,
        question=_("Shall we talk through what it means for the annual report?"),
        request=_("Talk me through what it means for the annual report."),
    ),
    FollowUp(
        "financial year",
        r"brutet räkenskapsår|(?:ändr|byt|bytt|lägg|lade|förläng|förkort|flytt)\w*\W+(?:\w+\W+){0,4}räkenskapsår\w*"
        r"|(?:chang|switch|mov|extend|shorten)\w*\W+(?:\w+\W+){0,4}(?:fiscal|financial) year",
        r"tillstånd\w*|bolagsordning\w*|articles of association",
        14,
        question=_("Shall I explain what changing the financial year takes?"),
        request=_("Explain what changing the financial year takes."),
    ),
    FollowUp(
        "vat period",
        r"redovisningsperiod\w*|(?:kvartals|månads|års|helårs)moms\w*|\w*moms\w*\W+(?:\w+\W+){0,3}(?:kvartal|månad)\w*"
        r"|registrera\w*\W+(?:\w+\W+){0,3}\w*moms|(?:quarterly|monthly|annual|yearly) vat"
        r"|vat\W+(?:\w+\W+){0,3}(?:quarter|month)\w*|register\w*\W+(?:\w+\W+){0,2}vat",
        r"momsdatum\w*|momskalend\w*|momsplan\w*|vat (?:dates|calendar|plan)",
        14,
        question=_("Shall we make a list of what VAT takes from now on?"),
        request=_("Make a list of what VAT takes from now on."),
    ),
    FollowUp(
        "premises",
        r"\w+lokal(?:en|er|erna)?|lokal(?:en|er|erna)|(?:ny|nya|hyra|hyr|hyrde) lokal|\w*kontor(?:et|en)?"
        r"|premises|offices?",
        r"adressändr\w*|flyttanmäl\w*|ny adress|change of address|new address",
        10,
        question=_("Shall we make a checklist for the premises: address, insurance, agreement?"),
        request=_("Make a checklist for the premises: address, insurance, agreement."),
    ),
    FollowUp(
        "late payment",
        r"\w*påminnels\w*|inkasso\w*|dröjsmål\w*|reminders?|debt collection|late fees?",
        r"betalat|betalade|betalt|betald\w*|has paid|paid up",
        5,
        question=_("Shall we draft a reminder to the customer?"),
        request=_("Draft a reminder to the customer."),
    ),
    FollowUp(
        "prices",
        r"(?:tim|fast|konsult)?pris(?:et|er|erna|höj\w*|list\w*)?|timarvode\w*|prices?|hourly rates?",
        r"kundbrev\w*|prisbrev\w*|informerat kund\w*|letter to (?:the )?customers",
        14,
        question=_("Shall we draft a letter to the customers?"),
        request=_("Draft a letter to the customers."),
    ),
    FollowUp(
        "pay",
        r"löne(?:höjning|ökning|uttag|förhöjning)\w*|(?:höj|sänk|ta|tar|tog)\w*\W+(?:\w+\W+){0,3}lön(?:en|er)?"
        r"|(?:rais|lower|tak|took)\w*\W+(?:\w+\W+){0,3}salar(?:y|ies)|pay rise",
        r"löneunderlag\w*|lönebaserat\w*|wage-based",
        20,
        question=_("Shall we talk through what the pay means for tax and for dividends?"),
        request=_("Talk me through what the pay means for tax and for dividends."),
    ),
    FollowUp(
        "pension",
        r"\w*pension\w*",
        r"pensionsplan\w*|pension plan",
        30,
        question=_("Shall we make a checklist for the pension?"),
        request=_("Make a checklist for the pension."),
    ),
    FollowUp(
        "loan",
        r"lån(?:a|at|ar|et|en)?|banklån\w*|kredit\w*|loans?|borrow\w*",
        r"låneplan\w*|loan plan",
        14,
        question=_("Shall we talk through what the loan means for the company?"),
        request=_("Talk me through what the loan means for the company."),
    ),
    FollowUp(
        "capital",
        r"\w*aktieägartillskott\w*|nyemission\w*|shareholder contributions?|share issue",
        r"protokoll\w*|minutes",
        14,
        question=_("Shall we draft the minutes?"),
        request=_("Draft the minutes."),
    ),
)


def follow_up_of(decision: str) -> FollowUp | None:
    """Return what a decision calls for, or None: it is of no known kind, or a decision against it."""
    plain = _INSTEAD.sub("", fold_words(decision))
    clauses = [clause for clause in _CLAUSES.split(plain) if clause]
    return next((kind for kind in FOLLOW_UPS if any(_says(clause, kind.calls) for clause in clauses)), None)


def settles(kind: FollowUp, text: str) -> bool:
    """Tell whether something said shows that the follow-up has been seen to."""
    return _says(fold_words(text), kind.settled)


def _says(text: str, pattern: str) -> bool:
    return re.search(rf"\b(?:{pattern})\b", text) is not None and _NEGATED.search(text) is None
