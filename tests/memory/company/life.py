"""Thirteen months of a small company, told as the facts that its conversations gave, day by day. Small talk left none.

The sentences are made from the tables below by a seed: who is hired, what is bought and what it costs differ from one
to the next, so that a summary that loses a value loses one that nothing else says.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from companion_site.ids import new_id
from memory.company.facts import NewFact

DAYS = 400
#: Ten days in which the annual accounts are gone through, and much is said.
CLOSING = range(300, 311, 2)


def _listed(names: str) -> list[str]:
    return names.split(", ")


_PEOPLE = _listed(
    "Anna Svensson, Bertil Ek, Cecilia Dahl, David Norén, Eva Palm, Farid Haddad, Greta Holm, Hugo Lind, Ingrid Sand"
)
_THINGS = _listed(
    "excavator, delivery van, laser printer, coffee machine, table saw, laptop, forklift, cement mixer, trailer, drone"
)
_SAKER = _listed("grävmaskin, skåpbil, kopiator, bandsåg, surfplatta, arbetskläder, hyllsystem, värmepump")
_CUSTOMERS = _listed(
    "Berga Plåt, Skogsvik Hotell, Vikens Bygg, Mossa AB, Kust Fastigheter, Alder Consulting, Birch Logistics"
)
_SUPPLIERS = _listed("Talverket, Kvoten Löner, Balder Finans, Nordljus El, Svea Färg")
_PREFERENCES = (
    ("en", "Wants short answers without accounting terms"),
    ("sv", "Vill bli påmind en vecka innan momsen ska in"),
    ("en", "Prefers figures in tables rather than in text"),
    ("sv", "Skriver helst på svenska och säger du"),
    ("en", "Likes to see the tax effect before every decision"),
    ("sv", "Vill ha kontonummer i alla konteringsförslag"),
    ("en", "Wants sources whenever a rule of law is mentioned"),
    ("sv", "Vill inte bli störd under semestern i juli"),
    ("en", "Asks for examples from the building trade"),
    ("sv", "Föredrar att gå igenom lönerna på fredagar"),
)
_OPEN = (
    ("en", "Has not decided whether to open a branch in {place}"),
    ("sv", "Behöver stämma av konto {account}"),
    ("en", "Needs to go through the receipts from {place}"),
    ("sv", "Funderar på att säga upp avtalet med {supplier}"),
    ("en", "Thinking about insuring the {thing}"),
)
_PLACES = _listed("Lund, Oslo, Visby, Kiruna, Malmö, Bergen, Falun, Ystad, Umeå, Kalmar, Arvika, Tromsö")


@dataclass(frozen=True, kw_only=True)
class Told:
    """What one conversation gave."""

    day: int
    facts: tuple[NewFact, ...]


def tell_life(start: datetime, *, seed: int = 4) -> list[Told]:
    """Return the conversations from `start` on, in order; the same seed tells the same life."""
    rng = Random(seed)
    sayings = list(_sayings(rng))
    days = sorted({*range(0, DAYS, 9), *CLOSING})
    weights = [14 if day in CLOSING else 1 for day in days]
    told: dict[int, list[NewFact]] = {day: [] for day in days}
    for number, (category, language, content) in enumerate(sayings):
        day = rng.choices(days, weights)[0]
        told[day].append(_fact(category, language, content, start, day, number))
    for number, (day, category, language, content) in enumerate(_changes()):
        told[min(days, key=lambda other: abs(other - day))].append(
            _fact(category, language, content, start, day, 500 + number)
        )
    return [Told(day=day, facts=tuple(facts)) for day, facts in told.items() if facts]


def _fact(category: str, language: str, content: str, start: datetime, day: int, number: int) -> NewFact:
    return NewFact(
        category=category,
        content=content,
        language=language,
        confidence=0.95 - 0.05 * (number % 3),
        said_at=start + timedelta(days=day, hours=8, minutes=number),
        conversation=new_id(),
        message=new_id(),
    )


def _sayings(rng: Random) -> Iterator[tuple[str, str, str]]:
    """Yield what is said once, at any time."""
    for number, person in enumerate(_PEOPLE):
        pay = 28_000 + 700 * number
        yield (
            ("decision", "en", f"Hired {person} at {pay:,} kr a month")
            if number % 2
            else (
                "decision",
                "sv",
                f"Anställde {person} med en lön på {pay} kr i månaden",
            )
        )
    for number, thing in enumerate(_THINGS):
        yield "decision", "en", f"Bought a {thing} for {4_150 + 1_310 * number:,} kr"
    for number, sak in enumerate(_SAKER):
        yield "decision", "sv", f"Köpte {sak} för {3_900 + 1_170 * number} kr"
    for number, customer in enumerate(_CUSTOMERS):
        yield "knowledge", "sv", f"Kunden {customer} betalar alltid {5 + number} dagar för sent"
        yield "knowledge", "en", f"{customer} buys for about {110 + 17 * number}k a year"
    for number, supplier in enumerate(_SUPPLIERS):
        yield "knowledge", "en", f"{supplier} sends its invoice on day {3 + 2 * number} of the month"
        yield "decision", "sv", f"Tecknade avtal med {supplier} för {12 + 3 * number} månader"
    for language, content in _PREFERENCES:
        yield "preference", language, content
    for number, (language, content) in enumerate(_OPEN * 4):
        filled = content.format(
            place=_PLACES[number % len(_PLACES)],
            account=1510 + 37 * number,
            supplier=_SUPPLIERS[number % len(_SUPPLIERS)],
            thing=rng.choice(_THINGS),
        )
        yield "unresolved", language, filled


def _changes() -> Iterator[tuple[int, str, str, str]]:
    """Yield what is said at its own time: knowledge that changes, items that are settled, facts said again."""
    yield 2, "knowledge", "en", "The office rent is 12,000 kr a month"
    yield 150, "knowledge", "en", "The office rent is 14,500 kr a month now"
    yield 5, "knowledge", "sv", "Bolaget har två anställda"
    yield 90, "knowledge", "sv", "Nu har bolaget fyra anställda"
    yield 210, "knowledge", "en", "The company has six employees now"
    yield 8, "decision", "sv", "Valde K2 för årsredovisningen"
    yield 190, "decision", "sv", "Vi bytte till K3 för årsredovisningen"
    yield 12, "unresolved", "en", "Has not decided whether to take a dividend for 2025"
    yield 30, "decision", "en", "Decided to take a dividend of 150,000 kr for 2025"
    yield 40, "decision", "sv", "Tog utdelning på 150 000 kr för 2025"
    yield 20, "preference", "en", "Wants long explanations of every step"
    yield 240, "preference", "en", "No longer wants long explanations, only the result"
    yield 25, "knowledge", "sv", "Revisor är Stina Borg"
    yield 260, "knowledge", "sv", "Ny revisor: Fredrik Hall, Stina Borg har slutat"
    yield 60, "decision", "en", "VAT is filed every quarter"
    yield 280, "decision", "en", "Moved to monthly VAT"
    yield 100, "knowledge", "sv", "Kunden Berga Plåt betalar alltid 5 dagar för sent"
