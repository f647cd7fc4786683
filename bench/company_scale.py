"""How fast a company's memory is among a million facts: `python -m bench.company_scale`, on a database of its own.

What goes before a message, and what an auditor searches, each beside one transaction of one query. The percentiles are over
companies; of each, the best of a few tries counts, so that what else the machine does weighs less.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import cycle
from time import perf_counter

import numpy as np
from django.db import connection

from bench.commands import command, make_parser, write_lines
from bench.company_rows import NOW, Scale, make_companies
from bench.scratch import scratch_site
from bench.timing import Row, interleave, table
from companion_site.embeddings.service import get_embedder
from companion_site.vault.scope import space_scope
from memory.company.audit.chains import chain_around
from memory.company.audit.facts import page_of_facts
from memory.company.audit.filters import FactFilter, State
from memory.company.audit.search import search_history
from memory.company.retrieval.candidates import read_believed
from memory.company.retrieval.ranking import inject
from memory.models import CompanyFact

FACTS, COMPANIES = 1_000_000, 20_000
INJECTION_BAR_MS, SEARCH_BAR_MS = 5.0, 100.0
LARGEST = 20
QUESTIONS = (
    "utdelning i december",
    "who handles the payroll?",
    "momsredovisningen",
    "hyresavtalet revisorn",
    "unpaid invoices",
)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("company_scale", __doc__)
    parser.add_argument("--facts", type=int, default=FACTS)
    parser.add_argument("--companies", type=int, default=COMPANIES)
    parser.add_argument("--with-vectors", type=int, default=None, help="companies, the largest")
    parser.add_argument("--rounds", type=int, default=100, help="companies drawn")
    parser.add_argument("--tries", type=int, default=3, help="of each, the best counts")
    options = parser.parse_args(arguments)
    if not 0 < options.companies <= options.facts:
        parser.error("there must be a fact for every company")
    with scratch_site(durable=False):
        write_lines(_tell(options))


def _tell(options: argparse.Namespace) -> Iterator[str]:
    started = perf_counter()
    with_vectors = options.companies if options.with_vectors is None else options.with_vectors
    scale = make_companies(
        options.facts, options.companies, embedder=get_embedder(), with_vectors=with_vectors
    )
    sizes = np.percentile(scale.sizes, [50, 95, 99, 100]).astype(int)
    yield (
        f"{options.facts:,} facts of {options.companies:,} companies ({with_vectors:,} with vectors), made in "
        f"{perf_counter() - started:.0f} s. Facts of a company: {sizes[0]:,} in the middle, {sizes[1]:,} at 95 %, "
        f"{sizes[2]:,} at 99 %, {sizes[3]:,} at most."
    )
    yield from table(
        measure_scale(scale, rounds=options.rounds, tries=options.tries, with_vectors=with_vectors)
    )


def measure_scale(scale: Scale, *, rounds: int, tries: int, with_vectors: int) -> Iterator[Row]:
    """Yield the lines of the table: companies drawn evenly, by their facts, and the largest alone."""
    rng = np.random.default_rng(3)
    share = scale.sizes[:with_vectors] / scale.sizes[:with_vectors].sum()
    draws = {
        "a company": rng.integers(with_vectors, size=rounds + 1),
        "a company of a fact": rng.choice(with_vectors, size=rounds + 1, p=share),
        f"the {LARGEST} largest": rng.integers(min(LARGEST, with_vectors), size=rounds + 1),
    }
    for name, chosen in draws.items():
        yield from _measure(scale, name, chosen.tolist(), tries=tries)


def _measure(scale: Scale, name: str, chosen: Sequence[int], *, tries: int) -> Iterator[Row]:
    embedder = get_embedder()
    vectors = embedder.embed(list(QUESTIONS))
    questions = cycle(range(len(QUESTIONS)))
    at = [scale.spaces[0], 0]

    then = NOW - timedelta(days=365)

    def round_trip() -> None:
        with space_scope(at[0]), connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    def inject_query() -> None:
        with space_scope(at[0]):
            assert read_believed(at[0], now=NOW), "nothing believed: this would measure nothing"

    def inject_all() -> None:
        text, vector = QUESTIONS[at[1]], vectors[at[1]]
        inject(at[0], text, language="sv", vector=vector, embedder=embedder, now=NOW)

    def search() -> None:
        asked = FactFilter(state=State.ALL, search=QUESTIONS[at[1]])
        search_history(at[0], asked, vector=vectors[at[1]], at=NOW)

    def chain() -> None:
        with space_scope(at[0]):
            facts = CompanyFact.objects.for_space(at[0]).order_by("created_at")
            fact = facts.values_list("pk", flat=True)[0]
        chain_around(at[0], fact, at=NOW)

    works: dict[str, Callable[[], object]] = {
        "round trip": round_trip,
        "injection": inject_query,
        "inject": inject_all,
        "search": search,
        "as of": lambda: page_of_facts(at[0], FactFilter(as_of=then), at=then, number="1"),
        "chain": chain,
    }
    times: dict[str, list[float]] = {work: [] for work in works}
    for number, company in enumerate(chosen):
        at[:] = [scale.spaces[company], next(questions)]
        tried = interleave(works, rounds=tries, warm_up=0)
        if number:  # the first only warms up
            for work, taken in tried.items():
                times[work].append(min(taken))
    beside = {"a round trip": float(np.median(times["round trip"]))}
    yield Row(f"  one transaction of one query alone, {name}", times["round trip"])
    yield Row(f"injection query, {name}", times["injection"], INJECTION_BAR_MS, beside)
    yield Row(f"all that goes before a message, {name}", times["inject"], None, beside)
    yield Row(f"audit search, {name}", times["search"], SEARCH_BAR_MS, beside)
    yield Row(f"page of facts as of a year ago, {name}", times["as of"], None, beside)
    yield Row(f"one fact's chain, {name}", times["chain"], None, beside)


if __name__ == "__main__":
    sys.exit(main())
