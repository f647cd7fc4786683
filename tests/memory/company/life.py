"""Thirteen months of a small company, told as the facts that its conversations gave, day by day. Small talk left none.

The sentences are made from the tables below by a seed: who is hired, what is bought and what it costs differ from one
to the next, so that a summary that loses a value loses one that nothing else says.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from companion_site.ids import new_id
from memory.company.facts import NewFact

DAYS = 400
#: Ten days in which the annual accounts are gone through, and much is said.
CLOSING = range(300, 311, 2)

_HIRED, _ANSTÄLLDA = (
    "Bertil Ek, David Norén, Farid Haddad, Hugo Lind",
    "Anna Svensson, Cecilia Dahl, Eva Palm, Greta Holm",
)
_THINGS = "excavator, delivery van, laser printer, coffee machine, table saw, laptop, forklift, cement mixer, trailer, drone"
_SAKER = "grävmaskin, skåpbil, kopiator, bandsåg, surfplatta, hyllsystem, värmepump, fräs"
_CUSTOMERS = (
    "Berga Plåt, Skogsvik Hotell, Vikens Bygg, Mossa AB, Kust Fastigheter, Alder Consulting, Birch Logistics"
)
_SUPPLIERS = "Talverket, Kvoten Löner, Balder Finans, Nordljus El, Svea Färg"
_PLACES = "Lund, Oslo, Visby, Kiruna, Malmö, Bergen, Falun, Ystad, Umeå, Kalmar"
#: What is said once, at any time: of whom or what, with a number from a first one on, by steps.
_SAYINGS = (
    ("decision", "en", "Hired {} at {:,} kr a month", _HIRED, 28_700, 1_400),
    ("decision", "sv", "Anställde {} med en lön på {} kr i månaden", _ANSTÄLLDA, 28_000, 1_400),
    ("decision", "en", "Bought a {} for {:,} kr", _THINGS, 4_150, 1_310),
    ("decision", "sv", "Köpte {} för {} kr", _SAKER, 3_900, 1_170),
    ("knowledge", "sv", "Kunden {} betalar alltid {} dagar för sent", _CUSTOMERS, 5, 1),
    ("knowledge", "en", "{} buys for about {}k a year", _CUSTOMERS, 110, 17),
    ("knowledge", "en", "{} sends its invoice on day {} of the month", _SUPPLIERS, 3, 2),
    ("decision", "sv", "Tecknade avtal med {} för {} månader", _SUPPLIERS, 12, 3),
    ("unresolved", "en", "Has not decided whether to open a branch in {}", _PLACES, 0, 0),
    ("unresolved", "en", "Thinking about insuring the {}", _THINGS, 0, 0),
    ("unresolved", "sv", "Funderar på att säga upp avtalet med {}", _SUPPLIERS, 0, 0),
    ("preference", "en", "Wants short answers without accounting terms", "", 0, 0),
    ("preference", "sv", "Vill bli påmind en vecka innan momsen ska in", "", 0, 0),
    ("preference", "en", "Prefers figures in tables rather than in text", "", 0, 0),
    ("preference", "sv", "Skriver helst på svenska och säger du", "", 0, 0),
    ("preference", "en", "Likes to see the tax effect before every decision", "", 0, 0),
    ("preference", "sv", "Vill ha kontonummer i alla konteringsförslag", "", 0, 0),
    ("preference", "en", "Wants sources whenever a rule of law is mentioned", "", 0, 0),
    ("preference", "sv", "Föredrar att gå igenom lönerna på fredagar", "", 0, 0),
)
#: What is said on its own day: knowledge that changes, items that are settled, facts said again.
_CHANGES = (
    (3, "decision", "sv", "Köpte bolagets första bil för 84 600 kr"),
    (2, "knowledge", "en", "The office rent is 12,000 kr a month"),
    (150, "knowledge", "en", "The office rent is 14,500 kr a month now"),
    (5, "knowledge", "sv", "Bolaget har två anställda"),
    (90, "knowledge", "sv", "Nu har bolaget fyra anställda"),
    (210, "knowledge", "en", "The company has six employees now"),
    (8, "decision", "sv", "Valde K2 för årsredovisningen"),
    (190, "decision", "sv", "Vi bytte till K3 för årsredovisningen"),
    (12, "unresolved", "en", "Has not decided whether to take a dividend for 2025"),
    (30, "decision", "en", "Decided to take a dividend of 150,000 kr for 2025"),
    (40, "decision", "sv", "Tog utdelning på 150 000 kr för 2025"),
    (20, "preference", "en", "Wants long explanations of every step"),
    (240, "preference", "en", "No longer wants long explanations, only the result"),
    (25, "knowledge", "sv", "Revisor är Stina Borg"),
    (260, "knowledge", "sv", "Ny revisor: Fredrik Hall, Stina Borg har slutat"),
    (60, "decision", "en", "VAT is filed every quarter"),
    (280, "decision", "en", "Moved to monthly VAT"),
    (100, "knowledge", "sv", "Kunden Berga Plåt betalar alltid 5 dagar för sent"),
)


def tell_life(start: datetime, *, seed: int = 4) -> dict[int, list[NewFact]]:
    """Return what is said from `start` on, by the day; the same seed tells the same life."""
    rng = Random(seed)
    days = sorted({*range(0, DAYS, 9), *CLOSING})
    weights = [14 if day in CLOSING else 1 for day in days]
    said = [(rng.choices(days, weights)[0], *saying) for saying in _sayings()]
    said += [(min(days, key=lambda day: abs(day - own)), *change) for own, *change in _CHANGES]
    told = defaultdict(list)
    for number, (day, category, language, content) in enumerate(said):
        told[day].append(
            NewFact(
                category=category,
                content=content,
                language=language,
                confidence=0.95 - 0.05 * (number % 3),
                said_at=start + timedelta(days=day, hours=8, minutes=number),
                conversation=new_id(),
                message=new_id(),
            )
        )
    return told


def _sayings() -> Iterator[tuple[str, str, str]]:
    for category, language, form, names, first, step in _SAYINGS:
        for number, name in enumerate(names.split(", ")):
            yield category, language, form.format(name, first + step * number)
