"""A memory to be read: by what it is about where that is known, then by part, with when it was said and what it replaced."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.models import LedgerEntry
from memory.models import DailyMetric, Goal, GoalNote, Gratitude, LifeFact, MemoryNode, MemorySource, Mood
from memory.student.copies.exporter import Original, read_rows
from memory.student.pages.words import say_confidence

HELD = Q(superseded_at__isnull=True, removed_at__isnull=True)


def write_markdown(copied: Original) -> Iterator[str]:
    """Yield a text with a heading for each part. Its words are those of the language that is active when it is begun."""
    yield f"# {_('What your companion remembers')}\n\n{_day(copied.at)}\n"
    facts = LifeFact.objects.for_space(copied.space).filter(node=OuterRef("pk"))
    for kind in LifeFact.Kind:
        which = HELD & Q(Exists(facts.filter(kind=kind)))
        yield from _part(str(kind.label), read_rows(copied, MemoryNode, _tell_memories(copied), which))
    for category in MemoryNode.Category:
        title = str(category.label) if category.value else _("Everything else")
        which = HELD & Q(category=category) & ~Q(Exists(facts))
        yield from _part(title, read_rows(copied, MemoryNode, _tell_memories(copied), which))
    entries = Q(superseded_at__isnull=True, is_active=True)
    yield from _part(_("Kept word for word"), read_rows(copied, LedgerEntry, _tell_entries, entries))
    yield from _part(_("Goals"), read_rows(copied, Goal, _tell_goals(copied)))
    yield from _part(_("Gratitude"), read_rows(copied, Gratitude, _tell_gratitude))
    yield from _part(_("Moods"), read_rows(copied, Mood, _tell_moods))
    yield from _part(_("Measures"), read_rows(copied, DailyMetric, _tell_measures))
    past = Q(superseded_at__isnull=False) & Q(content__isnull=False)
    yield from _part(_("What was replaced"), read_rows(copied, MemoryNode, _tell_past, past))


def _part(title: str, lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield line if number else f"\n## {title}\n\n{line}"


def _tell_memories(copied: Original) -> Any:
    def tell(lot: Sequence[MemoryNode]) -> Iterator[str]:
        sources = MemorySource.objects.for_space(copied.space).filter(node_id__in=[row.pk for row in lot])
        said: dict[UUID, MemorySource] = {row.node_id: row for row in sources.order_by("-said_at", "-pk")}
        quotes = copied.quotes(list(said.values()))
        for row in lot:
            source = said.get(row.pk)
            at = source.said_at if source else row.formed_at
            line = f"- {_line(row.content)} ({_day(at)}, {say_confidence(row.confidence)})\n"
            quote = quotes.get(source.pk) if source else None
            yield f"{line}  > {_line(quote)}\n" if quote and quote != row.content else line

    return tell


def _tell_past(lot: Sequence[MemoryNode]) -> Iterator[str]:
    for row in lot:
        newer = row.superseded_by
        line = f"- {_line(row.content)} ({_day(row.superseded_at)})"
        yield f"{line} → {_line(newer.content)}\n" if newer is not None and newer.content else f"{line}\n"


def _tell_entries(lot: Sequence[LedgerEntry]) -> Iterator[str]:
    for row in lot:
        yield f"- {row.get_category_display()}: {_line(row.content)} ({_day(row.recorded_at)})\n"


def _tell_goals(copied: Original) -> Any:
    def tell(lot: Sequence[Goal]) -> Iterator[str]:
        for row in lot:
            yield f"- {_line(row.text)} ({row.get_state_display()}, {_day(row.created_at)})\n"
            for note in GoalNote.objects.for_space(copied.space).filter(goal=row).order_by("pk"):
                yield f"  - {_line(note.text)} ({_day(note.at)})\n"

    return tell


def _tell_gratitude(lot: Sequence[Gratitude]) -> Iterator[str]:
    for row in lot:
        yield f"- {_line(row.text)} ({_day(row.at)})\n"


def _tell_moods(lot: Sequence[Mood]) -> Iterator[str]:
    for row in lot:
        state = row.state
        note = f": {_line(state['note'])}" if state.get("note") else ""
        yield f"- {_day(row.at)}: {state.get('primary_emotion', '')}{note}\n"


def _tell_measures(lot: Sequence[DailyMetric]) -> Iterator[str]:
    for row in lot:
        yield f"- {row.day}: {row.get_name_display()} {row.value.get('value')}\n"


def _line(words: str | None) -> str:
    return " ".join((words or "").split())


def _day(at: Any) -> str:
    return f"{timezone.localtime(at):%Y-%m-%d}"
