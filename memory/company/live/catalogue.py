"""Key figures and deadlines that are known by their keys, with their names and units, and the terms of a company's affairs, in both languages."""

import re
from dataclasses import dataclass

from companion_site.language import Language
from memory.company.live.entries import KpiEntry
from memory.models import Deadline, Kpi

MONEY = "SEK"


@dataclass(frozen=True)
class Known:
    """A key that the site has a name for.

    Attributes:
        unit: a currency, or empty for a number of things.
        spoken: what else people call it, in either language; of a figure, casefolded beginnings of words.
    """

    english: str
    swedish: str
    unit: str = ""
    spoken: tuple[str, ...] = ()

    def label(self, language: Language) -> str:
        return self.swedish if language == "sv" else self.english


_EMPLOYED = (
    "employee", "staff", "people employed", "people work", "anställd", "medarbetare", "jobbar hos oss", "arbetar hos oss",
)  # fmt: skip
_CASH = ("cash", "bank balance", "money in the bank", "kassa", "banksaldo", "saldo", "på banken", "på kontot")
_UNPAID = ("unpaid invoice", "unpaid customer invoice", "obetalda faktur", "obetalda kundfaktur")
_OVERDUE = ("overdue invoice", "overdue customer invoice", "förfallna faktur", "förfallna kundfaktur")
#: In the order in which they are told.
FIGURES: dict[str, Known] = {
    "employees": Known("Employees", "Anställda", "", _EMPLOYED),
    "cash": Known("Cash and bank", "Kassa och bank", MONEY, _CASH),
    "unpaid_invoices": Known("Unpaid customer invoices", "Obetalda kundfakturor", "", _UNPAID),
    "unpaid_invoices_amount": Known(
        "Unpaid customer invoices, amount", "Obetalda kundfakturor, belopp", MONEY, _UNPAID
    ),
    "overdue_invoices": Known("Overdue customer invoices", "Förfallna kundfakturor", "", _OVERDUE),
    "overdue_invoices_amount": Known(
        "Overdue customer invoices, amount", "Förfallna kundfakturor, belopp", MONEY, _OVERDUE
    ),
    "receivables": Known("Accounts receivable", "Kundfordringar", MONEY, ("receivable", "kundfordring")),
    "payables": Known(
        "Accounts payable",
        "Leverantörsskulder",
        MONEY,
        ("payable", "owe suppliers", "leverantörsskuld", "skyldiga leverantörerna"),
    ),
    "vat_due": Known(
        "VAT to pay",
        "Moms att betala",
        MONEY,
        ("vat to pay", "vat we owe", "vat due", "moms att betala", "skyldiga moms"),
    ),
    "tax_account": Known(
        "Balance of the tax account", "Skattekontots saldo", MONEY, ("tax account", "skattekonto")
    ),
    "revenue_year": Known(
        "Revenue this year",
        "Omsättning i år",
        MONEY,
        ("revenue", "turnover", "net sales", "omsättning", "omsätter", "intäkt"),
    ),
    "result_year": Known("Result this year", "Resultat i år", MONEY, ("profit", "result", "vinst")),
    "unread_inbox": Known("Unread in the inbox", "Olästa i inkorgen", "", ("unread", "oläst")),
    "unbooked_transactions": Known(
        "Transactions not booked yet",
        "Transaktioner som inte är bokförda",
        "",
        ("unbooked transaction", "obokförda transaktion"),
    ),
}

DEADLINES: dict[str, Known] = {
    "vat_return": Known("VAT return", "Momsdeklaration", spoken=("VAT", "momsen", "moms")),
    "employer_return": Known(
        "Employer's return (PAYE)",
        "Arbetsgivardeklaration",
        spoken=("employer's return", "arbetsgivaravgifterna", "AGI"),
    ),
    "preliminary_tax": Known(
        "Preliminary tax (F-tax)",
        "Preliminärskatt (F-skatt)",
        spoken=("preliminary tax", "F-tax", "preliminärskatten", "F-skatten"),
    ),
    "income_tax_return": Known(
        "Income tax return", "Inkomstdeklaration", spoken=("tax return", "deklarationen")
    ),
    "annual_report": Known("Annual report", "Årsredovisning", spoken=("annual accounts",)),
    "annual_meeting": Known(
        "Annual general meeting",
        "Årsstämma",
        spoken=("annual meeting", "AGM", "bolagsstämman", "stämman"),
    ),
}


#: What a company's facts are about, English and Swedish. Inflected forms begin with what stands before the bar.
TERMS: tuple[tuple[str, str], ...] = (
    ("account", "konto|"),
    ("accounting standard", "K2"),
    ("accounting standard", "K3"),
    ("annual report", "årsredovisning"),
    ("bookkeeping", "bokför|ing"),
    ("calendar year", "kalenderår"),
    ("chart of accounts", "kontoplan"),
    ("collective agreement", "kollektivavtal"),
    ("customer", "kund"),
    ("dividend", "utdelning"),
    ("employ|ee", "anställ|d"),
    ("employer", "arbetsgivare"),
    ("fiscal year", "räkenskapsår"),
    ("hire|d", "anställ|d"),
    ("invoice", "faktur|a"),
    ("occupational pension", "tjänstepension"),
    ("payment terms", "betalningstid"),
    ("premises", "lokal"),
    ("receipt", "kvitto|n"),
    ("remind|er", "påmin|nelse"),
    ("revenue", "intäkt|er"),
    ("salar|y", "lön|en"),
    ("share|s", "aktie|r"),
    ("supplier", "leverantör"),
    ("tax", "skatt"),
    ("trade", "handel"),
    ("VAT", "moms"),
)


def terms_of(text: str, language: Language) -> tuple[str, ...]:
    """Return what a text speaks of, in a language: the names of its terms that stand there in the other."""
    own, other = (0, 1) if language == "en" else (1, 0)
    return tuple(
        dict.fromkeys(
            pair[own].replace("|", "")
            for pair in TERMS
            if re.search(rf"\b{re.escape(pair[other].split('|')[0])}", text, re.IGNORECASE)
        )
    )


def figure_label(figure: Kpi | KpiEntry, language: Language) -> str:
    """Return what a figure is called: by the site's own name for it, as it was given, or by its key."""
    known = FIGURES.get(figure.key)
    return known.label(language) if known else figure.label or _spoken_key(figure.key)


def deadline_label(deadline: Deadline, language: Language) -> str:
    """Return what a deadline is called; a name that was given says more than the kind of deadline."""
    known = DEADLINES.get(deadline.key)
    return deadline.label or (known.label(language) if known else _spoken_key(deadline.key))


def _spoken_key(key: str) -> str:
    return key.replace("_", " ").replace("-", " ")


def unit_of(figure: Kpi | KpiEntry) -> str:
    """Return a figure's unit: as it was given, or the one that its key is known to have."""
    known = FIGURES.get(figure.key)
    return figure.unit or (known.unit if known else "")


def rank(key: str) -> int:
    """Return a figure's place in what is told: known ones first."""
    return list(FIGURES).index(key) if key in FIGURES else len(FIGURES)
