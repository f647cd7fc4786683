"""A company's memory over the REST API, for its auditors, in the same words as its exports."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers

from companion_site.accounts.access import Access
from companion_site.accounts.tokens import Scope
from companion_site.api.fields import IdField, Moment, Strict, SwitchField, TextField, WholeField, example
from companion_site.api.operations import Asked, Endpoints, list_of, opening
from companion_site.api.paging import Page, PageQuery, page_of_rows
from companion_site.vault.scope import space_scope
from memory.company.audit.access import audit_access
from memory.company.audit.chains import FactChain, chain_around
from memory.company.audit.facts import show_asked, show_facts
from memory.company.audit.filters import LONGEST_SEARCH, FactFilter, State
from memory.company.audit.search import MOST_HITS, search_history
from memory.company.audit.serializers import ChainOut, FactOut, HitOut
from memory.company.reconcile import undo
from memory.models import CompanyFact


class _FactFilter(Strict):
    """Which facts are asked for."""

    category = serializers.ChoiceField(CompanyFact.Category.choices, required=False)
    said_by = IdField(required=False)
    since = serializers.DateField(required=False, help_text="Believed since that day or later.")
    until = serializers.DateField(required=False, help_text="Believed since that day or earlier.")
    as_of = Moment(required=False, help_text="What was believed at that moment.")


class FactQuery(PageQuery, _FactFilter):
    """Which facts are asked for; without more, what is believed now."""

    state = serializers.ChoiceField(State.choices, default=State.ACTIVE)


@example("A question", {"query": "rent", "state": "all"})
class FactSearchBody(_FactFilter):
    """What to look for, over the whole history unless `state` says otherwise."""

    query = TextField(max_length=LONGEST_SEARCH)
    state = serializers.ChoiceField(State.choices, default=State.ALL)
    limit = WholeField(min_value=1, max_value=MOST_HITS, default=20)


@example("Keep it", {"keep": True})
class ReviewBody(Strict):
    """What is decided about a fact that waits for it."""

    keep = SwitchField(help_text="False: what it contradicted comes back.")


@example("It holds", {"holds": True})
class DoubtBody(Strict):
    """What is decided about a fact in doubt."""

    holds = SwitchField(help_text="False: it is out of date, and gives way to what was said later.")


class BelievedOut(serializers.Serializer):
    """What is believed now, after a decision."""

    facts = FactOut(many=True)


FACT = "company/facts/<uuid:fact_id>"
company = Endpoints(scope=Scope.COMPANY, opens=opening(lambda person, _key: audit_access(person)))


@company.get("company/facts", "List facts", query=FactQuery, pages=FactOut)
def list_facts(asked: Asked, access: Access) -> Page:
    """Return what is believed of the company, now or as of a moment; `state` asks for history. The latest first."""
    which = _filter(asked.given)
    at = which.moment(timezone.now())
    with space_scope(access.space):
        page = page_of_rows(which.facts_of(access.space, at=at), asked.given)
        rows = CompanyFact.objects.for_space(access.space).filter(pk__in=[row.pk for row in page.items])
        facts = show_asked(access.space, rows.order_by("-id"), which, at=at)
    return Page(facts, page.next)


@company.post(
    "company/facts/search",
    "Search facts",
    body=FactSearchBody,
    answer=list_of(HitOut),
    repeats="harmless",
)
def search_facts(asked: Asked, access: Access) -> dict[str, Any]:
    """Return facts by meaning and by words, the best first. Nothing is changed by it."""
    which = _filter(asked.given)
    hits = search_history(access.space, which, at=which.moment(timezone.now()))
    return {"items": hits[: asked.given["limit"]]}


@company.get(FACT, "Show a fact", answer=ChainOut)
def show_fact(asked: Asked, access: Access, fact_id: UUID) -> FactChain:
    """Return one fact with its chain and its events."""
    return chain_around(access.space, fact_id, at=timezone.now())


@company.post(f"{FACT}/review", "Decide about a fact", body=ReviewBody, answer=BelievedOut, repeats="whole")
def review_fact(asked: Asked, access: Access, fact_id: UUID) -> dict[str, Any]:
    """Keep a fact that waits for a review, or bring back what it contradicted; on record with who decided."""
    rows = undo.review(
        access.space, fact_id, actor=access.person, keep=asked.given["keep"], now=timezone.now()
    )
    return _believed(access, rows)


@company.post(
    f"{FACT}/doubt", "Decide about a fact in doubt", body=DoubtBody, answer=BelievedOut, repeats="whole"
)
def settle_doubt(asked: Asked, access: Access, fact_id: UUID) -> dict[str, Any]:
    """Say that a fact in doubt holds, or that it is out of date; on record with who decided."""
    row = undo.settle_doubt(
        access.space, fact_id, actor=access.person, holds=asked.given["holds"], now=timezone.now()
    )
    return _believed(access, [row])


@company.post(f"{FACT}/undo", "Undo what replaced a fact", answer=BelievedOut, repeats="whole")
def undo_fact(asked: Asked, access: Access, fact_id: UUID) -> dict[str, Any]:
    """Bring a superseded fact back, in a new row; what had taken its place is kept as history."""
    rows = undo.undo(access.space, fact_id, actor=access.person, now=timezone.now())
    return _believed(access, rows)


def _filter(given: dict[str, Any]) -> FactFilter:
    names = ("state", "category", "since", "until", "as_of")
    chosen = {name: given[name] for name in names if name in given}
    said_by = str(given["said_by"]) if "said_by" in given else ""
    return FactFilter(**chosen, said_by=said_by, search=given.get("query", ""))


def _believed(access: Access, rows: Sequence[CompanyFact]) -> dict[str, Any]:
    with space_scope(access.space):
        found = CompanyFact.objects.for_space(access.space).filter(pk__in=[row.pk for row in rows])
        return {"facts": show_facts(found.order_by("-id"), at=timezone.now())}
