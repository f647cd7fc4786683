"""What of a company's books and memory answers a question, for a reply without a model."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from uuid import UUID

from django.utils import timezone

from chat.notebook.days import write_day
from chat.turn.answers import (
    MOST_COMING,
    Held,
    answering,
    find_coming,
    in_last_answer,
    of_last_answer,
    said_at,
    tell,
)
from companion_site.days import start_of
from companion_site.embeddings.protocol import Embedder
from companion_site.language import LANGUAGES, Language, fold_words
from companion_site.llm.types import ToldFact
from memory.algorithms.reminders import span_asked_for
from memory.company.live.catalogue import DEADLINES, deadline_label, figure_label, terms_of
from memory.company.live.services import LiveState
from memory.company.live.statements import ANOTHER_TIME, names_of
from memory.company.live.text import format_amount, is_stale, name_due
from memory.company.params import LIVE
from memory.company.retrieval.ranking import Injection
from memory.models import CompanyFact, Deadline, Kpi
from memory.reading.owners import speaks_of_oneself
from memory.reading.questions import (
    VALUES,
    Sought,
    asks_for,
    asks_of_oneself,
    find_about,
    find_sought_after,
    find_told_anew,
    has_matter,
)
from memory.reading.words import write_out

#: An entry is asked for by its name where that is so much of what a question says.
NAMED = 0.4
#: Of what is not decided so much is told.
MOST_OPEN = 5


def held_of_company(injection: Injection, *, asker: UUID, language: Language) -> list[Held]:
    """Return the facts of a company, near or far, and what was so before where that is asked for.

    Not what the books overrule, nor what the message speaks against, nor what somebody whose name is not known says of themselves. Each is read with what its terms are called in the question's language; near
    is what goes before the message, and what has such terms, of which the reader cannot tell that it does.
    """
    near = {fact.id for fact in injection.facts}
    held = [
        Held(
            text=fact.content,
            row=fact.id,
            doubted_by=fact.doubted_by,
            said_at=start_of(fact.said_on),
            is_unsure=fact.is_unsure,
            is_open=fact.category == CompanyFact.Category.UNRESOLVED,
            is_decided=fact.category == CompanyFact.Category.DECISION,
            is_near=fact.id in near,
            is_own=fact.is_own,
            said_by=fact.said_by if fact.is_of_another else "",
        )
        for fact in injection.candidates
        if not fact.is_contradicted and not fact.overruled_by and (fact.said_by or not fact.is_of_another)
    ]
    for former in injection.former:
        is_own = former.said_by == asker
        is_of_another = not is_own and speaks_of_oneself(former.content)
        if former.name or not is_of_another:
            held.append(
                Held(
                    text=former.content,
                    row=former.id,
                    said_at=former.said_at,
                    until=former.until,
                    is_own=is_own,
                    said_by=former.name if is_of_another else "",
                )
            )
    named = [(one, terms_of(one.text, language)) for one in held]
    return [replace(one, who=terms, is_near=one.is_near or bool(terms)) for one, terms in named]


def find_company_answers(
    question: str,
    held: Sequence[Held],
    books: Sequence[Held],
    *,
    embedder: Embedder,
    language: Language,
    now: datetime,
    name: str,
    before: str = "",
    replied: str = "",
) -> list[ToldFact]:
    """Return what answers a question: of the books what it names, else the one fact, or none; several where several are asked for.

    Args:
        books: as `tell_entries` tells them.
        name: of the one who asks.
        before: the question that this one leans on.
        replied: what was last answered.
    """
    question, before = write_out(question), write_out(before)
    sought = find_sought_after(question, before)
    if "advice" in sought:
        return []
    if speaks_of_oneself(f"{before} {question}", language):
        held = _of_asker(f"{before} {question}", held, sought, name=name)
    if "coming" in sought:
        chosen = _coming(question, [*books, *held], language=language, now=now)
    elif "undecided" in sought:
        chosen = _listed(question, [one for one in held if one.is_open], before=before)
    elif "decided" in sought and find_about(question, ()) is None:
        chosen = _listed(question, [one for one in held if one.is_decided], before="")
    elif "past" in sought:
        chosen = _as_it_was(question, held, embedder, before=before, replied=replied)
    else:
        chosen = _named(question, books, before=before) or _told(
            question, held, embedder, before=before, replied=replied
        )
        if not chosen and before:
            chosen = of_last_answer(question, held, before=before, replied=replied, is_company=True)
        if "since" in sought:
            chosen = [chain[-1] for chain in _chains(question, held) if chosen and chosen[0] in chain][:1]
    return tell(chosen, held, asked=f"{before} {question}", language=language, now=now)


def _of_asker(question: str, held: Sequence[Held], sought: Collection[Sought], *, name: str) -> list[Held]:
    """Return what may answer a question about whoever asks: not what others say of themselves; where nothing else is asked for, only what
    the asker said or what names them."""
    if has_matter(question) or not (asks_of_oneself(question) or "telling" in sought):
        return [one for one in held if not one.said_by]
    names = {form for part in name.split()[:1] for form in (part, f"{part}s")}
    return [one for one in held if one.is_own or not names.isdisjoint(re.findall(r"\w+", one.text))]


def _coming(question: str, held: Sequence[Held], *, language: Language, now: datetime) -> list[Held]:
    """Return what has a day within the time that is asked for, where none is named within that of the live state; what is overdue leads."""
    span = span_asked_for(
        question, language=language, now=timezone.localtime(now), ahead=LIVE.deadlines_within
    )
    overdue = [one for one in held if one.due is not None and one.due < timezone.localdate(now)]
    return [*overdue, *find_coming(held, span=span, language=language)][:MOST_COMING]


def _listed(question: str, held: Sequence[Held], *, before: str) -> list[Held]:
    """Return what is held on the matter, or all, the last first, where none is named."""
    latest = sorted(held, key=said_at, reverse=True)
    texts = [one.read for one in latest]
    about: Sequence[int] | None = find_about(f"{before} {question}", texts)
    if not about and find_about(question, texts) is None:
        about = range(len(latest))
    return [latest[place] for place in about or ()][:MOST_OPEN]


def _named(question: str, books: Sequence[Held], *, before: str) -> list[Held]:
    """Return what the books have on what a question names and asks of it; of another time they tell nothing."""
    sought = find_sought_after(question, before)
    if sought & {"since", "often"} or ANOTHER_TIME.search(fold_words(question)):
        return []
    fitting = [one for one in books if one.tells in sought or (not sought and one.tells == "number")]
    for asked in (question, f"{before} {question}"):
        shares = [asks_for(asked, one.who, text=one.text) for one in fitting]
        if (most := max(shares, default=0.0)) >= NAMED:
            return [one for one, share in zip(fitting, shares, strict=True) if share == most]
    return []


def _told(
    question: str, held: Sequence[Held], embedder: Embedder, *, before: str, replied: str
) -> list[Held]:
    """Return the fact that answers, as it was last told; of what was decided, decisions before what else is known.

    It is chosen among all and only then left out: without what lies nearest, the next would seem near. What is only thought of tells neither who
    nor when nor how many, and what was just told is no second answer.
    """
    sought = find_sought_after(question, before)
    find = partial(answering, question, embedder=embedder, is_company=True)
    if "decided" in sought:
        decided = [one for one in held if one.is_decided]
        if chosen := find(decided, before=before):
            return chosen
    # Since when something is so is asked of what has no such day in it, and so is near to nothing.
    settled = [one for one in held if not one.is_open]
    near = settled if "since" in sought else [one for one in held if one.is_near]
    chosen = find(near, before=before, replied=replied)
    if before and "since" not in sought:
        chosen = [one for one in chosen if not in_last_answer(one, replied)]
    if sought.intersection(VALUES):
        chosen = [one for one in chosen if not one.is_open]
    if len(chosen) != 1:
        return chosen
    return [chains[-1] for one, chains in zip(held, _chains(question, held), strict=True) if one is chosen[0]]


def _as_it_was(
    question: str, held: Sequence[Held], embedder: Embedder, *, before: str, replied: str
) -> list[Held]:
    """Return what was so before what holds now, with the day until which it was; of what was just told where the question leans on that."""
    chains = _chains(f"{before} {question}", held)
    find = partial(answering, question, embedder=embedder, is_company=True)
    changed = [one for one, chain in zip(held, chains, strict=True) if len(chain) > 1 or one.until]
    just_told = [one for one in changed if before and in_last_answer(one, replied)]
    for one in just_told or find(held, before=before, among=changed):
        *earlier, last = chains[held.index(one)]
        if last.until is not None:
            return [last]
        return [
            replace(earlier[-1], until=earlier[-1].until or last.said_at, is_unsure=False, doubted_by=None)
        ]
    near = [] if before else [one for one in held if one.is_near]
    return find(near)


def _chains(question: str, held: Sequence[Held]) -> list[list[Held]]:
    """Return for each statement what says of the same with another value, itself among it, in the order in which it was said."""
    told_anew = find_told_anew([one.text for one in held], asked=question)
    return [
        sorted([one, *(held[place] for place in places)], key=said_at)
        for one, places in zip(held, told_anew, strict=True)
    ]


#: Of what is counted, the key of what it comes to.
AMOUNT = "{}_amount"
WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "figure": "{name}: {value}",
        "in_all": "{count}, {amount} in all",
        "stale": "{told} (as of {day})",
        "today": "{name}: due today, {day}",
        "tomorrow": "{name}: due tomorrow, {day}",
        "ahead": "{name}: due on {day}, in {days} days",
        "overdue": "{name}: overdue, it was due on {day} and is not marked as done",
    },
    "sv": {
        "figure": "{name}: {value}",
        "in_all": "{count}, sammanlagt {amount}",
        "stale": "{told} (per {day})",
        "today": "{name}: senast i dag, {day}",
        "tomorrow": "{name}: senast i morgon, {day}",
        "ahead": "{name}: senast {day}, om {days} dagar",
        "overdue": "{name}: försenad, skulle vara klar {day} och är inte markerad som klar",
    },
}
OVERDUE = ("overdue", "late", "försenad", "försenat", "förfallen", "förfallet")


def tell_entries(state: LiveState, *, now: datetime, language: Language) -> list[Held]:
    """Return the figures of a company and its open deadlines, the overdue and the soonest first; each goes by what people call it in both languages."""
    today = timezone.localdate(now)
    return [
        *_tell_figures(state.figures, today, language),
        *(_tell_deadline(due, today, language) for due in state.deadlines),
    ]


def _tell_figures(figures: Sequence[Kpi], today: date, language: Language) -> Iterator[Held]:
    """Yield each figure; what is counted together with what it comes to."""
    by_key = {figure.key: figure for figure in figures}
    counted = {AMOUNT.format(key) for key in by_key}
    for figure in figures:
        if figure.key in counted:
            continue
        amount = by_key.get(AMOUNT.format(figure.key))
        value = format_amount(figure, language)
        words = WORDS[language]
        if amount is not None and amount.as_of == figure.as_of:
            value = words["in_all"].format(count=value, amount=format_amount(amount, language))
        told = words["figure"].format(name=figure_label(figure, language), value=value)
        if is_stale(figure, today):
            told = words["stale"].format(told=told, day=write_day(figure.as_of, language, today=today))
        extra = OVERDUE if figure.key == "overdue_invoices" else ()
        yield Held(text=told, who=(*names_of(figure), *extra), tells="number", is_booked=True)


def _tell_deadline(due: Deadline, today: date, language: Language) -> Held:
    form = name_due(due, today)
    names = [deadline_label(due, each) for each in LANGUAGES]
    if due.key in DEADLINES:
        known = DEADLINES[due.key]
        names += [known.english, known.swedish, *known.spoken]
    return Held(
        text=WORDS[language][form].format(
            name=deadline_label(due, language),
            day=write_day(due.due_on, language, today=today),
            days=(due.due_on - today).days,
        ),
        who=(*dict.fromkeys(names), *(OVERDUE if form == "overdue" else ())),
        tells="time",
        due=due.due_on,
        is_booked=True,
    )
