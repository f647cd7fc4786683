"""Random histories of a company's memory, done step by step, and what has to hold of each."""

from datetime import datetime, timedelta
from uuid import UUID

from hypothesis import strategies as st

from companion_site.errors import CompanionError
from companion_site.vault.scope import space_scope
from memory.company.audit.filters import State, in_state
from memory.company.facts import fingerprint, later_expiry
from memory.company.reconcile.undo import review, undo
from memory.company.store import confirm
from memory.models import CompanyEvent, CompanyFact
from tests.factories import NOW

#: What can be said, with a number to change one's mind about.
SENTENCES = (
    ("knowledge", "Bolaget har {} anställda"),
    ("decision", "Tog {} 000 kr i utdelning i december 2025"),
    ("preference", "Vill ha svar på högst {} meningar"),
    ("unresolved", "Behöver gå igenom {} transaktioner i oktober"),
)


#: What happens, and with what: see the methods of these names below.
ACTIONS = st.one_of(
    st.tuples(
        st.just("say"),
        st.sampled_from(SENTENCES),
        st.integers(2, 4),
        st.sampled_from([0.4, 0.7, 0.95]),
        st.sampled_from([0, 0, 0, 1, 40]),
    ),
    st.tuples(st.just("use"), st.integers(0, 9)),
    st.tuples(st.just("compress"), st.integers(2, 3)),
    st.tuples(st.just("undo"), st.integers(0, 9)),
    st.tuples(st.just("review"), st.booleans()),
    st.tuples(st.just("wait"), st.sampled_from([-40, -1, 1, 10, 35, 200])),
)


class History:
    """A company's memory while things happen to it.

    Attributes:
        told: what was believed at moments that nothing has touched since.
    """

    def __init__(self, company) -> None:
        self.company, self.now = company, NOW
        self.ever: set[UUID] = set()
        self.told: list[tuple[datetime, set[UUID]]] = []

    def do(self, action) -> None:
        """Do one thing, a minute after the last, and look at what must hold whatever it was."""
        self.now += timedelta(minutes=1)
        name, *given = action
        getattr(self, f"_{name}")(*given)
        rows = self.company.everything()
        assert self.ever <= rows, "a row is gone"
        self.ever = rows
        if self.now >= self._last_written():
            self.told.append((self.now, self._active()))

    def check(self) -> None:
        """Ask for every moment at which something happened, and just before it."""
        for moment in sorted(self._moments()):
            for step in (-1, 0):
                self.company.believed_at(moment + timedelta(microseconds=step))
        for moment, facts in self.told:
            assert self.company.believed_at(moment) == facts
        self._check_successors()

    def _say(self, sentence: tuple[str, str], number: int, confidence: float, days_ago: int) -> None:
        category, content = sentence
        said = {
            "category": category,
            "confidence": confidence,
            "said_at": self.now - timedelta(days=days_ago),
        }
        before = self._active()
        self.company.believe([self.company.new(content.format(number), **said)], at=self.now)
        assert len(self._active()) >= len(before), "less is known than before"

    def _use(self, which: int) -> None:
        confirm(self.company.space, sorted(self.ever)[which::3], now=self.now)

    def _compress(self, many: int) -> None:
        parts = sorted(self._active())[:many]
        if len(parts) == many:
            self.company.put_in_one(parts, at=self.now)

    def _undo(self, which: int) -> None:
        with space_scope(self.company.space):
            superseded = CompanyFact.objects.for_space(self.company.space).filter(superseded_by__isnull=False)
            rows = list(superseded.order_by("id"))
        if rows:
            self._try_undo(rows[which % len(rows)])

    def _try_undo(self, row: CompanyFact) -> None:
        try:
            brought_back = undo(self.company.space, row.pk, actor=self.company.person, now=self.now)
        except CompanionError as refused:
            assert str(refused.message)
            return
        assert brought_back[0].superseded_by_id is None
        if row.origin not in (CompanyFact.Origin.SUMMARY, CompanyFact.Origin.ANNUAL):
            assert brought_back[0].fingerprint == fingerprint(row.content)

    def _review(self, keep: bool) -> None:
        with space_scope(self.company.space):
            flagged = in_state(self.company.space, State.FLAGGED, at=self.now).order_by("id").first()
        if flagged is not None:
            review(self.company.space, flagged.pk, actor=self.company.person, keep=keep, now=self.now)

    def _wait(self, days: int) -> None:
        """Let time pass, or set the clock back: then what comes may touch moments that were told."""
        self.now += timedelta(days=days)
        self.told = [(moment, facts) for moment, facts in self.told if moment < self.now]

    def _active(self) -> set[UUID]:
        return {row.pk for row in self.company.active(self.now)}

    def _moments(self) -> set[datetime]:
        with space_scope(self.company.space):
            events = CompanyEvent.objects.for_space(self.company.space)
            ends = CompanyFact.objects.for_space(self.company.space).filter(expires_at__isnull=False)
            return {*events.values_list("at", flat=True), *ends.values_list("expires_at", flat=True)}

    def _last_written(self) -> datetime:
        with space_scope(self.company.space):
            events = CompanyEvent.objects.for_space(self.company.space).order_by("-at")
            return events.values_list("at", flat=True).first() or NOW

    def _check_successors(self) -> None:
        """Every fact that gave way leads to one that did not."""
        with space_scope(self.company.space):
            after = dict(
                CompanyFact.objects.for_space(self.company.space).values_list("pk", "superseded_by_id")
            )
        for pk in after:
            met = set()
            while after[pk] is not None:
                assert pk not in met, "a chain leads back to itself"
                met.add(pk)
                pk = after[pk]


def replay(space, at):
    """Return the ids of the facts that were believed at `at`, told from the events up to then and from nothing else.

    The order in which events lie does not matter: a clock that was set back cannot change the answer.
    """
    ends, begun, over = {}, set(), set()
    with space_scope(space):
        events = CompanyEvent.objects.for_space(space).filter(at__lte=at)
        for fact, kind, expires_at in events.values_list("fact_id", "kind", "expires_at"):
            if kind == CompanyEvent.Kind.BELIEVED:
                begun.add(fact)
            elif kind == CompanyEvent.Kind.SUPERSEDED:
                over.add(fact)
            if kind in (CompanyEvent.Kind.BELIEVED, CompanyEvent.Kind.CONFIRMED):
                ends[fact] = later_expiry(ends[fact], expires_at) if fact in ends else expires_at
    return {fact for fact in begun - over if ends[fact] is None or ends[fact] > at}
