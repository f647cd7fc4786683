"""Telling whether two facts of a company are the same, contradict, or both stand."""

from datetime import timedelta

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from memory.company.facts import HeldFact, NewFact
from memory.company.reconcile.engine import MOST_PAIRS, Finding, FoundBy, Relation, ask_about_facts, discern
from tests.cases import cases
from tests.factories import NOW
from tests.llm.wire_server import Act
from tests.memory.company.life import tell_life

pytestmark = pytest.mark.spec("C6")
WEEK = timedelta(days=7)


def _new(text: str, category: str = "knowledge", *, said_at=NOW) -> NewFact:
    return NewFact(category=category, content=text, language="sv", confidence=0.9, said_at=said_at)


def _held(text: str, category: str = "knowledge", *, said_at=NOW - WEEK) -> HeldFact:
    (vector,) = get_embedder().embed([text])
    return HeldFact(id=new_id(), category=category, content=text, said_at=said_at, vector=vector)


def _discern(new: list[NewFact], held: list[HeldFact], ask=None) -> list[list[Finding]]:
    embedder = get_embedder()
    vectors = embedder.embed([fact.content for fact in new])
    return discern(new, vectors, held, embedder=embedder, ask=ask)


def _tell(before: HeldFact, after: NewFact, ask=None) -> list[Finding]:
    (found,) = _discern([after], [before], ask)
    return found


SAME, OTHERWISE, BESIDE = (Relation.SAME, False), (Relation.CONTRADICTS, False), None
SETTLED = (Relation.CONTRADICTS, True)


@cases(
    ("before", "after", "finds"),
    [
        # In two languages and notations, and whatever the category: what one reading calls a decision another calls knowledge.
        (("120k dividend", "decision"), ("Utdelning på 120 000 kr", "decision"), SAME),
        (("We have two employees", "decision"), ("Har två anställda", "knowledge"), SAME),
        # A thing that has one value at a time has the one said last.
        (("Har två anställda", "knowledge"), ("Vi är nu tre anställda", "knowledge"), OTHERWISE),
        (("Revisor är Anna Wik", "knowledge"), ("Ny revisor: Tom Berg", "knowledge"), OTHERWISE),
        (("Hyran är 14 000 kr i månaden", "knowledge"), ("Hyran är 15 000 kr i månaden", "knowledge"), OTHERWISE),
        (("Vår bank är SEB", "knowledge"), ("Vi har bytt bank till Handelsbanken", "knowledge"), OTHERWISE),
        # Two years, customers, accounts, purchases or taxes are two facts.
        (("Utdelning 120 000 kr i december 2025", "decision"), ("Utdelning 120 000 kr i december 2024", "knowledge"), BESIDE),
        (("Kunden Alm AB betalar sent", "decision"), ("Kunden Ek AB betalar sent", "knowledge"), BESIDE),
        (("Konto 3010 används för tjänster", "decision"), ("Konto 3051 används för varor", "knowledge"), BESIDE),
        (("Köpte en svarv för 50 000 kr", "decision"), ("Köpte en dator för 50 000 kr", "knowledge"), BESIDE),
        (("Betalade arbetsgivaravgifterna för mars", "decision"), ("Betalade preliminärskatten för mars", "knowledge"), BESIDE),
        # An open item is settled by what answers it, not by what does so for another month; what is only considered retires nothing.
        (("Har inte bestämt om utdelning för 2025", "unresolved"), ("Decided on a dividend of 100k for 2025", "decision"), SETTLED),
        (("Behöver granska novemberbokningarna", "unresolved"), ("Granskade oktoberbokningarna", "knowledge"), BESIDE),
        (("Har tre anställda", "knowledge"), ("Funderar på en fjärde anställd", "unresolved"), BESIDE),
    ],
)  # fmt: skip
def test_what_a_new_fact_is_to_one_that_is_held(before, after, finds):
    """The same, something else of the same, or another thing."""
    held = _held(*before)
    found = _tell(held, _new(*after))
    assert [(one.relation, one.resolved) for one in found][:1] == [finds] * (finds is not None)
    assert all(one.about == held.id for one in found)
    assert finds != SAME or found[0].found_by is FoundBy.MEANING


@cases("ask", [None, lambda pairs: dict.fromkeys(range(len(pairs)), "same")])
def test_another_amount_of_a_dividend_is_not_the_same(ask):
    """ "120k" and "150k" are two facts, whatever a model says."""
    found = _tell(_held("120k dividend", "decision"), _new("150k dividend", "decision"), ask)
    assert all(one.relation is not Relation.SAME for one in found)


class TestManyAtOnce:
    def test_a_new_fact_can_be_the_same_as_one_before_it(self):
        """Two readings of one message are told apart by their places."""
        first, second = _discern([_new("Har två anställda"), _new("We have two employees")], [])
        assert first == []
        assert (second[0].relation, second[0].about) == (Relation.SAME, 0)

    def test_everything_that_is_contradicted_is_told(self):
        """What stands beside the first finding is not lost."""
        held = [_held("Har två anställda"), _held("We have two employees")]
        (found,) = _discern([_new("Vi är nu fem anställda")], held)
        assert {one.about for one in found} == {fact.id for fact in held}

    def test_only_near_neighbours_are_compared(self):
        """A fact whose vector lies elsewhere is not looked at, whatever its words."""
        held = _held("Har två anställda")
        vectors = -get_embedder().embed(["Har tre anställda"])
        (found,) = discern([_new("Har tre anställda")], vectors, [held], embedder=get_embedder())
        assert found == []

    def test_comparing_embeds_nothing(self, monkeypatch):
        """Facts are compared by the vectors that they have."""
        held, new = _held("Har två anställda"), _new("Har tre anställda")
        embedder = get_embedder()
        vectors = embedder.embed([new.content])
        monkeypatch.setattr(type(embedder), "embed", lambda *_: pytest.fail("embeds"))
        ((found,),) = discern([new], vectors, [held], embedder=embedder)
        assert found.about == held.id

    def test_unrelated_facts_never_retire_each_other(self):
        """Of a year's facts, many of them alike but for what they are about, at most one is taken for another in other words."""
        told = {fact.content: fact for facts in tell_life(NOW).values() for fact in facts}
        facts = [_new(fact.content, fact.category) for fact in told.values()]
        changed = {"The office rent is 14,500 kr a month now", "Vi bytte till K3 för årsredovisningen"}
        wrong = [
            (fact.content, facts[findings[0].about].content)
            for fact, findings in zip(facts, _discern(facts, []), strict=True)
            if findings and fact.content not in changed
        ]
        assert len(facts) > 90 and len(wrong) <= 1, wrong


def test_hostile_words_are_compared_without_harm(subtests):
    """Empty, endless and meaningless facts are the same as nothing else."""
    for text in [
        "",
        " ",
        "🙂🙂",
        "42",
        "kr",
        "inte",
        "\u200b",
        "K2 " * 5_000,
        "'" * 500,
        "1/0 000.000,,%",
        "a\x00b",
        "May",
    ]:
        with subtests.test(case=text):
            held = [_held("Utdelning på 120 000 kr"), _held("Har två anställda")]
            vectors = np.full((1, get_embedder().dimension), np.nan, dtype=np.float32)
            for given in (vectors, np.zeros_like(vectors)):
                (found,) = discern([_new(text)], given, held, embedder=get_embedder())
                assert found == []


class TestTheModelsVerdict:
    def test_it_is_asked_once_for_all_and_of_near_ones_only(self):
        """One question holds every doubtful pair; what the values call the same is not in it."""
        calls = []
        held = [_held("Har två anställda"), _held("120k dividend"), _held("Kontoret ligger i Lund")]
        new = [
            _new("Vi är nu tre anställda"),
            _new("Utdelning på 120 000 kr"),
            _new("Kontoret har låg takhöjd"),
        ]
        _discern(new, held, lambda pairs: calls.append(list(pairs)) or {})
        (asked,) = calls
        assert ("Har två anställda", "Vi är nu tre anställda") in asked
        assert ("120k dividend", "Utdelning på 120 000 kr") not in asked
        assert len(asked) <= MOST_PAIRS

    def test_its_word_finds_what_the_values_leave_open(self):
        """What the reader leaves open is the same where a model says so."""
        held, after = _held("Kontoret har låg takhöjd"), _new("Taket på kontoret är lågt")
        found, *_ = _tell(held, after, lambda pairs: dict.fromkeys(range(len(pairs)), "same"))
        assert (found.relation, found.found_by) == (Relation.SAME, FoundBy.MODEL)

    @pytest.mark.usefixtures("committed")
    @pytest.mark.parametrize(
        ("answer", "finds"),
        [
            ('{"pairs": [{"pair": 0, "verdict": "different"}]}', []),
            ("no json", [FoundBy.READER]),
            ('{"pairs": [{"pair": 99, "verdict": "same"}]}', [FoundBy.READER]),
            ('{"pairs": [{"pair": 0, "verdict": "x"}]}', [FoundBy.READER]),
        ],
    )
    def test_a_real_client_is_asked_in_its_schema(self, model, answer, finds):
        """Over the wire the pairs travel as data; what is not JSON, or of no pair, or no verdict, leaves the reader to decide."""
        model.always(Act(text=answer))
        found = _tell(_held("Har två anställda"), _new("Vi är nu tre anställda"), ask_about_facts)
        assert [one.found_by for one in found] == finds
        assert all(one.relation is Relation.CONTRADICTS for one in found)

    def test_without_a_model_nothing_is_asked(self, settings):
        """Where no model is set up the values decide alone."""
        settings.LLM_CHAIN = []
        assert ask_about_facts([("Har två anställda", "Vi är nu tre anställda")]) == {}
