"""Facts of a made-up company, drawn from many templates: each of its own topic, in Swedish or English."""

import random
from dataclasses import dataclass

_PEOPLE = ("Anna Wallin", "Per Sjö", "Mira Costa", "Olle Brandt", "Sanna Kivi", "Tove Alm", "Idris Noor")
_FIRMS = ("Havsbygg AB", "Nordlins Tryck", "Kvarnbageriet", "Ljung Maskin", "Sundets Båtar", "Elvira Design")
_TOWNS = ("Umeå", "Lund", "Kalmar", "Örebro", "Visby", "Falun")
_MONTHS = (("January", "januari"), ("March", "mars"), ("June", "juni"), ("September", "september"), ("November", "november"))  # fmt: skip

#: topic: category | English | Swedish; what stands in braces is drawn
_TEMPLATES = """
dividend: decision | Took a dividend of {amount} kr in {month} {year} | Tog {amount} kr i utdelning i {maanad} {year}
framework: decision | Chose {framework} for the annual report | Valde {framework} för årsredovisningen
vat period: decision | Reports VAT {period} | Redovisar moms {per}
hire: decision | Hired {person} in {month} {year} | Anställde {person} i {maanad} {year}
headcount: knowledge | The company has {count} employees | Bolaget har {count} anställda
auditor: knowledge | The auditor is {person} | Revisor är {person}
chair: knowledge | {person} chairs the board | Styrelsens ordförande är {person}
office: knowledge | The office is in {town} | Kontoret ligger i {town}
stock: knowledge | The warehouse is in {town} | Lagret finns i {town}
office rent: knowledge | Office rent is {amount} kr a month | Kontorshyran är {amount} kr i månaden
parking: knowledge | Parking costs {amount} kr a month | Parkeringen kostar {amount} kr i månaden
owner's salary: decision | The owner's salary is {amount} kr a month | Ägarens lön är {amount} kr i månaden
van: decision | Bought a van for {amount} kr in {month} {year} | Köpte en skåpbil för {amount} kr i {maanad} {year}
lathe: decision | Leases a lathe from {firm} | Leasar en svarv av {firm}
loan: decision | Borrowed {amount} kr from the bank in {year} | Lånade {amount} kr av banken {year}
owner's loan: decision | The owner lent the company {amount} kr in {year} | Ägarlån på {amount} kr {year}
reserve: decision | Set aside {amount} kr to a tax allocation reserve for {year} | Avsatte {amount} kr till periodiseringsfond för {year}
write-off: decision | Wrote off a claim of {amount} kr on {firm} | Skrev av en fordran på {amount} kr på {firm}
late customer: knowledge | {firm} always pays late | {firm} betalar alltid sent
biggest customer: knowledge | {firm} is the biggest customer | {firm} är största kunden
terms: knowledge | Payment terms are {days} days | Betalningsvillkoren är {days} dagar
bookkeeping: knowledge | Bookkeeping is done by {firm} | Bokföringen sköts av {firm}
software: knowledge | Uses {software} as accounting software | Använder {software} som bokföringsprogram
fiscal year: knowledge | The fiscal year runs May to April | Räkenskapsåret löper maj till april
cash register: knowledge | The shop in {town} has a cash register | Butiken i {town} har kassaregister
collective: knowledge | Has signed a collective agreement | Har tecknat kollektivavtal
pension: knowledge | Pensions are with {firm} | Tjänstepensionen ligger hos {firm}
wellness: knowledge | The wellness allowance is {amount} kr a year | Friskvårdsbidraget är {amount} kr per år
short answers: preference | Prefers short answers | Föredrar korta svar
swedish: preference | Wants answers in Swedish | Vill ha svar på svenska
reminders of vat: preference | Wants reminders about VAT | Vill ha påminnelser om momsen
account numbers: preference | Wants account numbers in the answers | Vill ha kontonummer i svaren
examples: preference | Likes examples with figures | Gillar exempel med siffror
selling: unresolved | Has not decided whether to sell the subsidiary | Har inte bestämt om dotterbolaget ska säljas
third employee: unresolved | Considering a new salesperson | Överväger en ny säljare
review: unresolved | Needs to review the {month} bookings | Behöver gå igenom bokningarna för {maanad}
k10: unresolved | Wants to understand the K10 form | Vill förstå K10-blanketten
web shop: unresolved | Thinking about opening a web shop | Funderar på att öppna webbutik
car: unresolved | Undecided about leasing a car | Har inte bestämt om en bil ska leasas
honey: knowledge | Sells honey on the square | Säljer honung på torget
drums: knowledge | The band rehearses in the basement | Bandet repar i källaren
dog: knowledge | There is a dog in the office on Fridays | Det finns en hund på kontoret på fredagar
"""


@dataclass(frozen=True)
class Drawn:
    """One drawn fact with its topic."""

    topic: str
    category: str
    text: str
    language: str


def draw_facts(rng: random.Random, count: int) -> list[Drawn]:
    """Return facts of different topics, in either language."""
    lines = rng.sample([line for line in _TEMPLATES.splitlines() if line], count)
    return [_draw(rng, line) for line in lines]


def _draw(rng: random.Random, line: str) -> Drawn:
    topic, rest = line.split(":", 1)
    category, english, swedish = (part.strip() for part in rest.split("|"))
    language = rng.choice(("en", "sv"))
    month, maanad = rng.choice(_MONTHS)
    text = (english if language == "en" else swedish).format(
        amount=f"{rng.randrange(2, 400)} 000",
        month=month,
        maanad=maanad,
        year=rng.randrange(2022, 2027),
        framework=rng.choice(("K2", "K3")),
        period=rng.choice(("monthly", "quarterly", "yearly")),
        per=rng.choice(("månadsvis", "kvartalsvis", "årligen")),
        person=rng.choice(_PEOPLE),
        firm=rng.choice(_FIRMS),
        town=rng.choice(_TOWNS),
        count=rng.randrange(2, 20),
        days=rng.choice((10, 20, 30, 60)),
        software=rng.choice(("Fortnox", "Visma", "Bokio")),
    )
    return Drawn(topic=topic, category=category, text=text, language=language)
