"""A company with an open memory, as jobs and pages work with it."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from uuid import UUID

import pytest
from django.db import OperationalError, connection, connections

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.company.facts import NewFact, expiry_of
from memory.company.intake import Outcome, believe
from memory.models import CompanyEvent, CompanyFact
from tests.factories import NOW, make_business_user
from tests.memory.company.audit import rows
from tests.memory.company.firm import Firm
from tests.memory.company.histories import replay


class Company(Firm):
    """One company's memory, and somebody who works there."""

    def __init__(self, name: str = "bo") -> None:
        self.person = make_business_user(name, company=f"{name} AB")
        self.space: UUID = self.person.company.space_id
        self.embedder = get_embedder()

    def new(self, content: str, *, said_at: datetime = NOW, **given) -> NewFact:
        fields = {
            "category": "knowledge",
            "language": "sv",
            "confidence": 0.8,
            "conversation": new_id(),
            "message": new_id(),
            "said_by": self.person.pk,
            **given,
        }
        return NewFact(content=content, said_at=said_at, **fields)

    def believe(self, facts: Sequence[NewFact], *, at: datetime = NOW, **given) -> Outcome:
        return believe(self.space, facts, now=at, **given)

    def hear(self, content: str, *, at: datetime = NOW, **given) -> UUID:
        """Take one fact in, said at `at`; return the new row."""
        (row,) = self.believe([self.new(content, said_at=at, **given)], at=at).rows
        return row

    def summarise(self, texts: Sequence[str], *, at: datetime = NOW) -> tuple[UUID, list[UUID]]:
        """Believe texts and put a summary in their place, as compression does; return it and them."""
        return self.put_in_one([self.hear(text, at=at) for text in texts], at=at)

    def put_in_one(self, parts: Sequence[UUID], *, at: datetime) -> tuple[UUID, list[UUID]]:
        found = [self.row(part) for part in sorted(parts)]
        begun = max([at, *(part.created_at for part in found)])
        summary = rows.believe(
            self.space,
            "; ".join(part.content for part in found),
            at=begun,
            said_at=at,
            confirmed_at=at,
            origin=CompanyFact.Origin.SUMMARY,
            language="sv",
            confidence=0.8,
            expires_at=expiry_of("knowledge", since=at),
            source_message_id=None,
            source_conversation_id=None,
        )
        for part in found:
            rows.supersede(part, summary, reason=CompanyFact.Reason.SUMMARISED)
        return summary.pk, list(parts)

    def everything(self) -> set[UUID]:
        return set(self.rows())

    def kinds_of(self, fact: CompanyFact) -> list[str]:
        """Return what happened to a fact, in order."""
        with space_scope(self.space):
            events = CompanyEvent.objects.for_space(self.space).filter(fact=fact).order_by("id")
            return list(events.values_list("kind", flat=True))

    def believed_at(self, at: datetime) -> set[UUID]:
        """Return what was believed at a moment, on which rows and events have to agree."""
        with space_scope(self.space):
            store = CompanyFact.objects.for_space(self.space)
            by_rows = set(store.believed_at(at).values_list("pk", flat=True))
        assert by_rows == replay(self.space, at)
        return by_rows


def fail_at(fact: CompanyFact, work: Callable[[], object]) -> None:
    """Do some work while a fact's row is held by somebody else, so that it fails where it comes to write that row."""
    with ThreadPoolExecutor(1) as pool, space_scope(fact.space_id):
        list(CompanyFact.objects.for_space(fact.space_id).filter(pk=fact.pk).select_for_update())

        def run() -> None:
            try:
                with connection.cursor() as cursor:
                    cursor.execute("SET lock_timeout = '300ms'")
                work()
            finally:
                connections.close_all()

        with pytest.raises(OperationalError):
            pool.submit(run).result()


@pytest.fixture
def company(db) -> Company:
    return Company()


@pytest.fixture
def space(company) -> UUID:
    return company.space


@pytest.fixture
def firm(db) -> Firm:
    return Firm()
