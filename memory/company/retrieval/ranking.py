"""Which facts go before a message: those that have to do with it, by the reader's head; before one that asks nothing of them, none."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce
from companion_site.language import Language
from companion_site.vault.scope import space_scope
from memory.company.facts import fingerprint, present_confidence
from memory.company.live.statements import find_overruling, tell_overruling
from memory.company.live.text import tell_figure
from memory.company.params import COMPANY
from memory.company.retrieval.block import InjectedFact, company_block, fact_line, fitting_facts
from memory.company.retrieval.candidates import Candidates, FormerFact, ReadFact, find_candidates, read_former
from memory.company.retrieval.relevance import choose, judge_facts, share_words
from memory.models import CompanyFact, Kpi
from memory.reading.answers import MATCHES_NOTHING, are_both_asked_for, find_ranks, tell_matches
from memory.reading.heads import Heads
from memory.reading.owners import speaks_of_oneself
from memory.reading.questions import asks_of_oneself, find_sought
from memory.reading.service import ABOUT_ONESELF, calls_for_memory, get_heads, nearest_to, wish_chances

#: kinds of facts that tell who somebody is
TELLING_WHO = ("identity", "work", "home")
PLACE_CONSTANT = 30


@dataclass(frozen=True, kw_only=True)
class Injection:
    """What of a company's memory goes before one message.

    Attributes:
        candidates: all facts that were looked at, whether or not they go before it: what the companion without a model answers from.
        former: where it is asked how something was, what was so before, the last replaced first.
        vectors: (d,) of the candidates that have one, by what they say.
    """

    facts: Sequence[InjectedFact] = ()
    candidates: Sequence[InjectedFact] = ()
    former: Sequence[FormerFact] = ()
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict, repr=False)

    def block(self, tokens: int = COMPANY.most_tokens) -> str:
        return company_block(self.facts, tokens=tokens)

    def written_in(self, block: str) -> dict[UUID, float]:
        """Return the facts that stand in a block of some size, with what each has to do with the message."""
        written = frozenset(block.splitlines())
        return {fact.id: fact.relevance.score for fact in self.facts if fact_line(fact) in written}

    @property
    def confirmed(self) -> tuple[UUID, ...]:
        """The rows by which what the message speaks of is believed; not what it speaks against, the books do, or is in doubt."""
        return tuple(
            dict.fromkeys(
                fact.stands
                for fact in self.facts
                if fact.relevance.is_confirmed and not fact.overruled_by and not fact.doubted_since
            )
        )

    @property
    def contradicted(self) -> tuple[str, ...]:
        """What the message is about and speaks against, the nearest first; "we changed auditor" hardly tells which rules one had chosen."""
        return tuple(fact.content for fact in self._tellable if fact.relevance.is_put_otherwise)

    @property
    def told(self) -> tuple[str, ...]:
        """What the companion without a model quotes: the sure and surely relevant facts, best first; live figures for overruled ones.

        What may be out of date comes last. Not what another says of themselves.
        """
        sure = [fact for fact in self._tellable if (fact.is_sure or fact.live) and fact.relevance.is_sure]
        return tuple(dict.fromkeys([*(fact.live or fact.content for fact in sure), *self.doubted]))

    @property
    def doubted(self) -> tuple[str, ...]:
        """The surely relevant facts that are only in doubt, best first: the companion without a model quotes them as such."""
        found = [fact for fact in self._best_first if fact.doubted_since and not fact.is_unsure]
        return tuple(fact.content for fact in found if fact.relevance.is_sure)

    @property
    def _best_first(self) -> list[InjectedFact]:
        return sorted(self.facts, key=lambda fact: -fact.relevance.score)

    @property
    def _tellable(self) -> list[InjectedFact]:
        """What needs no name to be told, best first."""
        return [fact for fact in self._best_first if not fact.is_of_another]


def inject(
    space: UUID,
    message: str,
    *,
    language: Language,
    vector: NDArray[np.float32],
    embedder: Embedder,
    now: datetime,
    asker: UUID | None = None,
) -> Injection:
    """Return the facts for one message, the likeliest to help first, within the block's tokens.

    Args:
        vector: (d,) the message's own, unit length, of `embedder`'s model; zeros where it could not be made.
    """
    with space_scope(space):
        found = find_candidates(space, vector, model=embedder.model, now=now)
        figures = list(Kpi.objects.for_space(space).order_by("key"))
        former = read_former(space) if "past" in find_sought(message) else []
    if not found.facts:
        return Injection(former=former)
    compared = [(fact.content, fact.language) for fact in found.facts]
    similarities = np.nan_to_num(embedder.calibration.similarity(found.cosines))
    # What has no vector, on either side, is judged by its words.
    chances = share_words(message, language, compared)
    asked = _Asked(calls=float(chances.max(initial=0.0)), people=frozenset({asker} - {None}))
    # A telling word in common matches, and none matches less than nothing does.
    matches = 2 * chances - 1
    heads = get_heads(embedder) if vector.any() else None
    if heads is not None:
        matches = np.where(np.isnan(found.cosines), matches, tell_matches(vector, found.vectors, heads))
        chances = np.where(np.isnan(found.cosines), chances, _read_relevance(heads, message, vector, found))
        asked = _read_asked(heads, message, language, vector, found, chances, matches, asker=asker)
    judged = judge_facts(
        message,
        language,
        compared,
        similarities,
        chances,
        embedder=None if heads is None or asked.is_courtesy else EmbedOnce(embedder, found.known),
    )
    is_about_us = asked.is_about_us or asks_of_oneself(message)
    likeliest = choose(
        judged,
        matches if heads is None or not is_about_us else _tell_who(heads, found, matches),
        calls=asked.calls,
        is_about_us=is_about_us,
        most=COMPANY.most_injected,
    )
    first = _first(found, asked, heads) if likeliest else []
    places = dict(zip((fact.pk for fact in found.facts), find_ranks(matches).tolist(), strict=True))
    candidates = [
        InjectedFact(
            id=fact.pk,
            stands=fact.stands,
            category=fact.category,
            content=fact.content,
            said_on=timezone.localdate(fact.said_at),
            said_by=fact.name,
            relevance=relevance,
            is_asked_for=_is_doubt_asked_for(fact, places),
            is_own=fact.said_by is not None and fact.said_by == asker,
            is_uncertain=sure < COMPANY.hedged_below,
            doubted_since=timezone.localdate(fact.doubted_since) if fact.doubted_since else None,
            doubted_by=fact.doubted_by,
            overruled_by=tell_overruling(figure) if figure else "",
            live=tell_figure(figure, language) if figure else "",
        )
        for fact, relevance in zip(found.facts, judged, strict=True)
        for figure in [find_overruling(fact.content, figures)]
        for sure in [present_confidence(fact.confidence, fact.confirmed_at, now, fact.category)]
    ]
    chosen = [candidates[place] for place in _arrange(found.facts, first, likeliest)]
    return Injection(facts=fitting_facts(chosen), candidates=candidates, former=former, vectors=found.known)


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What a message wants of the memory.

    Attributes:
        calls: how likely it calls for what is remembered at all.
        is_about_us: that it asks what is known of those who ask; is_about_asker: of the one alone who asks; is_courtesy: that it greets or thanks, and so speaks against nothing.
        people: whose wishes it is to be answered by: who asks, and who is named.
    """

    calls: float
    people: frozenset[UUID | None]
    is_about_us: bool = False
    is_about_asker: bool = False
    is_courtesy: bool = False


def _read_asked(
    heads: Heads,
    message: str,
    language: Language,
    vector: NDArray[np.float32],
    found: Candidates,
    chances: NDArray[np.floating],
    matches: NDArray[np.floating],
    *,
    asker: UUID | None,
) -> _Asked:
    """Return what a message wants; who names somebody of the company calls for how they want things.

    Args:
        chances: (n,) how likely each fact has to do with it; matches: (n,) how well each matches what it asks for.
    """
    nearest = nearest_to(vector, found.vectors, heads)
    calls = calls_for_memory(message, vector, heads, nearest=nearest, bearing=chances)
    wanted = heads.read_texts("intent", [message], vector[None])["intent"].likeliest()
    said = set(re.findall(r"\w+", message))
    named = {fact.said_by for fact in found.facts if fact.name.strip() and fact.name.split()[0] in said}
    return _Asked(
        calls=1.0 if named else calls,
        is_about_us=calls == ABOUT_ONESELF and float(matches.max()) < MATCHES_NOTHING,
        is_about_asker=speaks_of_oneself(message, language),
        is_courtesy=wanted in {"greeting", "thanks", "goodbye"},
        people=frozenset({asker, *named} - {None}),
    )


def _is_doubt_asked_for(fact: ReadFact, places: Mapping[UUID, int]) -> bool:
    """Tell whether the message asks for a fact in doubt and for what perhaps took its place, by their places among what matches."""
    if fact.doubted_by is None:
        return False
    return are_both_asked_for(places[fact.pk], places.get(fact.doubted_by, len(places)))


def _first(found: Candidates, asked: _Asked, heads: Heads | None) -> list[int]:
    """Return the places of what stands before the likeliest: people's wishes, or who they are, which they tell first of all.

    Of more preferences than there is room for, the likeliest wishes: many a preference is one of the company's.
    """
    facts = found.facts
    rows = sorted(range(len(facts)), key=lambda row: facts[row].said_at)
    if asked.is_about_us:
        told = [row for row in rows if not asked.is_about_asker or facts[row].said_by in asked.people]
        return told[: COMPANY.most_of_people]
    theirs = [
        row
        for row in reversed(rows)
        if facts[row].category == CompanyFact.Category.PREFERENCE and facts[row].said_by in asked.people
    ]
    if heads is None or len(theirs) <= COMPANY.most_wishes:
        return theirs[: COMPANY.most_wishes]
    chances = wish_chances([facts[row].content for row in theirs], found.vectors[theirs], heads)
    likeliest = np.argsort(-chances, kind="stable")[: COMPANY.most_wishes]
    return [theirs[place] for place in likeliest]


def _arrange(facts: Sequence[ReadFact], first: Sequence[int], likeliest: Sequence[int]) -> list[int]:
    """Return the places of what goes before the message, no words twice."""
    places = dict.fromkeys((*first, *likeliest))
    by_words = {fingerprint(facts[place].content): place for place in reversed([*places])}
    return [place for place in places if place in by_words.values()][: COMPANY.most_injected]


def _tell_who(heads: Heads, found: Candidates, matches: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return (n,) what each fact is worth to whoever asks who somebody is: whether it tells that, and how well it matches.

    Joined by reciprocal rank fusion, as for a student.
    """
    kinds = heads.read_texts("fact", [fact.content for fact in found.facts], found.vectors)["kind"]
    telling = kinds.probabilities[:, [kinds.classes.index(kind) for kind in TELLING_WHO]].sum(axis=1)
    of_telling, of_match = (1 / (PLACE_CONSTANT + find_ranks(of)) for of in (telling, matches))
    return of_telling + of_match


def _read_relevance(
    heads: Heads, message: str, vector: NDArray[np.float32], found: Candidates
) -> NDArray[np.floating]:
    """Return (n,) how likely each fact answers the message or helps with it; who said a fact is a part of it."""
    memories = [f"{fact.name}: {fact.content}" if fact.name else fact.content for fact in found.facts]
    told = heads.read_relevance(message, memories, vector, found.vectors, is_company=True)
    return 1 - told.probabilities[:, told.classes.index("no")]
