"""What the live state of a company covers: raw figures of its books, which change by the day and are looked up."""

import re
from collections.abc import Collection

from memory.algorithms.quantities import NUMBER_WORDS
from memory.company.live.catalogue import FIGURES
from memory.company.live.statements import covers

_NUMBER = re.compile(
    rf"\d|(?<!\w)(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?!\w)", re.IGNORECASE
)


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


#: figures that any company's books show, whatever has been pushed
_BOOKS = _compile(
    r"(?:bank |account |cash |tax account )?balances?|(?:the )?(?:bank|tax|cash|savings) account|accounts? (?:payable|receivable)|receivables|payables|(?:unpaid|overdue|open|outstanding|unread|unbooked|unsent) (?:\w+ )?(?:invoices?|bills?|receipts?|items|documents?|transactions)"
    r"|vat (?:owed|due|to pay|payable|debt|liability)|(?:revenue|turnover|sales|profit|result|costs?|expenses) (?:so far|to date|this (?:year|month|quarter)|year to date)|(?:owed|due) (?:to|by) (?:suppliers|customers)|(?:cash|money) (?:in the bank|at hand|in hand)|liquidity|equity stands"
    r"|(?:owe|owes) (?:us|suppliers|the tax agency|skatteverket)",
    r"(?:bank|kassa|konto|skattekonto|likvid)?saldo\w*|skattekonto\w*|bankkonto\w*|kundfordring\w*|leverantörsskuld\w*|momsskuld\w*|skatteskuld\w*|(?:obetald|förfall|öpp|oläst|obokförd|oskick|utestående)\w* (?:\w+ )?(?:faktur|räkning|kvitt|poster|verifikat|transaktion|dokument)\w*|moms att (?:betala|få)|(?:omsättning|försäljning|intäkt|resultat|vinst|kostnad)\w*"
    r" (?:hittills|så här långt|i år|denna|den här|hittills i år|just nu)|(?:pengar|likvida medel) på (?:banken|kontot)|på (?:banken|kontot|företagskontot) (?:just nu|idag|i dag)|(?:har|finns) \S+(?: \S+){0,3} på (?:banken|kontot|företagskontot)|likviditet\w*",
)
#: a state of now, which a decision or a habit is not
_DECIDED = _compile(
    r"decided|agreed|will|going to|always|usually|never|every|write off|wrote off|written off|pay (?:it|them)|from now on|set|lowered|raised",
    r"beslut\w*|bestäm\w*|ska|alltid|brukar|aldrig|varje|skriv\w* av|betala tillbaka|hädanefter|höj\w*|sänk\w*|satte",
)
#: what every company's books hold, whether or not it has been pushed; how many people work there is not among it
RAW = frozenset(FIGURES) - {"employees"}


def is_covered(clause: str, standing: Collection[str] = ()) -> bool:
    """Tell whether a clause only says a figure that the live state has, or would have.

    Args:
        standing: the keys of the figures that are there now ("employees").
    """
    if not _NUMBER.search(clause) or _DECIDED.search(clause):
        return False
    return _BOOKS.search(clause) is not None or not covers(clause).isdisjoint(RAW.union(standing))
