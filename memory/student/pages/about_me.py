"""The page of what is known about a person: facts by what they are about, and first of all what may not hold any more."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from companion_site.accounts.access import Access, student_page
from companion_site.accounts.requests import PersonRequest
from companion_site.vault.scope import space_scope
from ledger.entries import list_entries
from memory.models import LifeFact
from memory.reading.statements import points_back
from memory.student.contradictions import list_open
from memory.student.corrections import LONGEST
from memory.student.life.facts.selectors import find_facts, standing
from memory.student.pages.filters import LONGEST_SEARCH
from memory.student.pages.graph_page import present_graph
from memory.student.pages.navigation import read_id, render_page, without
from memory.student.pages.passages import Passage, passages_of
from memory.student.pages.picture import current_set, has_words
from memory.student.pages.selectors import (
    Kind,
    Shown,
    Subject,
    fill_in,
    find_subjects,
    load_memories,
    load_shapes,
    still_held,
)

#: Of each kind so many subjects are shown with their facts, and so many facts of each; the others are one click away.
MOST_SUBJECTS, MOST_FACTS, MOST_OTHER = 8, 5, 10
#: More names than that are found by searching.
MOST_NAMED = 60
#: so many facts on the page of one subject
PAGE_LENGTH = 30
#: days of which it is told that they have passed
MOST_PASSED = 5
#: names in an address the change that has just taken a memory away
FORGOTTEN = "forgotten"


@dataclass(frozen=True, kw_only=True)
class ShownFact:
    """One fact with everything that is told of it at once."""

    memory: Shown
    #: where it was said, of what is not told by its own words alone
    passage: Passage | None = None
    #: the day that it speaks of, where that has passed
    passed: date | None = None


@dataclass(frozen=True, kw_only=True)
class Group:
    """Facts about one subject: first those that are told here, then those that are told elsewhere on the page.

    Attributes:
        count: how many facts there are in all.
        also: facts that stand, with all that is told of them, under another subject.
    """

    subject: Subject
    count: int
    facts: Sequence[ShownFact]
    also: Sequence[Shown] = ()

    @property
    def more(self) -> int:
        return self.count - len(self.facts) - len(self.also)


@dataclass(frozen=True, kw_only=True)
class _Sorted:
    """All facts that are asked for, each with what it is about, most of all first: somebody or something, or else a part of life.

    Attributes:
        total: how many facts there are, whatever was asked for.
    """

    total: int
    shapes: Mapping[UUID, Shown]
    texts: Mapping[UUID, str]
    subjects: Mapping[UUID, Sequence[Subject]]

    def by_subject(self) -> dict[Subject, list[UUID]]:
        """Return the facts of each subject, the heaviest first; the subjects with most of them first."""
        found: dict[Subject, list[UUID]] = defaultdict(list)
        for fact in self.shapes:
            for subject in self.subjects[fact]:
                found[subject].append(fact)
        return dict(sorted(found.items(), key=lambda one: (-len(one[1]), one[0].name.casefold())))


@student_page
def about_me(request: PersonRequest, access: Access) -> HttpResponse:
    """Show what is known about the person by what it is about, or as a picture of how it hangs together."""
    now = timezone.now()
    if request.GET.get("view") == "picture":
        context = {
            **present_graph(access.space, request.GET, now=now),
            "hubs": hubs_of(access.space),
        }
        return render_page(request, access, "picture", context, status=400 if context["form"].errors else 200)
    context = {
        **present_facts(access.space, request.GET, now=now),
        "forgotten": read_id(request.GET.get(FORGOTTEN)),
        "way_back": without(request, FORGOTTEN),
        "longest": LONGEST,
    }
    return render_page(request, access, "about_me", context)


def present_facts(space: UUID, given: QueryDict, *, now: datetime) -> dict[str, Any]:
    """Return what the page shows for the address's words: `q` looks for words, `about` names one group."""
    search = " ".join(given.get("q", "").replace("\0", "").split())[:LONGEST_SEARCH]
    about = given.get("about", "").replace("\0", "")[:LONGEST_SEARCH]
    found = _sort(space, search, now=now)
    by_subject = found.by_subject()
    context: dict[str, Any] = {
        "search": search,
        "total": found.total,
        "matching": len(found.shapes),
        "one": None,
    }
    if about:
        nothing = Subject(key=about, kind=None, name="")
        subject = next((one for one in by_subject if one.key == about), nothing)
        ids = by_subject.get(subject, [])
        page = Paginator(ids, PAGE_LENGTH).get_page(given.get("page"))
        facts = [*_tell(space, found, page.object_list).values()]
        return {**context, "one": Group(subject=subject, count=len(ids), facts=facts), "page": page}
    entries = [entry for entry in list_entries(space) if entry.is_active and has_words(entry.content, search)]
    return {
        **context,
        "sections": _sections(space, found, by_subject),
        "others": _others(space, found, by_subject),
        "entries": entries,
        **({} if search else _out_of_date(space, found, now=now)),
    }


def hubs_of(space: UUID) -> list[Subject]:
    """Return what most facts hang on."""
    working_set = current_set(space)
    with working_set.lock:
        counts = Counter(subject for found in find_subjects(working_set).values() for subject in found)
    return sorted(counts, key=lambda one: (-counts[one], one.name.casefold()))[:MOST_SUBJECTS]


def _sort(space: UUID, search: str, *, now: datetime) -> _Sorted:
    """Return the facts that have the words, in their own or in the names of what they are about."""
    working_set = current_set(space)
    with working_set.lock:
        texts = {node.id: node.text for node in working_set.nodes if node.alive and node.text}
        subjects = find_subjects(working_set)
    shapes = [shape for shape in load_shapes(space, still_held(now), now=now) if shape.id in texts]
    with space_scope(space):  # of several kinds that a memory tells of, the first
        kinds = dict(standing(space).order_by("-id").values_list("node_id", "kind"))

    def fits(fact: UUID) -> bool:
        names = (f"{one.name} {one.relation}" for one in subjects.get(fact, ()))
        return has_words(" ".join((texts[fact], *names)), search)

    heaviest = sorted((one for one in shapes if fits(one.id)), key=lambda shape: -shape.gravity)
    return _Sorted(
        total=len(shapes),
        shapes={shape.id: shape for shape in heaviest},
        texts=texts,
        subjects={one.id: subjects.get(one.id) or [_of_life(kinds.get(one.id, ""))] for one in heaviest},
    )


def _sections(space: UUID, found: _Sorted, by_subject: Mapping[Subject, list[UUID]]) -> list[dict[str, Any]]:
    """Return people, animals, places and topics; each fact is told in full once, where its words speak of it first.

    Of many groups of one kind the largest stand there, and the names of the others.
    """
    shown = {kind: [one for one in by_subject if one.kind == kind][:MOST_SUBJECTS] for kind in Kind}
    told: set[UUID] = set()
    mine: dict[Subject, list[UUID]] = {}
    for subject in (subject for subjects in shown.values() for subject in subjects):
        own = [fact for fact in by_subject[subject] if found.subjects[fact][0] == subject]
        rest = [fact for fact in by_subject[subject] if fact not in own and fact not in told]
        mine[subject] = [fact for fact in (own or rest) if fact not in told][:MOST_FACTS]
        told.update(mine[subject])
    facts = _tell(space, found, told)

    def group(subject: Subject) -> Group:
        of_it, own = by_subject[subject], mine[subject]
        also = [facts[fact].memory for fact in of_it if fact in facts and fact not in own]
        told_here = [facts[fact] for fact in own]
        return Group(subject=subject, count=len(of_it), facts=told_here, also=also[:MOST_FACTS])

    return [
        {
            "kind": str(kind),
            "label": str(kind.label),
            "groups": [group(one) for one in subjects],
            "named": [one for one in by_subject if one.kind == kind and one not in mine][:MOST_NAMED],
        }
        for kind, subjects in shown.items()
        if subjects
    ]


def _others(space: UUID, found: _Sorted, by_subject: Mapping[Subject, list[UUID]]) -> list[Group]:
    """Return what is about nobody and nothing of these, by what it tells of a life where that is known."""
    parts = [part for part in map(_of_life, (*LifeFact.Kind.values, "")) if part in by_subject]
    first = {part: by_subject[part][:MOST_OTHER] for part in parts}
    facts = _tell(space, found, [fact for ids in first.values() for fact in ids])
    return [
        Group(subject=part, count=len(by_subject[part]), facts=[facts[fact] for fact in first[part]])
        for part in parts
    ]


def _of_life(kind: str) -> Subject:
    """Return the part of a life that a kind of life fact tells of, as what else facts are about."""
    label = str(LifeFact.Kind(kind).label) if kind else _("Everything else")
    return Subject(key=f"life:{kind or 'none'}", kind=None, name=label)


def _tell(
    space: UUID, found: _Sorted, facts: Iterable[UUID], *, passed: Mapping[UUID, date] | None = None
) -> dict[UUID, ShownFact]:
    """Return facts with everything that is told of them.

    Args:
        passed: of those whose day has passed, that day.
    """
    ids = list(dict.fromkeys(facts))
    memories = fill_in(space, [found.shapes[fact] for fact in ids], texts=found.texts)
    # Most memories are told by their own words: what was said before is read of the others alone.
    quoted = passages_of(space, ids, earlier=0)
    pointing = [one.id for one in memories if _says_more(quoted.get(one.id), one)]
    passages = passages_of(space, pointing, earlier=1)
    days = passed or {}
    return {
        one.id: ShownFact(memory=one, passage=passages.get(one.id), passed=days.get(one.id))
        for one in memories
    }


def _says_more(passage: Passage | None, memory: Shown) -> bool:
    """Tell whether a passage's words are others than the memory's, or the memory points back at what stands before them."""
    text = memory.text or ""
    return passage is not None and (not passage.is_word_for_word(text) or points_back(text))


def _out_of_date(space: UUID, found: _Sorted, *, now: datetime) -> dict[str, Any]:
    """Return what may not hold any more: what a later memory contradicts, and appointments whose day has passed."""
    open_ones = list_open(space)
    ids = {node for one in open_ones for node in (one.earlier_id, one.later_id)}
    known = {memory.id: memory for memory in load_memories(space, Q(pk__in=ids), now=now)}
    today = timezone.localdate(now)
    with space_scope(space):
        rows = standing(space).filter(kind=LifeFact.Kind.APPOINTMENT, closed_at__isnull=True)
        facts = find_facts(space, rows.order_by("-noted_at", "-id"))
    passed = {
        fact.node: fact.when.on
        for fact in facts
        if fact.when.on is not None and not fact.when.is_recurring and fact.when.on < today
    }
    there = [node for node in passed if node in found.shapes][:MOST_PASSED]
    return {
        "contradictions": [
            {
                "id": one.pk,
                "earlier": known[one.earlier_id],
                "later": known[one.later_id],
                "found_by": one.get_found_by_display(),
            }
            for one in open_ones
        ],
        "passed": list(_tell(space, found, there, passed=passed).values()),
    }
