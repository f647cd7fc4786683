"""The one door into a company's memory: what is said once, again, more surely, otherwise, late, or settles something."""

from datetime import timedelta
from itertools import permutations

import numpy as np
import pytest

from companion_site.audit.models import AuditEvent
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company.errors import MemoryBusy
from memory.company.facts import expiry_of
from memory.company.params import COMPANY
from memory.company.reconcile.engine import discern
from memory.models import CompanyEvent, CompanyFact, CompanyFactVector
from tests.cases import cases
from tests.factories import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C6")]

LATER = NOW + timedelta(days=3)
RENT = "Hyran är 1{} 000 kr i månaden"


def test_a_fact_is_kept_with_its_source_and_vector(company):
    """Words, who said them where and when, how long they hold, and a vector under the model's name."""
    fact = company.new(RENT.format(2), category="knowledge", confidence=0.9)
    outcome = company.believe([fact])
    (row,) = company.active()
    assert (outcome.believed, outcome.rows) == (1, (row.pk,))
    assert (row.content, row.category, row.language, row.confidence) == (fact.content, "knowledge", "sv", 0.9)
    assert (row.source_conversation_id, row.source_message_id) == (fact.conversation, fact.message)
    assert (row.said_by_id, row.said_at, row.created_at) == (fact.said_by, NOW, NOW)
    assert row.expires_at == NOW + COMPANY.ttl_of("knowledge")
    with space_scope(company.space):
        vector = CompanyFactVector.objects.for_space(company.space).get(fact=row)
    assert (vector.model, vector.dimension, len(vector.embedding)) == (company.embedder.model, 384, 384)
    sentence = company.embedder.embed([f"{fact.content}."])[0]
    assert np.allclose(vector.embedding, sentence, atol=0.01)


@pytest.mark.spec("C8")
@cases("category", ["preference", "decision", "knowledge", "unresolved"])
def test_how_long_a_fact_holds_goes_by_its_category(company, category):
    """Preferences and decisions for good, knowledge for half a year, open items for 30 days from when it was said."""
    said_at = NOW - timedelta(days=1)
    company.believe([company.new("Vill ha korta svar", category=category, said_at=said_at)])
    (row,) = company.active()
    ttl = {"knowledge": timedelta(days=182), "unresolved": timedelta(days=30)}.get(category)
    assert row.expires_at == (said_at + ttl if ttl else None)


SAME = "Hyran är 12000 kronor per månad"
EARLIER, MONTH_LATER = NOW - timedelta(days=9), NOW + timedelta(days=40)
TO_DECIDE, DECIDED = "Vi har inte bestämt utdelningen", "Bestämde en utdelning på 100 000 kr"


@pytest.mark.spec("C8")
@cases(
    ("held", "said", "counted", "reason"),
    [
        # Surer, it takes the old one's place; less sure, in the very words, or said earlier, it confirms.
        ((RENT.format(2), 0.6), (SAME, 0.9, LATER), "restated", "restated"),
        ((RENT.format(2), 0.8), (SAME, 0.5, LATER), "confirmed", ""),
        ((RENT.format(2), 0.8), ("  hyran är 12 000  KR i månaden.", 0.5, LATER), "confirmed", ""),
        ((RENT.format(2), 0.8), ("  hyran är 12 000  KR i månaden.", 0.99, LATER), "restated", "restated"),
        *(((RENT.format(2), 0.5), (SAME, sure, EARLIER), "confirmed", "") for sure in (0.3, 1.0)),
        # What was said later holds, however unsure; what was said earlier is history from the start, however sure.
        ((RENT.format(2), 0.8), (RENT.format(3), 0.6, LATER), "contradicted", "contradicted"),
        *(((RENT.format(3), 0.8), (RENT.format(2), sure, EARLIER), "outdated", "") for sure in (0.3, 1.0)),
        # An open item gives way to what settled it; once it has expired, it is renewed in the same words or others.
        ((TO_DECIDE, 0.8, "unresolved"), (DECIDED, 0.8, LATER, "decision"), "resolved", "resolved"),
        *(
            ((TO_DECIDE, 0.8, "unresolved"), (words, 0.8, MONTH_LATER, "unresolved"), "renewed", "renewed")
            for words in (TO_DECIDE, "We have not decided on the dividend")
        ),
    ],
)
def test_what_is_said_meets_what_is_held(company, held, said, counted, reason):
    """One of the two is believed; the other stays with what took its place and why. A contradiction alone waits for a review."""
    old = company.hear(**dict(zip(("content", "confidence", "category"), held, strict=False)))
    before = company.row(old)
    new = company.new(**dict(zip(("content", "confidence", "said_at", "category"), said, strict=False)))
    at = max(new.said_at, LATER)
    outcome = company.believe([new], at=at)
    (row,) = company.active(at)
    believed = reason != ""
    assert (outcome.believed, getattr(outcome, counted)) == (believed, 1)
    assert (row.content, row.pk == old) == ((new.content if believed else before.content), not believed)
    assert row.flagged_at == (at if reason == "contradicted" else None)
    if believed:
        gone = company.row(old)
        assert (gone.superseded_by_id, gone.superseded_at, gone.superseded_reason) == (row.pk, at, reason)
        assert gone.superseded_actor_id is None
        assert company.kinds_of(row) == ["believed", "flagged"][: 2 if reason == "contradicted" else 1]
        assert row.expires_at == expiry_of(row.category, since=at)
    elif counted == "confirmed":
        lives_on = new.said_at + COMPANY.ttl_of("knowledge")
        assert (row.confirmations, row.expires_at) == (1, max(before.expires_at, lives_on))
        assert row.confidence >= before.confidence
    else:
        assert [company.row(late).superseded_by_id for late in outcome.rows] == [old]


@cases("order", list(permutations((2, 3, 4))))
def test_the_order_of_reading_does_not_matter(company, order):
    """Whichever conversation is read first: what was said last is believed, and what was said is all on record."""
    for place, count in enumerate(order):
        said = company.new(RENT.format(count), said_at=NOW + timedelta(days=count))
        company.believe([said], at=NOW + timedelta(days=10 + place))
    assert [row.content for row in company.active()] == [RENT.format(4)]
    assert len(company.everything()) == 3


def test_what_was_replaced_does_not_come_back_after_its_successor_has_expired(company):
    """Said before it was replaced, it was no longer so by then, whatever became of what replaced it."""
    company.hear(RENT.format(2), category="decision")
    newer = company.hear(RENT.format(3), at=LATER)
    at = LATER + timedelta(days=200)
    between = company.new(
        RENT.format(2), category="decision", said_at=NOW + timedelta(days=1), confidence=1.0
    )
    outcome = company.believe([between], at=at)
    assert (outcome.outdated, company.active(at)) == (1, [])
    assert company.row(outcome.rows[0]).superseded_by_id == newer


def test_reading_a_message_twice_adds_nothing(company):
    """Facts of one message are taken in once, even after something replaced them."""
    facts = [company.new(RENT.format(2)), company.new("Vi valde K2")]
    company.believe(facts)
    company.hear(RENT.format(3), at=LATER)
    before = company.everything()
    outcome = company.believe(facts, at=LATER + timedelta(days=1))
    assert (outcome.skipped, outcome.rows, company.everything()) == (2, (), before)


def test_every_change_is_on_record_without_a_word(company):
    """Ids, reasons and numbers; never what was said."""
    company.hear(RENT.format(2))
    company.hear(RENT.format(3), at=LATER)
    entries = list(
        AuditEvent.objects.filter(chain=company.space, action__startswith="company.").order_by("position")
    )
    assert [entry.action for entry in entries] == [
        "company.fact_believed",
        "company.fact_believed",
        "company.fact_superseded",
    ]
    assert "Hyran" not in str([entry.data for entry in entries])
    assert Space.objects.get(pk=company.space).version == 2


@pytest.mark.spec("C9")
class TestSummaries:
    """What is said about one part of a summary touches that part alone."""

    PARTS = ("Hyran är 12 000 kr i månaden", "Timpriset är 900 kr", "Räkenskapsåret är kalenderår")

    def test_a_part_said_again_confirms_the_summary(self, company):
        """It is not stored a second time."""
        summary, _ = company.summarise(self.PARTS)
        outcome = company.believe(
            [company.new("Hyran är 12000 kronor per månad", confidence=1.0, said_at=LATER)], at=LATER
        )
        (row,) = company.active()
        assert (outcome.confirmed, row.pk, row.confirmations) == (1, summary, 1)

    @cases(
        "texts", [["Hyran är 13 000 kr i månaden"], ["Hyran är 13 000 kr i månaden", "Timpriset är 950 kr"]]
    )
    def test_parts_contradicted_leave_the_others(self, company, texts):
        """The summary gives way once, by one fact of a reading or two; its other parts are believed by themselves."""
        summary, parts = company.summarise(self.PARTS)
        company.believe([company.new(text, said_at=LATER) for text in texts], at=LATER)
        rows = company.active()
        assert {row.content for row in rows} == {*texts, *self.PARTS[len(texts) :]}
        assert company.row(summary).superseded_reason == "contradicted"
        restored = {row.restores_id for row in rows if row.origin == CompanyFact.Origin.RESTORED}
        assert restored == set(parts[len(texts) :])
        assert company.believed_at(LATER) == {row.pk for row in rows}

    def test_two_parts_said_again_after_the_summary_has_expired(self, company):
        """Each is renewed by itself; the third stays expired."""
        company.summarise(self.PARTS)
        at = NOW + timedelta(days=200)
        outcome = company.believe([company.new(text, said_at=at) for text in self.PARTS[:2]], at=at)
        assert {row.content for row in company.active(at)} == set(self.PARTS[:2])
        assert outcome.believed == 2
        assert company.believed_at(at) == {row.pk for row in company.active(at)}


def test_a_model_is_asked_about_each_pair_once(company):
    """However often the facts have to be compared anew because others were faster."""
    company.hear("Vi valde K2 för årsredovisningen")
    asked = []

    def ask(pairs):
        asked.extend(pairs)
        return {}

    def discern_while_others_write(*given, **options):
        found = discern(*given, **options)
        if len(company.everything()) < 3:
            company.hear(f"Momsen för kvartal {len(company.everything())} är betald", category="decision")
        return found

    fact = company.new("Har bestämt sig för K2 i årsredovisningen", said_at=LATER)
    company.believe([fact], at=LATER, ask=ask, discern=discern_while_others_write)
    assert 0 < len(asked) == len(set(asked))


def test_who_is_always_overtaken_gives_up(company):
    """With an error that says to try again, and nothing written."""

    def discern_while_others_write(*given, **options):
        company.hear(f"Kund nummer {len(company.everything())} betalade sin faktura", category="decision")
        return discern(*given, **options)

    with pytest.raises(MemoryBusy) as refused:
        company.believe([company.new(RENT.format(2))], discern=discern_while_others_write)
    assert refused.value.retryable
    assert RENT.format(2) not in {row.content for row in company.active()}


def test_a_new_embedding_model_embeds_what_is_held_anew(company):
    """A fact without a vector of today's model gets one, and is compared by it."""
    company.hear(RENT.format(2))
    with space_scope(company.space):
        CompanyFactVector.objects.for_space(company.space).update(model="of-yesterday")
    company.believe([company.new("Hyran är 12000 kronor per månad", confidence=0.4, said_at=LATER)], at=LATER)
    assert len(company.active()) == 1
    with space_scope(company.space):
        models = CompanyFactVector.objects.for_space(company.space).values_list("model", flat=True)
        assert set(models) == {"of-yesterday", company.embedder.model}
        assert CompanyEvent.objects.for_space(company.space).count() == 2
