"""A compression seen from outside: killed, run twice, overtaken by others, taken back."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import numpy as np
import pytest

from companion_site.audit.models import AuditEvent
from companion_site.embeddings.service import EmbedOnce
from companion_site.vault.scope import space_scope
from memory.company.reconcile.undo import undo
from memory.company.summaries.service import compress
from memory.models import CompanyCompression, CompanyEvent, CompanyFact
from tests.factories import NOW, make_business_user
from tests.memory.company.conftest import fail_at
from tests.memory.company.firm import DIVIDENDS, EMBEDDER, STAFF, Firm, different, unrelated
from tests.racing import at_once

pytestmark = pytest.mark.spec("C9")

LATER = NOW + timedelta(days=31)


def make_firm() -> tuple[Firm, list[CompanyFact]]:
    """Make a company of which three facts belong together."""
    firm = Firm()
    facts = firm.hold(*DIVIDENDS)
    firm.hold(*unrelated(16), category="preference", vectors=different(16))
    return firm, facts


class Meanwhile(EmbedOnce):
    """The embedder, while whose work for the summaries something happens; once."""

    def __init__(self, happens: Callable[[], object]) -> None:
        super().__init__(EMBEDDER)
        self.happens: Callable[[], object] | None = happens

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if texts and self.happens is not None:
            happens, self.happens = self.happens, None
            happens()
        return super().embed(texts)


def count_all(firm: Firm) -> tuple[int, ...]:
    with space_scope(firm.space):
        return (
            CompanyFact.objects.for_space(firm.space).count(),
            CompanyEvent.objects.for_space(firm.space).count(),
            CompanyCompression.objects.for_space(firm.space).count(),
            AuditEvent.objects.filter(chain=firm.space).count(),
        )


def test_killed_in_the_middle_nothing_is_written(committed):
    """A compression that cannot finish its writing leaves every table as it was."""
    firm, facts = make_firm()
    before, counts = firm.look(), count_all(firm)
    # The last member's writing fails when the others' is done.
    fail_at(facts[-1], lambda: firm.compress(now=LATER))
    assert (firm.look(), count_all(firm)) == (before, counts)
    assert firm.compress(now=LATER).summaries == 1


def test_two_workers_compress_once(committed):
    """Of two jobs for one company one does the work; the other finds it done."""
    firm, facts = make_firm()
    done = at_once(*[lambda: firm.compress(now=LATER)] * 2)
    assert [each is None for each in done].count(True) == 1
    assert sum(row.origin == "summary" for row in firm.rows().values()) == 1
    assert len({firm.successor(fact).pk for fact in facts}) == 1


@pytest.mark.django_db
def test_what_is_said_meanwhile_is_seen():
    """A fact that comes in while a compression thinks is looked at before anything is written."""
    firm, facts = make_firm()
    more = "Took 60,000 kr in dividend in May 2025"
    meanwhile = Meanwhile(lambda: firm.hold(more, at=NOW + timedelta(days=1)))
    done = compress(firm.space, now=LATER, embedder=meanwhile)
    assert (done.before, done.summaries) == (20, 1)
    assert firm.successor(facts[0]).content.count("dividend") == 4 - 1
    assert more in firm.successor(facts[0]).content


@pytest.mark.django_db
def test_a_member_that_changed_meanwhile_is_not_overwritten():
    """A fact confirmed while a compression thinks keeps its confirmation: the summary is as sure as it is by then."""
    firm, facts = make_firm()

    def confirm():
        with space_scope(firm.space):
            for fact in facts:
                CompanyFact.objects.for_space(firm.space).filter(pk=fact.pk).update(
                    confidence=0.95, confirmed_at=LATER - timedelta(days=1)
                )

    done = compress(firm.space, now=LATER, embedder=Meanwhile(confirm))
    summary = firm.successor(facts[0])
    assert (done.summaries, summary.confidence) == (1, 0.95)
    assert summary.confirmed_at == LATER - timedelta(days=1)


@pytest.mark.django_db
def test_others_who_never_stop_do_not_stop_it():
    """Where facts keep coming in, what still holds of the plan is written in the end."""
    firm, facts = make_firm()

    class Busy(Meanwhile):
        def embed(self, texts):
            if texts:
                number = len(firm.rows())
                firm.hold(f"Note {number} is filed", category="preference", vectors=different(60)[59:])
            return super().embed(texts)

    done = compress(firm.space, now=LATER, embedder=Busy(lambda: None))
    assert done.summaries >= 1
    (summary,) = {firm.successor(fact).pk for fact in facts}
    assert firm.rows()[summary].content == "; ".join(DIVIDENDS)


@pytest.mark.django_db
def test_a_summary_is_taken_back_in_one_click():
    """Undoing brings all members back as new rows; the next compression leaves them apart."""
    firm, facts = make_firm()
    firm.compress(now=LATER)
    summary = firm.successor(facts[0])
    back = undo(firm.space, summary.pk, actor=make_business_user(), now=LATER + timedelta(days=1))
    assert sorted(row.content for row in back) == sorted(DIVIDENDS)
    assert all(row.origin == "restored" for row in back)
    words = firm.words(now=LATER + timedelta(days=1))
    assert summary.content not in words and set(DIVIDENDS) <= set(words)
    done = firm.compress(now=LATER + timedelta(days=40))
    assert (done.before, done.after, done.summaries) == (19, 19, 0)


@pytest.mark.django_db
def test_a_year_s_summary_is_taken_back_as_well():
    """What was taken out of a year's summary stays by itself."""
    firm = Firm()
    firm.hold(*STAFF, at=NOW - timedelta(days=500))
    person = make_business_user()
    firm.force(now=NOW)
    (summary,) = firm.active(now=NOW)
    undo(firm.space, summary.pk, actor=person, now=NOW + timedelta(days=1))
    assert sorted(firm.words(now=NOW + timedelta(days=1))) == sorted(STAFF)
    assert firm.force(now=NOW + timedelta(days=2)).summaries == 0
