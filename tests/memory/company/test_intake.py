"""The one door into a company's memory: what is said once, again, more surely, otherwise, late, or settles something."""

from datetime import timedelta
from itertools import permutations

import pytest

from companion_site.audit.models import AuditEvent
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company.errors import MemoryBusy
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


@pytest.mark.spec("C8")
@cases("category", ["preference", "decision", "knowledge", "unresolved"])
def test_how_long_a_fact_holds_goes_by_its_category(company, category):
    """Preferences and decisions for good, knowledge for half a year, open items for 30 days from when it was said."""
    said_at = NOW - timedelta(days=1)
    company.believe([company.new("Vill ha korta svar", category=category, said_at=said_at)])
    (row,) = company.active()
    ttl = {"knowledge": timedelta(days=182), "unresolved": timedelta(days=30)}.get(category)
    assert row.expires_at == (said_at + ttl if ttl else None)


def test_the_same_fact_surer_takes_the_old_ones_place(company):
    """Both rows stay, the old one pointing at the new with the reason."""
    old = company.hear(RENT.format(2), confidence=0.6)
    outcome = company.believe(
        [company.new("Hyran är 12000 kronor per månad", confidence=0.9, said_at=LATER)], at=LATER
    )
    (row,) = company.active()
    assert (outcome.believed, outcome.restated, row.content) == (1, 1, "Hyran är 12000 kronor per månad")
    old = company.row(old)
    assert (old.superseded_by_id, old.superseded_at, old.superseded_reason) == (row.pk, LATER, "restated")
    assert old.superseded_actor_id is None


@pytest.mark.spec("C8")
def test_the_same_fact_less_sure_only_confirms(company):
    """No new row; the old one is surer and holds from when it was said again."""
    old = company.hear(RENT.format(2), confidence=0.8)
    outcome = company.believe(
        [company.new("Hyran är 12000 kronor per månad", confidence=0.5, said_at=LATER)], at=LATER
    )
    (row,) = company.active()
    assert (outcome.believed, outcome.confirmed, row.pk, row.confirmations) == (0, 1, old, 1)
    assert row.confidence > 0.8
    assert row.expires_at == LATER + COMPANY.ttl_of("knowledge")


@cases("confidence", [0.5, 0.99])
def test_the_same_words_are_never_believed_twice(company, confidence):
    """However they are cased and spaced, surer or not: one active row, and the database would take no second."""
    company.hear(RENT.format(2), confidence=0.8)
    company.believe(
        [company.new("  hyran är 12 000  KR i månaden.", confidence=confidence, said_at=LATER)], at=LATER
    )
    assert len(company.active()) == 1


def test_a_contradiction_supersedes_and_is_flagged(company):
    """What was said later holds; the new row waits for a review, and nothing is lost."""
    old = company.hear(RENT.format(2))
    outcome = company.believe([company.new(RENT.format(3), confidence=0.6, said_at=LATER)], at=LATER)
    (row,) = company.active()
    assert (outcome.believed, outcome.contradicted, row.content) == (1, 1, RENT.format(3))
    assert row.flagged_at == LATER
    assert company.row(old).superseded_reason == "contradicted"
    assert company.kinds_of(row) == ["believed", "flagged"]


@cases("confidence", [0.3, 1.0])
def test_what_was_said_earlier_never_supersedes_what_was_said_later(company, confidence):
    """Read late, it is history: kept, replaced from the start by what was said after it."""
    newer = company.hear(RENT.format(3))
    late = company.new(RENT.format(2), said_at=NOW - timedelta(days=9), confidence=confidence)
    outcome = company.believe([late], at=LATER)
    (row,) = company.active()
    assert (outcome.outdated, outcome.believed, row.pk, row.flagged_at) == (1, 0, newer, None)
    (late_row,) = outcome.rows
    assert company.row(late_row).superseded_by_id == newer


@cases("confidence", [0.3, 1.0])
def test_the_same_said_earlier_only_confirms(company, confidence):
    """However sure it was, and it makes the fact hold no longer than it did."""
    newer = company.hear(RENT.format(2), confidence=0.5)
    until = company.row(newer).expires_at
    late = company.new(
        "Hyran är 12000 kronor per månad", said_at=NOW - timedelta(days=9), confidence=confidence
    )
    assert company.believe([late], at=LATER).confirmed == 1
    (row,) = company.active()
    assert (row.pk, row.expires_at) == (newer, until)


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


def test_what_settles_an_open_item_resolves_it(company):
    """The item gives way to what settled it, and nobody has to review that."""
    item = company.hear("Har inte bestämt om utdelning", category="unresolved")
    outcome = company.believe(
        [company.new("Bestämde en utdelning på 100 000 kr", category="decision", said_at=LATER)], at=LATER
    )
    (row,) = company.active()
    assert (outcome.resolved, row.category, row.flagged_at) == (1, "decision", None)
    assert company.row(item).superseded_reason == "resolved"


@pytest.mark.spec("C8")
@cases("words", ["Vi har inte bestämt utdelningen", "We have not decided on the dividend"])
def test_an_expired_fact_said_again_is_renewed(company, words):
    """A new row takes the expired one's place, in the same words or others."""
    old = company.hear("Vi har inte bestämt utdelningen", category="unresolved")
    at = NOW + timedelta(days=40)
    assert company.active(at) == []
    outcome = company.believe([company.new(words, category="unresolved", said_at=at)], at=at)
    (row,) = company.active(at)
    assert (outcome.renewed, row.expires_at) == (1, at + timedelta(days=30))
    assert (company.row(old).superseded_by_id, company.row(old).superseded_reason) == (row.pk, "renewed")


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

    def test_a_part_contradicted_leaves_the_other_parts(self, company):
        """The summary gives way, its other parts are believed by themselves, with their expiry of the summary."""
        summary, parts = company.summarise(self.PARTS)
        company.believe([company.new("Hyran är 13 000 kr i månaden", said_at=LATER)], at=LATER)
        rows = company.active()
        assert {row.content for row in rows} == {"Hyran är 13 000 kr i månaden", *self.PARTS[1:]}
        assert company.row(summary).superseded_reason == "contradicted"
        restored = {row.restores_id for row in rows if row.origin == CompanyFact.Origin.RESTORED}
        assert restored == set(parts[1:])

    def test_two_parts_contradicted_at_once(self, company):
        """By two facts of one reading: the summary gives way once, and only the third part is left of it."""
        company.summarise(self.PARTS)
        texts = ["Hyran är 13 000 kr i månaden", "Timpriset är 950 kr"]
        company.believe([company.new(text, said_at=LATER) for text in texts], at=LATER)
        assert {row.content for row in company.active()} == {*texts, self.PARTS[2]}
        assert company.believed_at(LATER) == {row.pk for row in company.active()}

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
