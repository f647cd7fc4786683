"""A company's memory compressed: what belongs together becomes one, and nothing is lost by it."""

from datetime import timedelta

import pytest

from companion_site.audit.models import AuditEvent
from companion_site.vault.scope import space_scope
from memory.company.params import COMPANY
from memory.company.store import end_doubt, put_in_doubt
from memory.company.summaries.plan import find_subjects
from memory.company.summaries.text import read_values
from memory.models import CompanyCompression, CompanyEvent, CompanyFact
from tests.cases import cases
from tests.factories import NOW
from tests.memory.company.firm import DIVIDENDS, STAFF, Firm, different, unrelated

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C9")]

LATER = NOW + timedelta(days=31)


def test_related_facts_become_one_with_every_value(firm):
    """In the members' words, in the order said; the others stay. Members point at their summary."""
    members = firm.hold(*DIVIDENDS)
    firm.hold(*STAFF, at=NOW + timedelta(days=1))
    others(firm, 14, "knowledge")
    done = firm.compress(now=LATER)
    assert (done.trigger, done.before, done.after, done.summaries) == ("monthly", 20, 16, 2)
    summaries = [fact for fact in firm.active(now=LATER) if fact.origin == "summary"]
    assert [fact.content for fact in summaries] == ["; ".join(DIVIDENDS), "; ".join(STAFF)]
    summary = summaries[0]
    for member in members:
        row = firm.get(member)
        assert (row.superseded_by_id, row.superseded_at) == (summary.pk, LATER)
        assert (row.superseded_reason, row.content) == ("summarised", member.content)
    with space_scope(firm.space):
        told = [summary.pk, *(member.pk for member in members)]
        events = CompanyEvent.objects.for_space(firm.space).filter(at=LATER, fact__in=told).order_by("id")
        (first, *rest) = events.values_list("kind", "fact_id")
    assert first == ("believed", summary.pk)
    assert sorted(rest) == sorted(("superseded", member.pk) for member in members)


@cases(
    ("one", "other"),
    [
        (("en", "Bought a forklift for 90,000 kr in June"), ("en", "Bought a printer for 9,000 kr in June")),
        (("sv", "Bolaget betalar hyra varje månad"), ("sv", "Bolaget betalar moms varje månad")),
        (("en", "The company prefers short answers"), ("sv", "Bolaget har två anställda")),
    ],
)
def test_values_and_everyday_words_are_no_subject(one, other):
    """Amounts, months and what any company does make no two facts a topic."""
    first, second = (find_subjects(text, language) for language, text in (one, other))
    assert first and second and not first & second


def test_joining_stops_at_fifteen(firm):
    """Related facts are joined as long as fifteen stay."""
    firm.hold(*[f"Took {number},000 kr in dividend, payment {number}" for number in range(20, 40)])
    done = firm.compress(now=LATER)
    assert (done.before, done.after) == (20, COMPANY.least_after)


@pytest.mark.slow
@cases("category", ["decision", "unresolved"])
def test_more_than_fifty_become_thirty(firm, category):
    """Above fifty it is done at once, and where topics alone do not reach, the nearest are joined until thirty are left."""
    facts = firm.hold(*unrelated(52), category=category, vectors=different(52))
    now = NOW + timedelta(days=1)
    done = firm.compress(now=now)
    assert (done.trigger, done.before, done.after) == ("too_many", 52, COMPANY.most_after)
    for fact in facts:
        assert fact.content in firm.successor(fact).content
    assert all(len(words) <= 3 * COMPANY.most_chars for words in firm.words(now=now))


def test_categories_stay_apart(firm):
    """A summary holds facts of one category, of one side of doubt, and decisions of one year."""
    for category in ("decision", "preference", "knowledge"):
        firm.hold(*[f"{words} ({category})" for words in DIVIDENDS], category=category)
    firm.hold(*[f"{words}, they think" for words in DIVIDENDS], confidence=0.5)
    firm.hold(*STAFF, at=NOW - timedelta(days=200))
    firm.hold(*[f"{words} again" for words in STAFF])
    others(firm, 14, "knowledge")
    firm.compress(now=LATER)
    rows = firm.rows()
    summaries = [row for row in rows.values() if row.origin == "summary"]
    assert len(summaries) == 6
    for summary in summaries:
        members = [row for row in rows.values() if row.superseded_by_id == summary.pk]
        assert {row.category for row in members} == {summary.category}
        assert {row.confidence for row in members} == {summary.confidence}
        assert len(members) > 1 and len({row.said_at.year for row in members}) == 1


@cases(
    ("said", "values"),
    [
        (
            ["The office rent is 12,000 kr a month", "The office rent is 14,500 kr a month", "No office rent in July"],
            [12_000.0, 14_500.0, "month 7"],
        ),
        ([DIVIDENDS[1], "Tog utdelning på 100 000 kr i juni 2025"], None),
    ],
)  # fmt: skip
def test_a_topic_is_told_whole_in_the_words_it_was_said_in(firm, said, values):
    """Values that contradict each other are both said, never made into one; what is said in Swedish belongs to what is said in English
    of the same."""
    for words in said:
        firm.hold(words, category="knowledge", language="sv" if words.startswith("Tog") else "en")
    others(firm)
    firm.compress(now=LATER)
    (summary,) = [fact for fact in firm.active(now=LATER) if fact.origin == "summary"]
    assert summary.content == "; ".join(said)
    assert values is None or list(read_values(summary.content)) == values


def test_a_second_run_changes_nothing(firm):
    """Compressing what was just compressed finds nothing to do, whether it is due or asked for."""
    firm.hold(*DIVIDENDS, *STAFF)
    firm.hold(*unrelated(50), category="knowledge", vectors=different(50))
    firm.compress(now=LATER)
    before = firm.look()
    assert firm.compress(now=LATER + timedelta(hours=1)) is None
    assert firm.force(now=LATER + timedelta(hours=2)).summaries == 0
    assert firm.look() == before


def test_a_summary_takes_in_what_is_said_later(firm):
    """A later fact of the same topic is joined with the summary, which is written anew from all its parts."""
    firm.hold(*DIVIDENDS[:2])
    firm.hold(*unrelated(18), category="knowledge", vectors=different(18))
    firm.force(now=NOW + timedelta(days=1))
    firm.hold("Took 70,000 kr in dividend in February 2026", at=NOW + timedelta(days=2))
    firm.force(now=NOW + timedelta(days=3))
    (summary,) = [fact for fact in firm.active(now=LATER) if fact.origin == "summary"]
    assert summary.content == "; ".join([*DIVIDENDS[:2], "Took 70,000 kr in dividend in February 2026"])
    for fact in firm.rows().values():
        assert fact.category == "knowledge" or firm.successor(fact).pk == summary.pk


def test_few_facts_and_what_has_expired_are_left_alone(firm):
    """However close fifteen active facts or fewer are; open items whose time is over are counted, and not among them."""
    firm.hold(*unrelated(14), category="unresolved", vectors=different(14))
    firm.hold(*DIVIDENDS)
    before = firm.look()
    done = firm.compress(now=LATER)
    assert (done.before, done.after, done.summaries) == (3, 3, 0)
    assert firm.look() == before
    with space_scope(firm.space):
        event = AuditEvent.objects.get(chain=firm.space, action="company.memory_compressed")
    assert event.data["pruned"] == 14


def others(firm, count=16, category="decision"):
    """Believe so many facts that have nothing to do with each other."""
    return firm.hold(*unrelated(count), category=category, vectors=different(count))


def test_a_summary_holds_for_as_long_as_its_last_member(firm):
    """What expires is joined with what expires in the same quarter, and the summary goes with the last of it."""
    facts = firm.hold(*[words.replace("Took", "Takes") for words in DIVIDENDS], category="knowledge")
    others(firm)
    firm.compress(now=LATER)
    summary = firm.successor(facts[0])
    assert summary.origin == "summary"
    assert summary.expires_at == facts[-1].expires_at
    assert (summary.confidence, summary.confirmed_at) == (0.9, facts[0].confirmed_at)


@cases(("days", "joined"), [(30, True), (85, False)])
def test_nothing_is_told_more_surely_in_a_summary_nor_less(firm, days, joined):
    """Knowledge fades: the least sure is who is so by now, however sure it was once. What has faded below the bound casts no doubt on
    others, and borrows no certainty from them."""
    fields = {"category": "knowledge", "expires_at": NOW + timedelta(days=60)}
    confirmed_at = NOW - timedelta(days=days)
    (faded,) = firm.hold(DIVIDENDS[0], confidence=0.95, confirmed_at=confirmed_at, **fields)
    sure = firm.hold(*DIVIDENDS[1:], confidence=0.9, **fields)
    others(firm)
    firm.force(now=NOW + timedelta(days=1) if joined else LATER)
    assert len({firm.successor(fact).pk for fact in sure}) == 1
    summary = firm.successor(sure[0])
    assert summary.origin == "summary" and (firm.successor(faded).pk == summary.pk) is joined
    if joined:
        assert (summary.confidence, summary.confirmed_at) == (0.95, confirmed_at)


def test_a_summary_that_somebody_has_said_already_is_left_out(firm):
    """Two facts never have the same words: where one says by itself what a summary would, the others are written."""
    firm.hold(*DIVIDENDS, *STAFF)
    firm.hold("; ".join(DIVIDENDS), category="preference", vectors=different(1))
    others(firm, category="knowledge")
    done = firm.compress(now=LATER)
    assert (done.before, done.after, done.summaries) == (23, 21, 1)
    assert {*DIVIDENDS, "; ".join(DIVIDENDS), "; ".join(STAFF)} <= set(firm.words(now=LATER))


def test_what_is_under_review_stays_by_itself(firm):
    """A fact that contradicted another is not hidden in a summary while somebody may still review it."""
    flagged = firm.hold(DIVIDENDS[0], flagged_at=NOW + timedelta(days=20))[0]
    firm.hold(*DIVIDENDS[1:])
    others(firm, category="knowledge")
    firm.compress(now=LATER)
    assert firm.get(flagged).superseded_by_id is None
    assert sum(row.origin == "summary" for row in firm.rows().values()) == 1


@cases("category", ["knowledge", "decision"])
def test_what_is_in_doubt_stays_by_itself_until_that_is_settled(category):
    """And so does what puts it there, in a summary of a topic or of a year: side by side and unmarked both would seem to hold."""
    firm = Firm(f"Lindqvist {category} AB")
    old, new, _ = firm.hold(*DIVIDENDS, category=category)
    firm.hold(*unrelated(16), category="preference", vectors=different(16))
    with space_scope(firm.space):
        put_in_doubt(old, by=new, since=new.said_at, at=NOW)
    for now in (LATER, NOW + timedelta(days=150), NOW + timedelta(days=400)):
        firm.compress(now=now)
        standing = [firm.get(fact).superseded_by_id for fact in (old, new)]
        assert standing == [None, None]
    with space_scope(firm.space):
        end_doubt(firm.get(old), why=CompanyEvent.Cleared.HOLDS, at=LATER)
    firm.force(now=NOW + timedelta(days=401) if category == "decision" else LATER + timedelta(days=1))
    assert firm.successor(old).pk == firm.successor(new).pk


def test_companies_are_apart(firm):
    """Compressing one company's memory reads and changes nothing of another's."""
    other = Firm("Berg & Co")
    for one in (firm, other):
        one.hold(*DIVIDENDS)
        one.hold(*unrelated(16), category="knowledge", vectors=different(16))
    before = other.look()
    firm.compress(now=LATER)
    assert other.look() == before
    with space_scope(other.space):
        assert not CompanyCompression.objects.for_space(other.space).exists()
        assert CompanyFact.objects.for_space(other.space).count() == 19
