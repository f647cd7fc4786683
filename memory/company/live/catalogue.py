"""Key figures and deadlines that are known by their keys, with their names and units, and the terms of a company's affairs, in both languages."""

import re
from dataclasses import dataclass

from companion_site.language import Language

MONEY = "SEK"


@dataclass(frozen=True, kw_only=True)
class Known:
    """A key that the site has a name for.

    Attributes:
        unit: a currency, or empty for a number of things.
        spoken: what else people call it, in either language.
    """

    key: str
    english: str
    swedish: str
    unit: str = ""
    spoken: tuple[str, ...] = ()

    def label(self, language: Language) -> str:
        return self.swedish if language == "sv" else self.english


def _by_key(*known: Known) -> dict[str, Known]:
    return {each.key: each for each in known}


#: In the order in which they are told.
FIGURES: dict[str, Known] = _by_key(
    Known(key="employees", english="Employees", swedish="Anställda"),
    Known(key="cash", english="Cash and bank", swedish="Kassa och bank", unit=MONEY),
    Known(key="unpaid_invoices", english="Unpaid customer invoices", swedish="Obetalda kundfakturor"),
    Known(
        key="unpaid_invoices_amount",
        english="Unpaid customer invoices, amount",
        swedish="Obetalda kundfakturor, belopp",
        unit=MONEY,
    ),
    Known(key="overdue_invoices", english="Overdue customer invoices", swedish="Förfallna kundfakturor"),
    Known(
        key="overdue_invoices_amount",
        english="Overdue customer invoices, amount",
        swedish="Förfallna kundfakturor, belopp",
        unit=MONEY,
    ),
    Known(key="receivables", english="Accounts receivable", swedish="Kundfordringar", unit=MONEY),
    Known(key="payables", english="Accounts payable", swedish="Leverantörsskulder", unit=MONEY),
    Known(key="vat_due", english="VAT to pay", swedish="Moms att betala", unit=MONEY),
    Known(key="tax_account", english="Balance of the tax account", swedish="Skattekontots saldo", unit=MONEY),
    Known(key="revenue_year", english="Revenue this year", swedish="Omsättning i år", unit=MONEY),
    Known(key="result_year", english="Result this year", swedish="Resultat i år", unit=MONEY),
    Known(key="unread_inbox", english="Unread in the inbox", swedish="Olästa i inkorgen"),
    Known(
        key="unbooked_transactions",
        english="Transactions not booked yet",
        swedish="Transaktioner som inte är bokförda",
    ),
)

DEADLINES: dict[str, Known] = _by_key(
    Known(
        key="vat_return", english="VAT return", swedish="Momsdeklaration", spoken=("VAT", "momsen", "moms")
    ),
    Known(
        key="employer_return",
        english="Employer's return (PAYE)",
        swedish="Arbetsgivardeklaration",
        spoken=("employer's return", "arbetsgivaravgifterna", "AGI"),
    ),
    Known(
        key="preliminary_tax",
        english="Preliminary tax (F-tax)",
        swedish="Preliminärskatt (F-skatt)",
        spoken=("preliminary tax", "F-tax", "preliminärskatten", "F-skatten"),
    ),
    Known(
        key="income_tax_return",
        english="Income tax return",
        swedish="Inkomstdeklaration",
        spoken=("tax return", "deklarationen"),
    ),
    Known(
        key="annual_report", english="Annual report", swedish="Årsredovisning", spoken=("annual accounts",)
    ),
    Known(
        key="annual_meeting",
        english="Annual general meeting",
        swedish="Årsstämma",
        spoken=("annual meeting", "AGM", "bolagsstämman", "stämman"),
    ),
)


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


def figure_label(key: str, given: str, language: Language) -> str:
    """Return what a figure is called: by the site's own name for it, as it was given, or by its key."""
    return _label(FIGURES, key, given, language)


def deadline_label(key: str, given: str, language: Language) -> str:
    """Return what a deadline is called; a name that was given says more than the kind of deadline."""
    return given or _label(DEADLINES, key, given, language)


def unit_of(key: str, given: str) -> str:
    """Return a figure's unit: as it was given, or the one that its key is known to have."""
    known = FIGURES.get(key)
    return given or (known.unit if known else "")


def rank(key: str) -> int:
    """Return a figure's place in what is told: known ones first."""
    return list(FIGURES).index(key) if key in FIGURES else len(FIGURES)


def _label(known: dict[str, Known], key: str, given: str, language: Language) -> str:
    return known[key].label(language) if key in known else given or key.replace("_", " ").replace("-", " ")
